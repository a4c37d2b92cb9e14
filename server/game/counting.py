"""Counting games that are over, one after the other: results by kind, ratings, and how people answer.

Only games that two or more people began here. Each has a serial, the order in which they are counted, and
counting all of them again in that order gives the same numbers. When a result is corrected, only the games
that were counted after that one are rated anew.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, TypeVar

from sqlalchemy import and_, delete, func, or_, true
from sqlmodel import Session, SQLModel, col, select

from rules.game import OUTCOMES, Result
from rules.records.turns import read_result
from server.accounts import players
from server.game import conduct, log
from server.game.ratings import NEW, Skill, pace_of
from server.game.skills import ranks_of, rate
from server.game.terms import RATED
from server.store import db
from server.store.models import Conduct, Game, Habit, Json, Ledger, Rating, RatingChange, Seat, Tally
from server.store.outbox import Action

_Row = TypeVar("_Row", bound=SQLModel)

_MANY = 500
"""Games that are read at once when all are counted again."""


@dataclass(frozen=True)
class _Outcome:
    """A game as it counts; `players` are their numbers by seat."""

    game: int
    serial: int
    kind: str
    terms: Json
    result: Result
    at: datetime
    players: tuple[int, ...]
    all_moved: bool

    @property
    def is_rated(self) -> bool:
        """Whether ratings change by it."""
        agreed = self.terms.get(RATED) == "on"
        return agreed and self.all_moved and bool(self.result.winners)


def count(action: Action, game: Game) -> None:
    """Count a game that is over and locked; if it was counted before, its result has changed since.

    Raises Damaged for one whose log cannot be read.
    """
    session, game.count_due_at = action.session, None
    seated = log.seats(session, game)
    if not game.seed_hash or any(player.computer for _, player in seated):
        return
    if game.serial is not None:
        _count_again(session, game)
        return
    answers = conduct.answers_in(session, game)
    ledger = _locked_ledger(session)
    ledger.counted += 1
    game.serial = ledger.counted
    rows = [
        Conduct(
            game_id=log.identity(game),
            seat=seat.number,
            player_id=seat.player_id,
            serial=ledger.counted,
            answers=answers[seat.number],
        )
        for seat, _ in seated
    ]
    session.add_all(rows)
    session.flush()
    _count(_Book(session), _outcome(game, rows), rows)


def reread(session: Session, game: Game) -> None:
    """Read again from its log how people answered in a game, if it was counted. Raises Damaged."""
    if game.serial is None:
        return
    answers = conduct.answers_in(session, game)
    for row in session.exec(select(Conduct).where(Conduct.game_id == game.id)):
        row.answers = answers[row.seat]


def recount(session: Session) -> int:
    """Count again, in the same order, all games that were counted; how many these are."""
    _locked_ledger(session)
    for table in (RatingChange, Rating, Tally, Habit):
        session.execute(delete(table))
    book, counted = _Book(session), 0
    for game, rows in _counted(session):
        _count(book, _outcome(game, rows), rows)
        counted += 1
    return counted


def _count_again(session: Session, game: Game) -> None:
    """Count a game by its new result, and rate those of its kind that were counted after it anew."""
    _locked_ledger(session)
    session.flush()
    _tally_again(session, game)
    _unrate(session, game)
    book = _Book(session)
    for each, rows in _counted(session, game.kind, game.serial or 0):
        outcome = _outcome(each, rows)
        if outcome.is_rated:
            _rate(book, outcome)


def _tally_again(session: Session, game: Game) -> None:
    """Count how the games of the players of this one ended."""
    for _, player in log.seats(session, game):
        number = players.identity(player)
        ended = (
            select(Seat.outcome, func.count())
            .join(Conduct, and_(col(Conduct.game_id) == Seat.game_id, col(Conduct.seat) == Seat.number))
            .join(Game, col(Game.id) == Seat.game_id)
            .where(Conduct.player_id == number, Game.kind == game.kind)
            .group_by(Seat.outcome)
        )
        counts = dict.fromkeys(OUTCOMES, 0) | dict(session.exec(ended).all())
        tally = session.get_one(Tally, (number, game.kind))
        for outcome in OUTCOMES:
            setattr(tally, outcome, counts[outcome])


def _unrate(session: Session, game: Game) -> None:
    """Take back what this game, and all of its kind that were counted after it, changed about ratings."""
    of_kind, since = col(RatingChange.kind) == game.kind, col(RatingChange.serial) >= game.serial
    rated = select(RatingChange.player_id).where(of_kind, since)
    company = select(Conduct.player_id).where(Conduct.game_id == game.id)
    changed = or_(col(RatingChange.player_id).in_(rated), col(RatingChange.player_id).in_(company))
    last, games = func.max(RatingChange.serial).label("serial"), func.count().label("games")
    before = (
        select(RatingChange.player_id, last, games)
        .where(of_kind, ~since, changed)
        .group_by(col(RatingChange.player_id), col(RatingChange.pace))
        .subquery()
    )
    mine = col(RatingChange.player_id) == before.c.player_id
    same = and_(mine, col(RatingChange.serial) == before.c.serial)
    stood = session.execute(select(RatingChange, before.c.games).join(before, same)).all()
    numbers = {*session.exec(rated), *session.exec(company)}
    session.execute(delete(RatingChange).where(of_kind, since))
    for row in session.exec(select(Rating).where(Rating.kind == game.kind)):
        if row.player_id in numbers:
            session.delete(row)
    session.flush()
    for change, count in stood:
        skill = {"mu": change.mu, "sigma": change.sigma, "games": count}
        session.add(Rating(player_id=change.player_id, kind=change.kind, pace=change.pace, **skill))
    session.flush()


def _locked_ledger(session: Session) -> Ledger:
    new = db.inserting(session, Ledger).values(id=1, counted=0)
    session.execute(new.on_conflict_do_nothing())
    ledger = db.locked(session, Ledger, 1)
    if ledger is None:
        raise LookupError("the ledger is missing")
    return ledger


def _counted(session: Session, kind: str = "", first: int = 1) -> Iterator[tuple[Game, list[Conduct]]]:
    """The games that were counted, or those of a kind, from `first` on, and how people answered in them."""
    query = select(Game).where(col(Game.kind) == kind if kind else true()).order_by(col(Game.serial))
    serial = first - 1
    while games := session.exec(query.where(col(Game.serial) > serial).limit(_MANY)).all():
        numbers = [game.id for game in games]
        rows = select(Conduct).where(col(Conduct.game_id).in_(numbers))
        found = session.exec(rows.order_by(col(Conduct.serial), col(Conduct.seat)))
        by_game = {number: list(each) for number, each in groupby(found, lambda row: row.game_id)}
        for game in games:
            yield game, by_game[log.identity(game)]
        serial = games[-1].serial or 0


def _outcome(game: Game, rows: list[Conduct]) -> _Outcome:
    result = read_result(game.result, len(rows))
    return _Outcome(
        game=log.identity(game),
        serial=game.serial or 0,
        kind=game.kind,
        terms=game.terms,
        result=result or Result((), ""),
        at=game.changed_at,
        players=tuple(row.player_id for row in rows),
        all_moved=all(any(answer is not None for answer in row.answers) for row in rows),
    )


class _Book:
    """The rows that change as games are counted, each looked up once."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._rows: dict[object, Any] = {}

    def row(self, new: _Row, *key: int | str) -> _Row:
        """The row with this key: `new` where there is none."""
        place = (type(new), key)
        if place not in self._rows:
            found = self.session.get(type(new), key)
            if found is None:
                self.session.add(new)
            self._rows[place] = found or new
        row: _Row = self._rows[place]
        return row


def _count(book: _Book, outcome: _Outcome, rows: Sequence[Conduct]) -> None:
    """Count a game; `rows` are how people answered in it."""
    for row in rows:
        habit = book.row(Habit(player_id=row.player_id, answers=[]), row.player_id)
        habit.answers = [*habit.answers, *row.answers][-conduct.MOST :]
    for seat, player in enumerate(outcome.players):
        new = Tally(player_id=player, kind=outcome.kind, won=0, drawn=0, lost=0, abandoned=0)
        tally = book.row(new, player, outcome.kind)
        ended = outcome.result.outcome(seat)
        setattr(tally, ended, getattr(tally, ended) + 1)
    if outcome.is_rated:
        _rate(book, outcome)


def _rate(book: _Book, outcome: _Outcome) -> None:
    """Change the ratings of all who played."""
    pace = pace_of(outcome.terms)
    rows = [
        book.row(
            Rating(player_id=player, kind=outcome.kind, pace=pace, mu=NEW.mu, sigma=NEW.sigma, games=0),
            *(player, outcome.kind, pace),
        )
        for player in outcome.players
    ]
    skills = rate([Skill(row.mu, row.sigma) for row in rows], ranks_of(outcome.result, len(rows)))
    for row, skill in zip(rows, skills, strict=True):
        row.mu, row.sigma = skill
        row.games += 1
        book.session.add(
            RatingChange(
                game_id=outcome.game,
                player_id=row.player_id,
                serial=outcome.serial,
                kind=row.kind,
                pace=pace,
                mu=row.mu,
                sigma=row.sigma,
                at=outcome.at,
            )
        )
