"""No row number is used twice in either database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel, col, delete, func, select

from server.processes.services import Services
from server.store.db import writing
from server.store.models import Address, Player
from server.store.rollback import row_numbers
from tests.support.server.games import begin
from tests.support.server.players import add_player


@pytest.mark.parametrize("database", ["sqlite"])
def test_sqlite_has_a_sequence_where_the_models_say_so(services: Services) -> None:
    with services.engine.connect() as connection:
        declared = connection.execute(text("SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'"))
        assert set(declared.scalars()) == {
            name
            for name, table in SQLModel.metadata.tables.items()
            if table.dialect_options["sqlite"]["autoincrement"]
        }
        assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"


def test_at_least_as_many_numbers_are_skipped_as_were_used(services: Services) -> None:
    people = [add_player(services, f"{name}@example.org", name.title()) for name in ("ann", "ben")]
    number = begin(services, "nebuchadnezzar", *people, size=5)
    with writing(services.engine) as session:
        row_numbers.skip(session.connection(), services.now())
        row_numbers.skip(session.connection(), services.now())
    assert begin(services, "nebuchadnezzar", *people, size=5) == 2 * (number + row_numbers.AT_LEAST) + 1
    with writing(services.engine) as session:
        assert row_numbers.last(session.connection(), "tournament") == 2 * row_numbers.AT_LEAST
        assert session.exec(select(func.min(col(Player.login_serial)))).one() >= 2 * row_numbers.AT_LEAST


def test_number_of_a_deleted_row_is_not_used_again(services: Services) -> None:
    ann = add_player(services, "ann@example.org", "Ann")
    with writing(services.engine) as session:
        row = session.get_one(Player, ann.id)
        session.execute(delete(Address).where(col(Address.player_id) == ann.id))
        session.delete(row)
    assert (add_player(services, "ben@example.org", "Ben").id or 0) > (ann.id or 0)


def test_two_restores_of_one_backup_give_different_numbers(services: Services) -> None:
    add_player(services, "ann@example.org", "Ann")
    last, moment = [], datetime(2027, 1, 1, tzinfo=UTC)
    for minutes in (0, 1):
        with services.engine.connect() as connection:
            row_numbers.skip(connection, moment + timedelta(minutes=minutes))
            serial = connection.execute(select(func.min(col(Player.login_serial)))).scalar_one()
            last.append((row_numbers.last(connection, "game"), row_numbers.last(connection, "player"), serial))
            connection.rollback()
    assert all(later >= earlier + 10 for earlier, later in zip(*last, strict=True)), last
