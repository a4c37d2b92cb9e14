"""The picture of a position of Nelaxtam, and sentences about a turn."""

from __future__ import annotations

from collections.abc import Iterator, Set

from rules.drawing.diagram import ON_DARK, ON_LIGHT, Arrow, Cell, Diagram, Ground, Ink, Row, Tally
from rules.drawing.themes import GONE
from rules.game import Step
from rules.games.nelaxtam.board import DEAD, bits_of, connected, controlled, island, squares_of
from rules.games.nelaxtam.position import SEATS, TROOPS, Position, living, tile_rows
from rules.games.nelaxtam.turn import HOLD, STANDSTILL, Orders, destroyed, marched
from rules.geometry.squares import FILES

_NEAR_STANDSTILL = 10
_LISTED = 12
"""The most squares of a group that are listed one by one."""

TILES = {
    "x": Ground("#5a6b86", ON_DARK, "territory of X", shape="tile", name="x-tile", glyph=""),
    "o": Ground("#e7cf96", ON_LIGHT, "territory of O", shape="tile", name="o-tile", glyph=""),
}
BADGES = {
    "x": Ink("#1d2a42", ON_DARK, "troop of X", shape="badge"),
    "o": Ink("#8a4b10", ON_DARK, "troop of O", shape="coin"),
}
SEA = Ground(GONE.fill, GONE.text, "", shape="frame", lines=("#8dbcd6", "#a5cde2"), name="sea")


# The picture


def picture(position: Position, step: Step[Position, Orders] | None, plan: Orders | None) -> Diagram:
    """Return the board with its troops; mark a step that was played, or else a plan, with arrows."""
    size, names = position.size, island(position.size).board.names
    troops = {names[at]: troop for seat in (0, 1) for troop, at in living(position, seat).items()}
    marked: Set[str] = set()
    arrows: tuple[Arrow, ...] = ()
    if step:
        marked, arrows = _touched(step), _arrows(step.before, *step.moves.values())
    elif plan and position.turn:
        arrows = _arrows(position, plan)
    elif plan:
        troops = {square: troop for troop, square in plan.given}
        marked = set(troops)
    rows = []
    for rank, tiles in zip(range(size, 0, -1), tile_rows(position), strict=True):
        squares = [f"{file}{rank}" for file in FILES[:size]]
        cells = (
            _cell(square, tile, troops, square in marked) for square, tile in zip(squares, tiles, strict=True)
        )
        rows.append(Row(str(rank), tuple(cells)))
    return Diagram(
        tuple(rows), tuple(FILES[:size]), _captions(position), arrows, surface=SEA, tally=_tally(position)
    )


def _cell(square: str, tile: str, troops: dict[str, str], mark: bool) -> Cell:
    if tile == ".":
        return Cell(square, ground=GONE, mark=mark)
    if square in troops:
        return Cell(square, troops[square], TILES[tile], BADGES[tile], mark)
    return Cell(square, tile, TILES[tile], mark=mark)


def _touched(step: Step[Position, Orders]) -> Set[str]:
    """Return the squares that lost their tile, or that a troop entered or left."""
    names = island(step.after.size).board.names
    changed = set(squares_of(step.before.tiles ^ step.after.tiles))
    for before, after in zip(step.before.troops, step.after.troops, strict=True):
        changed |= set(before) ^ set(after)
    return {names[square] for square in changed if square != DEAD}


def _arrows(position: Position, *plans: Orders) -> tuple[Arrow, ...]:
    """Return moves first, then destructions, so that a square with both shows the destruction."""
    if not position.turn:
        return ()
    board = island(position.size).board
    troops = living(position, 0) | living(position, 1)
    arrows = []
    for troop, way in (pair for plan in plans for pair in plan.given):
        target = board.steps[troops[troop]][way]
        sort = "move" if len(way) == 2 else "destroy"
        arrows.append(Arrow(board.names[troops[troop]], board.names[target], sort))
    return tuple(sorted(arrows, key=lambda arrow: arrow.sort, reverse=True))


def _tally(position: Position) -> Tally:
    land = island(position.size)
    kept = controlled(position.size, position.tiles, position.troops) if position.turn else position.tiles
    rows = {
        "tiles": tuple((kept & ground).bit_count() for ground in land.tiles),
        "troops": tuple(len(living(position, seat)) if position.turn else position.army for seat in (0, 1)),
    }
    return Tally(
        sides=tuple(Cell(side, ground=TILES[side.lower()]) for side in SEATS),
        rows=tuple((Cell(name), numbers) for name, numbers in rows.items()),
        repeats=len(SEATS) if position.turn else 0,
    )


def _on_edge(position: Position) -> str:
    """Return how many of the troops have to land on the edge: ", all on the edge"."""
    if not position.sea:
        return ""
    count = "all" if position.sea >= position.army else f"at least {position.sea} of them"
    return f", {count} on the edge"


def _captions(position: Position) -> tuple[str, ...]:
    land = island(position.size)
    if not position.turn:
        edge = _on_edge(position)
        return tuple(
            f"{side}: {ground.bit_count()} tiles, {position.army} to land{edge}"
            for side, ground in zip(SEATS, land.tiles, strict=True)
        )
    kept = controlled(position.size, position.tiles, position.troops)
    return tuple(
        f"{side}: {(kept & ground).bit_count()} tiles, troops: {', '.join(living(position, seat)) or 'none'}"
        for seat, (side, ground) in enumerate(zip(SEATS, land.tiles, strict=True))
    )


# The story


def story(step: Step[Position, Orders]) -> list[str]:
    """Return sentences on the effects of a turn beyond the orders themselves."""
    if step.left is not None:
        return []
    if not step.before.turn:
        return ["The invasion is over: all troops have landed."]
    sentences = [*_destroyed(step), *_died(step), *_lost(step), *_offered(step)]
    quiet = step.after.quiet_turns
    if _NEAR_STANDSTILL <= quiet < STANDSTILL:
        sentences.append(
            f"No tile was lost in the last {quiet} turns; after {STANDSTILL} such turns the game ends."
        )
    return sentences


def _strikes(step: Step[Position, Orders]) -> list[int]:
    return [square for seat, orders in step.moves.items() for square in destroyed(step.before, seat, orders)]


def _destroyed(step: Step[Position, Orders]) -> Iterator[str]:
    names = island(step.before.size).board.names
    strikes = _strikes(step)
    if strikes:
        yield f"Tiles destroyed: {', '.join(names[square] for square in sorted(set(strikes)))}."
    for square in sorted({square for square in strikes if strikes.count(square) > 1}):
        yield f"More than one troop destroyed {names[square]}; one was enough."


def _died(step: Step[Position, Orders]) -> Iterator[str]:
    names = island(step.before.size).board.names
    for seat in (0, 1):
        stood = marched(step.before, seat, step.moves.get(seat, HOLD))
        for troop, square, after in zip(TROOPS[seat], stood, step.after.troops[seat], strict=False):
            if square != DEAD and after == DEAD:
                yield f"Troop {troop} died on {names[square]}, where its tile was destroyed."


def _lost(step: Step[Position, Orders]) -> Iterator[str]:
    """Yield one sentence for each group that held no troop of its owner."""
    land = island(step.before.size)
    left = step.before.tiles & ~step.after.tiles & ~bits_of(_strikes(step))
    while left:
        group = connected(step.before.size, left, left & -left)
        left &= ~group
        side = SEATS[group & land.tiles[1] != 0]
        squares = [land.board.names[square] for square in squares_of(group)]
        if len(squares) == 1:
            yield f"{side} lost the tile {squares[0]}, cut off without a troop."
            continue
        listed = ", ".join(squares[:_LISTED]) + (", …" if len(squares) > _LISTED else "")
        yield f"{side} lost {len(squares)} tiles that were cut off without a troop: {listed}."


def _offered(step: Step[Position, Orders]) -> Iterator[str]:
    offering = [SEATS[seat] for seat, orders in sorted(step.moves.items()) if orders.end]
    if len(offering) == 2:
        yield "Both sides offered to end the game."
    elif offering:
        yield f"{offering[0]} offered to end the game; the game ends when both sides do so in one turn."
