"""The five computer players: each is there once, by a name of its own, whoever has which name already."""

from __future__ import annotations

import threading

import pytest
from sqlmodel import Session, col, select

from rules.strengths import LEVELS
from server.accounts import computer_players, players
from server.accounts.computer_names import COMPUTER_PLAYERS
from server.errors import BadRequest
from server.game.lobby import challenges
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player
from server.store.outbox import ActionContext
from tests.support.server.players import add_player

OWN = "play@games.example.org"
NAMES = ["Belshazzar", "Enkidu", "Amytis", "Hammurabi", "Berossus"]


def seated(session: Session) -> list[tuple[str, int | None]]:
    """The names and strengths of all computer players, the weakest first."""
    query = select(Player.name, Player.strength).where(col(Player.computer)).order_by(col(Player.strength))
    return list(session.exec(query))


def test_there_is_one_of_each_strength() -> None:
    assert [each.level for each in COMPUTER_PLAYERS] == list(LEVELS)
    assert [each.name for each in COMPUTER_PLAYERS] == NAMES


@pytest.mark.both
def test_the_court_is_there_once_whoever_asks_first(services: Services) -> None:
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


@pytest.mark.both
@pytest.mark.parametrize("taken", ["Amytis", "amytis", "Arnytis", "Amytis of Babylon"])
def test_who_has_the_name_of_one_keeps_it(services: Services, taken: str) -> None:
    ann = add_player(services, "ann@example.org", "Ann")
    with writing(services.engine) as session:
        ann = session.get_one(Player, ann.id)
        # As in a database from before there was a court.
        old = players.new_player(taken, services.now())
        ann.name, ann.name_key, ann.name_shape = old.name, old.name_key, old.name_shape
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        computer_players.create_missing(session, services.now())
        assert computer_players.by_name(action, taken) is None
        other = "Amytis" if taken.endswith("Babylon") else "Amytis of Babylon"
        assert (other, 3) in seated(session)
        named = computer_players.by_name(action, other)
        assert named is not None
        assert named.strength == 3
        ann = session.get_one(Player, ann.id)
        (challenged,) = challenges.opponents(action, taken, OWN)
        assert challenged.player is ann
        players.rename(session, ann, taken)


@pytest.mark.parametrize(
    "name", ["Berossus", "BEROSSUS", "Ber0ssus", "Веrоssus", "Hammurabi", "Amytis of Babylon", "Computer"]
)
def test_nobody_new_has_such_a_name(action: ActionContext, name: str) -> None:
    with pytest.raises(BadRequest, match=r"is taken|letters are from several scripts"):
        players.register(action, "ann@world.test", name)


@pytest.mark.parametrize(
    ("written", "name"), [("computer", "Enkidu"), ("enkidu", "Enkidu"), *zip(NAMES, NAMES, strict=True)]
)
def test_each_is_challenged_by_name(action: ActionContext, written: str, name: str) -> None:
    (invited,) = challenges.opponents(action, written, OWN)
    assert (invited.player.name, invited.player.computer) == (name, True)


def test_who_is_called_computer_is_challenged_by_that_name(action: ActionContext) -> None:
    ann = players.register(action, "ann@world.test", "Ann")
    old = players.new_player("Computer", action.now)
    ann.name, ann.name_key, ann.name_shape = old.name, old.name_key, old.name_shape
    action.session.flush()
    (invited,) = challenges.opponents(action, "computer", OWN)
    assert invited.player is ann


def test_every_process_that_begins_has_the_court_there(services: Services) -> None:
    computer_players.ensure_exist(services.engine, services.now())
    computer_players.ensure_exist(services.engine, services.now())
    with reading(services.engine) as session:
        assert computer_players.are_complete(session)
        assert [each.name for each in computer_players.list_computers(session)] == NAMES
