"""Start random games and play on, for benchmarks that need some."""

from collections.abc import Callable, Mapping, Sequence

from server.game.lobby import challenges
from server.game.log import log
from server.game.play.moves import resign, submit
from server.game.play.target import Target
from server.store.models import Game, Player
from server.store.outbox import ActionContext

Below = Callable[[int], int]
"""Returns a random number below another."""


def begin(
    action: ActionContext, company: Sequence[Player], game_type: str, options: Mapping[str, object]
) -> Game:
    """Start a game of these players, all of whom have accepted."""
    game = challenges.challenge(action, company[0], company[1:], game_type, options)
    for player in company[1:]:
        challenges.accept(action, player, log.id_of(game))
    return game


def play_on(action: ActionContext, game: Game, turns: int, below: Below) -> None:
    """Play a game until it has this many turns in all, or is over."""
    rules = log.rules_of(game)
    while game.state == "running" and game.turn <= turns:
        position, turn = log.position_of(game), game.turn
        moves = {seat: rules.sample(position, seat, below) for seat in rules.to_move(position)}
        for seat, move in moves.items():
            player = log.seats(action.session, game)[seat].player
            submit(action, player, Target(log.id_of(game), seat, turn), rules.format(move))


def give_up(action: ActionContext, game: Game) -> None:
    """Let every player but one resign, unless the game is over."""
    for loser in log.seats(action.session, game)[1:]:
        if game.state == "running":
            resign(action, loser.player, Target(log.id_of(game), loser.seat.number, game.turn))


def seat_of(action: ActionContext, game: Game, player: Player) -> int:
    """Return the seat of a player."""
    seated = log.seats(action.session, game)
    return next(seat.number for seat, other in seated if other.id == player.id)
