"""The number of games in which something waits for a player, for the badge of pages and apps.

A game waits for a player who has to move, has to answer an invitation, a rematch, a draw offer or a request for
a takeback, or has unread messages. Messages count in games that are not over, and in the latest finished ones.
Proposals count only for players who are still in the game: those who have left cannot answer them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, String, cast, exists, false, func, literal, or_, select, union_all
from sqlalchemy import bindparam as given
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from server.game.play.proposals import PROPOSALS
from server.game.views import read_markers
from server.store.models import Game, Seat
from server.store.statements.prepared_statements import Prepared

READER = given("reader", type_=Integer)
"""The number of the player; None for a visitor, for whom nothing waits."""
SHOWN = given("shown", type_=Integer)
"""The game on the page, whose messages are being read and do not count; 0 for none."""
MOST_OVER = 6
"""The number of latest finished games in which messages count."""

_OTHER = aliased(Seat)


@dataclass(frozen=True)
class Waiting:
    """The numbers of games and messages that wait for a player."""

    games: int
    """The number on the badge."""
    turns: int
    """The number of games in which they have to move."""
    messages: int
    """The number of unread messages."""

    def __str__(self) -> str:
        """Return the numbers as pages and events contain them: "3.1.2"."""
        return f"{self.games}.{self.turns}.{self.messages}"


def count(session: Session, player: int) -> Waiting:
    """Return the numbers for the player with this number."""
    return Waiting(*_COUNT(session, reader=player, shown=0).only())


def proposed_to(game: Game, seat: Seat, others: Sequence[Seat]) -> tuple[str, ...]:
    """Return the proposals of others that the player of a seat can answer and has not: "offers a draw"."""
    asked = game.state == "running" and not seat.left
    made = {name for each in others for name in each.proposals} if asked else set()
    return tuple(each.words for name, each in PROPOSALS.items() if name in made - seat.proposals.keys())


def _names(seat: Any, proposal: str) -> Any:
    """Return the condition that a seat makes a proposal; as text, because damaged JSON must not break pages."""
    return cast(seat.proposals, String).like(f'%"{proposal}"%')


_IS_ASKED = exists().where(
    *(col(_OTHER.game_id) == col(Seat.game_id), col(_OTHER.number) != col(Seat.number)),
    or_(*(_names(_OTHER, name) & ~_names(Seat, name) for name in PROPOSALS)),
)
_ANSWERS = or_(
    (col(Game.state) == "invited") & ~col(Seat.accepted),
    (col(Game.state) == "running") & ~col(Seat.left) & _IS_ASKED,
)
_MESSAGES = read_markers.count_unread(READER, SHOWN)
_THEIRS = (col(Seat.game_id) == col(Game.id), col(Seat.player_id) == READER)
_LATEST_OVER = (
    select(literal(0).label("owes"), false().label("answers"), _MESSAGES.label("messages"))
    .where(*_THEIRS, col(Seat.over_at).is_not(None))
    .order_by(col(Seat.over_at).desc())
    .limit(MOST_OVER)
)
_GAMES = union_all(
    select(
        cast(col(Seat.owes), Integer).label("owes"), _ANSWERS.label("answers"), _MESSAGES.label("messages")
    ).where(*_THEIRS, col(Seat.over_at).is_(None)),
    select(_LATEST_OVER.subquery()),
).subquery()
COUNTS = select(
    func.count().filter(or_(_GAMES.c.owes > 0, _GAMES.c.answers, _GAMES.c.messages > 0)).label("games"),
    *(cast(func.coalesce(func.sum(_GAMES.c[name]), 0), Integer).label(name) for name in ("owes", "messages")),
).subquery("waiting")
"""One row with the numbers for `READER`, as a part of other statements."""
_COUNT: Prepared[int, int, int] = Prepared(select(COUNTS))
