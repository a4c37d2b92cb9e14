"""The five computer players: each exists once, with a free name."""

from __future__ import annotations

import threading

import pytest
from sqlmodel import Session, col, select

from rules.strengths import LEVELS
from server.accounts import computer_players, players
from server.accounts.computer_characters import COMPUTER_PLAYERS
from server.errors import BadRequest
from server.game.lobby import challenges
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player
from server.store.outbox import ActionContext
from tests.support.query_plans import query_plans

OWN = "play@games.example.org"
NAMES = ["Belshazzar", "Enkidu", "Amytis", "Hammurabi", "Berossus"]


def seated(session: Session) -> list[tuple[str, int | None]]:
    """Return the names and levels of all computer players, the weakest first."""
    query = select(Player.name, Player.strength).where(col(Player.computer)).order_by(col(Player.strength))
    return list(session.exec(query))


def test_every_level_has_a_computer_player() -> None:
    assert [each.level for each in COMPUTER_PLAYERS] == list(LEVELS)
    assert [each.name for each in COMPUTER_PLAYERS] == NAMES


@pytest.mark.both
def test_computer_players_are_created_once(services: Services) -> None:
    def ask() -> None:
        with writing(services.engine) as session:
            computer_players.create_missing(session, services.now())

    asking = [threading.Thread(target=ask) for _ in range(4)]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    with reading(services.engine) as session:
        assert seated(session) == list(zip(NAMES, LEVELS, strict=True))


@pytest.mark.parametrize("name", ["Berossus", "BEROSSUS", "Ber0ssus", "Веrоssus", "Hammurabi", "Computer"])
def test_new_players_cannot_take_these_names(action: ActionContext, name: str) -> None:
    with pytest.raises(BadRequest, match=r"is taken|letters are from several scripts"):
        players.register(action, "ann@world.test", name)


@pytest.mark.parametrize(
    ("written", "name"), [("computer", "Enkidu"), ("enkidu", "Enkidu"), *zip(NAMES, NAMES, strict=True)]
)
def test_computer_players_are_challenged_by_name(action: ActionContext, written: str, name: str) -> None:
    (invited,) = challenges.opponents(action, written, OWN)
    assert (invited.player.name, invited.player.computer) == (name, True)


def test_ensure_exist_creates_the_missing_computer_players(services: Services) -> None:
    computer_players.ensure_exist(services.engine, services.now())
    computer_players.ensure_exist(services.engine, services.now())
    with reading(services.engine) as session:
        assert computer_players.are_complete(session)
        assert [each.name for each in computer_players.list_computers(session)] == NAMES


def test_computer_players_are_found_without_reading_all_players(services: Services) -> None:
    with reading(services.engine) as session:
        [plan] = query_plans(services.engine, lambda: computer_players.members(session))
    assert not plan.scans
