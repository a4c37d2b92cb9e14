"""Records: read, written, played through; and positions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules.chance import Chance
from rules.errors import BadData
from rules.game import Json
from rules.reasons import Reason
from rules.records.record import Record, load_position, replay
from rules.records.turns import Left, Moved, Ordered
from rules.registry import RULES
from rules.result import Result
from tests.support.folders import RECORDS
from tests.support.rules.every_game import GARBAGE

SAMPLES = sorted(path for name in RULES for path in RECORDS.glob(f"{name}-*.json"))

DISCS: Json = {
    "format": "nabu-record/1",
    "game": "nebuchadnezzar",
    "options": {"size": 4},
    "setup": {},
    "seats": ["Ann", "Ben"],
    "turns": [{"seat": 0, "move": "b2"}, {"seat": 1, "move": "swap"}],
    "result": None,
}
TILES: Json = {
    "format": "nabu-record/1",
    "game": "nelaxtam",
    "options": {"size": 8, "mode": "quiet", "troops": 1, "sea": 0},
    "seats": ["Ann", "Ben"],
    "turns": [{"orders": {"0": "1 a1", "1": "A b1"}}, {"orders": {"1": "A n"}}],
}


def changed(record: Json, **parts: Any) -> Json:
    """Return the record with other parts; a part that is ... is removed."""
    return {key: part for key, part in {**record, **parts}.items() if part is not ...}


def with_turn(turn: object) -> Json:
    """A record of one turn."""
    return changed(DISCS, turns=[turn])


# Reading and writing


@pytest.mark.parametrize("path", SAMPLES, ids=[path.stem for path in SAMPLES])
def test_complete_game_replays_to_its_result(path: Path) -> None:
    record = Record.from_json(path.read_text())
    played = replay(record)
    assert played.error is None
    assert len(played.steps) == len(record.turns)
    assert played.result is not None
    assert played.result == played.rules.result(played.position)
    assert record.result is not None
    assert (played.result.winners, played.result.reason) == (record.result.winners, record.result.reason)


@pytest.mark.parametrize("path", SAMPLES, ids=[path.stem for path in SAMPLES])
def test_record_is_written_as_it_was_read(path: Path) -> None:
    record = Record.from_json(path.read_text())
    text = record.to_json()
    assert Record.from_json(text) == record
    assert json.loads(text) == json.loads(path.read_text())
    assert sum(line.startswith("  {") for line in text.splitlines()) == len(record.turns)


def test_every_game_type_has_sample_records() -> None:
    assert {path.name.split("-")[0] for path in SAMPLES} == set(RULES)


def test_turns_are_read_in_their_three_forms() -> None:
    dice = {"seat": 1, "move": "hand/3", "dice": [3, 5]}
    turns = [*DISCS["turns"], dice, {"orders": {"1": "hold"}}, {"seat": 0, "leave": "timeout"}]
    record = Record.from_json(changed(DISCS, turns=turns))
    assert record.turns[1:] == (
        Moved(1, "swap"),
        Moved(1, "hand/3", (3, 5)),
        Ordered(((1, "hold"),)),
        Left(0, Reason.TIMEOUT),
    )
    assert [turn.to_json() for turn in record.turns] == turns


def test_only_format_game_and_turns_are_required() -> None:
    record = Record.from_json({"format": "nabu-record/1", "game": "nebuchadnezzar", "turns": []})
    assert (record.options, record.setup, record.seats) == ({"size": 8}, {}, ("First", "Second"))
    assert record.to_json().startswith('{\n "format": "nabu-record/1",\n "game": "nebuchadnezzar",\n')


def test_proof_is_kept() -> None:
    record = Record.from_json(changed(DISCS, proof={"seed": "ab"}))
    assert Record.from_json(record.to_json()).proof == {"seed": "ab"}


DAMAGED: dict[str, tuple[str | Json, str]] = {
    "no JSON": ('{"format": "nabu-record/1", ', "This is not JSON: Expecting property name"),
    "nothing": ("", "This is not JSON: Expecting value"),
    "no number": ('{"format": NaN}', "This is not JSON: NaN is not a whole number."),
    "half a number": ('{"game": 0.5}', "This is not JSON: 0.5 is not a whole number."),
    "one key twice": (
        '{"format": "nabu-record/1", "game": {"a": 1, "a": 2}}',
        "This is not JSON: a key appears twice",
    ),
    "nested text": ("[" * 100_000, "nested too deeply"),
    "nested parts": (changed(DISCS, proof=json.loads("[" * 60 + "]" * 60)), "nested too deeply"),
    "a list": ("[]", 'not a JSON object with "format": "nabu-record/1"'),
    "no format": (changed(DISCS, format=...), '"format" must be "nabu-record/1", not null.'),
    "another format": (changed(DISCS, format="nabu-record/2"), 'not "nabu-record/2".'),
    "a position": (changed(DISCS, format="nabu-position/1"), '"format" must be "nabu-record/1"'),
    "no game": (changed(DISCS, game=...), '"game" must be the name of a game'),
    "a game by number": (changed(DISCS, game=3), '"game" must be the name of a game'),
    "an unknown game": (changed(DISCS, game="chess"), "There is no game called “chess”. Games: "),
    "wrong options": (changed(DISCS, options={"size": 99}), "99"),
    "options in a list": (changed(DISCS, options=[8]), '"options" must be a JSON object, not [8].'),
    "a setup too many": (changed(DISCS, setup={"rows": []}), "setup"),
    "setup as text": (changed(DISCS, setup="none"), '"setup" must be a JSON object, not "none".'),
    "seats by number": (
        changed(DISCS, seats=[1, 2]),
        '"seats" must list 2 names, one for each of First, Second.',
    ),
    "one seat": (changed(DISCS, seats=["Ann"]), '"seats" must list 2 names'),
    "seats as text": (changed(DISCS, seats="AB"), '"seats" must list 2 names'),
    "no turns": (changed(DISCS, turns=...), '"turns" must be a list'),
    "turns in an object": (changed(DISCS, turns={"1": "b2"}), '"turns" must be a list'),
    "a turn as text": (with_turn("b2"), 'turn 1: "b2" is not a turn. A turn is {"seat": 0, "move": '),
    "an empty turn": (with_turn({}), "turn 1: {} is not a turn."),
    "a move too many": (with_turn({"seat": 0, "move": "b2", "orders": {}}), "turn 1: "),
    "a move in a list": (with_turn({"seat": 0, "move": ["b2"]}), "turn 1: "),
    "a move and leaving": (with_turn({"seat": 0, "move": "b2", "leave": "resigned"}), "turn 1: "),
    "no seat": (with_turn({"move": "b2"}), "turn 1: "),
    "an unknown seat": (with_turn({"seat": 2, "move": "b2"}), "turn 1: There is no seat 2: seats are numbered"),
    "true as a seat": (with_turn({"seat": True, "move": "b2"}), "turn 1: There is no seat true"),
    "a negative seat": (with_turn({"seat": -1, "leave": "timeout"}), "turn 1: There is no seat -1"),
    "an unknown reason": (
        with_turn({"seat": 0, "leave": "bored"}),
        'turn 1: "leave" must be "resigned" or "timeout"',
    ),
    "a reason in a list": (with_turn({"seat": 0, "leave": ["timeout"]}), 'turn 1: "leave" must be'),
    "dice as text": (
        with_turn({"seat": 0, "move": "b2", "dice": "35"}),
        'turn 1: "dice" must list the numbers',
    ),
    "dice of seven": (with_turn({"seat": 0, "move": "b2", "dice": [3, 7]}), "from 1 to 6 each, not [3, 7]."),
    "dice of a half": (with_turn({"seat": 0, "move": "b2", "dice": [3, 0.5]}), "turn 1: "),
    "no dice": (with_turn({"seat": 0, "move": "b2", "dice": []}), "turn 1: "),
    "orders in a list": (with_turn({"orders": ["hold"]}), "turn 1: "),
    "orders of nobody": (with_turn({"orders": {"2": "hold"}}), 'turn 1: There is no seat "2"'),
    "orders by number": (with_turn({"orders": {"0": 1}}), "turn 1: The orders of seat 0 must be text, not 1."),
    "a result as text": (changed(DISCS, result="won"), '"result" must be null or {"winners": [0]'),
    "a result of nobody": (changed(DISCS, result={"winners": [], "reason": "x"}), 'Unless a game is "aborted"'),
    "another winner": (changed(DISCS, result={"winners": [2], "reason": "x"}), "seats from 0 to 1, not [2]."),
    "no reason": (changed(DISCS, result={"winners": [0]}), '"result" must be null or'),
    "scores as text": (
        changed(DISCS, result={"winners": [0], "reason": "x", "scores": "3:1"}),
        '"scores" must be a list of whole numbers, not "3:1".',
    ),
}


@pytest.mark.parametrize(("source", "said"), DAMAGED.values(), ids=list(DAMAGED))
def test_damage_to_a_record_is_named(source: str | Json, said: str) -> None:
    with pytest.raises(BadData) as caught:
        Record.from_json(source)
    assert said in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("path", SAMPLES, ids=[path.stem for path in SAMPLES])
def test_any_damage_is_refused_or_found_without_other_errors(path: Path) -> None:
    below = Chance(path.stem.encode().ljust(32)[:32], "damage").below
    for _ in range(150):
        record = json.loads(path.read_text())
        record["turns"] = record["turns"][:12]
        damage(record, below)
        try:
            read = Record.from_json(record)
        except BadData:
            continue
        played = replay(read)
        assert played.error or len(played.steps) == len(read.turns)


def damage(data: Any, below: Callable[[int], int]) -> None:
    """Replace one value somewhere in nested lists and objects by garbage, or remove it."""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        key = keys[below(len(keys))]
        if not isinstance(data[key], (dict, list)) or not data[key] or not below(6):
            break
        data = data[key]
    if below(4):
        data[key] = GARBAGE[below(len(GARBAGE))]
    else:
        del data[key]


# Playing through


ILLEGAL: dict[str, tuple[list[Json], str]] = {
    "occupied": ([{"seat": 0, "move": "b2"}, {"seat": 1, "move": "b2"}], "turn 2: "),
    "gibberish": ([{"seat": 0, "move": "thanks!"}], "turn 1: "),
    "twice in a row": (
        [{"seat": 0, "move": "b2"}, {"seat": 0, "move": "d4"}],
        "turn 2: It is the turn of seat 1, not of seat 0.",
    ),
    "a pass too many": (
        [{"seat": 0, "move": "pass"}],
        "turn 1: A seat can pass only when it has no legal move, and here it has one.",
    ),
    "dice where none are rolled": (
        [{"seat": 0, "move": "b2", "dice": [3, 5]}],
        "turn 1: No dice are rolled in",
    ),
    "orders for a move": (
        [{"orders": {"0": "b2"}}],
        'turn 1: A turn of Nebuchadnezzar must have the form {"seat": 0, "move": …}.',
    ),
    "after leaving": (
        [{"seat": 0, "leave": "resigned"}, {"seat": 1, "move": "b2"}],
        "turn 2: The game is over; there can be no more turns.",
    ),
}


@pytest.mark.parametrize(("turns", "said"), ILLEGAL.values(), ids=list(ILLEGAL))
def test_first_illegal_turn_is_named_and_the_legal_part_returned(turns: list[Json], said: str) -> None:
    played = replay(Record.from_json(changed(DISCS, turns=turns)))
    assert played.error is not None
    assert played.error.startswith(said)
    assert len(played.steps) == len(turns) - 1
    assert played.position == (played.steps[-1].after if played.steps else played.start)


def test_seat_without_orders_holds() -> None:
    played = replay(Record.from_json(TILES))
    assert played.error is None
    assert list(played.steps[1].moves) == [1]
    assert played.position.turn == 2


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ({"orders": {"0": "1 a1"}}, "turn 1: The orders of seat 1 are missing, but this turn needs them."),
        (
            {"seat": 0, "move": "1 a1"},
            'turn 1: A turn of Nelaxtam must have the form {"orders": {"0": …, "1": …}}.',
        ),
        ({"orders": {"0": "1 a1", "1": "A a1"}}, "turn 1: "),
    ],
)
def test_illegal_orders_are_named(turn: Json, said: str) -> None:
    played = replay(Record.from_json(changed(TILES, turns=[turn])))
    assert played.error is not None
    assert played.error.startswith(said)
    assert played.steps == ()


@pytest.mark.parametrize("reason", ["resigned", "timeout"])
def test_leaving_loses_if_the_others_do_not_play_on(reason: str) -> None:
    turns = [{"seat": 0, "move": "b2"}, {"seat": 0, "leave": reason}]
    played = replay(Record.from_json(changed(DISCS, turns=turns)))
    assert played.error is None
    assert played.result == Result((1,), reason)
    assert played.steps[-1].left == (0, reason)
    assert played.position == played.steps[0].after


@pytest.mark.parametrize(
    ("result", "error"),
    [
        ({"winners": [0, 1], "reason": "agreed-draw"}, None),
        ({"winners": [1], "reason": "timeout"}, None),
        (
            {"winners": [1], "reason": "annihilation"},
            'result: The record says {"winners": [1], "reason": "annihilation"}, but the game is not over.',
        ),
    ],
)
def test_result_by_the_server_is_accepted(result: Json, error: str | None) -> None:
    played = replay(Record.from_json(changed(DISCS, result=result)))
    assert played.error == error
    assert (played.result is None) == (error is not None)


@pytest.mark.parametrize(
    "result",
    [{"winners": [1], "reason": "annihilation"}, {"winners": [0], "reason": "resigned"}],
)
def test_result_that_contradicts_the_game_is_an_error(result: Json) -> None:
    sample = json.loads((RECORDS / "nebuchadnezzar-sample-0003.json").read_text())
    played = replay(Record.from_json(changed(sample, result=result)))
    assert played.error is not None
    assert played.error.startswith("result: The record says ")
    assert played.error.endswith('but the game gives {"winners": [0], "reason": "annihilation"}.')
    assert replay(Record.from_json(changed(sample, result=None))).result == Result((0,), "annihilation")


@pytest.mark.parametrize(("scores", "agrees"), [([44, 19], True), (None, True), ([19, 44], False), ([], False)])
def test_scores_are_optional_but_compared(scores: list[int] | None, agrees: bool) -> None:
    sample = json.loads((RECORDS / "nelaxtam-sample-0003.json").read_text())
    result = {"winners": [0], "reason": "exhausted"} | ({} if scores is None else {"scores": scores})
    played = replay(Record.from_json(changed(sample, result=result)))
    assert (played.error is None) == agrees
    assert played.result == Result((0,), "exhausted", scores=(44, 19))


# Positions


@pytest.mark.parametrize("path", SAMPLES, ids=[path.stem for path in SAMPLES])
def test_position_from_the_middle_of_a_game_is_read(path: Path) -> None:
    record = Record.from_json(path.read_text())
    played = replay(record)
    data = played.rules.write(played.steps[len(played.steps) // 2].before)
    text = json.dumps(
        {"format": "nabu-position/1", "game": record.game, "options": record.options, "position": data}
    )
    game_type, options, position = load_position(text)
    assert (game_type, options) == (played.rules, played.options)
    assert game_type.write(position) == data


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"format": "nabu-record/1"}, '"format" must be "nabu-position/1"'),
        ({"game": "chess"}, "no game called"),
        ({"options": {"size": 99}}, "99"),
        ({"position": ...}, '"position" must be a JSON object, not null.'),
        ({"position": []}, '"position" must be a JSON object, not [].'),
        ({"position": {}}, ""),
    ],
)
def test_damage_to_a_position_is_named(part: Json, said: str) -> None:
    rules = RULES["nebuchadnezzar"]
    position = rules.write(rules.start({"size": 4}, {}))
    whole: Json = {
        "format": "nabu-position/1",
        "game": rules.name,
        "options": {"size": 4},
        "position": position,
    }
    assert load_position(whole)[2] == rules.start({"size": 4}, {})
    with pytest.raises(BadData) as caught:
        load_position(changed(whole, **part))
    assert said in str(caught.value)
