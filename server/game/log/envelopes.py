"""Sealed orders: nobody reads them before the turn resolves, and nobody can change them afterwards."""

import secrets

from sqlmodel import col, select

from rules.records.proof import commitment
from server.game.log.log import id_of, rules_of
from server.store.models import Envelope, Game
from server.store.outbox import ActionContext


def seal(action: ActionContext, game: Game, seat: int, orders: str) -> Envelope:
    """Put the orders of `seat` for the turn to be played into an envelope, replacing any earlier one."""
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
    """Return whether the orders of `seat` for this turn are in an envelope; False for any other turn."""
    if turn != game.turn or not rules_of(game).simultaneous:
        return False
    return action.session.get(Envelope, (game.id, turn, seat)) is not None


def written(action: ActionContext, game: Game) -> dict[int, Envelope]:
    """The envelopes for the turn to be played, by seat."""
    query = select(Envelope).where(Envelope.game_id == game.id, Envelope.turn == game.turn)
    return {envelope.seat: envelope for envelope in action.session.exec(query.order_by(col(Envelope.seat)))}


def open_for(action: ActionContext, envelope: Envelope) -> tuple[str, str]:
    """The canonical orders in an envelope, and the nonce with which they were committed to.

    They are for their writer at any time, and for all when the turn resolves.
    """
    orders, nonce = action.sealer.open_json(envelope.sealed)
    return orders, nonce
