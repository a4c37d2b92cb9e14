"""A new letter needs only a class and a template."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import Session, col, select

from server.accounts import players
from server.outbound.letters.context import Draft, Sources
from server.outbound.letters.render import TEMPLATES, Renderer
from server.outbound.letters.writer import Writer
from server.processes.services import Services
from server.store.db import writing
from server.store.letters.letter import LETTERS, About, Letter, Moment
from server.store.models import Outbox, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.games import TwoPlayerGame

OFFERED = """{% import "skin.j2" as out %}
{{ out.opening(view.subject, frame) }}
{% set giver = view.seats[by].label %}
{% call out.headline() %}{{ giver }} offers {{ gifts | join(", ") }} until {{ until }}.{% endcall %}
{{ out.closing(frame, "") }}
"""
LISTED = """{% import "skin.j2" as out %}
{{ out.opening("Gifts", frame) }}
{% call out.headline() %}{{ name }} has no gifts.{% endcall %}
{{ out.closing(frame, "") }}
"""


class GiftOffered(Letter):
    """A letter that shows its fields, and that a player can cause any number of times."""

    by: int
    gifts: tuple[str, ...]
    until: Moment

    @property
    def may_wait(self) -> bool:
        return True

    @property
    def at_will_of(self) -> int:
        return self.by


class GiftsListed(Letter):
    """A letter that looks up its content."""

    subject = "Your gifts"

    player: int

    def draft(self, sources: Sources) -> Draft:
        return Draft(self.subject, {"name": sources.session.get_one(Player, self.player).name})


# Other tests must not find them.
ADDED = {name: LETTERS.pop(name) for name in ("gift_offered", "gifts_listed")}


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    """Provide two additional letters."""
    for name, letter in ADDED.items():
        monkeypatch.setitem(LETTERS, name, letter)


@pytest.fixture
def writer(services: Services, tmp_path: Path) -> Writer:
    """Return a writer with two additional templates."""
    folder = shutil.copytree(TEMPLATES, tmp_path / "mail")
    (folder / "gift_offered.j2").write_text(OFFERED, encoding="utf-8")
    (folder / "gifts_listed.j2").write_text(LISTED, encoding="utf-8")
    return replace(services.writer, renderer=Renderer(folder))


def last_mail(session: Session) -> Outbox:
    """Return the last queued email."""
    return session.exec(select(Outbox).order_by(col(Outbox.id).desc()).limit(1)).one()


def test_new_letter_is_queued_stored_and_rendered(services: Services, writer: Writer) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    letter = GiftOffered(by=1, gifts=("a goat", "a jar"), until=datetime(2026, 3, 4, 5, 6, tzinfo=UTC))
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        action.put_to_player(session.get_one(Player, table.players[0].id), letter, About(table.number, 0))
        mail = last_mail(session)
        text = writer.text(session, mail)
    assert (mail.letter, mail.caused_by) == ("gift_offered", 1)
    assert f"{table.players[1].name} (White) offers a goat, a jar until" in text
    assert "4 March 2026, 05:06 UTC (in 2 days and 17 hours)." in " ".join(text.split())


def test_new_letter_waits_for_a_digest(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    letter = GiftOffered(by=1, gifts=(), until=services.now())
    with writing(services.engine) as session:
        player = session.get_one(Player, table.players[0].id)
        player.digest_at = services.now()
        ActionContext(session, services.sealer, services.now()).put_to_player(
            player, letter, About(table.number, 0)
        )
        assert last_mail(session).letter != "gift_offered"
        assert session.get_one(Seat, (table.number, 0)).deferred_since == services.now()


def test_new_letter_reads_more_data(services: Services, writer: Writer) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    name, number = table.players[0].name, players.identity(table.players[0])
    with writing(services.engine) as session:
        ActionContext(session, services.sealer, services.now()).put("ann@example.org", GiftsListed(number))
        assert f"{name} has no gifts." in writer.text(session, last_mail(session))
