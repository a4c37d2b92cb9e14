"""The games as people get to know them: names, numbers of players, rules pages."""

import json
from dataclasses import dataclass

from rules.game import Json
from rules.registry import RULES
from rules.sentences import listed
from server.settings import ROOT

_PAGES = ROOT / "docs" / "rules"
_WRITING = ("Writing", "How to write")
"""How the heading of the part about writing moves begins."""


@dataclass(frozen=True)
class GameTypeView:
    """A game: `players` such as "2" or "2, 3 or 4"; `about` is how its rules page begins."""

    name: str
    title: str
    players: str
    about: str


def every_game_type() -> list[GameTypeView]:
    """All games, by title."""
    views = [
        GameTypeView(name, rules.title, listed(_numbers_of_players(name), "or"), about(name))
        for name, rules in RULES.items()
    ]
    return sorted(views, key=lambda view: view.title.casefold())


def rules_page(name: str) -> str:
    """The rules of a game for its players, in Markdown; "" when nobody has written them down."""
    page = _PAGES / f"{name}.md"
    return page.read_text(encoding="utf-8") if name in RULES and page.is_file() else ""


def examples_of(name: str) -> dict[str, Json]:
    """The positions of a rules page that its game does not come to, by the titles that they have there.

    Each says its `options`, the `position`, or else it is the start, the `moves` made there by seat, lists of
    others that are `allowed` or `refused`, the `seat` that sees it, and the `part` of the board that matters.
    """
    page = _PAGES / f"{name}.json"
    found: dict[str, Json] = (
        json.loads(page.read_text(encoding="utf-8")) if name in RULES and page.is_file() else {}
    )
    return found


def notation(name: str) -> str:
    """How moves are written in a game: the part of its rules about that, in Markdown; "" if there is none."""
    parts = rules_page(name).split("\n## ")[1:]
    return next((f"## {part.strip()}" for part in parts if part.startswith(_WRITING)), "")


def about(name: str) -> str:
    """The first paragraph of the rules of a game."""
    paragraphs = rules_page(name).split("\n\n")
    return next((" ".join(part.split()) for part in paragraphs if not part.startswith("#")), "")


def _numbers_of_players(name: str) -> list[str]:
    rules = RULES[name]
    return [
        str(number) for number in sorted({len(rules.seats(rules.options(given))) for given in rules.variants})
    ]
