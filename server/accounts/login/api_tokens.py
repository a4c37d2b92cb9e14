"""Tokens: with one of them a program does over the API what its player could do.

A token is shown once, when it is made; only its fingerprint is kept. It is drawn from more values than anybody
could try, so a plain SHA-256 does not tell it.
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
"""So that programs that look for secrets in the wrong places know one when they see it."""
_SIZE = 32
"""Bytes."""
_SEEN_EVERY = timedelta(hours=1)


def add(action: ActionContext, player: Player, name: str, where: str) -> tuple[ApiToken, str]:
    """Create a token under this name, and report it; return its row and the token itself.

    `where` is as in `access.report`. Raises BadRequest for a bad name, or one too many.
    """
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_TOKEN_NAME:
        raise BadRequest(f"Call the token something with 1 to {LONGEST_TOKEN_NAME} characters.")
    session = action.session
    locked(session, Player, player.id)  # what is added at the same moment is counted, too
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
    """A player's tokens, the oldest first."""
    query = select(ApiToken).where(ApiToken.player_id == player.id)
    return list(session.exec(query.order_by(col(ApiToken.number))))


def remove(session: Session, player: Player, number: str) -> str:
    """Withdraw one of a player's tokens; its name. Raises BadRequest if it is none."""
    for token in list_tokens(session, player):
        if str(token.number) == number:
            session.delete(token)
            return token.name
    raise BadRequest(f"You have no token with the number {number[:20]}.")


def recognised(session: Session, now: datetime, secret: str) -> tuple[Player, ApiToken] | None:
    """Whose token this is; None for what is none, or no more, and if the account is closed."""
    query = select(Player, ApiToken).where(Player.id == ApiToken.player_id)
    found = session.exec(query.where(ApiToken.fingerprint == fingerprint(secret))).first()
    if found is None:
        return None
    player, token = found
    bar = bans.bar_of(session, player, now)
    return None if bar is not None and bar.closed else (player, token)


def holds(session: Session, player: int, number: int) -> bool:
    """Whether a token has not been withdrawn."""
    return session.get(ApiToken, (player, number)) is not None


def is_due(token: ApiToken, now: datetime) -> bool:
    """Whether it is time to note that a token is used."""
    return token.used_at is None or now - token.used_at >= _SEEN_EVERY


def note_use(session: Session, now: datetime, player: int, number: int) -> None:
    """Note that a token is used now."""
    query = update(ApiToken).where(col(ApiToken.player_id) == player, col(ApiToken.number) == number)
    session.execute(query.values(used_at=now))


def fingerprint(secret: str) -> str:
    """Return the hash under which a token is stored."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()
