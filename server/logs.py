"""What a process logs: each cause once a minute, and how many were passed over: a flood would fill the disk.

That holds for libraries, too, and for what threads leave unhandled. What cannot be written is not told of.
"""

import logging
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from copy import copy
from typing import TextIO

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_MINUTE = 60.0
_MOST_LINES = 300
"""In a minute, of whatever causes."""
_MOST_CAUSES = 1000
_LONGEST = 2000
"""Characters of a message that are compared."""
_NUMBERS = re.compile(r"0x[0-9a-f]+|\d+")

logger = logging.getLogger(__name__)


class Sparing(logging.StreamHandler[TextIO]):
    """Writes warnings and errors that differ in numbers alone once a minute, and so many lines in all.

    What lasts for longer is written without its traceback from the second minute on.

    `ticks` tells the seconds that pass.
    """

    def __init__(self, stream: TextIO | None = None, ticks: Callable[[], float] = time.monotonic) -> None:
        super().__init__(stream)
        self._ticks = ticks
        self._seen: dict[str, int] = {}
        """How many there were of each cause in this minute."""
        self._before: frozenset[str] = frozenset()
        """The causes of the minute before."""
        self._since = ticks()
        self._lines = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless there was enough like it."""
        if self._ticks() - self._since >= _MINUTE:
            for line in self._begin_minute():
                super().emit(line)
        if self._passes(record):
            super().emit(self._shortened(record))

    def handleError(self, record: logging.LogRecord) -> None:
        """Tell nobody: where a line cannot be written, a traceback about that cannot either."""

    def _shortened(self, record: logging.LogRecord) -> logging.LogRecord:
        """Without the traceback that stands a minute above."""
        if not (record.exc_info and record.exc_info[0] and _cause(record) in self._before):
            return record
        short = copy(record)
        short.msg, short.args = f"{_message(record)} ({record.exc_info[0].__name__}, as before)", ()
        short.exc_info = short.exc_text = None
        return short

    def _passes(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return self._has_room()
        cause = _cause(record)
        if cause not in self._seen and len(self._seen) >= _MOST_CAUSES:
            return False
        self._seen[cause] = self._seen.get(cause, 0) + 1
        return self._seen[cause] == 1 and self._has_room()

    def _has_room(self) -> bool:
        self._lines += 1
        return self._lines <= _MOST_LINES

    def _begin_minute(self) -> Iterator[logging.LogRecord]:
        """Forget what was, and tell what was passed over."""
        seen, lines = self._seen, self._lines
        late = self._ticks() - self._since >= 2 * _MINUTE
        self._before = frozenset() if late else frozenset(seen)
        self._seen, self._lines, self._since = {}, 0, self._ticks()
        for cause, count in list(seen.items())[:_MOST_LINES]:
            if count > 1:
                yield _line("%s more like this in a minute: %s", count - 1, cause[:200])
        if lines > _MOST_LINES:
            yield _line("%s more lines in a minute", lines - _MOST_LINES)


def set_up(level: str) -> None:
    """Log to standard error from this level on."""
    logging.basicConfig(level=level, format=FORMAT, handlers=[Sparing()])
    # It would tell of each look at the schema, also to mail servers that log what `nabu mail pipe` says.
    logging.getLogger("alembic").setLevel(logging.WARNING)


def catch_unhandled() -> None:
    """Log what this process leaves unhandled: warnings, and errors in threads and where none can be raised."""
    logging.captureWarnings(True)
    threading.excepthook = _log_thread
    sys.unraisablehook = _log_unraisable


def _cause(record: logging.LogRecord) -> str:
    """What a record has in common with others of the same cause."""
    kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
    return _NUMBERS.sub("#", f"{record.name}: {_message(record)[:_LONGEST]} {kind}".rstrip())


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError):
        return str(record.msg)


def _line(message: str, *given: object) -> logging.LogRecord:
    return logging.LogRecord(logger.name, logging.WARNING, __file__, 0, message, given, None)


def _log_thread(unhandled: threading.ExceptHookArgs) -> None:
    name = unhandled.thread.name if unhandled.thread else "a thread"
    if unhandled.exc_value is not None and unhandled.exc_type is not SystemExit:
        told = (unhandled.exc_type, unhandled.exc_value, unhandled.exc_traceback)
        logger.error("%s ended", name, exc_info=told)


def _log_unraisable(unhandled: "sys.UnraisableHookArgs") -> None:
    error = unhandled.exc_value
    if error is not None:
        told = (type(error), error, unhandled.exc_traceback)
        logger.error("%s", unhandled.err_msg or "passed over", exc_info=told)
