"""Diagrams of every sort of board, for tests of the drawings and for looking at them."""

from __future__ import annotations

from rules.drawing.diagram import Arrow, Cell, Diagram, Row
from rules.drawing.themes import BLACK, DARK, GONE, LIGHT, WHITE
from rules.games.nelaxtam.picture import BADGES, TILES
from rules.games.nexus.picture import FREE, MARBLES, RING
from rules.games.nibble.picture import BLOCKS
from rules.geometry.squares import FILES

COLOURS = "ABCDEFGHIJKLM"


def discs(size: int) -> Diagram:
    """Return black and white discs on a square board, the last one marked."""
    inks = {"b": BLACK, "w": WHITE}
    rows = []
    for rank in range(size, 0, -1):
        cells = []
        for file in range(size):
            text = "b.w..bw"[(3 * file + rank * rank) % 7].replace(".", "")
            mark = (file, rank) == (1, 2)
            cells.append(Cell(f"{FILES[file]}{rank}", text, LIGHT, inks.get(text), mark))
        rows.append(Row(str(rank), tuple(cells)))
    captions = ("Black (b) has 12 discs, White (w) has 9.",)
    return Diagram(tuple(rows), tuple(FILES[:size]), captions)


def tiles(size: int) -> Diagram:
    """Return a chequered island with troops, holes, orders of O as arrows and two marks."""
    troops = {"c3": "1", "e5": "2", "f6": "A", "b8": "B"}
    gone = {"d6", "e6", "d7", "e7", "f7", "a2", "b2"}
    rows = []
    for rank in range(size, 0, -1):
        cells = []
        for file in range(size):
            name = f"{FILES[file]}{rank}"
            side = "xo"[(file + size - rank) % 2]
            troop = troops.get(name, "")
            if name in gone:
                cells.append(Cell(name, "", GONE, mark=name in ("d6", "e6")))
                continue
            badge = BADGES["o" if troop.isdigit() else "x"] if troop else None
            cells.append(Cell(name, troop or side, TILES[side], badge))
        rows.append(Row(str(rank), tuple(cells)))
    arrows = (Arrow("c3", "d4"), Arrow("e5", "f5", "destroy"))
    captions = ("Tiles: O 41, X 38. Troops of O: 1, 2. Troops of X: A, B.",)
    return Diagram(tuple(rows), tuple(FILES[:size]), captions, arrows)


def blocks(size: int) -> Diagram:
    """Return blocks in all colours on a square board, some taken."""
    rows = []
    for rank in range(size, 0, -1):
        cells = []
        for file in range(size):
            name = f"{FILES[file]}{rank}"
            if file + rank < 4 or (file > size - 3 and rank > size - 2):
                cells.append(Cell(name, "", GONE, mark=name == "a3"))
                continue
            letter = COLOURS[(file * 5 + rank * 2) % size]
            cells.append(Cell(name, letter, BLOCKS[letter]))
        rows.append(Row(str(rank), tuple(cells)))
    return Diagram(tuple(rows), tuple(FILES[:size]), ("First: A 2, C 1. Second: B 1.",))


def hexagon(side: int = 8) -> Diagram:
    """Return blocks on a hexagon, the corners taken."""
    rows = []
    last = 2 * side - 2
    for line in range(last, -1, -1):
        length = 2 * side - 1 - abs(line - side + 1)
        cells = []
        for number in range(1, length + 1):
            name = f"{FILES[line]}{number}"
            letter = COLOURS[(line * 4 + number * 3) % 13]
            taken = number in (1, length) and line in (0, side - 1, last)
            ground = GONE if taken else BLOCKS[letter]
            cells.append(Cell(name, "" if taken else letter, ground, mark=name == "a1"))
        rows.append(Row(FILES[line], tuple(cells), abs(line - side + 1)))
    return Diagram(tuple(rows), captions=("First: A 2. Second: B 1.",), hexagonal=True)


def rings(width: int = 7, height: int = 7) -> Diagram:
    """Return rings with marbles and places without rings, each row half a place to the right of the one
    above.
    """
    rows = []
    for line in range(height):
        cells = []
        for column in range(width):
            name = f"{FILES[column + 3]}{line + 9}"
            if (column * line + column + line) % 5 == 0 or line in (0, height - 1):
                cells.append(Cell(name, "", FREE, mark=(column, line) == (2, 3)))
                continue
            text = ("", "r", "", "bb", "", "rrr", "by", "rrrb", "", "ggyy")[(column * 3 + line * 5) % 10]
            ink = MARBLES if text else None
            cells.append(Cell(name, text, RING, ink, mark=(column, line) == (3, 2)))
        rows.append(Row(str(line + 9), tuple(cells), line))
    arrows = (Arrow("f11", "g11"), Arrow("g12", "h14"))
    return Diagram(tuple(rows), captions=("Reserve: red 3, blue 4.",), arrows=arrows, hexagonal=True)


def points() -> Diagram:
    """Return a board of 24 points with stacks of discs, hand and off at the side."""
    top = [0, 3, -2, 0, 1, -15, 0, 0, 2, -1, 0, 4]
    bottom = [5, 0, 0, -3, 0, 1, 0, -4, 0, 0, 9, 0]
    rows = [_numbers("1", range(13, 25)), _numbers("2", range(12, 0, -1))]
    rows += [_level(top, level, 13) for level in range(1, 6)]
    rows.append(Row("", (Cell("", ""),) * 15))
    rows += [_level(bottom, level, 12) for level in range(5, 0, -1)]
    rows += [_numbers("2", range(13, 25)), _numbers("1", range(12, 0, -1))]
    captions = ("Dice: 3 and 5. In hand: First 2, Second 1. Off: First 0, Second 3.",)
    return Diagram(tuple(rows), captions=captions)


def _numbers(label: str, numbers: range) -> Row:
    cells = [Cell("", str(number)) for number in numbers]
    return Row(label, (*cells[:6], Cell(""), *cells[6:], Cell(""), Cell("")))


def _level(stacks: list[int], level: int, first: int) -> Row:
    cells = []
    for column, count in enumerate(stacks):
        number = first + column if first == 13 else first - column
        ground = DARK if column % 2 else LIGHT
        letter, ink = ("b", BLACK) if count > 0 else ("w", WHITE)
        text = "" if abs(count) < level else letter
        if level == 5 and abs(count) > 5:
            text = str(abs(count))
        cells.append(Cell(str(number), text, ground, ink if text else None, mark=number == 17))
    side = Cell("hand", "2b", LIGHT, BLACK) if level == 1 else Cell("")
    return Row("", (*cells[:6], Cell(""), *cells[6:], Cell(""), side))


def every_sort() -> dict[str, Diagram]:
    """Return all sample boards, by name, small to large."""
    boards = {f"discs-{size}": discs(size) for size in range(4, 16)}
    boards |= {f"tiles-{size}": tiles(size) for size in (8, 10, 12, 14)}
    boards |= {"blocks-9": blocks(9), "blocks-13": blocks(13), "hexagon": hexagon(), "points": points()}
    return boards | {f"rings-{width}": rings(width) for width in (5, 7, 9, 11, 15, 23)}
