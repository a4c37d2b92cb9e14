"""The output of `verify`."""

from __future__ import annotations

import json

import pytest

from rules.errors import BadData
from rules.records.verification import read_heads, verify
from tests.support.records.forgery import Json

DISCS: Json = {
    "format": "nabu-record/1",
    "game": "nebuchadnezzar",
    "options": {"size": 4},
    "seats": ["Ann", "Ben"],
    "turns": [{"seat": 0, "move": "b2"}, {"seat": 1, "leave": "resigned"}],
    "result": {"winners": [0], "reason": "resigned"},
}


def lines(record: Json, *heads: str) -> dict[str, str]:
    """Return the checks by name; the record has no error."""
    verdict = verify(json.dumps(record), heads)
    assert verdict.wrong is None
    return {name: said for name, _, said in (line.partition(": ") for line in verdict.checked)}


def wrong(record: Json, *heads: str) -> str | None:
    return verify(json.dumps(record), heads).wrong


def test_each_check_names_its_result(first: dict[str, Json]) -> None:
    record = first["nardshir"]
    said = lines(record, record["proof"]["log"][3]["hash"])
    assert list(said) == ["form", "log", "heads", "record", "seed", "seats", "dice", "turns", "result"]
    rolls = sum("dice" in turn for turn in record["turns"])
    assert said["dice"] == f"{rolls} rolls, each the one that the seed and the players' words give."
    assert said["heads"] == "Up to entry 4, the log is the same as when the email was sent."
    assert said["log"].endswith(f"the last is {record['proof']['log'][-1]['hash']}.")
    assert record["proof"]["log"][0]["body"]["seed_hash"] in said["seed"]


def test_layout_and_sealed_orders_are_reported_if_there_are_any(first: dict[str, Json]) -> None:
    assert "layout" in lines(first["nibble"])
    assert lines(first["nelaxtam"])["envelopes"].startswith(
        str(sum(len(turn.get("orders", ())) for turn in first["nelaxtam"]["turns"]))
    )


def test_running_game_is_checked_as_far_as_possible(first: dict[str, Json]) -> None:
    record = json.loads(json.dumps(first["nardshir"]))
    del record["proof"]["log"][5:]
    record["turns"], record["result"] = record["turns"][:4], None
    said = lines(record)
    assert said["seed"].startswith("The game goes on.")
    assert said["result"] == "The game is not over."
    assert "dice" not in said


def test_record_without_proof_is_checked_by_the_rules() -> None:
    said = lines(DISCS)
    assert list(said) == ["form", "proof", "turns", "result"]
    assert said["proof"].startswith("The record holds none: only turns and result can be checked")
    assert said["result"] == "“resigned”, for Ann; the rules say the same."


def test_record_without_proof_cannot_be_compared_with_an_email() -> None:
    assert (
        wrong(DISCS, "0" * 64) == "proof: The record holds no log in which to look for the hash from an email."
    )


def test_illegal_turn_is_found_without_proof() -> None:
    turns = [{"seat": 0, "move": "b2"}, {"seat": 1, "move": "b2"}]
    found = wrong({**DISCS, "turns": turns, "result": None})
    assert found is not None
    assert found.startswith("turns: Turn 2: ")


def test_agreed_draw_is_accepted() -> None:
    result = {"winners": [0, 1], "reason": "agreed-draw"}
    assert lines({**DISCS, "turns": DISCS["turns"][:1], "result": result})["result"].startswith(
        "“agreed-draw”:"
    )


def test_aborted_game_has_no_winner() -> None:
    broken_off = {**DISCS, "turns": DISCS["turns"][:1], "result": {"winners": [], "reason": "aborted"}}
    assert lines(broken_off)["result"].startswith("“aborted”:")
    nobody = {**broken_off, "result": {"winners": [], "reason": "agreed-draw"}}
    assert (
        wrong(nobody) == 'form: Unless a game is "aborted" or "ruled", a player wins or several share a draw.'
    )


def test_other_files_are_reported_as_no_record() -> None:
    found = verify("{").wrong
    assert found is not None
    assert found.startswith("form: This is not JSON: ")
    assert verify("{}").wrong == 'form: "format" must be "nabu-record/1", not null.'


def test_heads_are_read_as_they_are_copied() -> None:
    one, two = "0a" * 32, "b1" * 32
    assert read_heads(f" {one.upper()}\n{two}\n") == (one, two)
    assert read_heads(" ") == ()
    assert read_heads(f"Proof: 12 {one}\nLog entry 7:\n{two}") == (one, two), "lines of new mails and old ones"


@pytest.mark.parametrize("text", ["a" * 63, "g" * 64, "a" * 65, "Log: 12"])
def test_text_that_is_no_head_is_refused(text: str) -> None:
    with pytest.raises(BadData, match="is not a head"):
        read_heads(text)
