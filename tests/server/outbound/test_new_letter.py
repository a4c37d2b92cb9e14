"""A new letter is a class and a template: nothing else knows of it, and nothing else has to."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import col, select

from server.outbound.letters.drafts import Draft, Sources, draft_of
from server.outbound.letters.skin import TEMPLATES, Skins
from server.outbound.letters.writer import Writer
from server.processes.services import Services
from server.store.db import writing
from server.store.letters.letter import LETTERS, About, Letter, Moment
from server.store.models import Outbox, Player, Seat
from server.store.outbox import Action
from tests.server.game.test_play import Table

TEMPLATE = """{% import "skin.j2" as out %}
{{ out.opening(view.subject, desk) }}
{% set giver = view.seats[by].label %}
{% call out.headline() %}{{ giver }} offers {{ gifts | join(", ") }} until {{ until }}.{% endcall %}
{{ out.closing(desk, "") }}
"""


@pytest.fixture
def gift_offered() -> Iterator[type[Letter]]:
    """A letter that a player can have mailed as often as they like."""

    @dataclass(frozen=True)
    class GiftOffered(Letter):
        by: int
        gifts: tuple[str, ...]
        until: Moment

        @property
        def may_wait(self) -> bool:
            return True

        @property
        def at_will_of(self) -> int:
            return self.by

    yield GiftOffered
    del LETTERS["gift_offered"]


@pytest.fixture
def writer(services: Services, tmp_path: Path) -> Writer:
    """Writes letters with one template more."""
    folder = shutil.copytree(TEMPLATES, tmp_path / "mail")
    (folder / "gift_offered.j2").write_text(TEMPLATE, encoding="utf-8")
    return replace(services.writer, skins=Skins(folder))


def test_it_is_put_kept_and_written(services: Services, writer: Writer, gift_offered: type[Letter]) -> None:
    table = Table(services, "nebuchadnezzar", size=5)
    letter = gift_offered(1, ("a goat", "a jar"), datetime(2026, 3, 4, 5, 6, tzinfo=UTC))  # type: ignore[call-arg]
    with writing(services.engine) as session:
        action = Action(session, services.sealer, services.now())
        action.put_to_player(session.get_one(Player, table.players[0].id), letter, About(table.number, 0))
        row = session.exec(select(Outbox).order_by(col(Outbox.id).desc())).first()
        assert row is not None
        assert (row.letter, row.caused_by) == ("gift_offered", 1)
        text = writer.text(session, row)
    assert f"{table.players[1].name} (White) offers a goat, a jar until" in text
    assert "4 March 2026, 05:06 UTC." in " ".join(text.split())


def test_it_waits_for_a_digest(services: Services, gift_offered: type[Letter]) -> None:
    table = Table(services, "nebuchadnezzar", size=5)
    letter = gift_offered(1, (), services.now())  # type: ignore[call-arg]
    with writing(services.engine) as session:
        player = session.get_one(Player, table.players[0].id)
        player.digest_at = services.now()
        before = len(session.exec(select(Outbox.id)).all())
        Action(session, services.sealer, services.now()).put_to_player(player, letter, About(table.number, 0))
        assert len(session.exec(select(Outbox.id)).all()) == before
        assert session.get_one(Seat, (table.number, 0)).untold_at == services.now()


def test_it_can_look_up_more(services: Services, writer: Writer, gift_offered: type[Letter]) -> None:
    @draft_of.register(gift_offered)
    def write(letter: Letter, sources: Sources) -> Draft:
        return sources.draft(by=0, gifts=[sources.view.title], until="tomorrow")

    table = Table(services, "nebuchadnezzar", size=5)
    letter = gift_offered(1, (), services.now())  # type: ignore[call-arg]
    with writing(services.engine) as session:
        Action(session, services.sealer, services.now()).put("ann@example.org", letter, About(table.number, 0))
        row = session.exec(select(Outbox).order_by(col(Outbox.id).desc())).first()
        assert row is not None
        assert "offers Nebuchadnezzar until tomorrow." in writer.text(session, row)
