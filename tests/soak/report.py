"""The checks at the end of a soak test, and its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import quantiles

from sqlmodel import col, func, select

from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Failure, Game, Inbox, Outbox
from tests.soak.crowd import ConnectionPool
from tests.soak.meters import Course
from tests.soak.postbox import Postbox
from tests.support.evening.afterwards import assert_each_move_counts_once, assert_logs_hold

_CANNOT_BEGIN = 2
"""The exit code of a process that begins while the database is away, and says so."""
_MORE_MEMORY = 1.1
_SOME = 8.0
"""MB, or files, that a process may take more at the end than at the beginning, besides a tenth of memory."""


@dataclass(frozen=True)
class Soaked:
    """A finished run: all people have stopped, all emails were sent, and all processes have ended.

    `ended` is how often a process ended without being killed, by exit code; `calm` is when the faults were
    over, and when people began to stop, on the monotonic clock.
    """

    services: Services
    postbox: Postbox
    crowd: ConnectionPool
    courses: Mapping[str, Course]
    exits: Mapping[str, int | None]
    ended: Counter[int | None]
    calm: tuple[float, float]


def assert_all_is_well(run: Soaked) -> None:
    """Raises AssertionError for anything that was lost, doubled, left over, or grew."""
    engine = run.services.engine
    perhaps = [move for table in run.crowd.tables.values() for move in table.perhaps]
    assert_each_move_counts_once(engine, run.crowd.hands.played, perhaps)
    assert_logs_hold(engine, run.services.settings)
    _assert_all_were_told(run)
    _assert_nothing_is_left(run)
    _assert_none_fell_over(run)
    _assert_games_went_on(run)
    _assert_nothing_grew(run)


def _assert_all_were_told(run: Soaked) -> None:
    """Every player to move was asked by email, and every player got the result; no one twice.

    A player who has just been at the page of a game gets no email about it.
    """
    with reading(run.services.engine) as session:
        for game in session.exec(select(Game)):
            number = log.id_of(game)
            seats = run.crowd.tables[number].seats
            if game.state == "over":
                heard = {seat: run.postbox.ends[person.address, number] for seat, person in seats.items()}
                assert all(heard[seat] == 1 or not seats[seat].writes for seat in seats), f"{number}: {heard}"
                assert set(heard.values()) <= {0, 1}, f"of the end of game {number} were told: {heard}"
                assert (game.result or {})["reason"] != "time", f"game {number} was lost on time"
                continue
            for seat in seats.keys() & set(log.rules_of(game).to_move(log.position_of(game))):
                person = seats[seat]
                asked = run.postbox.asked[person.address, number, game.turn]
                assert asked or not person.writes, (
                    f"{person.name} was not asked for turn {game.turn} of {number}"
                )
    doubled = {place: ids for place, ids in run.postbox.asked.items() if len(ids) > 1}
    assert not doubled, f"asked twice: {doubled}"


def _assert_nothing_is_left(run: Soaked) -> None:
    with reading(run.services.engine) as session:
        failures = session.exec(select(Failure.job, Failure.what)).all()
        assert not failures, f"this failed, and was not tried again: {failures}"
        states = set(session.exec(select(Inbox.state))), set(session.exec(select(Outbox.state)))
    assert states[0] <= {"done", "refused"}, f"mails that came: {states[0]}"
    assert states[1] <= {"sent", "dropped"}, f"mails that went: {states[1]}"
    assert set(run.exits.values()) == {0}, run.exits


def _assert_none_fell_over(run: Soaked) -> None:
    """Running processes continue, whatever happens to the database."""
    assert set(run.ended) <= {_CANNOT_BEGIN}, f"processes ended by themselves, by exit code: {run.ended}"


def _assert_games_went_on(run: Soaked) -> None:
    """In the calm a move was made in each game that had begun by then."""
    since, until = run.calm
    waiting = run.crowd.stuck_games(since)
    assert not waiting, f"in {until - since:.0f} seconds of calm no move was made in {waiting}"


def _assert_nothing_grew(run: Soaked) -> None:
    for name, course in run.courses.items():
        first, last = course.memory
        assert last <= first * _MORE_MEMORY + _SOME, f"{name} grew from {first:.0f} to {last:.0f} MB"
        first, last = course.files
        assert last <= first + _SOME, f"{name} has {last:.0f} files open, and had {first:.0f}"


def told(run: Soaked, fell: Mapping[str, int]) -> Iterator[str]:
    """The figures, in lines."""
    played = run.crowd.hands.played
    ways = Counter(each.way for each in played)
    with reading(run.services.engine) as session:
        states = dict(session.exec(select(Game.state, func.count()).group_by(col(Game.state))).all())
        refused = session.exec(select(func.count()).where(Inbox.state == "refused")).one()
    yield f"games: {states}; moves acknowledged: {dict(ways)}; without an answer: {_perhaps(run)}"
    yield f"tries that came to nothing: {run.crowd.missed}; mails refused: {refused}"
    yield f"mails out: {run.postbox.mails}, of them again: {run.postbox.again}"
    yield f"what fell: {dict(sorted(fell.items()))}; ended by themselves: {dict(run.ended)}"
    seconds = sorted(_latencies(run))
    if len(seconds) > 1:
        cuts = quantiles(seconds, n=20)
        yield f"from a move to the next mail, in the calm: p50 {cuts[9]:.2f} s, p95 {cuts[18]:.2f} s"
    for name, course in run.courses.items():
        memory, files = course.memory, course.files
        yield f"{name}: {memory[0]:.0f} to {memory[1]:.0f} MB, {files[0]:.0f} to {files[1]:.0f} files"


def _perhaps(run: Soaked) -> int:
    return sum(len(table.perhaps) for table in run.crowd.tables.values())


def _latencies(run: Soaked) -> Iterator[float]:
    """Seconds from a move that was acknowledged in the calm to the first mail that asks for the next."""
    for table in run.crowd.tables.values():
        for turn, at in table.taken.items():
            came = run.postbox.came.get((table.number, turn + 1))
            if came is not None and run.calm[0] < at < run.calm[1]:
                yield max(0.0, came - at)
