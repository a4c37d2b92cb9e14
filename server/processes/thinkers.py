"""Child processes that think for computer players, and what they are handed: a request as a line of text.

They inherit nothing of this process: no environment, no open file, no folder. What they answer is text as well,
which is played as if a person had written it.
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
"""All that a child finds in its environment: where the rules are."""
PATIENCE = 20.0
"""Seconds beyond its time for thinking after which a child that has not answered is ended."""
PONDERING = 300.0
"""Seconds in which a question without a limit of its own is answered on the slowest machine."""
TIMES = 2
"""How often a question is asked whose child ends without an answer."""
_LOOK = 0.05
"""Seconds between two attempts to end a child that is thinking."""


class Speechless(Exception):
    """A child ended, or had to be ended, before it answered."""


class Thinker:
    """A child process that answers one question at a time; it begins when it is first asked."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._asking = threading.Lock()
        self._closed = False
        self.child: subprocess.Popen[str] | None = None
        """The process, once there is one."""

    def ask(self, question: Question) -> str | None:
        """The move that the child answers; None if it has to stop. Raises Speechless."""
        move = self._answer(question.to_json(), question.seconds)
        return None if move is None else str(move)

    def ponder(self, request: Json) -> Json | None:
        """What the child answers to a request for `answering`; None if it has to stop. Raises Speechless."""
        found: Json | None = self._answer(request, PONDERING)
        return found

    def _answer(self, request: Json, seconds: float) -> Any:
        """What the child answers, which takes so many seconds at most; None if it has to stop.

        Whatever becomes of the child costs nothing but time: another is asked. Raises Speechless when that one
        does not answer either.
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
            raise Speechless(f"nobody can think about this position of {request['game_type']}")

    def hurry(self) -> None:
        """Have the question be answered at once, with what is found by now: from any thread."""
        child = self.child
        if child is not None:
            child.send_signal(HURRY)

    def close(self) -> None:
        """Stop, whatever the child is thinking about: from any thread."""
        self._closed = True
        while not self._asking.acquire(timeout=_LOOK):
            if self.child is not None:
                self.child.kill()
        self._end()
        self._asking.release()

    def _end(self) -> None:
        """End the child, whose place another can take."""
        if self.child is not None:
            self.child.kill()
            self.child.communicate()
            self.child = None

    def _running(self) -> subprocess.Popen[str]:
        if self.child is None:
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {HURRY})  # it takes this over
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
        """The line that a child answers to one; less than a line if it ends before."""
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
