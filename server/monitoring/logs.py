"""Logging with a limit: similar warnings appear once a minute, with a count, so that no flood fills the disk.

This includes log lines of libraries and unhandled errors in threads. Lines that other people cause have a
separate limit and never displace Nabu's own errors. If the log itself cannot be written, the failure is
ignored.
"""

import json
import logging
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy
from datetime import UTC, datetime
from typing import TextIO

_FIELDS = "fields"
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_MINUTE = 60.0
MOST_LINES = 300
"""The most lines per minute for Nabu's own errors, and again for everything else."""
MOST_OF_A_PLACE = 30
"""The most of these lines from one place in the program, as other people may choose their text."""
MOST_EVENTS = 6000
"""The most events per minute: emails, turns, deliveries, deadlines."""
_LONGEST = 1000
"""The most characters of a line."""
_LONGEST_TRACEBACK = 20_000
_OURS = ("server", "mail")
_FORMATTER = logging.Formatter()
_NUMBERS = re.compile(r"0x[0-9a-f]+|\d+")

logger = logging.getLogger(__name__)


class _Minute:
    """The records of one minute that share a limit."""

    def __init__(self, lines: int = MOST_LINES, of_a_place: int = MOST_OF_A_PLACE) -> None:
        self._most, self._most_of_a_place = lines, of_a_place
        self.seen: dict[str, int] = {}
        """The number of records by cause."""
        self.passed_over = 0
        self._places: Counter[tuple[str, int]] = Counter()

    def takes(self, record: logging.LogRecord, cause: str) -> bool:
        """Count a record; return whether to write it. Records with the cause "" are never similar to others."""
        if cause in self.seen:
            self.seen[cause] += 1
            return False
        place = (record.pathname, record.lineno)
        if self._places.total() >= self._most or self._places[place] >= self._most_of_a_place:
            self.passed_over += 1
            return False
        self._places[place] += 1
        if cause:
            self.seen[cause] = 1
        return True


class Sparing(logging.StreamHandler[TextIO]):
    """A log handler that writes similar messages, which differ only in numbers, once a minute, and limits all.

    From the second minute on, a lasting cause is written without its traceback. `ticks` returns the seconds of
    a monotonic clock.
    """

    def __init__(self, stream: TextIO | None = None, ticks: Callable[[], float] = time.monotonic) -> None:
        super().__init__(stream)
        self._ticks = ticks
        self._errors, self._others, self._events = _Minute(), _Minute(), _Minute(MOST_EVENTS, MOST_EVENTS)
        self._before: frozenset[str] = frozenset()
        """The causes of the previous minute."""
        self._since = ticks()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless it exceeds a limit."""
        if self._ticks() - self._since >= _MINUTE:
            for line in self._begin_minute():
                super().emit(line)
        minute = self._errors if _is_our_error(record) else self._others
        if hasattr(record, _FIELDS):
            minute = self._events
        if minute.takes(record, _cause(record) if record.levelno >= logging.WARNING else ""):
            super().emit(self._shortened(record))

    def handleError(self, record: logging.LogRecord) -> None:
        """Ignore the error: if a line cannot be written, a traceback cannot either."""

    def _shortened(self, record: logging.LogRecord) -> logging.LogRecord:
        """Return the record cut to its longest length, without a traceback already written a minute ago."""
        short = copy(record)
        short.msg, short.args = _cut(_message(record)), ()
        if record.exc_info and record.exc_info[0]:
            if _cause(record) in self._before:
                short.msg = f"{short.msg} ({record.exc_info[0].__name__}, as before)"
                short.exc_info = short.exc_text = None
            else:
                short.exc_text = _cut_traceback(_FORMATTER.formatException(record.exc_info))
        return short

    def _begin_minute(self) -> Iterator[logging.LogRecord]:
        """Start a new minute; yield lines that count the records left out of the last one."""
        late = self._ticks() - self._since >= 2 * _MINUTE
        seen = self._errors.seen | self._others.seen
        passed_over = sum(each.passed_over for each in (self._errors, self._others, self._events))
        self._before = frozenset() if late else frozenset(seen)
        self._errors, self._others, self._events = _Minute(), _Minute(), _Minute(MOST_EVENTS, MOST_EVENTS)
        self._since = self._ticks()
        for cause, count in seen.items():
            if count > 1:
                yield _line("%s more similar lines in a minute: %s", count - 1, cause[:200])
        if passed_over:
            yield _line("%s more lines in a minute", passed_over)


class Text(logging.Formatter):
    """Lines for people; the fields of an event follow its text."""

    def __init__(self) -> None:
        super().__init__(FORMAT)

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line without a traceback."""
        fields = getattr(record, _FIELDS, None)
        line = super().formatMessage(record)
        return " ".join([line, *(f"{name}={value}" for name, value in fields.items())]) if fields else line


class Lines(logging.Formatter):
    """Lines for programs, each a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line of JSON; a traceback is one of its fields."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, _FIELDS, {}),
        }
        if record.exc_text or record.exc_info:
            line["traceback"] = record.exc_text or self.formatException(record.exc_info or (None, None, None))
        return json.dumps(line, default=str)


def event(log: logging.Logger, what: str, **fields: object) -> None:
    """Log an event with its fields, for example `event(logger, "turn", game=87, turn=12)`.

    Fields never contain text of players, and addresses only as marks.
    """
    log.info(what, extra={_FIELDS: {name: value for name, value in fields.items() if value is not None}})


def set_up(level: str, form: str = "text") -> None:
    """Log to standard error from this level up, as `text` or `json`."""
    handler = Sparing()
    handler.setFormatter(Lines() if form == "json" else Text())
    logging.basicConfig(level=level, handlers=[handler])
    # It would log each check of the schema, which mail servers then log for every `nabu mail pipe`.
    logging.getLogger("alembic").setLevel(logging.WARNING)


def catch_unhandled() -> None:
    """Log warnings, unhandled errors in threads, and errors that Python cannot raise."""
    logging.captureWarnings(True)
    threading.excepthook = _log_thread
    sys.unraisablehook = _log_unraisable


def _cause(record: logging.LogRecord) -> str:
    """Return the text that records of the same cause share."""
    kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
    return _NUMBERS.sub("#", f"{record.name}: {_message(record)[:_LONGEST]} {kind}".rstrip())


def _is_our_error(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.ERROR and record.name.partition(".")[0] in _OURS


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _cut_traceback(text: str) -> str:
    """Keep the beginning of a traceback, which shows the place, and its end, which shows the error."""
    half = _LONGEST_TRACEBACK // 2
    kept = text if len(text) <= _LONGEST_TRACEBACK else f"{text[:half]}\n…\n{text[-half:]}"
    return "\n".join(map(_cut, kept.split("\n")))


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
        found = (unhandled.exc_type, unhandled.exc_value, unhandled.exc_traceback)
        logger.error("%s ended", name, exc_info=found)


def _log_unraisable(unhandled: "sys.UnraisableHookArgs") -> None:
    error = unhandled.exc_value
    if error is not None:
        found = (type(error), error, unhandled.exc_traceback)
        logger.error("%s", unhandled.err_msg or "ignored error", exc_info=found)
