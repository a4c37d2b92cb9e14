"""Emails about time: every letter of the clock is rendered in the receiver's time zone."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlmodel import col, select

from mail.incoming.receiving import Received
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Outbox, Player
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.server.emails import letters, receive
from tests.support.server.games import begin, owing, tick
from tests.support.server.services import Clock
from tests.support.web.client import Browser


def write_to(services: Services, sender: str, text: str) -> None:
    """Receive and handle an email to the plain address."""
    content = f"From: {sender}\r\nTo: play@games.example.org\r\nMessage-ID: <{hash(text)}@x>\r\n\r\n{text}\r\n"
    mail = Received("smtp", "", sender, ("play@games.example.org",), content.encode())
    services.reception().store([mail])
    assert services.pipeline().handle_next(services.now())


def last(services: Services, letter: str) -> str:
    """Return the text of the last letter of this name."""
    with reading(services.engine) as session:
        query = select(Outbox).where(Outbox.letter == letter).order_by(col(Outbox.id).desc()).limit(1)
        return services.delivery().writer.write(session, session.exec(query).one()).decode()


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("zone Asia/Tokyo", "Your time zone is Asia/Tokyo"),
        ("zone Atlantis", "is not a time zone"),
        ("remind hour", "an hour before the deadline"),
        ("vacation 5d", "You are on vacation from Sun 1 March 2026"),
        ("vacation soon", "“soon” is not a length of time; write vacation 5d"),
        ("vacation 900d", "“900d” is longer than a year; write vacation 5d"),
        ("zone", "The time zone is missing."),
        ("remind", "Say when you want to be reminded"),
        ("remind off", "You will not be reminded"),
        ("digest", "Say when you want your digest"),
        ("give 1d", "“give” is for a game, and you have none that goes on."),
        (
            "challenge Ben nibble weekend=off",
            "it has board, time, weekends, grace, timeout, private, anonymous, rated, games.",
        ),
        (
            "challenge Ben nelaxtam dely=1h",
            "grace, timeout, delay, misses, show-ready, private, anonymous, rated, games.",
        ),
        ("challenge Ben nibble weekends perhaps", "write weekends=on or weekends=off"),
        ("challenge Ben nibble perhaps", "Write options as name=value, without spaces"),
        ("auto vacation on", "an hour of your vacation will be used"),
        ("auto vacation perhaps", "Write: auto vacation on"),
    ],
)
def test_preferences_by_email_are_answered(
    services: Services, ann: Player, ben: Player, command: str, answer: str
) -> None:
    (mail,) = receive(services, ann.email, "play@games.example.org", command)
    assert answer in mail.words


def test_challenge_by_email_names_its_time_control(services: Services, ann: Player, ben: Player) -> None:
    write_to(services, ann.email, "challenge Ben nelaxtam time=mon,thu 18:00 Europe/Berlin weekends=off")
    for sort, player in (("invitation", ben), ("challenge_sent", ann)):
        told = next(letter for letter in letters(services) if letter.letter == sort)
        assert "Terms: Orders are due every Monday and Thursday at 18:00" in told.words
        (answer,) = receive(services, player.email, str(told.mail["Reply-To"]), "rules")
        assert "Mon 2 March 2026, 17:00 UTC" in answer.words


def test_possible_abort_of_a_game_without_deadlines_is_announced(
    services: Services, ann: Player, ben: Player
) -> None:
    write_to(services, ann.email, "challenge Ben nebuchadnezzar time=none")
    invitation = next(letter for letter in letters(services) if letter.letter == "invitation")
    assert "Terms: There is no deadline." in invitation.words
    (answer,) = receive(services, ben.email, str(invitation.mail["Reply-To"]), "rules")
    assert "without activity for 30 days is abandoned" in answer.words


def test_turn_and_reminder_contain_the_deadline(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    for player in (ann, ben):
        write_to(services, player.email, "zone Australia/Sydney")
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    due = "Wed 4 March 2026, 23:00 Australia/Sydney (UTC+11)"
    assert due in last(services, "report")
    assert "Each move may take up to 3 days." in last(services, "report")
    tick(services, clock, days=1, hours=12)
    reminder = last(services, "reminder")
    assert due in reminder
    assert "play+" in reminder
    assert f"Nebuchadnezzar {number}" in reminder


def test_deadline_without_a_known_zone_is_also_a_length(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    begin(services, "nebuchadnezzar", ann, ben, size=5)
    assert "Due Wed 4 March 2026, 12:00 UTC (in 3 days)." in last(services, "report")
    tick(services, clock, days=1, hours=12)
    assert "Due Wed 4 March 2026, 12:00 UTC (in 1 day and 12 hours)." in last(services, "reminder")
    for player in (ann, ben):
        write_to(services, player.email, "games")
        assert ("due Wed 4 March 2026, 12:00 UTC (in 1 day" in last(services, "games")) is (
            player.id == owing(services, 1)[1].id
        )
        write_to(services, player.email, "time zone is Lisbon")
    tick(services, clock, hours=12)
    assert "Due Wed 4 March 2026, 12:00 Europe/Lisbon (UTC+0)." in last(services, "reminder")


def test_deadline_after_a_daylight_saving_change_has_the_new_offset(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    for player in (ann, ben):
        write_to(services, player.email, "zone Berlin")
    clock.advance(days=27)
    begin(services, "nebuchadnezzar", ann, ben, size=5)
    written = last(services, "report")
    assert "Due Tue 31 March 2026, 14:00 Europe/Berlin (UTC+2)." in " ".join(written.split())


def test_opponents_are_notified_when_a_game_can_be_claimed(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    begin(services, "nebuchadnezzar", ann, ben, size=5, timeout="claim")
    tick(services, clock, days=4)
    assert "has run out of time: claim the game, or wait." in " ".join(last(services, "overdue").split())


def test_invalid_gift_is_refused(services: Services, ann: Player, ben: Player) -> None:
    begin(services, "nebuchadnezzar", ann, ben, size=5)
    waits = next(letter for letter in letters(services) if "You don't need to do anything" in letter.words)
    (answer,) = receive(services, waits.to, str(waits.mail["Reply-To"]), "give 3x")
    assert "write give 1d, or give 12h." in answer.words


def test_receiver_of_time_is_notified(services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    seat, _ = owing(services, number)
    with writing(services.engine) as session:
        giver = log.seats(session, session.get_one(Game, number))[1 - seat.number][1]
        moves.give_time(
            ActionContext(session, services.sealer, clock()), giver, Target(number, 1 - seat.number, 1), "2d"
        )
    assert "Fri 6 March 2026, 12:00 UTC" in last(services, "time_given")


def test_missed_turn_is_reported_to_both(services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    number = begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, time="1d")
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        people = [player for _, player in log.seats(session, game)]
        action = ActionContext(session, services.sealer, clock())
        for seat, text in enumerate(("1 d4", "A c4")):
            moves.submit(action, people[seat], Target(number, seat, 1), text)
        moves.submit(action, people[0], Target(number, 0, 2), "hold")
    tick(services, clock, days=1, hours=1)
    report = " ".join(last(services, "report").split())
    assert "no orders" in report
    assert "missed 1 turn in a row; after 3 in a row, the game is lost" in report


def test_paused_clock_is_reported_without_the_reason(services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    _, player = owing(services, number)
    write_to(services, player.email, "vacation 5d")
    told = last(services, "clock_stands")
    assert f"The clock is paused for {player.name} (" in told
    assert "Mon 9 March 2026, 12:00 UTC" in told
    assert "vacation" not in told
    with reading(services.engine) as session:
        query = select(Outbox.recipient).where(Outbox.letter == "clock_stands")
        assert session.exec(query).all() == [(ben if player.id == ann.id else ann).email]


@pytest.mark.parametrize("stands", [True, False])
def test_page_and_show_mention_a_paused_clock(
    app: Flask, services: Services, ann: Player, ben: Player, stands: bool
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    seat, player = owing(services, number)
    if stands:
        write_to(services, player.email, "vacation 5d")
    token = services.tokens.write(ReplyToken(number, 1 - seat.number, 1))
    receive(services, (ben if player.id == ann.id else ann).email, f"play+{token}@games.example.org", "show")
    assert ("clock paused" in Browser(app).text(f"/games/{number}")) is stands
    assert (f"The clock is paused for {player.name} (" in last(services, "show")) is stands


@pytest.mark.both
def test_running_clock_is_reported_to_opponents(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    _, player = owing(services, number)
    write_to(services, player.email, "vacation 5d")
    clock.advance(days=1)
    write_to(services, player.email, "vacation off")
    told = last(services, "clock_stands")
    assert "is running again" in told
    assert "The move is due Thu 5 March 2026, 12:00 UTC (in 3 days)." in told


def test_player_who_owes_nothing_pauses_no_clock(services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    _, owes = owing(services, number)
    write_to(services, (ben if owes.id == ann.id else ann).email, "vacation 5d")
    with reading(services.engine) as session:
        assert session.exec(select(Outbox).where(Outbox.letter == "clock_stands")).all() == []
