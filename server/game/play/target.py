"""What an act is aimed at, and whether the player may act there now."""

from dataclasses import dataclass

from server.errors import GameOver, NotRunning, NotYours, NotYourTurn, StaleReply
from server.game.log import hash_chain
from server.game.play.loaded_game import LoadedGame, load_game
from server.store.db import locked
from server.store.models import Game, Player
from server.store.outbox import ActionContext


@dataclass(frozen=True)
class Target:
    """What an act is aimed at: the seat that a player says is theirs, and the turn that they mean."""

    game: int
    seat: int
    turn: int


def lock_for_action(
    action: ActionContext, player: Player, target: Target, *, to_move: bool = True
) -> LoadedGame:
    """Lock the game, check that the player may act in it now, and note that they were heard from."""
    game = locked(action.session, Game, target.game)
    table = check_may_act(action, player, target, game, to_move=to_move)
    hash_chain.check_end(action.session, table.game)
    table.seats[target.seat].seat.heard_turn = table.game.turn
    return table


def check_may_act(
    action: ActionContext, player: Player, target: Target, game: Game | None, *, to_move: bool
) -> LoadedGame:
    """The table of the game that `target` names, where the player may act now."""
    if game is None:
        raise NotYours(f"There is no game {target.game}.")
    table = load_game(action, game)
    if target.seat >= len(table.seats) or table.seats[target.seat].player.id != player.id:
        raise NotYours(f"You do not have that seat in game {target.game}.")
    if game.state == "over":
        raise GameOver(f"Game {target.game} is over.")
    if game.state != "running":
        raise NotRunning(f"Game {target.game} has not begun yet: not everyone has accepted.")
    if target.turn != game.turn:
        raise StaleReply(target.turn, game.turn)
    if to_move and target.seat not in table.rules.to_move(table.position):
        raise NotYourTurn(f"It is not your turn in game {target.game}; turn {game.turn} is another player's.")
    if target.seat not in table.still_in():
        raise GameOver(f"You have left game {target.game}.")
    return table
