"""New events for a player on the page of a game, and the link to the next game that waits for them."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from rules.chance import Chance
from server.game.log import log
from server.game.views.read_markers import Sight
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player, Seat
from server.web.game import routes
from server.web.game.page import see
from tests.support.rules.random_games import seed
from tests.support.server.games import begin, say, submit
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in
from tests.support.web.games import Match

SINCE = "Since your last visit"
_NEW = '<span class="chip strong">new</span>'


def three_at_nexus(app: Flask, services: Services) -> tuple[int, Browser]:
    """A game of three players before the first move, and the browser of the first player."""
    people = [add_player(services, f"{name}@example.org", name) for name in ("Ann", "Ben", "Cleo")]
    number = begin(services, "nexus", *people, players=3)
    with reading(services.engine) as session:
        first = session.get_one(Seat, (number, 0)).player_id
    return number, logged_in(app, services, next(player for player in people if player.id == first))


def play_a_round(services: Services, number: int) -> list[str]:
    """Let each seat play its move, with emails about the turns."""
    below, played = Chance(seed(1), "moves").below, []
    for seat in range(3):
        with reading(services.engine) as session:
            game = session.get_one(Game, number)
            rules, position = log.rules_of(game), log.position_of(game)
            played.append(rules.format(rules.sample(position, seat, below)))
        submit(services, number, seat, played[-1])
    return played


def test_turns_of_others_are_marked_as_new_until_seen(app: Flask, services: Services) -> None:
    number, browser = three_at_nexus(app, services)
    address = f"/games/{number}"
    assert SINCE not in browser.text(address)
    moves = play_a_round(services, number)
    page = browser.text(address)
    told = page[page.index(SINCE) :]
    first, second, third = moves
    assert second in told.partition("Turn 3")[0]
    assert told.partition("Turn 3")[0].count(third) == 1, "the last turn is shown as the last turn"
    assert first not in told.partition("History")[0], "they know their own move"
    assert SINCE not in browser.text(address)


def test_earlier_turn_and_preview_mark_nothing_as_seen(app: Flask, services: Services) -> None:
    number, browser = three_at_nexus(app, services)
    browser.get(f"/games/{number}")
    play_a_round(services, number)
    assert SINCE not in browser.text(f"/games/{number}?turn=1")
    assert SINCE in browser.text(f"/games/{number}")


def test_messages_are_new_until_they_are_seen(services: Services, open_game: Match) -> None:
    ann, ben = open_game.browsers
    ben.get(open_game.address)
    say(services, open_game.number, 0, "Good luck!")
    say(services, open_game.number, 0, "I fear e5.", private=True)
    assert "new message" in ben.text("/games")
    assert "new message" not in ann.text("/games"), "it is their own"
    page = ben.get(open_game.address).text
    assert page.index(_NEW) < page.index("Good luck!")
    assert page.index('<a href="#messages">New message</a>') < page.index('class="game-board"')
    assert "new message" not in ben.text("/games")
    page = ben.get(open_game.address).text
    assert _NEW not in page
    assert "New message</a>" not in page


def test_note_is_never_new(services: Services, open_game: Match) -> None:
    for browser in open_game.browsers:
        browser.get(open_game.address)
    say(services, open_game.number, 0, "I fear e5.", private=True)
    assert not any("new message" in browser.text("/games") for browser in open_game.browsers)


def test_next_button_visits_all_waiting_games(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    games = [
        begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, time=time)
        for time in ("9d", "2d", "none")
    ]
    first, second, third = games[1], games[0], games[2]
    browser = logged_in(app, services, ann)
    assert "(3) " in browser.get("/games").text.partition("</title>")[0]
    for number, following in ((first, second), (second, third), (third, first)):
        assert f'href="/games/{following}">Next game<' in browser.get(f"/games/{number}").text
    with reading(services.engine) as session:
        seat = session.get_one(Seat, (first, 0))
        mine = 0 if seat.player_id == ann.id else 1
    submit(services, first, mine, "A c4" if mine else "1 d4")
    assert f'href="/games/{second}">Next game<' in browser.get(f"/games/{first}").text
    assert "(2) " in browser.get("/games").text.partition("</title>")[0]


def test_spectators_have_no_next_game(app: Flask, services: Services, ann: Player, open_game: Match) -> None:
    xenia = add_player(services, "x@example.org", "Xenia")
    begin(services, "nelaxtam", xenia, ann)
    for browser in (Browser(app), logged_in(app, services, xenia)):
        assert "Next game<" not in browser.text(open_game.address)


def test_event_during_rendering_stays_new(open_game: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event that arrives while the page is rendered must not be marked as seen."""
    services, number, browser = open_game.services, open_game.number, open_game.browsers[0]
    browser.get(open_game.address)
    say(services, number, 1, "First")

    def late(number: int, sight: Sight) -> None:
        say(services, number, 1, "Second")
        see(number, sight)

    monkeypatch.setattr(routes, "see", late)
    assert "Second" not in browser.text(open_game.address)
    monkeypatch.undo()
    assert _NEW in browser.get(open_game.address).text


def test_page_is_shown_although_the_read_marker_cannot_be_stored(
    open_game: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(open_game.services, open_game.number, 1, "Hello")

    def full(number: int, sight: Sight) -> None:
        raise OperationalError("UPDATE", {}, Exception("database or disk is full"))

    monkeypatch.setattr(routes, "see", full)
    assert "Hello" in open_game.browsers[0].text(open_game.address)
