"""The log of a game, and the record made from it."""

from __future__ import annotations

from rules.game import Result
from rules.records.verification import verify
from server.accounts import players
from server.game import lobby, log
from server.game.table import finish, table_of
from server.processes.services import Office
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import Post


def begin_renamed(office: Office) -> int:
    """A game for which Ben was given another name between the challenge and his answer."""
    with writing(office.engine) as session:
        post = Post(session, office.vault, office.now())
        ann = players.register(post, "ann@example.org", "Ann")
        ben = players.invite(post, "ben@example.org", "games.example.org")
        number = log.identity(lobby.challenge(post, ann, [ben], "nebuchadnezzar", {}))
        players.register(post, "ben@example.org", "Benny")
        lobby.accept(post, ben, number)
        return number


def test_names_in_the_log_are_those_at_the_beginning(office: Office) -> None:
    number = begin_renamed(office)
    with reading(office.engine) as session:
        body = log.entries(session, session.get_one(Game, number))[0].body
    assert body["asked"] == ["Ann", "Benny"]
    assert sorted(body["seats"]) == ["Ann", "Benny"]


def test_a_new_name_does_not_change_the_record(office: Office) -> None:
    number = begin_renamed(office)
    with writing(office.engine) as session:
        before = log.record(session, session.get_one(Game, number))
        ann = players.by_name(session, "Ann")
        assert isinstance(ann, Player)
        players.rename(session, ann, "Anna")
    with reading(office.engine) as session:
        assert log.record(session, session.get_one(Game, number)) == before


def test_a_game_that_was_broken_off_has_a_record(office: Office) -> None:
    number = begin_renamed(office)
    with writing(office.engine) as session:
        post = Post(session, office.vault, office.now())
        table = table_of(post, session.get_one(Game, number))
        finish(table, Result((), "aborted"))
        record = log.record(session, table.game)
    assert record.result == Result((), "aborted")
    assert verify(record.to_json()).wrong is None


def test_a_game_that_has_not_begun_has_no_proof(office: Office) -> None:
    with writing(office.engine) as session:
        post = Post(session, office.vault, office.now())
        ann = players.register(post, "ann@example.org", "Ann")
        ben = players.register(post, "ben@example.org", "Ben")
        record = log.record(session, lobby.challenge(post, ann, [ben], "nebuchadnezzar", {}))
    assert sorted(record.seats) == ["Ann", "Ben"]
    assert record.proof is None
