"""Conditional moves on the page of a game."""

from __future__ import annotations

import logging
import re

import pytest
from flask import Flask

from server.processes.services import Services
from server.store.models import Player
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in, readable
from tests.support.web.games import Match, match

_TOKEN = re.compile(r'name="csrf_token" value="[^"]+"')
LINES = "if E5 then put d4, if c2 then b5\nif a1 then e1"


def prepare(game: Match, seat: int, text: str) -> str:
    """Send conditional moves and return the text of the page that follows."""
    answer = game.browsers[seat].send(f"{game.address}/conditions", turn=game.game().turn, text=text)
    return game.browsers[seat].text(game.address) if answer.status_code == 303 else readable(answer)


def test_conditional_moves_are_written_shown_and_deleted(open_game: Match) -> None:
    page = prepare(open_game, 1, LINES)
    assert "Your conditional moves are saved." in page
    assert "if e5 then d4, if c2 then b5 if a1 then e1" in page
    assert "Delete the conditional moves" in page
    page = prepare(open_game, 1, "if off")
    assert "You have no conditional moves in this game." in page
    assert "Delete the conditional moves" not in page


def test_error_is_explained_and_the_text_kept(open_game: Match) -> None:
    answer = open_game.browsers[1].send(f"{open_game.address}/conditions", turn=1, text="if e5 then <e5>")
    assert answer.status_code == 422
    page = readable(answer)
    assert page.count("Line 1, “if e5 then <e5>”: Your answer “<e5>” cannot be played.") == 2
    assert ">if e5 then &lt;e5&gt;</textarea>" in answer.text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("if E5 then put d4, if c2 then b5", "Legal: if e5 then d4, if c2 then b5"),
        ("if a1 then e1\nif e5 then <e5>", "Line 2, “if e5 then <e5>”: Your answer “<e5>” cannot be played."),
        ("if off", ""),
        ("", ""),
    ],
)
def test_meaning_is_shown_while_they_are_written(open_game: Match, text: str, told: str) -> None:
    prepare(open_game, 1, LINES)
    address = f"{open_game.address}/conditions/meaning"
    answer = open_game.browsers[1].send(address, turn=1, text=text)
    assert answer.status_code == 200
    assert 'id="prepared-meaning"' in answer.text
    assert told in readable(answer)
    assert bool(readable(answer)) == bool(told)
    assert "if e5 then d4, if c2 then b5 if a1 then e1" in open_game.browsers[1].text(open_game.address)


def test_only_players_can_ask_for_the_meaning(open_game: Match, app: Flask) -> None:
    address = f"{open_game.address}/conditions/meaning"
    assert "It is your turn" in readable(open_game.browsers[0].send(address, turn=1, text=LINES))
    assert "it is now turn 1" in readable(open_game.browsers[1].send(address, turn=2, text=LINES))
    assert Browser(app).send(address, turn=1, text=LINES).status_code in (302, 303, 403)


def test_text_is_kept_if_the_opponent_was_faster(open_game: Match) -> None:
    """The text must not be lost when the opponent moves in the meantime."""
    waiting = open_game.browsers[1]
    open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text="c3")
    late = waiting.send(f"{open_game.address}/conditions", turn=1, text=LINES)
    assert late.status_code == 422
    assert "This answers turn 1, but it is now turn 2." in readable(late)
    assert f">{LINES}</textarea>" in late.text
    open_game.browsers[0].send(f"{open_game.address}/resign", turn=2)
    late = waiting.send(f"{open_game.address}/conditions", turn=2, text=LINES)
    assert "is over" in readable(late)
    assert f">{LINES}</textarea>" in late.text


def test_answer_is_played_immediately(open_game: Match) -> None:
    prepare(open_game, 1, LINES)
    open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text="e5")
    assert [line["move"] for line in open_game.lines()] == ["e5", "d4"]
    page = open_game.browsers[1].text(open_game.address)
    assert "if c2 then b5" in page
    assert "if a1" not in page


def test_conditional_moves_below_a_written_move_are_read_as_in_an_email(open_game: Match) -> None:
    text = "e5\r\nif d4 then c2\r\nif a1 then e1"
    tried = open_game.browsers[0].send(f"{open_game.address}/try", turn=1, text=text)
    assert 'name="text" value="e5\nif d4 then c2\nif a1 then e1"' in tried.text
    open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text=text)
    assert "if d4 then c2 if a1 then e1" in open_game.browsers[0].text(open_game.address)
    refused = open_game.browsers[1].send(f"{open_game.address}/move", turn=2, text="a5\nif a5 then a4")
    assert refused.status_code == 422
    assert "Your opponent's move “a5” cannot be played" in readable(refused)
    assert len(open_game.lines()) == 1


def test_move_with_if_off_below_it_can_be_tried(open_game: Match) -> None:
    tried = open_game.browsers[0].send(f"{open_game.address}/try", turn=1, text="e5\r\nif off")
    assert 'name="text" value="e5\nif off"' in tried.text


def test_form_is_shown_only_while_waiting_for_one_opponent(
    app: Flask, services: Services, ann: Player, ben: Player, open_game: Match, secret_game: Match
) -> None:
    cleo = add_player(services, "cleo@example.org", "Cleo")
    shown = "Conditional moves"
    assert shown in open_game.browsers[1].text(open_game.address)
    assert shown not in open_game.browsers[0].text(open_game.address)
    assert shown in open_game.browsers[1].text(f"{open_game.address}?turn=0")
    assert shown not in logged_in(app, services, cleo).text(open_game.address)
    for game in (
        secret_game,
        match(app, services, "nardshir", ann, ben),
        match(app, services, "nexus", ann, ben, cleo, players=3),
    ):
        for browser in game.browsers:
            assert shown not in browser.text(game.address)
    refused = Browser(app).send(f"{open_game.address}/conditions", turn=1, text=LINES)
    assert refused.status_code == 303
    assert "Conditional" not in open_game.browsers[1].text(f"{open_game.address}/resign")


@pytest.fixture
def others(app: Flask, services: Services, open_game: Match) -> tuple[Browser, ...]:
    """The opponent, another player and a spectator."""
    stranger = logged_in(app, services, add_player(services, "cleo@example.org", "Cleo"))
    return open_game.browsers[0], stranger, Browser(app)


def seen(game: Match, watchers: tuple[Browser, ...]) -> list[str]:
    """Return all pages that they can open, without values that change with each visit."""
    ways = ("", "?turn=0", "?move=e5", "?move=a1", "/record.json")
    pages = [browser.get(game.address + way).text for browser in watchers for way in ways]
    return [_TOKEN.sub("", page) for page in [*pages, watchers[0].get("/games").text]]


@pytest.mark.slow
@pytest.mark.parametrize("text", [LINES, "if a1 then e1"])
def test_others_get_identical_pages(open_game: Match, others: tuple[Browser, ...], text: str) -> None:
    seen(open_game, others)  # a spectator who tries a move is asked to log in on the next page
    before = seen(open_game, others)
    assert "are saved" in prepare(open_game, 1, text)
    assert seen(open_game, others) == before
    assert "You have no" in prepare(open_game, 1, "if off")
    assert seen(open_game, others) == before


def test_deleted_conditional_moves_are_hidden_from_others(
    open_game: Match, others: tuple[Browser, ...]
) -> None:
    prepare(open_game, 1, LINES)
    open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text="b4")
    for page in seen(open_game, others):
        for form in ("if e5", "then d4", "if a1", "no longer fit"):
            assert form not in page


def test_conditional_moves_are_in_no_address_and_no_log(
    open_game: Match, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        prepare(open_game, 1, LINES)
        prepare(open_game, 1, "if e5 then e5")
        open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text="b4")
    assert "then" not in caplog.text.replace("authenticate", "")
