"""The guided game for new players: it explains its rules by email and on the web, and disturbs no one."""

from __future__ import annotations

import random
import re
from itertools import count

import pytest
from flask import Flask
from sqlmodel import col, select

from rules.analysis import answering
from rules.records.verification import verify
from server.accounts.login.links import NewPlayer
from server.game.lobby import rematch
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.game.terms.terms import is_guided
from server.jobs import inquiries
from server.jobs.table import CLOCK
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import reading, writing
from server.store.models import Game, Heartbeat, Player
from server.store.outbox import ActionContext
from server.web import create_app
from tests.support.server.computer_players import shorten_hints
from tests.support.server.emails import PLAY, Written, letters, receive
from tests.support.server.jobs import work_of
from tests.support.server.services import Clock, settings_for
from tests.support.web.client import Browser, readable

ANN = "ann@example.org"
LESSON = re.compile(r"Lesson (\d) of 6\. ?")


@pytest.fixture
def settings(database_url: str) -> Settings:
    """Settings of a server that starts guided games."""
    return settings_for(database_url, first_game="true")


@pytest.fixture
def welcome(services: Services) -> Written:
    """The welcome email to Ann, a new player."""
    (letter,) = receive(services, ANN, PLAY, "register Ann")
    return letter


def first_game(services: Services) -> Game:
    with reading(services.engine) as session:
        game = session.exec(select(Game)).one()
        session.expunge(game)
        return game


def answer(services: Services) -> None:
    """Let the computer make its move, if it has to, without much thinking."""
    with writing(services.engine) as session:
        game = session.exec(select(Game)).one()
        if game.state != "running" or log.rules_of(game).to_move(log.position_of(game)) != (1,):
            return
        rules, (_, (_, computer)) = log.rules_of(game), log.seats(session, game)
        move = rules.sample(log.position_of(game), 1, random.Random(game.turn).randrange)
        action = ActionContext(session, services.sealer, services.now())
        moves.submit(action, computer, Target(1, 1, game.turn), rules.format(move))


def test_welcome_letter_contains_the_guided_game(services: Services, welcome: Written) -> None:
    assert len(letters(services)) == 1
    assert welcome.mail["Subject"] == "Welcome to Nabu"
    for told in ("Welcome, Ann.", "Lesson 1 of 6.", "Enkidu, a computer player", "“lobby”", "your name, Ann"):
        assert told in welcome.words
        assert told in " ".join(re.sub(r"<[^>]+>", " ", welcome.html).split())
    game = first_game(services)
    assert (game.game_type, game.state, game.turn, is_guided(game.terms)) == ("nibble", "running", 1, True)
    assert "/games/1" in welcome.text


def test_first_page_offers_the_guided_game(database_url: str) -> None:
    for teaches in (True, False):
        services = open_services(settings_for(database_url, first_game=str(teaches)))
        page = Browser(create_app(services)).text("/")
        services.close()
        assert "five computer players" in page
        assert ("one of them explains your first game" in page) is teaches


@pytest.mark.parametrize("line", ["zone Berlin", "timezone Europe/Berlin", "my time zone is Berlin"])
def test_guided_game_asks_for_the_time_zone(services: Services, welcome: Written, line: str) -> None:
    assert "Where are you? Until Nabu knows, all times are in UTC." in welcome.words
    (answer,) = receive(services, ANN, welcome.mail["Reply-To"], line)
    assert "Your time zone is Europe/Berlin" in answer.words
    (again, *_) = (each for each in letters(services) if each.letter == "welcome")
    assert "Where are you?" not in again.words, "once it is known"


def test_others_cannot_see_the_guided_game(app: Flask, services: Services, welcome: Written) -> None:
    number = first_game(services).id
    receive(services, "ben@example.org", PLAY, "register Ben")
    (listed,) = receive(services, "ben@example.org", PLAY, "lobby")
    assert f"Nibble {number}" not in listed.words
    visitor = Browser(app)
    for page in ("/lobby", "/archive", "/player/Ann"):
        assert f"/games/{number}" not in visitor.get(page).text
    assert visitor.get(f"/games/{number}").status_code == 404


def test_welcome_letter_names_open_games(services: Services, welcome: Written) -> None:
    assert "“lobby” to list the open games" in welcome.words
    for line in ("nibble time=1d", "nardshir", "nibble rating=1600-", "nexus players=3", "nelaxtam"):
        receive(services, ANN, PLAY, f"seek {line}")
    (letter,) = receive(services, "ben@example.org", PLAY, "register Ben")
    assert "Open games that you can join now. To join one, write “join” and its number:" in letter.words
    waiting = re.findall(r"(\w+) (\d+)[^:]*: Ann Needs (\d) more", letter.words)
    assert waiting == [("Nelaxtam", "6", "1"), ("Rabauken", "5", "2"), ("Nardshir", "3", "1")]
    assert "“lobby” to list all open games" in letter.words
    (joined, *_) = receive(services, "ben@example.org", PLAY, "join 3")
    assert "Nardshir 3" in str(joined.mail["Subject"])


@pytest.mark.parametrize("text", ["Hello, what is this about?", "b2", "show", ""])
def test_unreadable_reply_repeats_the_rule(services: Services, welcome: Written, text: str) -> None:
    (answer,) = receive(services, ANN, welcome.mail["Reply-To"], text)
    assert "Lesson 1 of 6." in answer.words
    assert first_game(services).turn == 1


def test_guided_game_is_played_to_its_end_by_email(services: Services, welcome: Written) -> None:
    """Each email answers one of her moves, and each rule is explained once."""
    rules, told, letter = log.rules_of(first_game(services)), LESSON.findall(welcome.words), welcome
    for number in count(1):
        if (game := first_game(services)).state == "over":
            break
        move = rules.sample(log.position_of(game), 0, random.Random(game.turn).randrange)
        receive(services, ANN, letter.mail["Reply-To"], rules.format(move))
        answer(services)
        (letter,) = letters(services, skip=number)
        told += LESSON.findall(letter.words)
    assert told == [str(number) for number in range(1, 7)]
    assert "The game is over." in letter.words
    with reading(services.engine) as session:
        record = log.record(session, session.get_one(Game, 1)).to_json()
    assert verify(record).wrong is None


@pytest.mark.slow
def test_player_of_the_guided_game_gets_a_hint_and_can_request_an_analysis(
    services: Services, welcome: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is played, and when it is over."""
    shorten_hints(monkeypatch)
    assert "If you need help with your move, write “hint”" in welcome.words
    assert receive(services, ANN, welcome.mail["Reply-To"], "hint") == []
    assert inquiries.answer_next(services.engine, services.sealer, services.now(), answering.answer)
    hint = letters(services)[-1]
    assert "A hint for turn 1:" in hint.words
    (move,) = re.findall(r"^A hint for turn 1: (.+)$", hint.text, re.MULTILINE)
    receive(services, ANN, hint.mail["Reply-To"], move)
    assert first_game(services).turn == 2
    answer(services)
    receive(services, ANN, letters(services)[-1].mail["Reply-To"], "resign")
    last = letters(services)[-1]
    for told in ("write: analyse", "You know the rules of Nibble now.", "“seek nibble”"):
        assert told in last.words
    assert receive(services, ANN, last.mail["Reply-To"], "analyse") == []


def test_guided_game_is_played_to_its_end_on_the_web(services: Services, app: Flask) -> None:
    browser = Browser(app)
    secret = services.logins.write_new(NewPlayer(ANN, "Ann"))
    assert browser.send(f"/enter/{secret}", name="Ann").status_code == 303
    assert "Guided" in browser.text("/games")
    rules, told = log.rules_of(first_game(services)), []
    while (game := first_game(services)).state == "running":
        told += re.findall(r"Lesson (\d) of 6", browser.text("/games/1"))
        move = rules.format(rules.sample(log.position_of(game), 0, random.Random(game.turn).randrange))
        assert "Lesson" not in browser.text(f"/games/1?turn={game.turn - 1}")
        assert browser.send("/games/1/move", turn=game.turn, text=move).status_code == 303
        answer(services)
    assert told == [str(number) for number in range(1, 7)]
    assert "Guided" not in browser.text("/games")
    assert [letter.letter for letter in letters(services)] == ["welcome"]


def test_preview_keeps_the_lesson_visible(services: Services, app: Flask) -> None:
    browser = Browser(app)
    browser.send(f"/enter/{services.logins.write_new(NewPlayer(ANN, 'Ann'))}", name="Ann")
    game = first_game(services)
    move = log.rules_of(game).examples(log.position_of(game), 0)[0]
    assert "Lesson 1 of 6" in readable(browser.send("/games/1/try", turn=1, pick=move))


def test_guided_game_sends_no_reminders(services: Services, welcome: Written, clock: Clock) -> None:
    """The game is not lost either: it ends without a winner."""
    for _ in range(31):
        clock.advance(days=1)
        with writing(services.engine) as session:
            session.merge(Heartbeat(id=1, at=services.now()))
        CLOCK.run(work_of(services))
    game = first_game(services)
    assert game.state == "over"
    assert game.result is not None
    assert game.result["winners"] == []
    assert len(letters(services)) == 1


def test_guided_game_can_be_left(services: Services, welcome: Written) -> None:
    receive(services, ANN, welcome.mail["Reply-To"], "resign")
    assert first_game(services).state == "over"


def test_rematch_explains_nothing(services: Services, welcome: Written) -> None:
    receive(services, ANN, welcome.mail["Reply-To"], "resign")
    receive(services, ANN, letters(services)[-1].mail["Reply-To"], "rematch")
    with reading(services.engine) as session:
        assert [is_guided(game.terms) for game in session.exec(select(Game).order_by(col(Game.id)))] == [
            True,
            False,
        ]


def test_invited_player_gets_a_guided_game_after_sign_up(services: Services, welcome: Written) -> None:
    receive(services, ANN, PLAY, "challenge ben@example.org nibble")
    *_, letter = receive(services, "ben@example.org", PLAY, "register Ben")
    assert "Lesson 1 of 6." in letter.words


def test_administrator_can_disable_guided_games(database_url: str, clock: Clock) -> None:
    services = open_services(settings_for(database_url), clock)
    (letter,) = receive(services, ANN, PLAY, "register Ann")
    assert "You can play now." in letter.words
    with reading(services.engine) as session:
        assert session.exec(select(Game)).all() == []
    services.engine.dispose()


def test_guided_game_and_its_rematch_are_unrated(services: Services, welcome: Written) -> None:
    assert "rated" not in first_game(services).terms
    with writing(services.engine) as session:
        game = session.get_one(Game, 1)
        action = ActionContext(session, services.sealer, services.now())
        ann = session.get_one(Player, game.asked[0])
        moves.resign(action, ann, Target(1, 0, game.turn))
        again = rematch.again(action, ann, 1)
        assert again.terms["rated"] == "off"
