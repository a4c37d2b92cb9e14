"""Domains to which nothing is sent for now: their provider refuses our mail, say, and is being asked why."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from mail.addresses import BadAddress, normalise_domain
from server.errors import BadRequest, refusing
from server.operating.deeds import Office
from server.outbound import holding
from server.store.models import HeldDomain


@dataclass(frozen=True)
class HeldDomainView:
    """A domain that is held, and how many mails wait for it."""

    domain: str
    since: datetime
    why: str
    mails: int


def hold(office: Office, domain: str, why: str) -> HeldDomainView:
    """Send nothing to the addresses of a domain until it is released: all of it waits, however long.

    Raises BadRequest for what is no domain, and for one that is held already.
    """
    domain, session = _spelt(domain), office.session
    if session.get(HeldDomain, domain) is not None:
        raise BadRequest(f"{domain} is held already.")
    row = HeldDomain(domain=domain, since=office.action.now, why=why)
    session.add(row)
    holding.hold_all(session, domain)
    office.note(f"held {domain}", why=why)
    return _view(session, row)


def release(office: Office, domain: str) -> int:
    """Send to a domain again, beginning with what waits; how many mails. Raises BadRequest otherwise."""
    domain, session = _spelt(domain), office.session
    row = session.get(HeldDomain, domain, with_for_update=True)
    if row is None:
        raise BadRequest(f"{domain} is not held.")
    session.delete(row)
    office.note(f"released {domain}")
    return holding.let_go(session, domain, office.action.now)


def listed(session: Session) -> Sequence[HeldDomainView]:
    """All domains that are held, the longest first."""
    query = select(HeldDomain).order_by(col(HeldDomain.since), col(HeldDomain.domain))
    return [_view(session, row) for row in session.exec(query)]


def _spelt(domain: str) -> str:
    with refusing(BadAddress):
        return normalise_domain(domain)


def _view(session: Session, row: HeldDomain) -> HeldDomainView:
    return HeldDomainView(row.domain, row.since, row.why, holding.held(session, row.domain))
