"""Thinking child processes: their input, their limited rights, and recovery when they die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from rules import driver
from rules.analysis import answering
from rules.analysis.subprocess_worker import Question
from rules.game import Json
from rules.registry import RULES
from server.jobs import computer_moves, inquiries
from server.processes import thinkers
from server.processes.thinkers import NoAnswer, Thinker
from tests.support.machine.processes import is_alive, ticks_of
from tests.support.machine.waiting import await_that
from tests.support.rules.positions import nebuchadnezzar as positions
from tests.support.rules.random_games import first_position, played

pytestmark = pytest.mark.slow  # it starts programs

Answer = TypeVar("Answer")

PATIENCE = 60
ONE_SECOND = 1.0


def question(name: str = "nebuchadnezzar", level: int = 5, seconds: float = ONE_SECOND) -> Question:
    """Return a question about the start of a game."""
    rules = RULES[name]
    options = rules.options({})
    position, _ = driver.begin(rules, first_position(rules, options), lambda count: [2] * count)
    seat = rules.to_move(position)[0]
    seats = len(rules.seats(options))
    return Question(
        name, options, rules.write(position), tuple(rules.memory(position)), seat, seats, level, seconds
    )


def asked_of_player(what: str, turns: int) -> Json:
    """Return a player's request on a small board, which meets no time limit even on a busy machine: a hint near
    the end of a game, or an analysis of some turns.
    """
    if what == answering.ASSESSMENT:
        return played("nebuchadnezzar", {"size": 4}, turns)
    position = positions.position("bbbb bwbb bbb. b...", to_move=0, ply=9)
    return {
        "what": what,
        "game_type": "nebuchadnezzar",
        "options": {"size": 4},
        "position": positions.NEBUCHADNEZZAR.write(position),
        "memory": [],
        "seat": 0,
        "seed": "00" * 32,
    }


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    thinker = Thinker()
    yield thinker
    thinker.close()


@pytest.fixture(scope="module")
def shared() -> Iterator[Thinker]:
    """Provide a thinker whose child answers the questions of several tests, as it does in service."""
    with closing(Thinker()) as thinker:
        yield thinker


def child_of(thinker: Thinker, other_than: int = 0) -> int:
    """Return the process when there is another one than this."""
    end = time.monotonic() + PATIENCE
    while thinker.child is None or thinker.child.pid == other_than:
        assert time.monotonic() < end
        time.sleep(0.01)
    return thinker.child.pid


@contextmanager
def thinking(thinker: Thinker, ask: Callable[[], Answer]) -> Iterator[Future[Answer]]:
    """Ask in the background and yield the answer to come; an existing child thinks about it in the block."""
    thinker.ask(question(level=1))
    child = child_of(thinker)
    before = ticks_of(child)
    with ThreadPoolExecutor() as threads:
        answer = threads.submit(ask)
        await_that(lambda: ticks_of(child) > before + 2)
        yield answer


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", sorted(RULES))
@pytest.mark.parametrize("level", [1, 5])
def test_child_returns_a_legal_move(shared: Thinker, name: str, level: int) -> None:
    asked, rules = question(name, level, 0.2), RULES[name]
    move = shared.ask(asked)
    assert move is not None
    position = rules.read(asked.options, asked.position, asked.memory)
    assert rules.format(rules.parse(position, asked.seat, move)) == move


@pytest.mark.parametrize("what", [answering.HINT, answering.ASSESSMENT])
def test_child_gives_the_same_hints_and_analyses_as_this_process(shared: Thinker, what: str) -> None:
    request = asked_of_player(what, turns=3)
    assert shared.ponder(request) == json.loads(json.dumps(answering.answer(request)))


def test_analysis_of_a_long_game_stops_when_the_thinker_is_closed(thinker: Thinker) -> None:
    request = played("nelaxtam", {}, most=30)
    with thinking(thinker, lambda: thinker.ponder(request)) as answer:
        thinker.close()
        assert answer.result(PATIENCE) is None


class Impatient(Thinker):
    """A thinker that waits one extra second for its first child, and the usual time for others."""

    def __init__(self) -> None:
        super().__init__(patience=ONE_SECOND)

    def _asked(self, child: subprocess.Popen[str], line: str, seconds: float) -> str:
        try:
            return super()._asked(child, line, seconds)
        finally:
            self._patience = thinkers.PATIENCE


@pytest.mark.long
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGSTOP])
def test_dead_or_hanging_child_costs_only_time(by: signal.Signals) -> None:
    with closing(Impatient()) as thinker:
        with ThreadPoolExecutor() as threads:
            answer = threads.submit(thinker.ask, question("nelaxtam"))
            first = child_of(thinker)
            os.kill(first, by)
            assert answer.result(PATIENCE)
        assert child_of(thinker) != first
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)


def test_two_unanswered_attempts_take_less_time_than_the_lease() -> None:
    longest = timedelta(seconds=thinkers.TIMES * (thinkers.PONDERING + thinkers.PATIENCE))
    assert longest < inquiries.LEASE
    assert thinkers.TIMES * timedelta(seconds=computer_moves.LATER + thinkers.PATIENCE) < computer_moves.LEASE


def test_unanswerable_question_is_reported(thinker: Thinker) -> None:
    with pytest.raises(NoAnswer, match="no child process answers about this position of checkers"):
        thinker.ask(Question("checkers", {}, {}, (), 0, 2, 1, ONE_SECOND))
    assert thinker.ask(question(level=1))


def test_stopped_child_returns_nothing(thinker: Thinker) -> None:
    with ThreadPoolExecutor() as threads:
        answer = threads.submit(thinker.ask, question("nelaxtam", seconds=60))
        child_of(thinker)
        thinker.close()
        assert answer.result(PATIENCE) is None
    assert thinker.ask(question()) is None


@pytest.mark.first
def test_hurry_returns_the_best_move_so_far(thinker: Thinker) -> None:
    asked = question("nelaxtam", level=4, seconds=60)
    with thinking(thinker, lambda: thinker.ask(asked)) as answer:
        first = child_of(thinker)
        before = ticks_of(first)
        thinker.hurry()
        move = answer.result(PATIENCE)
    hasty = ticks_of(first) - before
    assert move is not None
    rules = RULES["nelaxtam"]
    position = rules.read(asked.options, asked.position, asked.memory)
    assert rules.allows(position, asked.seat, move)
    before = ticks_of(first)
    assert thinker.ask(asked)
    assert child_of(thinker) == first
    assert ticks_of(first) - before > 2 * hasty, "it goes on, with time for the next one"


@pytest.mark.first
def test_child_started_during_hurry_answers_immediately(thinker: Thinker) -> None:
    asked = question("nelaxtam", level=4, seconds=60)
    with ThreadPoolExecutor() as threads:
        answer = threads.submit(thinker.ask, asked)
        first = child_of(thinker)
        thinker.hurry()
        assert answer.result(PATIENCE)
    hasty = ticks_of(first)
    assert thinker.ask(asked)
    assert child_of(thinker) == first
    assert ticks_of(first) - hasty > hasty / 2, "it thinks for longer; to start took most of the time before"


ATTEMPTS = {
    "open({path!r}).read()": "Too many open files",
    "import sqlite3; sqlite3.connect({path!r}).execute('select 1')": "Error",
    "import socket; socket.socket()": "Too many open files",
    "bytearray(600 << 20)": "MemoryError",
    "import server.store.keys.sealing": "Error",
}
"""What a child cannot do, and the error."""


def test_child_can_open_nothing_and_has_little_memory(tmp_path: Path) -> None:
    file = tmp_path / "nabu.db"
    file.write_text("secret")
    attempts = [attempt.format(path=str(file)) for attempt in ATTEMPTS]
    code = (
        "from rules.analysis.subprocess_worker import confine\n"
        "confine()\n"
        f"for attempt in {attempts}:\n"
        "    try: print(exec(attempt))\n"
        "    except Exception as error: print(repr(error))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    told = done.stdout.splitlines()
    assert len(told) == len(ATTEMPTS), done.stderr
    for attempt, error, found in zip(ATTEMPTS, ATTEMPTS.values(), told, strict=True):
        assert error in found, attempt
    assert "secret" not in done.stdout + done.stderr


def test_child_has_low_priority_and_knows_only_the_rules(thinker: Thinker) -> None:
    thinker.ask(question(level=1))
    child = child_of(thinker)
    assert os.getpriority(os.PRIO_PROCESS, child) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)
    code = (
        "import sys, rules.analysis.subprocess_worker; "
        "print([name for name in sys.modules if name.split('.')[0] in ('server', 'mail')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.strip() == "[]"


def test_children_end_with_their_parent() -> None:
    asked = question(level=1).to_json()
    code = (
        "import time; from rules.analysis.subprocess_worker import Question; "
        "from server.processes.thinkers import Thinker; thinker = Thinker(); "
        f"thinker.ask(Question.from_json({asked})); print(thinker.child.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        child = int(asking.stdout.readline())
        asking.kill()
    end = time.monotonic() + PATIENCE
    while is_alive(child):
        assert time.monotonic() < end
        time.sleep(0.05)
