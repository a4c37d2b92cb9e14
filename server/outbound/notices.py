"""Sends notices that it is somebody's turn; what is not taken is tried again, for days."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine, bindparam, delete
from sqlmodel import Session, col, select

from rules.sentences import listed
from server.clock.spans import in_words
from server.game import channels, log
from server.outbound.messenger import Message, Send
from server.store.db import reading, writing
from server.store.letters.account import ChannelClosed
from server.store.models import Channel, Game, Notice
from server.store.outbox import Action
from server.store.sealing import Sealer

_BATCH = 20
_LEASE = timedelta(minutes=5)
_MINUTE, _LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=4)
_DUE = select(Notice).where(col(Notice.due_at) <= bindparam("now"))
_NEXT = _DUE.order_by(col(Notice.due_at), col(Notice.id)).limit(_BATCH).with_for_update(skip_locked=True)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Notices:
    """Sends notices. Several may run at once: each notice is taken by one of them at a time."""

    engine: Engine
    sealer: Sealer
    base_url: str
    send: Send
    give_up: timedelta
    """After this a channel in which nothing is taken is given up."""

    def send_due(self, now: datetime) -> int:
        """Try to send a batch of the notices that are due; returns how many were taken, 0 if none is due."""
        taken = self._take(now)
        messages: dict[int | None, Message] = {}
        with reading(self.engine) as session:
            for notice in taken:
                if message := self._written(session, notice):
                    messages[notice.id] = message
        outcomes = dict(zip(messages, self.send(list(messages.values())), strict=True)) if messages else {}
        for notice in taken:
            with writing(self.engine) as session:
                self._note(Action(session, self.sealer, now), notice, outcomes.get(notice.id))
        return len(taken)

    def _take(self, now: datetime) -> Sequence[Notice]:
        """Take notices by moving their due time, so that a crash gives them back."""
        with reading(self.engine) as session:
            # Most looks find nothing, and need not wait for writers.
            if session.exec(_DUE.limit(1), params={"now": now}).first() is None:
                return []
        with writing(self.engine) as session:
            found = session.exec(_NEXT, params={"now": now}).all()
            for notice in found:
                notice.due_at = now + _LEASE
        return found

    def _written(self, session: Session, notice: Notice) -> Message | None:
        """What is told; None once the turn is over, or nobody wants to be told."""
        game = session.get_one(Game, notice.game_id)
        if game.state != "running" or game.turn != notice.turn:
            return None
        channel = session.get(Channel, notice.channel_id)
        if channel is None:  # nobody names it any more
            return None
        address = self.sealer.open(channel.sealed).decode()
        names = [player.name for seat, player in log.seats(session, game) if seat.number in notice.seats]
        title = f"{log.rules_of(game).title} {game.id}: your turn, {listed(names)}"
        return Message(address, title, f"Turn {game.turn}: {self.base_url}/games/{game.id}")

    def _note(self, action: Action, notice: Notice, taken: bool | None) -> None:
        """Store what became of a notice, and of its channel; with None it was no longer true, and not told."""
        session, now = action.session, action.now
        channel = session.get(Channel, notice.channel_id)
        if channel is None:  # nobody names it any more
            return
        if taken is not False:
            channel.failing_since = None if taken else channel.failing_since
            session.execute(delete(Notice).where(col(Notice.id) == notice.id))
            return
        channel.failing_since = channel.failing_since or now
        failing = now - channel.failing_since
        if failing > self.give_up:
            logger.warning("channel %s given up: %s took nothing", channel.id, channel.service)
            for player in channels.close(action, channel):
                action.put_to_player(player, ChannelClosed(channel.service, in_words(self.give_up)))
            return
        # As long again as it has been tried: after one minute, then two, four, eight.
        later = session.get(Notice, notice.id)
        if later is not None:
            later.due_at = now + min(failing + _MINUTE, _LONGEST_WAIT)
