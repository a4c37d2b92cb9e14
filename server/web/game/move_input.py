"""What a player writes as a move: read as their mails are, and told what it means while it is being written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from flask import get_template_attribute

from rules.errors import Ambiguous, IllegalMove, WrongMove
from rules.limits import LONGEST_MOVE
from server.commands.game_words import IF
from server.commands.parser import Command
from server.commands.word import MOVE
from server.errors import Refused, Unclear
from server.game.log import log
from server.interpretation.clearness import check_clear, courtesy_among, moves_at, read_reply
from server.interpretation.doubts import Doubts
from server.interpretation.nearest import moves_like
from server.limits import LONGEST_CONDITIONS
from server.web.game.move_form import MoveAttempt
from server.web.game.page import GameVisit

_LONGEST = LONGEST_MOVE + LONGEST_CONDITIONS
_UNCLEAR = "Several moves are written here. A turn is one move: write only the one that you mean."
_OPEN = "The words around the move leave it unclear whether you mean it: write only the move."
_ELSEWHERE = (
    "“{!s:.60}” is not a move. Only moves are written here; everything else has its own place on the page."
)


@dataclass(frozen=True)
class Reader:
    """Reads what `seat`, whose turn it is, writes in a position; `names` tells what the players are called."""

    rules: log.AnyRules
    position: Any
    seat: int
    names: Callable[[], Iterable[str]]

    def read(self, attempt: MoveAttempt) -> MoveAttempt:
        """The attempt with the move that its text says. Raises WrongMove.

        All that is read in a mail is read here, but for what is no move: that has its own places on the pages.
        """
        if attempt.conditions or not self.rules.allows(self.position, self.seat, attempt.move):
            attempt = replace(attempt, text=self._without_courtesy(attempt.text))
        move = self.rules.parse(self.position, self.seat, attempt.move)
        return replace(attempt, meant=self.rules.format(move))

    def refused(self, attempt: MoveAttempt, problem: Exception) -> MoveAttempt:
        """The attempt with what is wrong with it, and what else may be meant."""
        if isinstance(problem, Ambiguous):
            return attempt.refused(problem, problem.choices)
        wrong = isinstance(problem, WrongMove) and attempt.text
        like = moves_like(self.rules, self.position, self.seat, attempt.move) if wrong else ()
        return attempt.refused(problem, like)

    def _without_courtesy(self, text: str) -> str:
        """The move and the conditional moves of a text that is like a mail; one that is not stays as it is."""
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
                raise IllegalMove(_ELSEWHERE.format(command))
        return "\n".join(map(_line, read.commands))


def understood(here: GameVisit, turn: int, attempt: MoveAttempt) -> MoveAttempt:
    """The attempt with the move that its text says. Raises WrongMove.

    What is written for another turn, or without a turn, stays as it is: the game itself says what is wrong.
    """
    reader = _reader(here, turn)
    return attempt if reader is None or not attempt.text else reader.read(attempt)


def refused(here: GameVisit, turn: int, attempt: MoveAttempt, problem: Exception) -> MoveAttempt:
    """The attempt with what is wrong with it, and what else may be meant."""
    reader = _reader(here, turn)
    return attempt.refused(problem) if reader is None else reader.refused(attempt, problem)


def meaning_part(attempt: MoveAttempt) -> str:
    """The part of the page that tells what an attempt means, by itself."""
    return str(get_template_attribute("_meaning.html", "told")(attempt))


def prepared_part(attempt: MoveAttempt) -> str:
    """The same for conditional moves by themselves."""
    return str(get_template_attribute("_meaning.html", "prepared")(attempt))


def _reader(here: GameVisit, turn: int) -> Reader | None:
    """Reads for who has the turn; None if this is not the turn to be played, or not theirs."""
    game, seat = here.game, here.seat
    if seat is None or game.state != "running" or turn != game.turn:
        return None
    rules, position = log.rules_of(game), log.position_of(game)
    if seat not in rules.to_move(position):
        return None
    return Reader(rules, position, seat, here.names)


def _line(command: Command) -> str:
    """Conditional moves in one line, moves as they are written."""
    return " ".join(str(command).split()) if command.word is IF else str(command)


def _unclear(problem: Unclear) -> WrongMove:
    """The same as a sentence about a text that is no mail."""
    sentence = _UNCLEAR if len(problem.choices) > 1 else _OPEN
    return Ambiguous(sentence, problem.choices) if problem.choices else IllegalMove(sentence)
