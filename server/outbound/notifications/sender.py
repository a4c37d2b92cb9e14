"""The sender of notifications to channels and browsers; failed ones are retried for days."""

import json
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, bindparam, delete
from sqlmodel import Session, col, select

from rules.sentences import listed
from server.accounts import players, push_subscriptions
from server.clock.moments import write_soon
from server.clock.spans import in_words
from server.game.log import log
from server.game.log.display_names import called
from server.game.notifications import channels
from server.game.notifications.notification import NotificationMessage, Push, Send, SendingOutcome
from server.game.views import waiting
from server.outbound.notifications.lanes import SlowHosts, host_of, in_turn
from server.store.db import locked, reading, writing
from server.store.keys.sealing import PushKeys, Sealer, UnknownKey
from server.store.letters.account import BrowserClosed, ChannelClosed
from server.store.models import Browser, Channel, Game, Notice, Player, Seat
from server.store.outbox import ActionContext

_BATCH = 40
_WINDOW = 1000
"""Maximum number of due notifications from which a batch is chosen."""
_LEASE = timedelta(minutes=5)
_MINUTE, _LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=4)
_KEPT, _KEPT_AT_LEAST = timedelta(days=28), timedelta(minutes=10)
"""Limits of the time for which a push service keeps a notification, which is the time left in the turn."""
_URGENT = timedelta(days=1)
"""With less time left than this, a notification is urgent and may wake a phone."""
_TOPIC = 32
"""Maximum length of a topic."""
_DUE = select(Notice).where(col(Notice.due_at) <= bindparam("now"))
_FIRST = _DUE.order_by(col(Notice.due_at), col(Notice.id)).limit(_WINDOW)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Notices:
    """Sends notifications. Several instances can run in parallel; a lease protects each notification."""

    engine: Engine
    sealer: Sealer
    keys: PushKeys
    base_url: str
    contact: str
    """The contact of the administrator for push services, as a URI."""
    send: Send
    """Sends messages with a short timeout."""
    send_slowly: Send
    """Sends messages with a long timeout, for the slow lane."""
    give_up: timedelta
    """The time without an accepted notification after which a channel is closed."""
    slow: SlowHosts = field(default_factory=SlowHosts)

    def send_due(self, now: datetime) -> int:
        """Send a batch of due notifications, and return the number of attempts."""
        return self._send(now, in_slow_lane=False)

    def send_slow(self, now: datetime) -> int:
        """Send a batch of due notifications in the slow lane, and return the number of attempts."""
        return self._send(now, in_slow_lane=True)

    def _send(self, now: datetime, *, in_slow_lane: bool) -> int:
        taken = self._take(now, in_slow_lane=in_slow_lane)
        messages: dict[int | None, NotificationMessage | Push] = {}
        outcomes: dict[int | None, SendingOutcome] = {}
        with reading(self.engine) as session:
            for notice in taken:
                try:
                    if message := self._written(session, notice, now):
                        messages[notice.id] = message
                except UnknownKey:
                    outcomes[notice.id] = SendingOutcome.LATER
                    _log_unknown(session.get_one(Channel, notice.channel_id))
        if messages:
            send = self.send_slowly if in_slow_lane else self.send
            outcomes |= zip(messages, send(list(messages.values())), strict=True)
        self.slow.learn(
            now,
            [
                (each.channel_id, _host(messages[each.id]), outcomes[each.id] is SendingOutcome.SLOW)
                for each in taken
                if each.id in messages
            ],
        )
        for notice in taken:
            with writing(self.engine) as session:
                action = ActionContext(session, self.sealer, now)
                if not in_slow_lane and outcomes.get(notice.id) is SendingOutcome.SLOW:
                    self._put_off(session, notice, now)  # for the slow lane
                else:
                    self._note(action, notice, outcomes.get(notice.id))
        return len(taken)

    def _take(self, now: datetime, *, in_slow_lane: bool) -> Sequence[Notice]:
        """Lease due notifications by moving their due time; after a crash they are due again."""
        with reading(self.engine) as session:
            # Usually nothing is due; this check does not wait for writers.
            chosen = self._choose(session, now, in_slow_lane=in_slow_lane)
        if not chosen:
            return []
        query = select(Notice).where(col(Notice.id).in_(chosen), col(Notice.due_at) <= now)
        query = query.order_by(col(Notice.due_at), col(Notice.id)).with_for_update(skip_locked=True)
        with writing(self.engine) as session:
            found = session.exec(query).all()
            for notice in found:
                notice.due_at = now + _LEASE
        return found

    def _choose(self, session: Session, now: datetime, *, in_slow_lane: bool) -> Collection[int | None]:
        """Return the numbers of the notifications in the next batch of a lane."""
        query, slow = _FIRST, self.slow.channels(now)
        if in_slow_lane and not slow:
            return []
        if slow:
            channel = col(Notice.channel_id)
            query = query.where(channel.in_(slow) if in_slow_lane else channel.not_in(slow))
        due = session.exec(query, params={"now": now}).all()
        if len(due) <= _BATCH and not self.slow.any(now):
            return [notice.id for notice in due]
        numbers = {notice.channel_id for notice in due}
        found = session.exec(select(Channel).where(col(Channel.id).in_(numbers))).all()
        hosts = {each.id or 0: self._host_at(each) for each in found}
        if not in_slow_lane:
            diverted = self.slow.divert(now, hosts)
            due = [notice for notice in due if notice.channel_id not in diverted]
        games = {notice.game_id for notice in due}
        seats = session.exec(
            select(Seat.game_id, Seat.number, Seat.player_id).where(col(Seat.game_id).in_(games))
        )
        players: dict[tuple[int | None, int], int] = {(game, number): player for game, number, player in seats}
        order = in_turn(
            # A test notification for a browser has no seat.
            (
                each.id or 0,
                players.get((each.game_id, each.seats[0])) if each.seats else -each.channel_id,
                hosts.get(each.channel_id, ""),
            )
            for each in due
        )
        return order[:_BATCH]

    def _host_at(self, channel: Channel) -> str:
        """Return the host of a channel or browser; "" if no key decrypts its address."""
        try:
            address = self.sealer.open(channel.sealed).decode()
        except UnknownKey:
            return ""
        return host_of(json.loads(address)["endpoint"] if address.startswith("{") else address)

    def _written(self, session: Session, notice: Notice, now: datetime) -> NotificationMessage | Push | None:
        """Return the message; None once the turn is over, or if the channel no longer exists."""
        channel = session.get(Channel, notice.channel_id)
        if channel is None:  # removed meanwhile
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
            text = f"Turn {game.turn}: {self.base_url}{page}"
            return NotificationMessage(address, title, text, channel.service)
        seat, player = next(each for each in seated if each.seat.number in notice.seats)
        others = [called(game, *each, None) for each in seated if each.player.id != player.id]
        body = f"Turn {game.turn}, against {listed(others)}{_until(seat, player, now)}."
        left = _KEPT if seat.deadline_at is None else seat.deadline_at - now
        kept = min(max(left, _KEPT_AT_LEAST), _KEPT)
        count = waiting.count(session, seat.player_id).games
        said = {"title": title, "body": body, "tag": f"game-{game.id}", "waiting": count}
        return self._push(channel, said, page, kept, urgent=left <= _URGENT)

    def _push(
        self, channel: Channel, said: dict[str, Any], page: str, kept: timedelta, *, urgent: bool
    ) -> Push | None:
        """Return the message for a browser; None if it subscribed with a key that the server no longer has."""
        given = push_subscriptions.subscription(self.sealer, channel)
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

    def _note(self, action: ActionContext, notice: Notice, outcome: SendingOutcome | None) -> None:
        """Store the outcome of a notification; None means that it was outdated and not sent."""
        session, now = action.session, action.now
        channel = locked(session, Channel, notice.channel_id)
        if channel is None:  # removed meanwhile
            return
        browser = session.get(Browser, channel.id)
        if browser is not None and outcome is SendingOutcome.GONE:
            push_subscriptions.remove(session, browser)
            return
        if outcome is SendingOutcome.GONE or (
            browser is not None and outcome is None and self._is_unknown(channel)
        ):
            self._give_up(action, channel, browser, "")
            return
        if outcome not in (SendingOutcome.LATER, SendingOutcome.SLOW):
            self._take_down(session, notice, channel, browser, now, told=outcome is not None)
            return
        channel.failing_since = channel.failing_since or now
        failing = now - channel.failing_since
        if failing > self.give_up:
            self._give_up(action, channel, browser, in_words(self.give_up))
            return
        # Double the time since the first failure: one minute, then two, four, eight.
        self._put_off(session, notice, now + min(failing + _MINUTE, _LONGEST_WAIT))

    def _put_off(self, session: Session, notice: Notice, due: datetime) -> None:
        """Postpone a notification, unless it was deleted meanwhile."""
        later = session.get(Notice, notice.id)
        if later is not None:
            later.due_at = due

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
        """Delete a notification that was sent or is outdated."""
        if told:
            channel.failing_since = None
            if browser is not None:
                browser.told_at = now
        session.execute(delete(Notice).where(col(Notice.id) == notice.id))

    def _give_up(self, action: ActionContext, channel: Channel, browser: Browser | None, span: str) -> None:
        """Close a channel or browser that accepts no notifications, and notify its players by email."""
        logger.warning("channel %s closed: %s accepts no notifications", channel.id, channel.service)
        if browser is None:
            for player in channels.close(action, channel):
                action.put_to_player(player, ChannelClosed(channel.service, span))
            return
        closed = BrowserClosed(channel.service, span)
        player = action.session.get_one(Player, browser.player_id)
        push_subscriptions.remove(action.session, browser)
        action.put_to_player(player, closed)

    def _is_unknown(self, channel: Channel) -> bool:
        """Return whether a browser was subscribed with a key that the server no longer has."""
        try:
            return self.keys.private(push_subscriptions.subscription(self.sealer, channel).key) is None
        except UnknownKey:
            return False


def _host(message: NotificationMessage | Push) -> str:
    return host_of(message.endpoint if isinstance(message, Push) else message.address)


def _log_unknown(channel: Channel) -> None:
    # Only the first time, not at each retry.
    if channel.failing_since is None:
        logger.warning("cannot decrypt channel %s (%s): no matching key", channel.id, channel.service)


def _until(seat: Seat, player: Player, now: datetime) -> str:
    if seat.deadline_at is None:
        return ""
    return f", until {write_soon(seat.deadline_at, players.zone(player), now)}"
