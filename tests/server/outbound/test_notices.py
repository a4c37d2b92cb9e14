"""Notices are sent by the worker from stored rows: once, again after a failure, and not for ever."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from server.outbound.messenger import Message
from server.outbound.notices import Notices
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Channel, Notice, Outbox, Player, Seat
from tests.server.game.test_channels import OTHER, ROOM, choose, choose_here
from tests.server.game.test_play import Table
from tests.server.web.test_news import say
from tests.services import Clock

pytestmark = pytest.mark.both


class Channels:
    """The other services: they take messages, while they are `open`."""

    def __init__(self) -> None:
        self.open = True
        self.told: list[Message] = []
        self.tried = 0

    def __call__(self, messages: Sequence[Message]) -> list[bool]:
        self.tried += len(messages)
        self.told += messages if self.open else []
        return [self.open] * len(messages)


@pytest.fixture
def others() -> Channels:
    return Channels()


@pytest.fixture
def notices(services: Services, others: Channels) -> Notices:
    return Notices(services.engine, services.sealer, "https://games.example.org", others, timedelta(hours=36))


@pytest.fixture
def table(services: Services) -> Table:
    """A game in which both have named the same channel, and have to give orders."""
    table = Table(services, "nelaxtam", size=10, troops=1, sea=0)
    for player in table.players:
        choose(services, player, ROOM)
    table.submit(0, "1 d4")
    table.submit(1, "A c4")
    return table


def left(services: Services) -> int:
    """How many notices wait."""
    with reading(services.engine) as session:
        return len(session.exec(select(Notice)).all())


def test_both_are_told_in_one_notice_by_name(
    services: Services, table: Table, notices: Notices, others: Channels
) -> None:
    assert notices.send_due(services.now()) == 1
    names = " and ".join(player.name for player in table.players)
    told = Message(
        ROOM,
        f"Nelaxtam {table.number}: your turn, {names}",
        f"Turn 2: https://games.example.org/games/{table.number}",
    )
    assert others.told == [told]
    assert notices.send_due(services.now()) == 0
    assert left(services) == 0


def test_no_order_and_nothing_said_is_told(
    services: Services, table: Table, notices: Notices, others: Channels
) -> None:
    say(services, table.number, 0, "The north is mine.")
    table.submit(0, "1 ne")
    notices.send_due(services.now())
    for message in others.told:
        assert not any(secret in f"{message.title} {message.body}" for secret in ("1 ne", "north", "d4", "c4"))


def test_what_is_over_is_not_told(services: Services, table: Table, notices: Notices, others: Channels) -> None:
    for seat, orders in enumerate(("1 hold", "A hold")):
        table.submit(seat, orders)
    notices.send_due(services.now())
    assert [message.body.partition(":")[0] for message in others.told] == ["Turn 3"]
    assert left(services) == 0


def test_what_is_not_taken_is_tried_again_ever_more_rarely(
    services: Services, clock: Clock, table: Table, notices: Notices, others: Channels
) -> None:
    others.open = False
    for minutes in (0, 1, 2, 4):
        clock.advance(minutes=minutes)
        assert notices.send_due(services.now()) == 1
        assert notices.send_due(services.now()) == 0
    others.open = True
    clock.advance(minutes=8)
    assert notices.send_due(services.now()) == 1
    assert len(others.told) == 1
    with reading(services.engine) as session:
        assert session.exec(select(Channel)).one().failing_since is None


def test_a_channel_that_takes_nothing_is_given_up_and_its_players_told(
    services: Services, clock: Clock, table: Table, notices: Notices, others: Channels
) -> None:
    choose_here(table, 1, ROOM)
    others.open = False
    while left(services):
        notices.send_due(services.now())
        clock.advance(hours=5)
    with reading(services.engine) as session:
        assert session.exec(select(Channel)).all() == []
        rows = [*session.exec(select(Player)), *session.exec(select(Seat))]
        assert {row.channel_id for row in rows} == {None}
        letters = session.exec(select(Outbox).where(Outbox.letter == "channel_closed")).all()
        said = [services.writer.text(session, letter) for letter in letters]
    assert sorted(letter.recipient for letter in letters) == sorted(player.email for player in table.players)
    assert all("took none of our notices for 1 day and 12 hours," in " ".join(text.split()) for text in said)


def test_a_channel_that_goes_meanwhile_is_told_nothing(
    services: Services, table: Table, notices: Notices, others: Channels
) -> None:
    class Overtaken(Notices):
        def _take(self, now: datetime) -> Sequence[Notice]:
            taken = super()._take(now)
            for player in table.players:
                choose(services, player, "off")
            return taken

    slow = Overtaken(services.engine, services.sealer, "", others, timedelta(days=3))
    assert slow.send_due(services.now()) == 1
    assert others.told == []
    assert left(services) == 0


def test_a_crash_gives_notices_back(
    services: Services, clock: Clock, table: Table, notices: Notices, others: Channels
) -> None:
    def crash(messages: Sequence[Message]) -> list[bool]:
        raise KeyboardInterrupt

    crashing = Notices(services.engine, services.sealer, "", crash, timedelta(days=3))
    with pytest.raises(KeyboardInterrupt):
        crashing.send_due(services.now())
    assert notices.send_due(services.now()) == 0
    clock.advance(minutes=6)
    assert notices.send_due(services.now()) == 1
    assert len(others.told) == 1


def test_a_channel_of_ones_own_is_told_apart(
    services: Services, table: Table, notices: Notices, others: Channels
) -> None:
    choose_here(table, 0, OTHER)
    for seat, orders in enumerate(("1 hold", "A hold")):
        table.submit(seat, orders)
    notices.send_due(services.now())
    assert sorted(message.address for message in others.told) == sorted([ROOM, OTHER])
    for message in others.told:
        name = table.players[0 if message.address == OTHER else 1].name
        assert message.title.endswith(f"your turn, {name}")
