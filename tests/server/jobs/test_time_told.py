"""What players are told, by mail and on the web, while time passes: gifts, misses, claims, time given back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask

from server.game import log
from server.jobs import timekeeping
from server.processes.services import Office
from server.store.db import reading
from server.store.models import Game, Player, Seat
from tests.offices import Clock
from tests.server.browsers import add_player, begin, logged_in, submit
from tests.server.outbound.test_time_letters import owing, tick
from tests.server.written import Written, letters, receive

DUE = "Wed 4 March 2026, 12:00 UTC"


def mails(office: Office, letter: str) -> list[Written]:
    return [each for each in letters(office) if each.letter == letter]


def other(office: Office, number: int) -> Player:
    """Who does not owe the move."""
    seat, _ = owing(office, number)
    with reading(office.engine) as session:
        return log.seats(session, session.get_one(Game, number))[1 - seat.number][1]


def test_that_all_have_to_land_is_told_before(office: Office, ann: Player, ben: Player) -> None:
    receive(office, ann.email, "play@games.example.org", "challenge Ben nelaxtam time=2d")
    landing = "In the first turn everybody has to land. Being too late for that counts like being so 3 times."
    assert landing in mails(office, "invitation")[0].words
    receive(office, ann.email, "play@games.example.org", "challenge Ben nelaxtam misses=1")
    assert "has to land" not in mails(office, "invitation")[1].words


def test_a_moment_at_which_all_are_due_is_told_once(office: Office, ann: Player, ben: Player) -> None:
    begin(office, "nelaxtam", ann, ben, size=10, troops=1, sea=0)
    assert f"Due {DUE}. The game begins" in mails(office, "report")[0].words


def test_misses_are_told_to_who_missed_and_not_when_the_game_is_over(
    office: Office, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(office, "nelaxtam", ann, ben, size=10, troops=1, sea=0, time="1d", misses="2")
    for seat, text in enumerate(("1 d4", "A c4", "hold")):
        submit(office, number, seat % 2, text)
    _, absent = owing(office, number)
    tick(office, clock, days=1, hours=2)
    first = {mail.to: mail.words for mail in mails(office, "report")[-2:]}
    assert "You have missed 1 turn in a row; with 2 in a row the game is lost." in first.pop(absent.email)
    assert f"{absent.name} (X) has missed 1 turn in a row" in first.popitem()[1]
    submit(office, number, 0, "hold")
    tick(office, clock, days=1, hours=2)
    assert "The game is over." in mails(office, "report")[-1].words
    assert "in a row" not in mails(office, "report")[-1].words


def test_nobody_is_said_to_have_landed_who_ran_out_of_time(
    office: Office, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(office, "nelaxtam", ann, ben, size=10, troops=1, sea=0, time="1d")
    submit(office, number, 0, "1 d4")
    tick(office, clock, days=1, hours=2)
    over = mails(office, "report")[-1].words
    assert "ran out of time." in over
    assert "have landed" not in over


def test_whose_time_is_up_is_told_too(
    app: Flask, office: Office, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(office, "nebuchadnezzar", ann, ben, size=5, timeout="claim")
    waits, (_, late) = other(office, number), owing(office, number)
    tick(office, clock, days=4)
    told = {mail.to: mail.words for mail in mails(office, "overdue")}
    assert f"The time of {late.name} (Black) is up. You may claim the game, or wait" in told[waits.email]
    assert "Your time is up. An opponent may claim the game. Until somebody does" in told[late.email]
    address = f"/games/{number}"
    assert "Your time is up. An opponent may claim the game." in logged_in(app, office, late).text(address)
    assert f"The time of {late.name} (Black) is up." in logged_in(app, office, waits).text(address)
    reports = {mail.to: mail for mail in mails(office, "report")}
    (shown,) = receive(office, late.email, str(reports[late.email].mail["Reply-To"]), "show")
    assert "Your time is up: an opponent may claim the game." in shown.words
    (shown,) = receive(office, waits.email, str(reports[waits.email].mail["Reply-To"]), "show")
    assert f"The time of {late.name} (Black) is up. You may claim the game, or wait" in shown.words


def test_a_rematch_is_played_in_the_same_time(office: Office, clock: Clock, ann: Player, ben: Player) -> None:
    begin(office, "nelaxtam", ann, ben, size=10, time="daily 20:00 Europe/Berlin", delay="30m")
    tick(office, clock, days=3)
    over = next(
        mail
        for mail in mails(office, "report")
        if mail.to == "ann@example.org" and "The game is over" in mail.words
    )
    rematch = over.words.partition("write to play@games.example.org: ")[2].partition(" All that was")[0]
    assert rematch == (
        "challenge Ben nelaxtam size=10 troops=5 sea=3 mode=wild time=daily 20:00 Europe/Berlin delay=30m"
    )
    receive(office, ann.email, "play@games.example.org", rematch)
    assert (
        "Once all orders are in, they can still be changed for 30 minutes"
        in mails(office, "invitation")[-1].words
    )


def test_why_nobody_wins_is_told(office: Office, clock: Clock, ann: Player, ben: Player) -> None:
    begin(office, "nebuchadnezzar", ann, ben, size=5, time="none")
    tick(office, clock, days=30)
    assert "Nobody wins: the game was broken off, as nobody played on." in mails(office, "report")[-1].words


def test_the_last_of_three_wins_as_all_others_have_left(
    office: Office, clock: Clock, ann: Player, ben: Player
) -> None:
    begin(office, "nexus", ann, ben, add_player(office, "cleo@example.org", "Cleo"), players=3)
    for _ in range(2):
        tick(office, clock, days=3, hours=1)
    assert "wins: all others have left." in mails(office, "report")[-1].words


def test_time_that_is_given_back_is_told(
    app: Flask, office: Office, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(office, "nebuchadnezzar", ann, ben, size=5)
    timekeeping.tick(office.engine, office.vault, clock)
    clock.advance(hours=10)
    timekeeping.tick(office.engine, office.vault, clock)
    told = "All: from Sun 1 March 2026, 12:00 UTC until Sun 1 March 2026, 22:00 UTC, as the server was down."
    waits = other(office, number)
    page = logged_in(app, office, waits).text(f"/games/{number}")
    assert told in page
    assert "Since Sun 1 March 2026, 12:00 UTC" in page
    report = next(mail for mail in mails(office, "report") if mail.to == waits.email)
    (history,) = receive(office, waits.email, str(report.mail["Reply-To"]), "history")
    assert told in history.words


def test_a_gift_is_confirmed_and_told_in_one_mail(
    office: Office, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(office, "nebuchadnezzar", ann, ben, size=5, timeout="claim")
    waits, (seat, late) = other(office, number), owing(office, number)
    tick(office, clock, days=4)
    report = next(mail for mail in mails(office, "report") if mail.to == waits.email)
    before = len(mails(office, "reminder"))
    answers = {
        mail.letter: mail for mail in receive(office, waits.email, str(report.mail["Reply-To"]), "give 1d")
    }
    assert "You have given time, and the others are told." in answers["show"].words
    assert answers["time_given"].to == late.email
    tick(office, clock, minutes=1)
    assert len(mails(office, "reminder")) == before
    with reading(office.engine) as session:
        assert session.get_one(Seat, (number, seat.number)).deadline_at == clock() + timedelta(
            days=1, minutes=-1
        )


@pytest.mark.parametrize("text", ["c3", "show"])
def test_that_a_game_is_over_is_said_once(
    office: Office, clock: Clock, ann: Player, ben: Player, text: str
) -> None:
    begin(office, "nebuchadnezzar", ann, ben, size=5)
    tick(office, clock, days=4)
    over = mails(office, "report")[-1]
    (answer,) = receive(office, over.to, str(over.mail["Reply-To"]), text)
    assert "Nothing was changed" not in answer.words
    assert "The game is over." in answer.words


def test_help_names_nothing_that_dice_forbid(office: Office, ann: Player, ben: Player) -> None:
    begin(office, "nardshir", ann, ben)
    report = mails(office, "report")[0]
    (answer,) = receive(office, report.to, str(report.mail["Reply-To"]), "help")
    assert "if MOVE" not in answer.words
    assert "undo" not in answer.words
    assert "withdraw" not in answer.words


def test_who_gives_the_last_orders_is_told_when_they_are_opened(
    office: Office, ann: Player, ben: Player
) -> None:
    number = begin(office, "nelaxtam", ann, ben, size=10, troops=1, sea=0, delay="30m")
    submit(office, number, 0, "1 d4")
    assert "before all orders are in. Until then you can replace them" in mails(office, "receipt")[-1].words
    submit(office, number, 1, "A c4")
    opened = (
        "All orders are in. They are opened on Sun 1 March 2026, 12:30 UTC. Until then you can replace them"
    )
    assert opened in mails(office, "receipt")[-1].words
