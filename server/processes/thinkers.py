"""Child processes that compute moves for computer players. Requests and answers are lines of text.

They inherit nothing from this process: no environment, no open file, no folder. Their answer is a move as text,
played as if a person had written it.
"""

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import rules
from rules.analysis.subprocess_worker import HURRY, Question
from rules.game import Json

_COMMAND = (sys.executable, "-m", "rules.analysis.subprocess_worker")
_ENVIRONMENT = {"PYTHONPATH": str(Path(rules.__path__[0]).parent)}
"""The whole environment of a child: the location of the rules."""
PATIENCE = 20.0
"""Seconds beyond its thinking time after which a child without an answer is killed."""
PONDERING = 300.0
"""Seconds within which even a slow machine answers a question without a time limit."""
TIMES = 2
"""The number of attempts to answer a question if its child ends without an answer."""
_LOOK = 0.05
"""Seconds between two attempts to kill a child that is thinking."""


class NoAnswer(Exception):
    """Raised if a child process ended, or had to be killed, before it answered."""


class Thinker:
    """A child process that answers one question at a time; it starts with the first question."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._asking = threading.Lock()
        self._closed = False
        self.child: subprocess.Popen[str] | None = None
        """The process; None before the first question."""

    def ask(self, question: Question) -> str | None:
        """Return the move that the child chooses in a position; None if it was stopped. Raises NoAnswer."""
        move = self._answer(question.to_json(), question.seconds)
        return None if move is None else str(move)

    def ponder(self, request: Json) -> Json | None:
        """Return the child's hint or analysis for a request; None if it was stopped. Raises NoAnswer."""
        found: Json | None = self._answer(request, PONDERING)
        return found

    def _answer(self, request: Json, seconds: float) -> Any:
        """Return the child's answer to a question that takes at most `seconds`; None if it was stopped.

        If the child ends without an answer, another one is asked. Raises NoAnswer if that one does not answer
        either.
        """
        with self._asking:
            for _ in range(TIMES):
                if self._closed:
                    return None
                line = self._asked(self._running(), json.dumps(request) + "\n", seconds)
                if line.endswith("\n"):
                    return json.loads(line)
                self._end()
            if self._closed:
                return None
            raise NoAnswer(f"no child process answers about this position of {request['game_type']}")

    def hurry(self) -> None:
        """Make the child answer immediately with the best move found so far; callable from any thread."""
        child = self.child
        if child is not None:
            child.send_signal(HURRY)

    def close(self) -> None:
        """Stop, even while the child is thinking; callable from any thread."""
        self._closed = True
        while not self._asking.acquire(timeout=_LOOK):
            if self.child is not None:
                self.child.kill()
        self._end()
        self._asking.release()

    def _end(self) -> None:
        """Kill the child; the next question starts another."""
        if self.child is not None:
            self.child.kill()
            self.child.communicate()
            self.child = None

    def _running(self) -> subprocess.Popen[str]:
        if self.child is None:
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {HURRY})  # the child inherits the mask
            try:
                self.child = subprocess.Popen(  # noqa: S603 - our own command
                    _COMMAND,
                    env=_ENVIRONMENT,
                    cwd="/",
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    encoding="utf-8",
                )
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return self.child

    def _asked(self, child: subprocess.Popen[str], line: str, seconds: float) -> str:
        """Send a line to a child and return its answer; an incomplete line if it ends before."""
        if child.stdin is None or child.stdout is None:
            return ""
        end = threading.Timer(seconds + self._patience, child.kill)
        end.start()
        try:
            child.stdin.write(line)
            child.stdin.flush()
            return child.stdout.readline()
        except BrokenPipeError:
            return ""
        finally:
            end.cancel()
