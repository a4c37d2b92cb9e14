"""A failure in one game does not delay other games, and no player loses because of it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest
from click.testing import CliRunner
from psycopg.errors import (
    AdminShutdown,
    DataCorrupted,
    DeadlockDetected,
    DiskFull,
    ProgramLimitExceeded,
    ReadOnlySqlTransaction,
    SerializationFailure,
)
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select

from server.accounts import computer_players
from server.cli import nabu
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.game.preferences import preferences
from server.jobs import administrator_report
from server.jobs.retention import GONE_BY_ITSELF
from server.jobs.table import HOUSEKEEPING, RESOLVING
from server.processes.services import Services
from server.processes.worker import Worker
from server.store.db import reading, writing
from server.store.failures import recording_failure, run_next_due
from server.store.keys import check
from server.store.keys.sealing import Sealer
from server.store.models import Entry, Failure, Game, Inbox, Outbox, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.computer_players import move_next
from tests.support.server.emails import receive, reply_address
from tests.support.server.games import begin, load_game, submit, tick
from tests.support.server.players import add_player
from tests.support.server.services import Clock

pytestmark = pytest.mark.usefixtures("failures_meant")
GAME_TYPE = "nebuchadnezzar"
LOST = Sealer(("l" * 32,))
DAY = timedelta(days=1)


def lose_seed(game: Game) -> None:
    """Seal the seed of a game with an unknown key: dice cannot be rolled, and the game cannot end."""
    game.sealed_seed = LOST.seal(bytes(32))


def spoil_position(game: Game) -> None:
    """Damage the position and the hash of the log, so that the position cannot be rebuilt."""
    game.position, game.head = {"broken": 1}, "0" * 64


def spoil_house(game: Game) -> None:
    game.terms = {"time": "whenever"}


def spoil_log(game: Game) -> None:
    """Make the log longer than the game's number of entries."""
    game.entries = 0


@pytest.fixture
def no_reminders(services: Services, ann: Player, ben: Player) -> None:
    """Turn off reminders for Ann and Ben: each would be another failure."""
    with writing(services.engine) as session:
        for player in (ann, ben):
            session.get_one(Player, player.id).reminders = "none"


FAULTS = (lose_seed, spoil_position, spoil_house, spoil_log)
every_fault = pytest.mark.parametrize(
    ("database", "spoil"), [*(("sqlite", spoil) for spoil in FAULTS), ("postgresql", lose_seed)]
)
"""Isolation of failures depends on the database; the kinds of failures do not."""
Spoil = Callable[[Game], None]


def change(services: Services, number: int, spoil: Spoil) -> None:
    with writing(services.engine) as session:
        spoil(session.get_one(Game, number))


def owing(services: Services, number: int) -> Seat:
    with reading(services.engine) as session:
        return session.exec(select(Seat).where(Seat.game_id == number, col(Seat.owes).is_(True))).one()


def failures(services: Services) -> list[Failure]:
    with reading(services.engine) as session:
        return list(session.exec(select(Failure).order_by(col(Failure.id))))


def credits(services: Services, number: int) -> list[tuple[str, str, str]]:
    with reading(services.engine) as session:
        bodies = session.exec(select(Entry.body).where(Entry.game_id == number)).all()
    return [(body["why"], body["from"], body["to"]) for body in bodies if body["type"] == "credit"]


def told(services: Services, letter: str, player: Player) -> list[str]:
    """Return the texts of these letters to a player, rendered now."""
    writer = services.delivery().writer
    with reading(services.engine) as session:
        query = select(Outbox).where(Outbox.letter == letter, Outbox.recipient == player.email)
        return [
            " ".join(writer.text(session, row).split()) for row in session.exec(query.order_by(col(Outbox.id)))
        ]


def links(letter: str, *numbers: int) -> list[bool]:
    """Return whether a letter links to the pages of these games."""
    return [any(word.endswith(f"/games/{number}") for word in letter.split()) for number in numbers]


def games_of(services: Services, player: Player, opponent: Player, count: int, **options: object) -> list[int]:
    """Return new games in which this player is to move."""
    found: list[int] = []
    while len(found) < count:
        number = begin(services, GAME_TYPE, player, opponent, size=5, **options)
        if owing(services, number).player_id == player.id:
            found.append(number)
    return found


def end_others(services: Services, numbers: list[int]) -> None:
    """End all other games."""
    with writing(services.engine) as session:
        for game in session.exec(select(Game).where(col(Game.id).not_in(numbers), Game.state == "running")):
            seat, player = next(found for found in log.seats(session, game))
            moves.resign(
                ActionContext(session, services.sealer, services.now()),
                player,
                Target(log.id_of(game), seat.number, game.turn),
            )


@pytest.mark.slow
@every_fault
def test_deadlines_of_other_games_are_kept(
    services: Services, clock: Clock, ann: Player, ben: Player, spoil: Spoil
) -> None:
    bad = begin(services, GAME_TYPE, ann, ben, size=5, time="1d", grace="0")
    good = begin(services, GAME_TYPE, ann, ben, size=5, time="2d", grace="0")
    change(services, bad, spoil)
    tick(services, clock, days=1)
    assert [row.job for row in failures(services) if row.game_id == bad].count("deadline") == 1
    tick(services, clock, days=1, seconds=-1)
    assert load_game(services, good).state == "running"
    tick(services, clock, seconds=1)
    result = load_game(services, good).result
    assert result is not None
    assert result["reason"] == "timeout"
    assert load_game(services, bad).state == "running"


@every_fault
def test_other_idle_games_are_aborted(
    services: Services, clock: Clock, ann: Player, ben: Player, spoil: Spoil
) -> None:
    bad, good = (begin(services, GAME_TYPE, ann, ben, size=5, time="none") for _ in range(2))
    change(services, bad, spoil)
    tick(services, clock, days=30)
    if spoil is not spoil_house:  # which is not called
        assert load_game(services, bad).state == "running"
    assert load_game(services, good).result == {"winners": [], "reason": "aborted"}


@pytest.mark.parametrize("spoil", [spoil_position, spoil_log])
def test_turns_of_other_games_are_resolved(
    services: Services, clock: Clock, ann: Player, ben: Player, spoil: Spoil
) -> None:
    options = {"size": 10, "troops": 1, "sea": 0, "delay": "30m"}
    bad, good = (begin(services, "nelaxtam", ann, ben, **options) for _ in range(2))
    for number in (bad, good):
        submit(services, number, 0, "1 d4")
        submit(services, number, 1, "A c4")
    change(services, bad, spoil)
    clock.advance(minutes=30)
    while RESOLVING.run_next(services.engine, services.sealer, clock()):
        pass
    assert (load_game(services, bad).turn, load_game(services, good).turn) == (1, 2)


@pytest.mark.parametrize("spoil", [spoil_position, spoil_log])
def test_computer_player_moves_in_its_other_games(
    services: Services, clock: Clock, ann: Player, spoil: Spoil
) -> None:
    with writing(services.engine) as session:
        enkidu = computer_players.computer(ActionContext(session, services.sealer, clock()))
    bad, good = games_of(services, enkidu, ann, 2)
    change(services, bad, spoil)
    while move_next(services):
        pass
    assert (load_game(services, bad).turn, load_game(services, good).turn) == (1, 2)
    assert [(row.job, row.game_id) for row in failures(services)] == [("computer", bad)]


@pytest.mark.parametrize("spoil", [spoil_position, spoil_house])
def test_reminder_lists_all_games_except_the_damaged_one(
    services: Services, clock: Clock, ann: Player, ben: Player, spoil: Spoil
) -> None:
    bad, good = games_of(services, ann, ben, 2, time="4d")
    end_others(services, [bad, good])
    change(services, bad, spoil)
    tick(services, clock, days=2)
    (reminder,) = told(services, "reminder", ann)
    assert links(reminder, bad, good) == [False, True]


@pytest.mark.parametrize("spoil", [spoil_position, spoil_house])
def test_vacation_moves_the_deadlines_of_intact_games(
    services: Services, ann: Player, ben: Player, spoil: Spoil
) -> None:
    bad, good = games_of(services, ann, ben, 2, time="4d")
    before = owing(services, good).deadline_at
    change(services, bad, spoil)
    with writing(services.engine) as session:
        preferences.take_vacation(
            ActionContext(session, services.sealer, services.now()), session.get_one(Player, ann.id), "5d"
        )
    assert before is not None
    assert owing(services, good).deadline_at == before + 5 * DAY


def lose_conditions(game: Game, services: Services, player: Player) -> None:
    """Seal the conditional moves of a player with an unknown key."""
    with writing(services.engine) as session:
        seat = session.exec(select(Seat).where(Seat.game_id == game.id, Seat.player_id == player.id)).one()
        seat.sealed_conditions = LOST.seal_json([])


def test_digest_reports_all_games_except_the_damaged_one(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    unread, unsealed, good = games_of(services, ben, ann, 3, time="7d")
    end_others(services, [unread, unsealed, good])
    with writing(services.engine) as session:
        preferences.set_digest(
            ActionContext(session, services.sealer, clock()), session.get_one(Player, ann.id), "daily 18:00"
        )
    for number in (unread, unsealed, good):
        submit(services, number, owing(services, number).number, "c3")
    sound = load_game(services, unread)
    change(services, unread, spoil_position)
    lose_conditions(load_game(services, unsealed), services, ann)
    tick(services, clock, hours=6)
    (digest,) = told(services, "digest", ann)
    assert links(digest, unread, unsealed, good) == [False, False, True]
    change(services, unread, lambda game: repair(game, sound))
    tick(services, clock, days=1)
    assert links(told(services, "digest", ann)[1], unread, unsealed) == [True, False]


def test_other_games_are_unmuted_in_time(services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    bad, good = games_of(services, ben, ann, 2, time="7d")
    with writing(services.engine) as session:
        for number in (bad, good):
            game, player = session.get_one(Game, number), session.get_one(Player, ann.id)
            (seat,) = (seat for seat, other in log.seats(session, game) if other.id == ann.id)
            preferences.mute(ActionContext(session, services.sealer, clock()), game, seat, player, "1d")
    for number in (bad, good):
        submit(services, number, owing(services, number).number, "c3")
    lose_conditions(load_game(services, bad), services, ann)
    tick(services, clock, days=1)
    with reading(services.engine) as session:
        mute = select(Seat.game_id).where(col(Seat.muted_until).is_not(None))
        assert session.exec(mute).all() == [bad]


@pytest.mark.parametrize("spoil", [spoil_house, spoil_log])
def test_outage_is_credited_to_all_other_games(
    services: Services, clock: Clock, ann: Player, ben: Player, spoil: Spoil
) -> None:
    first, bad, last = (begin(services, GAME_TYPE, ann, ben, size=5, time="4d") for _ in range(3))
    tick(services, clock)
    sound = load_game(services, bad)
    change(services, bad, spoil)
    clock.advance(days=2)
    tick(services, clock)
    outage = ("outage", "2026-03-01T12:00:00Z", "2026-03-03T12:00:00Z")
    assert credits(services, first) == credits(services, last) == [outage]
    assert credits(services, bad) == []
    change(services, bad, lambda game: repair(game, sound))
    tick(services, clock, minutes=1)
    assert credits(services, bad) == [outage]
    assert owing(services, bad).deadline_at == clock() + 4 * DAY - timedelta(minutes=1)
    assert failures(services) == []


def repair(game: Game, sound: Game) -> None:
    game.terms, game.position, game.entries = sound.terms, sound.position, sound.entries
    game.head = sound.head
    game.sealed_seed = sound.sealed_seed


@pytest.mark.long
@every_fault
def test_no_player_loses_by_a_failure_of_days(
    services: Services, clock: Clock, ann: Player, ben: Player, spoil: Spoil
) -> None:
    number = begin(services, GAME_TYPE, ann, ben, size=5, time="2d")
    sound = load_game(services, number)
    change(services, number, spoil)
    tick(services, clock, days=2, hours=1)
    for _ in range(3 * 2):
        tick(services, clock, hours=12)
    change(services, number, lambda game: repair(game, sound))
    tick(services, clock, hours=1)
    assert load_game(services, number).state == "running"
    assert owing(services, number).deadline_at == clock() + DAY
    assert credits(services, number) == [("outage", "2026-03-03T12:59:00Z", "2026-03-06T14:00:00Z")]
    assert failures(services) == []
    tick(services, clock, days=1, minutes=59)
    assert load_game(services, number).state == "running"
    tick(services, clock, minutes=1)
    result = load_game(services, number).result
    assert result is not None
    assert result["reason"] == "timeout"
    assert len(credits(services, number)) == 1


def test_late_player_can_move_while_the_deadline_job_fails(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    """While the deadline job fails, the late player can still move; that ends the failure."""
    number = begin(services, GAME_TYPE, ann, ben, size=5, time="2d")
    sound = load_game(services, number)
    change(services, number, lose_seed)
    tick(services, clock, days=2, hours=1)
    tick(services, clock, hours=10)
    submit(services, number, owing(services, number).number, "c3")
    change(services, number, lambda game: setattr(game, "sealed_seed", sound.sealed_seed))
    assert owing(services, number).deadline_at == clock() + 2 * DAY
    tick(services, clock, days=2, hours=1)
    assert load_game(services, number).state == "over"
    assert credits(services, number) == []


def test_short_failure_costs_the_opponent_nothing(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(services, GAME_TYPE, ann, ben, size=5, time="2d")
    sound = load_game(services, number)
    change(services, number, lose_seed)
    tick(services, clock, days=2, hours=1)
    change(services, number, lambda game: repair(game, sound))
    tick(services, clock, seconds=59)
    assert load_game(services, number).state == "running"
    tick(services, clock, seconds=1)
    assert load_game(services, number).state == "over"
    assert credits(services, number) == []


def test_game_is_not_aborted_directly_after_a_failure(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(services, GAME_TYPE, ann, ben, size=5, time="none")
    sound = load_game(services, number)
    change(services, number, spoil_position)
    tick(services, clock, days=30)
    tick(services, clock, days=5)
    change(services, number, lambda game: repair(game, sound))
    tick(services, clock, hours=1)
    assert load_game(services, number).stale_at == clock() + DAY
    tick(services, clock, days=1)
    assert load_game(services, number).state == "over"


def test_idle_game_is_not_aborted_directly_after_an_outage(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(services, GAME_TYPE, ann, ben, size=5, time="none")
    tick(services, clock)
    clock.advance(days=40)
    tick(services, clock)
    assert load_game(services, number).state == "running"
    tick(services, clock, days=30)
    assert load_game(services, number).state == "over"


def test_restored_key_repairs_a_failure(services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    """The next attempt succeeds without manual intervention."""
    number = begin(services, GAME_TYPE, ann, ben, size=5, time="2d")
    forgetful = replace(services, sealer=Sealer(("n" * 32,)))
    tick(forgetful, clock, days=2, hours=1)
    tick(forgetful, clock, days=1)
    assert load_game(services, number).state == "running"
    remembering = replace(services, sealer=Sealer(("n" * 32, services.settings.secret_key)))
    tick(remembering, clock, hours=1)
    tick(remembering, clock, days=1, hours=1)
    assert load_game(services, number).state == "over"


@pytest.mark.long
@pytest.mark.parametrize("database", ["sqlite"])
@pytest.mark.usefixtures("no_reminders")
def test_retries_become_rarer_and_are_logged_without_secrets(
    services: Services, clock: Clock, ann: Player, ben: Player, caplog: pytest.LogCaptureFixture
) -> None:
    """The times do not depend on the database; other tests here check retries on both."""
    caplog.set_level(logging.DEBUG, "server")
    number = begin(services, GAME_TYPE, ann, ben, size=5, time="2d")
    change(services, number, lambda game: setattr(game, "terms", {"time": "c4 d5"}))
    tick(services, clock, days=2, hours=1)
    began = clock()
    expected, passed = [1, 3, 7, 15, 31, 63, 123, 183, 243], 0
    tried = []
    for minute in sorted({*expected, *(each - 1 for each in expected)} - {0}):
        before = failures(services)[0].attempts
        tick(services, clock, minutes=minute - passed)
        passed = minute
        if failures(services)[0].attempts > before:
            tried.append(minute)
    assert tried == expected, "no minute earlier"
    (row,) = failures(services)
    assert (row.job, row.game_id, row.since, row.attempts) == ("deadline", number, began, 10)
    logged = [record.getMessage() for record in caplog.records if record.name == "server.store.failures"]
    assert len(logged) == 10
    assert logged[0].startswith(f"deadline of game {number}: {row.what}\n")
    assert "in handle_timeouts" in logged[0]
    assert "c4 d5" not in caplog.text


@pytest.mark.slow
@pytest.mark.usefixtures("no_reminders")
def test_administrator_is_notified_once_and_can_list_failures(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(services, GAME_TYPE, ann, ben, size=5, time="2d")
    check.admit(services.engine, services.sealer, clock())
    change(services, number, lose_seed)
    tick(services, clock, days=2, hours=1)
    administrator = add_player(services, "op@example.org", "Op")
    for _ in range(10):
        tell(services)
        tick(services, clock, hours=3)
    (letter,) = told(services, "trouble", administrator)
    assert f"deadline of game {number} UnknownKey at _opened" in letter.replace("  ", " ")
    assert "nabu admin troubles" in letter
    environment = {
        "NABU_SECRET_KEY": services.settings.secret_key,
        "NABU_MAIL_DOMAIN": services.settings.mail_domain,
        "NABU_DATABASE_URL": services.settings.database_url,
    }
    listed = CliRunner().invoke(nabu, ["admin", "troubles"], env=environment)
    assert f"2026-03-03 13:00 UTC  deadline of game {number}  UnknownKey at _opened" in listed.output


def tell(services: Services) -> None:
    with writing(services.engine) as session:
        administrator_report.notify_administrator(
            ActionContext(session, services.sealer, services.now()), "op@example.org"
        )


@pytest.mark.usefixtures("no_reminders")
def test_report_contains_all_failures_since_the_last_one(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    """A check a little later than a day after the last email misses nothing in between."""
    administrator = add_player(services, "op@example.org", "Op")
    first, second = (begin(services, GAME_TYPE, ann, ben, size=5, time="2d") for _ in range(2))
    for number in (first, second):
        change(services, number, spoil_position)
    with writing(services.engine) as session:
        seat = session.exec(select(Seat).where(Seat.game_id == second, col(Seat.owes).is_(True))).one()
        assert seat.grace_until is not None
        seat.grace_until += timedelta(minutes=10)
    tick(services, clock, days=2, hours=1)
    tell(services)
    tick(services, clock, minutes=10)
    tick(services, clock, days=1)
    tell(services)
    mails = told(services, "trouble", administrator)
    assert [f"deadline of game {number}" in mail for mail in mails for number in (first, second)] == [
        *(True, False),
        *(False, True),
    ]


def test_email_that_the_database_refuses_does_not_block_others(
    services: Services, ann: Player, ben: Player
) -> None:
    bad, good = games_of(services, ann, ben, 2)
    with writing(services.engine) as session:
        session.get_one(Entry, (bad, 0)).turn = 1  # the number of the next entry
    for number in (bad, good):
        seat = owing(services, number).number
        address = reply_address(services, number, seat, 1)
        receive(services, ann.email, address, "c3")
    assert (load_game(services, bad).turn, load_game(services, good).turn) == (1, 2)
    with reading(services.engine) as session:
        states = session.exec(select(Inbox.state, Inbox.why).order_by(col(Inbox.id))).all()
    assert [state for state, _ in states] == ["new", "done"]
    assert states[0][1].startswith("IntegrityError at ")


def test_obsolete_failure_is_deleted(services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    number = begin(services, GAME_TYPE, ann, ben, size=5, time="2d")
    change(services, number, lose_seed)
    tick(services, clock, days=2, hours=1)
    submit(services, number, owing(services, number).number, "c3")
    clock.advance(minutes=1)
    for step, rows in ((GONE_BY_ITSELF, 1), (timedelta(seconds=1), 0)):
        clock.time += step
        HOUSEKEEPING.run(Worker(services).work)
        assert len(failures(services)) == rows


@pytest.mark.parametrize("database", ["postgresql"])
def test_running_reminder_does_not_prevent_moves(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    """SQLite locks no rows."""
    number = begin(services, GAME_TYPE, ann, ben, size=5)

    def meanwhile(action: ActionContext, player: Player) -> None:
        with writing(services.engine) as session:
            session.execute(text("SET LOCAL lock_timeout = '5s'"))
            seat = session.exec(select(Seat).where(Seat.game_id == number, Seat.player_id == player.id)).one()
            for owes in (not seat.owes, seat.owes):  # a row that changes twice counts as new
                seat.owes = owes
                session.flush()

    due = select(Player).where(Player.id == ann.id)
    assert run_next_due(services.engine, services.sealer, clock(), "reminding", due, meanwhile)
    with reading(services.engine) as session:
        assert session.exec(select(Failure)).all() == []


def sqlite_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("as SQLite says it")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    "error",
    [
        DeadlockDetected(),
        SerializationFailure(),
        DiskFull(),
        AdminShutdown(),
        ReadOnlySqlTransaction(),
        psycopg.OperationalError("the connection is closed"),
        sqlite_error(sqlite3.SQLITE_BUSY),
        sqlite_error(sqlite3.SQLITE_FULL),
        sqlite_error(sqlite3.SQLITE_IOERR_WRITE),
    ],
    ids=repr,
)
def test_temporary_error_is_raised_and_not_recorded_as_a_failure(
    services: Services, clock: Clock, ann: Player, error: Exception
) -> None:
    with pytest.raises(OperationalError):
        run_next_due(services.engine, services.sealer, clock(), "reminding", select(Player), failing(error))
    assert failures(services) == []
    with (
        pytest.raises(OperationalError),
        recording_failure(services.engine, clock(), "reminding", Player, ann.id or 0),
    ):
        raise OperationalError("UPDATE", None, error)
    assert failures(services) == []


@pytest.mark.parametrize(
    "error",
    [
        ProgramLimitExceeded(),
        DataCorrupted(),
        sqlite_error(sqlite3.SQLITE_ERROR),
        sqlite_error(sqlite3.SQLITE_IOERR_READ),
    ],
    ids=repr,
)
def test_row_that_the_database_cannot_handle_blocks_nothing(
    services: Services, clock: Clock, ann: Player, error: Exception
) -> None:
    assert run_next_due(services.engine, services.sealer, clock(), "reminding", select(Player), failing(error))
    (failure,) = failures(services)
    assert (failure.job, failure.player_id) == ("reminding", ann.id)


def failing(error: Exception) -> Callable[[ActionContext, Player], None]:
    def fail(action: ActionContext, player: Player) -> None:
        raise OperationalError("UPDATE", None, error)

    return fail
