"""The turns and the result of a record, from and to JSON; a turn has one of three forms."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard, TypeVar

from rules.errors import BadData
from rules.game import Json
from rules.limits import LONGEST_NAME
from rules.reasons import LEAVING, REASONS, Reason
from rules.result import Result
from rules.sentences import shortened

T = TypeVar("T")


@dataclass(frozen=True)
class Moved:
    """A move of one seat; `dice` are the numbers rolled for it, () if none are."""

    seat: int
    move: str
    dice: tuple[int, ...] = ()

    def to_json(self) -> Json:
        """Return the turn as in a record."""
        dice = {"dice": list(self.dice)} if self.dice else {}
        return {"seat": self.seat, "move": self.move, **dice}

    def texts(self) -> dict[int, str]:
        """Return the moves as text, by seat."""
        return {self.seat: self.move}


@dataclass(frozen=True)
class Ordered:
    """Simultaneous orders: pairs of seat and text, ascending; a missing seat gave none."""

    orders: tuple[tuple[int, str], ...]

    def to_json(self) -> Json:
        """Return the turn as in a record."""
        return {"orders": {str(seat): text for seat, text in self.orders}}

    def texts(self) -> dict[int, str]:
        """Return the orders as text, by seat."""
        return dict(self.orders)


@dataclass(frozen=True)
class Left:
    """A seat left the game; `reason` is one of `LEAVING`."""

    seat: int
    reason: Reason

    def to_json(self) -> Json:
        """Return the turn as in a record."""
        return {"seat": self.seat, "leave": str(self.reason)}

    def texts(self) -> dict[int, str]:
        """Return {}: there is no move."""
        return {}


Turn = Moved | Ordered | Left


def read_turn(data: object, seats: int) -> Turn:
    """Return a turn of a game with this many seats. Raises BadData, which lists the possible forms."""
    match data:
        case {"orders": dict(orders), **rest} if not rest:
            return Ordered(tuple(sorted(_orders(orders, seats))))
        case {"seat": seat, "leave": reason, **rest} if not rest:
            if reason not in LEAVING:
                raise BadData(f'"leave" must be "resigned" or "timeout", not {shown(reason)}.')
            return Left(_seat(seat, seats), REASONS[reason])
        case {"seat": seat, "move": str(move), **rest} if not rest:
            return Moved(_seat(seat, seats), move)
        case {"seat": seat, "move": str(move), "dice": dice, **rest} if not rest:
            return Moved(_seat(seat, seats), move, _dice(dice))
    forms = '{"seat": 0, "move": "…"} (with "dice": [3, 5] if dice are rolled), {"orders": {"0": "…"}} or '
    raise BadData(f'{shown(data)} is not a turn. A turn is {forms}{{"seat": 0, "leave": "resigned"}}.')


def read_result(data: object, seats: int) -> Result | None:
    """Return a result, None for null; raises BadData."""
    match data:
        case None:
            return None
        case {"winners": winners, "reason": str(reason), **rest} if not rest.keys() - {
            "scores",
            "places",
            "why",
        }:
            if not is_list(winners, int) or len(winners) > seats or not set(winners) <= set(range(seats)):
                raise BadData(f'"winners" must list seats from 0 to {seats - 1}, not {shown(winners)}.')
            if len(reason) > LONGEST_NAME:
                raise BadData(f'"reason" can have at most {LONGEST_NAME} characters, not {len(reason)}.')
            if not winners and reason not in (Reason.ABORTED, Reason.RULED):
                raise BadData('Unless a game is "aborted" or "ruled", a player wins or several share a draw.')
            scores, places = _numbers(rest, "scores", seats), _numbers(rest, "places", seats)
            return Result(tuple(winners), reason, scores, places, _why(rest, reason))
    raise BadData(f'"result" must be null or {{"winners": [0], "reason": "…"}}, not {shown(data)}.')


def _why(rest: Mapping[Any, object], reason: str) -> str:
    """Return the explanation of the administrator who decided a game, "" if there is none."""
    if "why" in rest and reason != Reason.RULED:
        raise BadData('Only a result with the reason "ruled" can have "why".')
    why = rest.get("why", "")
    if not isinstance(why, str) or len(why) > LONGEST_NAME or "\n" in why:
        raise BadData(f'"why" must be one line of at most {LONGEST_NAME} characters, not {shown(why)}.')
    return why


def is_list(data: object, sort: type[T]) -> TypeGuard[list[T]]:
    """Return whether `data` is a list of this sort; true and false do not count as numbers."""
    return isinstance(data, list) and all(type(item) is sort for item in data)


def shown(data: object) -> str:
    """Return data for a message: as written, but shortened."""
    return shortened(json.dumps(data), 80)


def _seat(seat: object, seats: int) -> int:
    if type(seat) is not int or not 0 <= seat < seats:
        raise BadData(f"There is no seat {shown(seat)}: seats are numbered from 0 to {seats - 1}.")
    return seat


def _orders(orders: Mapping[Any, object], seats: int) -> Iterator[tuple[int, str]]:
    numbers = {str(seat): seat for seat in range(seats)}
    for name, text in orders.items():
        if name not in numbers:
            raise BadData(f"There is no seat {shown(name)}: seats are numbered from 0 to {seats - 1}.")
        if not isinstance(text, str):
            raise BadData(f"The orders of seat {name} must be text, not {shown(text)}.")
        yield numbers[name], text


def _dice(dice: object) -> tuple[int, ...]:
    if not is_list(dice, int) or not dice or not all(1 <= number <= 6 for number in dice):
        raise BadData(f'"dice" must list the numbers rolled, from 1 to 6 each, not {shown(dice)}.')
    return tuple(dice)


def _numbers(result: Mapping[Any, object], key: str, seats: int) -> tuple[int, ...] | None:
    if key not in result:
        return None
    numbers = result[key]
    if not is_list(numbers, int):
        raise BadData(f'"{key}" must be a list of whole numbers, not {shown(numbers)}.')
    if len(numbers) > seats:
        raise BadData(f'"{key}" can have at most one number per seat, not {len(numbers)}.')
    return tuple(numbers)
