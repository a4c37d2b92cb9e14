"""Thinking in a process of its own, which is asked on a pipe: a line for each question, a line for each answer.

All that it knows is in the question: a position as anybody may see it and for whom to think, or the turns of a
game that is over. Once it runs it can open no file and no connection, gets no more memory than `MOST_MEMORY`,
and gives way to everybody else on the machine. It ends when nobody can ask it any more.
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
"""What is asked in a `Question`; other requests are those of `answering`."""
MOST_MEMORY = 512 << 20
"""Bytes of address space."""
HURRY = signal.SIGUSR1
"""The signal that asks for an answer at once; blocked where a child begins, it waits for the first question."""
_NICENESS = 10
_STREAMS = 3
"""Files that are open: what it is asked on, what it answers on, and where errors go."""


@dataclass(frozen=True)
class Question:
    """Whose move is wanted in which position; nothing else is known about the game."""

    game_type: str
    options: Json
    position: Json
    """As `Rules.write` writes it: as any spectator may see it."""
    memory: tuple[str, ...]
    """What the guard against repetition remembers, as in `Rules.memory`."""
    seat: int
    seats: int
    """How many play."""
    level: int
    """How strong the player is, as in `strengths.LEVELS`."""
    seconds: float
    """How long to think at most."""

    def to_json(self) -> Json:
        """The question as a request."""
        return {"what": MOVE, **asdict(self)}

    @classmethod
    def from_json(cls, request: Json) -> Question:
        """What `to_json` made."""
        fields = {name: value for name, value in request.items() if name != "what"}
        return cls(**{**fields, "memory": tuple(fields["memory"])})


class Haste:
    """A clock that jumps to the end of all times for thinking once somebody cannot wait any longer."""

    def __init__(self) -> None:
        self._is_made = False

    def __call__(self) -> float:
        """The seconds that have passed."""
        return math.inf if self._is_made else time.monotonic()

    def make(self, *_: object) -> None:
        """Have the question be answered with what was found by now; as well a handler of signals."""
        self._is_made = True

    def is_over(self) -> None:
        """There is time again."""
        self._is_made = False


def answer(question: Question, below: Callable[[int], int], clock: Clock = time.monotonic) -> str:
    """The canonical text of the move that a player of this strength makes; `below(n)` draws from 0 to n-1."""
    rules = rules_named(question.game_type)
    position = rules.read(question.options, question.position, question.memory)
    strength = STRENGTHS[question.level - 1]
    seat, seats, seconds = question.seat, question.seats, question.seconds
    thought = think(rules, position, seat, seats, strength, below, seconds=seconds, clock=clock)
    return rules.format(thought.move)


def confine() -> None:
    """Let this process open nothing from now on, have only so much memory, and give way to all others."""
    os.nice(_NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_NOFILE, (_STREAMS, _STREAMS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def serve(questions: TextIO, answers: TextIO, haste: Haste) -> None:
    """Answer all questions that come, until no more can; one at once when haste is made."""
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a key pressed at a terminal is meant for who asks
    _haste = Haste()
    signal.signal(HURRY, _haste.make)
    confine()
    serve(sys.stdin, sys.stdout, _haste)
