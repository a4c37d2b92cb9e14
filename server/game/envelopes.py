"""Sealed orders: nobody reads them before the turn resolves, and nobody can change them afterwards."""

import secrets
from dataclasses import dataclass

from sqlmodel import col, select

from rules.records.proof import commitment
from server.game.log import identity
from server.store.models import Envelope, Game
from server.store.outbox import Post


@dataclass(frozen=True)
class Opened:
    """What was in an envelope: canonical orders, and the nonce with which they were committed to."""

    orders: str
    nonce: str


def seal(post: Post, game: Game, seat: int, orders: str) -> Envelope:
    """Put the orders of `seat` for the turn to be played into an envelope, in place of an earlier one."""
    nonce = secrets.token_hex(16)
    envelope = post.session.get(Envelope, (game.id, game.turn, seat))
    if envelope is None:
        envelope = Envelope(
            game_id=identity(game), turn=game.turn, seat=seat, sealed=b"", commitment="", written_at=post.moment
        )
    envelope.sealed = post.vault.seal_json([orders, nonce])
    envelope.commitment = commitment(nonce, identity(game), game.turn, seat, orders)
    envelope.written_at = post.moment
    post.session.add(envelope)
    return envelope


def written(post: Post, game: Game) -> dict[int, Envelope]:
    """The envelopes for the turn to be played, by seat."""
    query = select(Envelope).where(Envelope.game_id == game.id, Envelope.turn == game.turn)
    return {envelope.seat: envelope for envelope in post.session.exec(query.order_by(col(Envelope.seat)))}


def open_for(post: Post, envelope: Envelope) -> Opened:
    """The content of an envelope: for its writer at any time, for all when the turn resolves."""
    orders, nonce = post.vault.open_json(envelope.sealed)
    return Opened(orders, nonce)
