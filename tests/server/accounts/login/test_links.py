"""Login links."""

from __future__ import annotations

import pytest
from sqlmodel import Session

from server.accounts import players
from server.accounts.login.links import Logins, NewPlayer, spend
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player
from server.store.outbox import ActionContext


@pytest.fixture
def ann(services: Services) -> Player:
    with writing(services.engine) as session:
        return players.register(
            ActionContext(session, services.sealer, services.now()), "ann@example.org", "Ann"
        )


def _holder(session: Session, logins: Logins, secret: str) -> str | None:
    found = logins.read(session, secret)
    return found.name if found is not None else None


def test_link_is_for_its_player(services: Services, ann: Player) -> None:
    with reading(services.engine) as session:
        assert _holder(session, services.logins, services.logins.write(ann)) == "Ann"


def test_link_works_once(services: Services, ann: Player) -> None:
    secret = services.logins.write(ann)
    with writing(services.engine) as session:
        assert spend(session, session.get_one(Player, ann.id))
    with reading(services.engine) as session:
        assert _holder(session, services.logins, secret) is None


def test_one_of_two_simultaneous_logins_wins(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        assert spend(session, session.get_one(Player, ann.id))
    with writing(services.engine) as session:
        session.add(ann)  # as another process has read it earlier
        assert not spend(session, ann)
        session.rollback()


@pytest.mark.parametrize("change", [lambda s: s[:-1], lambda s: "x" + s, lambda s: "", lambda s: s + "x"])
def test_damaged_link_is_invalid(services: Services, ann: Player, change: type[str]) -> None:
    with reading(services.engine) as session:
        assert services.logins.read(session, change(services.logins.write(ann))) is None


def test_link_of_another_key_is_invalid(services: Services, ann: Player) -> None:
    with reading(services.engine) as session:
        assert services.logins.read(session, Logins(["another key, also long enough"]).write(ann)) is None


def test_sign_up_link_contains_address_and_name(services: Services) -> None:
    new = NewPlayer("ben@example.org", "Ben")
    with reading(services.engine) as session:
        assert services.logins.read(session, services.logins.write_new(new)) == new


def test_links_of_an_older_key_still_work(services: Services, ann: Player) -> None:
    older, newer = Logins(["old" * 12]), Logins(["new" * 12, "old" * 12])
    with reading(services.engine) as session:
        assert _holder(session, newer, older.write(ann)) == "Ann"
        assert newer.read_stop(session, older.write_stop(players.identity(ann))) is not None
        assert _holder(session, older, newer.write(ann)) is None, "the newer key signs"
