"""The page of a game: playing there, and looking at earlier turns."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from markupsafe import escape

from rules.registry import RULES
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from tests.support.server.games import submit
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in, readable
from tests.support.web.games import Match, match


def test_written_move_is_played(open_game: Match) -> None:
    answer = open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text="Place C3.")
    assert (answer.status_code, answer.location) == (303, open_game.address)
    assert open_game.lines() == [{"seat": 0, "move": "c3"}]
    assert "Turn 1 has been played." in open_game.browsers[0].text(open_game.address)
    assert "Turn 2: your move." in open_game.browsers[1].text(open_game.address)


def pick(browser: Browser, address: str, turn: int, *picks: str) -> str:
    """Press these buttons in order and return the page; each adds to the picks on the page."""
    page = browser.get(address).text
    for text in picks:
        assert f'<button name="pick" value="{text}"' in page
        before = re.findall('<input type="hidden" name="pick" value="([^"]+)">', page)
        answer = browser.send(f"{address}/try", turn=turn, pick=[*before, text])
        assert answer.status_code == 200
        page = answer.text
    return page


def made(page: str) -> str:
    """Return the move that a page offers to play."""
    (move,) = re.findall('data-move="([^"]*)"', page)
    return str(move)


def test_picked_move_is_shown_and_then_played(open_game: Match) -> None:
    assert made(open_game.browsers[0].get(open_game.address).text) == ""
    page = pick(open_game.browsers[0], open_game.address, 1, "c3")
    assert "You are trying" in page
    assert open_game.lines() == []
    open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text=made(page))
    assert open_game.lines() == [{"seat": 0, "move": "c3"}]


def test_form_without_picks_is_refused(open_game: Match) -> None:
    answer = open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text="")
    assert answer.status_code == 422
    assert open_game.lines() == []


def test_press_on_the_board_picks_or_explains(open_game: Match) -> None:
    submit(open_game.services, open_game.number, 0, "c3")
    browser, address = open_game.browsers[1], f"{open_game.address}/try"
    assert made(browser.send(address, turn=2, pick="d4", place="a1").text) == "a1"
    for picks in ([], ["d4"]):
        page = browser.send(address, turn=2, pick=picks, place="c3")
        assert "c3 holds an enemy disc: place a disc on an empty point." in readable(page)
        assert made(page.text) == "".join(picks), "the picks are kept"
    assert open_game.lines() == [{"seat": 0, "move": "c3"}]


def test_orders_are_picked_troop_by_troop_and_sealed(secret_game: Match) -> None:
    for seat, squares, text in ((0, ("d4", "f6"), "1 d4, 2 f6"), (1, ("c4", "g6"), "A c4, B g6")):
        browser = secret_game.browsers[seat]
        assert made(pick(browser, secret_game.address, 1, squares[0])) == ""
        page = pick(browser, secret_game.address, 1, *squares)
        assert made(page) == text
        assert not re.search(r'href="[^"]*(?:pick|move)=', page), "no address contains orders"
        browser.send(f"{secret_game.address}/move", turn=1, text=made(page))
    assert secret_game.lines() == [{"orders": {"0": "1 d4, 2 f6", "1": "A c4, B g6"}}]


def test_pick_is_undone(secret_game: Match) -> None:
    browser, address = secret_game.browsers[0], secret_game.address
    back = browser.send(f"{address}/try", turn=1, pick=["d4", "f6"], back="1")
    assert made(back.text) == ""
    assert re.findall('<input type="hidden" name="pick" value="([^"]+)">', back.text) == ["d4"]


def test_written_move_can_be_continued_by_picking(secret_game: Match) -> None:
    tried = secret_game.browsers[0].send(f"{secret_game.address}/try", turn=1, text="2 f6, 1 d4").text
    assert re.findall('<input type="hidden" name="pick" value="([^"]+)">', tried) == ["d4", "f6"]


def test_impossible_pick_is_refused(open_game: Match) -> None:
    answer = open_game.browsers[0].send(f"{open_game.address}/try", turn=1, pick=["c3", "c3"])
    assert answer.status_code == 422
    assert "Pick 2, “c3”, is one too many" in readable(answer)


# Written moves


@pytest.mark.parametrize("action", ["move", "try"])
def test_illegal_move_is_explained_and_its_text_kept(open_game: Match, action: str) -> None:
    answer = open_game.browsers[0].send(f"{open_game.address}/{action}", turn=1, text="z9 <b>")
    assert answer.status_code == 422
    assert ">z9 &lt;b&gt;</textarea>" in answer.text
    assert answer.text.count('class="problem"') == 1
    assert open_game.lines() == []


def test_explanation_of_the_rules_is_shown(open_game: Match) -> None:
    submit(open_game.services, open_game.number, 0, "c3")
    answer = open_game.browsers[1].send(f"{open_game.address}/move", turn=2, text="c4")
    assert "c4" in readable(answer)
    assert "exactly one" in readable(answer)


def test_preview_shows_the_board_and_plays_nothing(open_game: Match) -> None:
    answer = open_game.browsers[0].send(f"{open_game.address}/try", turn=1, text="c3")
    assert answer.status_code == 200
    assert "You are trying c3 . Nothing is played yet." in readable(answer)
    assert "<title>c3: b, black (changed this turn)</title>" in answer.text
    assert '<input type="hidden" name="text" value="c3">' in answer.text
    assert open_game.lines() == []


@pytest.mark.slow
@pytest.mark.parametrize("game_type", ["nebuchadnezzar", "nibble"])
def test_places_that_are_moves_link_to_a_preview(
    app: Flask, services: Services, ann: Player, ben: Player, game_type: str
) -> None:
    game = match(app, services, game_type, ann, ben)
    links = re.findall(
        r'<a href="(/games/\d+\?pick=[^"]+)" class="door"', game.browsers[0].get(game.address).text
    )
    assert links
    for link in links:
        assert "You are trying" in game.browsers[0].text(link)
    assert "?pick=" not in game.browsers[1].get(game.address).text, "it is not their turn"
    assert "?pick=" not in Browser(app).get(game.address).text


def test_preview_grows_place_by_place(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    game = match(app, services, "nibble", ann, ben)
    pair = take_singles_until_there_is_a_pair(game)
    first, second = pair.split()[:2]
    for address in (f"{game.address}?pick={first}", f"{game.address}?move={first}"):
        page = game.browsers[(game.game().turn - 1) % 2].get(address).text
        assert f'href="{game.address}?pick={first}&amp;pick={second}"' in page


def take_singles_until_there_is_a_pair(game: Match) -> str:
    """Play until a pair of blocks can be taken, and return it: a random layout may not start with one."""
    while True:
        stored = game.game()
        rules, position = log.rules_of(stored), log.position_of(stored)
        seat = (stored.turn - 1) % 2
        moves = [rules.format(move) for move in rules.moves(position, seat)]
        pairs = [move for move in moves if move.count(" ") == 1]
        if pairs:
            return pairs[0]
        submit(game.services, game.number, seat, moves[0])


def test_form_for_an_earlier_turn_is_refused(open_game: Match) -> None:
    submit(open_game.services, open_game.number, 0, "c3")
    submit(open_game.services, open_game.number, 1, "a1")
    for action in ("move", "try"):
        answer = open_game.browsers[0].send(f"{open_game.address}/{action}", turn=1, text="e5")
        assert answer.status_code == 422
        assert "This answers turn 1, but it is now turn 3." in readable(answer)
        assert 'name="turn" value="3"' in answer.text
    assert len(open_game.lines()) == 2


@pytest.mark.parametrize("turn", [{}, {"turn": ""}, {"turn": "x"}, {"turn": "1.5"}])
def test_form_without_a_turn_is_refused(open_game: Match, turn: dict[str, str]) -> None:
    assert open_game.browsers[0].send(f"{open_game.address}/move", text="c3", **turn).status_code == 400
    assert open_game.lines() == []


def test_only_the_seat_to_move_moves(app: Flask, services: Services, open_game: Match) -> None:
    assert "It is not your turn" in readable(
        open_game.browsers[1].send(f"{open_game.address}/move", turn=1, text="c3")
    )
    cleo = logged_in(app, services, add_player(services, "cleo@example.org", "Cleo"))
    for action in ("move", "try"):
        assert "You have no seat" in readable(cleo.send(f"{open_game.address}/{action}", turn=1, text="c3"))
    for action in ("say", "draw", "resign"):
        assert cleo.send(f"{open_game.address}/{action}", turn=1, say="hello").status_code == 403
    for action in ("move", "try", "say", "draw", "resign"):
        refused = Browser(app).send(f"{open_game.address}/{action}", turn=1, text="c3", say="hello")
        returns_to = f"{open_game.address}/resign" if action == "resign" else open_game.address
        assert refused.location == f"/?return={returns_to}"
    assert open_game.lines() == []


def test_earlier_turns_can_be_shown(app: Flask, open_game: Match) -> None:
    for number, text in enumerate(["c3", "a1", "e5"]):
        submit(open_game.services, open_game.number, number % 2, text)
    spectator = Browser(app)
    start, second = (spectator.get(f"{open_game.address}?turn={number}").text for number in (0, 2))
    assert "c3: empty" in start
    assert "c3: b, black" in second
    assert "a1: w, white (changed this turn)" in second
    assert "e5: empty" in second
    for wrong in ("-1", "4"):
        assert spectator.get(f"{open_game.address}?turn={wrong}").status_code == 404
    assert spectator.get("/games/12345").status_code == 404


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("game_type", RULES)
def test_every_game_type_has_its_page_turn_after_turn(
    app: Flask, services: Services, ann: Player, ben: Player, game_type: str
) -> None:
    game = match(app, services, game_type, ann, ben)
    for _ in range(3):
        with reading(services.engine) as session:
            stored = session.get_one(Game, game.number)
            rules, position = log.rules_of(stored), log.position_of(stored)
            turn = stored.turn
        for seat in rules.to_move(position):
            example = rules.examples(position, seat)[0]
            assert f"<kbd>{escape(example)}</kbd>" in game.browsers[seat].get(game.address).text
            assert game.browsers[seat].send(f"{game.address}/try", turn=turn, text=example).status_code == 200
            assert game.browsers[seat].send(f"{game.address}/move", turn=turn, text=example).status_code == 303
    for number in range(game.game().turn):
        assert Browser(app).get(f"{game.address}?turn={number}").status_code == 200
