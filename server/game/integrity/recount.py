"""Repairs of ratings, results and punctuality: all finished games are counted again while the server runs.

Games are counted in batches, and only rows that differ are written. A rating after a game depends on the
ratings before it, so rating changes are corrected in the order of the games. The figures of each player are
corrected last, and keep their old values until then. Games that finish meanwhile are counted correctly, or
counted again at the end. An interrupted count can be started again.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from sqlalchemy import Engine, inspect
from sqlmodel import Session, SQLModel, col, select

from server.game.integrity import log_check
from server.game.ratings import results
from server.game.ratings.results import MANY
from server.store.db import reading, writing
from server.store.models import Conduct, Game, Habit, Rating, RatingChange, Tally


@dataclass(frozen=True)
class _Look:
    """The stored rows of a batch, and the correct ones."""

    stored: Mapping[object, SQLModel]
    right: Mapping[object, SQLModel]
    games: int = 0
    last: int = 0
    """The serial of the last of these games."""
    players: Collection[int] = field(default=())

    @property
    def differing(self) -> list[object]:
        """Return the keys of the rows to be inserted, updated or deleted."""
        keys = self.stored.keys() | self.right.keys()
        return [key for key in keys if _dump(self.stored.get(key)) != _dump(self.right.get(key))]


def reread(engine: Engine) -> None:
    """Read the answering times of all counted games again from their logs, and correct them. Raises Damaged."""
    for number in log_check.numbers_of_games(engine):
        _put_right(engine, partial(_answers, number))


def recount(engine: Engine, many: int = MANY) -> Iterator[int]:
    """Count all counted games again, in batches of at most `many`; yield the number of games in each batch.

    Nothing is locked between two batches. The count is complete when the iterator ends.
    """
    _put_right(engine, _strays)
    with reading(engine) as session:
        people = {
            number for table in (Rating, Tally, Habit) for number in session.exec(select(table.player_id))
        }
    last = 0
    while True:
        while (look := _put_right(engine, partial(_changes, last, many))).games:
            people.update(look.players)
            last = look.last
            yield look.games
        if not people:
            return
        waiting = iter(sorted(people))
        while some := list(islice(waiting, many)):
            _put_right(engine, partial(_standings, some))
            yield 0
        people = set()


def _put_right(engine: Engine, look: Callable[[Session], _Look]) -> _Look:
    """Store the correct rows where they differ; lock only if some do."""
    with reading(engine) as session:
        found = look(session)
        if not found.differing:
            return found
    with writing(engine) as session:
        results.locked_ledger(session)
        found = look(session)
        for key in found.differing:
            stored, right = found.stored.get(key), found.right.get(key)
            if right is None:
                session.delete(stored)
            elif stored is None:
                session.add(right)
            else:
                stored.sqlmodel_update(right)
    return found


def _answers(number: int, session: Session) -> _Look:
    game = session.get_one(Game, number)
    if game.serial is None:
        return _Look({}, {})
    stored = session.exec(select(Conduct).where(Conduct.game_id == number))
    return _Look(_keyed(stored), _keyed(results.conducts(session, game)))


def _strays(session: Session) -> _Look:
    """Look at rating changes by games that were not counted."""
    of_game = select(RatingChange).join(Game, col(Game.id) == RatingChange.game_id)
    stored = session.exec(of_game.where(col(Game.serial).is_(None))).all()
    return _Look(_keyed(stored), {})


def _changes(after: int, many: int, session: Session) -> _Look:
    """Look at the rating changes by the next games after this serial."""
    found = list(islice(results.counted(session, first=after + 1), many))
    outcomes = [results.outcome_of(session, game, rows) for game, rows in found]
    if not outcomes:
        return _Look({}, {})
    players = {player for outcome in outcomes for player in outcome.players}
    theirs = col(RatingChange.player_id).in_(players)
    before = results.ratings(session, theirs, col(RatingChange.serial) <= after)
    known = {(row.player_id, row.game_type, row.pace): row for row in before}

    def rating(new: Rating) -> Rating:
        return known.setdefault((new.player_id, new.game_type, new.pace), new)

    right = [change for outcome in outcomes for change in results.changes(rating, outcome)]
    numbers = [outcome.game for outcome in outcomes]
    stored = session.exec(select(RatingChange).where(col(RatingChange.game_id).in_(numbers)))
    return _Look(_keyed(stored), _keyed(right), len(found), outcomes[-1].serial, players)


def _standings(players: Collection[int], session: Session) -> _Look:
    stored = [
        row
        for table in (Rating, Tally, Habit)
        for row in session.exec(select(table).where(col(table.player_id).in_(players)))
    ]
    right = (
        *results.ratings(session, col(RatingChange.player_id).in_(players)),
        *results.tallies(session, players),
        *results.habits(session, players),
    )
    return _Look(_keyed(stored), _keyed(right))


def _keyed(rows: Iterable[SQLModel]) -> dict[object, SQLModel]:
    return {(type(row), *inspect(row).mapper.primary_key_from_instance(row)): row for row in rows}


def _dump(row: SQLModel | None) -> object:
    return row and row.model_dump()
