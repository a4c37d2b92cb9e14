"""The move builder of Nelaxtam: squares to land on; later a troop, its order, then the next troop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.drawing.diagram import Diagram
from rules.games.nelaxtam.board import island
from rules.games.nelaxtam.picture import picture
from rules.games.nelaxtam.position import TROOPS, Position, living, open_ways
from rules.games.nelaxtam.turn import END, HOLD, Orders, clash, invasion, landings
from rules.move_builder import MoveBuilder, Pick

_WHOLE = {"hold": HOLD, "end": END}
"""Complete orders that are one pick."""


@dataclass(frozen=True)
class LandingBuilder(MoveBuilder[Orders]):
    """The squares where the first troops of a seat land."""

    position: Position
    seat: int
    squares: tuple[int, ...] = ()

    def picks(self) -> Iterator[Pick]:
        """Yield the squares where the next troop can land, so that enough of the others still land on
        the edge.
        """
        if len(self.squares) == self.position.army:
            return
        land, troop = island(self.position.size), TROOPS[self.seat][len(self.squares)]
        inland = sum(square not in land.edge for square in self.squares)
        only_edge = inland == self.position.army - self.position.sea
        for square in landings(self.position, self.seat):
            if square not in self.squares and (square in land.edge or not only_edge):
                name = land.board.names[square]
                yield Pick(name, name, f"troop {troop} lands on {name}", "land")

    def picked(self, text: str) -> LandingBuilder:
        return replace(self, squares=(*self.squares, island(self.position.size).board.index[text]))

    def move(self) -> Orders | None:
        complete = len(self.squares) == self.position.army
        return invasion(self.position, self.seat, self.squares) if complete else None

    def diagram(self) -> Diagram:
        return picture(self.position, None, invasion(self.position, self.seat, self.squares))


@dataclass(frozen=True)
class OrdersBuilder(MoveBuilder[Orders]):
    """The orders given so far, by troop; `troop` was picked and needs its order.

    A troop that is picked again gets another order, or holds.
    """

    position: Position
    seat: int
    given: tuple[tuple[str, str], ...] = ()
    troop: str = ""
    whole: str = ""

    def picks(self) -> Iterator[Pick]:
        if self.whole:
            return
        if self.troop:
            yield from self._acts(self.troop)
            return
        names = island(self.position.size).board.names
        for troop, square in living(self.position, self.seat).items():
            if next(self._acts(troop), None):
                yield Pick(troop, names[square], f"troop {troop} on {names[square]}", "troop", lifts=True)
        if not self.given:
            yield Pick("hold", "", "all troops hold", "turn")
            yield Pick("end", "", "offer to end; all troops hold", "turn")

    def picked(self, text: str) -> OrdersBuilder:
        if self.troop:
            acts = () if text == "hold" else ((self.troop, text),)
            return replace(self, given=(*self._others(self.troop), *acts), troop="")
        return replace(self, whole=text) if text in _WHOLE else replace(self, troop=text)

    def move(self) -> Orders | None:
        if self.whole:
            return _WHOLE[self.whole]
        orders = _orders(self.given)
        ready = self.given and not self.troop and not clash(self.position, self.seat, orders)
        return orders if ready else None

    def marks(self) -> tuple[str, ...]:
        if not self.troop:
            return ()
        return (island(self.position.size).board.names[living(self.position, self.seat)[self.troop]],)

    def diagram(self) -> Diagram:
        return picture(self.position, None, _orders(self.given))

    def _acts(self, troop: str) -> Iterator[Pick]:
        """Yield the orders that a troop can get, given those of the others; "hold" only if it already has an
        order.
        """
        board, square = island(self.position.size).board, living(self.position, self.seat)[troop]
        others = self._others(troop)
        if self.position.quiet and others:
            return
        for way in open_ways(self.position, square):
            if self._can_stand((*others, (troop, way))):
                target = board.names[board.steps[square][way]]
                group, verb = ("move", "moves to") if len(way) == 2 else ("destroy", "destroys")
                label, destroys = f"troop {troop} {verb} {target} ({way})", group == "destroy"
                yield Pick(way, target, label, group, destroys=destroys)
        if others != self.given and self._can_stand(others):
            yield Pick("hold", board.names[square], f"troop {troop} holds", "hold")

    def _others(self, troop: str) -> tuple[tuple[str, str], ...]:
        return tuple(pair for pair in self.given if pair[0] != troop)

    def _can_stand(self, given: tuple[tuple[str, str], ...]) -> bool:
        """Return whether no two troops end on one tile, or those without an order can still make way."""
        found = clash(self.position, self.seat, _orders(given))
        if not found:
            return True
        if self.position.quiet:
            return False
        troops, ordered = living(self.position, self.seat), dict(given)
        return any(
            self._can_stand((*given, (troop, way)))
            for troop in found[:2]
            if troop not in ordered
            for way in open_ways(self.position, troops[troop])
            if len(way) == 2
        )


def picks_of(orders: Orders) -> tuple[str, ...]:
    """Return each troop and its order; at the invasion only the squares."""
    for text, whole in _WHOLE.items():
        if orders == whole:
            return (text,)
    if orders.given[0][1][-1].isdigit():
        return tuple(square for _, square in orders.given)
    return tuple(text for pair in orders.given for text in pair)


def _orders(given: tuple[tuple[str, str], ...]) -> Orders:
    return Orders(tuple(sorted(given)))
