"""Letters that come by themselves: to players who owe moves, and to the operator."""

from dataclasses import dataclass, field

from server.accounts import players
from server.clock.moments import write_moment
from server.game import views
from server.outbound.letters.drafts import Draft, Sources, draft_of
from server.store.letters.letter import Letter, Moment
from server.store.models import Game, Player
from server.store.tokens import ReplyToken


@dataclass(frozen=True)
class Owed:
    """A move that is owed: when it is due, or without a deadline, when the game ends."""

    game: int
    seat: int
    due: Moment | None
    ends: Moment | None


@dataclass(frozen=True)
class Reminder(Letter):
    """All moves that a player owes, the most urgent first."""

    subject = "Moves you owe"

    player: int
    owed: list[Owed]


@draft_of.register
def reminder(letter: Reminder, sources: Sources) -> Draft:
    zone = players.zone(sources.session.get_one(Player, letter.player))
    owed = []
    for each in letter.owed:
        game = sources.session.get_one(Game, each.game)
        view = views.game_view(sources.session, sources.sealer, game, each.seat)
        moment = each.due or each.ends
        reply = ReplyToken(view.number, each.seat, game.turn)
        written = "" if moment is None else write_moment(moment, zone)
        owed.append({"view": view, "moment": written, "has_deadline": each.due is not None, "reply": reply})
    return Draft(letter.subject, {"owed": owed})


@dataclass(frozen=True)
class Trouble(Letter):
    """For the operator: what was given up, what is held, who complained, what cannot be done; in pairs."""

    subject = "Nabu: what needs your attention"

    failed: list[list[str]] = field(default_factory=list)
    """Recipient and error of mails that were given up."""
    held: list[list[str]] = field(default_factory=list)
    """Number of mails that are held, and why."""
    complained: list[list[str]] = field(default_factory=list)
    """Name and address of players who reported a mail as unwanted."""
    undone: list[list[str]] = field(default_factory=list)
    """What could not be done with a game or for a player, and why."""
    stuck: list[list[str]] = field(default_factory=list)
    """That mail does not go out, and why."""
