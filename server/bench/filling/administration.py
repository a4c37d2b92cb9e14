"""Data for the administration pages of a server with years of games."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import insert
from sqlmodel import Session

from server.store.models import AuditEntry, Inbox, Outbox, Staff

PAGES = {
    f"admin: {name}": f"/admin{address}"
    for name, address in {
        "overview": "",
        "complaints": "/complaints",
        "players": "/players",
        "players of a name": "/players?wanted=player+{player}",
        "a player": "/players/{player}",
        "code": "/enter",
        "second factor": "/factor",
        "blocks": "/blocks",
        "games": "/games",
        "games of a player": "/games?player=player+{player}",
        "a game": "/games/{running}",
        "tournaments": "/tournaments",
        "a tournament": "/tournaments/1",
        "quarantine": "/quarantine",
        "a quarantined email": "/quarantine/{quarantined}",
        "mail going out": "/outbox",
        "bounces": "/bounces",
        "announcements": "/announcements",
        "registration": "/registration",
        "roles": "/roles",
        "log": "/log",
    }.items()
}
"""Addresses for an administrator, with placeholders for values that `pages` fills in."""


def fill(session: Session, administrator: int, emails: int) -> int:
    """Give a player a role, and much to see; return the number of an incoming quarantined email.

    Of each hundred emails one is quarantined, one could not be sent, and one waits for a retry.
    """
    now = datetime.now(UTC)
    session.add(Staff(player_id=administrator, role="administrator", since=now, confirmed_at=now))
    session.flush()
    deeds = [{"at": now, "by_id": administrator, "what": "read mail 7", "why": ""} for _ in range(emails // 10)]
    session.execute(insert(AuditEntry), deeds)
    quarantined = [_quarantined(number, now) for number in range(emails // 100)]
    session.add_all(quarantined)
    for state, attempts in (("failed", 9), ("queued", 2)):
        unsent = [_unsent(f"{state} {number}", state, attempts, now) for number in range(emails // 100)]
        session.execute(insert(Outbox), unsent)
    session.flush()
    return quarantined[0].id or 0


def _quarantined(number: int, now: datetime) -> Inbox:
    return Inbox(
        source="smtp",
        mail_from=f"player{number}@example.org",
        recipient="play@games.example.org",
        fingerprint=f"quarantined {number}",
        sealed=None,
        state="quarantined",
        why="it could not be handled",
        due_at=now,
        received_at=now,
    )


def _unsent(key: str, state: str, attempts: int, now: datetime) -> dict[str, object]:
    return {
        "key": key,
        "recipient": "someone@example.org",
        "domain": "example.org",
        "letter": "report",
        "sealed": b"",
        "state": state,
        "attempts": attempts,
        "due_at": now + timedelta(days=1),
        "created_at": now,
    }
