"""Limits on the bytes of incoming email in a day: by network, domain and player, and in total.

Half of the total is for replies to signed addresses, which strangers do not know; a quarter is for other mail
that names a player in From, which anyone can forge; a quarter is for mail from strangers. So strangers cannot
use up the room of senders with better proof. Days are in UTC.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from mail.addresses import tagged
from mail.incoming.batching import NoRoom
from mail.incoming.receiving import Received
from server.accounts.newcomers import origin
from server.limits import LARGEST_ON_A_FULL_DISK
from server.store import mail_budgets
from server.store.database_health import LEAST_FREE, free_space
from server.store.inbox import Addressed, Sealed
from server.store.keys.sealing import Sealer
from server.store.mail_budgets import Budget
from server.store.models import Inbox
from server.store.statements import prepared_statements
from server.store.tokens import ConfirmationToken, ReplyToken, TokenSigner

ROW = 1000
"""The bytes of a stored email besides its text."""


def is_large(mail: Received) -> bool:
    """Return whether an email is so large that it is only stored while there is plenty of room."""
    return len(mail.content) > LARGEST_ON_A_FULL_DISK


def check_disk(engine: Engine, mails: Iterable[Received]) -> None:
    """Raise NoRoom if the disk is almost full and one of the emails is large."""
    free = free_space(engine)
    if free is None or free >= LEAST_FREE:
        return
    if any(map(is_large, mails)):
        raise NoRoom(f"only {free // 1_000_000} MB are free on the disk of the database")


@dataclass(frozen=True)
class Budgets:
    """The limits on stored bytes for one day; `total` is in bytes."""

    sealer: Sealer
    tokens: TokenSigner
    total: int

    def check(self, session: Session, now: datetime, mails: Iterable[Addressed]) -> None:
        """Raise NoRoom if storing these emails would exceed a limit. Call it before encrypting."""
        mail_budgets.check(session, now, self._sizes(session, mails))

    def charge(self, session: Session, now: datetime, mails: Iterable[Sealed]) -> None:
        """Count emails that are stored in this transaction. Raises NoRoom if they exceed a budget."""
        mail_budgets.charge(session, now, self._sizes(session, mails))

    def _sizes(self, session: Session, mails: Iterable[Addressed]) -> Counter[Budget]:
        """Return the bytes that emails add to each budget."""
        sizes: Counter[Budget] = Counter()
        for mail in mails:
            content = mail.content if isinstance(mail, Sealed) else mail.mail.content
            for recipient in mail.mail.recipients:
                for budget in self._of(session, mail, recipient):
                    sizes[budget] += len(content) + ROW
        return sizes

    def _of(self, session: Session, mail: Addressed, recipient: str) -> Iterator[Budget]:
        """Yield the budgets that an email to one of Nabu's addresses counts against."""
        network = origin(self.sealer, mail.mail.peer)
        holder = _holder(session, self.tokens.read(tagged(recipient)[1]))
        if holder is not None:
            yield Budget(mail_budgets.REPLIES, self.total // 2)
            yield self._own(f"replies of {holder}", 40)
            return
        number, confirmed_at, closed = prepared_statements.OWNER(session, email=mail.author).first() or (
            None,
            None,
            None,
        )
        if confirmed_at is not None and not closed:
            # By network, too, so that a forged sender does not use up the player's own budget.
            yield Budget(mail_budgets.PLAYERS, self.total // 4)
            yield self._own(f"mail of player {number} from {network}", 40)
            if network:
                yield self._own(f"mail of players from {network}", 10)
            return
        yield Budget(mail_budgets.STRANGERS, self.total // 4)
        domain = (mail.author or mail.mail.mail_from).rpartition("@")[2].lower()
        if domain:
            yield self._own(f"mail of {domain}", 10)
        if network:
            yield self._own(f"mail from {network}", 20)

    def _own(self, whose: str, part: int) -> Budget:
        """Return the budget of one network, domain or player: a part of the total."""
        return Budget(self.sealer.mark(f"budget of {whose}"), self.total // part)


def _holder(session: Session, token: ReplyToken | ConfirmationToken | None) -> str | None:
    """Return a name for the player to whom a signed address was given; None for an unsigned address."""
    match token:
        case ReplyToken(game, seat):
            (player,) = prepared_statements.SEATED(session, game=game, seat=seat).first() or (None,)
            return f"seat {seat} of game {game}" if player is None else f"player {player}"
        case ConfirmationToken(number):
            asked = session.exec(select(Inbox.asked_id).where(col(Inbox.id) == number)).first()
            return None if asked is None else f"player {asked}"
    return None
