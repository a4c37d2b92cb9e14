"""Tasks that are done again and again, whatever happens."""

import logging
import time
from collections.abc import Callable

from server.store.db import is_away
from server.store.failures import diagnosis

logger = logging.getLogger(__name__)

_REST, _LONGEST_REST = 1.0, 30.0
"""Seconds that a task rests after the database has failed."""


class Guarded:
    """A task whose failure is logged, only by kind and place, and which is tried again at the next bell.

    While the database fails it is tried ever more rarely, down to every half minute.
    """

    def __init__(self, name: str, task: Callable[[], None]) -> None:
        self._name, self._task = name, task
        self._rest = 0.0
        self._not_before = 0.0

    def __call__(self) -> None:
        if time.monotonic() < self._not_before:
            return
        try:
            self._task()
        except Exception as error:  # the bell must go on ringing
            logger.error("%s: %s; trying again", self._name, diagnosis(error))
            self._rest = min(max(2 * self._rest, _REST), _LONGEST_REST) if is_away(error) else 0.0
            self._not_before = time.monotonic() + self._rest
        else:
            self._rest = 0.0
