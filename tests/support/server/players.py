"""Players: Ann, Ben, Cleo, and others."""

from __future__ import annotations

import pytest
from sqlmodel import select

from server.accounts import players
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Player
from server.store.outbox import ActionContext


@pytest.fixture
def ann(services: Services) -> Player:
    """A player."""
    return add_player(services, "ann@example.org", "Ann")


@pytest.fixture
def ben(services: Services) -> Player:
    """Another player."""
    return add_player(services, "ben@example.org", "Ben")


@pytest.fixture
def cleo(services: Services) -> Player:
    """A third player."""
    return add_player(services, "cleo@example.org", "Cleo")


def add_player(services: Services, email: str, name: str) -> Player:
    """Return a new registered player."""
    with writing(services.engine) as session:
        return players.register(ActionContext(session, services.sealer, services.now()), email, name)


def mail_every_turn(services: Services, *who: Player) -> None:
    """Make these players, or all players, get email about every turn, including their own."""
    with writing(services.engine) as session:
        for player in session.exec(select(Player)):
            if not who or player.id in {each.id for each in who}:
                player.choices = {**player.choices, "mail": "every turn"}
