"""Complete games of Nibble: random ones, compared with a naive engine, and any text that people could send."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import ascii_board
from rules.errors import BadData, IllegalMove, WrongMove
from rules.game import Json, Step
from rules.games.nibble.board import NAMES, board_named, each
from rules.games.nibble.position import Position
from rules.games.nibble.turn import Take
from tests.support.examples import examples
from tests.support.folders import DOCS
from tests.support.random_values import seeds
from tests.support.rules.naive import nibble as naive
from tests.support.rules.positions.nibble import (
    COUNTS,
    NIBBLE,
    RECORDS,
    data,
    game,
    played,
    square_9,
    start,
    texts,
)

pytestmark = pytest.mark.slow

PAGE = (DOCS / "rules/nibble.md").read_text()
BLOCKS = re.findall(r"^```([a-z]+)(?: (\d+))?\n(.*?)\n```$", PAGE, re.DOTALL | re.MULTILINE)
WORKED: Json = next(json.loads(body) for sort, _, body in BLOCKS if sort == "record")
DIAGRAMS = [(int(turns), body) for sort, turns, body in BLOCKS if sort == "diagram"]


def answer(position: Position, text: str) -> Take | WrongMove:
    """Return the move that a text means, or the refusal."""
    try:
        return NIBBLE.parse(position, position.to_move, text)
    except WrongMove as error:
        return error


# Records and the players' page


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_recorded_game_replays_to_its_result(path: Path) -> None:
    record = json.loads(path.read_text())
    position = played(record)[-1]
    result = NIBBLE.result(position)
    assert result is not None
    assert result.to_json() == record["result"]


def test_sample_game_of_the_rules_page_replays() -> None:
    assert [turns for turns, _ in DIAGRAMS] == [0, 15]
    result = NIBBLE.result(played(WORKED)[-1])
    assert result is not None
    assert result.to_json() == WORKED["result"]


@pytest.mark.parametrize(("turns", "picture"), DIAGRAMS)
def test_pictures_of_the_rules_page_match_the_game(turns: int, picture: str) -> None:
    positions = played(WORKED)[: turns + 1]
    step = None
    if turns:
        before, after = positions[-2:]
        last = WORKED["turns"][turns - 1]
        step = Step(before, {last["seat"]: NIBBLE.parse(before, last["seat"], last["move"])}, after)
    assert picture == ascii_board(NIBBLE.diagram(positions[-1], step))


@pytest.mark.parametrize(
    ("turns", "text", "reason"),
    [
        (0, "take lime", ""),
        (15, "f7", ""),
        (15, "b6", "only above"),
        (15, "d6", "no exposed"),
        (15, "take blue", ""),
    ],
)
def test_explanations_of_the_sample_game_are_true(turns: int, text: str, reason: str) -> None:
    read = answer(played(WORKED)[turns], text)
    assert reason in str(read) if reason else isinstance(read, Take)


def test_rules_page_fits_into_an_email() -> None:
    assert max(map(len, PAGE.splitlines())) <= 72


# Random games


@pytest.mark.parametrize("board", NAMES)
@pytest.mark.parametrize("seed", seeds(2, of=5))
def test_random_games_keep_the_invariants(board: str, seed: int) -> None:
    """Properties of every game: it ends, no block is lost, and every position can be written and read."""
    count = COUNTS[board]
    turns = list(game(board, seed))
    assert len(turns) <= count * count
    for position, move in turns:
        options = {"board": board}
        assert NIBBLE.read(options, NIBBLE.write(position), NIBBLE.memory(position)) == position
        assert NIBBLE.parse(position, position.to_move, NIBBLE.format(move)) == move
        assert next(NIBBLE.moves(position, position.to_move), None) is not None
        after = NIBBLE.play(position, {position.to_move: move})
        assert after.left().bit_count() == position.left().bit_count() - len(move.squares)
        for colour, blocks in enumerate(after.blocks):
            assert blocks.bit_count() + after.taken[0][colour] + after.taken[1][colour] == count
        for example in NIBBLE.examples(position, position.to_move):
            NIBBLE.parse(position, position.to_move, example)
    last, move = turns[-1]
    assert NIBBLE.result(NIBBLE.play(last, {last.to_move: move})) is not None


# The naive engine


@pytest.mark.parametrize("seed", seeds(2, of=10, first=100))
def test_random_games_match_the_naive_engine(seed: int) -> None:
    assert_same_game("square-9", seed, every=1)


@pytest.mark.parametrize("board", ["square-13", "hex-13"])
@pytest.mark.parametrize("seed", seeds(1, of=3, first=100))
def test_large_boards_match_the_naive_engine(board: str, seed: int) -> None:
    assert_same_game(board, seed, every=3)


def assert_same_game(board: str, seed: int, every: int) -> None:
    """Play a random game on both engines; compare the lists of moves in every `every`-th position."""
    for number, (position, move) in enumerate(game(board, seed)):
        written, text = NIBBLE.write(position), NIBBLE.format(move)
        after = NIBBLE.play(position, {position.to_move: move})
        assert NIBBLE.write(after) == naive.play(written, {position.to_move: text})
        result = NIBBLE.result(after)
        assert (result and result.to_json()) == naive.result(NIBBLE.write(after))
        if number % every == 0:
            assert_same_moves(position)


@pytest.mark.parametrize("board", NAMES)
@pytest.mark.parametrize("seed", seeds(4, of=12))
def test_boards_with_holes_match_the_naive_engine(board: str, seed: int) -> None:
    """Most blocks, at random, reduced to one group. No play leads there, but a block can be taken."""
    rng = random.Random(seed)
    full = start(board, seed)
    kept = sum(square for square in each(full.left()) if rng.random() < 0.75)
    group = board_named(board).groups(kept)[0]
    names = {board_named(board).names[square] for square in each(group)}
    letters = full.letters()
    rows = ["".join(letters[s] if s in names else "." for s in row) for row in board_named(board).rows]
    position = NIBBLE.read({"board": board}, data(board, rows))
    assert_same_moves(position)
    assert texts(position)


def assert_same_moves(position: Position) -> None:
    """Check that both have the same legal moves, each once, smaller takes first, and that samples are among
    them.
    """
    moves = list(NIBBLE.moves(position, position.to_move))
    found = {NIBBLE.format(move) for move in moves}
    assert found == naive.moves(NIBBLE.write(position), position.to_move)
    assert len(moves) == len(found)
    assert [len(move.squares) for move in moves] == sorted(len(move.squares) for move in moves)
    rng = random.Random(len(moves))
    assert {NIBBLE.sample(position, position.to_move, rng.randrange) for _ in range(20)} <= set(moves)


@pytest.mark.parametrize("rows", [["ABA", "CDC"], [".A.", "ABA"], ["AB", "CA"], ["AB", "C"]])
def test_sampling_finds_every_move(rows: list[str]) -> None:
    position = square_9(*rows)
    rng = random.Random(1)
    assert {NIBBLE.sample(position, 0, rng.randrange) for _ in range(400)} == set(NIBBLE.moves(position, 0))


# Any text that people could send


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position from the middle of a random game."""
    turns = list(game(draw(st.sampled_from(NAMES)), draw(st.integers(0, 30))))
    return draw(st.sampled_from(turns))[0]


@examples(60)
@given(positions(), st.data())
def test_turn_is_accepted_exactly_when_it_is_legal(position: Position, draw: st.DataObject) -> None:
    """Near misses: blocks of one colour, most of them left, sometimes with a square from anywhere."""
    bits = board_named(position.board).bits
    blocks = draw.draw(st.sampled_from([blocks for blocks in position.blocks if blocks]))
    same = [name for name, bit in bits.items() if bit & blocks]
    squares = draw.draw(st.lists(st.sampled_from(same), min_size=1, max_size=4))
    squares += draw.draw(st.lists(st.sampled_from(sorted(bits)), max_size=1))
    legal = naive.moves(NIBBLE.write(position), position.to_move)
    text = " ".join(sorted(squares, key=naive.by_letter_then_number))
    read = answer(position, text)
    if text in legal:
        assert isinstance(read, Take)
        assert NIBBLE.format(read) == text
    else:
        assert isinstance(read, IllegalMove)
        assert any(square in str(read) for square in squares)


WORDS = st.sampled_from(
    ["a9", "c9", "a7", "b8", "z26", "A", "red", "white", "take", "to", "->", ",", ".", "hi"]
)


@examples(150)
@given(st.one_of(st.text(), st.lists(WORDS).map(" ".join), st.text("abc123 ,.-;+")))
def test_any_text_is_read_or_refused(text: str) -> None:
    position = square_9("ABA", "CDC", "AEA")
    read = answer(position, text)
    assert str(read).endswith(".") if isinstance(read, WrongMove) else read in set(NIBBLE.moves(position, 0))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(st.sampled_from(["board", "rows", "taken", "to_move"]), JSON)
def test_any_json_is_a_position_or_refused(key: str, value: Any) -> None:
    good = NIBBLE.write(square_9("ABA", "CDC", "AEA"))
    changed = good | {key: value}
    try:
        position = NIBBLE.read({"board": "square-9"}, changed)
    except BadData:
        position = None
    assert position is None or NIBBLE.write(position) == changed
    with pytest.raises(BadData):
        NIBBLE.start({"board": "square-9"}, {"rows": value})
