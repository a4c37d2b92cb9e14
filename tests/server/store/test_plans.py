"""Prepared statements return the same as SQLAlchemy does when it runs them itself."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from typing import Any
from weakref import ref

import pytest
from sqlalchemy import Select, bindparam, literal_column, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import col, select

from server.processes.services import Services, utc_now
from server.store.db import is_away, reading, writing
from server.store.models import Inbox, Outbox
from server.store.statements import prepared_statements
from server.store.statements.plans import Plans
from server.store.statements.prepared_statements import Prepared
from tests.support.counting import statements
from tests.support.server.games import TwoPlayerGame

pytestmark = pytest.mark.both


def test_rows_are_equal(services: Services, table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    now, game = utc_now(), table.number
    given: list[tuple[Prepared[*tuple[Any, ...]], dict[str, Any]]] = [
        (prepared_statements.LOG, {"game": game, "first": 0}),
        (prepared_statements.SEATED, {"game": game, "seat": 1}),
        (prepared_statements.OWNER, {"email": "ann@example.org"}),
        (prepared_statements.OWNER, {"email": "nobody@example.org"}),
        (prepared_statements.CAUSED, {"actor": 1, "since": now - timedelta(days=1)}),
        (prepared_statements.BROWSERS, {"players": [1, 2]}),
        (prepared_statements.BROWSERS, {"players": [1]}),
        (prepared_statements.DUPLICATES, {"marks": []}),
        (Prepared(select(Outbox.id).where(col(Outbox.letter).in_(("report", "welcome")))), {}),
    ]
    with reading(services.engine) as session:
        for statement, values in given:
            wanted = session.connection().execute(statement.statement, values).all()
            assert statement(session, **values).all() == wanted


def test_columns_that_are_left_out_get_their_defaults(services: Services) -> None:
    now = utc_now()
    with writing(services.engine) as session:
        prepared_statements.NEW_MAIL(
            session,
            key="k",
            recipient="a@b.c",
            letter="x",
            sealed=b"",
            due_at=now,
            created_at=now,
            domain="b.c",
        )
        mail = session.exec(select(Outbox)).one()
    assert (mail.state, mail.attempts, mail.doubtful, mail.created_at) == ("queued", 0, False, now)


def test_listeners_see_prepared_statements(services: Services) -> None:
    with statements(services) as asked, reading(services.engine) as session:
        prepared_statements.SEATED(session, game=1, seat=0)
    assert any("FROM seat" in each for each in asked)


def test_error_of_the_driver_is_one_of_sqlalchemy(services: Services) -> None:
    with writing(services.engine) as session:
        with pytest.raises(IntegrityError):
            prepared_statements.NEW_ENTRY(session, game_id=99, number=None, body="", hash="", at=utc_now())
        session.rollback()


# PostgreSQL finds errors before it returns rows.
@pytest.mark.parametrize("database", ["sqlite"])
def test_error_while_rows_are_read_is_one_of_sqlalchemy(services: Services) -> None:
    """SQLite finds damage when it reads a row, not when it begins the statement."""
    numbers: Select[tuple[int]] = select(literal_column("fails(value)")).select_from(
        text("json_each('[1, 2]')")
    )

    def fails(value: int) -> int:
        return 1 // (2 - value)

    with reading(services.engine) as session:
        driver: Any = session.connection().connection.driver_connection
        driver.create_function("fails", 1, fails)
        with pytest.raises(OperationalError):
            Prepared(numbers)(session)
        session.rollback()


@pytest.mark.parametrize("given", [{"game": 1}, {"game": 1, "first": 0, "last": 2}])
def test_missing_and_unknown_parameters_are_refused(services: Services, given: dict[str, int]) -> None:
    with reading(services.engine) as session, pytest.raises(TypeError, match="parameters of a statement"):
        prepared_statements.LOG(session, **given)


def test_missing_parameter_beside_a_constant_is_refused(services: Services) -> None:
    of_player = col(Inbox.asked_id) == bindparam("player")
    asked: Prepared[int | None] = Prepared(select(Inbox.id).where(col(Inbox.state) == "asked", of_player))
    with reading(services.engine) as session, pytest.raises(TypeError, match="parameters of a statement"):
        asked(session)


@pytest.mark.parametrize("database", ["sqlite"])
def test_sqlite_compiles_a_statement_once(services: Services) -> None:
    """A constant may decide on a partial index, such as the one of new emails, or be a pattern."""
    constants = (col(Inbox.state) == "asked", col(Inbox.source).like("smtp%"))
    of_player = col(Inbox.asked_id) == bindparam("player")
    asked: Prepared[int | None] = Prepared(select(Inbox.id).where(*constants, of_player))
    compiled: list[object] = []

    def note(*what: object) -> int:  # SQLite calls it while it compiles
        compiled.append(what)
        return sqlite3.SQLITE_OK

    with reading(services.engine) as session:
        driver: Any = session.connection().connection.driver_connection
        driver.set_authorizer(note)
        asked(session, player=1)
        assert compiled
        compiled.clear()
        asked(session, player=2)
        driver.set_authorizer(None)
    assert not compiled


# PostgreSQL reports a programming error.
@pytest.mark.parametrize("database", ["sqlite"])
def test_prepared_statement_without_its_table_is_no_error_of_its_parameters(services: Services) -> None:
    with writing(services.engine) as session:
        session.execute(text("DROP TABLE browser"))
        with pytest.raises(OperationalError) as failed:
            prepared_statements.BROWSERS(session, players=[1])
        session.rollback()
    assert is_away(failed.value)


@pytest.mark.parametrize(("length", "is_kept"), [(0, True), (1, True), (100, True), (101, False)])
def test_plans_for_long_lists_are_not_kept(services: Services, length: int, *, is_kept: bool) -> None:
    """Otherwise the memory would grow with each new length of a list."""
    plans, given = Plans(prepared_statements.BROWSERS.statement), {"players": [0] * length}
    with reading(services.engine) as session:
        dialect = session.connection().dialect
        known = ref(plans.plan_for(dialect, given))
        assert prepared_statements.BROWSERS(session, **given).all() == []
    assert (known() is not None) == is_kept
