"""Players on a game's page see its events there: emails wait, and are dropped when the player answers."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask
from sqlmodel import col, select

from server.accounts import computer_players
from server.game.lobby import challenges
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.jobs.table import CLOCK, DEFERRED_REPORTS, UNMUTING
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.deferral import AT_PAGE
from server.store.models import Game, Outbox, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.computer_players import move_next, seat_of
from tests.support.server.emails import Written, letters, receive
from tests.support.server.games import act, begin
from tests.support.server.jobs import work_of
from tests.support.server.players import mail_every_turn
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in
from tests.support.web.games import Match

SOON = AT_PAGE - timedelta(minutes=1)


class AtTable:
    """Ann and Ben at their browsers, by seat."""

    def __init__(self, game: Match, clock: Clock) -> None:
        self.game, self.clock, self.seen = game, clock, 0
        self.new()

    def play(self, seat: int, move: str) -> None:
        sent = self.game.browsers[seat].send(f"{self.game.address}/move", turn=self.game.game().turn, text=move)
        assert sent.status_code == 303

    def pass_time(self, span: timedelta) -> list[list[Written]]:
        """Let some time pass and run the worker; return the emails that it sends, by seat."""
        self.clock.time += span
        while DEFERRED_REPORTS.run_next(self.game.services.engine, self.game.services.sealer, self.clock()):
            pass
        return self.new()

    def new(self) -> list[list[Written]]:
        services = self.game.services
        found = letters(services, self.seen)
        self.seen += len(found)
        with reading(services.engine) as session:
            seated = log.seats(session, session.get_one(Game, self.game.number))
            return [[each for each in found if each.to == player.email] for _, player in seated]


@pytest.fixture
def table(open_game: Match, clock: Clock) -> AtTable:
    return AtTable(open_game, clock)


def test_two_players_at_the_page_get_no_emails(table: AtTable) -> None:
    table.play(0, "c3")
    assert [len(mine) for mine in table.new()] == [0, 1], "Ben has done nothing there yet"
    for seat, move in [(1, "a1"), (0, "e5"), (1, "b2"), (0, "a5")]:
        table.play(seat, move)
        assert table.pass_time(timedelta(minutes=5)) == [[], []]


def test_unanswered_turn_is_emailed_later_with_the_state_of_then(table: AtTable) -> None:
    table.play(0, "c3")
    table.play(1, "a1")
    table.new()
    table.game.browsers[1].send(f"{table.game.address}/say", text="Are you there?")
    assert table.pass_time(SOON) == [[], []]
    (mine,), others = table.pass_time(timedelta(minutes=1))
    assert others == []
    assert mine.letter == "report"
    assert "Your move." in mine.words
    assert "Turn 3. You are" in mine.words
    assert "played a1." in mine.words
    assert "You played" not in mine.words
    assert "Are you there?" in mine.words
    assert table.pass_time(AT_PAGE) == [[], []], "once"


def test_worker_finds_deferred_reports_by_their_time(table: AtTable) -> None:
    table.play(0, "c3")
    table.play(1, "a1")
    table.new()
    services = table.game.services
    table.clock.time += AT_PAGE
    CLOCK.run(work_of(services, table.clock))
    assert [[each.letter for each in mine] for mine in table.new()] == [["report"], []]


def test_answered_turn_is_not_reported_later(table: AtTable) -> None:
    for seat, move in [(0, "c3"), (1, "a1"), (0, "e5")]:
        table.play(seat, move)
    table.new()
    assert [len(mine) for mine in table.pass_time(AT_PAGE)] == [0, 1]
    table.clock.advance(hours=1)
    table.play(1, "b2")
    (mine,), _ = table.new()
    assert "played b2." in mine.words
    assert "a1" not in mine.text.partition("Turn 5.")[0]


def test_open_page_alone_is_no_presence(table: AtTable) -> None:
    table.play(0, "c3")
    table.clock.time += AT_PAGE
    for _ in range(3):
        assert table.game.browsers[0].get(table.game.address).status_code == 200
        table.game.browsers[0].send(f"{table.game.address}/try", turn=2, text="a1")
    table.play(1, "a1")
    assert [len(mine) for mine in table.new()] == [1, 1]


def test_refused_move_is_no_presence(table: AtTable) -> None:
    refused = table.game.browsers[1].send(f"{table.game.address}/move", turn=1, text="c3")
    assert refused.status_code == 422
    table.play(0, "c3")
    assert [len(mine) for mine in table.new()] == [0, 1]


def test_message_is_presence_but_answers_no_turn(table: AtTable) -> None:
    table.game.browsers[0].send(f"{table.game.address}/say", text="Hello!")
    table.new()
    table.play(0, "c3")
    table.play(1, "a1")
    table.game.browsers[0].send(f"{table.game.address}/say", text="Hm, let me think.")
    assert table.pass_time(SOON)[0] == []
    assert [each.letter for each in table.pass_time(timedelta(minutes=1))[0]] == ["report"]


def test_email_with_another_command_does_not_cancel_the_deferred_report(table: AtTable) -> None:
    table.play(0, "c3")
    table.play(1, "a1")
    table.new()
    with reading(table.game.services.engine) as session:
        _, player = log.seats(session, session.get_one(Game, table.game.number))[0]
    receive(table.game.services, player.email, "play@games.example.org", "games")
    assert [each.letter for each in table.new()[0]] == ["games"]
    assert len(table.pass_time(AT_PAGE)[0]) == 1


def test_end_of_a_game_is_emailed_immediately(table: AtTable) -> None:
    table.play(0, "c3")
    table.play(1, "a1")
    table.new()
    table.game.browsers[1].send(f"{table.game.address}/resign", turn=3)
    assert [[each.letter for each in mine] for mine in table.new()] == [["report"], ["report"]]
    assert table.pass_time(AT_PAGE) == [[], []]


def test_nothing_is_deferred_with_little_time_left(
    app: Flask, services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    """Otherwise the email would arrive after the deadline."""
    number = begin(services, "nebuchadnezzar", ann, ben, size=5, time="1h+0h")
    with reading(services.engine) as session:
        seated = [player for _, player in log.seats(session, session.get_one(Game, number))]
    first, second = (logged_in(app, services, player) for player in seated)
    clock.advance(minutes=50)
    first.send(f"/games/{number}/move", turn=1, text="c3")
    before = len(letters(services))
    second.send(f"/games/{number}/move", turn=2, text="a1")
    assert [(each.letter, each.to) for each in letters(services, before)] == [("report", seated[0].email)]


def test_deferred_report_waits_for_the_end_of_muting(table: AtTable) -> None:
    table.play(0, "c3")
    table.play(1, "a1")
    table.game.browsers[0].send(f"{table.game.address}/mute", time="1d")
    table.new()
    assert table.pass_time(AT_PAGE)[0] == []
    table.clock.advance(days=1)
    assert UNMUTING.run_next(table.game.services.engine, table.game.services.sealer, table.clock())
    assert [each.letter for each in table.new()[0]] == ["report"]


def test_every_turn_is_emailed_immediately_if_preferred(table: AtTable) -> None:
    mail_every_turn(table.game.services)
    table.play(0, "c3")
    table.play(1, "a1")
    assert [[each.letter for each in mine] for mine in table.new()] == [["report"] * 2] * 2


def test_clock_put_back_does_not_prolong_a_deferral(table: AtTable) -> None:
    services = table.game.services
    CLOCK.run(work_of(services, table.clock))
    table.play(0, "c3")
    table.play(1, "a1")
    table.new()
    table.clock.advance(hours=-3)
    CLOCK.run(work_of(services, table.clock))
    assert [each.letter for each in table.new()[0]] == ["report"]


def test_receipt_is_emailed_against_people(secret_game: Match, clock: Clock) -> None:
    """It proves the orders."""
    table = AtTable(secret_game, clock)
    game = secret_game.game()
    table.play(0, log.rules_of(game).examples(log.position_of(game), 0)[0])
    (mine,), others = table.new()
    assert (mine.letter, others) == ("receipt", [])
    table.game.browsers[0].send(f"{table.game.address}/withdraw", turn=1)
    assert table.new() == [[], []], "the page says so"


@pytest.mark.long
@pytest.mark.slow  # a whole game
def test_no_emails_at_the_page_against_the_computer(
    app: Flask, services: Services, clock: Clock, ann: Player
) -> None:
    """Without this, a game of Nardshir sends about 200 emails."""
    browser = challenging(app, services, ann, "nardshir")
    below = random.Random(1).randrange
    while stored(services).state == "running":
        clock.advance(minutes=1)
        play_at_random(services, browser, below)
    assert stored(services).turn > 100
    clock.advance(hours=1)
    assert not DEFERRED_REPORTS.run_next(services.engine, services.sealer, services.now())
    assert mailed(services) == []


def test_no_receipt_of_orders_at_the_page_against_the_computer(
    app: Flask, services: Services, ann: Player
) -> None:
    """The computer player gives its orders a moment later."""
    browser = challenging(app, services, ann, "nelaxtam")
    for _ in range(3):
        play_at_random(services, browser, random.Random(1).randrange)
    assert mailed(services) == []


def test_no_email_about_a_rematch_at_the_page_against_the_computer(
    app: Flask, services: Services, clock: Clock, ann: Player
) -> None:
    """The computer player may have the first move."""
    browser = challenging(app, services, ann, "nibble")
    game = stored(services)
    browser.send(f"/games/{game.id}/resign", turn=game.turn)
    clock.advance(hours=1)
    assert browser.send(f"/games/{game.id}/rematch").status_code == 303
    while move_next(services):
        pass
    assert mailed(services) == []


def test_end_is_emailed_to_the_page_if_one_of_several_opponents_is_a_person(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    """Its email proves the result to a person."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        one, other = (session.get_one(Player, each.id) for each in (ann, ben))
        others = [other, computer_players.member(action, 1)]
        number = log.id_of(challenges.challenge(action, one, others, "nexus", {"players": 3}))
        challenges.accept(action, other, number)
    seen = len(letters(services))
    logged_in(app, services, ann).send(f"/games/{number}/resign", turn=stored(services).turn)
    act(services, number, seat_of(services, number, ben), moves.resign)
    assert stored(services).state == "over"
    assert "report" in [each.letter for each in letters(services, seen) if each.to == ann.email]


@pytest.mark.both
def test_player_who_leaves_the_page_gets_emails_from_the_start_on(
    app: Flask, services: Services, clock: Clock, ann: Player
) -> None:
    challenging(app, services, ann, "nibble")
    while move_next(services):
        pass
    assert mailed(services) == []
    clock.advance(minutes=16)
    while DEFERRED_REPORTS.run_next(services.engine, services.sealer, clock()):
        pass
    (report,) = [each for each in letters(services) if each.letter == "report"]
    assert "The game starts." in report.words
    assert "Turn 1" in report.words or "Turn 2" in report.words
    assert f"hash of the seed {stored(services).seed_hash}" in report.words
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        game = session.exec(select(Game)).one()
        seat = next(seat.number for seat, player in log.seats(session, game) if not player.computer)
        moves.resign(action, session.get_one(Player, ann.id), Target(log.id_of(game), seat, game.turn))
    assert mailed(services) == ["report"] * 2, "they are no longer there when the game ends"


def challenging(app: Flask, services: Services, player: Player, game_type: str) -> Browser:
    """Return the browser of a player who has challenged a computer player."""
    browser = logged_in(app, services, player)
    assert browser.send(f"/games/new/{game_type}", whom="computer").status_code == 303
    return browser


def mailed(services: Services) -> list[str]:
    """Return the letters about the game."""
    with reading(services.engine) as session:
        return list(session.exec(select(Outbox.letter).where(col(Outbox.game_id).is_not(None))))


def stored(services: Services) -> Game:
    with reading(services.engine) as session:
        return session.exec(select(Game)).one()


def play_at_random(services: Services, browser: Browser, below: Callable[[int], int]) -> None:
    """Play a turn: a person on the page, a computer player by its job."""
    game = stored(services)
    rules, position = log.rules_of(game), log.position_of(game)
    while DEFERRED_REPORTS.run_next(services.engine, services.sealer, services.now()):
        pass
    for seat in rules.to_move(position):
        move = rules.format(rules.sample(position, seat, below))
        with writing(services.engine) as session:
            _, player = log.seats(session, game)[seat]
            target = Target(log.id_of(game), seat, game.turn)
            if player.computer:
                moves.submit(ActionContext(session, services.sealer, services.now()), player, target, move)
        if not player.computer:
            sent = browser.send(f"/games/{game.id}/move", turn=game.turn, text=move)
            assert sent.status_code == 303


def test_players_are_not_present_before_they_act_on_the_page(table: AtTable) -> None:
    with writing(table.game.services.engine) as session:
        assert [seat.page_at for seat in session.exec(select(Seat))] == [None, None]


def test_takeback_agreed_on_the_page_is_emailed_to_the_other(table: AtTable) -> None:
    table.play(0, "c3")
    table.new()
    for seat in (0, 1):
        table.game.browsers[seat].send(f"{table.game.address}/takeback", turn=2)
    mine, others = table.new()
    assert [each.letter for each in mine] == ["report"]
    assert [each.letter for each in others] == ["proposed"]


def test_conditional_moves_deleted_by_a_takeback_are_reported_later(table: AtTable) -> None:
    table.play(0, "c3")
    table.play(1, "a1")
    table.game.browsers[1].send(f"{table.game.address}/conditions", turn=3, text="if e5 then b2")
    for seat in (0, 1):
        table.game.browsers[seat].send(f"{table.game.address}/takeback", turn=3)
    table.clock.advance(hours=1)
    table.new()
    table.play(0, "c3")
    _, (mine,) = table.new()
    assert "have been deleted: | if e5 then b2" in mine.words
    assert "Your move." in mine.words
    assert "Turn 5. You are" in mine.words
