"""The analysis board, from any turn of any game."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from rules.registry import RULES
from server.limits import MOST_PARTS
from server.processes.services import Services
from server.store.models import Player
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in, readable
from tests.support.web.games import Match, match
from tests.support.web.open_pages import Board


def test_moves_of_all_seats_are_picked_and_written(open_game: Match) -> None:
    board = Board(open_game.browsers[0], f"{open_game.address}/analysis")
    board.send(pick="c3")
    assert "White) to move." in readable(board.page)
    board.send(text="Place D4")
    assert board.line == ["c3", "d4"]
    board.send(back="1")
    assert board.line == ["c3"]
    assert open_game.lines() == [], "nothing is played"


def test_press_explains_why_a_place_cannot_be_picked(open_game: Match) -> None:
    board = Board(open_game.browsers[0], f"{open_game.address}/analysis")
    board.send(place="c3")
    assert board.line == ["c3"]
    assert "c3 holds an enemy disc: place a disc" in readable(board.send(place="c3"))
    assert board.line == ["c3"]


def test_line_can_be_cut_anywhere(open_game: Match) -> None:
    board = Board(open_game.browsers[0], f"{open_game.address}/analysis")
    for move in ("c3", "d4", "a1"):
        board.send(pick=move)
    board.send(cut="1")
    assert board.line == ["c3"]


def test_illegal_move_is_explained_and_the_line_stays(open_game: Match) -> None:
    board = Board(open_game.browsers[0], f"{open_game.address}/analysis")
    board.send(pick="c3")
    answer = board.send(text="c3")
    assert answer.status_code == 422
    assert board.line == ["c3"]
    assert "c3" in readable(answer).partition("The moves tried")[0]


def test_line_starts_from_any_valid_turn(open_game: Match) -> None:
    for seat, move in ((0, "c3"), (1, "a1")):
        submit(open_game.services, open_game.number, seat, move)
    spectator = Browser(open_game.browsers[0].client.application)
    for turn, who in ((0, "Black"), (1, "White"), (2, "Black")):
        page = spectator.text(f"{open_game.address}/analysis?turn={turn}")
        assert f"({who}) to move." in page
    for turn in (-1, 3):
        assert spectator.get(f"{open_game.address}/analysis?turn={turn}").status_code == 404


@pytest.mark.sample(2)
@pytest.mark.parametrize("game_type", RULES)
def test_every_game_type_can_be_tried_by_picks(
    app: Flask, services: Services, ann: Player, ben: Player, game_type: str
) -> None:
    board = Board(Browser(app), f"/games/{begin(services, game_type, ann, ben)}/analysis")
    for _ in range(30):
        if re.search('data-act="play"', board.page.text):
            board.send(play="1")
        else:
            board.send(pick=unescape(re.findall('<button name="pick" value="([^"]+)"', board.page.text)[0]))
        assert board.page.status_code == 200
        if len(board.line) >= 3:
            return
    raise AssertionError(f"still only {board.line}")


def test_dice_are_chosen(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nardshir", ann, ben)
    board = Board(Browser(app), f"/games/{number}/analysis?turn=0")
    if "Dice are rolled next" in readable(board.page):
        board.send(pick="roll 3 5")
    while "Dice are rolled next" not in readable(board.page):
        board.send(pick=unescape(re.findall('<button name="pick" value="([^"]+)"', board.page.text)[0]))
    board.send(pick="roll 6 6")
    assert board.line[-1] == "roll 6 6"


def test_line_has_a_maximum_length(open_game: Match) -> None:
    browser = open_game.browsers[0]
    parts = ["c3"] * (MOST_PARTS + 50)
    answer = browser.send(f"{open_game.address}/analysis", turn=0, part=parts)
    assert answer.status_code == 422
    long = match(browser.client.application, open_game.services, "nardshir", *_people(open_game))
    assert (
        browser.send(f"{long.address}/analysis", turn=0, part=["roll 3 5"], text="x" * 3000).status_code == 422
    )


def _people(game: Match) -> list[Player]:
    return [add_player(game.services, f"{name}@example.org", name) for name in ("Cleo", "Dan")]


def test_sealed_orders_are_not_on_the_board(secret_game: Match) -> None:
    """The board does not show the visitor's own sealed orders either: it is the public position."""
    submit(secret_game.services, secret_game.number, 0, "1 d4, 2 f6")
    pages = [browser.get(f"{secret_game.address}/analysis").text for browser in secret_game.browsers]
    pages = [re.sub('name="csrf_token" value="[^"]+"', "", page) for page in pages]
    assert "1 d4" not in pages[0] + pages[1]


def test_game_before_its_start_has_no_board(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    browser.send("/games/new/nibble", opponents="ben@example.org", time="none")
    assert browser.get("/games/1").status_code == 200
    assert browser.get("/games/1/analysis").status_code == 404


# Conditional moves


def test_line_is_stored_as_conditional_moves(open_game: Match) -> None:
    waiting = open_game.browsers[1]
    board = Board(waiting, f"{open_game.address}/analysis")
    for move in ("e5", "d4", "c2", "b5", "a1"):
        board.send(pick=move)
    assert "Save as conditional moves" in board.page.text
    keep(board)
    assert "if e5 then d4, if c2 then b5" in waiting.text(open_game.address)
    open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text="e5")
    assert [line["move"] for line in open_game.lines()] == ["e5", "d4"]


def test_line_without_an_answer_is_refused_and_not_lost(open_game: Match) -> None:
    for parts in ([], ["e5"]):
        refused = open_game.browsers[1].send(f"{open_game.address}/analysis/answer", turn=0, part=parts)
        assert refused.status_code == 422
        assert "There are no conditional moves to save yet" in readable(refused)
        assert ('name="part" value="e5"' in refused.text) == bool(parts)


def test_further_lines_are_added_and_other_answers_replaced(open_game: Match) -> None:
    waiting = open_game.browsers[1]
    for moves in (("e5", "d4"), ("a1", "e1"), ("e5", "c3")):
        board = Board(waiting, f"{open_game.address}/analysis")
        for move in moves:
            board.send(pick=move)
        keep(board)
    page = waiting.text(open_game.address)
    assert "if a1 then e1 if e5 then c3" in page
    assert "d4" not in page.partition("Conditional moves")[2].partition("One variation")[0]


def test_only_waiting_players_can_store_a_line(open_game: Match) -> None:
    board = Board(open_game.browsers[0], f"{open_game.address}/analysis")
    for move in ("e5", "d4"):
        board.send(pick=move)
    assert "Save as conditional moves" not in board.page.text
    refused = keep(board)
    assert refused.status_code == 422
    assert "It is your turn" in readable(refused)
    spectator = Browser(open_game.browsers[0].client.application)
    assert spectator.get(f"{open_game.address}/analysis").status_code == 200
    forged = spectator.client.post(
        f"{open_game.address}/analysis/answer", data={"turn": 0, "part": ["e5", "d4"]}
    )
    assert forged.status_code != 303 or "/games/" not in forged.location


def keep(board: Board) -> TestResponse:
    """Keep the line as conditional moves."""
    return board.browser.send(f"{board.address}/answer", turn=board.hidden("turn"), part=board.line)
