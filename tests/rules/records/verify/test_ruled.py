"""Games that an administrator decided: both verifiers accept and refuse the same ones."""

from __future__ import annotations

import json

import pytest

from rules.records.record import Record, replay
from rules.records.verification import verify
from tests.support.records.forgery import Case, Json, agreed
from tests.support.records.recorded_games import finished, open_games

RULED: Json = {"winners": [1], "reason": "ruled", "why": "Ann's emails were lost."}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Json:
    """A game that is over by its rules."""
    with open_games(tmp_path_factory.mktemp("games")) as services:
        made: Json = json.loads(finished(services, "nebuchadnezzar", {"size": 5}, 1).to_json())
    return made


def ruled(record: Json, *rulings: Json, **result: object) -> Case:
    """Return the game with rulings after its end, and with the result of the last one, or this result."""
    case = Case(record, record)
    for ruling in rulings:
        case.log.append({"body": {"type": "ruling", "result": ruling}, "hash": ""})
    case.record["result"] = {**case.record["result"], **(rulings[-1] if rulings else {}), **result}
    case.record["result"].pop("scores", None)
    case.rehash()
    return case


def test_last_ruling_is_the_result_whatever_the_rules_say(record: Json) -> None:
    case = ruled(record, RULED, {"winners": [], "reason": "ruled", "why": "Both were wrong."})
    assert agreed(case) is None
    told = dict(line.split(": ", 1) for line in verify(case.text).checked)
    assert told["result"] == "“ruled”: an administrator decided it, regardless of the rules."
    assert Record.from_json(case.text).result == replay(Record.from_json(case.text)).result
    assert Record.from_json(Record.from_json(case.text).to_json()) == Record.from_json(case.text)


def test_result_missing_in_the_log_is_refused(record: Json) -> None:
    assert agreed(ruled(record, **RULED)) == ("record", 0)
    assert agreed(ruled(record, RULED, why="Because.")) == ("record", 0)


@pytest.mark.parametrize(
    "ruling",
    [
        {"winners": [0], "reason": "resigned"},
        {"winners": [5], "reason": "ruled"},
        {"winners": [0], "reason": "ruled", "why": "x" * 201},
        {"winners": [0], "reason": "ruled", "why": 7},
    ],
)
def test_ruling_in_another_form_is_refused(record: Json, ruling: Json) -> None:
    case = ruled(record, ruling)
    case.record["result"] = RULED
    assert agreed(case) == ("log", len(case.log))


def test_ruling_before_the_end_is_refused(record: Json) -> None:
    case = ruled(record, RULED)
    case.log[-2:] = [case.log[-1], case.log[-2]]
    case.rehash()
    assert agreed(case) == ("log", len(case.log) - 1)


def test_only_rulings_come_after_the_end(record: Json) -> None:
    case = ruled(record, RULED)
    case.log.append({"body": {"type": "credit"}, "hash": ""})
    case.rehash()
    assert agreed(case) == ("log", len(case.log))
