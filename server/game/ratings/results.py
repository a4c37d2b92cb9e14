"""Counting finished games: each changes the results, the ratings and the punctuality of its players.

Games that began elsewhere are not counted, nor are unrated games with computer players. Each counted game gets
a serial; counting all games again in this order (`recount`) gives the same numbers. When a result is corrected,
only games counted after that one are rated again.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, delete, func, or_, true
from sqlalchemy.orm import aliased
from sqlmodel import Session, SQLModel, col, select

from rules.reasons import Reason
from rules.records.turns import read_result
from rules.result import Result
from server.accounts import computer_players
from server.game.log import log
from server.game.ratings import punctuality
from server.game.ratings.ratings import (
    MOST_AHEAD,
    NEW,
    UNCERTAIN,
    Skill,
    pace_of,
    points,
    ranks_of,
    rate,
    skill_of_level,
)
from server.game.terms.terms import RATED
from server.store import db
from server.store.models import Conduct, Game, Habit, Json, Ledger, Player, Rating, RatingChange, Seat, Tally
from server.store.outbox import ActionContext

_Row = TypeVar("_Row", bound=SQLModel)

MANY = 200
"""The number of games that are read at a time when many are counted again."""


@dataclass(frozen=True)
class CountedGame:
    """The data of a game that counting needs; `players` are the players' numbers by seat."""

    game: int
    serial: int
    game_type: str
    terms: Json
    result: Result
    at: datetime
    players: tuple[int, ...]
    levels: Mapping[int, int]
    """The levels of the computer players among them, by number."""
    all_moved: bool

    @property
    def is_rated(self) -> bool:
        """Return whether the game changes ratings: not if a player never moved or its tournament ended it."""
        agreed = self.terms.get(RATED) == "on"
        finished = bool(self.result.winners) and self.result.reason != Reason.ADJUDICATED
        return agreed and self.all_moved and finished


def count(action: ActionContext, game: Game) -> None:
    """Count a finished, locked game, also after its result has changed. Raises Damaged."""
    session, game.count_due_at = action.session, None
    seated = log.seats(session, game)
    unrated = game.terms.get(RATED) != "on"
    if not game.seed_hash or (unrated and any(player.computer for _, player in seated)):
        return
    if game.serial is not None:
        _count_again(session, game)
        return
    rows = conducts(session, game)
    ledger = locked_ledger(session)
    ledger.counted += 1
    game.serial = ledger.counted
    for row in rows:
        row.serial = ledger.counted
    session.add_all(rows)
    session.flush()
    _count(_Book(session), outcome_of(session, game, rows), rows)


def conducts(session: Session, game: Game) -> list[Conduct]:
    """Return how fast the players of a finished game answered, a row for each seat, from its log.

    The rows are not stored. Raises Damaged if the log cannot be read.
    """
    answers = punctuality.answers_in(session, game)
    return [
        Conduct(
            game_id=log.id_of(game),
            seat=seat.number,
            player_id=seat.player_id,
            serial=game.serial or 0,
            answers=answers[seat.number],
        )
        for seat, _ in log.seats(session, game)
    ]


def _count_again(session: Session, game: Game) -> None:
    """Count a game with its new result, and rate all games of its type again that were counted after it."""
    rows = conducts(session, game)
    locked_ledger(session)
    company = [row.player_id for row in rows]
    for row in rows:
        session.merge(row)
    session.flush()
    for figure in (*tallies(session, company), *habits(session, company)):
        session.merge(figure)
    _unrate(session, game)
    book = _Book(session)
    for each, answered in counted(session, game.game_type, game.serial or 0):
        book.rate(outcome_of(session, each, answered))


def _unrate(session: Session, game: Game) -> None:
    """Remove the rating changes of this game and of all games of its type that were counted after it."""
    of_game_type, since = col(RatingChange.game_type) == game.game_type, col(RatingChange.serial) >= game.serial
    rated = select(RatingChange.player_id).where(of_game_type, since)
    company = select(Conduct.player_id).where(Conduct.game_id == game.id)
    changed = or_(col(RatingChange.player_id).in_(rated), col(RatingChange.player_id).in_(company))
    stood = ratings(session, of_game_type, ~since, changed)
    numbers = {*session.exec(rated), *session.exec(company)}
    session.execute(delete(RatingChange).where(of_game_type, since))
    for row in session.exec(select(Rating).where(Rating.game_type == game.game_type)):
        if row.player_id in numbers:
            session.delete(row)
    session.flush()
    session.add_all(stood)
    session.flush()


def locked_ledger(session: Session) -> Ledger:
    """Return the ledger with the last serial, locked: no other transaction counts games meanwhile."""
    new = db.inserting(session, Ledger).values(id=1, counted=0)
    session.execute(new.on_conflict_do_nothing())
    ledger = db.locked(session, Ledger, 1)
    if ledger is None:
        raise LookupError("the ledger is missing")
    return ledger


def counted(session: Session, game_type: str = "", first: int = 1) -> Iterator[tuple[Game, list[Conduct]]]:
    """Yield counted games from serial `first` on, with the answers of each seat; "" for all game types."""
    query = (
        select(Game).where(col(Game.game_type) == game_type if game_type else true()).order_by(col(Game.serial))
    )
    serial = first - 1
    while games := session.exec(query.where(col(Game.serial) > serial).limit(MANY)).all():
        numbers = [game.id for game in games]
        rows = select(Conduct).where(col(Conduct.game_id).in_(numbers))
        found = session.exec(rows.order_by(col(Conduct.serial), col(Conduct.seat)))
        by_game = {number: list(each) for number, each in groupby(found, lambda row: row.game_id)}
        for game in games:
            yield game, by_game[log.id_of(game)]
        serial = games[-1].serial or 0


def outcome_of(session: Session, game: Game, rows: Sequence[Conduct]) -> CountedGame:
    """Return the data of a game that counting needs; `rows` are the answers of its seats."""
    result, players = read_result(game.result, len(rows)), tuple(row.player_id for row in rows)
    levels = {player.id or 0: player.strength or 0 for player in computer_players.members(session)}
    return CountedGame(
        game=log.id_of(game),
        serial=game.serial or 0,
        game_type=game.game_type,
        terms=game.terms,
        result=result or Result((), ""),
        at=game.changed_at,
        players=players,
        levels={player: levels[player] for player in players if player in levels},
        all_moved=all(any(answer is not None for answer in row.answers) for row in rows),
    )


class _Book:
    """The rows that change while games are counted, each read once."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._rows: dict[object, Any] = {}

    def row(self, new: _Row, *key: int | str) -> _Row:
        """Return the row with this key. If there is none, add `new` and return it."""
        place = (type(new), key)
        if place not in self._rows:
            found = self.session.get(type(new), key)
            if found is None:
                self.session.add(new)
            self._rows[place] = found or new
        row: _Row = self._rows[place]
        return row

    def rate(self, outcome: CountedGame) -> None:
        """Store the rating changes of a game, and the ratings that they change."""
        found: list[Rating] = []

        def rating(new: Rating) -> Rating:
            key = (new.player_id, new.game_type, new.pace)
            place = (Rating, key)
            if place not in self._rows:
                self._rows[place] = self.session.get(Rating, key) or new
            found.append(self._rows[place])
            return found[-1]

        if changed := changes(rating, outcome):
            self.session.add_all([*changed, *found])


def _count(book: _Book, outcome: CountedGame, rows: Sequence[Conduct]) -> None:
    """Count a game; `rows` have its answers. Results and punctuality only include games against people."""
    for row in [] if outcome.levels else rows:
        habit = book.row(Habit(player_id=row.player_id, answers=[]), row.player_id)
        habit.answers = [*habit.answers, *row.answers][-punctuality.MOST :]
    for seat, player in enumerate(outcome.players):
        if outcome.levels.keys() - {player}:
            continue
        new = Tally(player_id=player, game_type=outcome.game_type, won=0, drawn=0, lost=0, abandoned=0)
        tally = book.row(new, player, outcome.game_type)
        ended = outcome.result.outcome(seat)
        setattr(tally, ended, getattr(tally, ended) + 1)
    book.rate(outcome)


def new_rating(player: int, game_type: str, pace: str, level: int | None = None) -> Rating:
    """Return the rating of a player without games of this type at this pace; people have no `level`."""
    mu, sigma = NEW if level is None else skill_of_level(level)
    return Rating(player_id=player, game_type=game_type, pace=pace, mu=mu, sigma=sigma, games=0)


def changes(rating: Callable[[Rating], Rating], outcome: CountedGame) -> list[RatingChange]:
    """Return the rating changes of a game's players; [] if it is not rated.

    `rating` gets the row of a player without games, and returns the current one. These rows are updated.
    """
    if not outcome.is_rated:
        return []
    pace, levels = pace_of(outcome.terms), outcome.levels
    rows = [rating(new_rating(who, outcome.game_type, pace, levels.get(who))) for who in outcome.players]
    if _is_ahead_of_all(rows, levels, outcome.result):
        return []
    skills = rate([Skill(row.mu, row.sigma) for row in rows], ranks_of(outcome.result, len(rows)))
    for row, skill in zip(rows, skills, strict=True):
        row.mu, row.sigma = skill
        row.games += 1
    return [
        RatingChange(
            game_id=outcome.game,
            player_id=row.player_id,
            serial=outcome.serial,
            game_type=row.game_type,
            pace=pace,
            mu=row.mu,
            sigma=row.sigma,
            at=outcome.at,
        )
        for row in rows
    ]


def _is_ahead_of_all(rows: Sequence[Rating], levels: Mapping[int, int], result: Result) -> bool:
    """Return whether a person played only against computer players that are all too weak for a rated game.

    A player's first rated game says something in any case: the rating of a new player is not a lead. A
    provisional rating may be too high by chance, so a game that its player did not win is rated.
    """
    people = [seat for seat, row in enumerate(rows) if row.player_id not in levels]
    if len(people) != 1 or not levels:
        return False
    (seat,) = people
    strongest = max(points(row.mu) for row in rows if row.player_id in levels)
    is_ahead = rows[seat].games > 0 and points(rows[seat].mu) > strongest + MOST_AHEAD
    return is_ahead and (rows[seat].sigma <= UNCERTAIN or result.winners == (seat,))


def ratings(session: Session, *which: ColumnElement[bool]) -> list[Rating]:
    """Return ratings, one per player, game type and pace, from the latest changes that match `which`."""
    last, games = func.max(RatingChange.serial).label("serial"), func.count().label("games")
    whose = (col(RatingChange.player_id), col(RatingChange.game_type), col(RatingChange.pace))
    latest = select(RatingChange.player_id, last, games).where(*which).group_by(*whose).subquery()
    mine = col(RatingChange.player_id) == latest.c.player_id
    same = and_(mine, col(RatingChange.serial) == latest.c.serial)
    return [
        Rating(**change.model_dump(include={"player_id", "game_type", "pace", "mu", "sigma"}), games=count)
        for change, count in session.execute(select(RatingChange, latest.c.games).join(latest, same))
    ]


def tallies(session: Session, players: Collection[int]) -> list[Tally]:
    """Return how many games with other people these players have won, drawn and lost, by game type."""
    query = (
        select(Conduct.player_id, Game.game_type, Seat.outcome, func.count())
        .join(Seat, and_(col(Seat.game_id) == Conduct.game_id, col(Seat.number) == Conduct.seat))
        .join(Game, col(Game.id) == Conduct.game_id)
        .where(col(Conduct.player_id).in_(players), ~_with_computer(col(Conduct.player_id)))
        .group_by(col(Conduct.player_id), Game.game_type, Seat.outcome)
    )
    found: dict[tuple[int, str], Tally] = {}
    for player, game_type, outcome, count in session.execute(query):
        new = Tally(player_id=player, game_type=game_type, won=0, drawn=0, lost=0, abandoned=0)
        setattr(found.setdefault((player, game_type), new), outcome, count)
    return list(found.values())


def habits(session: Session, players: Collection[int]) -> list[Habit]:
    """Return how fast these players answered their latest turns in games between people."""
    query = (
        select(Conduct.player_id, Conduct.answers)
        .where(col(Conduct.player_id).in_(players), ~_with_computer())
        .order_by(col(Conduct.player_id), col(Conduct.serial), col(Conduct.seat))
    )
    found: dict[int, punctuality.Answers] = {}
    for player, answers in session.execute(query):
        found[player] = [*found.get(player, ()), *answers][-punctuality.MOST :]
    return [Habit(player_id=player, answers=answers) for player, answers in found.items()]


def _with_computer(other_than: SQLColumnExpression[int] | None = None) -> ColumnElement[bool]:
    """Return the condition that a computer player, other than this one, played in a `Conduct`'s game."""
    row = aliased(Conduct)
    found = select(row.seat).where(
        row.game_id == Conduct.game_id, row.player_id == Player.id, col(Player.computer)
    )
    if other_than is not None:
        found = found.where(col(Player.id) != other_than)
    return found.correlate(Conduct).exists()
