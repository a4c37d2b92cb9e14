"""Passkeys: a player's device proves at login that it has the private key of a stored public key.

`webauthn` verifies the responses of devices. There is a new challenge each time, which expires in a few
minutes; the caller has to store it where others cannot change it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import webauthn
from sqlmodel import Session, col, or_, select, update
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    generate_challenge,
    parse_authentication_credential_json,
)
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from server.accounts import access, bans
from server.accounts.players import identity
from server.accounts.push_subscriptions import is_name
from server.errors import BadRequest
from server.limits import LONGEST_CREDENTIAL, LONGEST_PASSKEY, LONGEST_PASSKEY_NAME, MOST_PASSKEYS
from server.store.db import locked
from server.store.models import Passkey, Player
from server.store.outbox import ActionContext

GOOD_FOR = timedelta(minutes=5)
"""The lifetime of a challenge."""
_MILLISECONDS = int(GOOD_FOR.total_seconds() * 1000)
_NOT_ADDED = "Your device did not send a valid passkey. Nothing was added; please try again."
_NOT_ADMITTED = "That passkey is unknown here, or it took too long. Try again, or log in with a link by email."


@dataclass(frozen=True)
class Site:
    """The origin and host for which passkeys are valid."""

    origin: str
    host: str


@dataclass(frozen=True)
class PasskeyChallenge:
    """A challenge that a device has to sign, in base64, and when it was created."""

    text: str
    drawn_at: datetime


@dataclass(frozen=True)
class PasskeyResponse:
    """The JSON response of a browser, the challenge that it got, if any, and the site."""

    text: str
    challenge: PasskeyChallenge | None
    site: Site


def site_of(base_url: str) -> Site | None:
    """Return the site at this URL, such as `https://games.example.org`.

    Returns None if browsers allow no passkeys there: without https, or at an IP address.
    """
    address = urlsplit(base_url)
    host = address.hostname or ""
    if not is_name(host) or (address.scheme != "https" and host != "localhost"):
        return None
    return Site(f"{address.scheme}://{address.netloc}", host)


def draw(now: datetime) -> PasskeyChallenge:
    """Create a challenge."""
    return PasskeyChallenge(bytes_to_base64url(generate_challenge()), now)


def options_to_add(session: Session, player: Player, site: Site, challenge: PasskeyChallenge) -> str:
    """Return the JSON options for a browser to add a passkey. Raises BadRequest if there are too many."""
    own = list_passkeys(session, player)
    _check_room(len(own))
    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name="Nabu",
        user_id=_handle(identity(player)),
        user_name=player.name,
        challenge=base64url_to_bytes(challenge.text),
        timeout=_MILLISECONDS,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(base64url_to_bytes(each.credential)) for each in own
        ],
    )
    return webauthn.options_to_json(options)


def options_to_log_in(site: Site, challenge: PasskeyChallenge) -> str:
    """Return the JSON options for a browser to log in with any of its passkeys."""
    options = webauthn.generate_authentication_options(
        rp_id=site.host, challenge=base64url_to_bytes(challenge.text), timeout=_MILLISECONDS
    )
    return webauthn.options_to_json(options)


def add(action: ActionContext, player: Player, answer: PasskeyResponse, name: str, where: str) -> Passkey:
    """Store the passkey that a browser has created, with this name, and report it.

    `where` is as in `access.report`. Raises BadRequest for an invalid name or response, or too many passkeys.
    """
    session = action.session
    locked(session, Player, player.id)  # so that passkeys created at the same moment count
    own = list_passkeys(session, player)
    _check_room(len(own))
    name = _check_name(name)
    with _refusing(_NOT_ADDED):
        challenge = _good(answer, action.now)
        made = webauthn.verify_registration_response(
            credential=answer.text,
            expected_challenge=base64url_to_bytes(challenge.text),
            expected_rp_id=answer.site.host,
            expected_origin=answer.site.origin,
        )
    credential, key = bytes_to_base64url(made.credential_id), bytes_to_base64url(made.credential_public_key)
    known = session.exec(select(Passkey).where(Passkey.credential == credential)).first()
    if known is not None or max(len(credential), len(key)) > LONGEST_PASSKEY:
        raise BadRequest(_NOT_ADDED)
    passkey = Passkey(
        player_id=identity(player),
        number=max((each.number for each in own), default=0) + 1,
        credential=credential,
        public_key=key,
        sign_count=made.sign_count,
        name=name,
        added_at=action.now,
    )
    session.add(passkey)
    access.report(action, player, access.PASSKEY, name, where)
    return passkey


def admit(action: ActionContext, answer: PasskeyResponse) -> Player:
    """Return the player whom a passkey logs in. Each challenge is valid for one login.

    Raises BadRequest, with the same sentence for every reason, also for a closed account.
    """
    session = action.session
    with _refusing(_NOT_ADMITTED):
        challenge = _good(answer, action.now)
        given = parse_authentication_credential_json(answer.text)
    credential = bytes_to_base64url(given.raw_id)
    passkey = session.exec(select(Passkey).where(Passkey.credential == credential)).first()
    if passkey is None or given.response.user_handle != _handle(passkey.player_id):
        raise BadRequest(_NOT_ADMITTED)
    with _refusing(_NOT_ADMITTED):
        used = webauthn.verify_authentication_response(
            credential=given,
            expected_challenge=base64url_to_bytes(challenge.text),
            expected_rp_id=answer.site.host,
            expected_origin=answer.site.origin,
            credential_public_key=base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=passkey.sign_count,
        )
    player = session.get_one(Player, passkey.player_id)
    bar = bans.bar_of(session, player, action.now)
    if (bar is not None and bar.closed) or not _note_use(action, passkey, challenge, used.new_sign_count):
        raise BadRequest(_NOT_ADMITTED)
    return player


def list_passkeys(session: Session, player: Player) -> list[Passkey]:
    """Return a player's passkeys, the oldest first."""
    query = select(Passkey).where(Passkey.player_id == player.id)
    return list(session.exec(query.order_by(col(Passkey.number))))


def _note_use(action: ActionContext, passkey: Passkey, challenge: PasskeyChallenge, sign_count: int) -> bool:
    """Record a login with a passkey; return False if there was one since the challenge was created."""
    unused = or_(col(Passkey.used_at).is_(None), col(Passkey.used_at) < challenge.drawn_at)
    first = (
        update(Passkey)
        .where(col(Passkey.credential) == passkey.credential, unused)
        .values(used_at=action.now, sign_count=sign_count)
        .returning(col(Passkey.number))
    )
    return action.session.execute(first).first() is not None


def _good(answer: PasskeyResponse, now: datetime) -> PasskeyChallenge:
    """Return the challenge of a response. Raises ValueError if it is missing or expired."""
    challenge = answer.challenge
    if challenge is None or now - challenge.drawn_at > GOOD_FOR or len(answer.text) > LONGEST_CREDENTIAL:
        raise ValueError("too late, or too long")
    return challenge


def _check_name(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_PASSKEY_NAME:
        raise BadRequest(f"Give the passkey a name with 1 to {LONGEST_PASSKEY_NAME} characters.")
    return name


def _check_room(count: int) -> None:
    if count >= MOST_PASSKEYS:
        raise BadRequest(f"You have {MOST_PASSKEYS} passkeys: remove one of them first.")


def _handle(player: int) -> bytes:
    """Return the handle of an account; devices store one passkey for each handle."""
    return str(player).encode()


@contextmanager
def _refusing(sentence: str) -> Iterator[None]:
    """Turn every error into a BadRequest with this sentence."""
    try:
        yield
    except Exception as problem:  # `webauthn` raises many types of errors for bad data
        raise BadRequest(sentence) from problem
