"""Nelaxtam, by Jorge Gomez Arrausi: two armies take an island apart, with secret simultaneous orders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any, ClassVar

from rules.drawing.description import in_order
from rules.drawing.diagram import Diagram
from rules.errors import BadData, IllegalMove
from rules.game import Json, Rules, Step
from rules.games.nelaxtam import description
from rules.games.nelaxtam.board import controlled, island
from rules.games.nelaxtam.estimate import estimate
from rules.games.nelaxtam.legality import judge_orders
from rules.games.nelaxtam.move_builder import LandingBuilder, OrdersBuilder, picks_of
from rules.games.nelaxtam.notation import read_move, write_move
from rules.games.nelaxtam.picture import picture, story
from rules.games.nelaxtam.playout import playout
from rules.games.nelaxtam.position import (
    SEATS,
    TROOPS,
    Position,
    living,
    open_ways,
    read_position,
    write_position,
)
from rules.games.nelaxtam.sample import promising_orders, random_orders
from rules.games.nelaxtam.turn import (
    END,
    HOLD,
    STANDSTILL,
    Orders,
    clash,
    counted,
    ended,
    invasion,
    landed,
    landings,
    resolved,
)
from rules.move_builder import MoveBuilder
from rules.options import Option
from rules.reading import need_no_more, typed_whole, typed_word
from rules.result import Result
from rules.sentences import SeatNames, listed

SIZES = {"wild": (10, 12, 14), "quiet": (8, 10, 12, 14)}


class Nelaxtam(Rules[Position, Orders]):
    """Move diagonally on your own tiles, destroy the enemy's tiles beside you; the player who controls more
    tiles wins.
    """

    name: ClassVar[str] = "nelaxtam"
    title: ClassVar[str] = "Nelaxtam"
    scored: ClassVar[str] = "Tiles"
    primer: ClassVar[str] = (
        "You win if you own more tiles than the other side when nothing can be destroyed any more; a side "
        "without troops loses all its tiles. Both sides land their troops on tiles of their own colour, and "
        "then give secret orders in each turn: all moves are carried out first, then all destructions, and "
        "tiles that are cut off from the troops of their owner are lost. A troop walks diagonally (ne, se, "
        "sw or nw) to a tile of its own colour, or destroys the enemy tile beside it (n, e, s or w) and any "
        "troop on it."
    )
    meanings: ClassVar[Mapping[str, str]] = {
        "hold": "all your troops stay",
        "end": "you offer to end the game and count the tiles",
    }
    variants: ClassVar[tuple[Mapping[str, object], ...]] = (
        {},
        {"size": 10, "troops": 3, "sea": 2},
        {"size": 14},
        {"mode": "quiet"},
        {"mode": "quiet", "size": 8},
    )
    offered: ClassVar[Mapping[str, Option]] = {
        "size": Option(
            "Squares on each side of the board; 8 only in a quiet game.",
            SIZES["quiet"],
            {size: f"{size} by {size} squares" for size in SIZES["quiet"]},
        ),
        "troops": Option(
            "Troops on each side.",
            range(1, 6),
            {1: "1 troop each", **{troops: f"{troops} troops each" for troops in range(2, 6)}},
        ),
        "sea": Option(
            "Minimum number of troops that land on the edge.",
            range(6),
            {0: "landing anywhere", **{least: f"at least {least} on the edge" for least in range(1, 6)}},
        ),
        "mode": Option(
            "Troops that act in a turn.",
            tuple(SIZES),
            {"wild": "wild (all troops act)", "quiet": "quiet (one troop acts)"},
        ),
    }
    simultaneous: ClassVar[bool] = True
    obliged = "In the first turn all troops must land."
    reasons: ClassVar[Mapping[str, str]] = {
        "exhausted": "no tile of one side lies beside a tile of the other",
        "agreed-end": "both sides offered to end the game",
        "standstill": f"no tile was lost in {STANDSTILL} turns in a row",
    }
    playout_share: ClassVar[float] = 0.5

    # The start of a game

    def options(self, given: Mapping[str, object]) -> Json:
        names = ", ".join(self.offered)
        need_no_more(given, self.offered, f"Nelaxtam has no option “{{}}”; it has {names}.")
        modes, wrong = self.offered["mode"].values, "The mode is wild or quiet, not “{}”."
        mode = typed_word(given.get("mode", "wild"), modes, wrong)
        size = _number("size", given.get("size", 12))
        if size not in SIZES[mode]:
            allowed = ", ".join(map(str, SIZES[mode]))
            raise BadData(f"The size of a {mode} game is one of {allowed}, not {size}.")
        troops = _number("troops", given.get("troops", 5))
        if troops not in self.offered["troops"].values:
            raise BadData(f"Each side has 1 to 5 troops, not {troops}.")
        sea = _number("sea", given.get("sea", min(3, troops)))
        if not 0 <= sea <= troops:
            raise BadData(f"With {troops} troops per side, “sea” is from 0 to {troops}, not {sea}.")
        return {"size": size, "troops": troops, "sea": sea, "mode": mode}

    def seats(self, options: Json) -> tuple[str, ...]:
        return SEATS

    def signs(self, position: Position) -> tuple[str, ...]:
        armies = (tuple(living(position, seat)) or TROOPS[seat][: position.army] for seat in (0, 1))
        return tuple(
            f"tiles {tile} and the {'troops' if len(army) > 1 else 'troop'} {listed(army)}"
            for tile, army in zip("ox", armies, strict=True)
        )

    def usual_turns(self, options: Json) -> int:
        return 55

    def start(self, options: Json, setup: Json) -> Position:
        if setup:
            raise BadData("Nelaxtam starts with the complete island; it has no setup.")
        return Position(
            size=options["size"],
            army=options["troops"],
            sea=options["sea"],
            quiet=options["mode"] == "quiet",
            tiles=(1 << options["size"] ** 2) - 1,
        )

    # Positions as data

    def write(self, position: Position) -> Json:
        return write_position(position)

    def memory(self, position: Position) -> tuple[str, ...]:
        return ("end",) if position.agreed else ()

    def read(self, options: Json, data: Json, memory: Sequence[str] = ()) -> Position:
        return replace(read_position(self.start(options, {}), data), agreed="end" in memory)

    # Whose turn it is

    def to_move(self, position: Position) -> tuple[int, ...]:
        return () if self.result(position) else (0, 1)

    def result(self, position: Position) -> Result | None:
        if not position.turn:
            return None
        reason = ended(position.size, position.tiles, agreed=position.agreed, quiet_turns=position.quiet_turns)
        if not reason:
            return None
        return counted(position.size, controlled(position.size, position.tiles, position.troops), reason)

    # Moves

    def understand(self, position: Position, seat: int, text: str) -> Orders:
        written = read_move(text, seat, landing=not position.turn)
        if self.result(position):
            raise IllegalMove("The game is over.")
        return judge_orders(position, seat, written)

    def format(self, move: Orders) -> str:
        return write_move(move)

    def moves(self, position: Position, seat: int, only: str = "") -> Iterator[Orders]:
        if seat not in self.to_move(position):
            return
        if not position.turn:
            for squares in _landings(position, landings(position, seat), position.army, position.sea):
                yield invasion(position, seat, squares)
            return
        yield HOLD
        yield END
        ways = {troop: open_ways(position, square) for troop, square in living(position, seat).items()}
        most = 1 if position.quiet else position.army
        for acting in range(1, most + 1):
            for troops in combinations(ways, acting):
                for chosen in product(*(ways[troop] for troop in troops)):
                    orders = Orders(tuple(zip(troops, chosen, strict=True)))
                    if not clash(position, seat, orders):
                        yield orders

    def sample(self, position: Position, seat: int, below: Callable[[int], int]) -> Orders:
        return random_orders(position, seat, below)

    def may_abstain(self, position: Position) -> bool:
        """Return whether troops without orders hold: always, except that every player must land."""
        return position.turn > 0

    def play(self, position: Position, moves: Mapping[int, Orders]) -> Position:
        return resolved(position, moves) if position.turn else landed(position, moves)

    # Move builders

    def move_builder(self, position: Position, seat: int) -> MoveBuilder[Orders]:
        return OrdersBuilder(position, seat) if position.turn else LandingBuilder(position, seat)

    def picks_of(self, position: Position, seat: int, move: Orders) -> tuple[str, ...]:
        return picks_of(move)

    # For computer players

    def evaluate(self, position: Position) -> tuple[float, float]:
        return estimate(position)

    def candidates(self, position: Position, seat: int) -> Iterator[Orders]:
        """Return the orders of a seat, without the offer to end the game if it would lose then."""
        loses = counted(position.size, position.tiles, "").winners == (1 - seat,)
        return (orders for orders in self.moves(position, seat) if not (orders.end and loses))

    def promising(self, position: Position, seat: int, below: Callable[[int], int]) -> Orders:
        return promising_orders(position, seat, below)

    def playout(self, position: Position, below: Callable[[int], int], most: int) -> tuple[Result | None, int]:
        return playout(position, below, most)

    # For people

    def listing(self, position: Position, only: str = "", limit: int | None = None) -> dict[str, Any]:
        """Return the possible orders of each troop on its own, by seat and troop."""
        return {
            str(seat): {troop: list(choices) for troop, choices in _alone(position, seat).items()}
            for seat in self.to_move(position)
        }

    def diagram(
        self, position: Position, step: Step[Position, Orders] | None = None, plan: Orders | None = None
    ) -> Diagram:
        return picture(position, step, plan)

    def pieces(self, position: Position, seat: int | None, picture: Diagram) -> list[str]:
        return list(description.pieces(position))

    def possible(self, position: Position, seat: int) -> list[str]:
        """Return the squares to land on at the invasion; later the possible orders of each troop, "hold"
        included.
        """
        if seat not in self.to_move(position):
            return []
        if not position.turn:
            troops, squares = zip(*_alone(position, seat).items(), strict=True)
            return [f"Troops {listed(troops)} can land on {', '.join(in_order(squares[0]))}."]
        acts = {troop: [label for _, label in _acts(position, seat, troop)] for troop in living(position, seat)}
        return [f"Troop {troop} can {', '.join([*labels, 'hold'])}." for troop, labels in acts.items()]

    def story(self, step: Step[Position, Orders], names: SeatNames | None = None) -> list[str]:
        return story(step)

    def examples(self, position: Position, seat: int) -> tuple[str, ...]:
        if seat not in self.to_move(position):
            return ()
        if not position.turn:
            return tuple(write_move(orders) for orders in _example_invasions(position, seat))
        return (*_example_orders(position, seat), "hold", "end")


def _number(name: str, value: object) -> int:
    return typed_whole(value, f"“{name}” is a whole number, not {{!r:.40}}.")


def _alone(position: Position, seat: int) -> dict[str, list[str]]:
    """Return, for each troop, the squares to land on at the invasion; later "hold" and the open directions."""
    if not position.turn:
        names = island(position.size).board.names
        squares = [names[square] for square in landings(position, seat)]
        return dict.fromkeys(TROOPS[seat][: position.army], squares)
    return {troop: ["hold", *_ways(position, seat, troop)] for troop in living(position, seat)}


def _ways(position: Position, seat: int, troop: str) -> tuple[str, ...]:
    """Return the directions for a troop, except those blocked by a friend that cannot move in the same turn."""
    ways = open_ways(position, living(position, seat)[troop])
    if not position.quiet:
        return ways
    return tuple(way for way in ways if not clash(position, seat, Orders(((troop, way),))))


def _acts(position: Position, seat: int, troop: str) -> tuple[tuple[str, str], ...]:
    """Return the actions of a troop besides "hold", as choices of a form."""
    board = island(position.size).board
    steps = board.steps[living(position, seat)[troop]]
    targets = {way: board.names[steps[way]] for way in _ways(position, seat, troop)}
    return tuple(
        (f"{troop} {way}", f"move to {target} ({way})" if len(way) == 2 else f"destroy {target} ({way})")
        for way, target in targets.items()
    )


def _landings(position: Position, free: Sequence[int], troops: int, sea: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to put `troops` on different squares of `free`, at least `sea` of them on the edge."""
    if not troops:
        yield ()
        return
    edge = island(position.size).edge
    for square in free:
        due = sea - (square in edge)
        if due < troops:
            rest = [other for other in free if other != square]
            for others in _landings(position, rest, troops - 1, due):
                yield (square, *others)


def _example_invasions(position: Position, seat: int) -> Iterator[Orders]:
    """Yield an invasion with all troops on the edge, well apart; then one with as few there as allowed."""
    land = island(position.size)
    edge = [square for square in land.squares[seat] if square in land.edge]
    inland = [square for square in land.squares[seat] if square not in land.edge]
    yield invasion(position, seat, _spread(edge, position.army))
    yield invasion(
        position, seat, _spread(edge[::-1], position.sea) + _spread(inland, position.army - position.sea)
    )


def _spread(squares: Sequence[int], count: int) -> list[int]:
    return [squares[number * len(squares) // count] for number in range(count)]


def _example_orders(position: Position, seat: int) -> Iterator[str]:
    """Yield orders for as many troops as may act, the first order written with its target square."""
    troops = living(position, seat)
    orders = HOLD
    for troop, square in troops.items():
        if not (position.quiet and orders.given):
            orders = _with_example(position, seat, orders, troop, open_ways(position, square))
    if not orders.given:
        return
    troop, way = orders.given[0]
    board = island(position.size).board
    yield ", ".join(f"{troop} {way}" for troop, way in orders.given)
    yield f"{troop} {board.names[board.steps[troops[troop]][way]]}"


def _with_example(position: Position, seat: int, orders: Orders, troop: str, ways: Sequence[str]) -> Orders:
    """Return the orders with one more for `troop` if one fits, alternating moves and destructions."""
    for way in sorted(ways, key=len, reverse=len(orders.given) % 2 == 0):
        longer = Orders((*orders.given, (troop, way)))
        if not clash(position, seat, longer):
            return longer
    return orders
