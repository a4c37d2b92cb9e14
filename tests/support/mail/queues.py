"""Emails in the inbox and the outbox, as an administrator may find them."""

from __future__ import annotations

from sqlmodel import col, select

from server.admin.audit import done
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.letters.account import Welcome
from server.store.models import Inbox, Outbox
from server.store.outbox import ActionContext
from tests.support.server.emails import receive

ORDER = "b4 canary"


def hold(services: Services, *, game: int | None = None, text: str = "Help me!") -> int:
    """Store a quarantined email, and return its number."""
    receive(services, "eve@example.com", "postmaster@games.example.org", f"{text}\x1b[2J")
    with writing(services.engine) as session:
        mail = session.exec(select(Inbox).order_by(col(Inbox.id).desc()).limit(1)).one()
        mail.state, mail.why, mail.game_id, mail.attempts = "quarantined", "KeyError at f, line 1", game, 3
        mail.handled_at, mail.recipient = services.now(), "play+secretofareply@games.example.org"
        return mail.id or 0


def state(services: Services, number: int) -> tuple[str, int]:
    with reading(services.engine) as session:
        mail = session.get_one(Inbox, number)
        return mail.state, mail.attempts


def deeds(services: Services) -> list[tuple[str, str]]:
    with reading(services.engine) as session:
        return [(each.what, each.why) for each in done(session)][:3]


def put(services: Services, **values: object) -> int:
    """Store an outgoing email with these values, and return its number."""
    with writing(services.engine) as session:
        ActionContext(session, services.sealer, services.now()).put("zoe@example.org", Welcome("Zoe"))
        mail = session.exec(select(Outbox).order_by(col(Outbox.id).desc()).limit(1)).one()
        for name, value in {"attempts": 2, "error": "451 come back later", **values}.items():
            setattr(mail, name, value)
        return mail.id or 0


def outgoing(services: Services, number: int) -> str:
    with reading(services.engine) as session:
        return session.get_one(Outbox, number).state
