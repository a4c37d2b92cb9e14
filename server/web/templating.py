"""What templates are given beyond their values: who visits, boards as pictures, moments in words."""

from datetime import datetime
from functools import cache
from hashlib import sha256
from zoneinfo import ZoneInfo

from flask import Flask
from jinja2 import StrictUndefined
from markupsafe import Markup

from rules.drawing import Door, ascii_board, svg_board
from rules.drawing.diagram import Diagram
from server.accounts import players
from server.clock.moments import write_moment
from server.markdown import as_html
from server.settings import ROOT
from server.web.visits import visitor

PAGES = ROOT / "templates" / "web"


def prepare(app: Flask) -> None:
    """Give the templates of `app` their filters and globals."""
    environment = app.jinja_env
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.filters.update(moment=_moment, board=_board, text_board=ascii_board, markdown=as_html)
    environment.globals.update(
        visitor=visitor,
        computer=players.COMPUTER,
        version_of=_version_of,
    )
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 30 * 24 * 3600


@cache
def _version_of(name: str) -> str:
    """A text that changes with a static file: browsers keep one for long."""
    return sha256((PAGES / "static" / name).read_bytes()).hexdigest()[:12]


def _moment(time: datetime) -> Markup:
    """In the reader's zone."""
    reader = visitor()
    words = write_moment(time, ZoneInfo("UTC") if reader is None else reader.zone)
    return Markup('<time datetime="{}">{}</time>').format(f"{time:%Y-%m-%dT%H:%MZ}", words)


def _board(diagram: Diagram, doors: dict[str, Door] | None = None) -> Markup:
    return Markup(svg_board(diagram, doors=doors))  # noqa: S704 - the renderer escapes every text
