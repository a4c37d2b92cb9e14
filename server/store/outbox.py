"""Mails to be sent: put here within the transaction that causes them, sent later."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, update
from sqlmodel import Session, col, func, select

from rules.game import Json
from server.clock.spans import DAY, HOUR
from server.store import prepared_statements
from server.store.db import wake
from server.store.deferral import (
    MOST_AT_WILL,
    MOST_CAUSED,
    Acting,
    Telling,
    defer,
    forget,
    release,
    telling,
)
from server.store.keys.sealing import Sealer
from server.store.letters.game import Aside, Report
from server.store.letters.letter import About, Letter, Put, name_of, write
from server.store.models import Game, Outbox, Player, Seat

_CAUSED = "mail caused before"
WAITING = ("queued", "paused")
"""States of a mail that is still to be sent."""


def queue_again(session: Session, now: datetime, *which: ColumnElement[bool]) -> int:
    """Send mails that were paused, were given up or came back, as if not tried in vain yet; how many."""
    values = {"state": "queued", "due_at": now, "sent_at": None}
    untried = {"error": "", "refusal": "", "failing_since": None}
    wake(session)
    return session.connection().execute(update(Outbox).where(*which).values(values | untried)).rowcount


@dataclass(frozen=True)
class ActionContext:
    """Puts mails into the outbox: every function that causes mail is handed one."""

    session: Session
    sealer: Sealer
    now: datetime
    notice_lines: Mapping[str, str] = field(default_factory=dict)
    """By address: what each mail put for it says first, whatever it is about."""
    quoted: Mapping[str, str] = field(default_factory=dict)
    """By address: the lines that the notice line is about."""
    received: datetime | None = None
    """When the mail being acted upon came in; None for what happens now."""
    writer: int | None = None
    """The player whose mail is being acted upon: whatever they chose, the answer to it does not wait."""
    confirms: bool = False
    """Whether the writer is to be told of a move even if there is nothing else to tell."""
    visitor: int | None = None
    """The player who does this on a page, and sees there what comes of it."""
    program: bool = False
    """Whether a program does this for the visitor: it reads in its answer what a receipt would say."""
    origin: str | None = None
    """Where a stranger is who has letters mailed, as `strangers.origin` writes it; None when none has."""
    doubtful: bool = False
    """Whether nothing shows that whoever has letters mailed is the one they go to: anyone may have asked."""
    teaches: bool = False
    """Whether a game that explains its rules waits for who becomes a player."""
    gathered: Mapping[str, list[Put]] = field(default_factory=dict)
    """By address: what is put for these is gathered here, to become one letter (`inbound/request.py`)."""

    @property
    def moment(self) -> datetime:
        """When the player did what is being done for them: moves count from then."""
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
        """Have `letter` sent to an address; `answers` is the Message-ID of the mail that it answers."""
        put = Put(letter, about, answers, player_id=player_id)
        if recipient in self.gathered:
            self.gathered[recipient].append(put)
            return
        notice_line, quoted = self.notice_lines.get(recipient, ""), self.quoted.get(recipient, "")
        what = write(replace(put, notice_line=notice_line, quoted=quoted))
        game = None if about is None else about.game
        self._store(
            recipient, type(letter), what, game_id=game, player_id=player_id, caused_by=letter.at_will_of
        )

    def put_unsent(self, recipient: str, letter: Letter, about: About | None, why: str) -> None:
        """Keep a letter as one that is not sent, and why."""
        game = None if about is None else about.game
        self._store(
            recipient, type(letter), write(Put(letter, about)), game_id=game, state="dropped", error=why
        )

    def put_nothing(self, recipient: str, letter: type[Letter]) -> None:
        """Take as long as `put` and count as it does for `recent`, but send nothing.

        So people who ask for a letter cannot tell from the answer whether the address is a player's.
        """
        self._store(recipient, letter, {}, state="sent", sent_at=self.now)

    def put_to_player(
        self, player: Player, letter: Letter, about: About | None = None, *, confirm: bool = False
    ) -> None:
        """Have `letter` sent to a player, unless they are the computer, want no mail or cannot be reached.

        What they want to be told later, or know, is deferred, and told with the next report (see `deferral`);
        so is what one other seat has already had them mailed often enough today. If whoever does this has
        caused enough mail in the last hour, all but reports waits as if the player were at the game's page.
        With `confirm` they are told even of what they know, unless they see it on the page.
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
        """How many of these an address was sent lately."""
        query = select(func.count()).where(
            col(Outbox.recipient) == recipient,
            col(Outbox.letter) == name_of(letter),
            col(Outbox.created_at) > self.now - within,
        )
        return self.session.exec(query).one()

    def _seat(self, about: About | None) -> Seat | None:
        """The seat that a letter is for; None before seats are drawn."""
        if about is None or about.seat is None:
            return None
        return self.session.get(Seat, (about.game, about.seat))

    def _is_told_now(self, player: Player, seat: Seat, letter: Letter, *, confirm: bool) -> bool:
        """Whether a letter about the game of `seat` is told now; if not, defer what it tells."""
        writes, visits = player.id == self.writer, player.id == self.visitor
        unusual = writes and (self.confirms or bool(self.notice_lines.get(player.email)))
        how = Acting(writes=writes, visits=visits, confirm=unusual or (confirm and not visits))
        when = telling(player, seat, letter, self.now, how)
        reached = not player.mail_stopped and player.suspended_at is None
        if when is Telling.NOW and reached and self._had_enough(player.email, seat, letter.at_will_of):
            when = Telling.LATER
        # One player alone cannot cause many reports: their opponents have to move as well.
        paced = isinstance(letter, Report)
        if when is Telling.NOW and reached and not paced and self._has_caused_enough():
            when = Telling.SOON
        if when is Telling.LATER or (reached and when in (Telling.SOON, Telling.WITH_NEXT)):
            self._defer(seat, letter, when)
        if when is Telling.SEEN:
            forget(self.session, self.sealer, seat)
        return when is Telling.NOW

    def _defer(self, seat: Seat, letter: Letter, when: Telling) -> None:
        turn, aside = self.session.get_one(Game, seat.game_id).turn, Aside()
        if isinstance(letter, Report):
            turn, aside = letter.first, letter.aside
        defer(self.session, self.sealer, seat, aside, turn, self.now, when)

    def _had_enough(self, recipient: str, seat: Seat, by: int | None) -> bool:
        """Whether the seat `by` has had enough letters mailed at will today to another seat's player."""
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
        """Return whether the player who acts has caused so much mail in the last hour that more has to wait.

        That is counted once in a transaction: whatever one thing leads to is mailed together, or waits.
        """
        if self._actor is None:
            return False
        known: dict[int, int] = self.session.info.setdefault(_CAUSED, {})
        if self._actor not in known:
            (known[self._actor],) = prepared_statements.CAUSED(
                self.session, actor=self._actor, since=self.now - HOUR
            ).one()
        return known[self._actor] >= MOST_CAUSED

    @property
    def _actor(self) -> int | None:
        """The player who does this."""
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
