"""What those who look after a server find on their pages, after people have played on it for years."""

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
        "players of a name": "/players?wanted=Player+7",
        "a player": "/players/7",
        "code": "/enter",
        "second factor": "/factor",
        "blocks": "/blocks",
        "games": "/games",
        "games of a player": "/games?player=Player+1",
        "a game": "/games/7",
        "tournaments": "/tournaments",
        "a tournament": "/tournaments/1",
        "quarantine": "/quarantine",
        "a quarantined email": "/quarantine/1",
        "mail going out": "/outbox",
        "bounces": "/bounces",
        "announcements": "/announcements",
        "registration": "/registration",
        "roles": "/roles",
        "log": "/log",
    }.items()
}
"""Addresses, for an operator."""


def fill(session: Session, operator: int, mails: int) -> None:
    """Give a player a role, and much to see: so many sent mails, and some that wait or are quarantined."""
    now = datetime.now(UTC)
    session.add(Staff(player_id=operator, role="operator", since=now, confirmed_at=now))
    session.flush()
    deeds = [{"at": now, "by_id": operator, "what": "read mail 7", "why": ""} for _ in range(mails // 10)]
    session.execute(insert(AuditEntry), deeds)
    session.execute(insert(Inbox), [_came_in(number, now) for number in range(mails // 100)])
    session.execute(insert(Outbox), [_goes_out(number, now) for number in range(mails)])


def _came_in(number: int, now: datetime) -> dict[str, object]:
    """A quarantined email."""
    return {
        "source": "smtp",
        "mail_from": f"player{number}@example.org",
        "recipient": "play@games.example.org",
        "fingerprint": f"quarantined {number}",
        "sealed": None,
        "state": "quarantined",
        "why": "it could not be handled",
        "due_at": now,
        "received_at": now,
    }


def _goes_out(number: int, now: datetime) -> dict[str, object]:
    """A mail that was sent; one in a hundred was given up, another waits to be tried again."""
    state, attempts = {0: ("failed", 9), 1: ("queued", 2)}.get(number % 100, ("sent", 1))
    return {
        "key": f"sent {number}",
        "recipient": f"player{number}@example.org",
        "domain": "example.org",
        "letter": "report",
        "sealed": b"",
        "state": state,
        "attempts": attempts,
        "due_at": now + timedelta(days=1),
        "created_at": now,
        "sent_at": now if state == "sent" else None,
    }
