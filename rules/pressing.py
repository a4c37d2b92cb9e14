"""Presses on places of the board: the picks that follow from one, or the reason why it is not possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from rules.errors import IllegalMove, Unreadable, WrongMove
from rules.game import Rules
from rules.move_builder import alone

P = TypeVar("P")
M = TypeVar("M")

_MOST_LOST = 2
"""The number of picks that a press elsewhere may take back."""


def pressed(rules: Rules[P, M], position: P, seat: int, picks: Sequence[str], place: str) -> tuple[str, ...]:
    """Return the picks of `seat` after a press on the board's place `place`.

    The place is picked next or, if that is not possible, instead of the last picks. If only one piece can go
    there, and only in one way, both are picked. If nothing is possible, raises IllegalMove, with the sentence
    that answers a written move with this place.
    """
    for kept in _fewer(picks):
        found = alone(rules.choices(position, seat, kept).picks).get(place)
        if found is not None:
            return (*kept, found.text)
    ways = list(_ways(rules, position, seat, picks, place))
    if len(ways) == 1:
        return (*picks, *ways[0])
    raise IllegalMove(_reason(rules, position, seat, picks, place))


def _fewer(picks: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the picks, then those without the last, and so on."""
    return [tuple(picks[: len(picks) - lost]) for lost in range(min(len(picks), _MOST_LOST) + 1)]


def _ways(
    rules: Rules[Any, Any], position: Any, seat: int, picks: Sequence[str], place: str
) -> Iterator[tuple[str, str]]:
    """Yield all next two picks that take a piece to a place."""
    for piece in rules.choices(position, seat, picks).picks:
        if piece.lifts:
            for target in rules.choices(position, seat, (*picks, piece.text)).picks:
                if target.place == place:
                    yield piece.text, target.text


def _reason(rules: Rules[P, M], position: P, seat: int, picks: Sequence[str], place: str) -> str:
    """Return the reason why a place cannot be picked."""
    offered = rules.choices(position, seat, picks).picks
    if any(pick.place == place for pick in offered):
        return f"{place} can be picked in several ways: use the buttons."
    for kept in _fewer(picks):
        try:
            rules.parse(position, seat, " ".join(_completed(rules, position, seat, kept, place)))
        except Unreadable:
            continue
        except WrongMove as problem:
            return str(problem)
    if not offered:
        return f"{place} cannot be picked: the move is complete."
    return f"{place} cannot be picked now. Possible: {_some([pick.label for pick in offered])}."


def _completed(
    rules: Rules[Any, Any], position: Any, seat: int, picks: Sequence[str], place: str
) -> tuple[str, ...]:
    """Return the picks with this place, and as many others as a complete move needs."""
    way, choices = list(picks), rules.choices(position, seat, picks)
    while choices.picks and (len(way) == len(picks) or not choices.move):
        way.append(choices.picks[0].text)
        choices = rules.choices(position, seat, way)
    return (*picks, place, *way[len(picks) + 1 :])


def _some(labels: Sequence[str]) -> str:
    """Return the first labels."""
    return ", ".join(labels[:3]) + (", …" if len(labels) > 3 else "")
