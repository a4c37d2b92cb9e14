"""Lists that are shown a page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import request

_ROWS = 30
_LAST = 1000


@dataclass(frozen=True)
class Page:
    """A page of a list, from 1; `more` when it is not the last."""

    number: int
    rows: Sequence[Any] = ()
    more: bool = False

    limit = _ROWS + 1
    """How many rows to look up: one more than are shown."""

    @classmethod
    def asked(cls) -> "Page":
        """The page that the address asks for, without its rows."""
        return cls(min(max(request.args.get("page", 1, type=int), 1), _LAST))

    @property
    def skip(self) -> int:
        """How many rows come before it."""
        return _ROWS * (self.number - 1)

    def with_rows(self, rows: Sequence[Any]) -> "Page":
        """The page with its rows, of which there may be one more than are shown."""
        return replace(self, rows=rows[:_ROWS], more=len(rows) > _ROWS and self.number < _LAST)
