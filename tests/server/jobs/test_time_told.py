"""Emails and pages about time: gifts, misses, claims, time given back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask

from server.game.log import log
from server.jobs.table import CLOCK
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from tests.support.server.emails import Written, letters, receive
from tests.support.server.games import TwoPlayerGame, begin, load_game, owing, submit, tick
from tests.support.server.jobs import work_of
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.client import logged_in

DUE = "Wed 4 March 2026, 12:00 UTC"


def mails(services: Services, letter: str) -> list[Written]:
    return [each for each in letters(services) if each.letter == letter]


def other(services: Services, number: int) -> Player:
    """Return the player who does not have to move."""
    seat, _ = owing(services, number)
    with reading(services.engine) as session:
        return log.seats(session, session.get_one(Game, number))[1 - seat.number][1]


def test_invitation_says_that_all_have_to_land(services: Services, ann: Player, ben: Player) -> None:
    receive(services, ann.email, "play@games.example.org", "challenge Ben nelaxtam time=2d")
    landing = "In the first turn all troops must land. Missing that deadline counts as being late 3 times."
    assert landing in mails(services, "invitation")[0].words
    receive(services, ann.email, "play@games.example.org", "challenge Ben nelaxtam misses=1")
    assert "must land" not in mails(services, "invitation")[1].words


def test_shared_deadline_is_named_once(services: Services, ann: Player, ben: Player) -> None:
    begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0)
    said = mails(services, "report")[0].words
    assert f"Write your orders. The game starts. Due {DUE} (in 3 days). Turn 1." in said


def test_missed_turns_are_reported_unless_the_game_is_over(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, time="1d", misses="2")
    for seat, text in enumerate(("1 d4", "A c4", "hold")):
        submit(services, number, seat % 2, text)
    _, absent = owing(services, number)
    tick(services, clock, days=1, hours=2)
    first = {mail.to: mail.words for mail in mails(services, "report")[-2:]}
    assert "You have missed 1 turn in a row; after 2 in a row, the game is lost." in first.pop(absent.email)
    assert f"{absent.name} (X) has missed 1 turn in a row" in first.popitem()[1]
    submit(services, number, 0, "hold")
    tick(services, clock, days=1, hours=2)
    assert "The game is over." in mails(services, "report")[-1].words
    assert "in a row" not in mails(services, "report")[-1].words


def test_story_names_no_landing_of_a_player_who_timed_out(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, time="1d")
    submit(services, number, 0, "1 d4")
    tick(services, clock, days=1, hours=2)
    over = mails(services, "report")[-1].words
    assert "ran out of time." in over
    assert "have landed" not in over


def test_timeout_is_reported_to_the_player(
    app: Flask, services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5, timeout="claim")
    waits, (_, late) = other(services, number), owing(services, number)
    tick(services, clock, days=4)
    told = {mail.to: mail.words for mail in mails(services, "overdue")}
    assert f"{late.name} (Black) has run out of time: claim the game, or wait. A late" in told[waits.email]
    assert "Your time is up: play now. Until you do, an opponent can claim the game." in told[late.email]
    address = f"/games/{number}"
    assert "Your time is up. An opponent may claim the game." in logged_in(app, services, late).text(address)
    assert f"{late.name} (Black) has run out of time." in logged_in(app, services, waits).text(address)
    reports = {mail.to: mail for mail in mails(services, "report")}
    (shown,) = receive(services, late.email, str(reports[late.email].mail["Reply-To"]), "show")
    assert "Your time is up, so an opponent can claim the game." in shown.words
    (shown,) = receive(services, waits.email, str(reports[waits.email].mail["Reply-To"]), "show")
    assert f"{late.name} (Black) has run out of time. You can claim the game or wait" in shown.words


@pytest.mark.slow
def test_rematch_has_the_same_time_control(services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    begin(services, "nelaxtam", ann, ben, size=10, time="daily 20:00 Europe/Berlin", delay="30m")
    tick(services, clock, days=3)
    over = next(
        mail
        for mail in mails(services, "report")
        if mail.to == "ann@example.org" and "The game is over" in mail.words
    )
    assert "For a rematch with sides swapped, write: rematch" in over.words
    receive(services, ann.email, str(over.mail["Reply-To"]), "rematch")
    assert (
        "Once all orders are in, they can still be changed for 30 minutes"
        in mails(services, "invitation")[-1].words
    )


def test_missing_winner_is_explained(services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    begin(services, "nebuchadnezzar", ann, ben, size=5, time="none")
    tick(services, clock, days=30)
    assert (
        "No winner: the game was abandoned, as no player continued it." in mails(services, "report")[-1].words
    )


def test_game_is_abandoned_whatever_the_deadlines_of_other_games(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    abandoned = begin(services, "nebuchadnezzar", ann, ben, size=5, time="none")
    other = begin(services, "nebuchadnezzar", ann, ben, size=5, time="60d")
    tick(services, clock, days=30)
    assert [load_game(services, number).state for number in (abandoned, other)] == ["over", "running"]


def test_last_of_three_wins_because_the_others_have_left(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    begin(services, "nexus", ann, ben, add_player(services, "cleo@example.org", "Cleo"), players=3)
    for _ in range(2):
        tick(services, clock, days=3, hours=1)
    assert "won: all others have left." in mails(services, "report")[-1].words


def test_credited_time_is_reported(
    app: Flask, services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    CLOCK.run(work_of(services, clock))
    clock.advance(hours=10)
    CLOCK.run(work_of(services, clock))
    told = (
        "Everyone: from Sun 1 March 2026, 12:00 UTC until Sun 1 March 2026, 22:00 UTC, "
        "because the server was down."
    )
    waits = other(services, number)
    page = logged_in(app, services, waits).text(f"/games/{number}")
    assert told in page
    assert "due Wed 4 March 2026, 22:00 UTC" in page
    report = next(mail for mail in mails(services, "report") if mail.to == waits.email)
    (history,) = receive(services, waits.email, str(report.mail["Reply-To"]), "history")
    assert told in history.words


def test_time_credited_for_undelivered_email_is_reported(
    app: Flask, services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5, time="1d", grace="0h")
    table = TwoPlayerGame.of(services, number)
    with writing(services.engine) as session:
        session.get_one(Player, table.players[0].id).suspended_at = clock()
    table.live(days=1, hours=1)
    page = logged_in(app, services, table.players[1]).text(f"/games/{number}")
    assert f"{table.players[0].name} (Black): from Sun 1 March 2026, 12:00 UTC until" in page
    assert "because email was not delivered." in page


def test_gift_is_confirmed_and_reported_without_another_reminder(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5, timeout="claim")
    waits, (seat, late) = other(services, number), owing(services, number)
    tick(services, clock, days=4)
    report = next(mail for mail in mails(services, "report") if mail.to == waits.email)
    before = len(mails(services, "reminder"))
    answers = {
        mail.letter: mail for mail in receive(services, waits.email, str(report.mail["Reply-To"]), "give 1d")
    }
    assert "You have given more time, and the others have been notified." in answers["show"].words
    assert answers["time_given"].to == late.email
    tick(services, clock, minutes=1)
    assert len(mails(services, "reminder")) == before
    with reading(services.engine) as session:
        assert session.get_one(Seat, (number, seat.number)).deadline_at == clock() + timedelta(
            days=1, minutes=-1
        )


@pytest.mark.parametrize("text", ["c3", "show"])
def test_reply_after_the_end_says_that_the_game_is_over(
    services: Services, clock: Clock, ann: Player, ben: Player, text: str
) -> None:
    begin(services, "nebuchadnezzar", ann, ben, size=5)
    tick(services, clock, days=4)
    over = mails(services, "report")[-1]
    (answer,) = receive(services, over.to, str(over.mail["Reply-To"]), text)
    assert "Nothing was played" not in answer.words
    assert "The game is over." in answer.words or "Game 1 is over." in answer.words


def test_help_omits_commands_that_dice_forbid(services: Services, ann: Player, ben: Player) -> None:
    begin(services, "nardshir", ann, ben)
    report = mails(services, "report")[0]
    (answer,) = receive(services, report.to, str(report.mail["Reply-To"]), "help")
    assert "if MOVE" not in answer.words
    assert "\n  takeback" not in answer.text.replace("\r", "")
    assert "withdraw" not in answer.words


def test_receipt_of_the_last_orders_says_when_they_are_opened(
    services: Services, ann: Player, ben: Player
) -> None:
    number = begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, delay="30m")
    submit(services, number, 0, "1 d4")
    assert "until all orders are in. Until then you can replace them" in mails(services, "receipt")[-1].words
    submit(services, number, 1, "A c4")
    opened = (
        "They will be opened on Sun 1 March 2026, 12:30 UTC (in 30 minutes). Until then you can replace them"
    )
    assert f"All orders are in. {opened}" in mails(services, "receipt")[-1].words
