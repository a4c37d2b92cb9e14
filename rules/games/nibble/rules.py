"""Nibble: take blocks of one colour off the edge of the board, and never break it in two.

docs/rules/nibble.md explains the rules. Sets of squares are ints, as in `board`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from rules.chance import Chance
from rules.drawing.diagram import Diagram
from rules.errors import BadData
from rules.game import Json, Rules, Step
from rules.games.nibble import description, lessons
from rules.games.nibble.board import COLOURS, LETTERS, NAMES, board_named, each, random_layout
from rules.games.nibble.estimate import estimate
from rules.games.nibble.legality import judge_colour, judge_squares
from rules.games.nibble.move_builder import TakeBuilder
from rules.games.nibble.notation import read_move, write_move
from rules.games.nibble.picture import picture, story
from rules.games.nibble.playout import playout
from rules.games.nibble.position import (
    SEATS,
    Position,
    first_position,
    instant_win,
    majorities,
    read_position,
    write_position,
)
from rules.games.nibble.turn import Take, largest_takes, singles, take_of, takes
from rules.lessons import Lesson
from rules.options import Option
from rules.reading import need_no_more, typed_word
from rules.result import Result
from rules.sentences import SeatNames

LISTED_TAKES = 5000


class Nibble(Rules[Position, Take]):
    """The rules of Nibble: take as many blocks of one colour as the board allows; there are no passes."""

    name: ClassVar[str] = "nibble"
    title: ClassVar[str] = "Nibble"
    scored: ClassVar[str] = "Colours with a majority"
    primer: ClassVar[str] = (
        "You win as soon as you have taken all blocks of one colour, or most of each of three neighbouring "
        "colours (letters that follow one another); if the board is empty before that, the player with more "
        "colours wins. In a turn you take one or more blocks of one colour off the edge of the board. A "
        "block can be taken if nothing touches two sides of it that meet (on hexagons, three sides in a "
        "row), and all blocks that remain must still be connected along their sides."
    )
    meanings: ClassVar[Mapping[str, str]] = {
        f"take {colour}": f"you take all {colour} blocks that can be taken now" for colour in COLOURS
    }
    variants: ClassVar[tuple[Mapping[str, object], ...]] = ({}, {"board": "square-13"}, {"board": "hex-13"})
    offered: ClassVar[Mapping[str, Option]] = {
        "board": Option(
            "Size and shape of the board.",
            NAMES,
            {"square-9": "9 by 9 squares", "square-13": "13 by 13 squares", "hex-13": "169 hexagons"},
        )
    }
    reasons: ClassVar[Mapping[str, str]] = {
        "monochrome": "all blocks of one colour",
        "triple": "enough blocks of each of three neighbouring colours",
        "majority": "a majority in more colours",
    }
    taught: ClassVar[tuple[str, ...]] = lessons.TAUGHT

    # The start of a game

    def options(self, given: Mapping[str, object]) -> Json:
        need_no_more(given, self.offered, "Nibble has no option “{}”; it has board.")
        wrong = f"The board is {NAMES[0]}, {NAMES[1]} or {NAMES[2]}, not {{}}."
        return {"board": typed_word(given.get("board", NAMES[0]), self.offered["board"].values, wrong)}

    def seats(self, options: Json) -> tuple[str, ...]:
        return SEATS

    def setup(self, options: Json, chance: Chance) -> Json:
        board = board_named(options["board"])
        layout = random_layout(board, chance)
        return {"rows": ["".join(LETTERS[layout[name]] for name in row) for row in board.rows]}

    def usual_turns(self, options: Json) -> int:
        return 50 if options["board"] == NAMES[0] else 110

    def start(self, options: Json, setup: Json) -> Position:
        return first_position(options["board"], setup)

    # Positions as data

    def write(self, position: Position) -> Json:
        return write_position(position)

    def read(self, options: Json, data: Json, memory: Sequence[str] = ()) -> Position:
        position = read_position(options["board"], data)
        if instant_win(position.taken[position.to_move]):
            raise BadData(f"{SEATS[position.to_move]} is to move, but has won already.")
        return position

    # Whose turn it is

    def to_move(self, position: Position) -> tuple[int, ...]:
        return () if self.result(position) else (position.to_move,)

    def result(self, position: Position) -> Result | None:
        mover = 1 - position.to_move
        if reason := instant_win(position.taken[mover]):
            return Result((mover,), reason)
        if any(position.blocks):
            return None
        scores = majorities(position.taken[0]), majorities(position.taken[1])
        return Result((0 if scores[0] > scores[1] else 1,), "majority", scores)

    # Moves

    def understand(self, position: Position, seat: int, text: str) -> Take:
        written = read_move(text)
        self.check_turn(position, seat, SEATS)
        board = board_named(position.board)
        if written.colour is not None:
            return judge_colour(board, position, written.colour)
        return judge_squares(board, position, written.squares)

    def format(self, move: Take) -> str:
        return write_move(move)

    def moves(self, position: Position, seat: int, only: str = "") -> Iterator[Take]:
        if seat not in self.to_move(position):
            return
        board = board_named(position.board)
        for take in takes(board, position, singles(board, position)):
            yield take_of(board, take)

    def play(self, position: Position, moves: Mapping[int, Take]) -> Position:
        names = moves[position.to_move].squares
        bits = board_named(position.board).bits
        take = sum(bits[name] for name in names)
        taken = [list(counts) for counts in position.taken]
        taken[position.to_move][position.colour(take)] += len(names)
        return Position(
            board=position.board,
            blocks=tuple(blocks & ~take for blocks in position.blocks),
            taken=(tuple(taken[0]), tuple(taken[1])),
            to_move=1 - position.to_move,
        )

    def sample(self, position: Position, seat: int, below: Callable[[int], int]) -> Take:
        board, left = board_named(position.board), position.left()
        corners = list(each(board.corners(left)))
        take = corners[below(len(corners))]
        while not board.holds_together(left, take):
            take = corners[below(len(corners))]
        same = position.blocks[position.colour(take)] & ~take
        for square in corners:
            if square & same and below(2) and board.holds_together(left ^ take, square):
                take |= square
        return take_of(board, take)

    # Move builders

    def move_builder(self, position: Position, seat: int) -> TakeBuilder:
        return TakeBuilder(position)

    def picks_of(self, position: Position, seat: int, move: Take) -> tuple[str, ...]:
        return move.squares

    # For computer players

    def evaluate(self, position: Position) -> tuple[float, float]:
        return estimate(position)

    def playout(self, position: Position, below: Callable[[int], int], most: int) -> tuple[Result | None, int]:
        return playout(position, below, most)

    # For people

    def listing(
        self, position: Position, only: str = "", limit: int | None = None
    ) -> list[str] | dict[str, Any]:
        """List the blocks that can be taken on their own, then a limited number of larger takes."""
        return super().listing(position, only, LISTED_TAKES if limit is None else limit)

    def diagram(
        self, position: Position, step: Step[Position, Take] | None = None, plan: Take | None = None
    ) -> Diagram:
        return picture(position, step, plan)

    def possible(self, position: Position, seat: int) -> list[str]:
        if seat not in self.to_move(position):
            return []
        return [description.possible(board_named(position.board), position)]

    def lesson(self, position: Position, seat: int, name: str) -> Lesson | None:
        return lessons.lesson(position, seat, name)

    def story(self, step: Step[Position, Take], names: SeatNames | None = None) -> list[str]:
        return story(step, names or SeatNames(SEATS))

    def deed(self, move: str) -> str:
        return f"took {move}"

    def examples(self, position: Position, seat: int) -> tuple[str, ...]:
        if seat not in self.to_move(position):
            return ()
        board = board_named(position.board)
        free = singles(board, position)
        colours = dict.fromkeys(position.colour(square) for square in each(free))
        widest = {c: largest_takes(board, position, free & position.blocks[c])[-1] for c in colours}
        largest = max(widest.values(), key=int.bit_count)
        single = next(each(free & ~largest or free))
        together = [COLOURS[c] for c, take in widest.items() if take == free & position.blocks[c]]
        squares = [write_move(take_of(board, take)) for take in (single, largest)]
        return tuple(dict.fromkeys([*squares, *(f"take {colour}" for colour in together[-1:])]))
