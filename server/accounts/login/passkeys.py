"""Passkeys: a player's device proves at a login that it has the other half of a key, whose public half is kept.

What devices send is checked by `webauthn`. A challenge is drawn for each time, and good for a few minutes; the
caller keeps it where nobody else can change it.
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
"""How long a challenge may be answered."""
_MILLISECONDS = int(GOOD_FOR.total_seconds() * 1000)
_NOT_ADDED = "Your device did not send a passkey that can be kept. Nothing was added; please try again."
_NOT_ADMITTED = "That passkey is not known here, or it took too long. Try again, or have a link emailed to you."


@dataclass(frozen=True)
class Site:
    """The pages for which passkeys are good, as browsers see them."""

    origin: str
    host: str


@dataclass(frozen=True)
class PasskeyChallenge:
    """What a device has to sign, in base64, and when it was drawn."""

    text: str
    drawn_at: datetime


@dataclass(frozen=True)
class PasskeyResponse:
    """What a browser has sent, in JSON, to a challenge, if it was given any, at these pages."""

    text: str
    challenge: PasskeyChallenge | None
    site: Site


def site_of(base_url: str) -> Site | None:
    """The pages at this address; None where browsers use no passkeys: without https, or without a name."""
    address = urlsplit(base_url)
    host = address.hostname or ""
    if not is_name(host) or (address.scheme != "https" and host != "localhost"):
        return None
    return Site(f"{address.scheme}://{address.netloc}", host)


def draw(now: datetime) -> PasskeyChallenge:
    """A new challenge."""
    return PasskeyChallenge(bytes_to_base64url(generate_challenge()), now)


def options_to_add(session: Session, player: Player, site: Site, challenge: PasskeyChallenge) -> str:
    """What a browser is asked, in JSON, to add a passkey. Raises BadRequest for one too many."""
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
    """What a browser is asked, in JSON, to log in with whichever passkey it has."""
    options = webauthn.generate_authentication_options(
        rp_id=site.host, challenge=base64url_to_bytes(challenge.text), timeout=_MILLISECONDS
    )
    return webauthn.options_to_json(options)


def add(action: ActionContext, player: Player, answer: PasskeyResponse, name: str, where: str) -> Passkey:
    """Keep the passkey that a browser has created, under this name, and report it.

    `where` is as in `access.report`. Raises BadRequest for a name or an answer that is no good, and for one
    passkey too many.
    """
    session = action.session
    locked(session, Player, player.id)  # what is added at the same moment is counted, too
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
    """Whom a passkey logs in. Each challenge is good for one login, and none if the account is closed.

    Raises BadRequest, with the same sentence whatever is wrong.
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
    """A player's passkeys, the oldest first."""
    query = select(Passkey).where(Passkey.player_id == player.id)
    return list(session.exec(query.order_by(col(Passkey.number))))


def remove(session: Session, player: Player, number: str) -> str:
    """Let nobody log in with one of a player's passkeys any more; its name. Raises BadRequest if it is none."""
    for passkey in list_passkeys(session, player):
        if str(passkey.number) == number:
            session.delete(passkey)
            return passkey.name
    raise BadRequest(f"You have no passkey with the number {number[:20]}.")


def _note_use(action: ActionContext, passkey: Passkey, challenge: PasskeyChallenge, sign_count: int) -> bool:
    """Note that a passkey logs its player in; False if it has done so since the challenge was drawn."""
    unused = or_(col(Passkey.used_at).is_(None), col(Passkey.used_at) < challenge.drawn_at)
    first = (
        update(Passkey)
        .where(col(Passkey.credential) == passkey.credential, unused)
        .values(used_at=action.now, sign_count=sign_count)
        .returning(col(Passkey.number))
    )
    return action.session.execute(first).first() is not None


def _good(answer: PasskeyResponse, now: datetime) -> PasskeyChallenge:
    """The challenge of an answer that is worth reading. Raises ValueError."""
    challenge = answer.challenge
    if challenge is None or now - challenge.drawn_at > GOOD_FOR or len(answer.text) > LONGEST_CREDENTIAL:
        raise ValueError("too late, or too long")
    return challenge


def _check_name(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_PASSKEY_NAME:
        raise BadRequest(f"Call the passkey something with 1 to {LONGEST_PASSKEY_NAME} characters.")
    return name


def _check_room(count: int) -> None:
    if count >= MOST_PASSKEYS:
        raise BadRequest(f"You have {MOST_PASSKEYS} passkeys: remove one of them first.")


def _handle(player: int) -> bytes:
    """How devices tell accounts apart: they keep one passkey for each."""
    return str(player).encode()


@contextmanager
def _refusing(sentence: str) -> Iterator[None]:
    """Refuse what cannot be read or is not right. Raises BadRequest."""
    try:
        yield
    except Exception as problem:  # `webauthn` raises errors of many sorts for bad data
        raise BadRequest(sentence) from problem
