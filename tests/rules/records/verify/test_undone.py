"""Turns that were taken back: both verifiers accept legal takebacks, and refuse the same others."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.support.records.forgery import Case, Json, agreed
from tests.support.records.recorded_games import finished, open_games

TAKEN = 3
"""The turn that is played twice: as 3, taken back by 4, and again as 5."""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Json]:
    """A short game of each of three games."""
    options: dict[str, Json] = {
        "nebuchadnezzar": {"size": 5},
        "nardshir": {},
        "nelaxtam": {"size": 10, "troops": 1, "sea": 0},
    }
    with open_games(tmp_path_factory.mktemp("games")) as services:
        return {
            game_type: json.loads(finished(services, game_type, given, 1, most=8).to_json())
            for game_type, given in options.items()
        }


def with_undo(record: Json) -> Case:
    """Return the game, in which a turn was played, taken back and played again."""
    case = Case(record, record)
    at = case.entry_of(TAKEN) - 1
    for entry in case.log[at:]:
        if "turn" in entry["body"]:
            entry["body"]["turn"] += 2
    played = copy.deepcopy(case.log[at])
    played["body"]["turn"] = TAKEN
    undo = {"type": "undo", "turn": TAKEN + 1, "of": TAKEN, "seat": played["body"]["line"].get("seat", 0)}
    case.log[at:at] = [played, {"body": undo, "hash": ""}]
    case.rehash()
    return case


def test_record_contains_the_valid_turns(records: dict[str, Json]) -> None:
    case = with_undo(records["nebuchadnezzar"])
    assert len(case.turns) == len(case.record["turns"]) + 1
    assert agreed(case) is None


@pytest.mark.parametrize("game_type", ["nardshir", "nelaxtam"])
def test_dice_and_secret_orders_are_never_taken_back(records: dict[str, Json], game_type: str) -> None:
    case = with_undo(records[game_type])
    assert agreed(case) == ("log", case.entry_of(TAKEN) + 1)


def test_turn_that_was_taken_back_is_not_part_of_the_record(records: dict[str, Json]) -> None:
    case = with_undo(records["nebuchadnezzar"])
    case.record["turns"].insert(TAKEN, case.record["turns"][TAKEN - 1])
    assert agreed(case) == ("record", TAKEN + 1)


def test_takeback_cannot_be_hidden(records: dict[str, Json]) -> None:
    case = with_undo(records["nebuchadnezzar"])
    at = case.entry_of(TAKEN + 1)
    del case.log[at - 1]
    case.rehash()
    assert agreed(case) == ("log", at)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("of", value) for value in (0, 2, TAKEN + 1, TAKEN + 2, 99, -1, True, "3", None, [3])),
        *(("seat", value) for value in (1, 7, False, "0", None)),
        *(("turn", value) for value in (TAKEN, TAKEN + 2, "4", None)),
    ],
)
def test_takeback_names_a_valid_move_of_its_seat(records: dict[str, Json], key: str, value: Any) -> None:
    case = with_undo(records["nebuchadnezzar"])
    body = case.log[case.entry_of(TAKEN + 1) - 1]["body"]
    number = case.entry_of(TAKEN + 1)
    assert body[key] != value or type(body[key]) is not type(value)
    body[key] = value
    case.rehash()
    assert agreed(case) == ("log", number)


def test_turn_cannot_be_taken_back_twice(records: dict[str, Json]) -> None:
    case = with_undo(records["nebuchadnezzar"])
    at = case.entry_of(TAKEN + 1)
    again = copy.deepcopy(case.log[at - 1])
    again["body"]["turn"] += 1
    for entry in case.log[at:]:
        if "turn" in entry["body"]:
            entry["body"]["turn"] += 1
    case.log.insert(at, again)
    case.rehash()
    assert agreed(case) == ("log", at + 1)


def test_seat_that_has_left_cannot_return(records: dict[str, Json]) -> None:
    case = with_undo(records["nebuchadnezzar"])
    case.log[case.entry_of(TAKEN) - 1]["body"]["line"] = {"seat": 0, "leave": "resigned"}
    case.rehash()
    assert agreed(case) == ("log", case.entry_of(TAKEN + 1))
