"""The time for checking a record grows no faster than its length, and one that is too long is not read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.errors import BadData
from rules.game import Json
from rules.limits import LARGEST_RECORD, MOST_HEADS, MOST_OPTIONS, MOST_TURNS
from rules.records.log import Failed, read_log
from rules.records.proof import chained
from rules.records.record import Record, load_position
from rules.records.verification import read_heads, verify
from tests.support.counting import steps

RECORD: Json = {"format": "nabu-record/1", "game": "nibble", "setup": {"rows": []}, "turns": []}
BEGIN: Json = {
    **{"type": "begin", "game": 1, "kind": "nebuchadnezzar", "rules": 1, "options": {}, "setup": {}},
    **{"seats": ["Ann", "Ben"], "asked": ["Ann", "Ben"], "luck": ["", ""], "seed_hash": "0" * 64},
}


def proof(*bodies: Json) -> Json:
    """A log of these entries, each chained to the one before."""
    entries, last = [], ""
    for body in bodies:
        last = chained(last, body)
        entries.append({"body": body, "hash": last})
    return {"log": entries}


def turns_and_undos(turns: int) -> list[Json]:
    """Return a game of this many turns, all of which are taken back, the last one first."""
    played = [
        {"type": "turn", "turn": number, "line": {"seat": 0, "move": "a1"}} for number in range(1, turns + 1)
    ]
    undone = [
        {"type": "undo", "turn": turns + number, "of": turns + 1 - number, "seat": 0}
        for number in range(1, turns + 1)
    ]
    return [BEGIN, *played, *undone]


def test_takebacks_are_read_in_linear_time() -> None:
    few, many = proof(*turns_and_undos(100)), proof(*turns_and_undos(400))
    assert len(read_log(many).turns) == 0
    assert steps(read_log, many) <= 5 * steps(read_log, few)


PARTS = {
    '"turns": [*]': (
        '{"seat": 0, "move": "a1"}',
        '{"orders": {"0": "a1"}}',
        '{"seat": 0, "leave": "x"}',
        "[]",
        "{}",
    ),
    '"setup": {"rows": [*]}': ('"A"', '{"a": {}}', "1", "[[]]"),
    '"seats": [*]': ('"Ann"', "1"),
    '"options": {"board": [*]}': ("1", '"square-9"'),
    '"result": {"winners": [*], "reason": "majority"}': ("0", '"a"'),
    '"result": {"winners": [0], "reason": "majority", "scores": [*]}': ("0",),
    '"proof": {"log": [*]}': ('{"body": {}, "hash": ""}', "1"),
    '"proof": {"log": [{"body": {"type": "begin", "seats": [*]}, "hash": ""}]}': ('""', "[]"),
    '"a": [*]': ("1", '{"a": 1}', '"\\u0041"', "true", "[[[]]]"),
}


@pytest.mark.sample(8)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "piece"), [(part, piece) for part, pieces in PARTS.items() for piece in pieces]
)
def test_record_is_read_in_linear_time(part: str, piece: str) -> None:
    rows = json.dumps(["ABCDEFGHI"[n:] + "ABCDEFGHI"[:n] for n in (0, 3, 6, 1, 4, 7, 2, 5, 8)])
    head = f'{{"format": "nabu-record/1", "game": "nibble", "setup": {{"rows": {rows}}}, "turns": []'
    head = head.replace(f", {part[:7]}: []", "").replace(f', {part[:7]}: {{"rows": {rows}}}', "")
    short, long = (f"{head}, {part.replace('*', ', '.join([piece] * times))}}}" for times in (250, 1000))
    few, many = steps(verify, short), steps(verify, long)
    assert many <= 5 * few + 4000
    assert many <= 50 * len(long)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"turns": [{}] * (MOST_TURNS + 1)},
            f"A record can have at most {MOST_TURNS} turns; this one has 20001.",
        ),
        (
            {"options": {str(n): 1 for n in range(30)}},
            f"A game can have at most {MOST_OPTIONS} options; this one has 30.",
        ),
        ({"options": {"board": "x" * 300}}, "An option can have at most 200 characters; “board” has 300."),
        ({"options": {"x" * 300: 1}}, "An option can have at most 200 characters; “xxxx"),
        ({"seats": ["x" * 300, "Ben"]}, "A name can have at most 200 characters; one of these has 300."),
        ({"result": {"winners": [0] * 300, "reason": "majority"}}, '"winners" must list seats from 0 to 1'),
        (
            {"result": {"winners": [0], "reason": "x" * 300}},
            '"reason" can have at most 200 characters, not 300.',
        ),
        (
            {"result": {"winners": [0], "reason": "", "scores": [1] * 300}},
            '"scores" can have at most one number per seat, not 300.',
        ),
    ],
)
def test_too_long_parts_of_a_record_are_refused(change: dict[str, Any], problem: str) -> None:
    rows = ["ABCDEFGHI"[n:] + "ABCDEFGHI"[:n] for n in (0, 3, 6, 1, 4, 7, 2, 5, 8)]
    with pytest.raises(BadData) as error:
        Record.from_json({**RECORD, "setup": {"rows": rows}, **change})
    assert problem in str(error.value)
    assert len(str(error.value)) < 300


def test_too_long_file_is_not_read() -> None:
    for read in (Record.from_json, load_position):
        with pytest.raises(
            BadData, match=f"This can have at most {LARGEST_RECORD} characters; it has 9000000."
        ):
            read("[" * 9_000_000)


@pytest.mark.parametrize(
    "change",
    [
        {"seats": ["x"] * 9, "asked": ["x"] * 9, "luck": [""] * 9},
        {"luck": ["x" * 201, ""]},
        {"seats": ["x" * 201, ""]},
    ],
)
def test_log_with_too_many_players_or_too_long_words_is_refused(change: Json) -> None:
    with pytest.raises(
        Failed, match="Entry 1: A game has at most 8 players, whose names and words have at most 200"
    ):
        read_log(proof({**BEGIN, **change}))


def test_number_of_heads_is_limited() -> None:
    assert len(read_heads("0" * 64 + f" {'1' * 64}" * (MOST_HEADS - 1))) == MOST_HEADS
    with pytest.raises(BadData, match="At most 100 heads can be compared with a record; you gave 101"):
        read_heads(f"{'1' * 64} " * (MOST_HEADS + 1))
