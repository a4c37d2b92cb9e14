"""A separate process that computes moves. It reads a question and writes an answer, each a line, over a pipe.

Each question has all that the process knows: a position as any spectator may see it and the seat to move, or
the turns of a finished game. Once it runs, it can open no file and no connection, gets no more memory than
`MOST_MEMORY`, and has the lowest priority on the machine. It ends when the pipe is closed.
"""

from __future__ import annotations

import json
import math
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TextIO

from rules.analysis import answering
from rules.bots.players import think
from rules.bots.thinking import Clock
from rules.game import Json
from rules.registry import rules_named
from rules.strengths import STRENGTHS

MOVE = "move"
"""The kind of request that a `Question` is; `answering` has the other kinds."""
MOST_MEMORY = 512 << 20
"""Bytes of address space."""
HURRY = signal.SIGUSR1
"""The signal that asks for an immediate answer; it is blocked when a child starts, until the first question."""
_NICENESS = 10
_STREAMS = 3
"""Open files: the pipes for questions and answers, and the stream for errors."""


@dataclass(frozen=True)
class Question:
    """A position and a seat that needs a move; nothing else is known about the game."""

    game_type: str
    options: Json
    position: Json
    """The result of `Rules.write`: the position as any spectator may see it."""
    memory: tuple[str, ...]
    """The earlier positions for the rule about repetition, as in `Rules.memory`."""
    seat: int
    seats: int
    """The number of players."""
    level: int
    """The level of the player, as in `strengths.LEVELS`."""
    seconds: float
    """The most seconds to think."""
    work: float | None = None
    """The most seconds of processor time for a level that is limited by it; None for its own limit."""

    def to_json(self) -> Json:
        """Return the question as a request."""
        return {"what": MOVE, **asdict(self)}

    @classmethod
    def from_json(cls, request: Json) -> Question:
        """Return the question from a request that `to_json` made."""
        fields = {name: value for name, value in request.items() if name != "what"}
        return cls(**{**fields, "memory": tuple(fields["memory"])})


class Haste:
    """A clock for searches that can jump past their time limits, when an answer is needed immediately."""

    def __init__(self) -> None:
        self._is_made = False

    def __call__(self) -> float:
        """Return the seconds that have passed."""
        return math.inf if self._is_made else time.monotonic()

    def make(self, *_: object) -> None:
        """Make the current search end with the best move so far. It can serve as a signal handler."""
        self._is_made = True

    def is_over(self) -> None:
        """Return to the real time, for the next question."""
        self._is_made = False


def answer(question: Question, below: Callable[[int], int], clock: Clock = time.monotonic) -> str:
    """Return the move that a computer player of the question's level makes, as canonical text.

    `below(n)` draws a random number from 0 to n - 1.
    """
    rules = rules_named(question.game_type)
    position = rules.read(question.options, question.position, question.memory)
    strength = STRENGTHS[question.level - 1].limited(question.work)
    seat, seats, seconds = question.seat, question.seats, question.seconds
    thought = think(rules, position, seat, seats, strength, below, seconds=seconds, clock=clock)
    return rules.format(thought.move)


def confine() -> None:
    """Restrict this process for good: it can open nothing, has limited memory, and gets the lowest priority."""
    os.nice(_NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_NOFILE, (_STREAMS, _STREAMS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def serve(questions: TextIO, answers: TextIO, haste: Haste) -> None:
    """Answer all questions until the pipe is closed; answer immediately after a request for haste."""
    below = random.SystemRandom().randrange
    for line in questions:
        haste.is_over()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {HURRY})
        request = json.loads(line)
        is_move = request["what"] == MOVE
        found = answer(Question.from_json(request), below, haste) if is_move else answering.answer(request)
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a key pressed at a terminal is meant for the parent
    _haste = Haste()
    signal.signal(HURRY, _haste.make)
    confine()
    serve(sys.stdin, sys.stdout, _haste)
