"""Mails that do not reach people, and people whose mail was stopped because of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from mail.addresses import BadAddress, normalise_domain
from server.accounts import bounces, players
from server.admin.audit import AdminAction
from server.admin.sanitize import in_a_line, untagged
from server.errors import BadRequest, refusing
from server.outbound import paused_domains
from server.outbound.letters.account import Games
from server.outbound.paused_domains import PAUSED
from server.store.db import locked
from server.store.models import Outbox, PausedDomain, Player
from server.store.outbox import WAITING, queue_again

ENDED = ("failed", "returned")
"""States of a mail that nothing more is done about."""


@dataclass(frozen=True)
class MailView:
    """A mail that was not taken; what it says or is about is nobody's business but its receiver's."""

    number: int
    recipient: str
    due_at: datetime
    attempts: int
    error: str


@dataclass(frozen=True)
class SuspendedView:
    """A player whose mail was stopped because it came back."""

    number: int
    name: str
    email: str
    since: datetime
    score: int


def delayed(session: Session, limit: int, skip: int = 0) -> Sequence[MailView]:
    """The mails that were tried in vain and are tried again, the next one first."""
    query = select(Outbox).where(col(Outbox.state) == "queued", col(Outbox.attempts) > 0)
    return _views(
        session.exec(query.order_by(col(Outbox.due_at), col(Outbox.id)).offset(skip).limit(limit)).all()
    )


def ended(session: Session, limit: int | None = None, skip: int = 0) -> Sequence[MailView]:
    """The mails that were given up or came back, the oldest first."""
    query = select(Outbox).where(col(Outbox.state).in_(ENDED)).order_by(col(Outbox.id))
    return _views(session.exec(query.offset(skip).limit(limit)).all())


def send_again(admin_action: AdminAction, *, number: int | None = None, address: str | None = None) -> int:
    """Send mails again that were given up or came back: one, those to an address, or all; how many."""
    which: list[ColumnElement[bool]] = [col(Outbox.state).in_(ENDED)]
    which += [] if number is None else [col(Outbox.id) == number]
    which += [] if address is None else [col(Outbox.recipient) == address]
    count = queue_again(admin_action.session, admin_action.action.now, *which)
    if count:
        admin_action.note(f"sent {count} {'mail' if count == 1 else 'mails'} again")
    return count


def try_now(admin_action: AdminAction, number: int) -> None:
    """Try a mail now that would be tried later. Raises BadRequest where it does not wait any more."""
    mail = _waiting(admin_action.session, number)
    mail.due_at = admin_action.action.now
    admin_action.session.add(mail)
    admin_action.note(f"had mail {number} to be sent tried at once")


def give_up(admin_action: AdminAction, number: int) -> None:
    """Try a mail no more. Raises BadRequest where it does not wait any more."""
    mail = _waiting(admin_action.session, number)
    mail.state, mail.due_at = "failed", admin_action.action.now
    admin_action.session.add(mail)
    admin_action.note(f"gave up mail {number} to be sent")


def suspended(session: Session, limit: int | None = None, skip: int = 0) -> Sequence[SuspendedView]:
    """The players whose mail was stopped because it came back, the earliest first."""
    query = select(Player).where(col(Player.suspended_at).is_not(None))
    rows = session.exec(query.order_by(col(Player.suspended_at), col(Player.id)).offset(skip).limit(limit))
    return [
        SuspendedView(
            players.identity(player), player.name, player.email, player.suspended_at, player.bounce_score
        )
        for player in rows
        if player.suspended_at is not None
    ]


def resume(admin_action: AdminAction, player: Player) -> None:
    """Mail to a player again whose mail came back: first how their games stand. Raises BadRequest."""
    if player.suspended_at is None:
        raise BadRequest(f"Mail to {player.name} is not stopped because of mails that came back.")
    bounces.heard_from(admin_action.action, player, Games(players.identity(player)))
    admin_action.session.add(player)
    admin_action.note("resumed mail", player=players.identity(player))


def _waiting(session: Session, number: int) -> Outbox:
    mail = locked(session, Outbox, number)
    if mail is None or mail.state != "queued" or not mail.attempts:
        raise BadRequest("This mail does not wait any more.")
    return mail


def _views(mails: Sequence[Outbox]) -> list[MailView]:
    return [
        MailView(mail.id or 0, mail.recipient, mail.due_at, mail.attempts, untagged(in_a_line(mail.error)))
        for mail in mails
    ]


@dataclass(frozen=True)
class OutgoingView:
    """A mail of ours; `state` as in `models.Outbox`, `game` if it is about one."""

    number: int
    state: str
    recipient: str
    letter: str
    game: int | None
    written_at: datetime
    due_at: datetime
    sent_at: datetime | None
    attempts: int
    failing_since: datetime | None
    error: str

    @property
    def is_paused(self) -> bool:
        """Whether nothing is sent to its domain for now."""
        return self.state == PAUSED


def list_outgoing(
    session: Session, limit: int, *, address: str = "", domain: str = ""
) -> tuple[Sequence[OutgoingView], int]:
    """The mails that are to be sent, the next one first, to whomever or there; and how many more there are."""
    which: list[ColumnElement[bool]] = [col(Outbox.state).in_(WAITING)]
    which += [col(Outbox.recipient) == address] if address else []
    which += [col(Outbox.domain) == domain] if domain else []
    query = select(Outbox).where(*which).order_by(col(Outbox.due_at), col(Outbox.id)).limit(limit)
    found = [_view(mail) for mail in session.exec(query)]
    return found, session.exec(select(func.count()).select_from(Outbox).where(*which)).one() - len(found)


def get_outgoing(session: Session, number: int) -> OutgoingView:
    """A mail, whatever became of it. Raises BadRequest where there is none of this number."""
    mail = session.get(Outbox, number)
    if mail is None:
        raise BadRequest(f"There is no mail {number} in the outbox.")
    return _view(mail)


def drop(admin_action: AdminAction, number: int, why: str) -> None:
    """Never send a mail; whoever it is for is told nothing of it. Raises BadRequest where it does not wait."""
    mail = locked(admin_action.session, Outbox, number)
    if mail is None or mail.state not in WAITING:
        raise BadRequest(f"Mail {number} does not wait to be sent.")
    mail.state, mail.due_at = "dropped", admin_action.action.now
    admin_action.session.add(mail)
    admin_action.note(f"dropped mail {number} to be sent", why=why)


def _view(mail: Outbox) -> OutgoingView:
    return OutgoingView(
        number=mail.id or 0,
        state=mail.state,
        recipient=mail.recipient,
        letter=mail.letter,
        game=mail.game_id,
        written_at=mail.created_at,
        due_at=mail.due_at,
        sent_at=mail.sent_at,
        attempts=mail.attempts,
        failing_since=mail.failing_since,
        error=untagged(in_a_line(mail.error)),
    )


@dataclass(frozen=True)
class PausedDomainView:
    """A paused domain, and how many mails wait for it."""

    domain: str
    since: datetime
    why: str
    mails: int


def pause_domain(admin_action: AdminAction, domain: str, why: str) -> PausedDomainView:
    """Send nothing to the addresses of a domain until it is released: all of it waits, however long.

    Raises BadRequest for what is no domain, and for one that is paused already.
    """
    domain, session = _spelt(domain), admin_action.session
    if session.get(PausedDomain, domain) is not None:
        raise BadRequest(f"{domain} is paused already.")
    row = PausedDomain(domain=domain, since=admin_action.action.now, why=why)
    session.add(row)
    paused_domains.pause_all(session, domain)
    admin_action.note(f"paused {domain}", why=why)
    return _domain_view(session, row)


def release(admin_action: AdminAction, domain: str) -> int:
    """Send to a domain again, beginning with what waits; how many mails. Raises BadRequest otherwise."""
    domain, session = _spelt(domain), admin_action.session
    row = session.get(PausedDomain, domain, with_for_update=True)
    if row is None:
        raise BadRequest(f"{domain} is not paused.")
    session.delete(row)
    admin_action.note(f"released {domain}")
    return paused_domains.let_go(session, domain, admin_action.action.now)


def list_paused_domains(session: Session) -> Sequence[PausedDomainView]:
    """Return all paused domains, the longest first."""
    query = select(PausedDomain).order_by(col(PausedDomain.since), col(PausedDomain.domain))
    return [_domain_view(session, row) for row in session.exec(query)]


def _spelt(domain: str) -> str:
    with refusing(BadAddress):
        return normalise_domain(domain)


def _domain_view(session: Session, row: PausedDomain) -> PausedDomainView:
    return PausedDomainView(row.domain, row.since, row.why, paused_domains.count_paused(session, row.domain))
