"""Incoming emails: each is stored before it is acknowledged, and ends in a final state."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, bindparam, or_
from sqlmodel import Session, col, select

from mail.fields import split
from mail.incoming.peers import is_elsewhere
from mail.incoming.receiving import Received
from mail.reading.author import author_of
from mail.reading.message import answered, recipients
from server.store.keys.sealing import Sealer
from server.store.models import Game, Inbox
from server.store.statements import prepared_statements
from server.store.statements.planned_session import RowStatement
from server.store.tokens import ConfirmationToken, ReplyToken, TokenSigner

MOST_ATTEMPTS = 3
"""The number of failed attempts after which an email is quarantined."""
LEASE = timedelta(minutes=1)
"""The time for which a process owns an email that it handles, including DNS queries."""
WAIT_FOR_GAME = timedelta(days=7)
"""The time for which the deadlines of a game wait for an unhandled email."""
WAIT_AFTER_FAILURE = timedelta(days=1)
"""The time beyond a deadline for which a game waits for an email that failed: senders may cause failures."""
WAIT_WITHOUT_GAME = timedelta(minutes=10)
"""The time for which all games wait for an email whose game is unknown."""

QUESTION_STANDS = timedelta(days=7)
"""The time within which a player can confirm that an email is theirs."""
BROKEN_OFF = "its processing was interrupted"
"""The reason for quarantining an email that ended the process. Every email has it while it is handled."""

_HEAD = 65536  # maximum bytes of a header
_WRITTEN = ("Message-ID", "Date", "From", "Subject")

_COST, _COST_IN_GAME = 10, 1
"""The turns by which an email delays the next one in its queue: ten for a game count like one for none."""

# Built once, because every email or page needs them.
_DUE = select(Inbox).where(Inbox.state == "new", col(Inbox.due_at) <= bindparam("now")).limit(1)
_ASKED: RowStatement[Inbox] = RowStatement(
    select(Inbox)
    .where(
        col(Inbox.asked_id) == bindparam("player"),
        col(Inbox.state) == "asked",
        col(Inbox.handled_at) > bindparam("since"),
    )
    .order_by(col(Inbox.id))
)
_NEXT: RowStatement[Inbox] = RowStatement(
    _DUE.order_by(col(Inbox.turn), col(Inbox.due_at), col(Inbox.id)).with_for_update(skip_locked=True)
)


@dataclass(frozen=True)
class Addressed:
    """An email with known recipients.

    `answers` are the Message-IDs that it answers, `author` is the address in From, "" if ambiguous.
    """

    mail: Received
    answers: tuple[str, ...]
    author: str


@dataclass(frozen=True)
class Sealed(Addressed):
    """An encrypted email, ready to be stored quickly."""

    content: bytes
    fingerprints: tuple[tuple[str, ...], ...]
    """The fingerprints of each recipient, as `fingerprints` returns them."""


def address(tokens: TokenSigner, mail: Received) -> Addressed:
    """Return an email with its addresses. A recipient that has lost its tag gets it back from the header."""
    headers = split(mail.content[:_HEAD])[0]
    written_to = recipients(headers)
    ours = tuple(tokens.addressed(_storable(each), written_to) for each in mail.recipients)
    mail = replace(mail, mail_from=_storable(mail.mail_from), recipients=ours)
    return Addressed(mail, answered(headers), author_of(headers).address)


def seal(sealer: Sealer, read: Addressed) -> Sealed:
    """Encrypt an email before the transaction that stores it, because encryption is slow."""
    mail = read.mail
    return Sealed(mail, read.answers, read.author, sealer.seal(mail.content), fingerprints(sealer, mail))


def store(
    session: Session, sealer: Sealer, tokens: TokenSigner, now: datetime, batch: Sequence[Sealed]
) -> None:
    """Store emails, one row for each recipient, except those that are stored already.

    Queues take turns: each email gets a turn after the last one in its queue. The emails for a game are a
    queue, and so are the other emails from one sender or one external host.
    """
    for sealed in batch:
        for recipient, prints in zip(sealed.mail.recipients, sealed.fingerprints, strict=True):
            if _is_known(session, prints[1:]):
                continue
            game = _game_of(session, tokens.find(recipient, sealed.answers))
            _store_one(session, sealer, now, sealed, recipient, prints[0], game)


def keeps_waiting(now: datetime, moment: SQLColumnExpression[datetime | None]) -> ColumnElement[bool]:
    """Return the SQL condition for games that wait for an unhandled email received by `moment`.

    The email may contain a move and is still in the queue, or was quarantined because of an error. An email to
    the plain address makes all games wait, but only for a short time.
    """
    in_time = col(Inbox.received_at) <= moment
    faulty = and_(
        col(Inbox.state) == "quarantined",
        col(Inbox.attempts) >= MOST_ATTEMPTS,
        moment > now - WAIT_AFTER_FAILURE,
    )
    for_game = select(Inbox.id).where(
        in_time,
        Inbox.game_id == Game.id,
        or_(col(Inbox.state) == "new", faulty),
        col(Inbox.received_at) > now - WAIT_FOR_GAME,
    )
    for_all = select(Inbox.id).where(
        in_time,
        Inbox.state == "new",
        col(Inbox.game_id).is_(None),
        col(Inbox.received_at) > now - WAIT_WITHOUT_GAME,
    )
    return or_(for_game.correlate_except(Inbox).exists(), for_all.correlate_except(Inbox).exists())


def any_due(session: Session, now: datetime) -> bool:
    """Return whether an email waits to be handled at this moment."""
    return session.exec(_DUE, params={"now": now}).first() is not None


def claim(session: Session, now: datetime, lying: timedelta) -> Inbox | None:
    """Lease the next email that has waited for at least `lying`, and count the attempt; None if there is none.

    The caller has to commit before it parses the email. So an email that crashes the process is quarantined
    after some attempts.
    """
    (row,) = next(iter(_NEXT(session, {"now": now - lying})), (None,))
    if row is not None:
        row.attempts += 1
        row.due_at = now + LEASE
        broken_off, row.why = row.why == BROKEN_OFF, BROKEN_OFF
        if broken_off and row.attempts > MOST_ATTEMPTS:
            row.attempts -= 1
            row.state, row.handled_at = "quarantined", now
    return row


def is_claimed(session: Session, row: Inbox) -> bool:
    """Return whether the lease of an email is still valid; then it stays valid until the transaction ends."""
    return prepared_statements.IS_CLAIMED(session, number=row.id, attempt=row.attempts).first() is not None


def asked_of(session: Session, player_id: int, now: datetime) -> Sequence[Inbox]:
    """Return the emails that wait until this player has confirmed them, the oldest first."""
    found = _ASKED(session, {"player": player_id, "since": now - QUESTION_STANDS})
    return [row for (row,) in found]


def is_asked_about(row: Inbox, now: datetime) -> bool:
    """Return whether an email waits for the confirmation of its sender."""
    return row.state == "asked" and row.handled_at is not None and now < row.handled_at + QUESTION_STANDS


def fingerprints(sealer: Sealer, mail: Received) -> tuple[tuple[str, ...], ...]:
    """Return the fingerprints of an email for each recipient: equal for two deliveries of the same email.

    There is one for each key, that of the current key first, because it may be stored with an older one. They
    cover the body and the main header fields or, without a Message-ID, the whole content. A Message-ID alone is
    not enough, because some programs use it for several emails. For copies that were changed on the way, see
    `Inbox.mark`.
    """
    headers, body = split(mail.content)
    fields = [headers.first(name) for name in _WRITTEN]
    if fields[0].strip():
        content = "\n".join(fields).encode(errors="replace") + _plain(body)
    else:
        content = _plain(mail.content)
    marks = sealer.marks_of(content)
    return tuple(
        tuple(
            sealer.marks_of(f"{each}\n{mail.mail_from}\n{mark}".lower())[key] for key, mark in enumerate(marks)
        )
        for each in mail.recipients
    )


def _plain(content: bytes) -> bytes:
    """Return the bytes with plain line ends, and none at the end."""
    return content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip()


def _storable(address: str) -> str:
    """Return the address without characters that a database cannot store; some sources pass on any bytes."""
    return address.encode(errors="replace").decode().replace("\0", "?")


def _game_of(session: Session, token: ReplyToken | ConfirmationToken | None) -> int | None:
    """Return the game of an email, or of the email that it confirms; None for no game."""
    match token:
        case ReplyToken(game):
            return game
        case ConfirmationToken(number):
            confirmed = session.get(Inbox, number)
            return None if confirmed is None else confirmed.game_id
    return None


def _is_known(session: Session, prints: Sequence[str]) -> bool:
    """Return whether an email with one of these fingerprints is stored."""
    if not prints:
        return False
    return session.exec(select(Inbox.id).where(col(Inbox.fingerprint).in_(prints))).first() is not None


def _store_one(
    session: Session,
    sealer: Sealer,
    now: datetime,
    sealed: Sealed,
    recipient: str,
    fingerprint: str,
    game: int | None,
) -> None:
    mail = sealed.mail
    row = {
        "source": mail.source,
        "peer": mail.peer[:64],
        "results": mail.results,
        "mail_from": mail.mail_from[:320].lower(),
        "recipient": recipient[:320],
        "fingerprint": fingerprint,
        "sealed": sealed.content,
        "state": "new",
        "why": "",
        "attempts": 0,
        "put_off": 0,
        "due_at": now,
        "queue": _queue(sealer, mail, game),
        "game_id": game,
        "received_at": now,
    }
    cost = _COST if game is None else _COST_IN_GAME
    prepared_statements.NEW_IN_INBOX[session.get_bind().dialect.name](
        session, **row, of_queue=row["queue"], cost=cost
    )


def _queue(sealer: Sealer, mail: Received, game: int | None) -> str:
    if game is not None:
        return f"game {game}"
    outside = mail.source == "smtp" and is_elsewhere(mail.peer)
    return sealer.mark(f"queue {mail.peer if outside else mail.mail_from.lower()}")
