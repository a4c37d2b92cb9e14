"""Transactions that read and transactions that write."""

from __future__ import annotations

import pytest
from sqlmodel import select

from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player
from tests.server.browsers import add_player


def test_what_only_reads_cannot_change_anything(services: Services) -> None:
    add_player(services, "ann@example.org", "Ann")
    with reading(services.engine) as session:
        session.exec(select(Player)).one().name = "Eve"
        with pytest.raises(RuntimeError, match="only reads"):
            session.exec(select(Player)).all()
    with reading(services.engine) as session:
        assert session.exec(select(Player)).one().name == "Ann"


def test_what_only_reads_sees_one_state(services: Services) -> None:
    add_player(services, "ann@example.org", "Ann")
    names = select(Player.name)
    with reading(services.engine) as session:
        assert session.exec(names).one() == "Ann"
        with writing(services.engine) as other:
            other.exec(select(Player)).one().name = "Anna"
        assert session.exec(names).one() == "Ann"
    with reading(services.engine) as session:
        assert session.exec(names).one() == "Anna"
