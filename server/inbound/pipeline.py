"""Handle one email after the other: claim, read, check; then carry out and answer it in one transaction.

The attempt is counted first, and nothing is locked while an email is read and its sender is checked. An email
ends `done`, `refused` (the answer says why) or `quarantined` (kept for administrators). Before that it may be
`asked`: Nabu asks its supposed sender whether it is theirs. After an unexpected error, all changes are rolled
back and the email is tried again later; after several attempts it is quarantined.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Engine
from sqlalchemy.exc import InterfaceError, OperationalError

from mail.addresses import same_mailbox, tagged
from mail.authentication.authenticating import Verdict
from mail.authentication.signed_parts import Share
from mail.incoming.envelopes import NOBODY
from mail.reading.author import Author
from mail.reading.message import Reading, needs_sent_texts, read, reread
from mail.reading.reports import bounce_key
from server.accounts import bans, players
from server.accounts.newcomers import is_known
from server.commands.account_words import CANCEL
from server.commands.game_words import YES
from server.inbound.account_mail import act_on_account, has_commands
from server.inbound.account_reading import is_for_account
from server.inbound.authorization.confirmation import (
    Question,
    answer_in,
    ask_again,
    leave,
    letter_of,
    may_answer,
)
from server.inbound.authorization.senders import Senders, SenderTrust, trust_in
from server.inbound.automatic_mail import answers_one, note_machine
from server.inbound.game_mail import Consent, act_in_game
from server.inbound.request import Ending, Request, done, quarantined
from server.interpretation.agreement import may_agree
from server.interpretation.reply_checks import stop_in_subject
from server.limits import KEPT_OF_STRANGERS
from server.monitoring import logs
from server.monitoring.metrics import MAILS, count
from server.outbound.sent_texts import Sent
from server.store import db, inbox
from server.store.db import writing
from server.store.failures import diagnosis
from server.store.keys.sealing import Sealer
from server.store.models import Inbox
from server.store.outbox import ActionContext
from server.store.tokens import ConfirmationToken, ReplyToken, TokenSigner

_MOST_QUESTIONS = 5  # to the DNS about the sender of an email, in half an hour
_NO_ANSWER = "the name servers did not answer"

logger = logging.getLogger(__name__)


class _AskLater(Exception):
    """The name servers did not answer; they may later."""


@dataclass(frozen=True)
class _Known:
    """The content of an email, and the facts about its sender."""

    reading: Reading
    verdict: Verdict
    head: bytes | None
    """The first bytes of a large email, all that is kept of a stranger's; None for a small one."""


@dataclass
class Ahead:
    """A place for the next email, which is claimed in the transaction that ends the current one.

    This saves a transaction.
    """

    row: Inbox | None = None


_UNCHECKED = Verdict("temperror", "", why="Nobody asked.")


@dataclass(frozen=True)
class Pipeline:
    """Handles stored emails one after the other. `own` is Nabu's plain address."""

    engine: Engine
    sealer: Sealer
    tokens: TokenSigner
    own: str
    senders: Senders
    sent: Sent
    teaches: bool
    """True if new players get a game that explains its rules."""

    def waits(self, now: datetime, lying: timedelta = timedelta(0)) -> bool:
        """Return True if an email has been waiting for `lying` or longer. Takes no lock."""
        with db.reading(self.engine) as session:
            return inbox.any_due(session, now - lying)

    def handle_next(self, now: datetime, lying: timedelta = timedelta(0), ahead: Ahead | None = None) -> bool:
        """Handle one email that has been waiting for `lying` or longer; return False if there is none.

        With `ahead`, handle the email that it contains, if any, and put the next one there.
        """
        row = None
        if ahead is not None:
            row, ahead.row = ahead.row, None
        if row is None:
            with writing(self.engine) as session:
                row = inbox.claim(session, now, lying)
        if row is None:
            return False
        number = row.id
        if row.state != "new":
            logger.error("quarantined email %s: %s", number, row.why)
            return True
        try:
            following = self._bring_to_end(row, now, lying, claims=ahead is not None)
            if ahead is not None:
                ahead.row = following
        except (OperationalError, InterfaceError):
            self._give_back(number, now)
            raise  # a problem of the database, not of the email
        except _AskLater:
            self._ask_later(number, now)
        except Exception as error:  # no error may lose an email
            # The error's message may quote the email, which is secret; its place is enough.
            self._try_again(number, diagnosis(error), now)
        return True

    def give_back(self, ahead: Ahead, now: datetime) -> None:
        """Release the email that was claimed ahead."""
        if ahead.row is not None:
            self._give_back(ahead.row.id, now)
            ahead.row = None

    def _bring_to_end(self, row: Inbox, now: datetime, lying: timedelta, *, claims: bool) -> Inbox | None:
        """Handle an email and store the result; return the next one if that is claimed along with it."""
        known = self._known(row, now)
        with writing(self.engine) as session:
            if not inbox.is_claimed(session, row):
                return None  # it took too long, and another process has claimed it
            session.add(row)
            action = ActionContext(session, self.sealer, now, received=row.received_at, teaches=self.teaches)
            ending = self._handle(action, row, known)
            row.attempts = 0  # the attempt has succeeded
            _end(row, ending, now)
            if known is not None and known.head is not None and not ending.needs_text:
                self._shorten(action, row, known.reading.sender, known.head)
            db.afterwards(session, partial(_tell_of, row.id, row.source, row.state, row.game_id))
            return inbox.claim(session, now, lying) if claims else None

    def _give_back(self, number: int | None, now: datetime) -> None:
        """Release a claimed email without counting the attempt; if the database fails, it counts."""
        with suppress(OperationalError, InterfaceError), writing(self.engine) as session:
            row = session.get_one(Inbox, number)
            row.attempts, row.why, row.due_at = row.attempts - 1, "", now

    def _ask_later(self, number: int | None, now: datetime) -> None:
        """Postpone an email whose sender cannot be checked now, without counting the attempt."""
        with writing(self.engine) as session:
            row = session.get_one(Inbox, number)
            row.attempts, row.put_off, row.why = row.attempts - 1, row.put_off + 1, _NO_ANSWER
            row.due_at = now + timedelta(minutes=2**row.put_off)
        logger.error("could not handle email %s: %s", number, _NO_ANSWER)

    def _try_again(self, number: int | None, what: str, now: datetime) -> None:
        """Schedule another attempt after an error; quarantine the email after too many."""
        with writing(self.engine) as session:
            row = session.get_one(Inbox, number)
            row.why = what
            row.due_at = now + timedelta(minutes=2**row.attempts)
            if row.attempts >= inbox.MOST_ATTEMPTS:
                _end(row, quarantined(what), now)
        logger.error("could not handle email %s: %s", number, what)

    def _known(self, row: Inbox, now: datetime) -> _Known | None:
        """Read an email and check its sender; return None if its text was deleted."""
        if row.sealed is None:
            return None
        raw = self.sealer.open(row.sealed)
        reading = read(raw, mail_from=row.mail_from, own=self.own)
        # The sender is only checked if the email may be carried out.
        is_for_us = reading.kind == "reply" and same_mailbox(row.recipient, self.own)
        verdict = self._verdict(raw, reading.author, row, now) if is_for_us else _UNCHECKED
        return _Known(reading, verdict, raw[:KEPT_OF_STRANGERS] if len(raw) > KEPT_OF_STRANGERS else None)

    def _shorten(self, action: ActionContext, row: Inbox, sender: str, head: bytes) -> None:
        """Keep only the first bytes of a stranger's email."""
        if not is_known(players.by_email(action.session, sender)):
            row.sealed = self.sealer.seal(head)

    def _handle(self, action: ActionContext, row: Inbox, known: _Known | None) -> Ending:
        if known is None:
            return quarantined("its text was deleted")
        reading, verdict = known.reading, known.verdict
        tag, token = tagged(row.recipient)[1], self._token(row, reading)
        trust = trust_in(verdict, knows_address=bool(tag), acted_on=_acted_on(reading, token, tag))
        request = Request(action=action, row=row, reading=reading, trust=trust, own=self.own)
        if reading.kind != "reply":
            return note_machine(request, self.tokens)
        if row.recipient == NOBODY:
            return quarantined("it has no address of Nabu's")
        if not same_mailbox(row.recipient, self.own) or bounce_key(row.recipient, self.own):
            return quarantined("it is addressed to the administrator")
        if tag and token is None:
            return quarantined("the reply address was not made by Nabu")
        if token is None and answers_one(reading.answers, tagged(self.own)[2]):
            return done("it answers an email of nabu doctor")
        if not reading.sender and not isinstance(token, ReplyToken):
            return quarantined(f"it has no certain sender: {reading.author.why}")
        if bans.is_unheard(action.session, reading.sender):
            return done("its sender is blocked, or their account is closed")
        if isinstance(token, ReplyToken):
            return act_in_game(self._reread(request, token), token)
        if verdict.dmarc == "fail" and not verdict.domain:
            return quarantined(f"it has no certain sender: {verdict.why}")
        if verdict.dmarc == "fail":
            return quarantined("the sender is forged")
        if verdict.dmarc == "temperror":
            return quarantined("the sender could not be checked")
        if token is not None:
            return self._answered(request, token)
        return act_on_account(request)

    def _verdict(self, raw: bytes, author: Author, row: Inbox, now: datetime) -> Verdict:
        """Check the sender. Raises _AskLater while another DNS lookup may succeed."""
        verdict = self.senders.check(raw, author, row, now)
        may_tell_more = self.senders.lookup is not None and row.put_off < _MOST_QUESTIONS - 1
        if verdict.dmarc == "temperror" and may_tell_more:
            raise _AskLater
        return verdict

    def _token(self, row: Inbox, reading: Reading) -> ReplyToken | ConfirmationToken | None:
        """Return the game or question that an email is about; None for one to the plain address."""
        token = self.tokens.find(row.recipient, reading.answers)
        is_answer = isinstance(token, ConfirmationToken) and answer_in(reading) is not None
        if tagged(row.recipient)[1] or is_answer:
            return token
        return None if is_for_account(reading) else token

    def _reread(self, request: Request, token: ReplyToken) -> Request:
        """Return the request with its email read again, compared with the sent emails, if that helps."""
        reading = request.reading
        if not needs_sent_texts(reading):
            return request
        sent = self.sent.texts(request.action.session, token, reading.sender)
        return replace(request, reading=reread(reading, sent))

    def _answered(self, request: Request, token: ConfirmationToken) -> Ending:
        """Handle the answer to the question whether an email is someone's own.

        The reply address was sent to them alone, so an email to it is theirs while the question is open.
        """
        question = self.question(request.action, token.mail)
        if question is None:
            return act_on_account(request)
        if request.trust is SenderTrust.UNKNOWN or not may_answer(question, request.reading.sender):
            return quarantined("the answer may not be from the person asked")
        said = answer_in(request.reading)
        if said is None and has_commands(request):
            return act_on_account(replace(request, trust=SenderTrust.VOUCHED))
        if said is None:
            return ask_again(request, question)
        return leave(request, question) if said == "no" else self.carry_out(question, always=said == "always")

    def question(self, action: ActionContext, number: int, *, lock: bool = True) -> Question | None:
        """Return the email with this number, which waits for confirmation; None if it does not, or is too old.

        With `lock`, other answers wait until the transaction ends.
        """
        row = action.session.get(Inbox, number, with_for_update=lock or None)
        if row is None or row.sealed is None or not inbox.is_asked_about(row, action.now):
            return None
        reading = read(self.sealer.open(row.sealed), mail_from=row.mail_from, own=self.own)
        # The “yes” vouches for it.
        request = Request(action=action, row=row, reading=reading, trust=SenderTrust.VOUCHED, own=self.own)
        about = self._token(row, reading)
        if isinstance(about, ReplyToken):
            return Question(self._reread(request, about), about)
        return Question(request, None)

    def carry_out(self, question: Question, *, always: bool) -> Ending:
        """Carry out an email after its sender has confirmed it; each question can be answered once.

        With `always` the player may send moves from its address in future, if the domain proves the sender.
        """
        request, row, action = question.request, question.request.row, question.request.action
        sender, asking = request.reading.sender, letter_of(question)
        if question.about is None:
            ending = act_on_account(request)
        else:
            consent = Consent(always, addable=asking is not None and asking.addable)
            ending = act_in_game(request, question.about, consent)
        if ending.state != "quarantined":
            _end(row, ending, action.now)
            if row.sealed is not None and not ending.needs_text:
                head = self.sealer.open(row.sealed)[:KEPT_OF_STRANGERS]
                self._shorten(action, row, sender, head)
        return ending


def _acted_on(reading: Reading, token: ReplyToken | ConfirmationToken | None, tag: str) -> set[Share]:
    """Return the parts of an email, besides its text, that decide how it is handled."""
    written = reading.text.strip() or reading.subject
    words = written.lower()
    says = any(word.word in words for word in (YES, CANCEL))
    by_answer = (token is not None and not tag) or says or may_agree(written)
    answers: set[Share] = {"answers"} if by_answer else set()
    by_subject = not reading.text.strip() or stop_in_subject(reading) != ""
    return answers | ({"subject"} if by_subject else set())


def _tell_of(number: int | None, way: str, end: str, game: int | None) -> None:
    count(MAILS, way, end)
    logs.event(logger, "mail", mail=number, way=way, end=end, game=game)


def _end(row: Inbox, ending: Ending, now: datetime) -> None:
    row.state, row.why, row.handled_at = ending.state, ending.why[:500], now
