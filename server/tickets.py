"""Signatures that do not cover the mail: each is good for the one mail with which it came first.

They are kept in the database, as one process may be posted a signature that another one was posted before.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session

from server.db import inserting
from server.models import Ticket
from server.vault import Vault

REMEMBERED = timedelta(days=2)
"""Longer than any such signature is good."""


def admits(session: Session, vault: Vault, now: datetime, signature: str, fingerprints: Sequence[str]) -> bool:
    """Whether a signature has come with no other mail before; from now on it is good for this one only.

    The same mail may come again, as it does when it could not be stored: `fingerprints` are those of `inbox`.
    """
    mark = vault.mark(f"ticket\n{signature}")
    row = {"mark": mark, "mail": vault.mark("\n".join(sorted(fingerprints))), "since": now}
    session.execute(inserting(session, Ticket).on_conflict_do_nothing(index_elements=["mark"]), row)
    return session.get_one(Ticket, mark).mail == row["mail"]
