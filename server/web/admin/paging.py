"""Paging of lists."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from server.web.shared.paging import LAST_PAGE, asked_page

_ROWS = 30


@dataclass(frozen=True)
class Page:
    """A page of a list, from 1; `more` if it is not the last."""

    number: int
    rows: Sequence[Any] = ()
    more: bool = False

    limit = _ROWS + 1
    """The number of rows to read: one more than a page shows."""

    @classmethod
    def asked(cls) -> "Page":
        """Return the requested page without its rows."""
        return cls(asked_page("page"))

    @property
    def skip(self) -> int:
        """The number of rows before this page."""
        return _ROWS * (self.number - 1)

    def with_rows(self, rows: Sequence[Any]) -> "Page":
        """Return the page with its rows, at most `limit`; an extra row sets `more`."""
        return replace(self, rows=rows[:_ROWS], more=len(rows) > _ROWS and self.number < LAST_PAGE)
