"""The log is the truth: a changed position is made anew from it, and a changed log grows no more."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest
from click.testing import CliRunner
from flask import Flask
from sqlalchemy import delete
from sqlmodel import col, select

from rules.records.record import replay
from rules.registry import KINDS
from server.cli import nabu
from server.errors import Damaged
from server.game import log, play, positions, randomness
from server.game.play import Place
from server.processes.services import Office
from server.store.db import reading, writing
from server.store.models import Entry, Game, Player, Trouble
from server.store.outbox import Post
from server.store.tokens import ReplyToken
from tests.offices import Clock
from tests.server.browsers import begin, logged_in, readable, submit
from tests.server.outbound.test_time_letters import tick
from tests.server.written import receive

pytestmark = pytest.mark.usefixtures("troubles_meant")
CITY = "nebuchadnezzar"
MOVES = ("c3", "d4", "b2")


@pytest.fixture
def city(office: Office, ann: Player, ben: Player) -> int:
    """A game in which three moves were made."""
    number = begin(office, CITY, ann, ben, size=5)
    for turn, move in enumerate(MOVES):
        submit(office, number, turn % 2, move)
    return number


def game_of(office: Office, number: int) -> Game:
    with reading(office.engine) as session:
        return session.get_one(Game, number)


def store(office: Office, table: str, column: str, value: str, condition: str) -> None:
    """Write into the database behind everybody's back."""
    is_text = office.engine.dialect.name == "sqlite" or column in ("checksum", "hash", "head")
    value = f"'{value}'" if is_text else f"'{value}'::json"
    with office.engine.execution_options(writing=True).begin() as connection:
        connection.exec_driver_sql(f"UPDATE {table} SET {column} = {value} WHERE {condition}")  # noqa: S608


def garbled(office: Office, game: Game) -> str:
    """What no program can read; PostgreSQL would not take it."""
    return json.dumps(game.position)[:40] if office.engine.dialect.name == "sqlite" else "7"


def flipped(office: Office, game: Game) -> str:
    """A stone more: a position like any other."""
    first, *rows = game.position["rows"]
    stone = rows[1][2]
    assert stone != first[4]
    return json.dumps({**game.position, "rows": [first[:4] + stone, *rows]})


def earlier(office: Office, game: Game) -> str:
    """The position of a turn before."""
    with reading(office.engine) as session:
        return json.dumps(log.turn(session, game, 1).position)


def of_another_kind(office: Office, game: Game) -> str:
    return '{"broken": 1}'


Fault = Callable[[Office, Game], str]
every_fault = pytest.mark.parametrize("fault", [garbled, flipped, earlier, of_another_kind])


def is_as_played(office: Office, number: int) -> bool:
    """Whether the stored position is the one that the log gives."""
    with reading(office.engine) as session:
        game = session.get_one(Game, number)
        played = replay(log.record(session, game))
        assert played.error is None
        return game.position == played.kind.write(played.position) and positions.fits(game)


# Positions


@every_fault
def test_a_position_that_was_changed_is_made_anew(
    office: Office, app: Flask, ann: Player, city: int, fault: Fault
) -> None:
    browser = logged_in(app, office, ann)
    before = browser.text(f"/games/{city}")
    value = fault(office, game_of(office, city))
    store(office, "game", "position", value, f"id = {city}")
    store(office, "entry", "position", value, f"game_id = {city} AND turn >= 2")
    assert browser.text(f"/games/{city}") == before
    assert CliRunner().invoke(nabu, ["export", str(city)], env=environment(office)).exit_code == 0
    submit(office, city, 1, "e1")
    assert is_as_played(office, city)
    store(office, "game", "position", value, f"id = {city}")
    store(office, "entry", "position", value, f"game_id = {city} AND turn >= 2")
    token = ReplyToken(city, 0, 5)
    (answer, *_) = receive(office, seated(office, city, 0), office.delivery().scribe.reply_address(token), "e5")
    assert answer.letter == "report"
    assert is_as_played(office, city)


def environment(office: Office) -> dict[str, str]:
    return {f"NABU_{name.upper()}": str(value) for name, value in office.settings.model_dump().items()}


def seated(office: Office, number: int, seat: int) -> str:
    """The address of who sits there."""
    with reading(office.engine) as session:
        return log.seats(session, game_of(office, number))[seat][1].email


@pytest.mark.parametrize(("column", "value"), [("memory", '["x"]'), ("rolled", "[1]"), ("checksum", "x" * 64)])
def test_so_is_what_belongs_to_it(office: Office, city: int, column: str, value: str) -> None:
    store(office, "game", column, value, f"id = {city}")
    submit(office, city, 1, "e1")
    assert is_as_played(office, city)
    assert game_of(office, city).rolled is None


@pytest.mark.parametrize(("column", "value"), [("rolled", "[6, 6]"), ("position", "7"), ("checksum", "x" * 64)])
def test_dice_that_were_changed_are_those_of_the_seed(
    office: Office, app: Flask, ann: Player, ben: Player, column: str, value: str
) -> None:
    number = begin(office, "nardshir", ann, ben)
    before = game_of(office, number)
    assert before.rolled != [6, 6]
    browser = logged_in(app, office, ann)
    page = browser.text(f"/games/{number}")
    store(office, "game", column, value, f"id = {number}")
    assert browser.text(f"/games/{number}") == page
    with writing(office.engine) as session:
        game = session.get_one(Game, number)
        randomness.mend(office.vault, game, log.seats(session, game))
        assert (game.rolled, game.position) == (before.rolled, before.position)


def test_without_the_seed_dice_are_believed_only_with_their_checksum(
    office: Office, ann: Player, ben: Player
) -> None:
    number = begin(office, "nardshir", ann, ben)
    before = game_of(office, number)
    store(office, "game", "position", "7", f"id = {number}")
    with reading(office.engine) as session:
        game = session.get_one(Game, number)
        log.mend(game)
        assert (game.rolled, game.position) == (before.rolled, before.position)
    store(office, "game", "rolled", "[6, 6]", f"id = {number}")
    with reading(office.engine) as session, pytest.raises(Damaged):
        log.mend(session.get_one(Game, number))


def test_a_position_that_was_changed_is_no_trouble(
    office: Office, clock: Clock, ann: Player, city: int
) -> None:
    store(office, "game", "position", "7", f"id = {city}")
    tick(office, clock, days=3)
    with reading(office.engine) as session:
        assert session.exec(select(Trouble)).all() == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_stored_fits_in_every_kind(office: Office, ann: Player, ben: Player, kind: str) -> None:
    """What comes back from the database is what went into the checksum, through a whole game."""
    below = random.Random(kind).randrange
    number = begin(office, kind, ann, ben)
    for _ in range(12):
        with writing(office.engine) as session:
            game = session.get_one(Game, number)
            assert game.checksum is not None
            assert positions.fits(game)
            if game.state == "over":
                break
            rules, position = log.rules_of(game), log.position_of(game)
            for seat in rules.to_move(position):
                _, player = log.seats(session, game)[seat]
                move = rules.format(rules.sample(position, seat, below))
                play.submit(
                    Post(session, office.vault, office.now()), player, Place(number, seat, game.turn), move
                )
    with reading(office.engine) as session:
        entries = log.entries(session, session.get_one(Game, number))
        assert all(entry.checksum and positions.entry_fits(entry) for entry in entries if entry.position)


# The log


def change_body(office: Office, number: int) -> None:
    """Another move in the last entry, that could have been played as well."""
    body = json.dumps({"type": "turn", "turn": 3, "line": {"seat": 0, "move": "b1"}})
    store(office, "entry", "body", body, f"game_id = {number} AND turn = 3")


def garble_body(office: Office, number: int) -> None:
    value = '{"type": "tu' if office.engine.dialect.name == "sqlite" else "7"
    store(office, "entry", "body", value, f"game_id = {number} AND turn = 3")


def change_hash(office: Office, number: int) -> None:
    store(office, "entry", "hash", "0" * 64, f"game_id = {number} AND turn = 3")


def change_head(office: Office, number: int) -> None:
    store(office, "game", "head", "0" * 64, f"id = {number}")


def change_hash_before(office: Office, number: int) -> None:
    store(office, "entry", "hash", "0" * 64, f"game_id = {number} AND turn = 2")


def lose_entry(office: Office, number: int) -> None:
    with writing(office.engine) as session:
        session.execute(delete(Entry).where(col(Entry.game_id) == number, col(Entry.turn) == 3))


DAMAGES = [change_body, garble_body, change_hash, change_head, change_hash_before, lose_entry]
every_damage = pytest.mark.parametrize("damage", DAMAGES)


def entries(office: Office, number: int) -> int:
    with reading(office.engine) as session:
        return len(log.entries(session, game_of(office, number)))


@every_damage
def test_a_log_that_was_changed_grows_no_more(
    office: Office, app: Flask, clock: Clock, city: int, damage: Callable[[Office, int], None]
) -> None:
    damage(office, city)
    before = entries(office, city)
    with pytest.raises(Damaged):
        submit(office, city, 1, "e1")
    token = ReplyToken(city, 1, 4)
    (answer,) = receive(office, seated(office, city, 1), office.delivery().scribe.reply_address(token), "e1")
    assert (answer.letter, answer.to) == ("refusal", seated(office, city, 1))
    assert f"The log of game {city} is damaged, so nothing was done." in answer.words
    with reading(office.engine) as session:
        (trouble,) = session.exec(select(Trouble)).all()
    assert (trouble.chore, trouble.game_id) == ("playing", city)
    assert trouble.what.startswith("Damaged: ")
    tick(office, clock, days=30)  # nor does anybody lose on time
    assert game_of(office, city).state == "running"
    assert entries(office, city) == before


def test_a_page_says_so_too(office: Office, app: Flask, ben: Player, city: int) -> None:
    change_hash(office, city)
    with reading(office.engine) as session:
        (player,) = [player for seat, player in log.seats(session, game_of(office, city)) if seat.number == 1]
    answer = logged_in(app, office, player).send(f"/games/{city}/move", turn=4, move="e1")
    assert answer.status_code == 409
    assert f"The log of game {city} is damaged" in readable(answer)


def test_a_log_that_was_changed_is_not_exported_with_a_traceback(office: Office, city: int) -> None:
    garble_body(office, city)
    done = CliRunner().invoke(nabu, ["export", str(city)], env=environment(office))
    assert done.exit_code == 1
    assert done.stderr.startswith(f"Error: The log of game {city} is damaged")


def test_a_position_is_not_made_from_a_log_that_was_changed(office: Office, city: int) -> None:
    """Long ago, where no turn looks."""
    body = json.dumps({"type": "turn", "turn": 1, "line": {"seat": 0, "move": "b1"}})
    store(office, "entry", "body", body, f"game_id = {city} AND turn = 1")
    store(office, "game", "position", "7", f"id = {city}")
    with reading(office.engine) as session, pytest.raises(Damaged):
        log.position_of(session.get_one(Game, city))
