"""The games as players see them: names, numbers of players, rules pages."""

import json
from dataclasses import dataclass
from functools import cache

from rules.game import Json
from rules.registry import RULES
from rules.sentences import listed
from server.settings import ROOT

_PAGES = ROOT / "docs" / "rules"
_WRITING = ("Writing", "How to write")
"""Possible beginnings of the heading of the part about writing moves."""


@dataclass(frozen=True)
class GameTypeView:
    """A game type as players see it.

    `players` is as in "2" or "2, 3 or 4", and `about` the first paragraph of its rules page.
    """

    name: str
    title: str
    players: str
    about: str


def every_game_type() -> list[GameTypeView]:
    """Return all game types, sorted by title."""
    return sorted(map(game_type_view, RULES), key=lambda view: view.title.casefold())


@cache
def game_type_view(name: str) -> GameTypeView:
    """Return the game type with this name."""
    return GameTypeView(name, RULES[name].title, listed(_numbers_of_players(name), "or"), _about(name))


def rules_page(name: str) -> str:
    """Return the rules of a game for its players, in Markdown; "" if they are not written yet."""
    page = _PAGES / f"{name}.md"
    return page.read_text(encoding="utf-8") if name in RULES and page.is_file() else ""


def examples_of(name: str) -> dict[str, Json]:
    """Return those example positions of a rules page that its sample game does not reach, by title.

    Each has its `options`, the `position` (the start if it is missing), the `moves` made there by seat, lists
    of moves that are `allowed` or `refused`, the `seat` that sees it, and the relevant `part` of the board.
    """
    page = _PAGES / f"{name}.json"
    found: dict[str, Json] = (
        json.loads(page.read_text(encoding="utf-8")) if name in RULES and page.is_file() else {}
    )
    return found


def notation(name: str) -> str:
    """Return the section of a rules page about writing moves, in Markdown; "" if there is none."""
    parts = rules_page(name).split("\n## ")[1:]
    return next((f"## {part.strip()}" for part in parts if part.startswith(_WRITING)), "")


def _about(name: str) -> str:
    """Return the first paragraph of a rules page."""
    paragraphs = rules_page(name).split("\n\n")
    return next((" ".join(part.split()) for part in paragraphs if not part.startswith("#")), "")


def _numbers_of_players(name: str) -> list[str]:
    rules = RULES[name]
    return [
        str(number) for number in sorted({len(rules.seats(rules.options(given))) for given in rules.variants})
    ]
