"""One mail after the other: read, checked, acted upon, answered, in one transaction each.

A mail ends `done`, `refused` (answered with what is wrong) or `held` (kept for the operator). When something
unforeseen happens, what the mail did is undone and it is tried again later, at last held.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine
from sqlalchemy.exc import InterfaceError, OperationalError

from mail.addresses import same_mailbox, tagged
from mail.authenticating import Verdict
from mail.envelopes import NOBODY
from mail.reading import Reading, read
from mail.reports import bounce_key
from server import db, inbox
from server.db import writing
from server.intake.account import act_on_account, is_for_account
from server.intake.endings import Ending, held
from server.intake.machines import note_machine
from server.intake.replies import act_in_game, confirm_held
from server.intake.senders import Senders
from server.intake.sent import Sent, is_needed
from server.models import Inbox
from server.outbox import Post
from server.tokens import HeldToken, ReplyToken, Tokens
from server.troubles import place_of
from server.vault import Vault

logger = logging.getLogger(__name__)


class _AskLater(Exception):
    """The name servers did not answer; they may later."""


@dataclass(frozen=True)
class Pipeline:
    """Handles stored mails. `own` is our plain address."""

    engine: Engine
    vault: Vault
    tokens: Tokens
    own: str
    senders: Senders
    sent: Sent

    def waits(self, now: datetime, lying: timedelta = timedelta(0)) -> bool:
        """Whether a mail has been waiting for so long: a look that does not wait for those who write."""
        with db.reading(self.engine) as session:
            return inbox.any_due(session, now - lying)

    def handle_next(self, now: datetime, lying: timedelta = timedelta(0)) -> bool:
        """Bring one mail to its end that has been waiting for so long; False when none has."""
        number: int | None = None
        try:
            with writing(self.engine) as session:
                row = inbox.due(session, now - lying)
                if row is None:
                    return False
                number = row.id
                _end(row, self._handle(Post(session, self.vault, now, received=row.received_at), row), now)
        except (OperationalError, InterfaceError):
            raise  # the database's trouble, and none of the mail's
        except _AskLater:
            self._put_off(number, "the name servers did not answer", now)
        except Exception as error:  # whatever it is, it must not cost a mail
            # The message of the error may quote the mail, which is nobody's to read; the place is enough.
            self._put_off(number, place_of(error), now)
        return True

    def _put_off(self, number: int | None, what: str, now: datetime) -> None:
        """Note that a mail could not be handled: it is tried again later, or held in the end."""
        with writing(self.engine) as session:
            row = session.get_one(Inbox, number)
            row.attempts += 1
            row.why = what
            row.due_at = now + timedelta(minutes=2**row.attempts)
            if row.attempts >= inbox.MOST_ATTEMPTS:
                _end(row, held(what), now)
        logger.error("mail %s could not be handled: %s", number, what)

    def _handle(self, post: Post, row: Inbox) -> Ending:
        if row.sealed is None:
            return held("the raw mail is gone")
        raw = self.vault.open(row.sealed)
        reading = read(raw, mail_from=row.mail_from, own=self.own)
        if reading.kind != "reply":
            return note_machine(post, row, reading, self.own)
        tag = tagged(row.recipient)[1]
        if row.recipient == NOBODY:
            return held("no address in it is one of ours")
        if not same_mailbox(row.recipient, self.own) or bounce_key(row.recipient, self.own):
            return held("it is for you who run this server")
        if not reading.sender:
            return held("it names no sender")
        token = self._token(row, reading)
        if tag and token is None:
            return held("the reply address is not one of ours")
        verdict = self._verdict(raw, row, post.now)
        dmarc = verdict.dmarc
        if isinstance(token, ReplyToken):
            reading = self._reread(post, row, raw, reading, token)
            return act_in_game(post, reading, token, row, genuine=dmarc in ("pass", "none"))
        if dmarc == "fail" and not verdict.domain:
            return held(f"it has no certain sender: {verdict.why}")
        if dmarc == "fail":
            return held("the sender is forged")
        if dmarc == "temperror":
            return held("the sender could not be checked")
        if token is not None:
            return self._confirm(post, reading, token)
        return act_on_account(post, reading, self.own, row)

    def _verdict(self, raw: bytes, row: Inbox, now: datetime) -> Verdict:
        """What is known of the sender; raises _AskLater while asking again may tell more."""
        verdict = self.senders.check(raw, row, now)
        may_tell_more = self.senders.lookup is not None and row.attempts < inbox.MOST_ATTEMPTS - 1
        if verdict.dmarc == "temperror" and may_tell_more:
            raise _AskLater
        return verdict

    def _token(self, row: Inbox, reading: Reading) -> ReplyToken | HeldToken | None:
        """What a mail is about; None for what belongs to no game, though it may answer a game's mail."""
        token = self.tokens.find(row.recipient, reading.answers)
        return None if not tagged(row.recipient)[1] and is_for_account(reading) else token

    def _reread(self, post: Post, row: Inbox, raw: bytes, reading: Reading, token: ReplyToken) -> Reading:
        """The mail read once more, knowing what we sent, where that helps."""
        if not is_needed(reading):
            return reading
        sent = self.sent.texts(post.session, token, reading.sender)
        return read(raw, mail_from=row.mail_from, own=self.own, sent=sent)

    def _confirm(self, post: Post, reading: Reading, token: HeldToken) -> Ending:
        """Somebody answers the question whether a held mail is his."""
        row = post.session.get(Inbox, token.mail, with_for_update=True)
        if row is None or row.state != "held" or row.sealed is None:
            return held("the mail that it confirms is not held any more")
        raw = self.vault.open(row.sealed)
        waiting = read(raw, mail_from=row.mail_from, own=self.own)
        asked = self._token(row, waiting)
        if not isinstance(asked, ReplyToken):
            return held("the mail that it confirms is for no game")
        waiting = self._reread(post, row, raw, waiting, asked)
        ending = confirm_held(post, reading, waiting, asked, row)
        if ending.state != "held":
            _end(row, ending, post.now)
        return ending


def _end(row: Inbox, ending: Ending, now: datetime) -> None:
    row.state, row.why, row.handled_at = ending.state, ending.why[:500], now
