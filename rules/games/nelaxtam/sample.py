"""Random orders of Nelaxtam, fast. `below(n)` draws from 0 to n - 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rules.games.nelaxtam.board import bits_of, fronts, island, steps_to_front
from rules.games.nelaxtam.position import Position, living, open_ways
from rules.games.nelaxtam.turn import END, Orders, clash, invasion

END_OFFERS = 64
"""One turn in this many offers to end the game."""


_HOLD, _MOVE, _APPROACH, _ESCAPE, _STRIKE, _KILL = 1, 3, 12, 12, 6, 24
"""The relative weights with which an order is drawn."""
_APART = 4
"""The distance to the nearest friend beyond which a landing square gets no better."""
_AROUND = 2
"""The weight of each square around a landing square, relative to one step of distance."""
_LANDINGS = 6
"""The number of squares drawn for a landing troop, of which the best is taken."""


def random_orders(position: Position, seat: int, below: Callable[[int], int]) -> Orders:
    """Return random legal orders of a seat; every legal set is possible."""
    if not position.turn:
        return _random_invasion(position, seat, below)
    if not below(END_OFFERS):
        return END
    troops = list(living(position, seat).items())
    if position.quiet and troops:
        troops = [troops[below(len(troops))]]
    while True:
        orders = Orders(tuple(_sampled(position, troops, below)))
        if not clash(position, seat, orders):
            return orders


def _random_invasion(position: Position, seat: int, below: Callable[[int], int], draws: int = 1) -> Orders:
    """Draw the troops that land on the edge, then a free square for each, the best of some `draws`.

    With a single draw, every legal invasion can result.
    """
    land = island(position.size)
    sailors = list(range(position.army))
    while len(sailors) > position.sea:
        sailors.pop(below(len(sailors)))
    squares: dict[int, int] = {}
    for troop in (*sailors, *(other for other in range(position.army) if other not in sailors)):
        ground = [at for at in land.squares[seat] if at not in squares.values()]
        if troop in sailors:
            ground = [at for at in ground if at in land.edge]
        drawn = [ground[below(len(ground))] for _ in range(draws)]
        squares[troop] = max(drawn, key=lambda at: _room(position.size, at, squares.values()))
    return invasion(position, seat, [squares[troop] for troop in range(position.army)])


def promising_orders(position: Position, seat: int, below: Callable[[int], int]) -> Orders:
    """Return random legal orders that prefer attacks on troops, escapes and the way to the enemy's
    tiles, and never offer to end the game.

    At the invasion, troops land apart from one another, with many tiles around them.
    """
    if not position.turn:
        return _random_invasion(position, seat, below, _LANDINGS)
    troops = list(living(position, seat).items())
    if position.quiet and troops:
        troops = [troops[below(len(troops))]]
    enemies = bits_of(living(position, 1 - seat).values())
    near = fronts(position.size, position.tiles, seat)
    steps = island(position.size).board.steps
    while True:
        given: list[tuple[str, str]] = []
        taken = 0
        for troop, square in troops:
            ways = _weighed(position, square, enemies, taken, near)
            way = ways[below(len(ways))]
            if way:
                given.append((troop, way))
                taken |= 1 << steps[square][way]
        orders = Orders(tuple(given))
        if not clash(position, seat, orders):
            return orders


def _room(size: int, square: int, friends: Iterable[int]) -> int:
    """Return the value of a square for landing: the steps to the nearest friend, at most `_APART`, and the
    squares around it.
    """
    apart = min([_APART, *(_distance(size, square, other) for other in friends)])
    return apart + _AROUND * len(island(size).board.steps[square])


def _distance(size: int, one: int, other: int) -> int:
    """Return the steps between two squares, straight or diagonal."""
    return max(abs(one % size - other % size), abs(one // size - other // size))


def _weighed(position: Position, square: int, enemies: int, taken: int, near: Sequence[int]) -> list[str]:
    """Return the actions of a troop on squares that no friend has `taken` as a target, likely ones repeated.

    A troop away from the tiles of the enemy is likely to walk towards them; `near` are the fronts of its side.
    "" to hold is among them only if no tile is left to destroy: destroying one is usually better, and as safe.
    """
    steps = island(position.size).board.steps[square]
    ways = open_ways(position, square)
    in_reach = any(enemies >> steps[way] & 1 for way in ways if len(way) == 1)
    away = steps_to_front(square, near)
    moves, strikes = [], []
    for way in ways:
        if taken >> steps[way] & 1:
            continue
        if len(way) == 1:
            strikes += [way] * (_KILL if enemies >> steps[way] & 1 else _STRIKE)
        else:
            is_nearer = away and steps_to_front(steps[way], near) < away
            moves += [way] * (_ESCAPE if in_reach else _APPROACH if is_nearer else _MOVE)
    return moves + (strikes or [""] * _HOLD)


def _sampled(
    position: Position, troops: Iterable[tuple[str, int]], below: Callable[[int], int]
) -> Iterator[tuple[str, str]]:
    """Yield one order for each troop, or none for a troop that holds, each with equal chance."""
    for troop, square in troops:
        ways = open_ways(position, square)
        number = below(len(ways) + 1)
        if number < len(ways):
            yield troop, ways[number]
