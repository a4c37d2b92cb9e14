"""The syntax of conditional moves."""

from __future__ import annotations

import pytest

from server.game.play import conditional_moves
from tests.support import counting


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("if e5 then d4", ("e5", "d4")),
        ("IF E5 THEN D4.", ("E5", "D4.")),
        ("if e5, then d4; if c3 then b2", ("e5", "d4", "c3", "b2")),
        ("if e5 then d4 and if c3 then b2", ("e5", "d4", "c3", "b2")),
        ("if e5 then d4, then if c3 then b2", ("e5", "d4", "c3", "b2")),
        ("If: e5 and then d4", ("e5", "d4")),
        ("if a1 and c3 then\nb2, d4", ("a1 and c3", "b2, d4")),
        ("if rings m10 m11 > p9 q9, then add m13, m14", ("rings m10 m11 > p9 q9", "add m13, m14")),
        ("if e5", ()),
        ("if e5 d4", ()),
        ("if e5 then", ()),
        ("if then d4", ()),
        ("if e5 then d4, if c3", ()),
        ("if e5 then d4 then c3", ()),
        ("if e5 if d4 then c3", ()),
        ("e5 then d4", ()),
        ("c4 if e5 then d4", ()),
        ("", ()),
    ],
)
def test_conditional_line_is_split_into_moves(line: str, steps: tuple[str, ...]) -> None:
    assert conditional_moves.steps(line) == steps


@pytest.mark.parametrize(
    ("text", "move", "conditions"),
    [
        ("c4\nif e5 then d4\nif e6 then d3", "c4", "if e5 then d4\nif e6 then d3"),
        ("c4", "c4", ""),
        ("If e5 then d4", "", "If e5 then d4"),
        ("add m13\nm14 m15\r\n  IF swap then x", "add m13\nm14 m15", "  IF swap then x"),
        ("iffy", "iffy", ""),
        ("", "", ""),
    ],
)
def test_move_with_conditional_moves_below(text: str, move: str, conditions: str) -> None:
    assert conditional_moves.parted(text) == (move, conditions)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("if swap then d4", True),
        ("if z9 then d4", True),
        ("if Ben plays then z9 would be bad", True),
        ("if swap d4", True),
        ("if we swap then tell me", False),
        ("if you come at 9 then call me", False),
        ("if so then why not", False),
        ("if", False),
    ],
)
def test_conditional_line_with_a_move_or_a_number_is_meant(line: str, meant: bool) -> None:
    """A wrong move, such as z9, is refused with the reason; other sentences that begin with “if” are prose."""
    assert conditional_moves.is_meant(line, lambda text: text in ("swap", "swap d4")) is meant


@pytest.mark.parametrize(
    ("line", "below", "goes_on"),
    [
        ("if e5 then", "d4", True),
        ("if e5 then d4", "then if c3 then b2", True),
        ("if rings m10 then add", "m13", True),
        ("if e5 then d4", "c3", True),
        ("if e5 then d4", "Good luck!", False),
        ("if off", "c3", False),
        ("If off.", "c3", False),
    ],
)
def test_wrapped_conditional_line_goes_on_below(line: str, below: str, goes_on: bool) -> None:
    assert conditional_moves.goes_on(line, below, lambda text: text in ("c3", "add m13")) is goes_on


@pytest.mark.parametrize(
    ("begin", "piece", "moves"),
    [("if", " ", ()), ("if ", ", ", ()), ("if ", "then ", ()), ("", "if a then b ", ("a", "b"))],
)
def test_line_is_read_in_linear_time(begin: str, piece: str, moves: tuple[str, ...]) -> None:
    """Otherwise an email could block the server for minutes."""
    assert conditional_moves.steps(begin + piece * 5000) == moves * 5000
    few = counting.steps(conditional_moves.steps, begin + piece * 500)
    assert counting.steps(conditional_moves.steps, begin + piece * 2000) <= 4 * few + 1000
