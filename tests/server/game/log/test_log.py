"""The log of a game, and the record made from it."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from rules.records.verification import verify
from rules.result import Result
from server.accounts import players
from server.errors import Damaged
from server.game.lobby import challenges
from server.game.log import log, stored_entries
from server.game.play.loaded_game import finish, load_game
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Entry, Game, Player
from server.store.outbox import ActionContext


def begin_renamed(services: Services) -> int:
    """Start a game in which Ben was renamed between the challenge and his answer; return its number."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann = players.register(action, "ann@example.org", "Ann")
        ben = players.invite(action, "ben@example.org", "games.example.org")
        number = log.id_of(challenges.challenge(action, ann, [ben], "nebuchadnezzar", {}))
        players.register(action, "ben@example.org", "Benny")
        challenges.accept(action, ben, number)
        return number


def test_log_has_the_names_at_the_start(services: Services) -> None:
    number = begin_renamed(services)
    with reading(services.engine) as session:
        body = log.entries(session, session.get_one(Game, number))[0].body
    assert body["asked"] == ["Ann", "Benny"]
    assert sorted(body["seats"]) == ["Ann", "Benny"]


def test_new_name_does_not_change_the_record(services: Services) -> None:
    number = begin_renamed(services)
    with writing(services.engine) as session:
        before = log.record(session, session.get_one(Game, number))
        ann = players.by_name(session, "Ann")
        assert isinstance(ann, Player)
        players.rename(session, ann, "Anna")
    with reading(services.engine) as session:
        assert log.record(session, session.get_one(Game, number)) == before


def test_aborted_game_has_a_record(services: Services) -> None:
    number = begin_renamed(services)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        table = load_game(action, session.get_one(Game, number))
        finish(table, Result((), "aborted"))
        record = log.record(session, table.game)
    assert record.result == Result((), "aborted")
    assert verify(record.to_json()).wrong is None


def test_game_before_its_start_has_no_proof(services: Services) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann = players.register(action, "ann@example.org", "Ann")
        ben = players.register(action, "ben@example.org", "Ben")
        record = log.record(session, challenges.challenge(action, ann, [ben], "nebuchadnezzar", {}))
    assert sorted(record.seats) == ["Ann", "Ben"]
    assert record.proof is None


@pytest.mark.parametrize(
    "body", [{}, {"type": "begin", "seats": 2}, {"type": "turn", "turn": 1, "line": 7}, 7, None]
)
def test_unreadable_entry_is_damage(services: Services, body: Any) -> None:
    number = begin_renamed(services)
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        for read in (stored_entries.first_entry, partial(stored_entries.turn_of, game)):
            with pytest.raises(Damaged) as damage:
                read(Entry(game_id=number, number=3, body=body, hash="", at=services.now()))
            assert damage.value.what == "entry 3 cannot be read"
