"""Counter-offers: an invited player proposes the same game with other terms to the same players."""

from collections.abc import Mapping

from server.accounts import players
from server.errors import BadRequest
from server.game.lobby import challenges, proposed_game
from server.game.log import log
from server.game.terms.terms import GameTerms
from server.store.models import Game, Player
from server.store.outbox import ActionContext


def counter(
    action: ActionContext,
    player: Player,
    number: int,
    changes: Mapping[str, object],
    *,
    own_words: bool = False,
) -> Game:
    """Propose a game with changed options in place of the one to which a player is invited.

    The invitation becomes invalid, and the new invitations list the differences. Raises Refused.
    """
    game, own = challenges.invitation(action, player, number)
    if player.id == game.asked[0]:
        raise BadRequest(
            f"You proposed game {number} yourself. To propose something else, withdraw it first: "
            f"decline {number}"
        )
    seated = log.seats(action.session, game)
    if any(seat.invited_as and not seat.accepted for seat, _ in seated if seat is not own):
        raise BadRequest(
            f"A player who was invited to game {number} by email address has not accepted yet. Until then you "
            "can accept or decline the game, but not make a counter-offer."
        )
    options = {**game.options, **GameTerms.from_json(game.terms).unusual(), **changes}
    _check(player, game, options, changes)
    players.confirm(player, action.now)
    others = [other for _, other in seated if other.id != player.id]
    following = challenges.challenge(
        action, player, others, game.game_type, options, own_words=own_words, again_of=game.again_of
    )
    following.counter_of = number
    challenges.mark_declined(game, seated, action.now)
    return following


def _check(player: Player, game: Game, options: Mapping[str, object], changes: Mapping[str, object]) -> None:
    """Raise BadRequest unless these options make a different game for the same number of players."""
    number = game.id
    if not changes:
        example = f", for example: counter {number} time=1d. To accept it as it is, write: accept {number}"
        raise BadRequest(lambda where: f"Change at least one option{where.typed(example) or '.'}")
    proposed = proposed_game.read(game.game_type, options, players.zone(player))
    agreed = GameTerms.from_json(game.terms)
    terms = proposed.unrated.terms if agreed.rated is None else proposed.terms
    if (proposed.options, terms) == (game.options, agreed):
        raise BadRequest(
            lambda where: (
                f"Game {number} already has these options."
                f"{where.typed(f' To accept it as it is, write: accept {number}')}"
            )
        )
    if proposed.seats != len(game.asked):
        raise BadRequest(
            f"A counter-offer keeps the players: game {game.id} is for {len(game.asked)} players, not for "
            f"{proposed.seats}."
        )
