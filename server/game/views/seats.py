"""The seats of a game and the deadlines of their moves, as a viewer may see them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from server.clock.moments import write_moment
from server.game.log import log
from server.game.log.display_names import called, is_nameless
from server.game.log.log import Seated
from server.game.play.proposals import PROPOSALS
from server.game.ratings.ratings import Shown, Skill, displayed_rating, pace_of
from server.game.terms.terms import GameTerms
from server.game.terms.wording import labelled
from server.store.models import Envelope, Game, Rating
from server.store.statements.prepared_statements import Prepared

_RATINGS: Prepared[int, float, float, int] = Prepared(
    select(Rating.player_id, Rating.mu, Rating.sigma, Rating.games).where(
        col(Rating.player_id).in_(bindparam("players", expanding=True)),
        Rating.game_type == bindparam("game_type"),
        Rating.pace == bindparam("pace"),
    )
)
"""Built once, because every page of a game uses it."""


@dataclass(frozen=True)
class SeatView:
    """A seat as a viewer may see it."""

    number: int
    title: str
    """The name of the seat in the rules, as in "Black"; "" before seats are assigned."""
    name: str
    known_as: str
    """The player's name for a link to their page; "" if it is hidden, or there is no page."""
    accepted: bool
    owes: bool
    """Whether this seat has to move."""
    commitment: str
    """The commitment to the sealed orders for the current turn; "" for none."""
    proposals: tuple[str, ...]
    """The names of the proposals that the seat makes or agrees to."""
    left: bool
    """Whether the seat has left a game that goes on without it."""
    computer: bool
    level: int | None
    """The level of a computer player whose name is shown; None for others."""
    due_at: datetime | None
    """The deadline of the seat's move; None without a deadline, or if it is secret."""
    due: str
    """The same in the viewer's zone, "" for none."""
    overdue: bool
    """Whether the seat's time is up and an opponent may claim the game."""
    sign: str = ""
    """The seat's pieces as they are on the board, as in "discs b"; "" if it is clear from the title."""

    @property
    def label(self) -> str:
        """Return "Ann (Black)", or just the name if there is no title yet or names are hidden."""
        return labelled(self.name, self.title)

    @property
    def introduction(self) -> str:
        """Return the label with the level of a computer player: "Enkidu (White, computer, level 2)"."""
        level = f"computer, level {self.level}" if self.level else ""
        return labelled(self.name, ", ".join(filter(None, (self.title, level))))

    @property
    def proposed(self) -> list[str]:
        """Return the proposals in words: "asks for a takeback"."""
        return [PROPOSALS[name].words for name in self.proposals]


def seat_views(
    game: Game,
    seated: Sequence[Seated],
    viewer: int | None,
    sealed: dict[int, Envelope],
    terms: GameTerms,
    zone: ZoneInfo,
) -> tuple[SeatView, ...]:
    """Return all seats of a game as the player in seat `viewer` may see them, or with None anyone.

    `sealed` are the sealed orders whose commitments are shown, by seat. Deadlines are in `zone`.
    """
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
            proposals=tuple(seat.proposals) if game.state == "running" else (),
            left=seat.number in gone,
            computer=player.computer,
            level=None if nameless else player.strength,
            due_at=due[seat.number],
            due=moment_text(due[seat.number], zone),
            overdue=seat.overdue,
            sign=signs[seat.number],
        )
        for seat, player in seated
    )


def ratings_by_seat(session: Session, game: Game, seats: Sequence[SeatView]) -> dict[int, Shown]:
    """Return the ratings of a game's players at its type and pace, by seat; hidden players are left out."""
    players = {seat.number: player.id for seat, player in log.seats(session, game)}
    known = {players[seat.number]: seat.number for seat in seats if seat.known_as and seat.number in players}
    found = _RATINGS(session, players=[*known], game_type=game.game_type, pace=pace_of(game.terms))
    return {known[player]: displayed_rating(Skill(mu, sigma), games) for player, mu, sigma, games in found}


def moment_text(moment: datetime | None, zone: ZoneInfo) -> str:
    """Return a date and time in a time zone as text; "" for None."""
    return "" if moment is None else write_moment(moment, zone)


def _owing(game: Game, seated: Sequence[Seated], hidden: set[int]) -> set[int]:
    """Return the seats that have to move; `hidden` seats seem to have to until all orders are in."""
    owing = {seat.number for seat, _ in seated if seat.owes and seat.number not in hidden}
    if hidden and game.state == "running":
        owing |= hidden & set(log.rules_of(game).to_move(log.position_of(game)))
    return owing


def _titles(game: Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the titles of the seats and the signs of their pieces; empty before seats are assigned."""
    rules, nothing = log.rules_of(game), ("",) * len(game.asked)
    if not log.has_begun(game):
        return nothing, nothing
    position = log.position_of(game)
    return rules.titles(position) or rules.seats(game.options), rules.signs(position) or nothing
