"""A damaged position is rebuilt from the log; nothing is appended to a damaged log."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest
from click.testing import CliRunner
from flask import Flask
from sqlmodel import select

from rules.records.record import replay
from rules.registry import RULES
from server.cli import nabu
from server.errors import Damaged
from server.game.log import checksums, log, randomness
from server.game.play import moves
from server.game.play.target import Target
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Failure, Game, Player
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.server.damage import DAMAGES, change_hash, garble_body, write_raw
from tests.support.server.emails import receive
from tests.support.server.games import begin, load_game, submit, tick
from tests.support.server.services import Clock, environment_of
from tests.support.web.client import logged_in, readable

pytestmark = pytest.mark.usefixtures("failures_meant")
CITY = "nebuchadnezzar"
MOVES = ("c3", "d4", "b2")


@pytest.fixture
def city(services: Services, ann: Player, ben: Player) -> int:
    """A game in which three moves were made."""
    number = begin(services, CITY, ann, ben, size=5)
    for turn, move in enumerate(MOVES):
        submit(services, number, turn % 2, move)
    return number


def garbled(services: Services, game: Game) -> str:
    """Return a text that cannot be parsed; PostgreSQL would not accept it."""
    return json.dumps(game.position)[:40] if services.engine.dialect.name == "sqlite" else "7"


def flipped(services: Services, game: Game) -> str:
    """Return a position with one more stone, which looks valid."""
    first, *rows = game.position["rows"]
    stone = rows[1][2]
    assert stone != first[4]
    return json.dumps({**game.position, "rows": [first[:4] + stone, *rows]})


def earlier(services: Services, game: Game) -> str:
    """Return the position of an earlier turn."""
    with reading(services.engine) as session:
        return json.dumps(log.turn(session, game, 1).position)


def of_another_game(services: Services, game: Game) -> str:
    return '{"broken": 1}'


Fault = Callable[[Services, Game], str]
every_fault = pytest.mark.parametrize("fault", [garbled, flipped, earlier, of_another_game])


def is_as_played(services: Services, number: int) -> bool:
    """Return whether the stored position is that of the log."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        played = replay(log.record(session, game))
        assert played.error is None
        return game.position == played.rules.write(played.position) and checksums.fits(game)


# Positions


@pytest.mark.slow
@every_fault
def test_changed_position_is_rebuilt(
    services: Services, app: Flask, ann: Player, city: int, fault: Fault
) -> None:
    browser = logged_in(app, services, ann)
    before = browser.text(f"/games/{city}")
    value = fault(services, load_game(services, city))
    write_raw(services, "game", "position", value, f"id = {city}")
    write_raw(services, "entry", "position", value, f"game_id = {city} AND turn >= 2")
    assert browser.text(f"/games/{city}") == before
    assert CliRunner().invoke(nabu, ["export", str(city)], env=environment_of(services.settings)).exit_code == 0
    submit(services, city, 1, "e1")
    assert is_as_played(services, city)
    write_raw(services, "game", "position", value, f"id = {city}")
    write_raw(services, "entry", "position", value, f"game_id = {city} AND turn >= 2")
    token = ReplyToken(city, 0, 5)
    (answer, *_) = receive(
        services, seated(services, city, 0), services.delivery().writer.reply_address(token), "e5"
    )
    assert answer.letter == "report"
    assert is_as_played(services, city)


def seated(services: Services, number: int, seat: int) -> str:
    """Return the address of a seat's player."""
    with reading(services.engine) as session:
        return log.seats(session, load_game(services, number))[seat][1].email


@pytest.mark.parametrize(("column", "value"), [("memory", '["x"]'), ("rolled", "[1]"), ("checksum", "x" * 64)])
def test_changed_memory_dice_and_checksum_are_rebuilt(
    services: Services, city: int, column: str, value: str
) -> None:
    write_raw(services, "game", column, value, f"id = {city}")
    submit(services, city, 1, "e1")
    assert is_as_played(services, city)
    assert load_game(services, city).rolled is None


def other_dice(rolled: list[int] | None) -> str:
    """Return other dice, in stored form."""
    return "[5, 4]" if rolled == [6, 6] else "[6, 6]"


@pytest.mark.parametrize(("column", "value"), [("rolled", None), ("position", "7"), ("checksum", "x" * 64)])
def test_changed_dice_are_rolled_again_from_the_seed(
    services: Services, app: Flask, ann: Player, ben: Player, column: str, value: str | None
) -> None:
    number = begin(services, "nardshir", ann, ben)
    before = load_game(services, number)
    browser = logged_in(app, services, ann)
    page = browser.text(f"/games/{number}")
    write_raw(services, "game", column, value or other_dice(before.rolled), f"id = {number}")
    assert browser.text(f"/games/{number}") == page
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        randomness.rebuild_if_damaged(services.sealer, game, log.seats(session, game))
        assert (game.rolled, game.position) == (before.rolled, before.position)


def test_dice_without_the_seed_count_only_with_their_checksum(
    services: Services, ann: Player, ben: Player
) -> None:
    number = begin(services, "nardshir", ann, ben)
    before = load_game(services, number)
    write_raw(services, "game", "position", "7", f"id = {number}")
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        log.rebuild_if_damaged(game)
        assert (game.rolled, game.position) == (before.rolled, before.position)
    write_raw(services, "game", "rolled", other_dice(before.rolled), f"id = {number}")
    with reading(services.engine) as session, pytest.raises(Damaged):
        log.rebuild_if_damaged(session.get_one(Game, number))


def test_rebuilt_position_is_no_failure(services: Services, clock: Clock, ann: Player, city: int) -> None:
    write_raw(services, "game", "position", "7", f"id = {city}")
    tick(services, clock, days=3)
    with reading(services.engine) as session:
        assert session.exec(select(Failure)).all() == []


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("game_type", RULES)
def test_stored_positions_match_in_every_game(
    services: Services, ann: Player, ben: Player, game_type: str
) -> None:
    below = random.Random(game_type).randrange
    number = begin(services, game_type, ann, ben)
    for _ in range(12):
        with writing(services.engine) as session:
            game = session.get_one(Game, number)
            assert game.checksum is not None
            assert checksums.fits(game)
            if game.state == "over":
                break
            rules, position = log.rules_of(game), log.position_of(game)
            for seat in rules.to_move(position):
                _, player = log.seats(session, game)[seat]
                move = rules.format(rules.sample(position, seat, below))
                moves.submit(
                    ActionContext(session, services.sealer, services.now()),
                    player,
                    Target(number, seat, game.turn),
                    move,
                )
    with reading(services.engine) as session:
        entries = log.entries(session, session.get_one(Game, number))
        assert all(entry.checksum and checksums.entry_fits(entry) for entry in entries if entry.position)


# The log


every_damage = pytest.mark.parametrize("damage", DAMAGES)


def entries(services: Services, number: int) -> int:
    with reading(services.engine) as session:
        return len(log.entries(session, load_game(services, number)))


@pytest.mark.sample(2)
@pytest.mark.slow
@every_damage
def test_changed_log_accepts_no_entries(
    services: Services, app: Flask, clock: Clock, city: int, damage: Callable[[Services, int], None]
) -> None:
    damage(services, city)
    before = entries(services, city)
    with pytest.raises(Damaged):
        submit(services, city, 1, "e1")
    token = ReplyToken(city, 1, 4)
    (answer,) = receive(
        services, seated(services, city, 1), services.delivery().writer.reply_address(token), "e1"
    )
    assert (answer.letter, answer.to) == ("refusal", seated(services, city, 1))
    assert f"The log of game {city} is damaged, so Nabu did nothing." in answer.words
    with reading(services.engine) as session:
        (failure,) = session.exec(select(Failure)).all()
    assert (failure.job, failure.game_id) == ("playing", city)
    assert failure.what.startswith("Damaged: ")
    tick(services, clock, days=30)  # and no player loses on time
    assert load_game(services, city).state == "running"
    assert entries(services, city) == before


def test_page_reports_a_changed_log(services: Services, app: Flask, ben: Player, city: int) -> None:
    change_hash(services, city)
    with reading(services.engine) as session:
        (player,) = [
            player for seat, player in log.seats(session, load_game(services, city)) if seat.number == 1
        ]
    answer = logged_in(app, services, player).send(f"/games/{city}/move", turn=4, move="e1")
    assert answer.status_code == 409
    assert f"The log of game {city} is damaged" in readable(answer)


def test_export_of_a_changed_log_prints_no_traceback(services: Services, city: int) -> None:
    garble_body(services, city)
    done = CliRunner().invoke(nabu, ["export", str(city)], env=environment_of(services.settings))
    assert done.exit_code == 1
    assert done.stderr.startswith(f"Error: The log of game {city} is damaged")


def test_position_is_not_rebuilt_from_a_changed_log(services: Services, city: int) -> None:
    """The change is so far back that no turn checks it."""
    body = json.dumps({"type": "turn", "turn": 1, "line": {"seat": 0, "move": "b1"}})
    write_raw(services, "entry", "body", body, f"game_id = {city} AND turn = 1")
    write_raw(services, "game", "position", "7", f"id = {city}")
    with reading(services.engine) as session, pytest.raises(Damaged):
        log.position_of(session.get_one(Game, city))


def test_position_is_not_rebuilt_with_damaged_options(services: Services, city: int) -> None:
    for column, value in (("position", "7"), ("options", "{}")):
        write_raw(services, "game", column, value, f"id = {city}")
    with reading(services.engine) as session, pytest.raises(Damaged) as damage:
        log.position_of(session.get_one(Game, city))
    assert damage.value.what == "it cannot be replayed: KeyError"
