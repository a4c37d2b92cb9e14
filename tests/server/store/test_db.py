"""Transactions that read and transactions that write."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError, PendingRollbackError
from sqlmodel import select

from server.processes.services import Services, utc_now
from server.store.db import afterwards, is_locked, locked, reading, savepoint, writing
from server.store.models import KnownKey, Player
from tests.support.counting import statements
from tests.support.server.players import add_player


def test_read_only_session_cannot_write(services: Services) -> None:
    add_player(services, "ann@example.org", "Ann")
    with reading(services.engine) as session:
        session.exec(select(Player)).one().name = "Eve"
        with pytest.raises(RuntimeError, match="read-only"):
            session.exec(select(Player)).all()
    with reading(services.engine) as session:
        assert session.exec(select(Player)).one().name == "Ann"


def test_read_only_session_sees_one_state(services: Services) -> None:
    add_player(services, "ann@example.org", "Ann")
    names = select(Player.name)
    with reading(services.engine) as session:
        assert session.exec(names).one() == "Ann"
        with writing(services.engine) as other:
            other.exec(select(Player)).one().name = "Anna"
        assert session.exec(names).one() == "Ann"
    with reading(services.engine) as session:
        assert session.exec(names).one() == "Anna"


def test_row_is_locked_once_and_current(services: Services) -> None:
    number = add_player(services, "ann@example.org", "Ann").id
    with writing(services.engine) as session:
        assert not is_locked(session, Player, number)
        locked(session, Player, number).name = "Anna"  # type: ignore[union-attr]
        with statements(services) as asked:
            assert locked(session, Player, number).name == "Anna"  # type: ignore[union-attr]
        assert asked == []
        assert is_locked(session, Player, number)


def test_lock_of_a_rolled_back_savepoint_does_not_count(services: Services) -> None:
    """A rollback releases the locks."""
    number = add_player(services, "ann@example.org", "Ann").id
    with writing(services.engine) as session:
        with session.begin_nested() as savepoint:
            assert locked(session, Player, number) is not None
            savepoint.rollback()
        assert not is_locked(session, Player, number)
        with statements(services) as asked:
            assert locked(session, Player, number) is not None
        assert len(asked) == 1


def test_missing_row_is_not_locked(services: Services) -> None:
    with writing(services.engine) as session:
        assert locked(session, Player, 77) is None
        assert not is_locked(session, Player, 77)


def test_rolled_back_savepoint_calls_nothing_afterwards(services: Services) -> None:
    told: list[str] = []
    with writing(services.engine) as session:
        afterwards(session, partial(told.append, "stands"))
        with suppress(KeyError), savepoint(session):
            afterwards(session, partial(told.append, "undone"))
            with savepoint(session):
                afterwards(session, partial(told.append, "undone, too"))
            raise KeyError
        with savepoint(session):
            afterwards(session, partial(told.append, "stands as well"))
        assert told == []
    assert told == ["stands", "stands as well"]


def test_failed_transaction_calls_nothing_afterwards(services: Services) -> None:
    told: list[str] = []
    with suppress(KeyError), writing(services.engine) as session:
        afterwards(session, partial(told.append, "undone"))
        raise KeyError
    assert told == []


def test_failing_afterwards_function_does_not_undo_the_commit(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[str] = []

    def fail() -> None:
        raise OSError("disk full")

    with writing(services.engine) as session:
        afterwards(session, fail)
        afterwards(session, partial(told.append, "the next"))
    assert told == ["the next"]
    assert "notify failed: OSError" in caplog.text


@pytest.mark.parametrize("database", ["sqlite"])
def test_full_disk_stores_nothing_of_a_transaction(services: Services) -> None:
    """SQLite rolls back the whole transaction, not only the savepoint, and would store each later statement."""
    with suppress(PendingRollbackError), writing(services.engine) as session:
        session.execute(text("PRAGMA max_page_count = 1"))  # no more than its present size
        session.add(_known_key("before"))
        session.flush()
        with suppress(OperationalError), savepoint(session):
            session.add(_known_key("x" * 1_000_000))
            session.flush()
        session.add(_known_key("after"))
    with writing(services.engine) as session:
        marks = session.exec(select(KnownKey.mark)).all()
        assert "before" not in marks
        assert "after" not in marks
        session.add(_known_key("later"))
    with reading(services.engine) as session:
        assert "later" in session.exec(select(KnownKey.mark)).all()


def _known_key(mark: str) -> KnownKey:
    return KnownKey(mark=mark, since=utc_now())
