"""Reporting messages of other players to the administrator, who sees only those."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask
from sqlmodel import select

from server.errors import BadRequest
from server.game.lobby import challenges
from server.game.messages import messages
from server.game.spectators import abuse_reports
from server.game.spectators.abuse_reports import MOST_REPORTS
from server.jobs import administrator_report
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import AbuseReport, Game, Player
from server.store.outbox import ActionContext
from tests.support.server.emails import letters, receive
from tests.support.server.games import begin
from tests.support.web.client import logged_in, readable


@pytest.fixture
def game(services: Services, ann: Player, ben: Player) -> int:
    return begin(services, "nibble", ann, ben)


def say(services: Services, number: int, seat: int, *texts: str, private: bool = False) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        for text in texts:
            messages.keep(action, session.get_one(Game, number), seat, text, private=private)


def told_to_administrator(services: Services) -> str:
    with writing(services.engine) as session:
        administrator_report.notify_administrator(
            ActionContext(session, services.sealer, services.now()), "op@example.org"
        )
    mails = [each.words for each in letters(services) if each.to == "op@example.org"]
    return mails[-1] if mails else ""


def seats(services: Services, number: int, *people: Player) -> list[int]:
    """Return the seats of the players."""
    with reading(services.engine) as session:
        found = [challenges.seat_of(session, session.get_one(Game, number), player) for player in people]
    return [seat for seat in found if seat is not None]


def test_last_message_is_reported_by_email(services: Services, game: int, ann: Player, ben: Player) -> None:
    (his,) = seats(services, game, ben)
    say(services, game, his, "Hello!", "You play like a goat.")
    mails = [each.mail for each in letters(services) if each.letter == "report" and each.to == ann.email]
    reply_to = str(mails[0]["Reply-To"])
    (answer,) = receive(services, ann.email, reply_to, "report That is no way to talk.")
    assert answer.letter == "words_reported"
    assert "| You play like a goat." in answer.words
    administrator = told_to_administrator(services)
    assert (
        "Ben in game 1, turn 1; reported by Ann: That is no way to talk. | You play like a goat."
        in administrator
    )
    assert not [each for each in letters(services) if each.to == ben.email and "like a goat" in each.words]


def test_each_message_on_the_page_can_be_reported_once(
    app: Flask, services: Services, game: int, ann: Player, ben: Player
) -> None:
    (hers, his) = seats(services, game, ann, ben)
    say(services, game, hers, "Good luck!")
    say(services, game, his, "You goat.", "Sorry.")
    browser, address = logged_in(app, services, ann), f"/games/{game}/said/2/report"
    assert f'href="{address}"' in browser.get(f"/games/{game}").text
    assert "You goat." in browser.text(address)
    assert browser.send(address, why="Rude").status_code == 303
    again = browser.send(address, why="Rude")
    assert (again.status_code, "You have already reported this." in readable(again)) == (422, True)
    assert "You goat." in told_to_administrator(services)
    with reading(services.engine) as session:
        (kept,) = session.exec(select(AbuseReport))
    assert (kept.by_id, kept.speaker_id) == (ann.id, ben.id)
    assert b"goat" not in kept.sealed


@pytest.mark.parametrize("place", [1, 2, 0, 99])
def test_only_received_messages_can_be_reported(
    app: Flask, services: Services, game: int, ann: Player, ben: Player, place: int
) -> None:
    """Neither the player's own messages, nor notes of others, nor missing messages."""
    (hers, his) = seats(services, game, ann, ben)
    say(services, game, hers, "Good luck!")
    say(services, game, his, "I fear c3.", private=True)
    browser = logged_in(app, services, ann)
    for answer in (
        browser.get(f"/games/{game}/said/{place}/report"),
        browser.send(f"/games/{game}/said/{place}/report", why="Rude"),
    ):
        assert answer.status_code in (409, 422)
        assert "There is no message from another player here" in readable(answer)
        assert "I fear c3." not in answer.text
    assert told_to_administrator(services) == ""


def test_number_of_reports_is_limited(services: Services, game: int, ann: Player, ben: Player) -> None:
    (hers, his) = seats(services, game, ann, ben)
    say(services, game, his, *(f"Goat {count}" for count in range(MOST_REPORTS + 1)))
    with writing(services.engine) as session:
        action, table = ActionContext(session, services.sealer, services.now()), session.get_one(Game, game)
        for place in range(MOST_REPORTS):
            abuse_reports.report(action, ann, abuse_reports.message_at(action, table, hers, place + 1), "")
        last = abuse_reports.message_at(action, table, hers)
        for within in (action, replace(action, now=action.now + timedelta(days=1, seconds=-1))):
            with pytest.raises(BadRequest, match="You have reported 5 messages within a day"):
                abuse_reports.report(within, ann, last, "")
        abuse_reports.report(replace(action, now=action.now + timedelta(days=1)), ann, last, "")
