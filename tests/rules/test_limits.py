"""The cost of reading a text is limited by its length, and a text that is too long is not read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rules.errors import Ambiguous, Unreadable
from rules.game import Json
from rules.limits import LONGEST_MOVE
from tests.support.counting import steps
from tests.support.rules.every_game import every_game, one_of_each_game_type, sampled
from tests.support.rules.positions.nibble import NIBBLE, data
from tests.support.rules.random_games import AnyRules

pytestmark = pytest.mark.slow

TOKENS = (
    *("a1", "a 1", "m13", "n", "7", "9x ", "hand/1/2", "/3", "24/off", "(9)", "*", "-", "–", "->", ">", "x"),
    *(
        "add ",
        "move ",
        "rings ",
        "remove ",
        "sac ",
        "take ",
        "red ",
        "blue ",
        "a1 and ",
        "to ",
        "and ",
        "pass ",
    ),
    *("1 ne ", "A ne, ", "troop 1 ", "moves to ", "north ", "hold ", "end ", "e5 ", "swap ", "xa1-", "flip "),
    *("2 ", "é", "İ", "ß", "\u0661", "𝟏", " ", "\n", ",", ";", ".", "&", "+", ":", "?", "a1-b2 ", "hand/3 "),
)
"""Words that the five games know, and separators between them."""


def pathological(token: str, times: int) -> Iterator[str]:
    """Yield a token many times: by itself, separated, numbered, behind a verb; and the same with a
    spoiled end.
    """
    numbered = (f"{token.strip()}{number}" for number in range(times))
    for text in (token * times, f"{token} " * times, ", ".join(numbered)):
        yield text
        yield f"{text} !"
    yield f"add a1 {token * times}"
    yield f"move a1-{token * times}"


@pytest.mark.sample(2)
@one_of_each_game_type
def test_move_is_read_in_linear_time(rules: AnyRules, options: Json) -> None:
    """A text four times as long may take four or five times the steps, and some extra that even short texts
    need.
    """
    turns = sampled(rules, options)
    step = turns[len(turns) // 3]
    seat = rules.to_move(step.before)[0]
    for token in TOKENS:
        for short, long in zip(pathological(token, 40), pathological(token, 160), strict=True):
            few = steps(rules.understand, step.before, seat, short)
            many = steps(rules.understand, step.before, seat, long)
            assert many <= 5 * few + 4000, f"{long[:60]!r}…"


@pytest.mark.sample(2)
@one_of_each_game_type
def test_longest_move_is_read_in_milliseconds(rules: AnyRules, options: Json) -> None:
    turns = sampled(rules, options)
    step = turns[len(turns) // 3]
    seat = rules.to_move(step.before)[0]
    for token in TOKENS:
        for text in pathological(token, LONGEST_MOVE // len(token)):
            assert steps(rules.parse, step.before, seat, text[:LONGEST_MOVE]) < 300_000


def test_largest_takes_are_found_without_thousands_of_smaller_ones() -> None:
    """Thirteen blocks on a ring, each free, two of which cannot go together: 6,143 takes are legal."""
    row = "BCDEFGHIJKLMB"
    rows = ["." * 13, "." * 13, "." * 13, "..A.A.A.A.A..", f"{row[:-1]}A", "C.....A.....D", "E...........F"]
    rows += ["G...........H", f"A{row[1:]}", "..A.A.A.A.A..", "." * 13, "." * 13, "." * 13]
    position = NIBBLE.read({"board": "square-13"}, data("square-13", rows))
    with pytest.raises(Ambiguous) as ambiguous:
        NIBBLE.parse(position, 0, "take red")
    assert len(ambiguous.value.choices) == 2
    assert steps(NIBBLE.parse, position, 0, "take red") < 300_000
    assert steps(NIBBLE.examples, position, 0) < 300_000


@every_game
def test_text_longer_than_any_move_is_refused_unread(rules: AnyRules, options: Json) -> None:
    step = sampled(rules, options)[0]
    seat = rules.to_move(step.before)[0]
    text = rules.format(step.moves[seat]).ljust(LONGEST_MOVE)
    assert rules.parse(step.before, seat, text) == step.moves[seat]
    with pytest.raises(
        Unreadable, match=f"A move can have at most {LONGEST_MOVE} characters; this one has 97000."
    ):
        rules.parse(step.before, seat, "a1 " * 32_333 + "b")
    assert not rules.reads(step.before, seat, "a1 " * 32_333)
    assert steps(rules.parse, step.before, seat, "a1 " * 32_333) < 100


@every_game
def test_every_legal_move_is_much_shorter_than_the_limit(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options):
        for move in step.moves.values():
            assert len(rules.format(move)) < LONGEST_MOVE / 10
