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
from server.errors import Impossible
from server.game.clock import deadlines
from server.game.log import envelopes
from server.game.play import automatic_moves, conditional_moves
from server.game.play.endings import time_out
from server.game.play.loaded_game import (
    leave,
    load_game,
    open_all,
    seal,
)
from server.game.play.proposals import Proposal
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
    proposal: Proposal | None = None,
) -> Game:
    """Play the move, or seal the orders, in `text`; `say` is a message to the other players.

    `conditions` are lines of conditional moves, and `proposal` is a proposal, that come along with the move.
    """
    table = lock_for_action(action, player, target)
    if proposal is not None:
        # The others answer a proposal that comes with a move in the next turn.
        proposal.make(table, target.seat, target.turn + (not table.rules.simultaneous))
    if not table.rules.simultaneous:
        automatic_moves.submit_and_follow_up(table, target.seat, text, say, conditions)
    else:
        if conditions:
            automatic_moves.check_possible(table, target.seat)
        seal(table, target.seat, player, table.rules.parse(table.position, target.seat, text), say)
    if proposal is not None and table.game.state == "running":
        # The report about the move contains the proposal; about sealed orders there is no report yet.
        proposal.settle(table, target.seat, table.game.turn != target.turn)
    return table.game


def set_conditions(action: ActionContext, player: Player, target: Target, text: str) -> list[str]:
    """Store conditional moves in place of earlier ones, none for "if off"; return their lines."""
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
        raise Impossible(f"You have not given orders for turn {target.turn}, so there are none to withdraw.")
    action.session.delete(envelope)
    seat = table.seats[target.seat].seat
    seat.owes = True
    deadlines.recompute_deadline(action.session, table.game, seat, player, action.now)
    table.game.resolve_at = None
    action.put_to_player(player, game_letters.Withdrawn(target.turn), About(target.game, target.seat))
    return table.game


def resolve_due(action: ActionContext, game: Game) -> None:
    """Resolve the turn of a locked game in which all orders are in and the delay is over."""
    if game.resolve_at is not None and game.resolve_at <= action.now:
        open_all(load_game(action, game), None, "")


def preview(
    action: ActionContext, player: Player, target: Target, text: str, conditions: str = ""
) -> Step[Any, Any]:
    """Return the position that a move would lead to, without locking or writing anything.

    With simultaneous orders, only the player's own are known, so the position does not change. Raises as
    `submit` does, also for conditional moves.
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


def propose(action: ActionContext, player: Player, target: Target, proposal: Proposal) -> Game:
    """Make a proposal, or agree to the same proposal of another player."""
    table = lock_for_action(action, player, target, to_move=False)
    proposal.make(table, target.seat, table.game.turn)
    proposal.settle(table, target.seat, False)
    return table.game


def claim(action: ActionContext, player: Player, target: Target) -> Game:
    """Claim the game after opponents have run out of time: their seats are removed from it."""
    table = lock_for_action(action, player, target, to_move=False)
    late = [seat.number for seat, _ in table.seats if seat.overdue and seat.number != target.seat]
    if not late:
        raise Impossible(f"You cannot claim game {target.game}: no other player has run out of time.")
    time_out(table, late)
    return table.game


def give_time(action: ActionContext, player: Player, target: Target, text: str) -> Game:
    """Give the other players more time, such as "2d", for the moves that they have to make."""
    table = lock_for_action(action, player, target, to_move=False)
    if not table.game.shows_ready:
        raise Impossible("This game does not show which players have sent orders, so you cannot give time.")
    owing = [(seat, other) for seat, other in table.seats if seat.owes and seat.number != target.seat]
    if not owing:
        raise Impossible(f"You cannot give time in game {target.game}: no other player has to move.")
    for seat, other in owing:
        deadlines.give(action.session, table.game, seat, other, text, action.now)
        given = game_letters.TimeGiven(by=target.seat, due=seat.deadline_at)
        action.put_to_player(other, given, About(seat.game_id, seat.number))
    return table.game
