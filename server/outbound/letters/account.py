"""Letters about no game: one function a letter, named as in the outbox and as its template."""

from dataclasses import replace
from datetime import datetime

from rules.registry import kind
from server.accounts import players
from server.accounts.links import MOST_LINKS
from server.accounts.logins import NewPlayer
from server.clock.moments import write_moment
from server.game import kinds, lobby, views
from server.game.vocabulary import PLAIN, REPLY
from server.outbound.letters.drafts import Draft, Sources, letter, only
from server.store.inbox import QUESTION_STANDS
from server.store.models import Game, Player
from server.store.tokens import HeldToken, ReplyToken


@letter
def welcome(sources: Sources) -> Draft:
    """A new player."""
    context = {"name": sources.what["name"], "computer": players.COMPUTER, "kinds": kinds.every_kind()}
    return Draft("Welcome to Nabu", context)


@letter
def refusal_account(sources: Sources) -> Draft:
    """A mail to the plain address that could not be carried out."""
    return Draft("Nabu could not do that", {**only(sources.what, "problem", "read"), "commands": PLAIN.told()})


@letter
def games(sources: Sources) -> Draft:
    """The games of a player."""
    player = _player(sources)
    states = ("invited", "running")
    rows = [
        views.game_view(sources.session, sources.sealer, game, seat.number)
        for game, seat in lobby.games_of(sources.session, player, states)
    ]
    waiting = sum(row.my_turn or row.invites_me for row in rows)
    return Draft("Your games", {"name": player.name, "games": rows, "waiting": waiting})


@letter
def login_link(sources: Sources) -> Draft:
    """The link that logs a player in."""
    return _link("Your link to Nabu", sources, sources.logins.write(_player(sources)))


@letter
def register_link(sources: Sources) -> Draft:
    """The link that makes somebody a player."""
    new = NewPlayer(sources.what["email"], sources.what["name"])
    return _link("Become a player", sources, sources.logins.write_new(new), most=MOST_LINKS)


@letter
def asked(sources: Sources) -> Draft:
    """A mail is not certainly from whom it says: was it he?

    `known` says that it is from an address of his, if it is from where it says.
    """
    what = {**only(sources.what, "sender", "read"), "known": sources.what.get("known", False)}
    what["days"] = QUESTION_STANDS.days
    reply = HeldToken(sources.what["mail"])
    if sources.about is None:
        return Draft("Was this you?", {**what, "subject": "Was this you?", "view": None}, reply)
    return replace(sources.draft(**what, subject=sources.view.subject), reply=reply)


@letter
def rules(sources: Sources) -> Draft:
    """The rules page of a kind; one that a player of a game asked for can be answered like the game's mails."""
    asked = kind(sources.what["kind"])
    context = {"page": kinds.rules_page(asked.name), "title": asked.title}
    if sources.about is None:
        return Draft(f"The rules of {asked.title}", context)
    return Draft(sources.view.subject, context, sources.reply(sources.game.turn))


@letter
def trouble(sources: Sources) -> Draft:
    """For the operator: what was given up, what is held, who complained, and what cannot be done."""
    what = only({"stuck": [], **sources.what}, "failed", "held", "complained", "undone", "stuck")
    return Draft("Nabu: what needs you", what)


@letter
def reminder(sources: Sources) -> Draft:
    """All moves that a player owes, the most urgent first."""
    zone = players.zone(_player(sources))
    owed = []
    for row in sources.what["owed"]:
        game = sources.session.get_one(Game, row["game"])
        view = views.game_view(sources.session, sources.sealer, game, row["seat"])
        moment = write_moment(datetime.fromisoformat(row["due"] or row["ends"]), zone)
        reply = ReplyToken(view.number, row["seat"], game.turn)
        owed.append({"view": view, "moment": moment, "has_deadline": row["due"] is not None, "reply": reply})
    return Draft("Moves that you owe", {"owed": owed})


@letter
def settled(sources: Sources) -> Draft:
    """Something was settled for the receiver, in a sentence."""
    return Draft("It is settled", {"sentence": sources.what["sentence"]})


@letter
def mail_stopped(sources: Sources) -> Draft:
    """No more mail."""
    return Draft("No more mail from Nabu")


@letter
def mail_resumed(sources: Sources) -> Draft:
    """Mail again."""
    return Draft("Mail from Nabu again")


@letter
def help_account(sources: Sources) -> Draft:
    """The commands of the plain address."""
    context = {"commands": PLAIN.told(), "game_commands": REPLY.told(), "kinds": kinds.every_kind()}
    return Draft("How to use Nabu by mail", context)


def _player(sources: Sources) -> Player:
    return sources.session.get_one(Player, sources.what["player"])


def _link(subject: str, sources: Sources, secret: str, **context: int) -> Draft:
    return Draft(subject, {"link": f"{sources.settings.base_url}/enter/{secret}", **context})
