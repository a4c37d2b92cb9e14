"""What an act is aimed at, and whether the player may act there now."""

from dataclasses import dataclass, replace

from sqlmodel import Session

from rules.game import PASS
from server.errors import GameOver, NotRunning, NotYours, NotYourTurn, StaleReply
from server.game.log import hash_chain, log, stored_entries
from server.game.play.loaded_game import LoadedGame, load_game
from server.store.db import locked
from server.store.letters.letter import About
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken


@dataclass(frozen=True)
class Target:
    """What an act is aimed at: the seat that a player says is theirs, and the turn that they mean."""

    game: int
    seat: int
    turn: int


def target_of(session: Session, game: Game, token: ReplyToken) -> Target:
    """Return what a reply is about; after an invitation was mailed, the player may have drawn another seat."""
    seat = token.seat if token.turn else log.seat_of_asked(session, game, token.seat)
    return Target(token.game, seat, token.turn)


def after_own_move(session: Session, game: Game, target: Target) -> Target:
    """Return what a reply without a move is about.

    That is the turn now, if it answers the mail that asked for the player's last move. Until
    it is their turn again they are mailed nothing, so they have no later mail to answer.
    """
    owing = session.get_one(Seat, (target.game, target.seat)).owes
    if game.state != "running" or owing or not 0 < target.turn < game.turn:
        return target
    since = [stored_entries.turn_of(game, entry) for entry in log.turns(session, game, target.turn)]
    own = [played.number for played in since if played.turn.texts().get(target.seat, PASS) != PASS]
    return replace(target, turn=game.turn) if own == [target.turn] else target


def letter_about(game: Game, seat: int) -> About:
    """Return whom a letter is for: by place among those who were asked, until seats are drawn."""
    number = log.id_of(game)
    return About(number, seat) if log.has_begun(game) else About(number, place=seat)


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
