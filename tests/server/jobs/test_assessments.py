"""Analyses of finished games: requested by email or on the page, computed once, sent to all who asked."""

from __future__ import annotations

import json
import re

import pytest
from flask import Flask
from sqlmodel import select

from rules.game import Json
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.jobs import inquiries
from server.limits import MOST_ASSESSMENTS
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import AssessedGame, Game, Inquiry, Player
from server.store.outbox import ActionContext
from tests.support.mail.email_form import check_form, check_thread
from tests.support.server.computer_players import answer_all, assess, begin_solo, seat_of
from tests.support.server.emails import PLAY, Written, letters, receive, reply_address
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in, readable


@pytest.fixture
def number(services: Services, ann: Player, ben: Player) -> int:
    """Return a finished game of three turns, in which the second seat has resigned."""
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    for seat, move in ((0, "c3"), (1, "a1")):
        submit(services, number, seat, move)
    resign(services, number, 1)
    return number


def resign(services: Services, number: int, seat: int) -> None:
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        action = ActionContext(session, services.sealer, services.now())
        _, player = log.seats(session, game)[seat]
        moves.resign(action, player, Target(number, seat, game.turn))


def asked_by(player: Player, number: int, services: Services) -> Inquiry:
    """Return a player's request by email, after its answer."""
    return Inquiry(
        game_id=number,
        player_id=player.id or 0,
        what="assessment",
        turn=2,
        seat=0,
        by_mail=True,
        asked_at=services.now(),
    )


def ask(services: Services, number: int, player: Player) -> list[Written]:
    address = reply_address(services, number, seat_of(services, number, player))
    return receive(services, player.email, address, "analyse")


def test_analysis_is_emailed_when_it_is_done(services: Services, number: int, ann: Player) -> None:
    before = len(letters(services))
    assert ask(services, number, ann) == [], "no player waits for the computer"
    answer_all(services)
    (letter,) = letters(services, before)
    assert (letter.letter, letter.to) == ("game_assessed", "ann@example.org")
    check_form(letter)
    check_thread(services, letter, number)
    assert f"Analysis of Nebuchadnezzar {number}" in letter.words
    assert "left a winning chance of 31%; b2 would have left 52%." in letter.words
    bars = re.findall(r"^ +(start|\d+) +(\d+) +(\d+)  ([AB]+)\r?$", letter.text, re.MULTILINE)
    assert [(turn, int(a), int(b)) for turn, a, b, _ in bars] == [
        ("start", 50, 50),
        ("1", 62, 38),
        ("2", 69, 31),
        ("3", 100, 0),
    ], "the player who resigned has lost"
    assert [bar.count("A") for *_, bar in bars] == [20, 25, 28, 40]
    assert {len(bar) for *_, bar in bars} == {40}
    assert 'width="62%"' in letter.html


def test_analysis_is_computed_once(services: Services, number: int, ann: Player, ben: Player) -> None:
    asked: list[Json] = []

    def thinking(request: Json) -> Json:
        asked.append(request)
        return assess(request)

    ask(services, number, ann)
    ask(services, number, ben)
    before = len(letters(services))
    answer_all(services, thinking)
    assert {letter.to for letter in letters(services, before)} == {"ann@example.org", "ben@example.org"}
    (again,) = ask(services, number, ben)
    assert again.letter == "game_assessed"
    assert len(asked) == 1
    request = json.loads(json.dumps(asked[0]))
    assert request.keys() == {"what", "game_type", "options", "setup", "turns", "seed"}
    assert [turn for turn, _ in request["turns"]] == [1, 2, 3]
    with reading(services.engine) as session:
        assert session.get_one(AssessedGame, number).answer == assess(request)


def test_player_who_asks_during_the_analysis_gets_it_too(
    services: Services, number: int, ann: Player, ben: Player
) -> None:
    def slowly(request: Json) -> Json:
        ask(services, number, ben)
        assert not inquiries.answer_next(services.engine, services.sealer, services.now(), assess), (
            "once is enough"
        )
        return assess(request)

    ask(services, number, ann)
    before = len(letters(services))
    assert inquiries.answer_next(services.engine, services.sealer, services.now(), slowly)
    assert {letter.to for letter in letters(services, before)} == {"ann@example.org", "ben@example.org"}


@pytest.mark.both
def test_hint_does_not_wait_for_an_analysis(services: Services, number: int, ann: Player) -> None:
    ask(services, number, ann)
    solo = begin_solo(services, ann, "nibble")
    seat = seat_of(services, solo, ann)
    if seat:
        submit(services, solo, 0, "a9")
    receive(services, ann.email, reply_address(services, solo, seat), "hint")
    asked: list[str] = []

    def thinking(request: Json) -> Json:
        asked.append(request["what"])
        advice = {"move": "a1", "looks": 1, "share": 0.5, "reply": ""}
        return {"best": advice, "second": None, "looks": 1} if asked[-1] == "hint" else assess(request)

    answer_all(services, thinking)
    assert asked == ["hint", "assessment"]


def test_curve_on_the_page_links_to_the_boards(
    app: Flask, services: Services, number: int, ann: Player
) -> None:
    browser, page = logged_in(app, services, ann), f"/games/{number}"
    assert "The computer can estimate who was ahead" in browser.text(page)
    mark, mails = browser.get(f"{page}/now").headers["ETag"], len(letters(services))
    assert browser.send(f"{page}/analyse").status_code == 303
    waiting = browser.get(page)
    assert "The computer is analysing the game." in readable(waiting)
    assert 'data-every="2"' in waiting.text
    answer_all(services)
    assert browser.get(f"{page}/now").headers["ETag"] != mark, "an open page finds out"
    for reader in (browser, Browser(app)):
        shown = reader.get(f"{page}?turn=2")
        assert re.search("The chance that (Ann|Ben) ", readable(shown))
        assert "left a winning chance of 31%; b2 would have left 52%." in readable(shown)
        for turn in range(4):
            assert f'href="{page}?turn={turn}" tabindex="-1"' in shown.text
        assert "<title>Turn 1: " in shown.text
        assert 'class="shown"' in shown.text
        assert "<td>62%</td><td>38%</td>" in shown.text
    assert len(letters(services)) == mails, "answers to requests on the page are not emailed"


def test_spectators_can_ask_for_an_analysis(app: Flask, services: Services, number: int) -> None:
    add_player(services, "cleo@example.org", "Cleo")
    assert receive(services, "cleo@example.org", PLAY, f"analyze {number}") == []
    before = len(letters(services))
    answer_all(services)
    (letter,) = letters(services, before)
    assert (letter.letter, letter.to) == ("game_assessed", "cleo@example.org")
    check_form(letter)
    (again,) = receive(services, "cleo@example.org", PLAY, f"analyse {number}")
    assert "Analysis of Nebuchadnezzar" in again.words


def test_running_game_is_not_analysed(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    """It would count as help."""
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    submit(services, number, 0, "c3")
    told = f"Game {number} is not over. You can ask for an analysis once it is."
    (reply,) = ask(services, number, ann)
    assert told in reply.words
    (reply,) = receive(services, ben.email, PLAY, f"analyse {number}")
    assert told in reply.words
    browser = logged_in(app, services, ann)
    assert "Computer analysis" not in browser.text(f"/games/{number}")
    assert told in readable(browser.send(f"/games/{number}/analyse"))
    with reading(services.engine) as session:
        assert session.exec(select(Inquiry)).all() == []


def test_stored_request_for_a_running_game_is_not_answered(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    submit(services, number, 0, "c3")
    with writing(services.engine) as session:
        row = asked_by(ann, number, services)
        row.due_at = services.now()
        session.add(row)
        session.add(AssessedGame(game_id=number, answer=assess({"turns": []}), made_at=services.now()))
    before = len(letters(services))

    def never(request: Json) -> Json:
        raise AssertionError(request)

    answer_all(services, never)
    assert letters(services, before) == []
    assert "Computer analysis" not in logged_in(app, services, ann).text(f"/games/{number}")


def test_hidden_game_is_not_analysed(app: Flask, services: Services, ann: Player) -> None:
    number = begin_solo(services, ann, "nebuchadnezzar", size=5, private="on")
    ben = add_player(services, "ben@example.org", "Ben")
    for written in (str(number), "99"):
        (reply,) = receive(services, ben.email, PLAY, f"analyse {written}")
        assert f"There is no game {written}." in reply.words
    assert logged_in(app, services, ben).send(f"/games/{number}/analyse").status_code == 404


def test_visitor_cannot_ask_for_an_analysis(app: Flask, services: Services, number: int) -> None:
    browser = Browser(app)
    assert "Computer analysis" not in browser.text(f"/games/{number}")
    browser.send(f"/games/{number}/analyse")
    with reading(services.engine) as session:
        assert session.exec(select(Inquiry)).all() == []


def test_analyses_a_day_are_limited(services: Services, number: int, ann: Player) -> None:
    with writing(services.engine) as session:
        for _ in range(MOST_ASSESSMENTS):
            session.add(asked_by(ann, number, services))
    (reply,) = ask(services, number, ann)
    assert f"You have had {MOST_ASSESSMENTS} games analysed today" in reply.words


def test_game_without_turns_has_no_analysis(services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    with writing(services.engine) as session:
        session.get_one(Game, number).state = "over"
    (reply,) = ask(services, number, ann)
    assert f"There are no moves in game {number} to analyse." in reply.words


def test_help_mentions_the_analysis_after_the_end(services: Services, number: int, ann: Player) -> None:
    seat = seat_of(services, number, ann)
    (told,) = receive(services, ann.email, reply_address(services, number, seat), "help")
    assert "analyse" in told.words
