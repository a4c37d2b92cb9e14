"""The pages of games stay small enough for slow connections, even with the largest board."""

from __future__ import annotations

from random import Random

import pytest
from flask import Flask

from rules.chance import Chance
from rules.registry import RULES, rules_named
from server.game.log import log
from server.processes.services import Services
from tests.support.server.games import submit
from tests.support.server.players import add_player
from tests.support.web.games import match

_MOST_BYTES = 60_000
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
    sizes = {}
    for turn in range(1, _TURNS + 1):
        position = log.position_of(game.game())
        for seat in rules.to_move(position):
            browser, move = game.browsers[seat], rules.sample(position, seat, below)
            picks = rules.picks_of(position, seat, move)
            form = {"turn": turn, "pick": list(picks[: len(picks) // 2])}
            sizes[f"turn {turn}"] = len(browser.get(game.address).data)
            sizes[f"turn {turn}, picked"] = len(browser.send(f"{game.address}/try", **form).data)
            sizes[f"turn {turn}, tried"] = len(browser.get(f"{game.address}/analysis").data)
            submit(services, game.number, seat, rules.format(move))
    assert {page: size for page, size in sizes.items() if size >= _MOST_BYTES} == {}
