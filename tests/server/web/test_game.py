"""The page of a game: playing there, and looking back."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from markupsafe import escape

from rules.registry import KINDS
from server.game import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from tests.server.browsers import Browser, add_player, logged_in, readable, submit
from tests.server.matches import Match, match


def test_a_written_move_is_played(open_game: Match) -> None:
    answer = open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text="Place C3.")
    assert (answer.status_code, answer.location) == (303, open_game.address)
    assert open_game.lines() == [{"seat": 0, "move": "c3"}]
    assert "Turn 1 has been played." in open_game.browsers[0].text(open_game.address)
    assert "Turn 2: your move." in open_game.browsers[1].text(open_game.address)


def test_a_chosen_move_is_played(open_game: Match) -> None:
    page = open_game.browsers[0].get(open_game.address).text
    assert '<option value="c3">' in page
    open_game.browsers[0].send(f"{open_game.address}/move", turn=1, pick="c3")
    assert open_game.lines() == [{"seat": 0, "move": "c3"}]


def test_a_list_left_alone_is_no_move(open_game: Match) -> None:
    answer = open_game.browsers[0].send(f"{open_game.address}/move", turn=1, pick="")
    assert answer.status_code == 422
    assert open_game.lines() == []


def test_several_choices_make_one_order_set(secret_game: Match) -> None:
    secret_game.browsers[0].send(f"{secret_game.address}/move", turn=1, pick=["1 d4", "2 f6"])
    secret_game.browsers[1].send(f"{secret_game.address}/move", turn=1, pick=["A c4", "B g6"])
    assert secret_game.lines() == [{"orders": {"0": "1 d4, 2 f6", "1": "A c4, B g6"}}]


@pytest.mark.parametrize("action", ["move", "try"])
def test_a_wrong_move_is_told_and_its_text_is_kept(open_game: Match, action: str) -> None:
    answer = open_game.browsers[0].send(f"{open_game.address}/{action}", turn=1, text="z9 <b>")
    assert answer.status_code == 422
    assert ">z9 &lt;b&gt;</textarea>" in answer.text
    assert answer.text.count('class="problem"') == 1
    assert open_game.lines() == []


def test_the_reason_of_the_rules_is_shown(open_game: Match) -> None:
    submit(open_game.services, open_game.number, 0, "c3")
    answer = open_game.browsers[1].send(f"{open_game.address}/move", turn=2, text="c4")
    assert "c4" in readable(answer)
    assert "exactly one" in readable(answer)


def test_chosen_moves_are_kept_after_a_mistake(secret_game: Match) -> None:
    answer = secret_game.browsers[0].send(f"{secret_game.address}/move", turn=1, pick=["1 d4", "2 d4"])
    assert answer.status_code == 422
    assert '<option value="1 d4" selected>' in answer.text
    assert '<option value="2 d4" selected>' in answer.text


def test_trying_shows_the_board_and_plays_nothing(open_game: Match) -> None:
    answer = open_game.browsers[0].send(f"{open_game.address}/try", turn=1, text="c3")
    assert answer.status_code == 200
    assert "You are trying c3 . Nothing is played yet." in readable(answer)
    assert "<title>c3: b, black (touched this turn)</title>" in answer.text
    assert '<input type="hidden" name="text" value="c3">' in answer.text
    assert open_game.lines() == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["nebuchadnezzar", "nibble"])
def test_places_that_are_moves_lead_to_a_try(
    app: Flask, services: Services, ann: Player, ben: Player, kind: str
) -> None:
    game = match(app, services, kind, ann, ben)
    links = re.findall(
        r'<a href="(/games/\d+\?move=[^"]+)" aria-label', game.browsers[0].get(game.address).text
    )
    assert links
    for link in links:
        assert "You are trying" in game.browsers[0].text(link)
    assert "?move=" not in game.browsers[1].get(game.address).text, "it is not their turn"
    assert "?move=" not in Browser(app).get(game.address).text


def test_a_try_grows_place_by_place(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    game = match(app, services, "nibble", ann, ben)
    pair = take_singles_until_there_is_a_pair(game)
    first, second = pair.split()[:2]
    page = game.browsers[(game.game().turn - 1) % 2].get(f"{game.address}?move={first}").text
    assert f'href="{game.address}?move={first}+{second}"' in page


def take_singles_until_there_is_a_pair(game: Match) -> str:
    """A move of two blocks that can be taken now; the layout is drawn by lot and may have none at the start."""
    while True:
        stored = game.game()
        rules, position = log.rules_of(stored), log.position_of(stored)
        seat = (stored.turn - 1) % 2
        moves = [rules.format(move) for move in rules.moves(position, seat)]
        pairs = [move for move in moves if move.count(" ") == 1]
        if pairs:
            return pairs[0]
        submit(game.services, game.number, seat, moves[0])


def test_a_form_about_a_turn_that_is_over_is_refused(open_game: Match) -> None:
    submit(open_game.services, open_game.number, 0, "c3")
    submit(open_game.services, open_game.number, 1, "a1")
    for action in ("move", "try"):
        answer = open_game.browsers[0].send(f"{open_game.address}/{action}", turn=1, text="e5")
        assert answer.status_code == 422
        assert "This answers turn 1, but it is now turn 3." in readable(answer)
        assert 'name="turn" value="3"' in answer.text
    assert len(open_game.lines()) == 2


@pytest.mark.parametrize("turn", [{}, {"turn": ""}, {"turn": "x"}, {"turn": "1.5"}])
def test_a_form_without_a_turn_is_not_ours(open_game: Match, turn: dict[str, str]) -> None:
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
        assert (
            Browser(app).send(f"{open_game.address}/{action}", turn=1, text="c3", say="hello").location == "/"
        )
    assert open_game.lines() == []


def test_earlier_turns_can_be_looked_at(app: Flask, open_game: Match) -> None:
    for number, text in enumerate(["c3", "a1", "e5"]):
        submit(open_game.services, open_game.number, number % 2, text)
    spectator = Browser(app)
    start, second = (spectator.get(f"{open_game.address}?turn={number}").text for number in (0, 2))
    assert "c3: empty" in start
    assert "c3: b, black" in second
    assert "a1: w, white (touched this turn)" in second
    assert "e5: empty" in second
    for wrong in ("-1", "4"):
        assert spectator.get(f"{open_game.address}?turn={wrong}").status_code == 404
    assert spectator.get("/games/12345").status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_page_turn_after_turn(
    app: Flask, services: Services, ann: Player, ben: Player, kind: str
) -> None:
    game = match(app, services, kind, ann, ben)
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
