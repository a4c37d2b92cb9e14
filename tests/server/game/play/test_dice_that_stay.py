"""Dice stay when another player leaves: a game of three, played, proved and repaired."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.records.record import Record
from rules.records.verification import verify
from rules.registry import RULES
from server.game.integrity import log_check
from server.game.log import log, randomness
from server.game.play import moves
from server.game.play.target import Target
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game
from server.store.outbox import ActionContext
from tests.support.records.forgery import Case
from tests.support.records.recorded_games import begun, open_games
from tests.support.rules.toy_games import Race
from tests.support.server.damage import is_clean, write_raw


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    """Services with a simple race game."""
    monkeypatch.setitem(RULES, Race.name, Race())
    with open_games(tmp_path) as services:
        yield services


def begin(services: Services) -> int:
    """Start a race; the first player has moved and the second one's die is rolled. Return its number."""
    with writing(services.engine) as session:
        number = log.id_of(begun(ActionContext(session, services.sealer, services.now()), "race", {}, 1))
    move(services, number, 0)
    return number


def move(services: Services, number: int, seat: int, text: str = "go") -> None:
    """Move or leave as a seat."""
    with writing(services.engine) as session:
        action, game = ActionContext(session, services.sealer, services.now()), session.get_one(Game, number)
        player, target = log.seats(session, game)[seat].player, Target(number, seat, game.turn)
        if text == "leave":
            moves.resign(action, player, target)
        else:
            moves.submit(action, player, target, text)


def rolled(services: Services, number: int) -> list[int] | None:
    """Return the dice of the current turn."""
    with reading(services.engine) as session:
        return session.get_one(Game, number).rolled


def record(services: Services, number: int) -> Record:
    """Return the public record of the game."""
    with reading(services.engine) as session:
        return log.record(session, session.get_one(Game, number))


def to_the_end(services: Services, number: int) -> Record:
    """Return the record once a player has finished the race."""
    while (found := record(services, number)).result is None:
        with reading(services.engine) as session:
            position = log.position_of(session.get_one(Game, number))
        move(services, number, position.to_move)
    return found


@pytest.mark.parametrize("leaving", [(2,), (0,), (2, 0)])
def test_kept_dice_are_proved_by_the_turn_that_rolled_them(
    services: Services, leaving: tuple[int, ...]
) -> None:
    number = begin(services)
    before = rolled(services, number)
    for seat in leaving:
        move(services, number, seat, "leave")
        assert rolled(services, number) == before
        assert is_clean(services, number)
    move(services, number, 1)
    assert is_clean(services, number)
    found = to_the_end(services, number)
    assert found.turns[1 + len(leaving)].to_json()["dice"] == before
    assert verify(found.to_json()).wrong is None


def test_other_dice_after_another_player_left_are_found_as_a_forgery(services: Services) -> None:
    number = begin(services)
    move(services, number, 2, "leave")
    honest = json.loads(to_the_end(services, number).to_json())
    (stayed,) = honest["turns"][2]["dice"]
    for die in {1, 2, 3, 4, 5, 6} - {stayed}:
        forged = Case(honest, honest)
        forged.turns[2]["line"]["dice"] = [die]
        forged.everywhere()
        complaint = verify(forged.text).wrong
        assert complaint is not None
        assert complaint.startswith("dice: Turn 3 has different dice")


def test_game_can_be_verified_after_the_player_with_rolled_dice_leaves(services: Services) -> None:
    number = begin(services)
    move(services, number, 1, "leave")
    assert is_clean(services, number)
    assert verify(to_the_end(services, number).to_json()).wrong is None


def test_damaged_position_gets_its_dice_back(services: Services) -> None:
    number = begin(services)
    before = rolled(services, number)
    move(services, number, 2, "leave")
    for column, value in (("position", "7"), ("rolled", "[7]")):
        write_raw(services, "game", column, value, f"id = {number}")
        with reading(services.engine) as session:
            game = session.get_one(Game, number)
            randomness.rebuild_if_damaged(services.sealer, game, log.seats(session, game))
            assert game.rolled == before
            assert log.position_of(game).die == (before or [])[0]
        assert not is_clean(services, number)
        assert not log_check.repair(services.engine, services.sealer, number, services.now())
        assert is_clean(services, number)
    move(services, number, 1)
    assert is_clean(services, number)
