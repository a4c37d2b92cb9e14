"""Idempotency keys: a request that a client sends again, after a lost response, is carried out once.

The client names a request with a key. The response is stored in the same transaction as the changes, and the
same request with the same key gets the stored response. A refused request has changed nothing, so nothing is
stored and the client can try again.

Only the latest responses of each player are kept, up to a number and a total size. This is enough because
clients retry within minutes, and a player at the limit can continue to play.
"""

import json
from collections.abc import Callable
from hashlib import sha256

from flask import Response, request
from pydantic import BaseModel, Field
from sqlalchemy import ColumnElement
from sqlmodel import Session, col, delete, func, or_, select, update

from server.limits import LARGEST_ANSWERS_KEPT, LONGEST_KEY, MOST_ANSWERS_KEPT
from server.store.db import inserting
from server.store.models import ApiAnswer
from server.web.api.auth import caller
from server.web.api.errors import KeyReused
from server.web.shared.visits import Visit, acting


class Named(BaseModel):
    """The header with the key of a request."""

    key: str = Field(
        default="",
        alias="Idempotency-Key",
        max_length=LONGEST_KEY,
        pattern=r"^[!-~]*$",
        description="A random key that you choose for this request. A request that is repeated with its key is "
        "carried out once and gets the same response for a day, while it is among the latest "
        f"{MOST_ANSWERS_KEPT * 9 // 10}; a different request with that key is refused (422).",
    )


def done(named: Named, do: Callable[[Visit], BaseModel]) -> Response:
    """Carry out a request and return its response; for a repeated request, return the stored response."""
    with acting() as visit:
        if not named.key:
            return _sent(do(visit).model_dump_json().encode())
        kept = _kept(visit, named.key)
        if kept is not None:
            return _sent(kept)
        body = do(visit).model_dump_json().encode()
        row = _of(named.key)
        visit.session.execute(update(ApiAnswer).where(*row).values(sealed=visit.action.sealer.seal(body)))
        _forget_oldest(visit.session)
        return _sent(body)


def _kept(visit: Visit, key: str) -> bytes | None:
    """Return the stored response for a key; None if the key is new, and reserve it for this request.

    A simultaneous request with the same key waits until this one is done. Raises KeyReused for a different
    request.
    """
    values = {"player_id": caller()[0], "key": key, "fingerprint": _fingerprint(), "sealed": b""}
    first = inserting(visit.session, ApiAnswer).values(**values, at=visit.action.now)
    if visit.session.execute(first.on_conflict_do_nothing().returning(col(ApiAnswer.key))).first():
        return None
    found = visit.session.exec(select(ApiAnswer).where(*_of(key))).one()
    if found.fingerprint != values["fingerprint"]:
        raise KeyReused
    return visit.action.sealer.open(found.sealed)


def _of(key: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return col(ApiAnswer.player_id) == caller()[0], col(ApiAnswer.key) == key


def _forget_oldest(session: Session) -> None:
    """Delete the player's oldest responses if there are too many, down to nine tenths of the limit."""
    mine, size = col(ApiAnswer.player_id) == caller()[0], func.length(ApiAnswer.sealed)
    count, total = session.exec(select(func.count(), func.sum(size)).where(mine)).one()
    if count <= MOST_ANSWERS_KEPT and total <= LARGEST_ANSWERS_KEPT:
        return
    latest_first = [col(ApiAnswer.at).desc(), col(ApiAnswer.key)]
    place = func.row_number().over(order_by=latest_first).label("place")
    sizes = func.sum(size).over(order_by=latest_first).label("size")
    ranked = select(col(ApiAnswer.key), place, sizes).where(mine).subquery()
    beyond = or_(ranked.c.place * 10 > MOST_ANSWERS_KEPT * 9, ranked.c.size * 10 > LARGEST_ANSWERS_KEPT * 9)
    session.execute(delete(ApiAnswer).where(mine, col(ApiAnswer.key).in_(select(ranked.c.key).where(beyond))))


def _fingerprint() -> str:
    """Return a hash of the request's path and JSON, which does not depend on spacing."""
    said = json.dumps([request.path, request.get_json(silent=True)], sort_keys=True)
    return sha256(said.encode()).hexdigest()


def _sent(body: bytes) -> Response:
    return Response(body, content_type="application/json")
