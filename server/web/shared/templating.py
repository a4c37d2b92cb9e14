"""Filters and globals of the templates: the visitor, boards as pictures, times in words."""

from collections.abc import MutableMapping
from contextlib import suppress
from datetime import datetime
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from flask import Flask
from flask.templating import Environment
from jinja2 import StrictUndefined
from markupsafe import Markup
from sqlalchemy.exc import OperationalError

from rules.drawing import Door, Shapes, ascii_board, svg_board, svg_swatch
from rules.drawing.diagram import Cell, Diagram
from rules.sentences import listed
from server.accounts.computer_characters import COMPUTER
from server.admin import announcements
from server.clock.moments import write_moment
from server.clock.spans import DAY, MINUTE, ZERO, briefly
from server.settings import ROOT
from server.web.shared import colour_scheme
from server.web.shared.colour_scheme import address
from server.web.shared.documents import as_page
from server.web.shared.labels import LABELS
from server.web.shared.visits import (
    count_waiting,
    looking,
    page_to_return_to,
    services,
    visitor,
    way_in,
)

PAGES = ROOT / "templates" / "web"
_MOST_URLS = 2000
"""The number of URLs that are remembered."""


class _Environment(Environment):
    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of all templates: none has its own, and a `ChainMap` of both is slow."""
        return self.globals


def prepare(app: Flask) -> None:
    """Give the templates of `app` their filters and globals."""
    app.jinja_environment = _Environment
    environment = app.jinja_env
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.filters.update(
        moment=_moment,
        left=_left,
        ago=_ago,
        day=_day,
        date=_date,
        board=_board,
        swatch=_swatch,
        text_board=ascii_board,
        markdown=as_page,
        listed=listed,
        begun=_begun,
    )
    environment.globals.update(
        url_for=lru_cache(_MOST_URLS)(app.url_for),  # every page has many of the same links
        visitor=visitor,
        count_waiting=count_waiting,
        computer=COMPUTER,
        colours=colour_scheme.chosen,
        address=address,
        way_in=way_in,
        page_to_return_to=page_to_return_to,
        labels=LABELS,
        announcements=_Announcements(),
    )
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 30 * 24 * 3600


@cache
def static_version() -> str:
    """Return a version for the URLs of static files, which changes with any of them.

    Browsers cache the files for a long time, and the scripts import each other.
    """
    files = sorted((PAGES / "static").iterdir())
    return sha256(b"".join(sha256(file.read_bytes()).digest() for file in files)).hexdigest()[:12]


class _Announcements:
    """The current announcements, in paragraphs; read from the database once a minute."""

    def __init__(self) -> None:
        self._found: list[tuple[str, ...]] = []
        self._as_of: datetime | None = None

    def __call__(self) -> list[tuple[str, ...]]:
        """Return the announcements, at most a minute old. During a database outage, the old ones are used."""
        now = services().now()
        if self._as_of is None or not self._as_of <= now < self._as_of + MINUTE:
            with suppress(OperationalError), looking() as visit:
                self._found = announcements.current(visit.session, now)
            self._as_of = now
        return self._found


def _moment(time: datetime) -> Markup:
    """Return a time in the reader's time zone."""
    return Markup('<time datetime="{}">{}</time>').format(f"{time:%Y-%m-%dT%H:%MZ}", _written(time))


def _written(time: datetime) -> str:
    reader = visitor()
    return write_moment(time, ZoneInfo("UTC") if reader is None else reader.zone)


def _left(time: datetime) -> Markup:
    left = time - services().now()
    words = f"{briefly(left)} left" if left > ZERO else "time is up"
    said = Markup('<span class="soon">{}</span>').format(words) if left < DAY else words
    return _brief(time, said, "due ")


def _ago(time: datetime) -> Markup:
    passed = services().now() - time
    return _brief(time, f"{briefly(passed)} ago" if passed >= MINUTE else "just now")


def _day(time: datetime) -> Markup:
    return _brief(time, _written(time).partition(",")[0])


def _begun(words: str) -> str:
    """Return words with a capital letter at the start; unlike `capitalize`, keep the others."""
    return words[:1].upper() + words[1:]


def _date(time: datetime) -> str:
    """Return the date of a time as short text without markup."""
    return _written(time).partition(",")[0].partition(" ")[2]


def _brief(time: datetime, words: str, what: str = "") -> Markup:
    """Return a time in short words; the exact time is the tooltip, and is read out by screen readers.

    `words` and `what` are HTML.
    """
    exact = _written(time)
    unseen = f'<span class="unseen">, {what}{exact}</span>'
    # Escaping would triple the time, and a page can show a hundred times of day.
    shown = f'<time datetime="{time:%Y-%m-%dT%H:%MZ}" title="{exact}">{words}</time>{unseen}'
    return Markup(shown)  # noqa: S704 - numbers, months, units and zones from the database of time zones


def _board(
    diagram: Diagram,
    doors: dict[str, Door] | None = None,
    marks: tuple[str, ...] = (),
    shapes: Shapes | None = None,
) -> Markup:
    drawn = svg_board(diagram, doors=doors, marks=marks, shapes=shapes)
    return Markup(drawn)  # noqa: S704 - the renderer escapes every text


def _swatch(cell: Cell) -> Markup:
    return Markup(svg_swatch(cell))  # noqa: S704 - the renderer escapes every text
