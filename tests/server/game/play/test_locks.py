"""Data read before a game is locked is read again afterwards, because another transaction may have written."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select

from rules.records.proof import Seed
from server.clock.pauses import PausedTime, Why
from server.errors import BadRequest
from server.game.clock import deadlines, stored_pauses
from server.game.lobby import challenges
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.game.preferences import preferences
from server.processes.services import Services
from server.store import failures, models
from server.store.db import locked, reading, writing
from server.store.models import Entry, Game, Inbox, Outbox, Player, Seat
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.database.locks import somebody_waits, while_it_waits
from tests.support.machine.waiting import await_that
from tests.support.server.emails import receive, reply_address
from tests.support.server.games import begin, load_game, submit
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.client import logged_in

GAME_TYPE = "nebuchadnezzar"


# SQLite has no row locks: its writers take turns.
pytestmark = pytest.mark.parametrize("database", ["postgresql"])


def credit(number: int) -> Callable[[ActionContext], None]:
    """Credit time in a game, as after an outage."""

    def note(action: ActionContext) -> None:
        game = locked(action.session, Game, number)
        assert game is not None
        lost = PausedTime(action.now, action.now, action.now, Why.OUTAGE)
        log.append_entry(action.session, game, stored_pauses.credit(lost), action.now)

    return note


def by_mail(services: Services, player: Player, token: ReplyToken, line: str) -> Callable[[], object]:
    address = f"play+{services.tokens.write(token)}@games.example.org"
    return lambda: receive(services, player.email, address, line)


def player_of(services: Services, number: int, seat: int) -> Player:
    with reading(services.engine) as session:
        _, player = log.seats(session, session.get_one(Game, number))[seat]
        session.expunge(player)
        return player


def seat_of(services: Services, number: int, player: Player) -> Seat:
    with reading(services.engine) as session:
        return session.exec(select(Seat).where(Seat.game_id == number, Seat.player_id == player.id)).one()


def entries(services: Services, number: int) -> list[str]:
    with reading(services.engine) as session:
        query = select(Entry).where(Entry.game_id == number).order_by(col(Entry.number))
        return [entry.body["type"] for entry in session.exec(query)]


def mails(services: Services, letter: str) -> list[str]:
    """Return the receivers of a letter."""
    with reading(services.engine) as session:
        return sorted(session.exec(select(Outbox.recipient).where(Outbox.letter == letter)))


def endings(services: Services) -> list[str]:
    with reading(services.engine) as session:
        return list(session.exec(select(Inbox.state).order_by(col(Inbox.id))))


# Running games


def test_move_by_email_counts_although_time_is_credited_meanwhile(
    services: Services, ann: Player, ben: Player
) -> None:
    number = begin(services, GAME_TYPE, ann, ben, size=5)
    mover = player_of(services, number, 0)
    while_it_waits(services, by_mail(services, mover, ReplyToken(number, 0, 1), "c3"), credit(number))
    assert (endings(services), entries(services, number)) == (["done"], ["begin", "credit", "turn"])


@pytest.mark.parametrize(
    ("page", "fields"), [("move", {"text": "c3"}), ("draw", {}), ("resign", {}), ("say", {"text": "Hello."})]
)
def test_action_on_the_web_counts_although_time_is_credited_meanwhile(
    services: Services, app: Flask, ann: Player, ben: Player, page: str, fields: dict[str, str]
) -> None:
    number = begin(services, GAME_TYPE, ann, ben, size=5)
    browser = logged_in(app, services, player_of(services, number, 0))
    answer = while_it_waits(
        services, lambda: browser.send(f"/games/{number}/{page}", turn=1, **fields), credit(number)
    )
    assert answer.status_code == 303
    assert entries(services, number)[:2] == ["begin", "credit"]


def test_confirmed_email_counts_although_time_is_credited_meanwhile(
    services: Services, app: Flask, ann: Player, ben: Player
) -> None:
    number = begin(services, GAME_TYPE, ann, ben, size=5)
    mover = player_of(services, number, 0)
    address = reply_address(services, number, 0, 1)
    (asked,) = receive(services, "elsewhere@example.net", address, "c3")
    assert asked.letter == "asked"
    answer = asked.mail["Reply-To"]
    while_it_waits(services, lambda: receive(services, mover.email, answer, "yes"), credit(number))
    assert (endings(services), entries(services, number)) == (["done", "done"], ["begin", "credit", "turn"])


def test_message_sent_during_a_move_belongs_to_the_next_turn(
    services: Services, ann: Player, ben: Player
) -> None:
    number = begin(services, GAME_TYPE, ann, ben, size=5)
    speaker = player_of(services, number, 1)

    def move(action: ActionContext) -> None:
        _, player = log.seats(action.session, action.session.get_one(Game, number))[0]
        moves.submit(action, player, Target(number, 0, 1), "c3")

    while_it_waits(services, by_mail(services, speaker, ReplyToken(number, 1, 1), "say Hello."), move)
    assert seat_of(services, number, speaker).heard_turn == 2


# Starts of games


def invite(
    services: Services, game_type: str, *people: Player, seed: Seed | None = None, **options: object
) -> int:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        first, *others = (session.get_one(Player, each.id) for each in people)
        return log.id_of(challenges.challenge(action, first, others, game_type, options, seed=seed))


def accept(number: int, player: Player) -> Callable[[ActionContext], Game]:
    return lambda action: challenges.accept(action, action.session.get_one(Player, player.id), number)


def test_two_simultaneous_acceptances_start_the_game(services: Services, ann: Player, ben: Player) -> None:
    cleo = add_player(services, "cleo@example.org", "Cleo")
    number = invite(services, "nexus", ann, ben, cleo, players=3)
    while_it_waits(services, by_mail(services, cleo, ReplyToken(number, 2, 0), "accept"), accept(number, ben))
    assert (load_game(services, number).state, endings(services)) == ("running", ["done"])


def test_decline_during_the_start_is_refused(services: Services, ann: Player, ben: Player) -> None:
    number = invite(services, GAME_TYPE, ann, ben, size=5)
    while_it_waits(services, by_mail(services, ann, ReplyToken(number, 0, 0), "decline"), accept(number, ben))
    assert (load_game(services, number).state, entries(services, number)) == ("running", ["begin"])
    assert (mails(services, "declined"), endings(services)) == ([], ["refused"])


def lot_that_swaps(number: int) -> Seed:
    """Return a seed that swaps the seats of the two players in the game with this number."""
    seeds = (Seed(bytes([each]) * 32) for each in range(256))
    return next(seed for seed in seeds if seed.seats(number, ["", ""]).shuffle([0, 1]) == [1, 0])


@pytest.mark.parametrize("way", ["mail", "web"])
def test_mute_during_the_lot_applies_to_the_players_seat(
    services: Services, app: Flask, ann: Player, ben: Player, way: str
) -> None:
    number = invite(services, GAME_TYPE, ann, ben, seed=lot_that_swaps(1), size=5)
    browser = logged_in(app, services, ann)
    mute: dict[str, Callable[[], object]] = {
        "mail": by_mail(services, ann, ReplyToken(number, 0, 0), "mute 2d"),
        "web": lambda: browser.send(f"/games/{number}/mute", time="2d"),
    }
    while_it_waits(services, mute[way], accept(number, ben))
    assert seat_of(services, number, ann).number == 1
    assert seat_of(services, number, ann).muted_until is not None
    assert seat_of(services, number, ben).muted_until is None


# Paused clocks


def test_paused_clock_is_reported_only_if_it_caused_the_change(
    services: Services, ann: Player, ben: Player, clock: Clock
) -> None:
    """A vacation announced long after a deadline does not change it, but a gift does."""
    number = begin(services, GAME_TYPE, ann, ben, size=5, time="2d")
    submit(services, number, 0, "c3")
    owing, other = player_of(services, number, 1), player_of(services, number, 0)

    def give(action: ActionContext) -> None:
        moves.give_time(action, action.session.get_one(Player, other.id), Target(number, 0, 2), "1d")

    def go_away() -> None:
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, services.now())
            preferences.take_vacation(action, session.get_one(Player, owing.id), "2026-04-01 to 2026-04-03")

    while_it_waits(services, go_away, give)
    assert mails(services, "clock_stands") == []


def announce(person: Player, when: str) -> Callable[[ActionContext], str]:
    return lambda action: preferences.take_vacation(action, action.session.get_one(Player, person.id), when)


def test_vacation_is_not_spent_twice(services: Services, ann: Player) -> None:
    def go_away() -> None:
        with writing(services.engine) as session:
            announce(ann, "2026-05-01 to 2026-05-21")(ActionContext(session, services.sealer, services.now()))

    with pytest.raises(BadRequest, match="vacation"):
        while_it_waits(services, go_away, announce(ann, "20d"))
    with reading(services.engine) as session:
        assert len(session.exec(select(models.Pause)).all()) == 1


# Locks in different orders


@pytest.mark.parametrize(
    ("victim", "reminder_waits", "mail_waits"), [("the reminder", "1ms", "1min"), ("the mail", "1min", "2s")]
)
def test_deadlock_of_a_reminder_and_an_email_is_resolved(
    services: Services, ann: Player, ben: Player, victim: str, reminder_waits: str, mail_waits: str
) -> None:
    """The database aborts one of them: this is not a failure of the email or of its writer.

    The database detects a deadlock only if the later one also waits.
    """
    number = begin(services, GAME_TYPE, ann, ben, size=5, time="2d")
    owing = player_of(services, number, 0)
    with writing(services.engine) as session:  # otherwise an email about a game changes nothing for its writer
        session.get_one(Player, owing.id).bounced_at = services.now()
    writes = by_mail(services, owing, ReplyToken(number, 0, 1), "c3")
    chosen = select(Player).where(Player.id == owing.id)

    remind = partial(
        failures.run_next_due, services.engine, services.sealer, services.now(), "reminding", chosen
    )
    mailing: list[Future[object]] = []

    def wait(connection: Connection) -> None:
        connection.exec_driver_sql(f"SET LOCAL deadlock_timeout = '{mail_waits}'")

    event.listen(services.engine, "begin", wait)

    def settle(action: ActionContext, player: Player) -> None:
        deadlines.recompute_deadlines(action.session, player, action.now)

    def settle_while_the_mail_is_handled(action: ActionContext, player: Player) -> None:
        action.session.execute(text(f"SET LOCAL deadlock_timeout = '{reminder_waits}'"))
        mailing.append(others.submit(writes))
        await_that(lambda: mailing[0].done() or somebody_waits(services))
        settle(action, player)

    with ThreadPoolExecutor(1) as others:
        if victim == "the reminder":
            with pytest.raises(OperationalError):
                remind(settle_while_the_mail_is_handled)
            mailing[0].result()
        else:
            assert remind(settle_while_the_mail_is_handled)
            with pytest.raises(OperationalError):
                mailing[0].result()
            assert endings(services) == ["new"]
            services.pipeline().handle_next(services.now())
    with reading(services.engine) as session:
        assert [(row.state, row.attempts) for row in session.exec(select(Inbox))] == [("done", 0)]
        assert session.get_one(Game, number).turn == 2
        assert session.get_one(Player, owing.id).bounced_at is None
        assert session.exec(select(models.Failure)).all() == []
    assert remind(settle)
