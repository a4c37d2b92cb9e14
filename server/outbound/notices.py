"""Sends notices that it is somebody's turn; what is not taken is tried again, for days."""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine, bindparam, delete
from sqlmodel import Session, col, select

from rules.sentences import listed
from server.accounts import browsers, players
from server.clock.moments import write_soon
from server.clock.spans import in_words
from server.game import channels, log
from server.game.invited import called
from server.outbound.messages import Message, Outcome, Push, Send
from server.store.db import locked, reading, writing
from server.store.letters.account import BrowserClosed, ChannelClosed
from server.store.models import Browser, Channel, Game, Notice, Player, Seat
from server.store.outbox import Action
from server.store.push_keys import PushKeys
from server.store.sealing import Sealer, UnknownKey

_BATCH = 20
_LEASE = timedelta(minutes=5)
_MINUTE, _LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=4)
_KEPT, _KEPT_AT_LEAST = timedelta(days=28), timedelta(minutes=10)
"""For how long a push service keeps a notice: up to the deadline, within these."""
_URGENT = timedelta(days=1)
"""With no more time than this left, a phone may be woken."""
_TOPIC = 32
"""Letters that a topic may have."""
_DUE = select(Notice).where(col(Notice.due_at) <= bindparam("now"))
_NEXT = _DUE.order_by(col(Notice.due_at), col(Notice.id)).limit(_BATCH).with_for_update(skip_locked=True)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Notices:
    """Sends notices. Several may run at once: each notice is taken by one of them at a time."""

    engine: Engine
    sealer: Sealer
    keys: PushKeys
    base_url: str
    contact: str
    """Where push services reach the operator, as an address (URI)."""
    send: Send
    give_up: timedelta
    """After this a channel in which nothing is taken is given up."""

    def send_due(self, now: datetime) -> int:
        """Try to send a batch of the notices that are due; returns how many were tried, 0 if none is due."""
        taken = self._take(now)
        messages: dict[int | None, Message | Push] = {}
        outcomes: dict[int | None, Outcome] = {}
        with reading(self.engine) as session:
            for notice in taken:
                try:
                    if message := self._written(session, notice, now):
                        messages[notice.id] = message
                except UnknownKey:
                    outcomes[notice.id] = Outcome.LATER
                    _log_unknown(session.get_one(Channel, notice.channel_id))
        if messages:
            outcomes |= zip(messages, self.send(list(messages.values())), strict=True)
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

    def _written(self, session: Session, notice: Notice, now: datetime) -> Message | Push | None:
        """What is told; None once the turn is over, or where nothing can be told any more."""
        channel = session.get(Channel, notice.channel_id)
        if channel is None:  # nobody names it any more
            return None
        browser = session.get(Browser, channel.id)
        if notice.game_id is None:
            tried = {"title": "Nabu", "body": "This is how you will be notified of your turns.", "tag": "trial"}
            return self._push(channel, tried, "/settings", _KEPT_AT_LEAST, urgent=True)
        game = session.get_one(Game, notice.game_id)
        if game.state != "running" or game.turn != notice.turn:
            return None
        seated = log.seats(session, game)
        names = [called(game, *each, None) for each in seated if each.seat.number in notice.seats]
        title = f"{log.rules_of(game).title} {game.id}: your turn, {listed(names)}"
        page = f"/games/{game.id}"
        if browser is None:
            address = self.sealer.open(channel.sealed).decode()
            return Message(address, title, f"Turn {game.turn}: {self.base_url}{page}")
        seat, player = next(each for each in seated if each.seat.number in notice.seats)
        others = [called(game, *each, None) for each in seated if each.player.id != player.id]
        body = f"Turn {game.turn}, against {listed(others)}{_until(seat, player, now)}."
        left = _KEPT if seat.deadline_at is None else seat.deadline_at - now
        kept = min(max(left, _KEPT_AT_LEAST), _KEPT)
        said = {"title": title, "body": body, "tag": f"game-{game.id}"}
        return self._push(channel, said, page, kept, urgent=left <= _URGENT)

    def _push(
        self, channel: Channel, said: dict[str, str], page: str, kept: timedelta, *, urgent: bool
    ) -> Push | None:
        """The message for a browser; None if its push service would not take it from us."""
        given = browsers.subscription(self.sealer, channel)
        key = self.keys.private(given.key)
        if key is None:
            return None
        return Push(
            given.endpoint,
            given.p256dh,
            given.auth,
            key,
            self.contact,
            seconds=int(kept.total_seconds()),
            topic=self.sealer.mark(f"topic {channel.id} {said['tag']}")[:_TOPIC],
            urgent=urgent,
            content=json.dumps({**said, "page": page}),
        )

    def _note(self, action: Action, notice: Notice, outcome: Outcome | None) -> None:
        """Store what became of a notice, and of its channel; with None it was no longer true, and not told."""
        session, now = action.session, action.now
        channel = locked(session, Channel, notice.channel_id)
        if channel is None:  # nobody names it any more
            return
        browser = session.get(Browser, channel.id)
        if browser is not None and outcome is Outcome.GONE:
            browsers.remove(session, browser)
            return
        if browser is not None and outcome is None and self._is_unknown(channel):
            self._give_up(action, channel, browser, "")
            return
        if outcome is not Outcome.LATER:
            self._take_down(session, notice, channel, browser, now, told=outcome is not None)
            return
        channel.failing_since = channel.failing_since or now
        failing = now - channel.failing_since
        if failing > self.give_up:
            self._give_up(action, channel, browser, in_words(self.give_up))
            return
        # As long again as it has been tried: after one minute, then two, four, eight.
        later = session.get(Notice, notice.id)
        if later is not None:
            later.due_at = now + min(failing + _MINUTE, _LONGEST_WAIT)

    def _take_down(
        self,
        session: Session,
        notice: Notice,
        channel: Channel,
        browser: Browser | None,
        now: datetime,
        *,
        told: bool,
    ) -> None:
        """Forget a notice that was told, or is not true any more."""
        if told:
            channel.failing_since = None
            if browser is not None:
                browser.told_at = now
        session.execute(delete(Notice).where(col(Notice.id) == notice.id))

    def _give_up(self, action: Action, channel: Channel, browser: Browser | None, span: str) -> None:
        """Tell nothing more where nothing was taken for this long, and tell that by mail."""
        logger.warning("channel %s given up: %s took nothing", channel.id, channel.service)
        if browser is None:
            for player in channels.close(action, channel):
                action.put_to_player(player, ChannelClosed(channel.service, span))
            return
        closed = BrowserClosed(channel.service, span)
        player = action.session.get_one(Player, browser.player_id)
        browsers.remove(action.session, browser)
        action.put_to_player(player, closed)

    def _is_unknown(self, channel: Channel) -> bool:
        """Whether a browser's push service knows us by a key that is not ours any more."""
        try:
            return self.keys.private(browsers.subscription(self.sealer, channel).key) is None
        except UnknownKey:
            return False


def _log_unknown(channel: Channel) -> None:
    """Say that no key opens a channel, once, and not each time it is tried until it is given up."""
    if channel.failing_since is None:
        logger.warning("no key opens channel %s (%s)", channel.id, channel.service)


def _until(seat: Seat, player: Player, now: datetime) -> str:
    if seat.deadline_at is None:
        return ""
    return f", until {write_soon(seat.deadline_at, players.zone(player), now)}"
