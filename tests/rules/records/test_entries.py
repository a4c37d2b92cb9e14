"""The entries of a log: each is written in one form and can be read back."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from rules.errors import BadData
from rules.game import Json
from rules.reasons import Reason
from rules.records.entries import (
    Begin,
    Body,
    Credit,
    End,
    Import,
    Opened,
    Played,
    TakenBack,
    read_begin,
    read_body,
    read_first,
)
from rules.records.proof import Seed
from rules.records.turns import Left, Moved, Ordered
from rules.result import Result

BEGIN = Begin(
    game=7,
    game_type="nelaxtam",
    version=1,
    options={"size": 9},
    terms={"time": "3d"},
    asked=("Ann", "Ben"),
    seats=("Ben", "Ann"),
    seed_hash="0f" * 32,
    client_seeds=("", "three wishes"),
    setup={},
)
EIGHT = datetime(2026, 3, 1, 8, tzinfo=UTC)
NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)
BEHIND: list[tuple[Body, str]] = [
    (
        Played(3, Moved(1, "13-8", (5, 1))),
        '{"type": "turn", "turn": 3, "line": {"seat": 1, "move": "13-8", "dice": [5, 1]}}',
    ),
    (
        Played(4, Ordered(((0, "1 ne"),)), {0: Opened("a" * 32, "b" * 64)}),
        '{"type": "turn", "turn": 4, "line": {"orders": {"0": "1 ne"}}, '
        f'"opened": {{"0": {{"nonce": "{"a" * 32}", "commitment": "{"b" * 64}"}}}}}}',
    ),
    (
        Played(5, Ordered(()), {}),
        '{"type": "turn", "turn": 5, "line": {"orders": {}}, "opened": {}}',
    ),
    (
        Played(6, Left(0, Reason.RESIGNED)),
        '{"type": "turn", "turn": 6, "line": {"seat": 0, "leave": "resigned"}}',
    ),
    (TakenBack(7, 5, 1), '{"type": "undo", "turn": 7, "of": 5, "seat": 1}'),
    (
        Credit("mail", EIGHT, NINE, 1),
        '{"type": "credit", "why": "mail", "from": "2026-03-01T08:00:00Z", "to": "2026-03-01T09:00:00Z", '
        '"seat": 1}',
    ),
    (
        Credit("outage", EIGHT, NINE),
        '{"type": "credit", "why": "outage", "from": "2026-03-01T08:00:00Z", "to": "2026-03-01T09:00:00Z", '
        '"seat": null}',
    ),
    (
        End(Result((0,), Reason.TIMEOUT, scores=(3, 2)), Seed(b"\1" * 32)),
        '{"type": "end", "result": {"winners": [0], "reason": "timeout", "scores": [3, 2]}, '
        f'"seed": "{"01" * 32}"}}',
    ),
]


def test_first_entry_is_written_in_one_form_and_read() -> None:
    assert json.dumps(BEGIN.to_json()) == (
        '{"type": "begin", "game": 7, "kind": "nelaxtam", "rules": 1, "options": {"size": 9}, '
        '"house": {"time": "3d"}, "asked": ["Ann", "Ben"], "seats": ["Ben", "Ann"], '
        f'"seed_hash": "{"0f" * 32}", "luck": ["", "three wishes"], "setup": {{}}}}'
    )
    assert read_first(BEGIN.to_json()) == read_begin(BEGIN.to_json()) == BEGIN


def test_import_entry_is_accepted_as_first_entry_but_not_as_begin_entry() -> None:
    body = {"type": "import", "kind": "nibble", "seats": ["Ann", "Ben"]}
    assert read_first(body) == Import("nibble", ("Ann", "Ben"))
    assert json.dumps(Import("nibble", ("Ann", "Ben")).to_json()) == json.dumps(body)
    with pytest.raises(BadData, match="This is not the first entry of a game"):
        read_begin(body)


@pytest.mark.parametrize(("entry", "text"), BEHIND, ids=[type(entry).__name__ for entry, _ in BEHIND])
def test_every_later_entry_is_written_in_one_form_and_read(entry: Body, text: str) -> None:
    assert json.dumps(entry.to_json()) == text
    assert read_body(json.loads(text), 2) == entry


def test_turn_must_have_the_next_number_if_it_is_known() -> None:
    for entry in (Played(3, Moved(0, "c4")), TakenBack(3, 2, 0)):
        assert read_body(entry.to_json(), 2, 3) == entry
        with pytest.raises(BadData, match="This is not turn 4, which must come next"):
            read_body(entry.to_json(), 2, 4)
    with pytest.raises(BadData, match="It has no number"):
        read_body({"type": "turn", "turn": True, "line": {"seat": 0, "move": "c4"}}, 2)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"type": "note", "text": "Ça"},
        {"type": ["turn"]},
        {"type": "import", "kind": "nibble", "seats": []},
        {"type": "credit", "seat": 1},
        {**Credit("mail", EIGHT, NINE, 1).to_json(), "seat": 2},
        {**Credit("mail", EIGHT, NINE, 1).to_json(), "to": "soon"},
    ],
)
def test_entries_of_unknown_type_or_form_are_read_as_none(body: Json) -> None:
    assert read_body(body, 2) is None
