"""The positions of elements on pages, to find the pages with an element that other pages do not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser

_STYLED = (
    "class", "type", "hidden", "open", "scope", "role", "aria-current", "aria-invalid", "aria-pressed",
    "data-colours", "viewbox",
)  # fmt: skip
"""Attributes whose values change the look of elements; of others only the presence counts."""
_CELLS = ("td", "th")
_POINTS = {"href": "#", "for": "", "aria-labelledby": "", "aria-controls": ""}
"""Attributes that refer to other elements, and the prefixes of such references."""
_VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
_LONG = 20
"""The number of letters from which a word may be too wide."""


def telling(pages: Mapping[str, str]) -> Iterator[str]:
    """Yield the names of pages with elements that no page before had: the one with most of them comes next."""
    left = {name: places_of(html) for name, html in pages.items()}
    while left and max(map(len, left.values())):
        name = max(left, key=lambda each: len(left[each]))
        yield name
        seen = left.pop(name)
        left = {other: places - seen for other, places in left.items()}


def places_of(html: str) -> set[str]:
    """Return the positions of a page: nested elements, as far as style sheets and axe-core distinguish them."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.places | {f"broken {name}" for name in reader.faults()}


class _Reader(HTMLParser):
    """A parser that collects the positions of elements and the IDs they refer to."""

    def __init__(self) -> None:
        super().__init__()
        self.places: set[str] = set()
        self._above: list[tuple[str, str]] = []
        self._column = 0
        self._ids: list[str] = []
        self._named: set[str] = set()

    def faults(self) -> set[str]:
        """Return the duplicate IDs and the missing ones."""
        return {each for each in self._ids if self._ids.count(each) > 1} | self._named - set(self._ids)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Enter an element."""
        values = dict(attrs)
        self._ids += filter(None, [values.get("id")])
        for name, mark in _POINTS.items():
            value = values.get(name) or ""
            if value.startswith(mark) and value != mark:
                self._named.update(value.removeprefix(mark).split())
        looks = [f"{name}={values[name]}" for name in _STYLED if name in values]
        if tag in _CELLS:
            self._column += 1
            looks.append(str(self._column))
        elif tag == "tr":
            self._column = 0
        above = f"{self._above[-1][1]}>" if self._above else ""
        place = f"{above}{tag} {' '.join(looks + sorted(values))}"
        self.places.add(place)
        if tag not in _VOID:
            self._above.append((tag, place))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Handle an element that is closed immediately, as in SVG."""
        depth = len(self._above)
        self.handle_starttag(tag, attrs)
        del self._above[depth:]

    def handle_endtag(self, tag: str) -> None:
        """Leave the last element with this name, and all elements in it."""
        for depth in range(len(self._above) - 1, -1, -1):
            if self._above[depth][0] == tag:
                del self._above[depth:]
                return

    def handle_data(self, data: str) -> None:
        """Note the longest word of a text."""
        words = data.split()
        if words and self._above:
            self.places.add(f"{self._above[-1][1]}>{max(map(len, words)) // _LONG}")
