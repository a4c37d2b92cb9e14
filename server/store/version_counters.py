"""Version counters: numbers that increase in each transaction that changes something visible to a reader.

A game has one for all readers and one for its spectator chat; each seat has one for data that only its player
sees, and one for the part of it in lists of games; a tournament has one. `server/game/views/versions.py`
defines the counters on which a page depends.

A flush listener checks every changed row, so no caller can forget a counter; statements that update many rows
change nothing visible. Only the columns below count. Invisible changes such as notes, mutes and conditional
moves must not raise a counter, because that would reveal a secret.

Counters are in rows that the change locks or writes anyway, and games share none: lists of games and the lobby
add up the counters of their games. So counters never make transactions wait for each other, and a turn needs no
additional statement.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

from sqlalchemy import inspect
from sqlmodel import Session, SQLModel

from server.store.models import (
    AssessedGame,
    Entrant,
    Envelope,
    Game,
    GameMessage,
    Inquiry,
    Pairing,
    Seat,
    SpectatorMessage,
    Tournament,
)
from server.store.models.message_audience import heard, is_audible_to

_GAME = {"state", "head", "asked", "wanted", "offer", "computers_join_at", "series_ended", "next_due_at"}
_SEAT = {"player_id", "accepted", "overdue"}
_READINESS = {"owes", "deadline_at"}
"""Columns of a seat that are public, or only for its player if the game hides which orders are in."""
_AMONG_PLAYERS = {"agreed": ("version",), "proposals": ("version", "lists_version")}
"""Columns of a seat that all players of the game see, and the counters of all seats that they raise."""
_IN_LISTS = ("version", "lists_version")
"""The counters of a seat for changes that are also in its player's lists of games."""
_TOURNAMENT = {"state", "round", "rounds", "closes_at", "ends_at", "lot"}
_ENTRANT = {"seed", "left"}
_PAIRING = {"game_id", "first_points", "second_points", "adjudicated"}


def raise_counters(session: Session, *_more: object) -> None:
    """Increase the counters of all readers who may see the changed rows. Called at each flush by SQLAlchemy."""
    for row, counter in raised_counters(session):
        # A row may have been read before its game was locked, so the database does the addition.
        setattr(row, counter, getattr(type(row), counter) + 1)


def raised_counters(session: Session) -> list[tuple[Any, str]]:
    """Return the counters that the session's changes increase: the row and the column of each."""
    new, gone = session.new, session.deleted
    counted: dict[tuple[int, str], Any] = {
        (id(row), counter): row
        for changed in (*new, *session.dirty, *gone)
        for row, counter in _counters(session, changed, is_new=changed in new, is_gone=changed in gone)
    }
    return [(row, counter) for (_, counter), row in counted.items() if inspect(row).persistent]


def _counters(session: Session, row: object, *, is_new: bool, is_gone: bool) -> Iterator[tuple[Any, str]]:
    """Yield the counters that a change of this row raises: the row and the column of each.

    Added and removed seats need no rule, because they change the game's `asked`. Removed orders need none
    either: the seat owes them again, or the turn is over.
    """
    match row:
        case Game() if _differs(row, _GAME) or (row.shows_ready and _differs(row, {"resolve_at"})):
            yield row, "version"
        case Seat() if not is_new:
            game = session.get_one(Game, row.game_id)
            is_ready_changed = _differs(row, _READINESS)
            if _differs(row, _SEAT) or (is_ready_changed and game.shows_ready):
                yield game, "version"
            elif is_ready_changed:
                yield from ((row, counter) for counter in _IN_LISTS)
            for column, counters in _AMONG_PLAYERS.items():
                if _differs(row, {column}):
                    yield from product(_seats(session, row.game_id), counters)
        case Envelope() if not is_gone:
            yield session.get_one(Seat, (row.game_id, row.seat)), "version"
            game = session.get_one(Game, row.game_id)
            if is_new and game.shows_ready:
                yield game, "version"
        case GameMessage() if is_new:
            for seat in _seats(session, row.game_id):
                if heard(seat.number, row):
                    yield from ((seat, counter) for counter in _IN_LISTS)
                elif is_audible_to(seat.number, row):
                    yield seat, "version"
        case Inquiry(seat=int()) if not is_new and _differs(row, {"answer"}):
            yield session.get_one(Seat, (row.game_id, row.seat)), "version"
        case AssessedGame():
            yield session.get_one(Game, row.game_id), "version"
        case SpectatorMessage() if is_new:
            yield session.get_one(Game, row.game_id), "chat_version"
        case Tournament() if _differs(row, _TOURNAMENT):
            yield row, "version"
        case Entrant() if is_new or is_gone or _differs(row, _ENTRANT):
            yield session.get_one(Tournament, row.tournament_id), "version"
        case Pairing() if is_new or _differs(row, _PAIRING):
            yield session.get_one(Tournament, row.tournament_id), "version"


def _seats(session: Session, game: int) -> Iterator[Seat]:
    places = range(len(session.get_one(Game, game).asked))
    return (session.get_one(Seat, (game, place)) for place in places)


def _differs(row: SQLModel, columns: set[str]) -> bool:
    """Return True if one of these columns gets another value."""
    before: dict[str, object] = inspect(row).committed_state
    return any(getattr(row, column) != before[column] for column in columns & before.keys())
