"""Sealed orders: no one can read them before the turn is resolved, and no one can change them afterwards."""

import secrets

from sqlmodel import col, select

from rules.records.proof import commitment
from server.game.log.log import id_of, rules_of
from server.store.models import Envelope, Game
from server.store.outbox import ActionContext


def seal(action: ActionContext, game: Game, seat: int, orders: str) -> Envelope:
    """Put the orders of `seat` for the current turn into an envelope, replacing earlier orders."""
    nonce = secrets.token_hex(16)
    envelope = action.session.get(Envelope, (game.id, game.turn, seat))
    if envelope is None:
        envelope = Envelope(
            game_id=id_of(game),
            turn=game.turn,
            seat=seat,
            sealed=b"",
            commitment="",
            written_at=action.moment,
        )
    envelope.sealed = action.sealer.seal_json([orders, nonce])
    envelope.commitment = commitment(nonce, id_of(game), game.turn, seat, orders)
    envelope.written_at = action.moment
    action.session.add(envelope)
    return envelope


def is_sealed(action: ActionContext, game: Game, seat: int, turn: int) -> bool:
    """Return whether the orders of `seat` for this turn are in an envelope; those of past turns are opened."""
    return rules_of(game).simultaneous and action.session.get(Envelope, (game.id, turn, seat)) is not None


def written(action: ActionContext, game: Game) -> dict[int, Envelope]:
    """Return the envelopes for the current turn, by seat."""
    query = select(Envelope).where(Envelope.game_id == game.id, Envelope.turn == game.turn)
    return {envelope.seat: envelope for envelope in action.session.exec(query.order_by(col(Envelope.seat)))}


def open_for(action: ActionContext, envelope: Envelope) -> tuple[str, str]:
    """Return the orders in an envelope, in canonical text, and the nonce of their commitment.

    Until the turn is resolved, show them only to the player who gave them.
    """
    orders, nonce = action.sealer.open_json(envelope.sealed)
    return orders, nonce
