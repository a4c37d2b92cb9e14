"""Pages of a server with several people: spectators, anonymous games, blocked players."""

from __future__ import annotations

import re
from collections.abc import Iterator

from server.accounts.computer_characters import COMPUTER
from server.game.computer import lessons
from server.limits import LONGEST_MESSAGE
from server.store.db import reading, writing
from server.store.models import Game
from server.store.outbox import ActionContext
from tests.pictures.site import GameInBrowsers, Site
from tests.support.server.games import open_game
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in

_MESSAGES = ("Black should have taken the corner.", "There is still time for that.")


def of_a_place(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the pages by the names of their pictures."""
    clara, donald = (_newcomer(site, name) for name in ("Clara", "Donald"))
    yield from _watched(site, clara, donald)
    yield from _anonymous(site, clara)
    yield "game-private", GameInBrowsers(site, "nibble", 3, private="on").mover.get("/games").text
    yield from _of_three(site, clara)
    yield from _guided(site)
    yield "challenge-open-mistake", site.ann.send("/games/new/nibble", whom="anyone", rating="good").text
    yield from _known(site)


def _newcomer(site: Site, name: str) -> Browser:
    """Return the browser of a new player."""
    email = f"{name.lower()}@example.org"
    return logged_in(site.app, site.services, add_player(site.services, email, name))


def _watched(site: Site, one: Browser, other: Browser) -> Iterator[tuple[str, str]]:
    """Yield the spectator chat during a game and afterwards."""
    table = GameInBrowsers(site, "nebuchadnezzar", 6)
    for browser, text in zip((one, other), _MESSAGES, strict=True):
        browser.send(f"{table.address}/spectator-message", text=text)
    yield "spectators", one.get(table.address).text
    one.send(f"{table.address}/report-spectator", message="2")
    yield (
        "spectators-mistake",
        one.send(f"{table.address}/spectator-message", text="x" * (LONGEST_MESSAGE + 1)).text,
    )
    table.post("resign")
    yield "spectators-over", table.mover.get(table.address).text


def _anonymous(site: Site, guest: Browser) -> Iterator[tuple[str, str]]:
    """Yield an anonymous game before, during and after it."""
    number = open_game(site.services, site.people[0], "nibble", anonymous="yes")
    address = f"/games/{number}"
    yield "anonymous-open", site.ben.get(address).text
    site.ben.send(f"{address}/join")
    yield "anonymous", site.ben.get(address).text
    yield "anonymous-watched", guest.get(address).text
    with reading(site.services.engine) as session:
        turn = session.get_one(Game, number).turn
    site.ann.send(f"{address}/resign", turn=turn)
    yield "anonymous-over", site.ben.get(address).text


def _of_three(site: Site, third: Browser) -> Iterator[tuple[str, str]]:
    """Yield a game of three players with a private message."""
    number = open_game(site.services, site.people[0], "nexus", players=3)
    address = f"/games/{number}"
    for browser in (site.ben, third):
        browser.send(f"{address}/join")
    page = site.ann.get(address).text
    (listener,) = re.findall(r'<option value="([0-9])">only Ben', page)
    site.ann.send(f"{address}/say", turn=1, text="Shall we gang up on Clara?", to=listener)
    yield "game-of-three", site.ben.get(address).text


def _guided(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the lists of a new player, and the guided first game."""
    with writing(site.services.engine) as session:
        action = ActionContext(session, site.services.sealer, site.services.now(), teaches=True)
        newcomer = lessons.register(action, "theodora@example.org", "Theodora")
    browser = logged_in(site.app, site.services, newcomer)
    yield "games-first", browser.get("/games").text
    with reading(site.services.engine) as session:
        found = lessons.guided_game(session, newcomer.id or 0)
        assert found is not None
        address = f"/games/{found[0].id}"
    yield "lesson", browser.get(address).text


def _known(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the pages of watched, ignored and blocked players, and of a computer player."""
    site.ben.send("/settings/watch", name="Ann")
    yield "player-watched", site.ben.get("/player/Ann").text
    for what, whom in (("ignore", "Clara"), ("block", "Donald")):
        site.ben.send(f"/settings/{what}", name=whom)
        yield f"player-{what}", site.ben.get(f"/player/{whom}").text
    yield "player-computer", site.ben.get(f"/player/{COMPUTER}").text
    yield "settings-kept-away", site.ben.get("/settings").text
