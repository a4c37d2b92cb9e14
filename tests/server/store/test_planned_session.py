"""Sessions with plans find and store the same as those of SQLAlchemy."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import bindparam
from sqlalchemy.exc import InvalidRequestError, PendingRollbackError
from sqlalchemy.orm.attributes import flag_modified
from sqlalchemy.orm.exc import StaleDataError
from sqlmodel import Session, SQLModel, col, delete, select

from server.accounts import players
from server.processes.services import Services
from server.store.db import locked, savepoint, writing
from server.store.models import Address, Game, Player, Seat
from server.store.statements.planned_session import PlannedSession, RowStatement
from tests.support.counting import statements
from tests.support.server.games import TwoPlayerGame, begin
from tests.support.server.players import add_player

pytestmark = pytest.mark.both

_OF_THIS_GAME = {"id", "game_id", "head", "checksum", "seed", "seed_hash", "player_id", "version"}
# The number of changes that readers see before the first turn depends on the seats that are drawn.


def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for method in ("get", "flush"):
        monkeypatch.delattr(PlannedSession, method)


def _stored(services: Services, number: int) -> list[dict[str, Any]]:
    """Return the rows of a game and its seats, without values that differ between games."""
    with writing(services.engine) as session:
        rows = [session.get_one(Game, number), *(session.get_one(Seat, (number, seat)) for seat in (0, 1))]
        return [
            {
                name: value
                for name, value in row.model_dump().items()
                if name not in _OF_THIS_GAME and not isinstance(value, datetime | bytes)
            }
            for row in rows
        ]


def test_turns_store_equal_rows(services: Services, ann: Player, ben: Player) -> None:
    stored = []
    for method in ("planned", "plain"):
        with pytest.MonkeyPatch.context() as monkeypatch:
            if method == "plain":
                _plain(monkeypatch)
            table = TwoPlayerGame.of(services, begin(services, "nebuchadnezzar", ann, ben, size=5))
            for turn, move in enumerate(("c3", "a1", "b2", "d4", "e5")):
                table.submit(turn % 2, move)
        stored.append(_stored(services, table.number))
    assert stored[0] == stored[1]


def test_row_is_found_once(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        found = session.get(Player, ann.id)
        assert found is session.get(Player, ann.id) is session.exec(select(Player)).first()
        assert session.get(Player, 999) is None
        assert session.get(Address, "ann@example.org").player_id == ann.id  # type: ignore[union-attr]


def test_lock_reloads_a_row_but_a_second_look_does_not(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        found = session.get_one(Player, ann.id)
        session.connection().execute(Player.__table__.update().values(name="Eve"))  # type: ignore[attr-defined]
        assert session.get_one(Player, ann.id).name == "Ann"
        assert locked(session, Player, ann.id) is found
        assert found.name == "Eve"


def test_changes_of_all_columns_are_stored(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        player = session.get_one(Player, ann.id)
        player.name, player.choices, player.bounced_at = "Anna", {"a": "b"}, None
        session.flush()
        player.choices["c"] = "d"
        flag_modified(player, "choices")
    with writing(services.engine) as session:
        player = session.get_one(Player, ann.id)
        assert (player.name, player.choices) == ("Anna", {"a": "b", "c": "d"})


def test_rollback_of_a_savepoint_restores_rows(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        player = session.get_one(Player, ann.id)
        player.bio = "before"
        with suppress(LookupError), savepoint(session):
            player.name = "Eve"
            session.flush()
            player.bio = "within"
            raise LookupError
        assert (player.name, player.bio) == ("Ann", "before")
    with Session(services.engine) as session:
        assert (session.get_one(Player, ann.id).name, session.get_one(Player, ann.id).bio) == ("Ann", "before")


def test_row_that_is_gone_is_not_updated(services: Services) -> None:
    add_player(services, "eve@example.org", "Eve")
    with writing(services.engine) as session:
        address = session.get_one(Address, "eve@example.org")
        session.connection().execute(delete(Address).where(col(Address.email) == "eve@example.org"))
        address.usual_lines = [["x", "1.1", 1]]
        with pytest.raises(StaleDataError):
            session.flush()
        with pytest.raises(PendingRollbackError):
            session.get(Address, "ann@example.org")
        session.rollback()


def test_changes_are_not_lost_when_the_row_is_locked(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        player = session.get_one(Player, ann.id)
        player.name = "Anna"
        assert locked(session, Player, ann.id) is player
        assert player.name == "Anna"
    with writing(services.engine) as session:
        assert session.get_one(Player, ann.id).name == "Anna"


def test_new_row_is_found_by_its_key(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        session.add(address := Address(email="a@example.org", player_id=players.identity(ann)))
        assert session.get(Address, "a@example.org") is address


def test_columns_of_every_table_can_be_found(services: Services) -> None:
    with writing(services.engine) as session:
        for mapper in SQLModel._sa_registry.mappers:
            assert RowStatement(select(mapper.class_).limit(0))(session, {}) == []


_OF_PLAYER = select(Player).where(col(Player.id) == bindparam("player"))
_PLAYERS: RowStatement[Player] = RowStatement(_OF_PLAYER)
_NAMES: RowStatement[Player] = RowStatement(_OF_PLAYER, (col(Player.id), col(Player.name)))


def test_columns_that_are_left_out_are_loaded_when_they_are_needed(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        ((player,),) = _NAMES(session, {"player": ann.id})
        with statements(services) as asked:
            assert player is session.get_one(Player, ann.id)
            assert (player.id, player.name) == (ann.id, "Ann")
        assert asked == []
        with statements(services) as asked:
            assert (player.email, player.created_at) == ("ann@example.org", ann.created_at)
        assert len(asked) == 1


def test_row_with_few_columns_can_be_changed_and_completed(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        ((player,),) = _NAMES(session, {"player": ann.id})
        player.bio = "A line."
        assert locked(session, Player, ann.id) is player
        with statements(services) as asked:
            assert (player.bio, player.email) == ("A line.", "ann@example.org")
        assert asked == []
        _NAMES(session, {"player": ann.id})
    with writing(services.engine) as session:
        player = session.get_one(Player, ann.id)
        assert (player.name, player.bio, player.email) == ("Ann", "A line.", "ann@example.org")


def test_change_of_a_column_is_kept_when_the_whole_row_is_read(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        ((player,),) = _NAMES(session, {"player": ann.id})
        with session.no_autoflush:
            player.bio = "A line."
            assert _PLAYERS(session, {"player": ann.id}) == [(player,)]
            assert (player.bio, player.email) == ("A line.", "ann@example.org")
    with writing(services.engine) as session:
        assert session.get_one(Player, ann.id).bio == "A line."


def test_row_is_changed_after_a_rollback_without_being_read(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        player = session.get_one(Player, ann.id)
        with suppress(LookupError), savepoint(session):
            player.bio = "within"
            session.flush()
            raise LookupError
        player.name = "Anna"
    with writing(services.engine) as session:
        player = session.get_one(Player, ann.id)
        assert (player.name, player.bio) == ("Anna", "")


def test_half_of_a_key_is_refused(services: Services) -> None:
    with writing(services.engine) as session, pytest.raises(InvalidRequestError):
        session.get(Seat, 5)
