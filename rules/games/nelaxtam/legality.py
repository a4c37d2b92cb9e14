"""Legal orders of Nelaxtam, and reasons why others are illegal, in sentences for the player."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from rules.errors import IllegalMove, NotYours
from rules.games.nelaxtam.board import island
from rules.games.nelaxtam.notation import Written
from rules.games.nelaxtam.position import SEATS, TROOPS, Position, living, open_ways
from rules.games.nelaxtam.turn import END, Orders, clash


def judge_orders(position: Position, seat: int, written: Sequence[Written]) -> Orders:
    """Return the written orders if they are legal. Raises IllegalMove."""
    return _turn(position, seat, written) if position.turn else _invasion(position, seat, written)


def _invasion(position: Position, seat: int, written: Sequence[Written]) -> Orders:
    landing: dict[str, str] = {}
    for order in written:
        if not order.troop:
            raise IllegalMove(f"“{order.where}” is not an order for the invasion: all your troops must land.")
        _check_troop(position, seat, order.troop, landing)
        landing[order.troop] = _landing_square(position, seat, order, landing)
    missing = [troop for troop in TROOPS[seat][: position.army] if troop not in landing]
    if missing:
        raise IllegalMove(f"Troop {missing[0]} has no square; write the squares of all your troops together.")
    _check_sea(position, landing)
    return Orders(tuple(sorted(landing.items())))


def _turn(position: Position, seat: int, written: Sequence[Written]) -> Orders:
    if any(order.where == "end" for order in written):
        if len(written) > 1:
            raise IllegalMove(
                "“end” offers to end the game. Write it alone, without orders: your troops hold in that turn."
            )
        return END
    ways: dict[str, str] = {}
    for order in written:
        if order.troop:
            _check_troop(position, seat, order.troop, ways)
            ways[order.troop] = _way(position, seat, order)
    orders = Orders(tuple(sorted((troop, way) for troop, way in ways.items() if way != "hold")))
    _check_together(position, seat, orders)
    return orders


def _check_troop(position: Position, seat: int, troop: str, named: Container[str]) -> None:
    """Check that the troop belongs to the seat, is alive or yet to land, and has not been named before."""
    ours = tuple(TROOPS[seat][: position.army])
    yours = f"you command {ours[0]} to {ours[-1]}" if len(ours) > 1 else f"you command only {ours[0]}"
    if troop in tuple(TROOPS[1 - seat][: position.army]):
        raise NotYours(f"Troop {troop} belongs to {SEATS[1 - seat]}; {yours}.")
    if troop not in ours:
        raise IllegalMove(f"There is no troop {troop}; {yours}.")
    if troop in named:
        raise IllegalMove(f"Troop {troop} is named twice; a troop gets one order per turn.")
    if position.turn and troop not in living(position, seat):
        raise IllegalMove(f"Troop {troop} is dead and takes no orders.")


def _landing_square(position: Position, seat: int, order: Written, landing: Mapping[str, str]) -> str:
    land, troop, square = island(position.size), order.troop, order.where
    if not square[-1].isdigit():
        fit = land.board.names[land.squares[seat][0]]
        raise IllegalMove(f"Troop {troop} must land: name a square, as in “{troop} {fit}”, not “{square}”.")
    if square not in land.board.index:
        raise IllegalMove(f"There is no square {square} on a board of {position.size} by {position.size}.")
    if order.verb in ("move", "destroy"):
        raise IllegalMove(f"Troops only land at the invasion: write “{troop} {square}” to land on {square}.")
    if land.board.index[square] not in land.squares[seat]:
        raise IllegalMove(f"Troop {troop} cannot land on {square}: the tile there is {SEATS[1 - seat]}'s.")
    for other, taken in landing.items():
        if taken == square:
            raise IllegalMove(
                f"Troops {other} and {troop} cannot both land on {square}: a tile holds only one troop."
            )
    return square


def _check_sea(position: Position, landing: Mapping[str, str]) -> None:
    land = island(position.size)
    inland = [troop for troop, square in landing.items() if land.board.index[square] not in land.edge]
    if position.army - len(inland) < position.sea:
        raise IllegalMove(
            f"At least {position.sea} of your troops must land on the edge of the board,"
            f" but {', '.join(sorted(inland))} would land inland."
        )


def _way(position: Position, seat: int, order: Written) -> str:
    """Return the direction of an order that is legal on its own, or "hold"."""
    if order.where == "hold":
        return "hold"
    square = living(position, seat)[order.troop]
    way = _way_to(position, square, order) if order.where[-1].isdigit() else order.where
    if order.verb and order.verb != ("move" if len(way) == 2 else "destroy"):
        to = "to " if order.verb == "move" and order.where[-1].isdigit() else ""
        raise IllegalMove(
            f"Troop {order.troop} cannot {order.verb} {to}{order.where}:"
            " a troop moves ne, se, sw or nw and destroys n, e, s or w."
        )
    if way not in open_ways(position, square):
        raise IllegalMove(_no_tile(position, square, order.troop, way))
    return way


def _way_to(position: Position, square: int, order: Written) -> str:
    """Return the direction from `square` to the square beside it that the order names."""
    board = island(position.size).board
    here = board.names[square]
    if order.where == here:
        raise IllegalMove(f"Troop {order.troop} is already on {here}; write “{order.troop} hold” to stay.")
    for way, target in board.steps[square].items():
        if board.names[target] == order.where:
            return way
    raise IllegalMove(
        f"Troop {order.troop} on {here} cannot act on {order.where}: it reaches only the squares beside {here}."
    )


def _no_tile(position: Position, square: int, troop: str, way: str) -> str:
    board = island(position.size).board
    if way not in board.steps[square]:
        act = "move" if len(way) == 2 else "destroy"
        return f"Troop {troop} on {board.names[square]} cannot {act} {way}: the board ends there."
    target = board.names[board.steps[square][way]]
    if len(way) == 2:
        return f"Troop {troop} cannot move {way} to {target}: the tile there is gone."
    return f"Troop {troop} cannot destroy {target}: the tile there is already gone."


def _check_together(position: Position, seat: int, orders: Orders) -> None:
    """Check that orders which are legal one by one do not exclude each other."""
    if position.quiet and len(orders.given) > 1:
        acting = " and ".join(troop for troop, _ in orders.given[:2])
        raise IllegalMove(f"In the quiet game one troop per side acts in a turn, but {acting} have orders.")
    found = clash(position, seat, orders)
    if not found:
        return
    one, two, number = found
    square = island(position.size).board.names[number]
    movers = [troop for troop, way in orders.given if len(way) == 2]
    if one in movers and two in movers:
        raise IllegalMove(f"Troops {one} and {two} cannot both move to {square}: a tile holds only one troop.")
    mover, friend = (one, two) if one in movers else (two, one)
    raise IllegalMove(f"Troop {mover} cannot move to {square}: troop {friend} stays there.")
