"""HTML as email programs turn it into text to quote it, which is not how people would want to read it."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from html.parser import HTMLParser

_BLOCKS = frozenset(("p", "div", "tr", "table", "ul", "li", "br", "h1", "h2"))
_HIDDEN = frozenset(("head", "style", "title"))


@lru_cache(maxsize=64)
def flattened(page: str, cells: str) -> str:
    """The text of a page: `cells` stands between the cells of a table, the address of a link behind it."""
    flattener = _Flattener(cells)
    flattener.feed(page)
    lines = [line.strip(" ") for line in "".join(flattener.pieces).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"


def body_of(page: str) -> str:
    """Return the content of the body of a page, which programs put into an element of their own."""
    start = re.search(r"<body[^>]*>", page)
    return page[start.end() if start else 0 :].partition("</body>")[0]


def as_html(text: str) -> str:
    """A plain text within HTML, line for line."""
    return html.escape(text, quote=False).replace("\n", "<br>")


class _Flattener(HTMLParser):
    def __init__(self, cells: str) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._cells = cells
        self._hidden = 0
        self._link = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in _HIDDEN
        if tag in _BLOCKS:
            self.pieces.append("\n")
        if tag in ("td", "th"):
            self.pieces.append(self._cells)
        if tag == "li":
            self.pieces.append("* ")
        if tag == "a":
            self._link = dict(attrs).get("href") or ""

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in _HIDDEN
        if tag == "p":
            self.pieces.append("\n")
        if tag == "a" and self._link:
            self.pieces.append(f" <{self._link}> ")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(" ".join(data.split("\n")))
