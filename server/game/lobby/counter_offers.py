"""Other terms in answer to a challenge: the same people and game, proposed by somebody who was invited."""

from collections.abc import Mapping

from server.accounts import players
from server.errors import BadRequest
from server.game.lobby import challenges, proposal
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
    """Propose a game in place of the one that a player is invited to, with these options changed.

    The invitation no longer stands, and those who are asked now are told what is different. Raises Refused.
    """
    game, own = challenges.invitation(action, player, number)
    if player.id == game.asked[0]:
        raise BadRequest(
            f"You proposed game {number} yourself. To propose something else, take it back first: "
            f"decline {number}"
        )
    seated = log.seats(action.session, game)
    if any(seat.invited_as and not seat.accepted for seat, _ in seated if seat is not own):
        raise BadRequest(
            f"Somebody was invited to game {number} by email address and has not accepted yet. Until then you "
            "can accept or decline it, but not propose anything else."
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
    """Raise BadRequest unless these options make another game of it, for as many players."""
    number = game.id
    if not changes:
        example = f", for example: counter {number} time=1d. To accept it as it is, write: accept {number}"
        raise BadRequest(lambda where: f"Say what you propose in place of what{where.typed(example) or '.'}")
    proposed = proposal.read(game.game_type, options, players.zone(player))
    agreed = GameTerms.from_json(game.terms)
    terms = proposed.unrated.terms if agreed.rated is None else proposed.terms
    if (proposed.options, terms) == (game.options, agreed):
        raise BadRequest(
            lambda where: (
                f"That is what game {number} was proposed with."
                f"{where.typed(f' To accept it as it is, write: accept {number}')}"
            )
        )
    if proposed.seats != len(game.asked):
        raise BadRequest(
            f"The players stay the same: game {game.id} is for {len(game.asked)}, and this would be one for "
            f"{proposed.seats}."
        )
