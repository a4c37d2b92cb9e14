"""The queue of outgoing emails, filled in the transaction that causes them; `outbound` sends them later."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, update
from sqlmodel import Session, col, func, select

from rules.game import Json
from server.clock.spans import DAY, HOUR
from server.store.db import wake
from server.store.deferral import (
    MOST_AT_WILL,
    MOST_CAUSED,
    Acting,
    SendTime,
    defer,
    forget,
    release,
    send_time,
)
from server.store.keys.sealing import Sealer
from server.store.letters.game import Aside, Report
from server.store.letters.letter import About, AddressedLetter, Letter, name_of, write
from server.store.models import Game, Outbox, Player, Seat
from server.store.statements import prepared_statements

_CAUSED = "mail caused before"
WAITING = ("queued", "paused")
"""The states of an email that is still to be sent."""


def queue_again(session: Session, now: datetime, *which: ColumnElement[bool]) -> int:
    """Queue paused, failed or returned emails again, with their failures reset; return their number."""
    values = {"state": "queued", "due_at": now, "sent_at": None}
    untried = {"error": "", "refusal": "", "failing_since": None}
    wake(session)
    return session.connection().execute(update(Outbox).where(*which).values(values | untried)).rowcount


def list_waiting(session: Session, recipient: str) -> Sequence[Outbox]:
    """Return, locked, the emails to an address that are still to be sent, the oldest first."""
    query = select(Outbox).where(Outbox.recipient == recipient, col(Outbox.state).in_(WAITING))
    return session.exec(query.order_by(col(Outbox.id)).with_for_update()).all()


def withdraw(mail: Outbox) -> None:
    """Discard an email that has not been sent, because a later one says the same."""
    mail.state, mail.error = "dropped", "a later email replaces it"


@dataclass(frozen=True)
class ActionContext:
    """The context of an action: its transaction, its time and the person who acts. Its methods queue emails."""

    session: Session
    sealer: Sealer
    now: datetime
    notice_lines: Mapping[str, str] = field(default_factory=dict)
    """A notice above the text of each email, by recipient."""
    quoted: Mapping[str, str] = field(default_factory=dict)
    """The lines that the notice refers to, by recipient."""
    received: datetime | None = None
    """When the email that causes the action was received; None for an action now."""
    writer: int | None = None
    """The player whose email causes the action; the answer to it is never deferred."""
    confirms: bool = False
    """Whether the writer gets a confirmation of a move even if there is no other news."""
    visitor: int | None = None
    """The player who acts on a page, and sees the result there."""
    program: bool = False
    """Whether a program acts for the visitor through the API; its response replaces a receipt."""
    origin: str | None = None
    """The network of a stranger who causes emails, as `newcomers.origin` writes it; None for a player."""
    doubtful: bool = False
    """Whether the recipient may not be the person who requested the emails."""
    teaches: bool = False
    """Whether a new player gets a guided game."""
    gathered: Mapping[str, list[AddressedLetter]] = field(default_factory=dict)
    """Letters by recipient that are collected to become one email (`inbound/request.py`)."""

    @property
    def moment(self) -> datetime:
        """Return the time of the player's action, which counts for deadlines: for an email, its arrival."""
        return self.now if self.received is None else min(self.received, self.now)

    def put(
        self,
        recipient: str,
        letter: Letter,
        about: About | None = None,
        *,
        player_id: int | None = None,
        answers: str = "",
    ) -> None:
        """Queue a letter to an address; `answers` is the Message-ID of the email that it answers."""
        addressed = AddressedLetter(letter, about, answers, player_id=player_id)
        if recipient in self.gathered:
            self.gathered[recipient].append(addressed)
            return
        notice_line, quoted = self.notice_lines.get(recipient, ""), self.quoted.get(recipient, "")
        what = write(replace(addressed, notice_line=notice_line, quoted=quoted))
        game = None if about is None else about.game
        self._store(
            recipient, type(letter), what, game_id=game, player_id=player_id, caused_by=letter.at_will_of
        )

    def put_unsent(self, recipient: str, letter: Letter, about: About | None, why: str) -> None:
        """Store a letter that is not sent, with the reason `why`."""
        game = None if about is None else about.game
        self._store(
            recipient,
            type(letter),
            write(AddressedLetter(letter, about)),
            game_id=game,
            state="dropped",
            error=why,
        )

    def put_nothing(self, recipient: str, letter: type[Letter]) -> None:
        """Do the same work as `put`, so that `recent` counts it, but send nothing.

        So the response does not reveal whether the address belongs to a player.
        """
        self._store(recipient, letter, {}, state="sent", sent_at=self.now)

    def put_to_player(
        self, player: Player, letter: Letter, about: About | None = None, *, confirm: bool = False
    ) -> None:
        """Queue a letter to a player, unless it is a computer player or someone who gets no email.

        The letter may be deferred to the next report (see `deferral`), also if another seat has caused too many
        letters to the player today. If the acting player has caused too many emails in the last hour, all
        letters except reports wait as if the receiver were at the game's page. With `confirm`, players also get
        letters about their own actions, unless they see the result on the page.
        """
        if not player.email or (player.id == self.visitor and letter.is_shown):
            return
        seat = self._seat(about)
        if seat is not None and not self._is_told_now(player, seat, letter, confirm=confirm):
            return
        if player.mail_stopped or player.suspended_at is not None:
            return
        if seat is not None and isinstance(letter, Report):
            letter = release(self.session, self.sealer, seat, letter)
        self.put(player.email, letter, about, player_id=player.id)

    def recent(self, recipient: str, letter: type[Letter], within: timedelta) -> int:
        """Return how many letters of a class were queued to an address within the time `within` before now."""
        query = select(func.count()).where(
            col(Outbox.recipient) == recipient,
            col(Outbox.letter) == name_of(letter),
            col(Outbox.created_at) > self.now - within,
        )
        return self.session.exec(query).one()

    def _seat(self, about: About | None) -> Seat | None:
        """Return the seat that a letter is for; None before seats are drawn."""
        if about is None or about.seat is None:
            return None
        return self.session.get(Seat, (about.game, about.seat))

    def _is_told_now(self, player: Player, seat: Seat, letter: Letter, *, confirm: bool) -> bool:
        """Return whether to send a letter about the game of `seat` now; if not, defer its content."""
        writes, visits = player.id == self.writer, player.id == self.visitor
        unusual = writes and (self.confirms or bool(self.notice_lines.get(player.email)))
        how = Acting(writes=writes, visits=visits, confirm=unusual or (confirm and not visits))
        when = send_time(player, seat, letter, self.now, how)
        reached = not player.mail_stopped and player.suspended_at is None
        if when is SendTime.NOW and reached and self._had_enough(player.email, seat, letter.at_will_of):
            when = SendTime.LATER
        # One player alone cannot cause many reports: their opponents have to move as well.
        paced = isinstance(letter, Report)
        if when is SendTime.NOW and reached and not paced and self._has_caused_enough():
            when = SendTime.SOON
        if when is SendTime.LATER or (reached and when in (SendTime.SOON, SendTime.WITH_NEXT)):
            self._defer(seat, letter, when)
        if when is SendTime.SEEN:
            forget(self.session, self.sealer, seat)
        return when is SendTime.NOW

    def _defer(self, seat: Seat, letter: Letter, when: SendTime) -> None:
        turn, aside = self.session.get_one(Game, seat.game_id).turn, Aside()
        if isinstance(letter, Report):
            turn, aside = letter.first, letter.aside
        defer(self.session, self.sealer, seat, aside, turn, self.now, when)

    def _had_enough(self, recipient: str, seat: Seat, by: int | None) -> bool:
        """Return whether the seat `by` has caused the maximum of letters to this recipient today."""
        if by is None:
            return False
        query = select(func.count()).where(
            col(Outbox.recipient) == recipient,
            col(Outbox.game_id) == seat.game_id,
            col(Outbox.caused_by) == by,
            col(Outbox.created_at) > self.now - DAY,
        )
        return self.session.exec(query).one() >= MOST_AT_WILL

    def _has_caused_enough(self) -> bool:
        """Return whether the acting player has caused the maximum of emails in the last hour.

        It is counted once per transaction, so all consequences of one action are either sent or deferred.
        """
        if self._actor is None:
            return False
        known: dict[int, int] = self.session.info.setdefault(_CAUSED, {})
        if self._actor not in known:
            (known[self._actor],) = prepared_statements.CAUSED(
                self.session, actor=self._actor, since=self.now - HOUR
            ).only()
        return known[self._actor] >= MOST_CAUSED

    @property
    def _actor(self) -> int | None:
        return self.visitor if self.writer is None else self.writer

    def _store(self, recipient: str, letter: type[Letter], what: Json, **more: Any) -> None:
        row = {
            "key": secrets.token_hex(12),
            "game_id": None,
            "recipient": recipient,
            "player_id": None,
            "domain": recipient.rpartition("@")[2],
            "origin": self.origin,
            "doubtful": self.doubtful,
            "caused_by": None,
            "actor_id": self._actor,
            "letter": name_of(letter),
            "sealed": self.sealer.seal_json(what),
            "state": "queued",
            "attempts": 0,
            "due_at": self.now,
            "error": "",
            "refusal": "",
            "failing_since": None,
            "created_at": self.now,
            "sent_at": None,
        }
        prepared_statements.NEW_MAIL(self.session, **row | more)
        wake(self.session)
