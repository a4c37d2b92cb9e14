"""Outgoing emails: those that wait or failed, paused domains, and players whose emails bounce."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, or_, select
from sqlmodel.sql.expression import SelectOfScalar

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
"""The states of an email that is not tried again."""


@dataclass(frozen=True)
class OutgoingView:
    """An outgoing email; `state` as in `models.Outbox`, `game` if it is about one."""

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
        """True if its domain is paused."""
        return self.state == PAUSED


def delayed(session: Session, limit: int) -> Sequence[OutgoingView]:
    """Return the emails that failed and will be sent again, the next one first."""
    query = select(Outbox).where(col(Outbox.state) == "queued", col(Outbox.attempts) > 0)
    return _views(session, query.order_by(col(Outbox.due_at), col(Outbox.id)).limit(limit))


def ended(session: Session, limit: int | None = None, skip: int = 0) -> Sequence[OutgoingView]:
    """Return the emails that were given up or returned, the oldest first."""
    query = select(Outbox).where(col(Outbox.state).in_(ENDED)).order_by(col(Outbox.id))
    return _views(session, query.offset(skip).limit(limit))


def send_again(
    admin_action: AdminAction,
    *,
    number: int | None = None,
    addresses: Collection[str] | None = None,
    player: int | None = None,
) -> int:
    """Resend emails that were given up or returned: one, those to some addresses, or all. Return how many.

    `player` is the number of the player whom the entry in the audit log concerns.
    """
    which: list[ColumnElement[bool]] = [col(Outbox.state).in_(ENDED)]
    which += [] if number is None else [col(Outbox.id) == number]
    which += [] if addresses is None else [col(Outbox.recipient).in_(addresses)]
    count = queue_again(admin_action.session, admin_action.action.now, *which)
    if count:
        admin_action.note(f"resent {count} {'email' if count == 1 else 'emails'}", player=player)
    return count


def try_now(admin_action: AdminAction, number: int) -> None:
    """Try now to send an email that would be tried later. Raises BadRequest if it no longer waits."""
    mail = _waiting(admin_action.session, number)
    mail.due_at = admin_action.action.now
    admin_action.session.add(mail)
    admin_action.note(f"tried outgoing email {number} immediately")


def give_up(admin_action: AdminAction, number: int) -> None:
    """Give up an email that would be tried again. Raises BadRequest if it no longer waits."""
    mail = _waiting(admin_action.session, number)
    mail.state, mail.due_at = "failed", admin_action.action.now
    admin_action.session.add(mail)
    admin_action.note(f"gave up outgoing email {number}")


def _waiting(session: Session, number: int) -> Outbox:
    mail = locked(session, Outbox, number)
    if mail is None or mail.state != "queued" or not mail.attempts:
        raise BadRequest("This email no longer waits.")
    return mail


def list_outgoing(
    session: Session, limit: int, *, address: str = "", domain: str = ""
) -> tuple[Sequence[OutgoingView], int]:
    """Return the emails to be sent (all, or to an address or domain), the next one first, and how many more."""
    which: list[ColumnElement[bool]] = [col(Outbox.state).in_(WAITING)]
    which += [col(Outbox.recipient) == address] if address else []
    which += [col(Outbox.domain) == domain] if domain else []
    query = select(Outbox).where(*which).order_by(col(Outbox.due_at), col(Outbox.id)).limit(limit)
    found = _views(session, query)
    return found, session.exec(select(func.count()).select_from(Outbox).where(*which)).one() - len(found)


def latest(session: Session, limit: int, *which: ColumnElement[bool]) -> Sequence[OutgoingView]:
    """Return the emails in any state that match one of the conditions, the latest first."""
    newest_first = col(Outbox.created_at).desc(), col(Outbox.id).desc()
    found = [select(Outbox.id).where(each).order_by(*newest_first).limit(limit) for each in which]
    wanted = or_(*(col(Outbox.id).in_(each) for each in found))
    return _views(session, select(Outbox).where(wanted).order_by(*newest_first).limit(limit))


def get_outgoing(session: Session, number: int) -> OutgoingView:
    """Return an outgoing email in any state. Raises BadRequest if it does not exist."""
    mail = session.get(Outbox, number)
    if mail is None:
        raise BadRequest(f"There is no email {number} in the outbox.")
    return _view(mail)


def drop(admin_action: AdminAction, number: int, why: str) -> None:
    """Discard an email without notifying its recipient. Raises BadRequest if it does not wait."""
    mail = locked(admin_action.session, Outbox, number)
    if mail is None or mail.state not in WAITING:
        raise BadRequest(f"Email {number} does not wait to be sent.")
    mail.state, mail.due_at = "dropped", admin_action.action.now
    admin_action.session.add(mail)
    admin_action.note(f"discarded outgoing email {number}", why=why)


def _views(session: Session, query: SelectOfScalar[Outbox]) -> list[OutgoingView]:
    return [_view(mail) for mail in session.exec(query)]


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
    """A paused domain, and the number of emails that wait for it."""

    domain: str
    since: datetime
    why: str
    mails: int


def pause_domain(admin_action: AdminAction, domain: str, why: str) -> PausedDomainView:
    """Pause all emails to a domain until it is released.

    Raises BadRequest if `domain` is not a domain, or is already paused.
    """
    domain, session = _spelt(domain), admin_action.session
    if session.get(PausedDomain, domain) is not None:
        raise BadRequest(f"{domain} is already paused.")
    row = PausedDomain(domain=domain, since=admin_action.action.now, why=why)
    session.add(row)
    paused_domains.pause_all(session, domain)
    admin_action.note(f"paused {domain}", why=why)
    return _domain_view(session, row)


def release(admin_action: AdminAction, domain: str) -> int:
    """Resume emails to a domain; return how many waited.

    Raises BadRequest if `domain` is not a domain, or is not paused.
    """
    domain, session = _spelt(domain), admin_action.session
    row = session.get(PausedDomain, domain, with_for_update=True)
    if row is None:
        raise BadRequest(f"{domain} is not paused.")
    session.delete(row)
    admin_action.note(f"released {domain}")
    return paused_domains.release_paused(session, domain, admin_action.action.now)


def list_paused_domains(session: Session) -> Sequence[PausedDomainView]:
    """Return all paused domains, the one paused longest first."""
    query = select(PausedDomain).order_by(col(PausedDomain.since), col(PausedDomain.domain))
    return [_domain_view(session, row) for row in session.exec(query)]


def _spelt(domain: str) -> str:
    with refusing(BadAddress):
        return normalise_domain(domain)


def _domain_view(session: Session, row: PausedDomain) -> PausedDomainView:
    return PausedDomainView(row.domain, row.since, row.why, paused_domains.count_paused(session, row.domain))


@dataclass(frozen=True)
class BouncingPlayer:
    """A player whose emails were stopped because of bounces."""

    number: int
    name: str
    email: str
    since: datetime
    score: int


def list_stopped(session: Session, limit: int | None = None, skip: int = 0) -> Sequence[BouncingPlayer]:
    """Return the players whose emails were stopped because of bounces, the earliest first."""
    query = select(Player).where(col(Player.suspended_at).is_not(None))
    rows = session.exec(query.order_by(col(Player.suspended_at), col(Player.id)).offset(skip).limit(limit))
    return [
        BouncingPlayer(
            players.identity(player), player.name, player.email, player.suspended_at, player.bounce_score
        )
        for player in rows
        if player.suspended_at is not None
    ]


def resume(admin_action: AdminAction, player: Player) -> None:
    """Resume emails to a player, starting with the state of their games. Raises BadRequest if not stopped."""
    if player.suspended_at is None:
        raise BadRequest(f"Emails to {player.name} are not stopped because of bounces.")
    bounces.heard_from(admin_action.action, player, Games(players.identity(player)))
    admin_action.session.add(player)
    admin_action.note("resumed emails", player=players.identity(player))
