"""Notifications: channels of players, and notices that wait to be sent."""

from __future__ import annotations

from datetime import timedelta

from sqlmodel import select

from server.game.notifications import channels
from server.game.notifications.notification import Send
from server.outbound.notifications.sender import Notices
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Channel, Notice, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.games import TwoPlayerGame

ROOM, OTHER = "ntfys://ntfy.example.org/room", "https://discord.com/api/webhooks/12345/secret"


def choose(services: Services, player: Player, text: str) -> str:
    """Choose a channel as a player, and return the answer."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        return channels.choose(action, session.get_one(Player, player.id), text)


def choose_here(table: TwoPlayerGame, seat: int, text: str) -> str:
    """Choose a channel for one game only, and return the answer."""
    with writing(table.services.engine) as session:
        action = ActionContext(session, table.services.sealer, table.services.now())
        return channels.choose(action, session.get_one(Seat, (table.number, seat)), text)


def channel_count(services: Services) -> int:
    """Return the number of stored channels."""
    with reading(services.engine) as session:
        return len(session.exec(select(Channel)).all())


def notices_of(services: Services, send: Send, sort: type[Notices] = Notices) -> Notices:
    """Return a sender of notices that calls `send`."""
    return sort(
        engine=services.engine,
        sealer=services.sealer,
        keys=services.push_keys,
        base_url="https://games.example.org",
        contact="mailto:administrator@example.org",
        send=send,
        send_slowly=send,
        give_up=timedelta(hours=36),
    )


def notices_waiting(services: Services) -> int:
    """Return the number of waiting notices."""
    with reading(services.engine) as session:
        return len(session.exec(select(Notice)).all())
