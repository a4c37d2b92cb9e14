"""A forged record, and the complaints of both verifiers."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

from rules.records.verification import verify
from tests.support.records import independent_verifier

Json = dict[str, Any]
Complaint = tuple[str, int | None]
"""The check that fails first, and the number of the entry or turn that it names; 0 for none, None for any."""


class Case:
    """A record to be forged, another with the same options, and the heads from the emails of a reader."""

    def __init__(self, record: Json, other: Json) -> None:
        self.record = copy.deepcopy(record)
        self.other = copy.deepcopy(other)
        self.heads: list[str] = []

    @property
    def text(self) -> str:
        """The record as a file."""
        return json.dumps(self.record)

    @property
    def log(self) -> list[Json]:
        """The entries."""
        entries: list[Json] = self.record["proof"]["log"]
        return entries

    @property
    def begin(self) -> Json:
        """The body of the first entry."""
        body: Json = self.log[0]["body"]
        return body

    @property
    def end(self) -> Json:
        """The body of the last entry."""
        body: Json = self.log[-1]["body"]
        return body

    @property
    def turns(self) -> list[Json]:
        """The bodies of the turns."""
        return [entry["body"] for entry in self.log if entry["body"]["type"] == "turn"]

    def entry_of(self, turn: int) -> int:
        """The number of the entry of a turn."""
        return 1 + next(at for at, entry in enumerate(self.log) if entry["body"].get("turn") == turn)

    def middle(self, key: str = "") -> int:
        """The number of a turn in the middle; of one whose line has the key, orders of two seats."""
        lines = [(number, body["line"]) for number, body in enumerate(self.turns, 1)]
        numbers = [n for n, line in lines if not key or (key in line and len(line.get("orders", "ab")) == 2)]
        return numbers[len(numbers) // 2]

    def rehash(self) -> None:
        """Make all hashes fit, as one who holds the whole log can."""
        before = ""
        for entry in self.log:
            body = json.dumps(entry["body"], sort_keys=True, separators=(",", ":"))
            before = entry["hash"] = hashlib.sha256(f"{before}\n{body}".encode()).hexdigest()

    def everywhere(self) -> None:
        """Make all hashes fit, and the record say what the log says."""
        self.rehash()
        self.record["turns"] = [copy.deepcopy(body["line"]) for body in self.turns]
        for key in ("options", "setup", "seats"):
            self.record[key] = copy.deepcopy(self.begin[key])
        self.record["result"] = self.end["result"] if self.end["type"] == "end" else None

    def commit(self, turn: int, seat: str) -> None:
        """Make a commitment fit, as one who knows nonce and orders can."""
        body = self.turns[turn - 1]
        envelope = body["opened"][seat]
        parts = [envelope["nonce"], str(self.begin["game"]), str(turn), seat, body["line"]["orders"][seat]]
        envelope["commitment"] = hashlib.sha256("\n".join(parts).encode()).hexdigest()


Forgery = Callable[[Case], Complaint]
"""Forges the record, and tells the complaint that this earns."""


class Forgeries:
    """Forgeries by name, each with the game that it is made for."""

    def __init__(self) -> None:
        self.entries: dict[str, tuple[str, Forgery]] = {}

    def enter(self, game_type: str = "nebuchadnezzar") -> Callable[[Forgery], Forgery]:
        """Puts a function into the table."""

        def entered(function: Forgery) -> Forgery:
            self.entries[function.__name__] = (game_type, function)
            return function

        return entered


def other_text(text: str) -> str:
    """Hexadecimal digits that are others."""
    return "".join("0123456789abcdef"[15 - int(digit, 16)] for digit in text)


def other_die(die: int) -> int:
    """Another number of a die."""
    return die % 6 + 1


def complaint(text: str, heads: list[str]) -> Complaint | None:
    """The first complaint of the product, the check and the number; None when nothing is wrong."""
    wrong = verify(text, heads).wrong
    if wrong is None:
        return None
    found = re.match(r"(\w+): (?:(?:Entry|Turn|turn) (\d+))?", wrong)
    assert found is not None
    return found[1], int(found[2] or 0)


def independent_complaint(text: str, heads: list[str]) -> Complaint | None:
    """The first complaint of the independent verifier."""
    try:
        independent_verifier.check(text, tuple(heads))
    except independent_verifier.Refused as refused:
        return refused.check, refused.number
    return None


def agreed(case: Case) -> tuple[str, int | None] | None:
    """Return the complaint of both verifiers."""
    found = complaint(case.text, case.heads)
    assert found == independent_complaint(case.text, case.heads)
    return found
