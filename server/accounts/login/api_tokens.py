"""API tokens, with which programs act for their player.

A token is shown once, when it is created; only its fingerprint is stored. It has too many possible values to
guess, so a plain SHA-256 is safe.
"""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from sqlmodel import Session, col, select, update

from server.accounts import access, bans
from server.accounts.players import identity
from server.errors import BadRequest
from server.limits import LONGEST_TOKEN_NAME, MOST_TOKENS
from server.store.db import locked
from server.store.models import ApiToken, Player
from server.store.outbox import ActionContext

_PREFIX = "nabu_"
"""Marks a token, so that secret scanners can recognize it."""
_SIZE = 32
"""Size of a token in bytes."""
_SEEN_EVERY = timedelta(hours=1)


def add(action: ActionContext, player: Player, name: str, where: str) -> tuple[ApiToken, str]:
    """Create a token with this name, and report it; return its row and the token itself.

    `where` is as in `access.report`. Raises BadRequest for a bad name, or too many tokens.
    """
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_TOKEN_NAME:
        raise BadRequest(f"Give the token a name with 1 to {LONGEST_TOKEN_NAME} characters.")
    session = action.session
    locked(session, Player, player.id)  # so that tokens created at the same moment count
    own = list_tokens(session, player)
    if len(own) >= MOST_TOKENS:
        raise BadRequest(f"You have {MOST_TOKENS} tokens: remove one of them first.")
    secret = _PREFIX + secrets.token_urlsafe(_SIZE)
    token = ApiToken(
        player_id=identity(player),
        number=max((each.number for each in own), default=0) + 1,
        fingerprint=fingerprint(secret),
        name=name,
        made_at=action.now,
    )
    session.add(token)
    access.report(action, player, access.TOKEN, name, where)
    return token, secret


def list_tokens(session: Session, player: Player) -> list[ApiToken]:
    """Return a player's tokens, the oldest first."""
    query = select(ApiToken).where(ApiToken.player_id == player.id)
    return list(session.exec(query.order_by(col(ApiToken.number))))


def recognised(session: Session, now: datetime, secret: str) -> tuple[Player, ApiToken] | None:
    """Return the player and the row of an API token; None for an unknown token or a closed account."""
    query = select(Player, ApiToken).where(Player.id == ApiToken.player_id)
    found = session.exec(query.where(ApiToken.fingerprint == fingerprint(secret))).first()
    if found is None:
        return None
    player, token = found
    bar = bans.bar_of(session, player, now)
    return None if bar is not None and bar.closed else (player, token)


def holds(session: Session, player: int, number: int) -> bool:
    """Return whether the API token with this number still exists."""
    return session.get(ApiToken, (player, number)) is not None


def is_due(token: ApiToken, now: datetime) -> bool:
    """Return whether the use of a token has to be recorded again."""
    return token.used_at is None or now - token.used_at >= _SEEN_EVERY


def note_use(session: Session, now: datetime, player: int, number: int) -> None:
    """Record that a token is used now."""
    query = update(ApiToken).where(col(ApiToken.player_id) == player, col(ApiToken.number) == number)
    session.execute(query.values(used_at=now))


def fingerprint(secret: str) -> str:
    """Return the hash under which a token is stored."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()
