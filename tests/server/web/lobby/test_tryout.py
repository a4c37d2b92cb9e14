"""A game against a computer player that anyone can try, and that is not stored."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from random import Random

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from rules.records.record import load_position
from rules.registry import RULES
from server.game.computer.tryout import Tryout
from server.processes.services import Services
from tests.support.counting import statements
from tests.support.web.client import Browser, readable
from tests.support.web.games import Match

_POSITION = re.compile(r'name="position" value="([^"]+)"')
_MOST_BYTES = 60_000
_MOST_TURNS = 400

every_game_type = pytest.mark.parametrize("game_type", sorted(RULES))


def position(page: TestResponse) -> str:
    """Return the position in the form of a page; "" once the game is over."""
    found = _POSITION.search(page.text)
    return unescape(found[1]) if found else ""


@pytest.mark.sample(2)
@pytest.mark.slow
@every_game_type
def test_complete_game_is_played_and_nothing_is_stored(app: Flask, services: Services, game_type: str) -> None:
    browser, below = Browser(app), Random(game_type).randrange
    address, form = f"/rules/{game_type}/try", {"csrf_token": browser.token()}
    browser.get("/rules")  # announcements are cached for a minute
    with statements(services) as asked:
        page = browser.get(address)
        for _ in range(_MOST_TURNS):
            if not (now := position(page)):
                break
            assert len(page.data) < _MOST_BYTES
            rules, _, stands = load_position(now)
            move = rules.format(rules.sample(stands, 0, below))
            page = browser.client.post(address, data={**form, "position": now, "play": move})
            assert page.status_code == 200
            assert (
                f"You ({rules.seats(rules.options({}))[0]}" in readable(page) or game_type == "nebuchadnezzar"
            )
    assert "Play again" in readable(page)
    assert asked == []


@every_game_type
def test_move_is_picked_step_by_step(app: Flask, game_type: str) -> None:
    browser, address = Browser(app), f"/rules/{game_type}/try"
    now = position(browser.get(address))
    rules, _, stands = load_position(now)
    picks: list[str] = []
    while following := rules.choices(stands, 0, picks).picks:
        picks.append(following[0].text)
        page = browser.send(address, position=now, pick=picks)
        assert position(page) == now
        label = following[0].label
        assert f"<li>{label[:1].upper()}{label[1:]}</li>" in unescape(page.text)
    move = rules.choices(stands, 0, picks).move
    assert f'name="play" value="{move}"' in unescape(page.text)
    back = browser.send(address, position=now, pick=picks, back="1")
    assert f'name="play" value="{move}"' not in unescape(back.text)
    played = browser.send(address, position=now, text=move)
    assert position(played) not in ("", now)
    assert not re.search("[?&;]pick=", played.text), "no address holds orders"


def test_error_is_explained_and_the_game_stays(app: Flask) -> None:
    browser, address = Browser(app), "/rules/nebuchadnezzar/try"
    now = position(browser.get(address))
    for wrong in ({"text": "z99"}, {"pick": ["z99"]}, {"play": "xa1"}):
        page = browser.send(address, position=now, **wrong)
        assert page.status_code == 422
        assert 'role="alert"' in page.text
        assert position(page) == now


def test_invalid_game_is_refused(app: Flask) -> None:
    browser, address = Browser(app), "/rules/nardshir/try"
    now = position(browser.get(address))
    unrolled = json.loads(now)
    unrolled["position"]["dice"] = []
    for wrong in ("", "x", "{}", now.replace("nardshir", "chess"), json.dumps(unrolled)):
        assert browser.send(address, position=wrong).status_code == 400
    assert browser.send("/rules/nibble/try", position=now).status_code == 400
    assert browser.get("/rules/chess/try").status_code == 404


class Ticking:
    """A clock that advances by a hundredth of a second each time it is read."""

    looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks / 100


def test_computer_uses_little_time_for_any_number_of_moves() -> None:
    """All points on which X can enter are taken, and its last disc on the board is borne off: only O moves."""
    caught = {
        "points": [[0] * 23 + [1], [0] * 18 + [2] * 6],
        "hand": [14, 3],
        "off": [0, 0],
        "to_move": 0,
        "dice": [1, 2],
        "turn": 9,
        "quiet_turns": 0,
    }
    written = {"format": "nabu-position/1", "game": "nardshir", "options": {}, "position": caught}
    most = 0
    for _ in range(50):
        clock = Ticking()
        game = replace(Tryout.read(json.dumps(written)), clock=clock).play("24/off")
        moves = sum(1 in step.moves for step in game.steps)
        assert clock.looks < 4 * moves + 6, "it thinks about its first move only"
        most = max(most, moves)
    assert most > 3


def test_rules_and_games_link_to_the_tryout(app: Flask, open_game: Match) -> None:
    for page in ("/rules/nebuchadnezzar", open_game.address):
        assert 'href="/rules/nebuchadnezzar/try"' in Browser(app).get(page).text
    assert "Try it against" not in open_game.browsers[0].text(open_game.address)


def test_press_explains_why_a_place_cannot_be_picked(app: Flask) -> None:
    browser, address = Browser(app), "/rules/nebuchadnezzar/try"
    now = position(browser.get(address))
    assert 'data-move="c4"' in browser.send(address, position=now, place="c4").text
    now = position(browser.send(address, position=now, play="c4"))
    page = browser.send(address, position=now, place="c4")
    assert "disc: place a disc on an empty point." in readable(page)
    assert position(page) == now
