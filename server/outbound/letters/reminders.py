"""Letters that come by themselves: to players who owe moves, and to the administrator."""

from dataclasses import dataclass, field, replace

from server.accounts import players
from server.clock.moments import write_moment, write_soon
from server.game.views import game_view
from server.outbound.letters.context import Draft, Sources
from server.outbound.letters.subjects import game_title, state_line
from server.store.letters.letter import About, Letter, Moment
from server.store.models import Game, Player
from server.store.tokens import ReplyToken


@dataclass(frozen=True)
class OwedMove:
    """A move that is owed: when it is due, or without a deadline, when the game ends."""

    game: int
    seat: int
    due: Moment | None
    ends: Moment | None


@dataclass(frozen=True)
class Reminder(Letter):
    """All moves that a player owes, the most urgent first; if it is just one, the game is shown."""

    subject = "Moves you owe"

    player: int
    owed: list[OwedMove]

    def draft(self, sources: Sources) -> Draft:
        """Of several games only the first deadline stands in the subject."""
        if len(self.owed) == 1:
            return _of_one(self.owed[0], sources)
        zone = players.zone(sources.session.get_one(Player, self.player))
        owed = []
        for each in self.owed:
            game = sources.session.get_one(Game, each.game)
            view = game_view.game_view(sources.session, sources.sealer, game, each.seat)
            moment = each.due or each.ends
            reply = ReplyToken(view.number, each.seat, game.turn)
            written = "" if moment is None else write_moment(moment, zone)
            owed.append({"view": view, "moment": written, "has_deadline": each.due is not None, "reply": reply})
        first = next((each.due for each in self.owed if each.due), None)
        by = f", the first by {write_soon(first, zone, sources.now)}" if first else ""
        return Draft(f"Reminder: {len(owed)} games{by}", {"owed": owed, "ends": ""})


def _of_one(owed: OwedMove, sources: Sources) -> Draft:
    """In the thread of its game, so that it can be answered with the move."""
    sources = replace(sources, about=About(owed.game, owed.seat))
    ends = "" if owed.ends is None else sources.moment(owed.ends)
    draft, due = sources.draft(owed=(), ends=ends), sources.soon(owed.due)
    subject = f"Reminder: {game_title(sources.view)}" + (f", by {due}" if due else "")
    state = "Your orders" if sources.view.simultaneous else "Your move"
    return replace(draft, subject=subject, preview=state_line(state, f"Turn {sources.game.turn}.", due))


@dataclass(frozen=True)
class Trouble(Letter):
    """What the administrator has to look at: emails given up or quarantined, complaints, failures; in pairs."""

    subject = "Nabu: what needs your attention"

    failed: list[list[str]] = field(default_factory=list)
    """Recipient and error of mails that were given up."""
    quarantined: list[list[str]] = field(default_factory=list)
    """Numbers of quarantined emails, and why."""
    complained: list[list[str]] = field(default_factory=list)
    """Name and address of players who reported a mail as unwanted."""
    undone: list[list[str]] = field(default_factory=list)
    """What could not be done with a game or for a player, and why."""
    reported: list[list[str]] = field(default_factory=list)
    """Who said something that was reported, and where; what it was, and who reported it why."""
    stuck: list[list[str]] = field(default_factory=list)
    """That mail does not go out, and why."""
