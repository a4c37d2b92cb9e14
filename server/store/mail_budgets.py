"""Limits on the bytes of incoming email per day (see `inbound.storage_quotas`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from mail.incoming.batching import NoRoom
from server.store.models import Intake
from server.store.statements import prepared_statements

REPLIES, PLAYERS, STRANGERS = "replies", "players", "strangers"
"""The budgets of all emails of a class."""


@dataclass(frozen=True, order=True)
class Budget:
    """A limit on bytes per day: for a class of emails, or one network, domain or player (as a hash)."""

    name: str
    most: int


def check(session: Session, now: datetime, sizes: Mapping[Budget, int]) -> None:
    """Raise NoRoom if these bytes would exceed a limit. The sums of today are read without a lock."""
    names = [budget.name for budget in sizes]
    query = select(Intake.budget, Intake.size).where(
        col(Intake.day) == now.date().toordinal(), col(Intake.budget).in_(names)
    )
    used = dict(session.exec(query).all())
    for budget, size in sizes.items():
        _refuse_above(budget, used.get(budget.name, 0) + size)


def charge(session: Session, now: datetime, sizes: Mapping[Budget, int]) -> None:
    """Add the bytes stored in this transaction to today's sums. Raises NoRoom if one exceeds its limit."""
    day, count = now.date().toordinal(), prepared_statements.CHARGE[session.get_bind().dialect.name]
    for budget in sorted(sizes):  # always in the same order, to avoid deadlocks
        (size,) = count(session, day=day, budget=budget.name, size=sizes[budget], most=budget.most).only()
        _refuse_above(budget, size)


def _refuse_above(budget: Budget, size: int) -> None:
    if size > budget.most:
        raise NoRoom(f"a budget of {budget.most // 1_000_000} MB a day is used up")


def used_up(session: Session, now: datetime) -> Sequence[str]:
    """Return the classes of emails that have used nine tenths of today's limit."""
    query = select(Intake.budget).where(
        col(Intake.day) == now.date().toordinal(),
        col(Intake.budget).in_((REPLIES, PLAYERS, STRANGERS)),
        col(Intake.size) * 10 > col(Intake.most) * 9,
    )
    return sorted(session.exec(query))
