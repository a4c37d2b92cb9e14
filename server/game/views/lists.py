"""The lists of a player's games, in pages. The number of queries is constant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import chain, groupby
from math import ceil
from typing import Any

from sqlalchemy import ColumnElement, Integer, bindparam
from sqlalchemy.orm import Mapped
from sqlmodel import Session, and_, col, func, select

from server.game.log import log
from server.game.log.display_names import called
from server.game.log.log import Seated
from server.game.terms.terms import is_guided
from server.game.terms.wording import options_text, result_text
from server.game.views import read_markers, waiting
from server.store.db import count_rows
from server.store.models import Game, Player, Seat
from server.store.statements.planned_session import RowStatement
from server.store.statements.prepared_statements import Prepared

_CHALLENGER = 0
"""The number of the challenger's seat until all have accepted."""

_GOES_ON = col(Seat.over_at).is_(None)
"""The condition for seats in games that are not over, which has an index."""
_RUNNING, _INVITED = col(Game.state) == "running", col(Game.state) == "invited"
_FINISHED = "finished"
_LISTS: Mapping[str, Sequence[ColumnElement[bool] | Mapped[bool]]] = {
    "turns": (_RUNNING, col(Seat.owes)),
    "waiting": (_RUNNING, _GOES_ON, col(Seat.owes).is_not(True)),
    "invitations": (_INVITED, _GOES_ON, ~col(Seat.accepted), col(Seat.number) != _CHALLENGER),
    "wordless": (_INVITED, _GOES_ON, ~col(Seat.accepted), col(Seat.number) == _CHALLENGER),
    "challenges": (_INVITED, _GOES_ON, col(Seat.accepted)),
    "open": (col(Game.state) == "open", _GOES_ON),
    _FINISHED: (~_GOES_ON,),
}
"""The conditions of each list on the games of a player and their seats."""
LISTS = tuple(_LISTS)
"""The names of the lists.

Games in which the player has to move, and those in which others have to; invitations; own challenges that wait
for the player's words for luck, and those that wait for others; open games; games that are over or were
declined.
"""

_DEADLINE = col(Seat.deadline_at)
_MOST_URGENT = (_DEADLINE.is_(None), _DEADLINE, col(Game.changed_at), col(Game.id))
_NEWEST = (col(Game.changed_at).desc(), col(Game.id).desc())
_ENDED_LAST = (col(Seat.over_at).desc(), col(Seat.game_id).desc())

# Your games, the archive and the running games read only these columns. All columns, many of them JSON, take a
# sixth of the time of a page.
GAME_COLUMNS = (
    col(Game.id),
    col(Game.game_type),
    col(Game.options),
    col(Game.asked),
    col(Game.terms),
    col(Game.anonymous),
    col(Game.state),
    col(Game.turn),
    col(Game.result),
    col(Game.changed_at),
)
_SEAT_COLUMNS = (
    col(Seat.game_id),
    col(Seat.number),
    col(Seat.player_id),
    col(Seat.accepted),
    col(Seat.invited_as),
    col(Seat.owes),
    col(Seat.left),
    col(Seat.deadline_at),
    col(Seat.outcome),
    col(Seat.proposals),
)
_PLAYER_COLUMNS = (col(Player.id), col(Player.name))

# Building these statements takes longer than running them, so each is built once.
_PLAYER = bindparam("player", type_=Integer)
_OWN = (col(Seat.game_id) == col(Game.id), col(Seat.player_id) == _PLAYER)
"""The condition that joins games with the seats of a player."""
_TURNS: Prepared[int] = Prepared(select(Game.id).where(*_OWN, *_LISTS["turns"]).order_by(*_MOST_URGENT))
_SEATS_OF: RowStatement[Seat, Player] = RowStatement(
    select(Seat, Player)
    .where(col(Seat.game_id).in_(bindparam("games", expanding=True)), Seat.player_id == Player.id)
    .order_by(col(Seat.game_id), col(Seat.number)),
    (*_SEAT_COLUMNS, *_PLAYER_COLUMNS),
)


@dataclass(frozen=True)
class GameHeading:
    """The fields with which every view of a game begins; `options` are a text such as "size 12"."""

    number: int
    game_type: str
    title: str
    options: str


def heading(game: Game) -> dict[str, Any]:
    """Return the values of the fields of `GameHeading` for a game, by name."""
    return {
        "number": log.id_of(game),
        "game_type": game.game_type,
        "title": log.rules_of(game).title,
        "options": options_text(game.game_type, game.options),
    }


@dataclass(frozen=True)
class GameRowView(GameHeading):
    """A game in a list of one of its players."""

    opponents: tuple[str, ...]
    missing: int
    """The number of free seats of an open game."""
    state: str
    turn: int
    my_turn: bool
    since: datetime
    due: datetime | None
    """The deadline of the player's move."""
    result: str
    outcome: str
    """The result for the player, as in `Result.outcome`; "" while there is none."""
    unread: bool
    """Whether there are messages that the player has not seen."""
    proposed: tuple[str, ...]
    """The proposals that the player has not answered, as in `waiting.proposed_to`."""
    guided: bool
    """Whether the game explains its rules."""

    @property
    def has_begun(self) -> bool:
        """Return whether the game has started, so that it has a board."""
        return self.state in ("running", "over")


@dataclass(frozen=True)
class ListView:
    """A page of a list of games, counted from 1, and the number of games on all pages."""

    rows: tuple[GameRowView, ...]
    count: int
    page: int
    pages: int


def lists_of(session: Session, player: Player, sizes: Mapping[str, int], page: int = 1) -> dict[str, ListView]:
    """Return a page of each list in `sizes`, which has the page sizes; lists without games are missing.

    Games in which the player has to move are sorted by deadline, all others by time, newest first. If a list
    does not have the page, the nearest one is returned.
    """
    counts = count_games(session, player, tuple(sizes))
    pages = {name: ceil(count / sizes[name]) for name, count in counts.items() if count}
    shown = {name: min(max(page, 1), most) for name, most in pages.items()}
    games = {
        name: _games(session, player, name, sizes[name], sizes[name] * (number - 1))
        for name, number in shown.items()
    }
    views = _views(session, list(chain.from_iterable(games.values())))
    return {
        name: ListView(tuple(views[seat.game_id] for _, seat in found), counts[name], shown[name], pages[name])
        for name, found in games.items()
    }


def count_games(session: Session, player: Player, names: tuple[str, ...]) -> dict[str, int]:
    """Return the number of games in each of these lists of a player."""
    _, *found = _counting(names)(session, player=player.id).only()
    return dict(zip(names, found, strict=True))


def count_turns(session: Session, player: int) -> int:
    """Return the number of games in which the player with this number has to move."""
    return count_rows(session, Seat.player_id == player, col(Seat.owes))


def next_turn(session: Session, player: Player, number: int) -> int | None:
    """Return the number of the next game in the list in which the player has to move, after game `number`.

    After the last game comes the first, which is also the result if game `number` is not in the list. None if
    there is no other game.
    """
    found = [game for (game,) in _TURNS(session, player=player.id)]
    place = found.index(number) if number in found else -1
    after = [*found[place + 1 :], *found[: max(place, 0)]]
    return after[0] if after else None


def seats_of(session: Session, games: Sequence[Game]) -> dict[int, list[Seated]]:
    """Return the seats of each of these games with their players, by the number of the game.

    Only the columns in `_SEAT_COLUMNS` and `_PLAYER_COLUMNS` are read; any other costs a statement per row.
    """
    rows = [Seated(*row) for row in _SEATS_OF(session, {"games": [game.id for game in games]})]
    return {number: list(seated) for number, seated in groupby(rows, lambda each: each.seat.game_id)}


def _games(session: Session, player: Player, name: str, limit: int, skip: int) -> list[tuple[Game, Seat]]:
    return _listing(name)(session, {"player": player.id, "skip": skip, "most": limit})


@cache
def _counting(names: tuple[str, ...]) -> Prepared[*tuple[int, ...]]:
    """Return the statement that counts the games of a player in each of these lists."""
    over = select(func.count()).where(col(Seat.player_id) == _PLAYER, ~_GOES_ON).correlate(None)
    counted: list[Any] = [
        over.scalar_subquery() if name == _FINISHED else func.count().filter(and_(*_LISTS[name]))
        for name in names
    ]
    # The first count guarantees one row, even if no other list is requested.
    return Prepared(select(func.count(), *counted).select_from(Game, Seat).where(*_OWN, _GOES_ON))


@cache
def _listing(name: str) -> RowStatement[Game, Seat]:
    """Return the statement that finds the games in a part of a list, with the seats of their player."""
    order = {"turns": _MOST_URGENT, _FINISHED: _ENDED_LAST}.get(name, _NEWEST)
    found = select(Game, Seat).where(*_OWN, *_LISTS[name]).order_by(*order)
    found = found.offset(bindparam("skip")).limit(bindparam("most"))
    return RowStatement(found, (*GAME_COLUMNS, *_SEAT_COLUMNS))


def _views(session: Session, found: Sequence[tuple[Game, Seat]]) -> dict[int, GameRowView]:
    """Return the games by number, as the players with these seats may see them."""
    if not found:
        return {}
    seated = seats_of(session, [game for game, _ in found])
    unread = read_markers.unread(session, found[0][1].player_id, list(seated))
    return {
        seat.game_id: _view(game, seat, seated[seat.game_id], unread=seat.game_id in unread)
        for game, seat in found
    }


def _view(game: Game, seat: Seat, seated: Sequence[Seated], *, unread: bool) -> GameRowView:
    rules = log.rules_of(game)
    others = (each for each in seated if each.seat.number != seat.number)
    return GameRowView(
        **heading(game),
        opponents=tuple(called(game, other, player, seat.player_id) for other, player in others),
        missing=log.free_seats(game),
        state=game.state,
        turn=game.turn,
        my_turn=seat.owes,
        since=game.changed_at,
        due=seat.deadline_at,
        result=result_text(rules, game.result, [called(game, *each, seat.player_id) for each in seated]),
        outcome=seat.outcome,
        unread=unread,
        proposed=waiting.proposed_to(game, seat, [other.seat for other in seated]),
        guided=is_guided(game.terms),
    )
