"""Counts the cost of work in steps, or in statements: the same on every machine, unlike seconds.

A step is an instruction of the interpreter. Code in C has none of these: a method of a text, a list or a tuple
counts as many steps as that has parts (`words.count(word)`, `text.replace(…)`). Arguments of functions, slices,
`in` and regular expressions count as one step whatever they cost: `tests/test_patterns.py` checks the latter.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from sqlalchemy import event

from rules.errors import RuleError
from server.clock.errors import BadTime
from server.errors import Refused
from server.processes.services import Services

_TABLE = re.compile(r"(?:(SELECT) .*?\bFROM|(INSERT) INTO|(UPDATE)) (\w+)", re.DOTALL)
_SIZED = (str, bytes, list, tuple, dict, set, frozenset)


def steps(work: Callable[..., object], *given: Any) -> int:
    """Return the number of steps that `work` takes; a refusal of its input counts as an answer."""
    counter = _Counter()
    traced, profiled = sys.gettrace(), sys.getprofile()
    sys.setprofile(counter.profile)
    sys.settrace(counter.trace)
    try:
        work(*given)
    except (RuleError, BadTime, Refused):
        pass
    finally:
        sys.settrace(traced)
        sys.setprofile(profiled)
    return counter.steps


@contextmanager
def statements(services: Services) -> Iterator[list[str]]:
    """Collect the statements that are sent to the database."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        asked.append(statement)

    with _listening(services, "before_cursor_execute", note):
        yield asked


def named(statement: str) -> str:
    """A statement as its verb and the first of its tables; "" for what only begins or ends a transaction."""
    found = _TABLE.match(statement)
    return f"{(found[1] or found[2] or found[3]).lower()} {found[4]}" if found else ""


@contextmanager
def sqlite_steps(services: Services) -> Iterator[list[int]]:
    """Count SQLite's work in hundreds of its instructions: the more rows it reads, the more."""
    taken = [0]

    def note() -> None:
        taken[0] += 1

    def begin(_connection: object, cursor: Any, *_rest: object) -> None:
        cursor.connection.set_progress_handler(note, 100)

    with _listening(services, "before_cursor_execute", begin):
        yield taken


@contextmanager
def postgres_rows(services: Services) -> Iterator[list[int]]:
    """Count the rows of tables and indexes that PostgreSQL reads, according to its plans."""
    looked_at = [0]

    def explain(_connection: object, cursor: Any, statement: str, parameters: Any, *_rest: object) -> None:
        if statement.startswith("SELECT"):
            with cursor.connection.cursor() as other:
                other.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", parameters)
                looked_at[0] += _rows(other.fetchone()[0][0]["Plan"])

    with _listening(services, "after_cursor_execute", explain):
        yield looked_at


@contextmanager
def _listening(services: Services, moment: str, listener: Callable[..., None]) -> Iterator[None]:
    """Call the listener at this moment of each statement."""
    event.listen(services.engine, moment, listener)
    try:
        yield
    finally:
        event.remove(services.engine, moment, listener)


def _rows(plan: dict[str, Any]) -> int:
    """Return the number of rows that the scans in a plan read, including those that they discarded."""
    found = 0
    if "Scan" in plan["Node Type"]:
        found = round((plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)) * plan["Actual Loops"])
    return found + sum(map(_rows, plan.get("Plans", ())))


class _Counter:
    def __init__(self) -> None:
        self.steps = 0

    def trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        self.steps += 1
        return self.trace

    def profile(self, frame: FrameType, event: str, arg: Any) -> None:
        if event == "c_call":
            owner = getattr(arg, "__self__", None)
            # Adding to a list or a set, and asking a dictionary, costs the same however much is in it.
            if isinstance(owner, _SIZED) and arg.__name__ not in _AT_ONCE:
                self.steps += len(owner)


_AT_ONCE = frozenset({"append", "add", "pop", "get", "setdefault", "discard", "items", "keys", "values"})
