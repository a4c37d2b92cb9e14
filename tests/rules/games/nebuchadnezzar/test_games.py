"""Complete games of Nebuchadnezzar: records, the players' page, random games beside the naive engine."""

from __future__ import annotations

import json
import random
import re
from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import ascii_board
from rules.errors import IllegalMove
from rules.game import Step
from rules.games.nebuchadnezzar.board import Move, Place, Swap
from rules.games.nebuchadnezzar.position import Position
from tests.support import folders
from tests.support.examples import examples
from tests.support.rules.naive import nebuchadnezzar as naive
from tests.support.rules.positions.nebuchadnezzar import NEBUCHADNEZZAR

pytestmark = pytest.mark.slow

RECORDS = sorted(folders.RECORDS.glob("nebuchadnezzar-*.json"))
PAGE = (folders.DOCS / "rules/nebuchadnezzar.md").read_text()
BLOCKS = re.findall(r"^```([a-z]+)(?: (\d+))?\n(.*?)\n```$", PAGE, re.DOTALL | re.MULTILINE)
WORKED = next(json.loads(body) for sort, _, body in BLOCKS if sort == "record")
DIAGRAMS = [(int(turns), body) for sort, turns, body in BLOCKS if sort == "diagram"]

Turn = Step[Position, Move]


def replay(record: Any) -> list[Turn]:
    """Return all turns of a record; check that every text is canonical and no turn follows the end."""
    options = NEBUCHADNEZZAR.options(record["options"])
    assert options == record["options"]
    now = NEBUCHADNEZZAR.start(options, record["setup"])
    turns: list[Turn] = []
    for turn in record["turns"]:
        assert NEBUCHADNEZZAR.to_move(now) == (turn["seat"],)
        move = NEBUCHADNEZZAR.parse(now, turn["seat"], turn["move"])
        assert NEBUCHADNEZZAR.format(move) == turn["move"]
        turns.append(Step(now, {turn["seat"]: move}, NEBUCHADNEZZAR.play(now, {turn["seat"]: move})))
        now = turns[-1].after
    return turns


@pytest.mark.parametrize("record", [*(json.loads(path.read_text()) for path in RECORDS), WORKED])
def test_recorded_game_replays_to_its_result(record: Any) -> None:
    last = replay(record)[-1].after
    result = NEBUCHADNEZZAR.result(last)
    assert result is not None
    assert result.to_json() == record["result"]
    assert NEBUCHADNEZZAR.result(NEBUCHADNEZZAR.read(record["options"], NEBUCHADNEZZAR.write(last))) == result


def test_sample_records_exist() -> None:
    assert len(RECORDS) == 4
    assert [turns for turns, _ in DIAGRAMS] == [1, 14, 15, 17]


@pytest.mark.parametrize(("turns", "picture"), DIAGRAMS)
def test_pictures_of_the_rules_page_match_the_game(turns: int, picture: str) -> None:
    turn = replay(WORKED)[turns - 1]
    assert picture == ascii_board(NEBUCHADNEZZAR.diagram(turn.after, turn))


def test_rules_page_fits_into_an_email() -> None:
    assert max(map(len, PAGE.splitlines())) <= 72


def random_game(seed: int, size: int) -> list[Turn]:
    """Return all turns of a game of random moves, to its end."""
    drawn = random.Random(seed)
    now = NEBUCHADNEZZAR.start({"size": size}, {})
    turns: list[Turn] = []
    while not NEBUCHADNEZZAR.result(now):
        move = NEBUCHADNEZZAR.forced(now) or NEBUCHADNEZZAR.sample(now, now.to_move, drawn.randrange)
        turns.append(Step(now, {now.to_move: move}, NEBUCHADNEZZAR.play(now, {now.to_move: move})))
        now = turns[-1].after
    return turns


@examples(25)
@given(st.integers(0, 2**32), st.sampled_from([4, 4, 5, 6]))
def test_both_engines_play_the_same_games(seed: int, size: int) -> None:
    data = [NEBUCHADNEZZAR.write(NEBUCHADNEZZAR.start({"size": size}, {}))]
    for turn in random_game(seed, size):
        ((seat, move),) = turn.moves.items()
        legal = [NEBUCHADNEZZAR.format(other) for other in NEBUCHADNEZZAR.moves(turn.before, seat)]
        assert len(legal) == len(set(legal))
        assert set(legal) == naive.moves(data[-1], seat)
        assert (NEBUCHADNEZZAR.forced(turn.before) is None) == bool(legal)
        data.append(naive.play(data[-1], {seat: NEBUCHADNEZZAR.format(move)}))
        assert NEBUCHADNEZZAR.write(turn.after) == data[-1]
        result = NEBUCHADNEZZAR.result(turn.after)
        assert naive.ending(data, NEBUCHADNEZZAR.format(move)) == (result and result.reason)


@st.composite
def boards(draw: st.DrawFn) -> dict[str, Any]:
    """Any discs on a small board, usually full or nearly full, in combinations that no game would reach."""
    size = draw(st.integers(4, 6))
    signs = draw(st.sampled_from(["bw", "bbbw", "bbbbbw", "bw.", "bbbbwwww."]))
    rank = st.text(signs, min_size=size, max_size=size)
    return {
        "size": size,
        "rows": draw(st.lists(rank, min_size=size, max_size=size)),
        "colours": draw(st.permutations(["black", "white"])),
        "to_move": draw(st.integers(0, 1)),
        "ply": draw(st.integers(0, 2)),
    }


@examples(400)
@given(boards())
def test_both_engines_find_the_same_moves_on_any_board(data: dict[str, Any]) -> None:
    now = NEBUCHADNEZZAR.read({"size": data["size"]}, data)
    seat = data["to_move"]
    if NEBUCHADNEZZAR.result(now):
        assert list(NEBUCHADNEZZAR.moves(now, seat)) == []
        return
    assert {NEBUCHADNEZZAR.format(move) for move in NEBUCHADNEZZAR.moves(now, seat)} == naive.moves(data, seat)


@pytest.mark.parametrize("size", range(7, 16))
def test_both_engines_find_the_same_moves_on_larger_boards(size: int) -> None:
    turns = random_game(seed=size, size=size)
    for number in (len(turns) * 5 // 8, len(turns) * 6 // 8, len(turns) * 7 // 8):
        now = turns[number].before
        assert set(NEBUCHADNEZZAR.listing(now)) == naive.moves(NEBUCHADNEZZAR.write(now), now.to_move)


def accepted(now: Position, text: str) -> set[str]:
    """Return the canonical text of a move of the seat to move, nothing if it is illegal."""
    try:
        return {NEBUCHADNEZZAR.format(NEBUCHADNEZZAR.parse(now, now.to_move, text))}
    except IllegalMove:
        return set()


@examples(40)
@given(boards())
def test_only_legal_placements_and_rectangles_are_accepted(data: dict[str, Any]) -> None:
    now = NEBUCHADNEZZAR.read({"size": data["size"]}, data)
    names = [f"{file}{rank}" for file, rank in product("abcdef"[: now.size], range(1, now.size + 1))]
    corners = [f"x{one}-{other}" for one, other in product(names, names)]
    found = set().union(*(accepted(now, text) for text in [*names, *corners, "swap"]))
    assert found == {NEBUCHADNEZZAR.format(move) for move in NEBUCHADNEZZAR.moves(now, now.to_move)}


@examples(15)
@given(st.integers(0, 2**32), st.integers(4, 9))
def test_invariants_hold_in_every_turn(seed: int, size: int) -> None:
    turns = random_game(seed, size)
    for ply, turn in enumerate(turns):
        before, now = turn.before, turn.after
        ((seat, move),) = turn.moves.items()
        assert NEBUCHADNEZZAR.parse(before, seat, NEBUCHADNEZZAR.format(move)) == move
        assert NEBUCHADNEZZAR.read({"size": size}, NEBUCHADNEZZAR.write(now), NEBUCHADNEZZAR.memory(now)) == now
        assert (now.ply, now.to_move) == (ply + 1, 1 - seat)
        placed = (now.black | now.white).bit_count() - (before.black | before.white).bit_count()
        assert placed == isinstance(move, Place)
        assert not now.black & now.white
        assert (now.black_seat != before.black_seat) == isinstance(move, Swap)
        assert set(NEBUCHADNEZZAR.examples(before, seat)) <= {*NEBUCHADNEZZAR.listing(before), "pass"}
    assert NEBUCHADNEZZAR.listing(turns[-1].after) == []


def test_every_legal_move_can_be_drawn() -> None:
    for turn in random_game(seed=7, size=5):
        legal = set(NEBUCHADNEZZAR.moves(turn.before, turn.before.to_move))
        drawn = {
            NEBUCHADNEZZAR.sample(turn.before, turn.before.to_move, partial(min, n)) for n in range(len(legal))
        }
        assert drawn == legal


@pytest.mark.parametrize("size", range(4, 16))
def test_random_games_of_every_size_have_the_known_length(size: int) -> None:
    games = [random_game(seed, size) for seed in range(3)]
    results = [NEBUCHADNEZZAR.result(turns[-1].after) for turns in games]
    assert {result.reason for result in results if result} == {"annihilation"}
    assert 1.1 * size**2 < sum(map(len, games)) / len(games) < 1.8 * size**2
