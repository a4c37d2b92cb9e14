"""Requests that are sent again, as nobody knows whether the first was done: each is done once.

A program calls a request by a key of its own. What it was answered is stored in the transaction that did what
it asks for, and whoever sends the same again is answered the same. What was refused did nothing, so nothing is
kept of it, and it may be tried again.

Of each player so many answers and bytes are kept, the latest ones: a program asks again within minutes, so a
limit must not keep it from playing on.
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
    """The key by which a program names a request."""

    key: str = Field(
        default="",
        alias="Idempotency-Key",
        max_length=LONGEST_KEY,
        pattern=r"^[!-~]*$",
        description="Drawn by the program for this request. The same request with the same key is done once, "
        f"and answered the same for a day, or as long as it is among the latest {MOST_ANSWERS_KEPT * 9 // 10}; "
        "another request with that key is refused (422).",
    )


def done(named: Named, do: Callable[[Visit], BaseModel]) -> Response:
    """Do something and return the answer; for a request that was done before, return its answer of then."""
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
    """Return the answer to a request of this key; None if the key is new, and from now on this one's.

    Whoever sends it at the same moment waits until this one is done. Raises KeyReused for another.
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
    """Delete the player's oldest answers when there are too many: down to nine tenths, as it takes a while."""
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
    """That of the request: where it goes, and what it says, however that is spaced."""
    said = json.dumps([request.path, request.get_json(silent=True)], sort_keys=True)
    return sha256(said.encode()).hexdigest()


def _sent(body: bytes) -> Response:
    return Response(body, content_type="application/json")
