"""The pages of games stay small enough for slow connections, even with the largest board."""

from __future__ import annotations

import gzip
from random import Random

import pytest
from flask import Flask

from rules.chance import Chance
from rules.registry import RULES, rules_named
from server.game.log import log
from server.processes.services import Services
from server.web.shared.templating import PAGES
from tests.support.server.games import submit
from tests.support.server.players import add_player
from tests.support.web.games import match

_MOST_BYTES = 61_000
"""Bytes of a page before compression."""
_MOST_OF_FIRST_VISIT = 60_000
"""Compressed bytes of a page with all style sheets and scripts, which browsers keep after the first visit."""
_MOST_COMPRESSED = 12_000
"""Compressed bytes of a page."""
_TURNS = 3
_PEOPLE = ("Ann", "Ben", "Cleo", "Dan")


def largest(name: str) -> dict[str, object]:
    """Return the options of the variant of a game with the most places."""

    def places(given: dict[str, object]) -> int:
        options = rules.options(given)
        position = rules.start(options, rules.setup(options, Chance(bytes(32), "setup")))
        return sum(bool(cell.ground) for row in rules.diagram(position).rows for cell in row.cells)

    rules = rules_named(name)
    return max(map(dict, rules.variants), key=places)


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(RULES))
def test_page_of_the_largest_board_stays_small(app: Flask, services: Services, name: str) -> None:
    """Tests the first turns and later ones, with and without picks, and the analysis board."""
    rules, options, below = rules_named(name), largest(name), Random(name).randrange
    called = _PEOPLE[: len(rules.seats(rules.options(options)))]
    people = [add_player(services, f"{each.lower()}@example.org", each) for each in called]
    game = match(app, services, name, *people, **options)
    pages: dict[str, bytes] = {}
    for browser in game.browsers:
        browser.client.environ_base["HTTP_ACCEPT_ENCODING"] = "gzip"
    for turn in range(1, _TURNS + 1):
        position = log.position_of(game.game())
        for seat in rules.to_move(position):
            browser, move = game.browsers[seat], rules.sample(position, seat, below)
            picks = rules.picks_of(position, seat, move)
            form = {"turn": turn, "pick": list(picks[: len(picks) // 2])}
            pages[f"turn {turn}"] = browser.get(game.address).data
            pages[f"turn {turn}, picked"] = browser.send(f"{game.address}/try", **form).data
            pages[f"turn {turn}, tried"] = browser.get(f"{game.address}/analysis").data
            submit(services, game.number, seat, rules.format(move))
    sizes = {name: (len(page), len(gzip.decompress(page))) for name, page in pages.items()}
    most = (_MOST_COMPRESSED, _MOST_BYTES)
    assert {name: size for name, size in sizes.items() if size[0] >= most[0] or size[1] >= most[1]} == {}


def test_style_sheets_and_scripts_stay_small(app: Flask) -> None:
    """On its first visit, a browser downloads them together with a page."""
    names = [path.name for path in (PAGES / "static").iterdir() if path.suffix in (".css", ".js")]
    files = [app.test_client().get(f"/static/{name}", headers={"Accept-Encoding": "gzip"}) for name in names]
    assert {file.headers.get("Content-Encoding") for file in files} == {"gzip"}
    assert sum(len(file.data) for file in files) < _MOST_OF_FIRST_VISIT - _MOST_COMPRESSED
