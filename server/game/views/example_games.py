"""The sample game of a rules page, turn by turn, and the positions of its other examples."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from rules import driver
from rules.drawing.cropping import corner
from rules.drawing.diagram import Diagram
from rules.game import Json, Step
from rules.records.record import Record, Replay, replay
from rules.registry import rules_named as rules_named
from rules.sentences import SeatNames
from server.game.terms.game_types import examples_of, rules_page
from server.game.terms.wording import turn_lines
from server.game.views.boards import Board

TURN = re.compile(r"^_Turn (\d+) of the game below: (.+?)_$", re.DOTALL | re.MULTILINE)
EXAMPLE = re.compile(r"^_Example, ([^:]+): (.+?)_$", re.DOTALL | re.MULTILINE)
"""Paragraphs of a rules page about a turn of its game or another position, which are shown with a board."""
_RECORD, _END = "\n```record\n", "\n```\n"


@dataclass(frozen=True)
class WorkedTurn:
    """A turn of a sample game: the board after it, its moves, and sentences about it; turn 0 is the start."""

    number: int
    board: Board
    played: tuple[str, ...] = ()
    story: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class WorkedGame:
    """The sample game of a rules page, replayed."""

    record: Record
    replayed: Replay

    @property
    def last(self) -> int:
        """Return the number of the last turn."""
        return len(self.replayed.steps)

    def turn(self, number: int) -> WorkedTurn:
        """Return the turn with this number, from 0 to `last`."""
        rules = self.replayed.rules
        if number == 0:
            return WorkedTurn(0, Board(rules, self.replayed.start))
        step = self.replayed.steps[number - 1]
        played = turn_lines(self.record.turns[number - 1], self._labels(step))
        story = rules.story(step, SeatNames(self.record.seats))
        return WorkedTurn(number, Board(rules, step.after, step=step), tuple(played), tuple(story))

    def _labels(self, step: Step[Any, Any]) -> list[str]:
        """Return the labels of the players in a turn: "Ann (Black)"."""
        titles = self.replayed.rules.titles(step.before) or self.replayed.rules.seats(self.record.options)
        return [f"{name} ({title})" for name, title in zip(self.record.seats, titles, strict=True)]


@cache
def worked_game(game_type: str) -> WorkedGame | None:
    """Return the sample game of a rules page; None if it has none."""
    _, fence, rest = rules_page(game_type).partition(_RECORD)
    if not fence:
        return None
    record = Record.from_json(rest.partition(_END)[0])
    return WorkedGame(record, replay(record))


@cache
def example(game_type: str, title: str) -> Diagram | None:
    """Return the picture of an example of a rules page, by its title; None if there is none."""
    data = examples_of(game_type).get(title)
    return None if data is None else _drawn(game_type, data)


def _drawn(game_type: str, data: Json) -> Diagram:
    """Draw a position, or the turn with `moves` from there, as `seat` sees it; with `part`, only that part."""
    rules = rules_named(game_type)
    options = rules.options(data.get("options", {}))
    position = rules.read(options, data["position"]) if "position" in data else rules.start(options, {})
    step = None
    if texts := data.get("moves"):
        moves = {int(seat): driver.read_move(rules, position, int(seat), text) for seat, text in texts.items()}
        step = driver.play(rules, position, moves)
    diagram = rules.seen(step.after if step else position, data.get("seat"), step)
    return corner(diagram, **data["part"]) if "part" in data else diagram
