"""Lessons for players: every sentence is true of the position, and there are enough lessons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import pytest

from rules.errors import IllegalMove
from rules.games.nibble.board import board_named
from rules.games.nibble.position import Position
from rules.games.nibble.rules import Nibble
from rules.lessons import Lesson
from tests.support.rules.naive import nibble as naive
from tests.support.rules.random_games import first_position, random_game

NIBBLE = Nibble()


def positions(options: dict[str, Any], number: int) -> Iterator[Position]:
    """Yield the positions of a random game in which the game goes on."""
    yield first_position(NIBBLE, options, number)
    for step in random_game(NIBBLE, options, number):
        if NIBBLE.to_move(step.after):
            yield step.after


def told(position: Position) -> dict[str, Lesson]:
    seat = position.to_move
    found = {name: NIBBLE.lesson(position, seat, name) for name in NIBBLE.taught}
    return {name: lesson for name, lesson in found.items() if lesson}


@pytest.mark.parametrize("options", NIBBLE.variants)
@pytest.mark.parametrize("number", range(3))
def test_lesson_examples_are_legal_and_illegal_as_explained(options: dict[str, Any], number: int) -> None:
    for position in positions(NIBBLE.options(options), number):
        for lesson in told(position).values():
            for move in lesson.allowed:
                assert f"“{move}”" in lesson.text
                assert NIBBLE.allows(position, position.to_move, move)
            for move in lesson.refused:
                assert move in lesson.text
                with pytest.raises(IllegalMove):
                    NIBBLE.parse(position, position.to_move, move)


@pytest.mark.parametrize("options", NIBBLE.variants)
def test_lesson_counts_are_right(options: dict[str, Any]) -> None:
    told_of = set()
    for position in positions(NIBBLE.options(options), 7):
        data, seat = NIBBLE.write(position), position.to_move
        own, other = data["taken"][seat], data["taken"][1 - seat]
        for name, lesson in told(position).items():
            if check := COUNTED.get(name):
                told_of.add(name)
                check(lesson.text, data["board"], own, other)
    assert told_of == set(COUNTED)


def check_colour(text: str, board: str, own: list[int], other: list[int]) -> None:
    found = re.search(r"all (\d+) blocks .* Of (\w) \w+ you have (\d+) and .* none, .* the other (\d+)", text)
    assert found is not None
    colour, full = "ABCDEFGHIJKLM".index(found[2]), len(own)
    assert [int(found[1]), int(found[3]), int(found[4])] == [full, own[colour], full - own[colour]]
    assert not other[colour]


def check_neighbours(text: str, board: str, own: list[int], other: list[int]) -> None:
    found = re.search(
        r"least (\d+) .* of (\w) \w+, (\w) \w+ and (\w) \w+, .* have (\d+), (\d+) and (\d+)\.", text
    )
    assert found is not None
    first, *_ = three = ["ABCDEFGHIJKLM".index(letter) for letter in found.groups()[1:4]]
    assert three == [first, first + 1, first + 2]
    assert [int(count) for count in found.groups()[4:]] == own[first : first + 3]
    assert int(found[1]) == naive.TRIPLES[board]


def check_most(text: str, board: str, own: list[int], other: list[int]) -> None:
    found = re.search(
        r"with (\d+) of its blocks .* opponent in (\w+) colours?, and fewer in (\w+) colours?\.", text
    )
    assert found is not None
    ahead, behind = (int({"no": "0", "one": "1"}.get(count, count)) for count in found.groups()[1:])
    assert ahead == sum(mine > theirs for mine, theirs in zip(own, other, strict=True))
    assert behind == sum(mine < theirs for mine, theirs in zip(own, other, strict=True))
    assert int(found[1]) == len(own) // 2 + 1


COUNTED = {"colour": check_colour, "neighbours": check_neighbours, "most": check_most}


@pytest.mark.parametrize("options", NIBBLE.variants)
def test_each_turn_explains_one_new_rule(options: dict[str, Any]) -> None:
    """A beginner sees all lessons after as many turns as there are rules."""
    for number in range(10):
        left = list(NIBBLE.taught)
        own = (each for each in positions(NIBBLE.options(options), number) if each.to_move == 0)
        for position in islice(own, len(left)):
            left.remove(next(name for name in left if name in told(position)))
        assert left == []


@pytest.mark.parametrize("options", NIBBLE.variants)
def test_lesson_about_groups_shows_a_refused_take_only_if_there_is_one(options: dict[str, Any]) -> None:
    games = chain.from_iterable(positions(NIBBLE.options(options), number) for number in range(5))
    found = set()
    for position in islice(games, 0, None, 4):
        holds = any("cut off" in why_not(position, name) for name in board_named(position.board).names.values())
        assert bool(told(position)["group"].refused) == holds
        found.add(holds)
    assert found == {True, False}


def why_not(position: Position, name: str) -> str:
    """Return why a block cannot be taken; "" if it can."""
    try:
        NIBBLE.parse(position, position.to_move, name)
    except IllegalMove as refusal:
        return str(refusal)
    return ""
