"""No player loses on time while an earlier email waits to be handled; other games do not wait for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from email.message import EmailMessage

import pytest
from sqlmodel import col, select

from mail.incoming.receiving import Received
from server.game.lobby import challenges
from server.game.log import log
from server.game.play import moves
from server.inbound.authorization.senders import Senders
from server.jobs import downtime
from server.processes.services import Services
from server.store import inbox
from server.store.db import reading, writing
from server.store.models import Game, Inbox, Player
from server.store.tokens import ConfirmationToken, ReplyToken
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import Clock

_LOST = {"winners": [1], "reason": "timeout"}


class _Unsure(Senders):
    """A check of senders whose name servers do not answer."""

    def __init__(self) -> None:
        super().__init__(trust=None, lookup=None)  # type: ignore[arg-type]

    def check(self, *_: object) -> None:  # type: ignore[override]
        """Raise the error for a later attempt."""
        raise LookupError("no name server answers")


@pytest.fixture
def table(services: Services, clock: Clock) -> TwoPlayerGame:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="1d", grace="1h")
    table.tick()
    return table


def arrive(
    table: TwoPlayerGame, token: ReplyToken | ConfirmationToken | None = None, text: str = "c3"
) -> Inbox:
    """Store an email that comes in now, to the address of a token or to the plain address."""
    services, owner = table.services, table.players[0]
    mail = EmailMessage()
    mail["From"], mail["Message-ID"] = owner.email, f"<{text}.{token}@example.org>"
    mail.set_content(text)
    tag = f"+{services.tokens.write(token)}" if token else ""
    received = Received("smtp", "127.0.0.1", owner.email, (f"play{tag}@games.example.org",), mail.as_bytes())
    services.reception().store([received])
    with reading(services.engine) as session:
        return list(session.exec(select(Inbox).order_by(col(Inbox.id))))[-1]


def ended(table: TwoPlayerGame, state: str, attempts: int = 0) -> None:
    """Handle the waiting email."""
    with writing(table.services.engine) as session:
        mail = session.exec(select(Inbox)).one()
        mail.state, mail.attempts, mail.handled_at = state, attempts, table.clock()


def test_game_waits_for_an_email_from_before_the_deadline(table: TwoPlayerGame) -> None:
    table.clock.advance(days=1, hours=1)
    arrive(table, ReplyToken(table.number, 0, 1))
    table.live(days=2)
    assert table.game().state == "running"
    ended(table, "refused")
    table.live(minutes=1)
    assert table.game().result == _LOST


def test_game_does_not_wait_for_a_later_email(table: TwoPlayerGame) -> None:
    table.clock.advance(days=1, hours=1, seconds=1)
    arrive(table, ReplyToken(table.number, 0, 1))
    table.live(seconds=1)
    assert table.game().result == _LOST


def test_game_waits_for_an_email_that_confirms_one(table: TwoPlayerGame) -> None:
    first = arrive(table, ReplyToken(table.number, 0, 1))
    ended(table, "asked")
    second = arrive(table, ConfirmationToken(first.id or 0), "yes")
    assert second.game_id == table.number
    table.live(days=2)
    assert table.game().state == "running"


def test_other_games_do_not_wait(table: TwoPlayerGame) -> None:
    with writing(table.services.engine) as session:
        action = table.action(session)
        ann, ben = (session.get_one(Player, player.id) for player in table.players)
        other = challenges.challenge(action, ann, [ben], "nebuchadnezzar", {"size": 5, "time": "1d"})
        challenges.accept(action, ben, log.id_of(other))
    arrive(table, ReplyToken(table.number, 0, 1))
    table.live(days=2)
    with reading(table.services.engine) as session:
        states = [session.get_one(Game, number).state for number in (table.number, other.id)]
    assert states == ["running", "over"]


def test_all_games_wait_at_most_ten_minutes_for_the_plain_address(table: TwoPlayerGame) -> None:
    table.clock.advance(days=1, hours=1)
    arrive(table, text="games")
    table.live(minutes=9)
    assert table.game().state == "running"
    table.live(minutes=1)
    assert table.game().result == _LOST


@pytest.mark.parametrize(("attempts", "state"), [(inbox.MOST_ATTEMPTS, "running"), (0, "over")])
def test_game_waits_for_a_quarantined_email_only_after_an_internal_error(
    table: TwoPlayerGame, attempts: int, state: str
) -> None:
    arrive(table, ReplyToken(table.number, 0, 1))
    ended(table, "quarantined", attempts)
    table.live(days=2)
    assert table.game().state == state


def test_failing_email_gains_at_most_a_day(table: TwoPlayerGame) -> None:
    arrive(table, ReplyToken(table.number, 0, 1))
    ended(table, "quarantined", inbox.MOST_ATTEMPTS)
    table.live(days=2, hours=1)
    assert table.game().result == _LOST


def test_email_that_failed_long_ago_gains_nothing(table: TwoPlayerGame) -> None:
    arrive(table, ReplyToken(table.number, 0, 1))
    ended(table, "quarantined", inbox.MOST_ATTEMPTS)
    with writing(table.services.engine) as session:
        session.exec(select(Inbox)).one().received_at -= timedelta(days=7)
    table.live(days=1, hours=1, minutes=1)
    assert table.game().result == _LOST


def test_unhandled_email_delays_a_week_at_most(table: TwoPlayerGame) -> None:
    arrive(table, ReplyToken(table.number, 0, 1))
    table.live(days=6, hours=23)
    assert table.game().state == "running"
    table.live(hours=2)
    assert table.game().result == _LOST


def test_email_for_one_seat_delays_the_timeout_of_the_game(services: Services, clock: Clock) -> None:
    """One seat was late before the email came in; the other was not, and the email may contain its orders."""
    island = TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0, time="1d")
    island.tick()
    with writing(services.engine) as session:
        ann = session.get_one(Player, island.players[0].id)
        moves.give_time(island.action(session), ann, island.target(0), "1h")
    clock.advance(days=1, hours=1, minutes=30)
    arrive(island, ReplyToken(island.number, 1, 1))
    island.live(hours=1)
    assert island.game().state == "running"


def test_late_handled_move_counts_from_its_arrival(table: TwoPlayerGame) -> None:
    """An email is tried again after two and four minutes, and its sender's deadline passes meanwhile."""
    clock = table.clock
    clock.advance(days=1, minutes=58)
    arrive(table, ReplyToken(table.number, 0, 1))
    unsure = replace(table.services.pipeline(), senders=_Unsure())
    for _ in range(inbox.MOST_ATTEMPTS - 1):
        assert unsure.handle_next(clock())
        with reading(table.services.engine) as session:
            due: datetime = session.exec(select(Inbox.due_at)).one()
        table.live(seconds=(due - clock()).total_seconds())
        assert table.game().state == "running"
    assert table.services.pipeline().handle_next(clock())
    assert (table.game().turn, table.game().state) == (2, "running")


def beat_mail(table: TwoPlayerGame) -> None:
    """Write the heartbeat of the mail process."""
    downtime.beat_mail(table.services.engine, table.clock())


def test_no_player_loses_while_no_email_is_accepted(table: TwoPlayerGame) -> None:
    table.clock.advance(days=1)
    beat_mail(table)
    table.live(hours=3)
    assert table.game().state == "running"
    beat_mail(table)
    table.tick()
    deadline = table.seat(0).deadline_at
    assert deadline == table.clock() + timedelta(days=1)
    assert [(entry["why"], entry["from"]) for entry in table.entries("credit")] == [
        ("outage", "2026-03-02T12:00:00Z")
    ]


@pytest.mark.slow
def test_missing_mail_process_stops_clocks_for_a_week_at_most(table: TwoPlayerGame) -> None:
    beat_mail(table)
    table.live(days=7)
    assert table.game().state == "running"
    table.live(minutes=1)
    assert table.game().result == _LOST


@pytest.mark.parametrize("first", ["mail", "worker"])
def test_outage_of_all_processes_is_credited_once(table: TwoPlayerGame, first: str) -> None:
    beat_mail(table)
    before = table.seat(0).deadline_at
    assert before is not None
    table.clock.advance(hours=3)
    if first == "mail":
        beat_mail(table)
    table.tick()
    beat_mail(table)
    table.clock.advance(minutes=1)
    table.tick()
    assert len(table.entries("credit")) == 1
    assert table.seat(0).deadline_at == before + timedelta(hours=3)
