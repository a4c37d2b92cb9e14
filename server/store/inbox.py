"""Incoming mails: stored before they are acknowledged; each ends in one of the end states."""

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
from server.store import prepared_statements
from server.store.keys.sealing import Sealer
from server.store.models import Game, Inbox
from server.store.tokens import ConfirmationToken, ReplyToken, TokenSigner

MOST_ATTEMPTS = 3
"""A mail that could not be handled this many times is quarantined."""
LEASE = timedelta(minutes=1)
"""How long a mail belongs to whoever has begun to handle it: to read it, and to ask the DNS about it."""
PATIENCE = timedelta(days=7)
"""How long a game waits for a mail that nobody handles."""
FAULT_PATIENCE = timedelta(days=1)
"""How long beyond a deadline it waits for one that could not be handled: its writer may have intended that."""
HURRY = timedelta(minutes=10)
"""How long all games wait for a mail when it is not known what it is about."""

QUESTION_STANDS = timedelta(days=7)
"""How long someone who is asked whether a mail is theirs can say yes."""
BROKEN_OFF = "its handling was broken off"
"""Why a mail is quarantined that ended the process handling it; each mail has this note while it is handled."""

_HEAD = 65536  # bytes of a mail in which its header is looked for
_WRITTEN = ("Message-ID", "Date", "From", "Subject")

_COST, _COST_IN_GAME = 10, 1
"""How far a mail moves the next one of its queue back: ten for a game count like one for none."""

# Built once, since every mail needs them.
_DUE = select(Inbox).where(Inbox.state == "new", col(Inbox.due_at) <= bindparam("now")).limit(1)
_NEXT = _DUE.order_by(col(Inbox.turn), col(Inbox.due_at), col(Inbox.id)).with_for_update(skip_locked=True)


@dataclass(frozen=True)
class Addressed:
    """A mail of which is known whom it concerns.

    `answers` are the ids of the mails that it answers, `author` is the address in From, "" if that is not
    certain.
    """

    mail: Received
    answers: tuple[str, ...]
    author: str


@dataclass(frozen=True)
class Sealed(Addressed):
    """A mail ready to be stored: the slow work on large ones is done, so nobody has to wait for it."""

    content: bytes
    fingerprints: tuple[tuple[str, ...], ...]
    """For each recipient, as the function `fingerprints` returns them."""


def address(tokens: TokenSigner, mail: Received) -> Addressed:
    """Read whom a mail concerns. A recipient whose tag a mail system has dropped gets the one in the header."""
    headers = split(mail.content[:_HEAD])[0]
    written_to = recipients(headers)
    ours = tuple(tokens.addressed(_storable(each), written_to) for each in mail.recipients)
    mail = replace(mail, mail_from=_storable(mail.mail_from), recipients=ours)
    return Addressed(mail, answered(headers), author_of(headers).address)


def seal(sealer: Sealer, read: Addressed) -> Sealed:
    """Make a mail ready to be stored, before others have to wait for that."""
    mail = read.mail
    return Sealed(mail, read.answers, read.author, sealer.seal(mail.content), fingerprints(sealer, mail))


def store(
    session: Session, sealer: Sealer, tokens: TokenSigner, now: datetime, batch: Sequence[Received]
) -> None:
    """Seal and store mails; other writers wait while large ones are sealed."""
    store_sealed(session, sealer, tokens, now, [seal(sealer, address(tokens, mail)) for mail in batch])


def store_sealed(
    session: Session, sealer: Sealer, tokens: TokenSigner, now: datetime, batch: Sequence[Sealed]
) -> None:
    """Store mails, one row for each recipient; those already stored are left as they are.

    Queues take turns: each mail gets a turn after the last one waiting in its queue. The mails for a game form
    a queue, and so do the other mails from one sender, or from one computer outside.
    """
    for sealed in batch:
        for recipient, prints in zip(sealed.mail.recipients, sealed.fingerprints, strict=True):
            if _is_known(session, prints[1:]):
                continue
            game = _game_of(session, tokens.find(recipient, sealed.answers))
            _store_one(session, sealer, now, sealed, recipient, prints[0], game)


def keeps_waiting(now: datetime, moment: SQLColumnExpression[datetime | None]) -> ColumnElement[bool]:
    """A condition on `Game`: a mail that came in by `moment` may hold a move in it, and is not handled yet.

    Either it is not its turn yet, or a fault of ours keeps us from handling it. A mail to the plain address
    keeps all games waiting, but not for long, since there is no move in it.
    """
    in_time = col(Inbox.received_at) <= moment
    faulty = and_(
        col(Inbox.state) == "quarantined", col(Inbox.attempts) >= MOST_ATTEMPTS, moment > now - FAULT_PATIENCE
    )
    for_game = select(Inbox.id).where(
        in_time,
        Inbox.game_id == Game.id,
        or_(col(Inbox.state) == "new", faulty),
        col(Inbox.received_at) > now - PATIENCE,
    )
    for_all = select(Inbox.id).where(
        in_time, Inbox.state == "new", col(Inbox.game_id).is_(None), col(Inbox.received_at) > now - HURRY
    )
    return or_(for_game.correlate_except(Inbox).exists(), for_all.correlate_except(Inbox).exists())


def any_due(session: Session, now: datetime) -> bool:
    """Whether a mail waits to be handled."""
    return session.exec(_DUE, params={"now": now}).first() is not None


def claim(session: Session, now: datetime, lying: timedelta) -> Inbox | None:
    """A mail that has been waiting this long, for the caller to handle; None if there is none.

    The attempt is counted, and the caller must commit that before looking into the mail: whatever it does to
    the process, it will not do so for ever.
    """
    row = session.exec(_NEXT, params={"now": now - lying}).first()
    if row is not None:
        row.attempts += 1
        row.due_at = now + LEASE
        broken_off, row.why = row.why == BROKEN_OFF, BROKEN_OFF
        if broken_off and row.attempts > MOST_ATTEMPTS:
            row.attempts -= 1
            row.state, row.handled_at = "quarantined", now
    return row


def is_claimed(session: Session, row: Inbox) -> bool:
    """Whether the claim still holds; if so, it does until the transaction ends."""
    return (
        prepared_statements.IS_CLAIMED(session, number=row.id, attempt=row.attempts, due=row.due_at).rowcount
        == 1
    )


def asked_of(session: Session, player_id: int, now: datetime) -> Sequence[Inbox]:
    """The mails that a player is asked about, whether they are theirs; the oldest first."""
    query = select(Inbox).where(
        col(Inbox.asked_id) == player_id,
        col(Inbox.state) == "asked",
        col(Inbox.handled_at) > now - QUESTION_STANDS,
    )
    return session.exec(query.order_by(col(Inbox.id))).all()


def is_asked_about(row: Inbox, now: datetime) -> bool:
    """Whether a mail waits for a yes from whoever should have written it."""
    return row.state == "asked" and row.handled_at is not None and now < row.handled_at + QUESTION_STANDS


def fingerprints(sealer: Sealer, mail: Received) -> tuple[tuple[str, ...], ...]:
    """For each recipient what two deliveries have in common: all but what mail systems write into a header.

    It is given as each key marks it, the one in use first, since it may have been stored with an older one.
    Without a Message-ID it is the whole content. What differs in anything else is stored, since programs have
    given several mails one Message-ID; `inbound.copies` knows copies that were changed on their way.
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
    """The bytes with plain line ends, and none at the end."""
    return content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip()


def _storable(address: str) -> str:
    """The address without what a database cannot store; some ways in hand over any bytes as an address."""
    return address.encode(errors="replace").decode().replace("\0", "?")


def _game_of(session: Session, token: ReplyToken | ConfirmationToken | None) -> int | None:
    """The game that a mail, or the mail that it confirms, is about; None for any other."""
    match token:
        case ReplyToken(game):
            return game
        case ConfirmationToken(number):
            confirmed = session.get(Inbox, number)
            return None if confirmed is None else confirmed.game_id
    return None


def _is_known(session: Session, prints: Sequence[str]) -> bool:
    """Whether a mail with one of these fingerprints is stored."""
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
        "mail_from": mail.mail_from[:320],
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
    """What mails that wait for one another have in common."""
    if game is not None:
        return f"game {game}"
    outside = mail.source == "smtp" and is_elsewhere(mail.peer)
    return sealer.mark(f"queue {mail.peer if outside else mail.mail_from.lower()}")
