"""Complete games of NEXUS: recorded ones, the one on the players' page, and random ones beside a naive
engine.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import ascii_board
from rules.errors import IllegalMove, WrongMove
from rules.game import Json, Step
from rules.games.nexus.position import Position
from rules.games.nexus.turn import Move
from tests.support.examples import examples
from tests.support.folders import TESTS
from tests.support.random_values import seeds
from tests.support.rules.naive import nexus as naive
from tests.support.rules.positions.nexus import NEXUS, besieged, played, scattered, start

pytestmark = pytest.mark.slow

RECORDS = sorted(TESTS.glob("records/nexus-*.json"))
PAGE = (TESTS.parent / "docs/rules/nexus.md").read_text()
BLOCKS = re.findall(r"^```([a-z]+)(?: (\d+))?\n(.*?)\n```$", PAGE, re.DOTALL | re.MULTILINE)
WORKED: Json = next(json.loads(body) for sort, _, body in BLOCKS if sort == "record")
DIAGRAMS = [(int(turns), body) for sort, turns, body in BLOCKS if sort == "diagram"]


def positions(record: Json) -> list[Position]:
    """Return the positions of a record, checking that every turn is written canonically."""
    found = [NEXUS.start(NEXUS.options(record["options"]), record["setup"])]
    for turn in record["turns"]:
        assert NEXUS.to_move(found[-1]) == (turn["seat"],)
        move = NEXUS.parse(found[-1], turn["seat"], turn["move"])
        assert NEXUS.format(move) == turn["move"]
        found.append(NEXUS.play(found[-1], {turn["seat"]: move}))
    return found


def game(players: int, seed: int) -> Iterator[tuple[Position, Move]]:
    """Yield the turns of a random game: each position, and its move."""
    draw = random.Random(seed)
    position = start(players)
    while NEXUS.to_move(position):
        move = NEXUS.sample(position, position.to_move, draw.randrange)
        yield position, move
        position = NEXUS.play(position, {position.to_move: move})


def crowded(seed: int, players: int, size: int) -> Position:
    """Return a small position full of marbles, in which the game goes on."""
    draw = random.Random(seed)
    while True:
        position = NEXUS.read({"players": players}, scattered(draw, players, size))
        if NEXUS.to_move(position):
            return position


# Records and the players' page


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_recorded_game_replays_to_its_result(path: Path) -> None:
    record = json.loads(path.read_text())
    result = NEXUS.result(positions(record)[-1])
    assert result is not None
    assert result.to_json() | record["result"] == result.to_json()


def test_sample_records_exist_for_every_number_of_players() -> None:
    assert {json.loads(path.read_text())["options"]["players"] for path in RECORDS} == {2, 3, 4}


def test_sample_game_of_the_rules_page_replays() -> None:
    result = NEXUS.result(positions(WORKED)[-1])
    assert result is not None
    assert result.to_json() == WORKED["result"]


@pytest.mark.parametrize(("turns", "picture"), DIAGRAMS)
def test_pictures_of_the_rules_page_match_the_game(turns: int, picture: str) -> None:
    found = positions(WORKED)
    step = None
    if turns:
        seat, text = WORKED["turns"][turns - 1].values()
        step = Step(found[turns - 1], {seat: NEXUS.parse(found[turns - 1], seat, text)}, found[turns])
    assert picture == ascii_board(NEXUS.diagram(found[turns], step))


def test_rules_page_fits_into_an_email() -> None:
    assert [turns for turns, _ in DIAGRAMS] == [0, 5, 10, 12]
    assert max(map(len, PAGE.splitlines())) <= 72
    assert not re.search(r"<[a-z/]", PAGE)


def test_moves_on_the_rules_page_can_be_read() -> None:
    shown = re.findall(r"^    ((?:add|move|rings) .*)$", PAGE, re.MULTILINE)
    assert len(shown) == 7
    for text in shown:
        with pytest.raises(IllegalMove):
            NEXUS.parse(NEXUS.leave(start(2), 0, "resigned"), 1, text)


# Beside the naive engine


@pytest.mark.sample(1)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", seeds(1, of=2))
def test_random_games_match_the_naive_engine(players: int, seed: int) -> None:
    for position, move in game(players, seed):
        data = NEXUS.write(position)
        text = NEXUS.format(move)
        assert NEXUS.parse(position, position.to_move, text) == move
        after = NEXUS.play(position, {position.to_move: move})
        assert NEXUS.write(after) == naive.play(data, {position.to_move: text})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_leaving_matches_the_naive_engine(players: int) -> None:
    for position, _ in islice(game(players, 7), 0, None, 5):
        for seat in position.staying:
            left = NEXUS.leave(position, seat, "resigned")
            assert NEXUS.write(left) == naive.leave(NEXUS.write(position), seat)


@pytest.mark.parametrize(("players", "seed", "turn"), [(2, 1, 0), (2, 2, 1), (2, 3, 30), (2, 4, 45), (4, 5, 4)])
def test_listed_moves_match_the_naive_engine(players: int, seed: int, turn: int) -> None:
    position, _ = next(islice(game(players, seed), turn, None))
    assert_same_moves(position)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", seeds(2, of=6))
def test_listed_moves_match_the_naive_engine_in_crowded_positions(players: int, seed: int) -> None:
    assert_same_moves(crowded(seed, players, 8))


@pytest.mark.parametrize("seed", range(3))
def test_changes_of_rings_match_the_naive_engine(seed: int) -> None:
    draw = random.Random(seed)
    given = scattered(draw, 2, 6) | {"last_actions": ["move", "add"]}
    for name in draw.sample(sorted(given["rings"]), 4):
        given["rings"][name] = ""
    given["rings"] |= {"c1": "r", "d1": "", "e1": "b"}
    position = NEXUS.read({"players": 2}, given)
    listed = {NEXUS.format(move) for move in islice(NEXUS.moves(position, position.to_move, "rings"), 3000)}
    found = set(islice(naive.changes(NEXUS.write(position)), 3000))
    assert len(listed) == len(found)
    for text in sorted(found)[::30]:
        assert NEXUS.format(NEXUS.parse(position, position.to_move, text)) == text
    if len(listed) < 3000:
        assert listed == found


def assert_same_moves(position: Position) -> None:
    seat = position.to_move
    listed = [NEXUS.format(move) for move in NEXUS.moves(position, seat)]
    assert len(set(listed)) == len(listed)
    assert set(listed) == naive.moves(NEXUS.write(position), seat)


@pytest.mark.sample(3)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", seeds(3, of=9))
def test_choices_of_removed_marbles_match_the_naive_engine(players: int, seed: int) -> None:
    """Every way to remove marbles that the naive engine finds is accepted, and no other."""
    draw = random.Random(seed)
    given = besieged(draw, players)
    position = NEXUS.read({"players": players}, given)
    gap = next(name for name, marbles in given["rings"].items() if not marbles)
    for action in (f"add d1 e1 {gap}", f"move f20*f20-{gap} c1-d1", "move c1-d1-e1"):
        if is_read(position, action):
            assert_choices(position, action, draw)


def assert_choices(position: Position, action: str, draw: random.Random) -> None:
    data = NEXUS.write(position)
    ways = sorted(naive.choices(data, 0, action))
    assert is_read(position, f"{action} remove m13") == ("remove m13" in ways)
    for way in draw.sample(ways, min(len(ways), 5)):
        assert_choice(position, action, way)
        other = " ".join([*way.split()[:-1], draw.choice(sorted(data["rings"])) + draw.choice(["", "b", "g"])])
        if is_read(position, f"{action} {other}"):
            read = NEXUS.format(NEXUS.parse(position, 0, f"{action} {other}"))
            assert read == action or read.removeprefix(f"{action} ") in ways
        else:
            assert in_order(other) not in ways


def assert_choice(position: Position, action: str, way: str) -> None:
    seat, data = position.to_move, NEXUS.write(position)
    move = NEXUS.parse(position, seat, f"{action} {way}")
    by_itself = naive.by_itself(data, seat, action) == way
    assert NEXUS.format(move) == (action if by_itself else f"{action} {way}")
    assert NEXUS.write(NEXUS.play(position, {seat: move})) == naive.play(data, {seat: f"{action} {way}"})


def in_order(way: str) -> str:
    """Return the choice with its rings sorted."""
    return "remove " + " ".join(
        sorted(way.split()[1:], key=lambda word: (word[0], int(word[1:].rstrip("rbgy")), word))
    )


def is_read(position: Position, text: str) -> bool:
    try:
        NEXUS.parse(position, position.to_move, text)
    except IllegalMove:
        return False
    return True


# Promises


@examples(30)
@given(st.integers(0, 10**6), st.sampled_from([2, 3, 4]), st.data())
def test_moves_one_place_off_match_the_naive_engine(seed: int, players: int, data: st.DataObject) -> None:
    """One ring of a legal move is replaced by another; both engines judge the result alike."""
    position = crowded(seed, players, 7)
    legal = naive.moves(NEXUS.write(position), position.to_move)
    names = sorted(NEXUS.write(position)["rings"])
    for text in data.draw(st.lists(st.sampled_from(sorted(legal)), min_size=1, max_size=20)):
        places = list(re.finditer(r"[a-z]\d+", text))
        changed = data.draw(st.sampled_from(places))
        near_miss = text[: changed.start()] + data.draw(st.sampled_from([*names, "z9"])) + text[changed.end() :]
        try:
            move = NEXUS.parse(position, position.to_move, near_miss)
        except IllegalMove:
            assert canonical(near_miss) not in legal
        else:
            assert NEXUS.format(move) == canonical(near_miss)
            assert NEXUS.format(move) in legal


def canonical(text: str) -> str:
    """Return the text with additions sorted, and two steps that follow one another as a chain."""
    sort, *words = text.split()
    if sort == "add":
        return " ".join(["add", *sorted(words, key=lambda name: (name[0], int(name[1:])))])
    if len(words) == 2 and "*" not in text and words[0].split("-")[1] == words[1].split("-")[0]:
        return f"move {words[0]}-{words[1].split('-')[1]}"
    return text


WORDS = st.sampled_from(
    [
        "add",
        "move",
        "rings",
        "remove",
        "sac",
        "to",
        "-",
        ">",
        "*",
        "m13",
        "n12",
        "l14",
        "m13r",
        "z27",
        "b",
        "7",
        "!",
    ]
)


@examples(150)
@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map(" ".join)))
def test_any_text_is_read_or_refused(text: str) -> None:
    position = played(played(start(2), "add m13 n12 l14"), "add m12 o12 k13")
    with suppress(WrongMove):
        move = NEXUS.parse(position, 0, text)
        assert NEXUS.parse(position, 0, NEXUS.format(move)) == move


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", seeds(2, of=5, first=20))
def test_random_game_keeps_its_invariants_and_ends(players: int, seed: int) -> None:
    rings = len(start(players).rings)
    for position, move in game(players, seed):
        after = NEXUS.play(position, {position.to_move: move})
        assert len(after.rings) == rings
        assert list(after.rings) == sorted(after.rings)
        assert after.ply == position.ply + 1
        for _, marbles in after.rings:
            assert len(marbles) <= 4
            assert all(marbles.count(letter) <= 3 for letter in marbles)
            assert marbles == "".join(sorted(marbles))
        given_up = "*" in NEXUS.format(move)
        if after.out == position.out:
            assert marbles_in(after) == marbles_in(position) - given_up
        assert NEXUS.read({"players": players}, NEXUS.write(after), NEXUS.memory(after)) == after
    result = NEXUS.result(after)
    assert result is not None
    assert sorted(result.places or ()) == list(range(players))
    assert list(NEXUS.moves(after, after.to_move)) == []


def marbles_in(position: Position) -> int:
    """Return all marbles on the board and in reserve."""
    return sum(position.reserve) + sum(len(marbles) for _, marbles in position.rings)


def test_samples_are_of_every_sort() -> None:
    """Over many draws from crowded positions there are additions, chains, sacrifices, changes and choices."""
    draw = random.Random(1)
    texts = set()
    for seed in range(60):
        position = crowded(seed, 3, 10)
        for _ in range(20):
            move = NEXUS.sample(position, position.to_move, draw.randrange)
            text = NEXUS.format(move)
            assert NEXUS.parse(position, position.to_move, text) == move
            texts.add(text)
    for pattern in (
        r"^add",
        r"^move \w+-\w+-\w+",
        r"^move \w+-\w+ \w+-\w+$",
        r"^move \w+\*",
        r"^move \S+ \w+\*",
        r"^rings",
        r"remove",
    ):
        assert any(re.search(pattern, text) for text in texts), pattern
