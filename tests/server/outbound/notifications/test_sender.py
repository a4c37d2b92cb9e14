"""The worker sends stored notifications: once, again after a failure, but not for ever."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pytest
from sqlmodel import select

from server.accounts import push_subscriptions
from server.errors import BadRequest
from server.game.notifications.notification import NotificationMessage, Push, SendingOutcome
from server.outbound.notifications.sender import Notices
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.keys.sealing import PushKeys
from server.store.models import Browser, Channel, Notice, Outbox, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.games import TwoPlayerGame, begin, say
from tests.support.server.notifications import OTHER, ROOM, choose, choose_here, notices_of, notices_waiting
from tests.support.server.services import Clock
from tests.support.web.push_service import Device


class Channels:
    """Fake services, which accept messages while they are `open`."""

    def __init__(self) -> None:
        self.outcome = SendingOutcome.TAKEN
        self.told: list[NotificationMessage] = []
        self.pushed: list[Push] = []

    def __call__(self, messages: Sequence[NotificationMessage | Push]) -> list[SendingOutcome]:
        for message in messages if self.outcome is SendingOutcome.TAKEN else ():
            if isinstance(message, Push):
                self.pushed.append(message)
            else:
                self.told.append(message)
        return [self.outcome] * len(messages)


@pytest.fixture
def others() -> Channels:
    return Channels()


@pytest.fixture
def notices(services: Services, others: Channels) -> Notices:
    return notices_of(services, others)


@pytest.fixture
def table(services: Services) -> TwoPlayerGame:
    """Return a game with orders in which both players use the same channel."""
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0)
    for player in table.players:
        choose(services, player, ROOM)
    table.submit(0, "1 d4")
    table.submit(1, "A c4")
    return table


@pytest.mark.both
def test_shared_channel_gets_one_notification_with_names(
    services: Services, table: TwoPlayerGame, notices: Notices, others: Channels
) -> None:
    assert notices.send_due(services.now()) == 1
    names = " and ".join(player.name for player in table.players)
    told = NotificationMessage(
        ROOM,
        f"Nelaxtam {table.number}: your turn, {names}",
        f"Turn 2: https://games.example.org/games/{table.number}",
        "ntfy",
    )
    assert others.told == [told]
    assert notices.send_due(services.now()) == 0
    assert notices_waiting(services) == 0


def test_notification_contains_no_orders_and_no_messages(
    services: Services, table: TwoPlayerGame, notices: Notices, others: Channels
) -> None:
    say(services, table.number, 0, "The north is mine.")
    table.submit(0, "1 ne")
    notices.send_due(services.now())
    for message in others.told:
        assert not any(secret in f"{message.title} {message.body}" for secret in ("1 ne", "north", "d4", "c4"))


def test_outdated_notification_is_not_sent(
    services: Services, table: TwoPlayerGame, notices: Notices, others: Channels
) -> None:
    for seat, orders in enumerate(("1 hold", "A hold")):
        table.submit(seat, orders)
    notices.send_due(services.now())
    assert [message.body.partition(":")[0] for message in others.told] == ["Turn 3"]
    assert notices_waiting(services) == 0


def test_refused_notification_is_retried_at_growing_intervals(
    services: Services, clock: Clock, table: TwoPlayerGame, notices: Notices, others: Channels
) -> None:
    others.outcome = SendingOutcome.LATER
    for minutes in (0, 1, 2, 4):
        clock.advance(minutes=minutes)
        assert notices.send_due(services.now()) == 1
        assert notices.send_due(services.now()) == 0
    others.outcome = SendingOutcome.TAKEN
    clock.advance(minutes=8)
    assert notices.send_due(services.now()) == 1
    assert len(others.told) == 1
    with reading(services.engine) as session:
        assert session.exec(select(Channel)).one().failing_since is None


def test_channel_that_accepts_nothing_is_deleted_and_its_players_notified(
    services: Services, clock: Clock, table: TwoPlayerGame, notices: Notices, others: Channels
) -> None:
    choose_here(table, 1, ROOM)
    others.outcome = SendingOutcome.LATER
    while notices_waiting(services):
        notices.send_due(services.now())
        clock.advance(hours=5)
    with reading(services.engine) as session:
        assert session.exec(select(Channel)).all() == []
        rows = [*session.exec(select(Player)), *session.exec(select(Seat))]
        assert {row.channel_id for row in rows} == {None}
        letters = session.exec(select(Outbox).where(Outbox.letter == "channel_closed")).all()
        said = [services.writer.text(session, letter) for letter in letters]
    assert sorted(letter.recipient for letter in letters) == sorted(player.email for player in table.players)
    assert all(
        "has accepted no notification for 1 day and 12 hours," in " ".join(text.split()) for text in said
    )


def test_deleted_channel_gets_nothing(
    services: Services, table: TwoPlayerGame, notices: Notices, others: Channels
) -> None:
    class Overtaken(Notices):
        def _take(self, now: datetime, *, in_slow_lane: bool) -> Sequence[Notice]:
            taken = super()._take(now, in_slow_lane=in_slow_lane)
            for player in table.players:
                choose(services, player, "off")
            return taken

    slow = notices_of(services, others, Overtaken)
    assert slow.send_due(services.now()) == 1
    assert others.told == []
    assert notices_waiting(services) == 0


@pytest.mark.both
def test_crash_releases_notifications(
    services: Services, clock: Clock, table: TwoPlayerGame, notices: Notices, others: Channels
) -> None:
    def crash(messages: Sequence[NotificationMessage | Push]) -> list[SendingOutcome]:
        raise KeyboardInterrupt

    crashing = notices_of(services, crash)
    with pytest.raises(KeyboardInterrupt):
        crashing.send_due(services.now())
    assert notices.send_due(services.now()) == 0
    clock.advance(minutes=6)
    assert notices.send_due(services.now()) == 1
    assert len(others.told) == 1


def test_channel_chosen_for_one_game_is_notified_separately(
    services: Services, table: TwoPlayerGame, notices: Notices, others: Channels
) -> None:
    choose_here(table, 0, OTHER)
    for seat, orders in enumerate(("1 hold", "A hold")):
        table.submit(seat, orders)
    notices.send_due(services.now())
    assert sorted(message.address for message in others.told) == sorted([ROOM, OTHER])
    for message in others.told:
        name = table.players[0 if message.address == OTHER else 1].name
        assert message.title.endswith(f"your turn, {name}")


def test_undecryptable_channel_does_not_block_others(
    services: Services,
    clock: Clock,
    table: TwoPlayerGame,
    notices: Notices,
    others: Channels,
    caplog: pytest.LogCaptureFixture,
) -> None:
    choose_here(table, 0, OTHER)
    play_on(table)
    with writing(services.engine) as session:
        session.exec(select(Channel).where(Channel.service == "Discord")).one().sealed = b"nothing"
    notices.send_due(services.now())
    assert [message.address for message in others.told] == [ROOM]
    while notices_waiting(services):
        clock.advance(hours=5)
        notices.send_due(services.now())
    assert caplog.text.count("cannot decrypt channel") == 1
    assert len(put_away(services, "channel_closed")) == 1


def test_undecryptable_browser_does_not_block_others(
    services: Services, clock: Clock, table: TwoPlayerGame, device: Device, notices: Notices, others: Channels
) -> None:
    with writing(services.engine) as session:
        browser = session.exec(select(Browser)).one()
        session.get_one(Channel, browser.channel_id).sealed = b"nothing"
    for _ in range(2):
        play_on(table)
        notices.send_due(services.now())
    assert [message.address for message in others.told] == [ROOM] * 2


@pytest.fixture
def device(services: Services, table: TwoPlayerGame) -> Device:
    """Return a browser in which the first player gets notifications, instead of the channel."""
    device = Device("https://push.example.com/send/abc")
    choose(services, table.players[0], "off")
    allow(services, table.players[0], device)
    return device


def allow(services: Services, player: Player, device: Device, login: int = 1) -> None:
    """Turn on notifications for a player in a browser."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        given = device.subscription(services.push_keys.public)
        push_subscriptions.remember(
            action,
            session.get_one(Player, player.id),
            login,
            "Firefox on Android",
            push_subscriptions.check(given),
        )


def play_on(table: TwoPlayerGame) -> None:
    """Start the next turn."""
    for seat, orders in enumerate(("1 hold", "A hold")):
        table.submit(seat, orders)


def known(services: Services) -> list[Browser]:
    """Return all browsers."""
    with reading(services.engine) as session:
        found = list(session.exec(select(Browser)))
        channels = session.exec(select(Channel).where(Channel.service == "Firefox on Android")).all()
        assert len(channels) == len(found)
        return found


def put_away(services: Services, letter: str) -> list[str]:
    """Return the texts of the letters of this name."""
    with reading(services.engine) as session:
        rows = session.exec(select(Outbox).where(Outbox.letter == letter)).all()
        return [" ".join(services.writer.text(session, row).split()) for row in rows]


def test_browser_gets_the_same_text_as_a_channel(
    services: Services, table: TwoPlayerGame, device: Device, notices: Notices, others: Channels
) -> None:
    play_on(table)
    assert known(services)[0].told_at is None
    assert notices.send_due(services.now()) == 3, "one is about the turn before"
    (push,), (message,) = others.pushed, others.told
    ann, ben = (player.name for player in table.players)
    said = json.loads(push.content)
    assert said == {
        "title": f"Nelaxtam {table.number}: your turn, {ann}",
        "body": f"Turn 3, against {ben}, until Wed 12:00 UTC.",
        "tag": f"game-{table.number}",
        "waiting": 1,
        "page": f"/games/{table.number}",
    }
    assert message.title == said["title"].replace(ann, ben)
    given = device.subscription(services.push_keys.public)
    assert (push.endpoint, push.p256dh, push.auth) == (given.endpoint, given.p256dh, given.auth)
    assert push.key == services.push_keys.private(services.push_keys.public)
    assert push.contact == "mailto:administrator@example.org"
    assert (push.seconds, push.urgent) == (3 * 24 * 3600, False)
    assert known(services)[0].told_at == services.now()
    assert notices_waiting(services) == 0


@pytest.mark.both
def test_topic_is_unique_for_each_game_and_names_none(
    services: Services, clock: Clock, table: TwoPlayerGame, device: Device, notices: Notices, others: Channels
) -> None:
    for _ in range(2):
        play_on(table)
        notices.send_due(services.now())
    begin(services, "nelaxtam", *table.players, size=10, troops=1, sea=0)
    notices.send_due(services.now())
    assert len(others.pushed) == 3
    assert others.pushed[0].topic == others.pushed[1].topic
    topics = {json.loads(push.content)["tag"]: push.topic for push in others.pushed}
    assert len(topics) == len(set(topics.values())) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", topic) for topic in topics.values())


def test_notification_with_little_time_left_is_urgent(
    services: Services, clock: Clock, table: TwoPlayerGame, device: Device, notices: Notices, others: Channels
) -> None:
    play_on(table)
    clock.advance(hours=71, minutes=58)
    notices.send_due(services.now())
    (push,) = others.pushed
    assert push.urgent
    assert push.seconds == 600


def test_browser_that_is_gone_is_deleted_silently(
    services: Services, table: TwoPlayerGame, device: Device, notices: Notices, others: Channels
) -> None:
    play_on(table)
    others.outcome = SendingOutcome.GONE
    notices.send_due(services.now())
    assert known(services) == []
    assert put_away(services, "browser_closed") == []


def test_browser_that_accepts_nothing_is_deleted_and_its_player_notified(
    services: Services, clock: Clock, table: TwoPlayerGame, device: Device, notices: Notices, others: Channels
) -> None:
    choose(services, table.players[1], "off")
    play_on(table)
    others.outcome = SendingOutcome.LATER
    for minutes in (0, 1, 2, 4):
        clock.advance(minutes=minutes)
        assert notices.send_due(services.now()) == 1
    while notices_waiting(services):
        clock.advance(hours=5)
        notices.send_due(services.now())
    assert known(services) == []
    (letter,) = put_away(services, "browser_closed")
    assert "Firefox on Android has accepted no notification for 1 day and 12 hours" in letter


def test_browser_with_another_key_is_deleted_immediately(
    services: Services, table: TwoPlayerGame, device: Device, notices: Notices, others: Channels
) -> None:
    older = replace(notices, keys=PushKeys(["n" * 32, services.settings.secret_key]))
    newer = replace(notices, keys=PushKeys(["n" * 32]))
    play_on(table)
    older.send_due(services.now())
    assert len(others.pushed) == 1, "as long as the old key is set, it is used"
    play_on(table)
    newer.send_due(services.now())
    assert len(others.pushed) == 1
    assert known(services) == []
    assert len(put_away(services, "browser_closed")) == 1
    play_on(table)
    newer.send_due(services.now())
    (letter,) = put_away(services, "browser_closed")
    assert "This server has a new key" in letter


def test_browser_is_tested_with_a_neutral_notification(
    services: Services, clock: Clock, table: TwoPlayerGame, device: Device, notices: Notices, others: Channels
) -> None:
    def try_out() -> None:
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, services.now())
            push_subscriptions.try_out(action, session.exec(select(Browser)).one())

    notices.send_due(services.now())
    others.pushed.clear()
    try_out()
    with pytest.raises(BadRequest, match="just sent"):
        try_out()
    notices.send_due(services.now())
    (push,) = others.pushed
    assert json.loads(push.content)["page"] == "/settings"
    with pytest.raises(BadRequest, match="just sent"):
        try_out()
    clock.advance(minutes=1)
    try_out()


def test_browser_notification_contains_nothing_secret(
    services: Services, table: TwoPlayerGame, device: Device, notices: Notices, others: Channels
) -> None:
    say(services, table.number, 0, "The north is mine.")
    play_on(table)
    table.submit(0, "1 ne")
    notices.send_due(services.now())
    (push,) = others.pushed
    assert not any(secret in push.content for secret in ("1 ne", "north", "d4", "c4", "hold"))
