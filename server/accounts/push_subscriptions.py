"""Browsers in which players get notifications of their turns."""

from dataclasses import asdict, dataclass
from datetime import timedelta
from hashlib import sha256
from ipaddress import ip_address
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from sqlmodel import Session, col, select, update

from server.errors import BadRequest
from server.limits import LONGEST_ENDPOINT, MOST_BROWSERS
from server.store import channels
from server.store.db import count_rows, wake
from server.store.keys.sealing import Sealer, decoded
from server.store.models import Browser, Channel, Notice, Player
from server.store.outbox import ActionContext

_PAUSE = timedelta(minutes=1)
"""The minimum time between two test notifications."""
_MARK = 16
"""Length of a hash in bytes."""


@dataclass(frozen=True)
class Subscription:
    """A web push subscription of a browser: secret, and in base64 except for the address."""

    endpoint: str
    """The address for messages."""
    p256dh: str
    """The browser's public key, for encryption."""
    auth: str
    """The browser's shared secret, for encryption."""
    key: str
    """The public key of this server with which the browser has subscribed."""

    @property
    def mark(self) -> str:
        """Return a hash that identifies the address without revealing it."""
        return sha256(self.endpoint.encode()).digest()[:_MARK].hex()


def check(given: Subscription) -> Subscription:
    """Return a valid subscription. Raises BadRequest for an invalid one."""
    try:
        place = urlsplit(given.endpoint)
        fits = (
            len(given.endpoint) <= LONGEST_ENDPOINT
            and given.endpoint.isascii()
            and given.endpoint.isprintable()
            and " " not in given.endpoint
            and place.scheme == "https"
            and place.username is None
            and is_name(place.hostname or "")
            and place.port in (None, 443)
            and len(decoded(given.auth)) == 16
        )
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decoded(given.p256dh))
    except ValueError:
        fits = False
    if not fits:
        raise BadRequest("Your browser has given no address to which notifications can be sent.")
    return given


def remember(action: ActionContext, player: Player, login: int, label: str, given: Subscription) -> bool:
    """Send a player's notifications to this browser, and no other player's; return whether that is new.

    Raises BadRequest if the player has too many browsers.
    """
    session, marks = action.session, action.sealer.marks_of(f"browser {given.endpoint}")
    sealed = action.sealer.seal_json(asdict(given))
    channel = channels.get_or_create(session, marks, label, sealed)
    browser = session.get(Browser, channel.id)
    if browser is not None and browser.player_id == player.id:
        channel.service, channel.sealed, channel.failing_since = label, sealed, None
        browser.login = login
        return False
    if browser is not None:
        remove(session, browser)
        channel = channels.get_or_create(session, marks, label, sealed)
    _check_room(session, player)
    numbers = {"channel_id": channel.id, "player_id": player.id}
    session.add(Browser.model_validate({**numbers, "login": login, "since": action.now}))
    return True


def subscription(sealer: Sealer, channel: Channel) -> Subscription:
    """Return the subscription of a channel that is a browser."""
    return Subscription(**sealer.open_json(channel.sealed))


def browsers_of(session: Session, player: Player) -> list[tuple[Browser, Channel]]:
    """Return a player's browsers, the oldest first."""
    query = select(Browser, Channel).where(
        Browser.channel_id == Channel.id, col(Browser.player_id) == player.id
    )
    return list(session.exec(query.order_by(col(Browser.since), col(Browser.channel_id))))


def get_browser(session: Session, player: Player, number: int) -> tuple[Browser, Channel]:
    """Return one of a player's browsers. Raises BadRequest if it no longer gets notifications."""
    for browser, channel in browsers_of(session, player):
        if browser.channel_id == number:
            return browser, channel
    raise BadRequest("That browser no longer gets notifications.")


def try_out(action: ActionContext, browser: Browser) -> None:
    """Queue a test notification for a browser. Raises BadRequest if there was one a moment ago."""
    waits = select(Notice).where(Notice.channel_id == browser.channel_id, col(Notice.game_id).is_(None))
    recently = browser.told_at is not None and action.now - browser.told_at < _PAUSE
    if recently or action.session.exec(waits.limit(1)).first() is not None:
        raise BadRequest("A notification was just sent there; try again in a minute.")
    number = browser.channel_id
    action.session.add(Notice(channel_id=number, game_id=None, turn=0, seats=[], due_at=action.now))
    wake(action.session)


def remove(session: Session, browser: Browser) -> None:
    """Stop notifications in a browser."""
    channels.throw_away(session, [browser.channel_id])


def end(session: Session, player: int, login: int | None = None) -> None:
    """Stop notifications in the browsers of a player with this login or, without one, in all of them."""
    query = select(Browser.channel_id).where(Browser.player_id == player)
    if login is not None:
        query = query.where(Browser.login == login)
    channels.throw_away(session, list(session.exec(query)))


def pass_on(session: Session, before: tuple[int, int], player: Player) -> None:
    """Keep or stop notifications when `player` logs in while another login of the browser is still valid.

    `before` is player and number of that login. They continue if it was the same player.
    """
    if before[0] != player.id:
        end(session, *before)
        return
    session.execute(
        update(Browser)
        .where(col(Browser.player_id) == player.id, col(Browser.login) == before[1])
        .values(login=player.login_serial)
    )


def is_name(host: str) -> bool:
    """Return whether a host is a name, as for all push services, and not an IP address."""
    try:
        ip_address(host)
    except ValueError:
        return bool(host)
    return False


def _check_room(session: Session, player: Player) -> None:
    if count_rows(session, Browser.player_id == player.id) >= MOST_BROWSERS:
        raise BadRequest(f"You already get notifications in {MOST_BROWSERS} browsers: remove one first.")
