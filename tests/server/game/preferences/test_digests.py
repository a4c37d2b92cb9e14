"""Digests, and emails that cannot wait for them."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from server.accounts import players
from server.errors import BadRequest
from server.game.play import moves
from server.game.play.target import Target
from server.game.preferences import preferences
from server.jobs.table import CLOCK, DIGESTS
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Heartbeat, Outbox, Pause, Player, Seat
from server.store.tokens import ReplyToken
from tests.support.mail.email_form import check_form
from tests.support.server.digests import DigestReaders
from tests.support.server.emails import PLAY, receive, reply_address, reply_token
from tests.support.server.games import begin, offer_draw, tick
from tests.support.server.jobs import work_of
from tests.support.server.players import mail_every_turn
from tests.support.server.services import Clock


@pytest.fixture
def people(services: Services, clock: Clock) -> DigestReaders:
    return DigestReaders(services, clock, "daily 18:00")


def test_digest_reports_a_day_in_one_email(people: DigestReaders, clock: Clock) -> None:
    owed, waiting = people.begin("Ben"), people.begin("Ben")
    people.move(owed, "c3")
    people.say(owed, "Good luck!")
    assert people.sorts() == []
    tick(people.services, clock, hours=6)
    (digest,) = people.new()
    check_form(digest)
    assert digest.letter == "digest"
    assert digest.mail["Subject"] == "Your games: 1 to move"
    words = digest.words
    assert "One game is waiting for your move." in words
    assert words.index(f"Nebuchadnezzar {owed}:") < words.index(f"Nebuchadnezzar {waiting}:")
    assert words.count("The game starts.") == 2
    assert "Your move. The game starts. Ben played c3." in words
    assert "Ben (Black) says: | Good luck!" in words
    assert "Sun 8 March 2026, 12:00 UTC" in words
    assert digest.html.count("<h2") == 2


def test_each_game_of_a_digest_has_its_reply_address(people: DigestReaders, clock: Clock) -> None:
    mail_every_turn(people.services)
    games = [people.begin("Ben"), people.begin("Ben")]
    for number in games:
        people.move(number, "c3")
    tick(people.services, clock, hours=6)
    (digest,) = people.new()
    assert digest.mail["Reply-To"] == PLAY
    for number in games:
        token = people.services.tokens.write(reply_token(people.services, number, 1, 2))
        assert f"play+{token}@games.example.org" in digest.text
        assert f"mailto:play%2B{token}@games.example.org?subject=" in digest.html
        (answer,) = [
            each
            for each in receive(
                people.services, "ann@example.org", f"play+{token}@games.example.org", "a1\n\n> quoted"
            )
            if each.to == "ann@example.org"
        ]
        assert answer.letter == "report"
        assert "You played a1." in answer.words


def test_digest_of_many_games_is_split_into_several_emails(people: DigestReaders, clock: Clock) -> None:
    games = [people.begin("Ben") for _ in range(6)]
    people.move(games[-1], "c3")
    tick(people.services, clock, hours=6)
    first, second = people.new()
    assert first.html.count("<h2") == 5
    assert f"Nebuchadnezzar {games[-1]}:" in first.words, "the most urgent game comes first"
    assert second.html.count("<h2") == 1


def test_digest_about_one_game_can_be_answered(people: DigestReaders, clock: Clock) -> None:
    mail_every_turn(people.services)
    number = people.begin("Ben")
    people.move(number, "c3")
    tick(people.services, clock, hours=6)
    (digest,) = people.new()
    assert "Write your move on the first line of your reply" in digest.words
    receive(people.services, "ann@example.org", digest.mail["Reply-To"], "a1")
    assert people.sorts() == ["report"]


def test_digest_without_news_is_not_sent(people: DigestReaders, clock: Clock) -> None:
    tick(people.services, clock, days=3)
    assert people.sorts() == []
    number = people.begin("Ben")
    tick(people.services, clock, days=1)
    assert people.sorts() == ["digest"]
    tick(people.services, clock, days=1)
    assert people.sorts() == [], "there is nothing to report, and no move to make"
    people.move(number, "c3")
    tick(people.services, clock, days=1)
    assert people.sorts() == ["digest"]
    tick(people.services, clock, days=1)
    (again,) = people.new()
    assert "Your move." in again.words
    assert "Turn 2. You are" in again.words
    assert "Ben played" not in again.words, "yesterday's digest contained it"


def test_digest_reports_a_finished_game_with_its_seed(people: DigestReaders, clock: Clock) -> None:
    number = people.begin("Ben")
    with writing(people.services.engine) as session:
        moves.resign(people.action(session), session.get_one(Player, people.ben.id), Target(number, 0, 1))
    assert people.sorts() == []
    tick(people.services, clock, hours=6)
    (digest,) = people.new()
    assert "You won: Ben resigned. The game is over." in digest.words
    assert "Proof: seed " in digest.words
    assert "For a rematch with sides swapped, write: rematch" in digest.words


def test_move_due_soon_after_the_digest_is_reported_immediately(people: DigestReaders) -> None:
    number = people.begin("Ben", time="29h")
    assert people.sorts() == []
    people.say(number, "I am thinking.")
    people.move(number, "c3")
    (report,) = people.new()
    assert report.letter == "report"
    assert "The game starts" in report.words
    assert "I am thinking." in report.words
    assert "Your move." in report.words
    assert "Turn 2. You are" in report.words
    with reading(people.services.engine) as session:
        seat = session.get_one(Seat, (number, 1))
        assert (seat.owes, seat.deadline_at) == (True, people.clock() + timedelta(hours=29))
        assert (seat.unreported_turn, seat.deferred_since) == (None, None)
    people.begin("Ann", time="30h")
    assert people.sorts() == []


def test_answers_and_invitations_do_not_wait(people: DigestReaders) -> None:
    answer = receive(people.services, "ann@example.org", PLAY, "games")
    assert [each.letter for each in answer] == ["games"]
    receive(people.services, "ben@example.org", PLAY, "challenge Ann nebuchadnezzar size=5")
    (invitation,) = people.new()[-1:]
    assert invitation.letter == "invitation"
    receive(people.services, "ann@example.org", invitation.mail["Reply-To"], "accept")
    assert people.sorts() == ["report"]


def test_digest_contains_offers_and_possible_claims(people: DigestReaders, clock: Clock) -> None:
    number = people.begin("Ben", time="1d", timeout="claim")
    with writing(people.services.engine) as session:
        offer_draw(people.action(session), session.get_one(Player, people.ben.id), Target(number, 0, 1))
    tick(people.services, clock, hours=6)
    assert "Ben (Black) offers a draw. To accept, write “draw”" in people.new()[0].words
    tick(people.services, clock, hours=20)
    assert people.sorts() == []
    tick(people.services, clock, hours=4)
    assert "Ben (Black) has run out of time. You can claim the game" in people.new()[0].words


def test_digest_is_sent_once_a_day_even_after_an_outage(people: DigestReaders, clock: Clock) -> None:
    number = people.begin("Ann")
    tick(people.services, clock, hours=6)
    tick(people.services, clock, hours=0)
    assert people.sorts() == ["digest"]
    clock.advance(days=3)
    tick(people.services, clock, hours=0)
    assert people.sorts() == ["digest"]
    assert people.stored().digest_at == datetime(2026, 3, 5, 18, 0, tzinfo=UTC)
    assert number


def test_digest_is_sent_after_a_clock_far_ahead(people: DigestReaders, clock: Clock) -> None:
    tick(people.services, clock, hours=0)
    clock.advance(days=3000)
    tick(people.services, clock, hours=0)
    clock.advance(days=-3000)
    CLOCK.run(work_of(people.services, clock))
    assert people.stored().digest_at == datetime(2026, 3, 1, 18, 0, tzinfo=UTC)


def test_off_reports_deferred_turns_immediately(people: DigestReaders) -> None:
    mail_every_turn(people.services)
    number = people.begin("Ben")
    people.move(number, "c3")
    with writing(people.services.engine) as session:
        ann = session.get_one(Player, people.ann.id)
        assert "immediately" in preferences.set_digest(people.action(session), ann, "off")
    (digest,) = people.new()
    assert "Ben played c3." in digest.words
    people.move(number, "a1")
    people.move(number, "b2")
    assert people.sorts() == ["report", "report"]


def test_later_digest_does_not_use_up_thinking_time(people: DigestReaders) -> None:
    number = people.begin("Ann", time="3d")
    assert people.sorts() == []
    with writing(people.services.engine) as session:
        preferences.set_digest(people.action(session), session.get_one(Player, people.ann.id), "weekly sat")
    (digest,) = people.new()
    assert f"Nebuchadnezzar {number}" in digest.words


def test_new_time_zone_moves_the_digest(people: DigestReaders) -> None:
    with writing(people.services.engine) as session:
        preferences.set_zone(people.action(session), session.get_one(Player, people.ann.id), "America/New_York")
    assert people.stored().digest_at == datetime(2026, 3, 1, 23, 0, tzinfo=UTC)


def test_vacation_that_ends_early_delays_nothing_too_long(services: Services, clock: Clock) -> None:
    people = DigestReaders(services, clock, "weekly")
    with writing(services.engine) as session:
        ann = session.get_one(Player, people.ann.id)
        preferences.take_vacation(people.action(session), ann, "14d")
    tick(services, clock, days=1)
    people.begin("Ann", time="3d")
    assert people.sorts() == []
    with writing(services.engine) as session:
        preferences.take_vacation(people.action(session), session.get_one(Player, people.ann.id), "off")
    assert people.sorts() == ["digest"]


def test_half_time_reminder_is_left_to_the_digest(people: DigestReaders) -> None:
    number = people.begin("Ann")
    with reading(people.services.engine) as session:
        seat = session.get_one(Seat, (number, 0))
        assert seat.deadline_at is not None
        assert seat.remind_at == seat.deadline_at - timedelta(days=1)


def test_invalid_digest_choice_is_refused(people: DigestReaders) -> None:
    with (
        writing(people.services.engine) as session,
        pytest.raises(BadRequest, match="“hourly” is not a time for a digest"),
    ):
        preferences.set_digest(people.action(session), session.get_one(Player, people.ann.id), "hourly")
    (answer,) = receive(people.services, "ann@example.org", PLAY, "digest weekly fri 7:00")
    assert "one email every Friday at 07:00" in answer.words


def test_waiting_for_the_digest_gives_no_time(people: DigestReaders, clock: Clock) -> None:
    """Email that the player chose to get later does not count as undelivered."""
    number = people.begin("Ann", time="3d")
    tick(people.services, clock, days=3, hours=2)
    with reading(people.services.engine) as session:
        assert session.get_one(Game, number).result == {"winners": [1], "reason": "timeout"}
        assert session.exec(select(Pause)).all() == []


def test_undelivered_digest_gives_time(people: DigestReaders, clock: Clock) -> None:
    number = people.begin("Ann", time="3d")

    def pass_by(**step: float) -> None:
        clock.advance(**step)
        with writing(people.services.engine) as session:
            session.get_one(Heartbeat, 1).at = clock()
        CLOCK.run(work_of(people.services, clock))

    tick(people.services, clock, hours=0)
    for _ in range(14):
        pass_by(hours=6)
    with reading(people.services.engine) as session:
        assert session.get_one(Game, number).state == "running"
        assert [pause.why for pause in session.exec(select(Pause))] == ["mail"]


def test_several_workers_send_each_digest_once(people: DigestReaders, clock: Clock) -> None:
    services = people.services
    with writing(services.engine) as session:
        action = people.action(session)
        for number in range(12):
            preferences.set_digest(
                action, players.register(action, f"p{number}@example.org", f"P{number}"), "daily"
            )
    with reading(services.engine) as session:
        everybody = [player for player in session.exec(select(Player)) if player.id != people.ben.id]
    for player in everybody:
        begin(services, "nebuchadnezzar", player, people.ben, size=5, time="7d")
    clock.advance(hours=6)

    def work() -> None:
        while DIGESTS.run_next(services.engine, services.sealer, clock()):
            pass

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    with reading(services.engine) as session:
        mailed = Counter(session.exec(select(Outbox.recipient).where(Outbox.letter == "digest")))
    assert mailed == {player.email: 1 for player in everybody}


def test_end_of_muting_sends_one_report(services: Services, clock: Clock) -> None:
    people = DigestReaders(services, clock, "off")
    number = people.begin("Ben")
    people.new()
    token = ReplyToken(number, 1, 1)
    address = f"play+{services.tokens.write(token)}@games.example.org"
    (answer,) = receive(services, "ann@example.org", address, "mute 2d")
    assert f"no email about game {number} until Tue 3 March 2026, 12:00 UTC" in answer.words
    people.new()
    people.move(number, "c3")
    people.move(number, "a1")
    people.say(number, "Are you there?")
    people.move(number, "e5")
    assert people.sorts() == []
    tick(services, clock, days=2)
    (report,) = people.new()
    assert report.letter == "report"
    assert "Ben played c3. You played a1. Ben played e5." in report.words
    assert "Ben (Black) says: | Are you there?" in report.words
    assert "Your move." in report.words
    assert "Turn 4. You are" in report.words
    people.move(number, "a2")
    people.move(number, "b4")
    assert people.sorts() == ["report"]


def test_end_of_muting_without_news_sends_nothing(services: Services, clock: Clock) -> None:
    people = DigestReaders(services, clock, "off")
    number = people.begin("Ben")
    people.new()
    mute(people, number, "2d")
    tick(services, clock, days=3)
    assert people.sorts() == []


def test_end_of_a_muted_game_is_reported_with_all_events(services: Services, clock: Clock) -> None:
    people = DigestReaders(services, clock, "off")
    number = people.begin("Ben")
    people.new()
    mute(people, number, "20d")
    people.move(number, "c3")
    with writing(services.engine) as session:
        moves.resign(people.action(session), session.get_one(Player, people.ben.id), Target(number, 0, 2))
    (report,) = people.new()
    assert "The game is over." in report.words
    assert "Ben played c3." in report.words


def test_moves_by_email_in_a_muted_game_are_answered(services: Services, clock: Clock) -> None:
    people = DigestReaders(services, clock, "off")
    mail_every_turn(services)
    number = people.begin("Ann")
    people.new()
    mute(people, number, "20d")
    address = reply_address(services, number, 0, 1)
    receive(services, "ann@example.org", address, "c3")
    assert people.sorts() == ["report"]


def test_end_of_muting_is_left_to_the_digest(people: DigestReaders, clock: Clock) -> None:
    number = people.begin("Ben")
    people.new()
    mute(people, number, "2d")
    people.move(number, "c3")
    tick(people.services, clock, hours=30)
    assert people.sorts() == [], "a muted game is in no digest"
    tick(people.services, clock, hours=18)
    assert people.sorts() == []
    tick(people.services, clock, hours=6)
    (digest,) = people.new()
    assert "Ben played c3." in digest.words


def mute(people: DigestReaders, number: int, text: str) -> None:
    """Mute a game as Ann."""
    with writing(people.services.engine) as session:
        game, ann = session.get_one(Game, number), session.get_one(Player, people.ann.id)
        seat = session.get_one(Seat, (number, people.seat(number, ann)))
        preferences.mute(people.action(session), game, seat, ann, text)


@pytest.mark.parametrize(
    ("played", "told"),
    [
        ("c3", "Played for you from your conditional moves: turn 2."),
        ("b2", "These conditional moves no longer fit the game and have been deleted: | if c3 then a1"),
    ],
)
def test_effects_of_conditional_moves_are_reported_later(
    people: DigestReaders, clock: Clock, played: str, told: str
) -> None:
    number = people.begin("Ben")
    address = reply_address(people.services, number, 1, 1)
    receive(people.services, "ann@example.org", address, "if c3 then a1")
    people.new()
    people.move(number, played)
    assert people.sorts() == []
    with reading(people.services.engine) as session:
        sealed = session.get_one(Seat, (number, 1)).sealed_aside
    assert sealed is not None
    assert b"dropped" not in sealed
    tick(people.services, clock, hours=6)
    (digest,) = people.new()
    assert told in digest.words
