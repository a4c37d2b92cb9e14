"""Letters on a schedule: reminders to players who owe moves, and reports to the administrator."""

from dataclasses import dataclass, field, replace

from server.accounts import players
from server.clock.moments import write_moment, write_soon
from server.game.play import target
from server.game.views import game_view
from server.outbound.letters.context import Draft, Sources
from server.outbound.letters.subjects import game_title, state_line
from server.store.letters.letter import About, Letter, Moment
from server.store.models import Game, Player
from server.store.tokens import ReplyToken


@dataclass(frozen=True)
class OwedMove:
    """A move that a player has to make: its deadline or, without one, when the game is abandoned."""

    game: int
    seat: int
    due: Moment | None
    ends: Moment | None


class Reminder(Letter):
    """All moves that a player has to make, the most urgent first. With just one move, it shows the game."""

    subject = "Moves you owe"

    player: int
    owed: list[OwedMove]

    def draft(self, sources: Sources) -> Draft:
        """Return the reminder; with several games, its subject has only the first deadline."""
        if len(self.owed) == 1:
            return _of_one(self.owed[0], sources)
        zone = players.zone(sources.session.get_one(Player, self.player))
        owed = []
        for each in self.owed:
            game = sources.session.get_one(Game, each.game)
            view = game_view.game_view(sources.session, sources.sealer, game, each.seat)
            moment = each.due or each.ends
            mark = target.mark_before(sources.session, game, game.turn)
            reply = ReplyToken(view.number, each.seat, game.turn, mark)
            written = "" if moment is None else write_moment(moment, zone, sources.now)
            owed.append({"view": view, "moment": written, "has_deadline": each.due is not None, "reply": reply})
        first = next((each.due for each in self.owed if each.due), None)
        by = f", the first by {write_soon(first, zone, sources.now)}" if first else ""
        return Draft(f"Reminder: {len(owed)} games{by}", {"owed": owed, "ends": ""})


def _of_one(owed: OwedMove, sources: Sources) -> Draft:
    """Return the reminder in the thread of the game, so that a reply can contain the move."""
    sources = replace(sources, about=About(owed.game, owed.seat))
    ends = "" if owed.ends is None else sources.moment(owed.ends)
    draft, due = sources.draft(owed=(), ends=ends), sources.soon(owed.due)
    subject = f"Reminder: {game_title(sources.view)}" + (f", by {due}" if due else "")
    state = "Write your orders" if sources.view.simultaneous else "Your move"
    return replace(draft, subject=subject, preview=state_line(state, f"Turn {sources.game.turn}.", due))


class Trouble(Letter):
    """A report of problems to the administrator, as tables with two columns."""

    subject = "Nabu: problems on this server"
    takes_commands = False

    failed: list[list[str]] = field(default_factory=list)
    """Recipient and error of failed or bounced emails."""
    quarantined: list[list[str]] = field(default_factory=list)
    """Number of each quarantined email, and the reason."""
    complained: list[list[str]] = field(default_factory=list)
    """Name and address of players who reported an email as spam."""
    undone: list[list[str]] = field(default_factory=list)
    """Failed jobs, and the reasons."""
    reported: list[list[str]] = field(default_factory=list)
    """Author and place of each reported message; its text, and the comment of the player who reported it."""
    stuck: list[list[str]] = field(default_factory=list)
    """Problems with the relay."""
