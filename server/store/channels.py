"""The stored channels for notifications, which several processes create, lock and delete safely."""

from collections.abc import Collection, Sequence

from sqlmodel import Session, col, delete, select

from server.store.db import LOCK, inserting
from server.store.models import Browser, Channel, Notice


def get_or_create(session: Session, marks: Sequence[str], service: str, sealed: bytes) -> Channel:
    """Return the channel with one of these marks, or create it. It cannot be deleted in this transaction.

    A mark is a keyed hash of its address; `sealed` is the encrypted address.
    """
    query = select(Channel).where(col(Channel.mark).in_(marks)).with_for_update(**LOCK)
    query = query.execution_options(populate_existing=True)
    new = inserting(session, Channel).values(mark=marks[0], service=service, sealed=sealed)
    # Another transaction may delete or create it just before it is locked here.
    while (found := session.exec(query).first()) is None:
        session.execute(new.on_conflict_do_nothing())
    return found


def lasting(session: Session, numbers: Collection[int]) -> list[int]:
    """Return those of these channels that still exist; they cannot be deleted until the transaction ends."""
    if not numbers:
        return []
    query = select(Channel.id).where(col(Channel.id).in_(numbers)).order_by(col(Channel.id))
    return [number for number in session.exec(query.with_for_update(read=True, **LOCK)) if number is not None]


def hold(session: Session, numbers: Collection[int]) -> None:
    """Lock channels until the transaction ends: no one can start to use them, or add notifications."""
    session.flush()
    query = select(Channel.id).where(col(Channel.id).in_(numbers)).order_by(col(Channel.id))
    session.exec(query.with_for_update()).all()


def throw_away(session: Session, numbers: Collection[int]) -> None:
    """Delete channels, with their waiting notifications and their browsers."""
    hold(session, numbers)
    for table, number in (
        (Notice, col(Notice.channel_id)),
        (Browser, col(Browser.channel_id)),
        (Channel, col(Channel.id)),
    ):
        session.execute(delete(table).where(number.in_(numbers)))
