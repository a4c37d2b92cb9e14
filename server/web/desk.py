"""A player's desk beside the board: what they have written and not played yet, and what they can play."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from flask import request

from rules.drawing.diagram import Diagram
from rules.errors import Ambiguous
from rules.game import FormField
from server.game import ifs, log
from server.store.models import Game


@dataclass(frozen=True)
class Attempt:
    """A move as it was written, or chosen from lists, and what is wrong with it."""

    text: str = ""
    picks: tuple[str, ...] = ()
    problem: str = ""
    choices: tuple[str, ...] = ()
    """The moves that fit a text which is not clear."""

    @property
    def move(self) -> str:
        """The text that the rules are to read."""
        return ifs.parted(self.text)[0] or ", ".join(pick for pick in self.picks if pick)

    @property
    def conditions(self) -> str:
        """The conditional moves below it; "" for none."""
        return ifs.parted(self.text)[1]

    def refused(self, problem: Exception) -> "Attempt":
        """The attempt with what is wrong with it."""
        choices = problem.choices if isinstance(problem, Ambiguous) else ()
        return replace(self, problem=str(problem), choices=choices)


@dataclass(frozen=True)
class Choices:
    """What a seat can play: lists to choose from, and examples of how moves are written."""

    fields: tuple[FormField, ...]
    examples: tuple[str, ...]
    optional: bool
    """Whether a list left alone still makes a move, as with orders, where it means a default."""


def sent_attempt() -> Attempt:
    """The attempt in the form that was sent; it holds a text or picks, as the page has one form for each."""
    return Attempt(text=request.form.get("text", "").strip(), picks=tuple(request.form.getlist("pick")))


def choices(game: Game, seat: int) -> Choices | None:
    """What `seat` can play now; None when it has no turn to play."""
    if game.state != "running":
        return None
    rules, position = log.rules_of(game), log.position_of(game)
    if seat not in rules.to_move(position):
        return None
    return Choices(rules.fields(position, seat), rules.examples(position, seat), rules.simultaneous)


def links(game: Game, seat: int, diagram: Diagram, written: str, address: str) -> dict[str, str]:
    """Addresses by place, for places whose name is a legal move, alone or added to what is already written.

    Orders are never part of an address, since addresses end up in logs and browser histories.
    """
    rules, position = log.rules_of(game), log.position_of(game)
    if rules.simultaneous:
        return {}
    found = {}
    for name in {cell.name for row in diagram.rows for cell in row.cells if cell.name}:
        for text in (f"{written} {name}".strip(), name):
            if text != written and rules.allows(position, seat, text):
                found[name] = f"{address}?{urlencode({'move': text})}"
                break
    return found
