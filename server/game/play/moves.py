"""The actions of players in a running game: every move of every game passes through this module.

`start.py` starts games and `endings.py` ends them without a move; no other module writes turns.

Each function runs within one transaction. It locks the game, checks that the player has the seat and means the
current turn, checks the move with the rules, appends to the log and puts the emails into the outbox. If it
raises, nothing changes: `Refused` for an action that the server does not allow, `WrongMove` for an illegal
move, `Damaged` for a log that does not match its hashes.
"""

from typing import Any

from rules import driver
from rules.game import Step
from rules.reasons import Reason
from rules.result import Result
from server.errors import BadRequest
from server.game.clock import deadlines
from server.game.log import envelopes
from server.game.play import automatic_moves, conditional_moves, takeback
from server.game.play.endings import stop_clocks, time_out
from server.game.play.loaded_game import (
    LoadedGame,
    finish,
    leave,
    load_game,
    open_all,
    report,
    seal,
    tell_others,
)
from server.game.play.target import Target, check_may_act, lock_for_action
from server.store.letters import game as game_letters
from server.store.letters.letter import About
from server.store.models import Game, Player
from server.store.outbox import ActionContext


def submit(
    action: ActionContext,
    player: Player,
    target: Target,
    text: str,
    say: str = "",
    conditions: str = "",
    *,
    draw: bool = False,
) -> Game:
    """Play the move, or seal the orders, in `text`; `say` is a message to the other players.

    `conditions` are lines of conditional moves that the player gives along with the move. With `draw` the
    player also offers a draw, or accepts one.
    """
    table = lock_for_action(action, player, target)
    if draw:
        _check_can_be_drawn(table)
        # A draw offer that comes with a move is valid in the next turn, in which the others answer.
        table.seats[target.seat].seat.draw_turn = target.turn + (not table.rules.simultaneous)
    if not table.rules.simultaneous:
        automatic_moves.submit_and_follow_up(table, target.seat, text, say, conditions)
    else:
        if conditions:
            automatic_moves.check_possible(table, target.seat)
        seal(table, target.seat, player, table.rules.parse(table.position, target.seat, text), say)
    if draw and table.game.state == "running":
        # The report about the move contains the offer; about sealed orders there is no report yet.
        _agree(table, target.seat, reported=table.game.turn != target.turn)
    return table.game


def set_conditions(action: ActionContext, player: Player, target: Target, text: str) -> list[str]:
    """Store conditional moves in place of earlier ones; "if off" removes them.

    Returns the stored conditional moves, one per line.
    """
    table = lock_for_action(action, player, target, to_move=False)
    return automatic_moves.write(table, target.seat, text)


def preview_conditions(action: ActionContext, player: Player, target: Target, text: str) -> list[str]:
    """Return what `set_conditions` would store, without locking or writing. Raises as that does."""
    table = check_may_act(action, player, target, action.session.get(Game, target.game), to_move=False)
    return conditional_moves.write(automatic_moves.read(table, target.seat, text))


def withdraw(action: ActionContext, player: Player, target: Target) -> Game:
    """Withdraw the sealed orders of the player."""
    table = lock_for_action(action, player, target)
    envelope = envelopes.written(action, table.game).get(target.seat)
    if envelope is None:
        raise BadRequest(f"You have not given orders for turn {target.turn}, so there are none to withdraw.")
    action.session.delete(envelope)
    seat = table.seats[target.seat].seat
    seat.owes = True
    deadlines.recompute_deadline(action.session, table.game, seat, player, action.now)
    table.game.resolve_at = None
    action.put_to_player(player, game_letters.Withdrawn(target.turn), About(target.game, target.seat))
    return table.game


def resolve_due(action: ActionContext, game: Game) -> None:
    """Resolve a turn whose orders are all in and whose delay is over; `game` must be locked."""
    if game.resolve_at is not None and game.resolve_at <= action.now:
        open_all(load_game(action, game), None, "")


def preview(
    action: ActionContext, player: Player, target: Target, text: str, conditions: str = ""
) -> Step[Any, Any]:
    """Return the step that a move, or the player's own orders alone, would lead to, without locking or writing.

    Raises as `submit` does, also for conditional moves.
    """
    table = check_may_act(action, player, target, action.session.get(Game, target.game), to_move=True)
    move = table.rules.parse(table.position, target.seat, text)
    if conditions:
        automatic_moves.check(table, target.seat, text, conditions)
    if table.rules.simultaneous:
        return Step(table.position, {target.seat: move}, table.position)
    return driver.play(table.rules, table.position, {target.seat: move})


def resign(action: ActionContext, player: Player, target: Target) -> Game:
    """Resign: the game is lost, or the others play on where the rules allow that."""
    table = lock_for_action(action, player, target, to_move=False)
    leave(table, target.seat, Reason.RESIGNED)
    return table.game


def offer_draw(action: ActionContext, player: Player, target: Target) -> Game:
    """Offer a draw, or accept the one that is offered; the game ends when all players have offered it.

    Computer players do not accept draws.
    """
    table = lock_for_action(action, player, target, to_move=False)
    _check_can_be_drawn(table)
    table.seats[target.seat].seat.draw_turn = table.game.turn
    _agree(table, target.seat, reported=False)
    return table.game


def undo(action: ActionContext, player: Player, target: Target) -> Game:
    """Ask for a takeback of the player's last move, or agree to another player's request."""
    table = lock_for_action(action, player, target, to_move=False)
    takeback.undo(table, target.seat)
    return table.game


def claim(action: ActionContext, player: Player, target: Target) -> Game:
    """Claim the game from the seats that have run out of time."""
    table = lock_for_action(action, player, target, to_move=False)
    late = [seat.number for seat, _ in table.seats if seat.overdue and seat.number != target.seat]
    if not late:
        raise BadRequest(f"You cannot claim game {target.game}: no other player has run out of time.")
    time_out(table, late)
    return table.game


def give_time(action: ActionContext, player: Player, target: Target, text: str) -> Game:
    """Give the other players more time for the moves that they have to make."""
    table = lock_for_action(action, player, target, to_move=False)
    if not table.game.shows_ready:
        raise BadRequest("This game does not show which players have sent orders, so you cannot give time.")
    owing = [(seat, other) for seat, other in table.seats if seat.owes and seat.number != target.seat]
    if not owing:
        raise BadRequest(f"You cannot give time in game {target.game}: no other player has to move.")
    for seat, other in owing:
        deadlines.give(action.session, table.game, seat, other, text, action.now)
        given = game_letters.TimeGiven(by=target.seat, due=seat.deadline_at)
        action.put_to_player(other, given, About(seat.game_id, seat.number))
    return table.game


def _check_can_be_drawn(table: LoadedGame) -> None:
    """Raise BadRequest if a computer player is still in the game."""
    if any(player.computer for seat, player in table.seats if seat.number in table.still_in()):
        raise BadRequest("Computer players do not accept draws: play on, or resign.")


def _agree(table: LoadedGame, number: int, *, reported: bool) -> None:
    """End the game if all players offer a draw; otherwise notify the others, unless a report already has."""
    game = table.game
    playing = [seat for seat, _ in table.seats if seat.number in table.still_in()]
    if all(seat.offers_draw(game.turn) for seat in playing):
        stop_clocks(table)
        finish(table, Result(tuple(seat.number for seat in playing), Reason.AGREED_DRAW))
        report(table, first=game.turn)
    elif not reported:
        tell_others(table, number, game_letters.DrawOffered(number))
