"""Channels of other services in which players are notified of their turns."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from apprise import Apprise
from sqlmodel import select

from server.errors import BadRequest
from server.game.notifications.services import service_at
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Channel, Notice, Seat
from tests.support.server.games import TwoPlayerGame
from tests.support.server.notifications import OTHER, ROOM, channel_count, choose, choose_here


def called(services: Services) -> list[tuple[int, list[int]]]:
    """Return the waiting notices: their turns and seats."""
    with reading(services.engine) as session:
        return [(notice.turn, notice.seats) for notice in session.exec(select(Notice))]


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
@pytest.mark.parametrize(
    ("address", "service"),
    [
        (ROOM, "ntfy"),
        (OTHER, "Discord"),
        ("https://hooks.slack.com/services/T1/B1/xyz", "Slack"),
        ("https://ntfy.sh/my-games", "ntfy"),
        ("discord://12345/secret", "Discord"),
        ("slack://T1/B1/xyz/#games", "Slack"),
        ("matrixs://user:word@matrix.example.org/#room", "Matrix"),
        ("tgram://123456:abc/78910", "Telegram"),
        ("tgram://bot123456:AB-c_d/-100123", "Telegram"),
        ("tgram://123456:abc/@games:12", "Telegram"),
        ("https://discordapp.com/api/webhooks/12345/secret/", "Discord"),
        ("slack://T1/B1/xyz", "Slack"),
        ("slack://xoxb-1234-abc/#games", "Slack"),
        ("matrix://matrix.example.org:8448/!room:example.org", "Matrix"),
        ("ntfy://ann:word@ntfy.example.org:80/room", "ntfy"),
        ("ntfys://room", "ntfy"),
    ],
)
def test_addresses_of_known_services_are_accepted(
    services: Services, table: TwoPlayerGame, address: str, service: str
) -> None:
    assert Apprise.instantiate(address) is not None
    assert (
        choose(services, table.players[0], f" {address} ")
        == f"When it is your turn, {service} will notify you."
    )


@pytest.mark.parametrize(
    "address",
    [
        "",
        "yes",
        "ntfy",
        "mailto://ann:word@example.org",
        "file:///etc/passwd",
        "exec://sh",
        "json://example.org",
        "https://example.org/api",
        "http://ntfy.sh/games",
    ],
)
def test_invalid_addresses_are_refused(services: Services, table: TwoPlayerGame, address: str) -> None:
    with pytest.raises(BadRequest, match=r"Write the address of"):
        choose(services, table.players[0], address)
    assert channel_count(services) == 0


@pytest.mark.parametrize(
    ("address", "like"),
    [
        ("https://discord.com/channels/123/456", "https://discord.com/api/webhooks/ID/TOKEN"),
        ("https://discord.com.example.org/api/webhooks/1/x", "https://discord.com/api/webhooks/ID/TOKEN"),
        ("https://discord.com@example.org/api/webhooks/1/x", "https://discord.com/api/webhooks/ID/TOKEN"),
        ("https://discord.com/api/webhooks/1/x/slack", "https://discord.com/api/webhooks/ID/TOKEN"),
        ("discord://x", "https://discord.com/api/webhooks/ID/TOKEN"),
        ("https://hooks.slack.com/foo", "https://hooks.slack.com/services/"),
        ("slack://x", "https://hooks.slack.com/services/"),
        ("slack://x/y", "https://hooks.slack.com/services/"),
        ("slack://T1/B1/xyz?template=/etc/passwd", "https://hooks.slack.com/services/"),
        ("matrixs://hookid", "matrixs://USER:PASSWORD@HOST/#ROOM"),
        ("tgram://x", "tgram://BOT_TOKEN/CHAT"),
        ("tgram://123456:abc/!!", "tgram://BOT_TOKEN/CHAT"),
        ("https://ntfy.sh/", "https://ntfy.sh/TOPIC"),
        ("https://ntfy.sh/one/two", "https://ntfy.sh/TOPIC"),
        ("ntfys://ntfy.example.org", "https://ntfy.sh/TOPIC"),
        ("ntfys://ntfy.example.org/room?verify=no", "https://ntfy.sh/TOPIC"),
        ("ntfys://ntfy.sh/t,json://example.org/p,mailto://u:p@gmail.com", "https://ntfy.sh/TOPIC"),
        ("ntfys://ann,json://x@ntfy.sh/t", "https://ntfy.sh/TOPIC"),
        ("ntfys://ntfy.sh/t;json://example.org/p", "https://ntfy.sh/TOPIC"),
        (f"{ROOM} {OTHER}", "https://ntfy.sh/TOPIC"),
        (f"ntfys://{'x' * 500}@ntfy.example.org/room", "https://ntfy.sh/TOPIC"),
    ],
)
def test_refusal_of_an_address_shows_examples(
    services: Services, table: TwoPlayerGame, address: str, like: str
) -> None:
    with pytest.raises(BadRequest, match=re.escape(like)):
        choose(services, table.players[0], address)
    assert channel_count(services) == 0


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("ntfy://ntfy.example.org:8080/room", "Nabu notifies ntfy at port 80 or 443 only."),
        ("ntfys://ann:word@ntfy.example.org:22/room", "Nabu notifies ntfy at port 80 or 443 only."),
        ("ntfys://ntfy.example.org:8448/room", "Nabu notifies ntfy at port 80 or 443 only."),
        ("ntfys://[2001:db8::1]:70000/room", "Nabu notifies ntfy at port 80 or 443 only."),
        ("matrixs://u:p@matrix.example.org:25/#room", "Nabu notifies Matrix at port 80, 443 or 8448 only."),
    ],
)
def test_addresses_with_other_ports_are_refused(address: str, sentence: str) -> None:
    with pytest.raises(BadRequest, match=f"{sentence} Leave the port out"):
        service_at(address)


def test_player_to_move_is_notified(services: Services, table: TwoPlayerGame) -> None:
    choose(services, table.players[0], ROOM)
    table.submit(0, "c3")
    assert called(services) == [], "the other player has no channel"
    table.submit(1, "a1")
    assert called(services) == [(3, [0])]


def test_players_with_the_same_channel_are_notified_together(services: Services, island: TwoPlayerGame) -> None:
    for player in island.players:
        choose(services, player, ROOM)
    island.submit(0, "1 d4")
    assert called(services) == [], "no turn has begun"
    island.submit(1, "A c4")
    assert called(services) == [(2, [0, 1])]
    assert channel_count(services) == 1


def test_game_can_have_its_own_channel(services: Services, island: TwoPlayerGame) -> None:
    for player in island.players:
        choose(services, player, ROOM)
    choose_here(island, 1, OTHER)
    island.submit(0, "1 d4")
    island.submit(1, "A c4")
    assert sorted(called(services)) == [(2, [0]), (2, [1])]


def test_muted_game_sends_no_notification(services: Services, table: TwoPlayerGame) -> None:
    choose(services, table.players[0], ROOM)
    with writing(services.engine) as session:
        session.get_one(Seat, (table.number, 0)).muted_until = services.now() + timedelta(days=9)
    table.submit(0, "c3")
    table.submit(1, "a1")
    assert called(services) == []


def test_unused_channel_is_deleted(services: Services, table: TwoPlayerGame) -> None:
    ann, ben = table.players
    for player in (ann, ben):
        choose(services, player, ROOM)
    choose_here(table, 0, ROOM)
    table.submit(0, "c3")
    assert choose(services, ann, "off") == "You will no longer be notified in any channel."
    choose(services, ben, OTHER)
    assert channel_count(services) == 2
    choose_here(table, 0, "off")
    assert channel_count(services) == 1
    assert called(services) == []


def test_addresses_are_not_readable_in_the_database(services: Services, table: TwoPlayerGame) -> None:
    choose(services, table.players[0], OTHER)
    with reading(services.engine) as session:
        assert "secret" not in repr(session.exec(select(Channel)).one())
