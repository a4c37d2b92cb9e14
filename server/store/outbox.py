"""Mails to be sent: put here within the transaction that causes them, sent later."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session, col, func, select

from server.clock.spans import DAY
from server.store.deferral import AT_WILL, MOST_AT_WILL, hold, is_held, release
from server.store.models import Game, Outbox, Player, Seat
from server.store.sealing import Sealer

# Every turn puts mails here: a bare row takes a quarter of the time that an object of the session takes.
_INSERT = insert(Outbox.__table__)  # type: ignore[attr-defined]


def queue_again(mail: Outbox, now: datetime) -> None:
    """Have a mail sent that was given up or came back, as if it had not been tried yet."""
    mail.state, mail.due_at, mail.sent_at = "queued", now, None
    mail.error, mail.refusal, mail.failing_since = "", "", None


@dataclass(frozen=True)
class Put:
    """A letter as it was put for somebody, before it stands in the outbox."""

    letter: str
    game: int | None
    player_id: int | None
    what: dict[str, Any]


@dataclass(frozen=True)
class Action:
    """Puts mails into the outbox: what every function that causes mail is handed."""

    session: Session
    sealer: Sealer
    now: datetime
    remarks: Mapping[str, str] = field(default_factory=dict)
    """By address: what each mail that is put for it says first, whatever it is about."""
    received: datetime | None = None
    """When the mail that is acted upon came in; None for what happens now."""
    writer: int | None = None
    """The player whose mail is acted upon: whatever he chose, the answer to it does not wait."""
    origin: str | None = None
    """Where a stranger is who has letters mailed, as `quotas.origin` writes it; None when none has."""
    doubtful: bool = False
    """Whether nothing says that who has letters mailed is whom they go to: anybody can have asked for them."""
    gathered: Mapping[str, list[Put]] = field(default_factory=dict)
    """By address: what is put for these is gathered here, to become one letter (see `inbound.answers`)."""

    @property
    def moment(self) -> datetime:
        """When the player did what is being done for him: moves count from then."""
        return self.now if self.received is None else min(self.received, self.now)

    def put(
        self,
        recipient: str,
        letter: str,
        *,
        game: int | None = None,
        player_id: int | None = None,
        caused_by: int | None = None,
        **what: Any,
    ) -> None:
        """Have `letter` sent to an address; `what`, JSON values, is all that it says beyond the log."""
        if recipient in self.gathered:
            self.gathered[recipient].append(Put(letter, game, player_id, what))
            return
        if recipient in self.remarks:
            what["remark"] = self.remarks[recipient]
        self._store(recipient, letter, what, game_id=game, player_id=player_id, caused_by=caused_by)

    def put_nothing(self, recipient: str, letter: str) -> None:
        """Take as long as `put` and count as it does for `recent`, but send nothing.

        Who asks for a letter cannot tell from the answer whether the address is one of a player.
        """
        self._store(recipient, letter, {}, state="sent", sent_at=self.now)

    def put_to_player(self, player: Player, letter: str, /, *, game: int | None = None, **what: Any) -> None:
        """Have `letter` sent to a player, unless he is the computer, wants no mail or cannot be reached.

        What he wants to be told later is held (see `deferral`), and told together with the next report; so is
        what one other has had him mailed often enough today.
        """
        if not player.email:
            return
        seat = None if game is None or "seat" not in what else self.session.get(Seat, (game, what["seat"]))
        if seat is not None and player.id != self.writer and is_held(player, seat, letter, what, self.now):
            self._hold(seat, what)
            return
        if player.mail_stopped or player.suspended_at is not None:
            return
        by = what.get("speaker", what.get("by")) if letter in AT_WILL else None
        if seat is not None and by is not None and self._caused(player.email, seat, by) >= MOST_AT_WILL:
            self._hold(seat, what)
            return
        if seat is not None and letter == "report":
            what = release(self.session, self.sealer, seat, what)
        self.put(player.email, letter, game=game, player_id=player.id, caused_by=by, **what)

    def recent(self, recipient: str, letter: str, within: timedelta) -> int:
        """How many of these an address was sent lately."""
        query = select(func.count()).where(
            col(Outbox.recipient) == recipient,
            col(Outbox.letter) == letter,
            col(Outbox.created_at) > self.now - within,
        )
        return self.session.exec(query).one()

    def _hold(self, seat: Seat, what: dict[str, Any]) -> None:
        turn = self.session.get_one(Game, seat.game_id).turn
        hold(self.session, self.sealer, seat, what, what.get("first", turn), self.now)

    def _caused(self, recipient: str, seat: Seat, by: int) -> int:
        """How many letters a seat has had mailed at will today to the player of another one."""
        query = select(func.count()).where(
            col(Outbox.recipient) == recipient,
            col(Outbox.game_id) == seat.game_id,
            col(Outbox.caused_by) == by,
            col(Outbox.created_at) > self.now - DAY,
        )
        return self.session.exec(query).one()

    def _store(self, recipient: str, letter: str, what: dict[str, Any], **more: Any) -> None:
        row = {
            "key": secrets.token_hex(12),
            "game_id": None,
            "recipient": recipient,
            "player_id": None,
            "domain": recipient.rpartition("@")[2],
            "origin": self.origin,
            "doubtful": self.doubtful,
            "caused_by": None,
            "letter": letter,
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
        self.session.execute(_INSERT, row | more)
