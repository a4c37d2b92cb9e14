"""Written moves on pages: read like emails, and explained while they are being written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from flask import get_template_attribute

from rules.errors import Ambiguous, IllegalMove, WrongMove
from rules.limits import LONGEST_MOVE
from rules.sentences import quoted
from server.commands.game_words import IF
from server.commands.parser import Command
from server.commands.word import MOVE
from server.errors import Refused, Unclear
from server.game.log import log
from server.interpretation.doubts import Doubts
from server.interpretation.nearest import moves_like
from server.interpretation.reply_checks import check_clear, courtesy_among, moves_at, read_reply
from server.limits import LONGEST_CONDITIONS
from server.web.game.game_visit import GameVisit
from server.web.game.move_form import MoveAttempt

_LONGEST = LONGEST_MOVE + LONGEST_CONDITIONS
_UNCLEAR = "Your text contains several moves. Write only the move that you want to play."
_OPEN = "Your text is not clear. Write only the move."
_ELSEWHERE = "is not a move. Write only moves here; for everything else, use the other buttons on the page."


@dataclass(frozen=True)
class Reader:
    """A reader of the moves that `seat`, whose turn it is, writes; `names` returns the players' names."""

    rules: log.AnyRules
    position: Any
    seat: int
    names: Callable[[], Iterable[str]]

    def read(self, attempt: MoveAttempt) -> MoveAttempt:
        """Return the attempt with the move that its text means. Raises WrongMove.

        Accepts the same text as an email, but only moves: the pages have other forms for commands.
        """
        if attempt.conditions or not self.rules.allows(self.position, self.seat, attempt.move):
            attempt = replace(attempt, text=self._without_courtesy(attempt.text))
        move = self.rules.parse(self.position, self.seat, attempt.move)
        return replace(attempt, meant=self.rules.format(move))

    def refused(self, attempt: MoveAttempt, problem: Exception) -> MoveAttempt:
        """Return the attempt with its error and suggested moves."""
        if isinstance(problem, Ambiguous):
            return attempt.refused(problem, problem.choices)
        wrong = isinstance(problem, WrongMove) and attempt.text
        like = moves_like(self.rules, self.position, self.seat, attempt.move) if wrong else ()
        return attempt.refused(problem, like)

    def _without_courtesy(self, text: str) -> str:
        """Return the moves of a text that is written like an email; any other text is returned unchanged."""
        if len(text) > _LONGEST:
            return text
        doubts = Doubts(moves_at(self.rules, self.position, self.seat), courtesy_among(self.names()))
        read = read_reply(text, doubts)
        try:
            check_clear(read, doubts)
        except Unclear as problem:
            raise _unclear(problem) from None
        except Refused:
            return text
        if not read.moves:
            return text
        for command in read.commands:
            if command.word not in (MOVE, IF):
                raise IllegalMove(f"{quoted(str(command))} {_ELSEWHERE}")
        return "\n".join(map(_line, read.commands))


def understood(here: GameVisit, turn: int, attempt: MoveAttempt) -> MoveAttempt:
    """Return the attempt with the move that its text means. Raises WrongMove.

    A text for another turn, or by a player who is not to move, is not changed: the game refuses it later.
    """
    reader = _reader(here, turn)
    return attempt if reader is None or not attempt.text else reader.read(attempt)


def refused(here: GameVisit, turn: int, attempt: MoveAttempt, problem: Exception) -> MoveAttempt:
    """Return the attempt with its error and suggested moves."""
    reader = _reader(here, turn)
    return attempt.refused(problem) if reader is None else reader.refused(attempt, problem)


def meaning_part(attempt: MoveAttempt) -> str:
    """Return the part of the page with the meaning of an attempt."""
    return str(get_template_attribute("_meaning.html", "told")(attempt))


def prepared_part(attempt: MoveAttempt) -> str:
    """Return the part of the page with the meaning of conditional moves."""
    return str(get_template_attribute("_meaning.html", "prepared")(attempt))


def _reader(here: GameVisit, turn: int) -> Reader | None:
    """Return a reader for the visitor; None if it is another turn or not their turn."""
    game, seat = here.game, here.seat
    if seat is None or game.state != "running" or turn != game.turn:
        return None
    rules, position = log.rules_of(game), log.position_of(game)
    if seat not in rules.to_move(position):
        return None
    return Reader(rules, position, seat, here.names)


def _line(command: Command) -> str:
    """Return conditional moves in one line, and moves unchanged."""
    return " ".join(str(command).split()) if command.word is IF else str(command)


def _unclear(problem: Unclear) -> WrongMove:
    """Return the error with a sentence that fits a form instead of an email."""
    sentence = _UNCLEAR if len(problem.choices) > 1 else _OPEN
    return Ambiguous(sentence, problem.choices) if problem.choices else IllegalMove(sentence)
