"""Complete games of Nelaxtam: records, the second implementation, and properties of every game."""

from __future__ import annotations

import json
import random
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drawing.ascii import ascii_board
from rules.errors import IllegalMove, Unreadable
from rules.game import Step
from rules.games.nelaxtam.position import Position
from rules.games.nelaxtam.turn import Orders
from tests.support import folders
from tests.support.examples import examples
from tests.support.random_values import seeds
from tests.support.rules.naive import nelaxtam as naive
from tests.support.rules.positions.nelaxtam import (
    DIAGRAM_5,
    NELAXTAM,
    drawn,
    island_with,
    options,
    random_game,
    result,
    tiles,
)

pytestmark = pytest.mark.slow

RECORDS = sorted(folders.RECORDS.glob("nelaxtam-*.json"))
SMALL = [
    options(size=4, troops=1, sea=0),
    options(size=4, troops=2, sea=1),
    options(size=6, troops=3, sea=3),
    options(size=4, troops=3, sea=1, mode="quiet"),
    options(size=6, troops=5, sea=2, mode="quiet"),
]
REAL = [
    NELAXTAM.options({"mode": mode, "size": size, "troops": troops})
    for mode, size, troops in [
        ("wild", 10, 5),
        ("wild", 12, 3),
        ("wild", 14, 5),
        ("quiet", 8, 5),
        ("quiet", 12, 1),
        ("quiet", 14, 4),
    ]
]
WORDS = """
1 2 3 5 6 a b e f x n e s w ne se sw nw up left north hold end d4 e5 d5 a9 z1
move destroy to troop , . - -> : ; !
"""


START = NELAXTAM.start(options(), {})
CROWDED = island_with("1 d4, 2 e3, A d5, E a12", gone="e5", mode="quiet")


def identify(given: object) -> str:
    return "-".join(str(value) for value in given.values()) if isinstance(given, dict) else str(given)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_recorded_game_replays_to_its_result(path: Path) -> None:
    replay(json.loads(path.read_text()))


def test_sample_records_exist() -> None:
    assert len(RECORDS) == 5


def replay(record: dict[str, Any]) -> list[Position]:
    """Return all positions of a record; check each turn with the second implementation."""
    given = NELAXTAM.options(record["options"])
    positions = [NELAXTAM.start(given, record["setup"])]
    for turn in record["turns"]:
        position = positions[-1]
        texts = {int(seat): text for seat, text in turn["orders"].items()}
        moves = {seat: NELAXTAM.parse(position, seat, text) for seat, text in texts.items()}
        assert {seat: NELAXTAM.format(move) for seat, move in moves.items()} == texts
        positions.append(NELAXTAM.play(position, moves))
        assert NELAXTAM.write(positions[-1]) == naive.play(NELAXTAM.write(position), texts)
    assert result(positions[-1]) == record["result"]
    return positions


# The second implementation


@pytest.mark.parametrize("seed", seeds(2, of=6))
@pytest.mark.parametrize("given", SMALL, ids=identify)
def test_both_implementations_agree_on_small_islands(given: dict[str, Any], seed: int) -> None:
    data, texts = None, None
    for position, orders in random_game(given, random.Random(seed).randrange):
        if data:
            assert NELAXTAM.write(position) == data
        data = NELAXTAM.write(position)
        assert result(position) == naive.ending(data, texts)
        if position.turn and not naive.ending(data, texts):
            for seat in (0, 1):
                found = [NELAXTAM.format(move) for move in NELAXTAM.moves(position, seat)]
                assert len(set(found)) == len(found)
                assert set(found) == naive.moves(data, seat, given)
        if orders:
            texts = {seat: NELAXTAM.format(move) for seat, move in orders.items()}
            data = naive.play(data, texts)


@pytest.mark.parametrize("seed", seeds(1, of=2))
@pytest.mark.parametrize("given", REAL, ids=identify)
def test_both_implementations_agree_on_whole_games(given: dict[str, Any], seed: int) -> None:
    data: dict[str, Any] = {}
    texts = None
    for position, orders in random_game(given, random.Random(seed).randrange):
        if data:
            assert NELAXTAM.write(position) == data
            assert result(position) == naive.ending(data, texts)
        texts = {seat: NELAXTAM.format(move) for seat, move in orders.items()}
        if texts:
            data = naive.play(NELAXTAM.write(position), texts)


def test_both_implementations_find_all_orders_of_a_complete_army() -> None:
    position = drawn(DIAGRAM_5)
    for seat in (0, 1):
        found = {NELAXTAM.format(move) for move in NELAXTAM.moves(position, seat)}
        assert found == naive.moves(NELAXTAM.write(position), seat, options())
        assert all(NELAXTAM.format(NELAXTAM.parse(position, seat, text)) == text for text in found)


# Near misses


@pytest.mark.parametrize("mode", ["wild", "quiet"])
@pytest.mark.parametrize("seat", [0, 1])
def test_readable_orders_are_legal_exactly_when_the_rules_say_so(seat: int, mode: str) -> None:
    """Tries all pairs of orders of a crowded corner, right and wrong ones."""
    given = options(size=6, mode=mode)
    data: dict[str, Any] = {
        "size": 6,
        "rows": ["xoxoxo", "oxoxox", "x.xoxo", "oxoxo.", "xoxoxo", "oxoxox"],
        "troops": {"1": "b2", "2": "c3", "4": "a1", "A": "b3", "B": "c2"},
        "turn": 3,
        "quiet_turns": 0,
    }
    position = NELAXTAM.read(given, data)
    legal = naive.moves(data, seat, given)
    singles = [f"{troop} {way}" for troop in "1236ABF" for way in (*naive.WAYS, "hold")]
    for pair in product(singles, singles):
        acting = sorted(order for order in pair if not order.endswith("hold"))
        alive = {troop for troop in data["troops"] if (troop in "12345") == (seat == 0)}
        named = [order[0] for order in pair]
        right = set(named) <= alive and len(set(named)) == 2 and (", ".join(acting) or "hold") in legal
        assert accepts(position, seat, ", ".join(pair)) == right, pair


@pytest.mark.parametrize("troop", ["1", "2"])
def test_target_square_is_legal_exactly_when_its_direction_is(troop: str) -> None:
    position = island_with("1 d4, 2 a1, A a12", gone="d5 e5 c3 b1")
    data = NELAXTAM.write(position)
    file, rank = naive.number(data["troops"][troop])
    reached = {naive.text((file + right, rank + up)) for right, up in naive.WAYS.values()}
    left = {naive.text(square) for square in naive.tiles_of(data)}
    squares = [f"{letter}{number}" for letter in "abcdefghijklm" for number in range(14)]
    assert {square for square in squares if accepts(position, 0, f"{troop} {square}")} == reached & left


def accepts(position: Position, seat: int, text: str) -> bool:
    return read(position, seat, text)[0] is not None


# Every game


@examples(12)
@given(st.sampled_from(REAL + SMALL), st.randoms(use_true_random=False))
def test_invariants_hold_in_every_game(given: dict[str, Any], chance: random.Random) -> None:
    before = NELAXTAM.start(given, {})
    log: list[dict[int, str]] = []
    for position, orders in random_game(given, chance.randrange):
        assert NELAXTAM.read(given, NELAXTAM.write(position), NELAXTAM.memory(position)) == position
        assert json.loads(json.dumps(NELAXTAM.write(position))) == NELAXTAM.write(position)
        assert_nothing_grows(before, position)
        if orders:
            assert_orders_come_through(position, orders)
            log.append({seat: NELAXTAM.format(move) for seat, move in orders.items()})
        before = position
    again = NELAXTAM.start(given, {})
    for texts in log:
        again = NELAXTAM.play(again, {seat: NELAXTAM.parse(again, seat, text) for seat, text in texts.items()})
    assert again == before
    assert not any(list(NELAXTAM.moves(before, seat)) for seat in (0, 1))


def assert_nothing_grows(before: Position, after: Position) -> None:
    """Check that no tile or troop is added, that a lost tile restarts the count, and that troops are on their
    own tiles.
    """
    assert after.tiles & ~before.tiles == 0
    if before.turn:
        assert set(NELAXTAM.write(after)["troops"]) <= set(NELAXTAM.write(before)["troops"])
        assert (
            after.quiet_turns == (before.quiet_turns + 1 if after.tiles == before.tiles else 0)
            or after == before
        )
    data = NELAXTAM.write(after)
    standing = naive.tiles_of(data)
    assert all(standing[naive.number(at)] == "ox"[name in "ABCDE"] for name, at in data["troops"].items())
    assert len(set(data["troops"].values())) == len(data["troops"])
    if after.turn > 1:
        assert sum(tiles(after)) == len(naive.controlled(data))


def assert_orders_come_through(position: Position, orders: dict[int, Orders]) -> None:
    after = NELAXTAM.play(position, orders)
    step = Step(position, orders, after)
    for seat, move in orders.items():
        assert NELAXTAM.parse(position, seat, NELAXTAM.format(move)) == move
        assert NELAXTAM.parse(position, seat, NELAXTAM.format(move).upper().replace(", ", "\n")) == move
        for text in NELAXTAM.examples(position, seat):
            assert NELAXTAM.parse(position, seat, text)
    assert all(re.fullmatch(r"[A-Z][^\n]*\.", sentence) for sentence in NELAXTAM.story(step))
    picture = ascii_board(NELAXTAM.diagram(after, step))
    assert picture.isascii()
    assert max(map(len, picture.split("\n"))) <= 72


@examples(150)
@given(
    st.one_of(st.text(max_size=30), st.lists(st.sampled_from(WORDS.split()), max_size=9).map(" ".join)),
    st.sampled_from([0, 1]),
)
def test_any_text_is_read_or_refused(text: str, seat: int) -> None:
    for position in (START, CROWDED):
        orders, refusal = read(position, seat, text)
        assert orders is None or NELAXTAM.parse(position, seat, NELAXTAM.format(orders)) == orders
        assert orders or re.fullmatch(r"[^\s].*\.", refusal, re.DOTALL)


def read(position: Position, seat: int, text: str) -> tuple[Orders | None, str]:
    """Return the orders, or None and the sentence of the refusal."""
    try:
        return NELAXTAM.parse(position, seat, text), ""
    except Unreadable as error:
        return None, str(error)
    except IllegalMove as error:
        return None, str(error)


# The players' page


def test_sample_game_of_the_rules_page_is_legal() -> None:
    page = (folders.DOCS / "rules/nelaxtam.md").read_text()
    blocks = re.findall(r"^```(\w+)(?: (\d+))?\n(.*?)\n```$", page, re.DOTALL | re.MULTILINE)
    (record,) = [json.loads(text) for word, _, text in blocks if word == "record"]
    positions = replay(record)
    pictures = {int(number): text for word, number, text in blocks if word == "diagram"}
    assert list(pictures) == [1, 2, 5, 6]
    for number, picture in pictures.items():
        before, orders = positions[number - 1], record["turns"][number - 1]["orders"]
        moves = {int(seat): NELAXTAM.parse(before, int(seat), text) for seat, text in orders.items()}
        assert (
            ascii_board(NELAXTAM.diagram(positions[number], Step(before, moves, positions[number]))) == picture
        )


def test_orders_on_the_rules_page_can_be_read() -> None:
    page = (folders.DOCS / "rules/nelaxtam.md").read_text()
    examples = [block.replace("    ", "") for block in re.findall(r"(?:^    .+\n)+", page, re.MULTILINE)]
    position = island_with("1 d4, 2 a1, 4 h8, A a12")
    assert NELAXTAM.format(NELAXTAM.parse(START, 0, examples[0])) == "1 d4, 2 a1, 3 d12, 4 h8, 5 l6"
    read = [
        {NELAXTAM.format(NELAXTAM.parse(position, 0, line)) for line in block.splitlines()}
        for block in examples[1:]
    ]
    assert read == [{"1 ne, 2 n"}, {"1 ne"}, {"1 n"}]


def test_rules_page_fits_into_an_email() -> None:
    page = (folders.DOCS / "rules/nelaxtam.md").read_text()
    assert max(len(line) for line in page.splitlines()) <= 72
