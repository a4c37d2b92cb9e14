"""How a standing offer goes on: the game is opened again, as long as fewer than so many are under way."""

from sqlmodel import func, select

from server.clock.spans import HOUR
from server.errors import BadRequest
from server.game import limits, log, offers, places, seeking
from server.game.latest import lock_latest
from server.game.proposal import Proposal
from server.game.terms import GameTerms
from server.store.db import locked
from server.store.models import Game, Player
from server.store.outbox import Action


def reopen(action: Action, game: Game) -> None:
    """Open the offer of a game, locked, that has begun or is over, again unless enough are under way."""
    game.offer_due_at = None
    last = lock_latest(action.session, offers.latest(game))
    if last.offer is None or last.state in ("open", "closed"):
        return
    player = action.session.get_one(Player, last.asked[0])
    if not places.can_play(action, player):
        last.offer = None
        return
    running = select(func.count()).where(offers.is_of(offers.first_of(last)), Game.state == "running")
    if action.session.exec(running).one() >= last.offer["always"]:
        return
    try:
        limits.check_seek(action.session, player)
    except BadRequest:
        game.offer_due_at = action.now + HOUR
        return
    proposed = Proposal(log.rules_of(last), last.offer["options"], GameTerms.from_json(last.terms))
    following = seeking.put_up(action, player, proposed, last.wanted, last.offer)
    following.offer_of = offers.first_of(last)


def leave(action: Action, player: Player, number: int) -> Game:
    """Leave an open game; by the number of one that has begun, end the offer that it is of. Raises Refused."""
    game = locked(action.session, Game, number)
    if game is None or game.state not in ("running", "over") or player.id != game.asked[0] or not game.offer:
        return seeking.leave(action, player, number)
    last = lock_latest(action.session, offers.latest(game))
    if not offers.stands(last):
        return seeking.leave(action, player, number)
    if last.state == "open":
        seeking.leave(action, player, log.identity(last))
    last.offer = None
    return game
