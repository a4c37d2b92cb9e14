"""Letters about people and their mail."""

from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import quote
from zoneinfo import ZoneInfo

from mail.outgoing.composing import Attachment
from rules.registry import RULES
from server.accounts import access, players
from server.accounts.login import api_tokens, passkeys, sessions
from server.accounts.login.links import MOST_LINKS, NewPlayer
from server.clock.moments import write_moment
from server.game.computer import lessons
from server.game.leaving import own_data
from server.game.lobby import challenges
from server.game.log import log
from server.game.ratings.ratings import PACES_IN_WORDS
from server.game.views import game_view
from server.game.views.open_games import open_games
from server.game.views.profile import profile_of
from server.game.views.rankings import rankings
from server.outbound.letters.context import Draft, Sources, draft_of, template_fields
from server.store.inbox import QUESTION_STANDS
from server.store.letters.account import AccountChanged, ChangeAsked, LoginLink, RegisterLink, Welcome
from server.store.letters.letter import About, Letter, Moment
from server.store.models import Player
from server.store.tokens import ConfirmationToken

_MOST_WAITING = 3
"""Open games in the letter to a new player: the latest ones that they can join."""
_LOOKED_AT = 20


def _used(
    number: int, name: str, since: datetime, used: datetime | None, zone: ZoneInfo
) -> tuple[int, str, str, str]:
    """Return the row of something with which a player logs in: since when, and when it was last used."""
    return number, name, write_moment(since, zone), write_moment(used, zone) if used else ""


@draft_of.register
def welcome(letter: Welcome, sources: Sources) -> Draft:
    """What the player can do now, and who waits; if a guided game waits for them, a reply is a move in it."""
    player = sources.session.get(Player, letter.player)
    games = open_games(sources.session, player, _LOOKED_AT)
    waiting = [game for game in games if not game.misfit][:_MOST_WAITING]
    found = lessons.guided_game(sources.session, letter.player)
    if found is None:
        return Draft(letter.subject, {"name": letter.name, "waiting": waiting, "board": None})
    game, seat = found
    sources = replace(sources, about=About(seat.game_id, seat.number))
    board = sources.board(log.position_of(game))
    draft = sources.draft(name=letter.name, waiting=waiting, board=board)
    return replace(draft, subject=letter.subject, preview="Your first game is waiting for your move.")


@dataclass(frozen=True)
class Confirmation(Letter):
    """A confirmation that something was set or done, in a sentence."""

    subject = "Saved"
    is_answer = True

    sentence: str


@dataclass(frozen=True)
class MailStopped(Letter):
    """No more mail."""

    subject = "No more email from Nabu"
    is_answer = True


@dataclass(frozen=True)
class MailResumed(Letter):
    """Mail again."""

    subject = "Email from Nabu is back on"
    is_answer = True


@dataclass(frozen=True)
class Games(Letter):
    """The games of a player."""

    subject = "Your games"
    is_answer = True

    player: int

    def draft(self, sources: Sources) -> Draft:
        """The games of the player, those that wait for them first."""
        player = sources.session.get_one(Player, self.player)
        states = ("invited", "open", "running")
        rows = [
            game_view.game_view(sources.session, sources.sealer, game, seat.number)
            for game, seat in challenges.games_of(sources.session, player, states)
        ]
        waiting = sum(row.my_turn or row.invites_me for row in rows)
        return Draft(self.subject, {"name": player.name, "games": rows, "waiting": waiting})


@dataclass(frozen=True)
class LoggedIn(Letter):
    """Where a player is logged in on the web."""

    subject = "Where you are logged in"
    is_answer = True

    player: int

    def draft(self, sources: Sources) -> Draft:
        """Their browsers, the one that was used last first, and their passkeys."""
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


@dataclass(frozen=True)
class Tokens(Letter):
    """The tokens of a player's programs."""

    subject = "Your programs"
    is_answer = True

    player: int

    def draft(self, sources: Sources) -> Draft:
        """Them, the oldest first."""
        player = sources.session.get_one(Player, self.player)
        zone = players.zone(player)
        rows = [
            _used(token.number, token.name, token.made_at, token.used_at, zone)
            for token in api_tokens.list_tokens(sources.session, player)
        ]
        return Draft(self.subject, {"rows": rows})


@dataclass(frozen=True)
class TokenMade(Letter):
    """A token that the receiver has asked for."""

    subject = "A token for your program"
    is_answer = True

    number: int
    name: str
    token: str


@dataclass(frozen=True)
class Who(Letter):
    """What everybody may know of a player."""

    subject = "A player"
    is_answer = True

    player: int

    def draft(self, sources: Sources) -> Draft:
        """Their page in words, and where it is."""
        player = profile_of(sources.session, sources.session.get_one(Player, self.player))
        page = f"{sources.settings.base_url}/player/{quote(player.name)}"
        return Draft(player.name, {"player": player, "page": page})


@dataclass(frozen=True)
class Ranking(Letter):
    """The players with the highest ratings in a game, or in all that are rated."""

    subject = "Ranking"
    is_answer = True

    player: int
    game_type: str = ""

    def draft(self, sources: Sources) -> Draft:
        """A table for each game and pace in which anybody is rated."""
        names = [self.game_type] if self.game_type else sorted(RULES)
        tables = rankings(sources.session, self.player, names)
        title = f"Ranking of {RULES[self.game_type].title}" if self.game_type else self.subject
        return Draft(title, {"title": title, "tables": tables, "paces": PACES_IN_WORDS})


@dataclass(frozen=True)
class OwnData(Letter):
    """All that is stored of a player, as a file."""

    subject = "All that we have of you"
    is_answer = True

    player: int

    def draft(self, sources: Sources) -> Draft:
        """The file, as things stand when it is mailed."""
        player = sources.session.get_one(Player, self.player)
        text = own_data.own_data(sources.session, sources.sealer, player)
        file = Attachment(own_data.FILE, "application/json", text.encode())
        return replace(Draft(self.subject, {"file": own_data.FILE}), attachments=(file,))


@draft_of.register
def login_link(letter: LoginLink, sources: Sources) -> Draft:
    """The link, which is made when it is mailed: it is good for an hour."""
    secret = sources.logins.write(sources.session.get_one(Player, letter.player))
    return Draft(letter.subject, {"link": sources.link(secret)})


@draft_of.register
def change_asked(letter: ChangeAsked, sources: Sources) -> Draft:
    """The link to the page that has a button."""
    secret = sources.logins.write_change(letter.change, letter.to)
    context = {
        **{"number": letter.change, "what": letter.what, "name": letter.name, "email": letter.email},
        "at_new": letter.to == letter.email,
        "due": write_moment(letter.due, ZoneInfo(letter.zone)),
        "link": f"{sources.settings.base_url}/confirm/{secret}",
    }
    return Draft(letter.subject, context)


@draft_of.register
def account_changed(letter: AccountChanged, sources: Sources) -> Draft:
    """The change, and the link that undoes it."""
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
def register_link(letter: RegisterLink, sources: Sources) -> Draft:
    """The same, and how often it is mailed."""
    secret = sources.logins.write_new(NewPlayer(letter.email, letter.name))
    return Draft(letter.subject, {"link": sources.link(secret), "most": MOST_LINKS})


@dataclass(frozen=True)
class Announced(Letter):
    """What an administrator tells everybody."""

    subject = "News from Nabu"

    announcement: int
    text: str
    until: Moment

    def draft(self, _: Sources) -> Draft:
        """Its paragraphs."""
        return Draft(
            self.subject, {"paragraphs": [part.strip() for part in self.text.splitlines() if part.strip()]}
        )


@dataclass(frozen=True)
class Suspended(Letter):
    """An administrator lets a player begin no games and say nothing, until then or for good."""

    subject = "Your account is suspended"

    player: int
    why: str
    until: Moment | None

    def draft(self, sources: Sources) -> Draft:
        """The moment in the player's zone."""
        zone = players.zone(sources.session.get_one(Player, self.player))
        until = write_moment(self.until, zone) if self.until else ""
        return Draft(self.subject, {"why": self.why, "until": until})


@dataclass(frozen=True)
class AccountClosed(Letter):
    """An administrator closed the account of a player."""

    subject = "Your account is closed"

    why: str


@dataclass(frozen=True)
class BioRemoved(Letter):
    """An administrator removed the line that a player had written about themselves."""

    subject = "Your line about yourself was removed"

    line: str
    why: str


@dataclass(frozen=True)
class Unbarred(Letter):
    """An administrator lets a player play as before."""

    subject = "You can play as before"


@dataclass(frozen=True)
class Asked(Letter):
    """It is not certain that a mail is from whom it says: did they write it?"""

    subject = "Was this you?"
    is_answer = True

    sender: str
    mail: int
    """Its number in the inbox."""
    read: list[str]
    """What it says, or just its commands if the letter is to a stranger."""
    known: bool = False
    """Whether it is from an address of theirs, if it is from where it says."""
    others: str | None = None
    """Who certainly sent it, another player: their name if they sit at the same table, or ""."""
    addable: bool = False
    """Whether the player can add the sender's address: it certainly sent the mail, and is no other player's."""

    def draft(self, sources: Sources) -> Draft:
        """The mail, and how long an answer is waited for."""
        what = {**template_fields(self, sources), "days": QUESTION_STANDS.days}
        reply = ConfirmationToken(self.mail)
        if sources.about is None:
            return Draft(self.subject, {**what, "subject": self.subject, "view": None}, reply)
        return replace(sources.draft(**what, subject=sources.view.subject), reply=reply)
