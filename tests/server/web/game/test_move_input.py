"""The field for written moves: it accepts the same text as emails, and shows its meaning immediately."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from rules.line import roll
from rules.registry import RULES
from server.game.log import log
from server.processes.services import Services
from server.store.models import Player
from tests.support.server.games import submit
from tests.support.web.client import Browser, readable
from tests.support.web.games import Match, match


def ask(game: Match, text: str, seat: int = 0) -> TestResponse:
    """Return the part of the page that shows the meaning of a text."""
    turn = game.game().turn
    return game.browsers[seat].send(f"{game.address}/meaning", turn=turn, text=text)


def offered(answer: TestResponse) -> list[str]:
    """Return the suggested moves, as their buttons send them."""
    return [unescape(text) for text in re.findall('form="instead" name="text" value="([^"]*)"', answer.text)]


@pytest.mark.parametrize(
    ("written", "move"),
    [
        ("c4", "c4"),
        (" Place C4 ", "c4"),
        ("c4, please!", "c4"),
        ("с4", "c4"),
        ("Hi Ben,\n\nc4\n\nBest wishes", "c4"),
        ("c4\nif a1 then e1", "c4"),
        ("Hi Ben,\nc4\nif a1\nthen e1\n\nBest,\nAnn", "c4"),
    ],
)
def test_text_is_read_as_in_an_email(open_game: Match, written: str, move: str) -> None:
    assert readable(ask(open_game, written)).startswith(f"Legal: {move}")
    assert open_game.lines() == [], "nothing is played by asking"
    tried = open_game.browsers[0].send(f"{open_game.address}/try", turn=1, text=written)
    assert f"You are trying {move} ." in readable(tried)
    assert open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text=written).status_code == 303
    assert [line["move"] for line in open_game.lines()] == [move]


def test_conditional_moves_below_a_move_are_stored(open_game: Match) -> None:
    open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text="Hello Ben,\n\nc4\nif a1 then e1")
    assert "if a1 then e1" in open_game.browsers[0].text(open_game.address)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("written", "sentence", "choices"),
    [
        ("c6", "c6", ["c3", "c4"]),
        ("c4 or d5?", "", ["c4", "d5"]),
        ("c4\nd5", "contains several moves", ["c4", "d5"]),
        ("c4\nresign", "“resign” is not a move", []),
        ("thanks!", "", []),
        ("c4\nif a1 then c4", "Line 1, “if a1 then c4”", []),
    ],
)
@pytest.mark.parametrize("action", ["meaning", "try", "move"])
def test_illegal_text_is_explained_with_suggestions(
    open_game: Match, action: str, written: str, sentence: str, choices: list[str]
) -> None:
    answer = open_game.browsers[0].send(f"{open_game.address}/{action}", turn=1, text=written)
    assert sentence in readable(answer)
    assert answer.text.count('class="problem"') == 1
    assert set(choices) <= set(offered(answer))
    assert open_game.lines() == []


def test_suggestion_button_tries_it_with_the_conditional_moves(open_game: Match) -> None:
    answer = open_game.browsers[0].send(f"{open_game.address}/try", turn=1, text="c6\nif a1 then e1")
    choice = offered(answer)[0]
    assert choice.endswith("\nif a1 then e1")
    assert re.search(f'<form method="post" action="{open_game.address}/try" id="instead">', answer.text)
    tried = open_game.browsers[0].send(f"{open_game.address}/try", turn=1, text=choice)
    assert f"You are trying {choice.splitlines()[0]} ." in readable(tried)


def test_empty_field_means_nothing(open_game: Match) -> None:
    assert readable(ask(open_game, " \n")) == ""


def test_reading_is_shown_only_to_the_player_to_move(app: Flask, open_game: Match) -> None:
    assert "It is not your turn" in readable(ask(open_game, "c4", seat=1))
    assert "now turn 1" in readable(
        open_game.browsers[0].send(f"{open_game.address}/meaning", turn=2, text="c4")
    )
    nobody = Browser(app).send(f"{open_game.address}/meaning", turn=1, text="c4")
    assert (nobody.status_code, nobody.location) == (303, f"/?return={open_game.address}")


@pytest.mark.parametrize("game_type", RULES)
def test_examples_are_legal_and_errors_explained_in_every_game_type(
    app: Flask, services: Services, ann: Player, ben: Player, game_type: str
) -> None:
    game = match(app, services, game_type, ann, ben)
    stored = game.game()
    rules, position = log.rules_of(stored), log.position_of(stored)
    seat = rules.to_move(position)[0]
    for example in rules.examples(position, seat):
        assert readable(ask(game, example, seat)).startswith("Legal: ")
        assert 'class="problem"' in ask(game, f"{example}0", seat).text


def test_orders_of_others_change_nothing(secret_game: Match) -> None:
    def told() -> list[str]:
        return [ask(secret_game, text).text for text in ("1 d4, 2 f6", "1 z9", "2 f6")]

    before = told()
    submit(secret_game.services, secret_game.number, 1, "A c4, B g6")
    assert told() == before


@pytest.mark.parametrize(("seat", "orders"), list(enumerate(("1 d4, 2 f6", "A c4, B g6"))))
def test_orders_have_no_conditional_moves(secret_game: Match, seat: int, orders: str) -> None:
    told = readable(ask(secret_game, f"{orders}\nif 1 ne then A ne", seat))
    assert "everyone gives orders at the same time" in told


# The analysis board


def test_line_is_written_as_in_an_email(open_game: Match) -> None:
    browser, address = open_game.browsers[1], f"{open_game.address}/analysis"
    told = browser.send(f"{address}/meaning", turn=0, part=["c4"], text="a1, please")
    assert readable(told) == "Legal: a1"
    assert 'data-act="play"' not in told.text
    gone_on = browser.send(address, turn=0, part=["c4"], text="a1, please")
    assert re.findall('name="part" value="([^"]+)"', gone_on.text.partition("</form>")[0])[-2:] == ["c4", "a1"]


def test_suggestion_continues_the_line(open_game: Match) -> None:
    browser, address = Browser(open_game.browsers[0].client.application), f"{open_game.address}/analysis"
    for action in ("", "/meaning"):
        answer = browser.send(f"{address}{action}", turn=0, part=["c4"], text="c4")
        assert "c4" in readable(answer)
        assert "c5" in offered(answer)
        assert answer.text.count('class="problem"') == 1
    page = browser.send(address, turn=0, part=["c4"], text="c44").text
    assert ">c44</textarea>" in page
    instead = page.partition('id="instead">')[2].partition("</form>")[0]
    assert 'name="part" value="c4"' in instead


def test_one_move_is_written_at_a_time(open_game: Match) -> None:
    answer = open_game.browsers[0].send(f"{open_game.address}/analysis", turn=0, text="c4\nif a1 then e1")
    assert answer.status_code == 422
    assert "Write one move at a time" in readable(answer)


def test_dice_can_be_written_on_the_analysis_board(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    game = match(app, services, "nardshir", ann, ben)
    address = f"{game.address}/analysis/meaning"
    stored = game.game()
    rules, position = log.rules_of(stored), log.position_of(stored)
    move = rules.examples(position, rules.to_move(position)[0])[0]
    for text, told in (("roll 3 5", "Legal: roll 3 5"), ("roll 7", "Dice must be rolled at that point")):
        answer = game.browsers[0].send(address, turn=0, part=[roll(stored.rolled or ()), move], text=text)
        assert told in readable(answer)
