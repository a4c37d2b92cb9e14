"""Time in games: deadlines, time-outs, misses, claims, outages, vacations, reminders."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from server.clock.pauses import PausedTime, Why
from server.errors import BadRequest
from server.game.clock import deadlines, stored_pauses
from server.game.lobby import challenges
from server.game.log import log
from server.game.messages import messages
from server.game.play import endings, moves
from server.game.play.target import Target
from server.jobs import downtime
from server.jobs.table import CLOCK, TIMEOUTS
from server.processes.services import Services
from server.store import models
from server.store.db import reading, writing
from server.store.models import Game, Outbox, Pause, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.emails import letters
from tests.support.server.games import TwoPlayerGame, begin
from tests.support.server.jobs import work_of
from tests.support.server.services import Clock


@pytest.fixture
def island(services: Services, clock: Clock) -> TwoPlayerGame:
    """Return a game with secret orders after its first turn, in which all players have to land."""
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0, time="2d")
    table.submit(0, "1 d4")
    table.submit(1, "A c4")
    return table


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_deadline_is_the_time_for_a_move_after_its_start(table: TwoPlayerGame) -> None:
    assert table.seat(0).deadline_at == at("2026-03-04 12:00")
    assert table.seat(0).grace_until == at("2026-03-04 13:00")
    assert table.seat(1).deadline_at is None
    table.clock.advance(hours=5)
    table.submit(0, "c3")
    assert table.seat(0).grace_until is None
    assert table.seat(1).deadline_at == at("2026-03-04 17:00")


def test_player_who_is_silent_until_the_end_of_grace_loses(
    table: TwoPlayerGame, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    table.tick()
    table.live(days=3, hours=1, seconds=-1)
    assert table.game().state == "running"
    table.live(seconds=1)
    game = table.game()
    assert (game.state, game.result) == ("over", {"winners": [1], "reason": "timeout"})
    table.live(days=40)
    assert len(table.entries("end")) == 1
    assert [record.getMessage() for record in caplog.records].count("deadline") == 1


def test_bank_is_charged_until_the_arrival_of_the_email(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="5d+1d/9d")
    clock.advance(days=2)
    table.submit(0, "c3", received=clock() - timedelta(days=1))
    assert table.seat(0).bank == timedelta(days=5).total_seconds()
    assert table.seat(1).bank == timedelta(days=5).total_seconds()


def test_turn_resolves_without_missing_orders_after_the_timeout(island: TwoPlayerGame) -> None:
    island.submit(0, "1 n")
    island.live(days=2, hours=1)
    game = island.game()
    assert (game.state, game.turn) == ("running", 3)
    assert [island.seat(0).misses, island.seat(1).misses] == [0, 1]
    assert island.seat(1).deadline_at == island.clock() + timedelta(days=2)


def test_third_missed_turn_in_a_row_loses(island: TwoPlayerGame) -> None:
    for _ in range(2):
        island.submit(0, "hold")
        island.live(days=2, hours=1)
    assert island.game().state == "running"
    island.live(days=2, hours=1)
    assert island.game().state == "over"
    assert island.game().result == {"winners": [0], "reason": "timeout"}


def test_game_has_no_winner_if_all_players_miss_a_third_turn(island: TwoPlayerGame) -> None:
    for _ in range(3):
        assert island.game().state == "running"
        island.live(days=2, hours=1)
    assert island.game().result == {"winners": [], "reason": "aborted"}


def test_orders_end_a_series_of_missed_turns(island: TwoPlayerGame) -> None:
    for _ in range(2):
        island.submit(0, "hold")
        island.live(days=2, hours=1)
    island.submit(0, "hold")
    island.submit(1, "hold")
    assert island.seat(1).misses == 0


def test_timeout_is_immediate_if_no_orders_may_be_missing(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0, time="2d")
    table.submit(0, "1 d4")
    table.live(days=2, hours=1)
    assert table.game().result == {"winners": [0], "reason": "timeout"}


def test_game_is_claimed_by_an_opponent(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="2d", timeout="claim")
    ben = table.players[1]
    with pytest.raises(BadRequest, match="no other player has run out"), writing(services.engine) as session:
        moves.claim(table.action(session), ben, table.target(1))
    table.live(days=2, hours=1)
    table.live(days=1)
    assert sorted(table.recipients("overdue")) == sorted(player.email for player in table.players)
    with writing(services.engine) as session:
        moves.claim(table.action(session), ben, table.target(1))
    assert table.game().result == {"winners": [1], "reason": "timeout"}


def test_recomputed_deadline_leaves_a_late_player_late(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="2d", timeout="claim")
    table.live(days=3)
    with writing(services.engine) as session:
        seat, player = log.seats(session, session.get_one(Game, table.number))[0]
        deadlines.recompute_deadline(session, session.get_one(Game, table.number), seat, player, services.now())
    assert table.seat(0).overdue
    table.live(days=1)
    assert len(table.recipients("overdue")) == 2, "each player got one email about it"


def test_late_move_is_accepted_until_the_game_is_claimed(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="2d", timeout="claim")
    table.live(days=5)
    table.submit(0, "c3")
    assert not table.seat(0).overdue
    assert table.seat(1).deadline_at == clock() + timedelta(days=2)


@pytest.mark.parametrize("database", ["postgresql"])
def test_changes_before_the_lock_are_seen(table: TwoPlayerGame) -> None:
    """A session that loaded the seat earlier must not use its old state. SQLite allows one writer at a time."""
    with writing(table.services.engine) as session:
        known = session.get_one(Seat, (table.number, 0))
        assert not known.overdue
        with writing(table.services.engine) as other:
            other.get_one(Seat, (table.number, 0)).overdue = True
        moves.submit(table.action(session), session.get_one(Player, table.players[0].id), table.target(0), "c3")
    assert not table.seat(0).overdue


def test_outage_costs_players_nothing(table: TwoPlayerGame) -> None:
    table.tick()
    before = table.seat(0).deadline_at
    table.clock.advance(days=10)
    table.tick()
    assert table.game().state == "running"
    assert before is not None
    assert table.seat(0).deadline_at == before + timedelta(days=10)
    assert [(entry["from"], entry["to"]) for entry in table.entries("credit")] == [
        ("2026-03-01T12:00:00Z", "2026-03-11T12:00:00Z")
    ]
    table.tick()
    assert len(table.entries("credit")) == 1


def test_clock_years_ahead_for_a_minute_stops_nothing(table: TwoPlayerGame) -> None:
    table.tick()
    table.clock.advance(days=3000)
    table.tick()
    table.clock.advance(days=-3000)
    table.tick()
    deadline = table.seat(0).deadline_at
    assert deadline is not None
    assert deadline - table.clock() <= timedelta(days=4)


def test_undelivered_email_is_credited(table: TwoPlayerGame) -> None:
    with writing(table.services.engine) as session:
        session.get_one(Player, table.players[0].id).suspended_at = table.clock()
    table.live(days=3, hours=1)
    assert table.game().state == "running"
    assert [entry["why"] for entry in table.entries("credit")] == ["mail"]
    table.live(days=7)
    assert table.game().state == "over"


@pytest.mark.parametrize(("show", "at_once"), [("no", 0), ("yes", 1)])
def test_credit_does_not_reveal_whose_orders_are_missing(
    services: Services, clock: Clock, show: str, at_once: int
) -> None:
    """Players see the log: if the game hides whose orders are in, the credit is added when all are."""
    options = {"size": 10, "troops": 1, "sea": 0, "time": "1d", "grace": "0h", "show-ready": show}
    table = TwoPlayerGame(services, "nelaxtam", **options)
    with writing(services.engine) as session:
        session.get_one(Player, table.players[0].id).suspended_at = clock()
    table.submit(1, "A c4")
    table.live(days=1, hours=1)
    assert len(table.entries("credit")) == at_once
    table.submit(0, "1 d4")
    assert [(entry["why"], entry["seat"]) for entry in table.entries("credit")] == [("mail", 0)]


@pytest.mark.parametrize("letter", ["report", "answers"])
@pytest.mark.both
def test_late_report_of_a_turn_is_credited(table: TwoPlayerGame, letter: str) -> None:
    with writing(table.services.engine) as session:
        to_mover = Outbox.recipient == table.players[0].email
        for mail in session.exec(select(Outbox).where(to_mover, Outbox.letter == "report")):
            mail.letter, mail.state, mail.sent_at = letter, "sent", mail.created_at + timedelta(hours=10)
    table.live(days=3, hours=2)
    assert [entry["why"] for entry in table.entries("credit")] == ["mail"]
    table.live(hours=10)
    assert table.game().state == "over"


@pytest.mark.slow
def test_automatic_vacation_is_spent_if_chosen(table: TwoPlayerGame) -> None:
    with writing(table.services.engine) as session:
        session.get_one(Player, table.players[0].id).auto_vacation = True
    for _ in range(40):
        table.live(hours=6)
    assert table.game().state == "running"
    table.live(days=40)
    assert table.game().state == "over"


def test_opponents_are_notified_once_a_turn_of_automatic_vacation(table: TwoPlayerGame) -> None:
    with writing(table.services.engine) as session:
        session.get_one(Player, table.players[0].id).auto_vacation = True
    table.live(days=3, hours=-1)
    assert table.recipients("clock_stands") == []
    for _ in range(5):
        table.live(hours=1)
    assert table.recipients("clock_stands") == [table.players[1].email]
    assert table.seat(0).deadline_at == at("2026-03-04 16:00")
    table.submit(0, "c3")
    table.submit(1, "a1")
    for _ in range(80):
        table.live(hours=1)
    assert table.recipients("clock_stands") == [table.players[1].email] * 2


def test_hidden_readiness_hides_automatic_vacation(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0, time="1d", **{"show-ready": "off"})
    with writing(services.engine) as session:
        session.get_one(Player, table.players[0].id).auto_vacation = True
    table.live(days=1, hours=2)
    assert table.recipients("clock_stands") == []


def test_vacation_moves_deadlines_immediately(table: TwoPlayerGame) -> None:
    with writing(table.services.engine) as session:
        player = session.get_one(Player, table.players[0].id)
        now = table.clock()
        vacation = PausedTime(now, now + timedelta(days=5), now, Why.VACATION)
        stored_pauses.store(session, vacation, player_id=player.id)
        deadlines.recompute_deadlines(session, player, now)
    assert table.seat(0).deadline_at == at("2026-03-09 12:00")


def test_time_can_be_given(table: TwoPlayerGame) -> None:
    with writing(table.services.engine) as session:
        moves.give_time(table.action(session), table.players[1], table.target(1), "1d")
    assert table.seat(0).deadline_at == at("2026-03-05 12:00")
    assert table.recipients("time_given") == [table.players[0].email]


def test_two_gifts_of_one_moment_are_added_in_their_order(table: TwoPlayerGame) -> None:
    """An outage follows the first, and postpones the deadline to which the second is added."""
    now = at("2026-03-05 14:00")
    with writing(table.services.engine) as session:
        stored_pauses.store(session, PausedTime(now, now, now, Why.OUTAGE))
        game = session.get_one(Game, table.number)
        for text in ("2h", "1h"):
            deadlines.give(session, game, *log.seats(session, game)[0], text, now)
            session.flush()
    assert table.seat(0).deadline_at == at("2026-03-06 15:00")


def test_idle_games_are_aborted(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="none")
    table.live(days=29)
    assert table.game().state == "running"
    table.live(days=1)
    assert table.game().result == {"winners": [], "reason": "aborted"}


def test_early_gift_of_time_does_not_cancel_the_reminder(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="4d")
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, clock())
        moves.give_time(action, table.players[1], Target(table.number, 1, 1), "1d")
    reminded_at = table.seat(0).remind_at
    assert reminded_at is not None
    assert reminded_at > clock() + timedelta(days=1)
    table.live(seconds=(reminded_at - clock()).total_seconds())
    assert table.recipients("reminder") == [table.players[0].email]


def test_reminder_a_week_before_a_game_is_aborted(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="none")
    table.live(days=22)
    assert table.recipients("reminder") == []
    table.live(days=1)
    assert table.recipients("reminder") == [table.players[0].email]
    reminder = letters(services)[-1].words
    assert "If no player moves, the game will be abandoned on Tue 31 March 2026, 12:00 UTC (in " in reminder
    table.live(days=6)
    assert table.recipients("reminder") == [table.players[0].email]
    table.submit(0, "c3")
    assert table.seat(1).remind_at == clock() + timedelta(days=23)


@pytest.mark.parametrize(("choice", "reminded"), [("none", False), ("half", True)])
def test_no_reminder_of_an_abort_for_players_who_want_none(
    services: Services, clock: Clock, choice: str, reminded: bool
) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="none")
    owing = table.players[0]
    with writing(services.engine) as session:
        player = session.get_one(Player, owing.id)
        player.reminders = choice
        session.flush()
        deadlines.recompute_deadlines(session, player, clock())
    table.live(days=23)
    assert table.recipients("reminder") == [owing.email] * reminded


def test_message_postpones_the_abort_and_its_reminder(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="none")
    table.live(days=25)
    with writing(services.engine) as session:
        messages.say(table.action(session), table.game(), 1, "Are you there?")
    table.live(days=5)
    assert table.game().state == "running"
    table.live(days=18)
    assert table.recipients("reminder") == [table.players[0].email] * 2
    table.live(days=7)
    assert table.game().result == {"winners": [], "reason": "aborted"}


def test_one_reminder_lists_all_owed_moves(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    owing = table.players[0]
    with writing(services.engine) as session:
        action = table.action(session)
        first, second = (session.get_one(Player, player.id) for player in table.players)
        for _ in range(12):
            game = challenges.challenge(action, first, [second], "nebuchadnezzar", {"size": 5})
            challenges.accept(action, second, log.id_of(game))
    table.live(days=1, hours=11)
    assert table.recipients("reminder") == []
    table.live(hours=1)
    assert sorted(table.recipients("reminder")) == sorted(player.email for player in table.players)
    table.live(hours=6)
    assert table.recipients("reminder").count(owing.email) == 1
    table.live(hours=6)
    assert table.recipients("reminder").count(owing.email) == 2


@pytest.mark.parametrize(("minutes", "lost"), [(4, []), (6, [timedelta(minutes=6, seconds=1)])])
def test_clock_difference_of_five_minutes_is_an_outage(
    services: Services, clock: Clock, minutes: int, lost: list[timedelta]
) -> None:
    """As `docs/operating.md` warns, one worker takes the other's heartbeats for its own old ones."""
    for _ in range(2):
        clock.advance(seconds=1)
        downtime.beat(services.engine, clock())
        downtime.beat(services.engine, clock() - timedelta(minutes=minutes))
    with reading(services.engine) as session:
        pauses = session.exec(select(models.Pause)).all()
    assert [pause.end_at - pause.start_at for pause in pauses] == lost


def test_slow_recomputation_of_deadlines_is_no_outage(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    """Heartbeats are also written while it is handled: otherwise all players would get this time back."""
    for _ in range(4):
        begin(services, "nebuchadnezzar", ann, ben, size=5, time="1d")
    clock.advance(days=9)
    downtime.beat(services.engine, clock())

    def slowly(action: ActionContext, game: Game) -> None:
        clock.advance(minutes=3)
        endings.handle_timeouts(action, game)

    replace(CLOCK, rows=(replace(TIMEOUTS, act=slowly),)).run(work_of(services))
    downtime.beat(services.engine, clock())
    with reading(services.engine) as session:
        assert session.exec(select(Game.state)).all() == ["over"] * 4
        assert session.exec(select(Pause).where(Pause.why == Why.OUTAGE)).all() == []
