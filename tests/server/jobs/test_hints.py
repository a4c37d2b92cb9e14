"""Hints: requested by email or on the page, computed by a job, and shown in the same place."""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError
from sqlmodel import select

from rules import driver
from rules.analysis import answering
from rules.analysis.hints import Hint
from rules.game import Json
from rules.registry import RULES
from rules.strengths import STRENGTHS
from server.game.computer.inquiries import about_move
from server.game.leaving import account_deletion
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.jobs import inquiries, retention
from server.limits import MOST_HINTS
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Envelope, Failure, Game, Inquiry, Player
from server.store.outbox import ActionContext
from tests.support.database.connections import lost_at
from tests.support.mail.email_form import check_form, check_thread
from tests.support.rules.random_games import random_game
from tests.support.server.computer_players import (
    Thinker,
    answer_all,
    begin_solo,
    seat_of,
    shorten_hints,
    turn_of,
)
from tests.support.server.emails import Written, letters, receive, reply_address
from tests.support.server.games import begin, submit
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in, readable

_QUESTION = "The computer can suggest a move"


@pytest.fixture
def think() -> Thinker:
    return Thinker()


def solo(
    services: Services, ann: Player, game_type: str = "nebuchadnezzar", **options: object
) -> tuple[int, int]:
    """Return a game against the computer in which Ann has to move, and her seat."""
    number = begin_solo(services, ann, game_type, **({"size": 5} if game_type == "nebuchadnezzar" else options))
    seat = seat_of(services, number, ann)
    if seat == 1 and game_type == "nebuchadnezzar":
        submit(services, number, 0, "a1")
    return number, seat


def ask(services: Services, number: int, player: Player) -> list[Written]:
    """Return the immediate answer to a request by email."""
    seat = seat_of(services, number, player)
    return receive(services, player.email, reply_address(services, number, seat), "hint")


def test_hint_is_emailed_when_it_is_found(services: Services, ann: Player, think: Thinker) -> None:
    number, seat = solo(services, ann)
    before = len(letters(services))
    assert ask(services, number, ann) == [], "no player waits for the computer"
    answer_all(services, think)
    (hint,) = letters(services, before)
    assert (hint.letter, hint.to) == ("hinted", "ann@example.org")
    for told in (
        ": c3 The computer searched 2000 positions, 812 of them after this move. It estimates your chance of "
        "winning at 62%. The best reply it found is b2. The second best move is e5: 300 of the positions, and "
        "a chance of 55%.",
        "The board after this move (nothing has been played):",
        "To play it, write it on the first line of your reply: c3",
    ):
        assert told in hint.words
    assert "A hint: c3" in hint.html
    check_form(hint)
    check_thread(services, hint, number)
    (again,) = ask(services, number, ann)
    assert again.letter == "hinted"
    assert "A hint for turn" in again.words
    assert len(think.asked) == 1, "it has thought about this already"
    receive(services, ann.email, str(hint.mail["Reply-To"]), "c3")
    with reading(services.engine) as session:
        assert session.get_one(Game, number).turn == seat + 2


def test_hint_appears_on_the_page(app: Flask, services: Services, ann: Player, think: Thinker) -> None:
    number, _ = solo(services, ann)
    browser, page = logged_in(app, services, ann), f"/games/{number}"
    assert _QUESTION in browser.text(page)
    turn = turn_of(services, number)
    before, mail = mark(browser, number), len(letters(services))
    assert browser.send(f"{page}/hint", turn=turn).status_code == 303
    waiting = browser.get(page)
    assert "The computer is looking for a move." in readable(waiting)
    assert 'data-every="2"' in waiting.text
    assert mark(browser, number) == before
    answer_all(services, think)
    assert mark(browser, number) != before, "an open page finds out"
    told = browser.text(page)
    assert "Hint c3 The computer searched 2000 positions" in told
    assert _QUESTION not in told
    assert len(letters(services)) == mail, "answers to requests on the page are not emailed"
    assert "You are trying c3" in readable(browser.send(f"{page}/try", turn=turn, text="c3"))
    assert "The computer searched 2000 positions" not in Browser(app).text(page), "only the player sees it"


def mark(browser: Browser, number: int) -> str | None:
    return browser.get(f"/games/{number}/now").headers["ETag"]


def test_hint_for_orders_reads_no_sealed_orders(
    app: Flask, services: Services, ann: Player, think: Thinker
) -> None:
    number = begin_solo(services, ann, "nelaxtam", size=10, troops=1, sea=0)
    seat = seat_of(services, number, ann)
    ask(services, number, ann)
    think.move = "1 d4" if seat == 0 else "A c4"
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        before = about_move(game, seat)
        other, computer = log.seats(session, game)[1 - seat]
        rules, position = log.rules_of(game), log.position_of(game)
        orders = rules.format(rules.sample(position, other.number, lambda below: below - 1))
        action = ActionContext(session, services.sealer, services.now())
        moves.submit(action, computer, Target(number, other.number, 1), orders)
    answer_all(services, think)
    (request,) = think.asked
    assert request == json.loads(json.dumps(before)), "the orders of others change nothing"
    assert request.keys() == {"what", "game_type", "options", "position", "memory", "seat", "seed"}
    with reading(services.engine) as session:
        (envelope,) = session.exec(select(Envelope))
        for secret in (orders, envelope.commitment, b64encode(envelope.sealed).decode()):
            assert secret not in json.dumps(request)
    hint = letters(services)[-1]
    assert hint.letter == "hinted"
    assert "These orders on the board (nothing has been played):" in hint.words


@pytest.mark.parametrize("game_type", ["nibble", "nelaxtam", "nexus", "nardshir", "nebuchadnezzar"])
def test_hints_are_found_in_every_game_type(
    services: Services, ann: Player, game_type: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short search has the same form as a long one."""
    assert STRENGTHS[-1].error == 0, "a hint is the best move found"
    shorten_hints(monkeypatch)
    number = begin_solo(services, ann, game_type)
    seat = seat_of(services, number, ann)
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        rules, position = log.rules_of(game), log.position_of(game)
        mover = seat if seat in rules.to_move(position) else rules.to_move(position)[0]
        request = json.loads(json.dumps(about_move(game, mover)))
    hint = Hint.from_json(json.loads(json.dumps(answering.answer(request))))
    assert rules.allows(position, mover, hint.best.move)
    assert hint.second is None or rules.allows(position, mover, hint.second.move)
    assert 0 <= hint.best.share <= 1
    assert hint.looks > 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("game_type", "options", "game", "left"),
    [
        ("nibble", {}, 0, 10),
        ("nelaxtam", {"mode": "quiet", "size": 8, "troops": 1, "sea": 0}, 1, 1),
        ("nexus", {}, 0, 5),
        ("nardshir", {}, 1, 40),
        ("nebuchadnezzar", {"size": 4}, 1, 12),
    ],
)
def test_hint_in_every_game_type_is_as_strong_as_players_get_it(
    game_type: str, options: Json, game: int, left: int
) -> None:
    """A few turns before the end of a random game, where a complete search takes a second or two."""
    rules = RULES[game_type]
    options = rules.options(options)
    step = list(random_game(rules, options, game))[-left]
    position, _ = driver.begin(rules, step.before, lambda _: step.dice)
    seat = rules.to_move(position)[0]
    now = {"position": rules.write(position), "memory": list(rules.memory(position)), "seat": seat}
    asked = {"what": answering.HINT, "game_type": game_type, "options": options, "seed": "00" * 32, **now}
    hint = Hint.from_json(json.loads(json.dumps(answering.answer(asked))))
    assert rules.allows(position, seat, hint.best.move)
    assert hint.is_sure or (hint.second is not None and hint.looks > 1000)


def refused(services: Services, number: int, player: Player) -> str:
    (answer,) = ask(services, number, player)
    assert answer.letter == "refusal"
    assert "To try again" not in answer.words, "no other text would help"
    return answer.words


def test_no_hints_against_people(services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nibble", ann, ben)
    for player in (ann, ben):
        assert "There are hints only in games against the computer. In this game you play against people." in (
            refused(services, number, player)
        )


def test_no_hints_in_anonymous_games(app: Flask, services: Services, ann: Player) -> None:
    number, _ = solo(services, ann)
    with writing(services.engine) as session:
        session.get_one(Game, number).anonymous = True
    assert "There are no hints in anonymous games." in refused(services, number, ann)
    assert _QUESTION not in logged_in(app, services, ann).text(f"/games/{number}")


def test_no_hints_in_rated_games(app: Flask, services: Services, ann: Player) -> None:
    number, _ = solo(services, ann)
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        game.terms = {**game.terms, "rated": "on"}
    assert "There are no hints in this game: it is rated." in refused(services, number, ann)
    browser = logged_in(app, services, ann)
    assert _QUESTION not in browser.text(f"/games/{number}")
    sent = browser.send(f"/games/{number}/hint", turn=turn_of(services, number))
    assert sent.status_code == 422
    assert "There are no hints in this game: it is rated." in readable(sent)


def test_no_hints_out_of_turn(app: Flask, services: Services, ann: Player) -> None:
    number, seat = solo(services, ann)
    submit(services, number, seat, "c3")
    assert "It is not your turn" in refused(services, number, ann)
    assert _QUESTION not in logged_in(app, services, ann).text(f"/games/{number}")


def test_no_hints_after_the_end(app: Flask, services: Services, ann: Player) -> None:
    number, seat = solo(services, ann)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        target = Target(number, seat, session.get_one(Game, number).turn)
        moves.resign(action, session.get_one(Player, ann.id), target)
    assert "is over" in refused(services, number, ann)


def test_no_hints_for_the_seat_of_another(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    number, _ = solo(services, ann)
    sent = logged_in(app, services, ben).send(f"/games/{number}/hint", turn=turn_of(services, number))
    assert sent.status_code == 403
    with reading(services.engine) as session:
        assert session.exec(select(Inquiry)).all() == []


def test_hints_a_day_are_limited(services: Services, clock: Clock, ann: Player) -> None:
    number, seat = solo(services, ann)
    with writing(services.engine) as session:
        for turn in range(MOST_HINTS):
            row = Inquiry(
                game_id=number,
                player_id=ann.id or 0,
                what="hint",
                turn=100 + turn,
                seat=seat,
                by_mail=False,
                asked_at=services.now(),
            )
            session.add(row)
    assert f"You have had {MOST_HINTS} hints today" in refused(services, number, ann)
    clock.advance(days=1)
    assert ask(services, number, ann) == []


def test_no_hint_for_a_turn_played_meanwhile(services: Services, ann: Player, think: Thinker) -> None:
    number, seat = solo(services, ann)
    ask(services, number, ann)
    submit(services, number, seat, "c3")
    answer_all(services, think)
    assert think.asked == []
    assert "hinted" not in [letter.letter for letter in letters(services)]


def test_no_hint_after_the_player_has_moved(services: Services, ann: Player, think: Thinker) -> None:
    number, seat = solo(services, ann)
    ask(services, number, ann)

    def slowly(request: Json) -> Json:
        submit(services, number, seat, "e5")
        return think(request)

    answer_all(services, slowly)
    assert "hinted" not in [letter.letter for letter in letters(services)]


def test_earlier_request_does_not_block_the_next_turn(services: Services, ann: Player, think: Thinker) -> None:
    number, seat = solo(services, ann)
    ask(services, number, ann)

    def slowly(request: Json) -> Json:
        submit(services, number, seat, "e5")
        submit(services, number, 1 - seat, "e1")
        ask(services, number, ann)
        assert inquiries.answer_next(services.engine, services.sealer, services.now(), think)
        return think(request)

    assert inquiries.answer_next(services.engine, services.sealer, services.now(), slowly)
    assert len(think.asked) == 2
    assert [letter.letter for letter in letters(services)].count("hinted") == 1


def test_two_workers_answer_once(services: Services, ann: Player, think: Thinker) -> None:
    number, _ = solo(services, ann)
    ask(services, number, ann)

    def slowly(request: Json) -> Json:
        assert not inquiries.answer_next(services.engine, services.sealer, services.now(), think)
        return think(request)

    answer_all(services, slowly)
    assert len(think.asked) == 1
    assert [letter.letter for letter in letters(services)].count("hinted") == 1


def test_request_left_by_a_dead_worker_is_answered(
    services: Services, clock: Clock, ann: Player, think: Thinker
) -> None:
    number, _ = solo(services, ann)
    ask(services, number, ann)

    def dies(request: Json) -> Json:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer_all(services, dies)
    answer_all(services, think)
    assert think.asked == [], "another may still be thinking"
    clock.advance(minutes=16)
    answer_all(services, think)
    assert len(think.asked) == 1


def test_request_left_by_a_stopping_worker_is_answered_immediately(
    services: Services, ann: Player, think: Thinker
) -> None:
    number, _ = solo(services, ann)
    ask(services, number, ann)
    assert not inquiries.answer_next(services.engine, services.sealer, services.now(), lambda request: None)
    answer_all(services, think)
    assert letters(services)[-1].letter == "hinted"


@pytest.mark.both
def test_database_outage_is_no_failure_of_the_game(services: Services, ann: Player, think: Thinker) -> None:
    number, _ = solo(services, ann)
    ask(services, number, ann)
    with lost_at(services.engine, "INSERT INTO outbox"), pytest.raises(OperationalError):
        answer_all(services, think)
    with reading(services.engine) as session:
        assert session.exec(select(Failure)).all() == []
    answer_all(services, think)
    assert letters(services)[-1].letter == "hinted", "it is thought about again at once"


@pytest.mark.usefixtures("failures_meant")
def test_failure_is_recorded_with_its_game(services: Services, ann: Player, think: Thinker) -> None:
    number, _ = solo(services, ann)
    ask(services, number, ann)

    def fails(request: Json) -> Json:
        raise ZeroDivisionError

    answer_all(services, fails)
    with reading(services.engine) as session:
        (failure,) = session.exec(select(Failure))
        assert (failure.job, failure.game_id) == ("inquiries", number)


def test_old_requests_are_deleted(services: Services, clock: Clock, ann: Player, think: Thinker) -> None:
    number, _ = solo(services, ann)
    ask(services, number, ann)
    answer_all(services, think)
    with writing(services.engine) as session:
        retention.throw_away(session, services.now(), timedelta(days=30))
        assert len(session.exec(select(Inquiry)).all()) == 1
    clock.advance(days=3)
    with writing(services.engine) as session:
        retention.throw_away(session, services.now(), timedelta(days=30))
        assert session.exec(select(Inquiry)).all() == []


def test_deleted_account_has_no_requests(services: Services, ann: Player, think: Thinker) -> None:
    number, _ = solo(services, ann)
    ask(services, number, ann)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        account_deletion.delete_account(action, session.get_one(Player, ann.id))
    answer_all(services, think)
    assert think.asked == []


def test_help_mentions_hints_where_they_exist(services: Services, ann: Player, ben: Player) -> None:
    number, _ = solo(services, ann)
    (told,) = receive(
        services, ann.email, reply_address(services, number, seat_of(services, number, ann)), "help"
    )
    assert "get a good move from the computer" in told.words
    other = begin(services, "nibble", ann, ben)
    (told,) = receive(
        services, ben.email, reply_address(services, other, seat_of(services, other, ben)), "help"
    )
    assert "get a good move from the computer" not in told.words
