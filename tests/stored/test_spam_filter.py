"""Nothing that Nabu sends looks like spam."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest
from sqlmodel import col, select

from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Outbox
from tests.pictures.letters import in_company
from tests.support.mail.spam_filter import judge

pytestmark = [pytest.mark.slow, pytest.mark.long]

SPAM = "spam"
"""The name of an email that the filter finds, as it would find others."""
OF_EACH_TYPE = ("report", "invitation")
"""The letters with texts of each type of game: about its turns and about its rules."""
MOST = 1.0
"""Points that an email may have; filters usually reject it from 5 on, and learn from all of it."""


def stored(services: Services) -> Iterator[tuple[str, bytes]]:
    """Yield the last letter of each kind that waits in the stored database, of some kinds by type of game.

    Letters that are out of date are judged as well. Others of the same kind differ in names and positions only.
    """
    waiting = (
        select(Outbox, Game.game_type)
        .outerjoin(Game, col(Game.id) == col(Outbox.game_id))
        .where(Outbox.state == "queued")
        .order_by(col(Outbox.id))
    )
    writer = services.delivery().writer
    with reading(services.engine) as session:
        last = {
            (row.letter, game_type if row.letter in OF_EACH_TYPE else ""): row
            for row, game_type in session.exec(waiting)
        }
        for row in last.values():
            yield f"{row.letter} {row.id}", writer.write(session, row)


def as_sent(mail: EmailMessage) -> bytes:
    """Return an email with its header as it was."""
    return mail.as_bytes(policy=SMTP.clone(refold_source="none"))


def test_no_email_looks_like_spam(services: Services, tmp_path: Path) -> None:
    """Stored letters, and one of each newer kind. A match that cannot be avoided belongs into docs/mail.md."""
    emails = dict(stored(services))
    known = {name.split()[0] for name in emails}
    emails |= {name: as_sent(written.mail) for name, written in in_company().items() if name not in known}
    head = "From: a@example.org\nTo: b@example.net\nDate: Tue, 03 Nov 2026 14:30:00 +0000\nSubject: Hi"
    emails[SPAM] = f"{head}\n\n3 {'o x ' * 20}\n".encode()
    verdicts = judge(tmp_path, emails)
    assert "PDS_BTC_ID" in verdicts.pop(SPAM).rules
    matched = Counter(rule for verdict in verdicts.values() for rule in verdict.rules)
    worst = max(verdict.score for verdict in verdicts.values())
    sys.stdout.write(f"{len(verdicts)} emails, at most {worst} points; rules: {dict(matched)}\n")
    assert {name: verdict for name, verdict in verdicts.items() if verdict.score > MOST} == {}
