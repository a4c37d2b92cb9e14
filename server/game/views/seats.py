"""What somebody may see of the seats of a game, and of when their moves are due."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from server.clock.moments import write_moment
from server.game.log import log
from server.game.log.display_names import called, is_nameless
from server.game.log.log import Seated
from server.game.terms.terms import GameTerms
from server.game.terms.wording import labelled
from server.store.models import Envelope, Game


@dataclass(frozen=True)
class SeatView:
    """A seat as anybody may see it."""

    number: int
    title: str
    """What the rules call it; "" before the players' seats are drawn."""
    name: str
    known_as: str
    """The player's name, which leads to their page; "" where the viewer may not know it, or there is none."""
    accepted: bool
    owes: bool
    """Whether the game waits for this seat."""
    commitment: str
    """The one for the sealed orders of the turn to be played; "" for none."""
    offers_draw: bool
    asks_undo: bool
    """Whether it asks for a move to be taken back, or agrees to that."""
    left: bool
    """Whether it has left the game, which goes on without it."""
    computer: bool
    due_at: datetime | None
    """When the move that it owes is due; None for never, or when that is secret."""
    due: str
    """The same in the viewer's zone, "" for none."""
    overdue: bool
    """Whether its time is up and an opponent may claim the game."""
    sign: str = ""
    """How its pieces are written on the board; "" where the title says it."""

    @property
    def label(self) -> str:
        """As in "Ann (Black)"; just the name as long as nobody knows who plays what, or who they are."""
        return labelled(self.name, self.title)


def seat_views(
    game: Game,
    seated: Sequence[Seated],
    viewer: int | None,
    sealed: dict[int, Envelope],
    terms: GameTerms,
    zone: ZoneInfo,
) -> tuple[SeatView, ...]:
    """All seats as `viewer` may see them, or with None anybody; `sealed` are the envelopes they may know of."""
    (titles, signs), gone = _titles(game), log.seats_out(game)
    reader = None if viewer is None else seated[viewer].player.id
    nameless = is_nameless(game)
    hidden = {seat.number for seat, _ in seated if not terms.show_ready and seat.number != viewer}
    owing = _owing(game, seated, hidden)
    due = {seat.number: None if seat.number in hidden else seat.deadline_at for seat, _ in seated}
    return tuple(
        SeatView(
            number=seat.number,
            title=titles[seat.number],
            name=(name := called(game, seat, player, reader)),
            known_as=name if not nameless and name == player.name and player.confirmed_at is not None else "",
            accepted=seat.accepted,
            owes=seat.number in owing,
            commitment=sealed[seat.number].commitment if seat.number in sealed else "",
            offers_draw=game.state == "running" and seat.offers_draw(game.turn),
            asks_undo=game.state == "running" and seat.undo_of is not None,
            left=seat.number in gone,
            computer=player.computer,
            due_at=due[seat.number],
            due=moment_text(due[seat.number], zone),
            overdue=seat.overdue,
            sign=signs[seat.number],
        )
        for seat, player in seated
    )


def moment_text(moment: datetime | None, zone: ZoneInfo) -> str:
    """A moment on the clocks of a zone; "" for none."""
    return "" if moment is None else write_moment(moment, zone)


def _owing(game: Game, seated: Sequence[Seated], hidden: set[int]) -> set[int]:
    """The seats that the game waits for; those that are `hidden` seem to owe orders until all are in."""
    owing = {seat.number for seat, _ in seated if seat.owes and seat.number not in hidden}
    if hidden and game.state == "running":
        owing |= hidden & set(log.rules_of(game).to_move(log.position_of(game)))
    return owing


def _titles(game: Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the rules call the seats, and how their pieces are written; nothing before the draw."""
    rules, nothing = log.rules_of(game), ("",) * len(game.asked)
    if not log.has_begun(game):
        return nothing, nothing
    position = log.position_of(game)
    return rules.titles(position) or rules.seats(game.options), rules.signs(position) or nothing
