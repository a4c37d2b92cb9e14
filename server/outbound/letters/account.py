"""Letters about players and their accounts."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from mail.outgoing.composing import Attachment
from rules.registry import RULES
from server.accounts import access, players
from server.accounts.login import api_tokens, passkeys, sessions
from server.accounts.login.links import MOST_LINKS, NewPlayer
from server.clock.moments import write_moment
from server.game.computer import lessons
from server.game.leaving import data_export
from server.game.lobby import challenges
from server.game.log import log
from server.game.ratings.ratings import PACES_IN_WORDS
from server.game.views import game_view
from server.game.views.open_games import open_games
from server.game.views.profile import profile_of
from server.game.views.rankings import rankings
from server.outbound.letters.context import Draft, Sources, draft_of, template_fields
from server.store.inbox import QUESTION_STANDS
from server.store.letters.account import (
    AccountChanged,
    ChangeAsked,
    ChannelClosed,
    LoginLink,
    RegisterLink,
    Welcome,
)
from server.store.letters.letter import About, Letter, Moment
from server.store.models import Player
from server.store.tokens import ConfirmationToken
from server.tournaments import lists

_MOST_WAITING = 3
"""Maximum number of open games, and of tournaments, in the welcome letter: the latest that can be joined."""
_LOOKED_AT = 20


def _used(
    number: int, name: str, since: datetime, used: datetime | None, zone: ZoneInfo
) -> tuple[int, str, str, str]:
    """Return the row of a login, passkey or token: number, name, when it was made and last used."""
    return number, name, write_moment(since, zone), write_moment(used, zone) if used else ""


@draft_of.register
def welcome(letter: Welcome, sources: Sources) -> Draft:
    """Return the welcome letter. If it shows a guided game, a reply to it is a move in that game."""
    player = sources.session.get(Player, letter.player)
    games = open_games(sources.session, player, _LOOKED_AT)
    waiting = [game for game in games if not game.misfit][:_MOST_WAITING]
    asks_zone = player is not None and not player.zone
    tournaments = lists.list_tournaments(sources.session, player, "open", _MOST_WAITING)
    known: dict[str, Any] = {
        "name": letter.name,
        "waiting": waiting,
        "tournaments": tournaments,
        "asks_zone": asks_zone,
    }
    found = lessons.guided_game(sources.session, letter.player)
    if found is None:
        return Draft(letter.subject, {**known, "board": None})
    game, seat = found
    sources = replace(sources, about=About(seat.game_id, seat.number))
    board = sources.board(log.position_of(game))
    draft = sources.draft(**known, board=board)
    return replace(draft, subject=letter.subject, preview="Your first game is waiting for your move.")


class Confirmation(Letter):
    """A confirmation of a changed setting or another action, in a sentence.

    If it answers an email about a game, it has that subject. `page` is the address of the page that shows the
    effect if this is neither the game nor, without a game, the settings. `headline` is the subject if it is
    about no game.
    """

    is_answer = True

    sentence: str
    page: str = ""
    headline: str = "Done"

    def draft(self, sources: Sources) -> Draft:
        """Return the letter; to a player of the game, a reply is for its current turn."""
        about = sources.about
        page = self.page or (f"/games/{about.game}" if about else "/settings")
        context = {"sentence": self.sentence, "page": page}
        if about is None:
            return Draft(self.headline, {**context, "subject": self.headline})
        if about.seat is None and about.place is None:
            subject = f"{log.rules_of(sources.game).title} {about.game}"
            return Draft(subject, {**context, "subject": subject})
        draft = sources.draft(sentence=self.sentence, page=page)
        return replace(draft, context={**draft.context, "subject": draft.subject})


class MailStopped(Letter):
    """A confirmation that Nabu sends no more email."""

    subject = "No more email from Nabu"
    is_answer = True


class MailResumed(Letter):
    """A confirmation that Nabu sends email again."""

    subject = "Email from Nabu is back on"
    is_answer = True


class Games(Letter):
    """The list of a player's games."""

    subject = "Your games"
    is_answer = True

    player: int

    def draft(self, sources: Sources) -> Draft:
        """Return the letter with the player's games, those that wait for the player first."""
        player = sources.session.get_one(Player, self.player)
        states = ("invited", "open", "running")
        rows = [
            game_view.game_view(sources.session, sources.sealer, game, seat.number)
            for game, seat in challenges.games_of(sources.session, player, states)
        ]
        waiting = sum(row.my_turn or row.invites_me for row in rows)
        due = {
            row.number: write_moment(row.me.due_at, row.zone, sources.now)
            for row in rows
            if row.me is not None and row.me.due_at
        }
        return Draft(self.subject, {"name": player.name, "games": rows, "waiting": waiting, "due": due})


class LoggedIn(Letter):
    """The list of a player's sessions and passkeys."""

    subject = "Your devices and sessions"
    is_answer = True

    player: int

    def draft(self, sources: Sources) -> Draft:
        """Return the letter with the sessions, the last used first, and the passkeys."""
        player = sources.session.get_one(Player, self.player)
        zone = players.zone(player)
        rows = [
            _used(login.number, login.browser, login.since, login.seen_at, zone)
            for login in sessions.list_logins(sources.session, player)
        ]
        keys = [
            _used(passkey.number, passkey.name, passkey.added_at, passkey.used_at, zone)
            for passkey in passkeys.list_passkeys(sources.session, player)
        ]
        return Draft(self.subject, {"rows": rows, "passkeys": keys})


class Tokens(Letter):
    """The list of a player's API tokens."""

    subject = "Your API tokens"
    is_answer = True

    player: int

    def draft(self, sources: Sources) -> Draft:
        """Return the letter with the tokens, the oldest first."""
        player = sources.session.get_one(Player, self.player)
        zone = players.zone(player)
        rows = [
            _used(token.number, token.name, token.made_at, token.used_at, zone)
            for token in api_tokens.list_tokens(sources.session, player)
        ]
        return Draft(self.subject, {"rows": rows})


class TokenMade(Letter):
    """A new API token for the receiver."""

    subject = "Your new API token"
    is_answer = True

    number: int
    name: str
    token: str


class Who(Letter):
    """The public profile of a player."""

    subject = "A player"
    is_answer = True
    takes_commands = False

    player: int

    def draft(self, sources: Sources) -> Draft:
        """Return the letter with the profile and the address of its page."""
        player = profile_of(sources.session, sources.session.get_one(Player, self.player))
        page = f"{sources.settings.base_url}/player/{quote(player.name)}"
        return Draft(player.name, {"player": player, "page": page})


class Ranking(Letter):
    """The players with the highest ratings in one game or in all rated games."""

    subject = "Ranking"
    is_answer = True
    takes_commands = False

    player: int
    game_type: str = ""

    def draft(self, sources: Sources) -> Draft:
        """Return the letter with a table for each game and pace that has rated players."""
        names = [self.game_type] if self.game_type else sorted(RULES)
        tables = rankings(sources.session, self.player, names)
        title = f"Ranking of {RULES[self.game_type].title}" if self.game_type else self.subject
        return Draft(title, {"title": title, "tables": tables, "paces": PACES_IN_WORDS})


class OwnData(Letter):
    """All data about a player, as a file."""

    subject = "Your data on Nabu"
    is_answer = True
    takes_commands = False

    player: int

    def draft(self, sources: Sources) -> Draft:
        """Return the letter with the file, made at the time of sending."""
        player = sources.session.get_one(Player, self.player)
        text = data_export.own_data(sources.session, sources.sealer, player)
        file = Attachment(data_export.FILE, "application/json", text.encode())
        return replace(Draft(self.subject, {"file": data_export.FILE}), attachments=(file,))


@draft_of.register
def login_link(letter: LoginLink, sources: Sources) -> Draft:
    """Return the letter with a link made at the time of sending, because it expires in an hour."""
    secret = sources.logins.write(sources.session.get_one(Player, letter.player))
    return Draft(letter.subject, {"link": sources.link(secret)})


@draft_of.register
def change_asked(letter: ChangeAsked, sources: Sources) -> Draft:
    """Return the letter with a link to the page that confirms the change."""
    secret = sources.logins.write_change(letter.change, letter.to)
    context = {
        **{"number": letter.change, "what": letter.what, "name": letter.name, "email": letter.email},
        "at_new": letter.to == letter.email,
        "due": write_moment(letter.due, ZoneInfo(letter.zone), sources.now),
        "link": f"{sources.settings.base_url}/confirm/{secret}",
    }
    return Draft(letter.subject, context)


@draft_of.register
def account_changed(letter: AccountChanged, sources: Sources) -> Draft:
    """Return the letter with the change and the link that undoes it."""
    player = sources.session.get_one(Player, letter.player)
    context = {
        "done": access.BY_NAME[letter.act].done.format(letter.what),
        "where": letter.where,
        "at": write_moment(letter.at, players.zone(player)),
        "days": access.UNDO_WITHIN.days,
        "link": f"{sources.settings.base_url}/undo/{sources.logins.write_undo(letter)}",
        "takes_role": letter.act in (access.SECOND_FACTOR.name, access.ROLE.name),
    }
    return Draft(letter.subject, context)


@draft_of.register
def channel_closed(letter: ChannelClosed, sources: Sources) -> Draft:
    """Return the notification with the name of the service in its subject."""
    return Draft(f"Notifications on {letter.service} have stopped", template_fields(letter, sources))


@draft_of.register
def register_link(letter: RegisterLink, sources: Sources) -> Draft:
    """Return the letter with the sign-up link; it also says how many such letters an address gets in a day."""
    secret = sources.logins.write_new(NewPlayer(letter.email, letter.name))
    return Draft(letter.subject, {"link": sources.link(secret), "most": MOST_LINKS})


class Announced(Letter):
    """An announcement from an administrator to all players."""

    subject = "News from Nabu"

    announcement: int
    text: str
    until: Moment

    def draft(self, _: Sources) -> Draft:
        """Return the letter with the paragraphs of the announcement."""
        return Draft(
            self.subject, {"paragraphs": [part.strip() for part in self.text.splitlines() if part.strip()]}
        )


class Suspended(Letter):
    """A notification that an administrator has suspended the player until `until`, or permanently."""

    subject = "You are suspended"
    takes_commands = False

    player: int
    why: str
    until: Moment | None

    def draft(self, sources: Sources) -> Draft:
        """Return the letter with the moment in the player's time zone."""
        zone = players.zone(sources.session.get_one(Player, self.player))
        until = write_moment(self.until, zone, sources.now) if self.until else ""
        return Draft(self.subject, {"why": self.why, "until": until})


class AccountClosed(Letter):
    """A notification that an administrator has closed the receiver's account."""

    subject = "Your account is closed"
    takes_commands = False

    why: str


class BioRemoved(Letter):
    """A notification that an administrator has removed the line about themselves from a player's page."""

    subject = "The line about yourself was removed"

    line: str
    why: str


class Unbarred(Letter):
    """A notification that an administrator has ended the suspension of the receiver."""

    subject = "Your suspension has ended"
    takes_commands = False


class Asked(Letter):
    """A question about an unverified incoming email: did the receiver write it?"""

    subject = "Was this you?"
    is_answer = True

    sender: str
    mail: int
    """The number of the email in the inbox."""
    read: list[str]
    """The lines of the email; if the letter goes to a stranger, only its commands, as in the help."""
    known: bool = False
    """Whether its From address is one of the receiver's."""
    others: str | None = None
    """The verified sender, if another player: their name if they play in the same game, otherwise ""."""
    stranger: bool = False
    """Whether it goes to an address that belongs to no player."""
    addable: bool = False
    """Whether the receiver can add the sender's address: it is verified and belongs to no other player."""

    def draft(self, sources: Sources) -> Draft:
        """Return the letter with the question and the number of days for an answer."""
        what = {**template_fields(self, sources), "days": QUESTION_STANDS.days}
        reply = ConfirmationToken(self.mail)
        if sources.about is None:
            return Draft(self.subject, {**what, "subject": self.subject, "view": None}, reply)
        return replace(sources.draft(**what, subject=sources.view.subject), reply=reply)
