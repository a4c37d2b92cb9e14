"""Complete games of Nardshir: records, the players' page, random games beside the naive engine, check
values.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import ascii_board
from rules.errors import WrongMove
from rules.game import Step
from rules.games.nardshir.board import Turn
from rules.games.nardshir.position import Position
from tests.support import folders
from tests.support.examples import examples
from tests.support.random_values import seeds
from tests.support.rules.naive import nardshir as naive
from tests.support.rules.positions.nardshir import NARDSHIR, START, board, random_game

pytestmark = pytest.mark.slow

RECORDS = sorted(folders.RECORDS.glob("nardshir-*.json"))
GAMES = range(100)


# Records


def replay(record: Any) -> Iterator[Step[Position, Turn]]:
    """Yield the turns of a record; check that every text is canonical, and passes are forced."""
    now = NARDSHIR.start(NARDSHIR.options(record["options"]), record["setup"])
    for turn in record["turns"]:
        now = NARDSHIR.roll(now, turn["dice"])
        assert NARDSHIR.to_move(now) == (turn["seat"],)
        assert (turn["move"] == "pass") == (NARDSHIR.forced(now) == ())
        hops = NARDSHIR.parse(now, turn["seat"], turn["move"])
        assert NARDSHIR.format(hops) == turn["move"]
        played = Step(now, {turn["seat"]: hops}, NARDSHIR.play(now, {turn["seat"]: hops}))
        now = played.after
        yield played


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_recorded_game_replays_to_its_result(path: Path) -> None:
    record = json.loads(path.read_text())
    *_, last = replay(record)
    result = NARDSHIR.result(last.after)
    assert result is not None
    assert result.to_json() == record["result"]


def test_sample_records_exist() -> None:
    assert len(RECORDS) == 4


# Random games beside the naive engine


@pytest.mark.parametrize("seed", seeds(1, of=2))
def test_both_engines_play_the_same_games(seed: int) -> None:
    data = NARDSHIR.write(START)
    for played in random_game(seed):
        ((seat, turn),) = played.moves.items()
        data = {**data, "dice": list(played.before.dice)}
        assert NARDSHIR.write(played.before) == data
        found = [NARDSHIR.format(other) for other in islice(NARDSHIR.moves(played.before, seat), 1000)]
        assert len(set(found)) == len(found)
        if len(found) < 1000:
            assert set(found) == naive.moves(data, seat)
        assert (NARDSHIR.forced(played.before) is None) == bool(found)
        data = naive.play(data, {seat: NARDSHIR.format(turn)})
        assert NARDSHIR.write(played.after) == data
        result = NARDSHIR.result(played.after)
        assert naive.ending(data) == (result and result.reason)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Discs anywhere, or all at home, in combinations that no game would reach; dice rolled, and not
    over yet.
    """
    drawn = random.Random(draw(st.integers(0, 2**32)))
    free = list(range(24))
    drawn.shuffle(free)
    sides = [[0] * 24, [0] * 24]
    for seat, half in enumerate((free[:12], free[12:])):
        own = [point if seat == 0 else 23 - point for point in half]
        home, gathered = [point for point in own if point >= 18], draw(st.booleans())
        points = home if home and gathered else own[: draw(st.integers(1, 12))]
        for _ in range(draw(st.integers(0, 14))):
            point = drawn.choice(points)
            sides[seat][point] += point > 5 or sides[seat][point] < 2
    off = [draw(st.integers(0, 14 - min(14, sum(side)))) for side in sides]
    data = {
        "points": sides,
        "hand": [15 - sum(side) - gone for side, gone in zip(sides, off, strict=True)],
        "off": off,
        "to_move": draw(st.integers(0, 1)),
        "dice": [],
        "turn": 1,
        "quiet_turns": draw(st.integers(0, 599)),
    }
    return NARDSHIR.roll(NARDSHIR.read({}, data), (draw(st.integers(1, 6)), draw(st.integers(1, 6))))


@examples(120)
@given(positions())
def test_both_engines_find_the_same_turns_in_any_position(now: Position) -> None:
    found = [NARDSHIR.format(turn) for turn in islice(NARDSHIR.moves(now, now.to_move), 500)]
    data = NARDSHIR.write(now)
    if len(found) < 500:
        assert set(found) == naive.moves(data, now.to_move)
    for text in found[:: len(found) // 5 + 1]:
        turn = NARDSHIR.parse(now, now.to_move, text)
        assert NARDSHIR.format(turn) == text
        assert NARDSHIR.write(NARDSHIR.play(now, {now.to_move: turn})) == naive.play(data, {now.to_move: text})


# Properties of every game


@examples(60)
@given(positions())
def test_position_survives_writing_and_reading(now: Position) -> None:
    assert NARDSHIR.read({}, json.loads(json.dumps(NARDSHIR.write(now))), NARDSHIR.memory(now)) == now
    assert hash(now) == hash(NARDSHIR.read({}, NARDSHIR.write(now)))


@examples(80)
@given(positions(), st.integers(0, 2**32))
def test_nearly_legal_turns_are_refused(now: Position, seed: int) -> None:
    """A slightly changed turn is refused, unless it is legal itself."""
    drawn = random.Random(seed)
    turns = {NARDSHIR.format(turn) for turn in islice(NARDSHIR.moves(now, now.to_move), 3000)}
    hops = NARDSHIR.format(NARDSHIR.sample(now, now.to_move, drawn.randrange)).replace("pass", "").split()
    for text in near_misses(hops, drawn):
        with suppress(WrongMove):
            assert NARDSHIR.format(NARDSHIR.parse(now, now.to_move, text)) in turns or len(turns) == 3000


def near_misses(hops: list[str], drawn: random.Random) -> Iterator[str]:
    """The turn of the other seat, cut short, with a hop twice, in another order, or a number off by one."""
    yield " ".join(hops[:-1])
    yield " ".join([*hops, *hops[-1:]])
    yield " ".join(reversed(hops))
    yield " ".join(f"{hop.rstrip('*')}*" for hop in hops)
    for change in (-1, 1):
        numbers = list(re.finditer(r"\d+", " ".join(hops)))
        if numbers:
            one = drawn.choice(numbers)
            yield one.string[: one.start()] + str(int(one[0]) + change) + one.string[one.end() :]


@examples(30)
@given(positions())
def test_incomplete_turns_are_refused_with_a_remaining_hop(now: Position) -> None:
    for turn in islice(NARDSHIR.moves(now, now.to_move), 20):
        with pytest.raises(WrongMove) as refused:
            NARDSHIR.parse(now, now.to_move, NARDSHIR.format(turn[:-1]))
        found = re.search(r"for example (\S+)/(\w+)[.;]", str(refused.value))
        assert found, refused.value


@pytest.mark.parametrize("dice", [(1, 2), (3, 3)])
def test_every_turn_can_be_drawn(dice: tuple[int, int]) -> None:
    now = NARDSHIR.roll(list(random_game(2))[9].after, dice)
    below = random.Random(4).randrange
    legal = set(NARDSHIR.moves(now, now.to_move))
    drawn = {NARDSHIR.sample(now, now.to_move, below) for _ in range(50 * len(legal))}
    assert drawn == legal


def test_random_games_have_the_known_average_length() -> None:
    """Over 2,000 games: 242 turns (standard deviation 42), 472 hops, half won by the seat that begins.

    This test plays 100 games.
    """
    lengths, hops, wins = [], [], []
    for seed in GAMES:
        turns = list(random_game(seed))
        for played in turns:
            assert [sum(side) for side in played.after.discs] == [15, 15]
        result = NARDSHIR.result(turns[-1].after)
        assert result is not None
        assert result.reason == "borne-off"
        lengths.append(len(turns))
        hops.append(sum(len(turn) for played in turns for turn in played.moves.values()))
        wins.append(result.winners == (0,))
    assert mean(lengths) == pytest.approx(242, abs=10)
    assert stdev(lengths) == pytest.approx(42, abs=8)
    assert mean(hops) == pytest.approx(472, abs=20)
    assert mean(wins) == pytest.approx(0.5, abs=0.12)


def test_list_of_turns_is_complete() -> None:
    now = board(dict.fromkeys(range(7, 16), 1), {}, 1, 1)
    listing = list(NARDSHIR.listing(now))
    assert len(listing) == len(set(listing)) > 5000
    assert set(listing) == naive.moves(NARDSHIR.write(now), 0)
    assert NARDSHIR.listing(now, limit=3) == listing[:3]


# The players' page

PAGE = (folders.DOCS / "rules/nardshir.md").read_text()
BLOCKS = re.findall(r"^```([a-z]+)(?: (\d+))?\n(.*?)\n```$", PAGE, re.DOTALL | re.MULTILINE)
WORKED = next(json.loads(body) for sort, _, body in BLOCKS if sort == "record")
DIAGRAMS = [(int(turns), body) for sort, turns, body in BLOCKS if sort == "diagram"]


def test_sample_game_of_the_rules_page_is_legal() -> None:
    *_, last = replay(WORKED)
    assert WORKED["result"] is None
    assert NARDSHIR.result(last.after) is None


@pytest.mark.parametrize(("turns", "picture"), DIAGRAMS)
def test_pictures_of_the_rules_page_match_the_game(turns: int, picture: str) -> None:
    played = list(replay(WORKED))[turns - 1]
    assert picture == ascii_board(NARDSHIR.diagram(played.after, played))


def test_rules_page_has_pictures_and_fits_into_an_email() -> None:
    assert [turns for turns, _ in DIAGRAMS] == [5, 8]
    assert max(map(len, PAGE.splitlines())) <= 72
