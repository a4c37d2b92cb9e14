"""Browsers in which players are told their turns: which they are, and when that ends."""

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
"""Between two notices with which a browser is tried."""
_MARK = 16
"""Bytes of a hash."""


@dataclass(frozen=True)
class Subscription:
    """What a browser's push service has given it: all of it is secret, and in base64 but the address."""

    endpoint: str
    """Where messages for it go."""
    p256dh: str
    """Its public key, for which they are encrypted."""
    auth: str
    """What goes into that as well."""
    key: str
    """Our public key, by which the push service knows us."""

    @property
    def mark(self) -> str:
        """The same for the same address, which it does not tell."""
        return sha256(self.endpoint.encode()).digest()[:_MARK].hex()


def check(given: Subscription) -> Subscription:
    """The same, if messages can be sent there. Raises BadRequest."""
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
        raise BadRequest("Your browser has named no place to which a notice for it can be sent.")
    return given


def remember(action: ActionContext, player: Player, login: int, label: str, given: Subscription) -> bool:
    """Tell a player's turns in this browser from now on, and nobody else's; whether that is new.

    Raises BadRequest for one too many.
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
    """How messages are sent to the browser of a channel."""
    return Subscription(**sealer.open_json(channel.sealed))


def browsers_of(session: Session, player: Player) -> list[tuple[Browser, Channel]]:
    """A player's browsers, the oldest first."""
    query = select(Browser, Channel).where(
        Browser.channel_id == Channel.id, col(Browser.player_id) == player.id
    )
    return list(session.exec(query.order_by(col(Browser.since), col(Browser.channel_id))))


def get_browser(session: Session, player: Player, number: int) -> tuple[Browser, Channel]:
    """One of a player's browsers. Raises BadRequest if it is none any more."""
    for browser, channel in browsers_of(session, player):
        if browser.channel_id == number:
            return browser, channel
    raise BadRequest("That browser no longer shows notices of your turns.")


def try_out(action: ActionContext, browser: Browser) -> None:
    """Have a notice sent to a browser that tells nothing. Raises BadRequest if one was a moment ago."""
    waits = select(Notice).where(Notice.channel_id == browser.channel_id, col(Notice.game_id).is_(None))
    recently = browser.told_at is not None and action.now - browser.told_at < _PAUSE
    if recently or action.session.exec(waits.limit(1)).first() is not None:
        raise BadRequest("A notice was sent there just now; try again in a minute.")
    number = browser.channel_id
    action.session.add(Notice(channel_id=number, game_id=None, turn=0, seats=[], due_at=action.now))
    wake(action.session)


def remove(session: Session, browser: Browser) -> None:
    """Tell nothing in this browser any more."""
    channels.throw_away(session, [browser.channel_id])


def end(session: Session, player: int, login: int | None = None) -> None:
    """Tell nothing any more in the browsers that a player uses with this login, or in any of theirs."""
    query = select(Browser.channel_id).where(Browser.player_id == player)
    if login is not None:
        query = query.where(Browser.login == login)
    channels.throw_away(session, list(session.exec(query)))


def pass_on(session: Session, before: tuple[int, int], player: Player) -> None:
    """Somebody logs in where another login, of player and number `before`, has not ended.

    If that was the same player, they go on to be told their turns there.
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
    """Whether a host has a name, as all push services have, and is no IP address."""
    try:
        ip_address(host)
    except ValueError:
        return bool(host)
    return False


def _check_room(session: Session, player: Player) -> None:
    if count_rows(session, Browser.player_id == player.id) >= MOST_BROWSERS:
        raise BadRequest(f"{MOST_BROWSERS} browsers show notices of your turns: remove one of them first.")
