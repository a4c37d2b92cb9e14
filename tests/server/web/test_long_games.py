"""Games with hundreds of messages: their pages show the latest ones and link to the others."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from sqlalchemy import insert

from server.game.log import log
from server.processes.services import Services
from server.store.db import writing
from server.store.models import GameMessage, Player, SpectatorMessage
from server.web.shared.paging import page_around
from tests.support.server.games import submit
from tests.support.server.players import add_player
from tests.support.web.client import logged_in
from tests.support.web.games import Match, match

_SAID = 70


def said(page: str) -> list[str]:
    """Return the messages on a page, latest first."""
    return re.findall(r'<p class="said">([^<]+)</p>', page)


@pytest.mark.parametrize("where", ["messages", "spectator-messages"])
def test_page_shows_the_latest_messages_and_links_to_others(
    app: Flask, services: Services, open_game: Match, where: str
) -> None:
    dora, eve = (add_player(services, f"{name.lower()}@example.org", name) for name in ("Dora", "Eve"))
    with writing(services.engine) as session:
        for number in range(1, _SAID + 1):
            sealed = services.sealer.seal(f"word {number}".encode())
            row = {"game_id": open_game.number, "turn": 1, "sealed": sealed, "said_at": services.now()}
            if where == "messages":
                session.execute(insert(GameMessage), [{**row, "seat": 1}])
            else:
                session.execute(insert(SpectatorMessage), [{**row, "player_id": eve.id}])
    browser = open_game.browsers[0] if where == "messages" else logged_in(app, services, dora)
    address, found = open_game.address, list[str]()
    pages = 0
    while address and pages < 5:
        page = browser.get(address).text
        found += said(page)
        earlier = re.findall(rf'href="([^"]+{where}=\d+)[^"]*">Earlier', page)
        address, pages = (earlier[0] if earlier else ""), pages + 1
    assert found == [f"word {number}" for number in range(_SAID, 0, -1)]
    assert pages == 3


def test_message_on_an_earlier_page_can_be_reported(services: Services, open_game: Match) -> None:
    with writing(services.engine) as session:
        for number in range(1, 33):
            sealed = services.sealer.seal(f"word {number}".encode())
            session.add(
                GameMessage(game_id=open_game.number, turn=1, seat=1, sealed=sealed, said_at=services.now())
            )
    for page, shown in ((1, 32), (2, 2), (99, 32)):
        text = open_game.browsers[0].get(f"{open_game.address}?messages={page}").text
        (first, *_) = re.findall(r'href="([^"]+/report)"', text)
        assert f"word {shown}<" in open_game.browsers[0].get(first).text


@pytest.mark.parametrize(
    ("shown", "first", "last"), [(200, 141, 200), (100, 71, 130), (171, 141, 200), (0, 1, 60)]
)
def test_turns_around_the_shown_one_are_listed(shown: int, first: int, last: int) -> None:
    part = page_around(range(200, 0, -1), shown)
    assert (part.numbers[-1], part.numbers[0]) == (first, last)
    assert (part.earlier, part.later) == (first - 1 or None, last + 1 if last < 200 else None)


@pytest.mark.slow
def test_long_game_links_to_its_earlier_turns(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    game = match(app, services, "nebuchadnezzar", ann, ben, size=15)
    for _ in range(70):
        position = log.position_of(game.game())
        rules = log.rules_of(game.game())
        (seat,) = rules.to_move(position)
        submit(services, game.number, seat, rules.examples(position, seat)[0])
    address = game.address
    for ways in (["Earlier turns"], ["Later turns"]):
        page = game.browsers[0].get(address).text
        found = re.findall(r'href="([^"]+)">((?:Earlier|Later) turns)', page)
        assert [label for _, label in found] == ways
        address = found[0][0]
