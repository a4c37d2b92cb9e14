"""The acts of players in a game that is running: every move of every game comes through here.

How games begin is in `start.py`, how they end without a move in `endings.py`; nothing else writes turns.

Each function is called within one transaction. It locks the game, checks that the player has the seat and means
the turn that is to be played, lets the rules judge, appends to the log and puts the mails into the outbox.
When it raises, nothing is changed: `Refused` for what the server does not allow, `WrongMove` for the rules,
`Damaged` where the log is not what was written.
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
    """Play the move, or seal the orders, that `text` says; `say` goes to the other players with it.

    `conditions` are the lines of the conditional moves that the player gives with their move; with `draw` they
    offer a draw along with it, or accept one.
    """
    table = lock_for_action(action, player, target)
    if draw:
        _check_can_be_drawn(table)
        # One that comes with a move is made after it, so that the others can answer it with theirs.
        table.seats[target.seat].seat.draw_turn = target.turn + (not table.rules.simultaneous)
    if not table.rules.simultaneous:
        automatic_moves.submit_and_follow_up(table, target.seat, text, say, conditions)
    else:
        if conditions:
            automatic_moves.check_possible(table, target.seat)
        seal(table, target.seat, player, table.rules.parse(table.position, target.seat, text), say)
    if draw and table.game.state == "running":
        # What was played was told together with the offer; sealed orders were not told.
        _agree(table, target.seat, told=table.game.turn != target.turn)
    return table.game


def set_conditions(action: ActionContext, player: Player, target: Target, text: str) -> list[str]:
    """Keep conditional moves for when the opponent has moved, replacing earlier ones; "if off" drops them.

    Returns what is kept, as it was read, one line each.
    """
    table = lock_for_action(action, player, target, to_move=False)
    return automatic_moves.write(table, target.seat, text)


def preview_conditions(action: ActionContext, player: Player, target: Target, text: str) -> list[str]:
    """What `set_conditions` would keep; nothing is locked or written. Raises as that does."""
    table = check_may_act(action, player, target, action.session.get(Game, target.game), to_move=False)
    return conditional_moves.write(automatic_moves.read(table, target.seat, text))


def withdraw(action: ActionContext, player: Player, target: Target) -> Game:
    """Take one's sealed orders out again."""
    table = lock_for_action(action, player, target)
    envelope = envelopes.written(action, table.game).get(target.seat)
    if envelope is None:
        raise BadRequest(f"You have no orders for turn {target.turn} to take back.")
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
    """What a move, or one's own orders alone, would lead to; nothing is played, locked or written.

    Raises as `submit` does, for conditional moves as well.
    """
    table = check_may_act(action, player, target, action.session.get(Game, target.game), to_move=True)
    move = table.rules.parse(table.position, target.seat, text)
    if conditions:
        automatic_moves.check(table, target.seat, text, conditions)
    if table.rules.simultaneous:
        return Step(table.position, {target.seat: move}, table.position)
    return driver.play(table.rules, table.position, {target.seat: move})


def resign(action: ActionContext, player: Player, target: Target) -> Game:
    """Leave the game: it is lost, or the others play on where the rules allow that."""
    table = lock_for_action(action, player, target, to_move=False)
    leave(table, target.seat, Reason.RESIGNED)
    return table.game


def offer_draw(action: ActionContext, player: Player, target: Target) -> Game:
    """Offer a draw, or accept the one that is offered; with the offers of all, the game is over.

    Computer players agree to none.
    """
    table = lock_for_action(action, player, target, to_move=False)
    _check_can_be_drawn(table)
    table.seats[target.seat].seat.draw_turn = table.game.turn
    _agree(table, target.seat, told=False)
    return table.game


def undo(action: ActionContext, player: Player, target: Target) -> Game:
    """Ask to take one's last move back, or agree to what another player asks; when all agree it is done."""
    table = lock_for_action(action, player, target, to_move=False)
    takeback.undo(table, target.seat)
    return table.game


def claim(action: ActionContext, player: Player, target: Target) -> Game:
    """Claim the game from the seats whose time is up."""
    table = lock_for_action(action, player, target, to_move=False)
    late = [seat.number for seat, _ in table.seats if seat.overdue and seat.number != target.seat]
    if not late:
        raise BadRequest(f"There is nothing to claim in game {target.game}: nobody else's time is up.")
    time_out(table, late)
    return table.game


def give_time(action: ActionContext, player: Player, target: Target, text: str) -> Game:
    """Give the others more time for the move that they owe."""
    table = lock_for_action(action, player, target, to_move=False)
    if not table.game.shows_ready:
        raise BadRequest("In this game nobody may know whose orders are in, so you cannot give time.")
    owing = [(seat, other) for seat, other in table.seats if seat.owes and seat.number != target.seat]
    if not owing:
        raise BadRequest(f"Nobody else owes a move in game {target.game}, so there is no time to give.")
    for seat, other in owing:
        deadlines.give(action.session, table.game, seat, other, text, action.now)
        given = game_letters.TimeGiven(by=target.seat, due=seat.deadline_at)
        action.put_to_player(other, given, About(seat.game_id, seat.number))
    return table.game


def _check_can_be_drawn(table: LoadedGame) -> None:
    """Raise BadRequest if a computer player is in the game."""
    if any(player.computer for seat, player in table.seats if seat.number in table.still_in()):
        raise BadRequest("Computer players agree to no draw: play on, or resign.")


def _agree(table: LoadedGame, number: int, *, told: bool) -> None:
    """End the game if all offer a draw; otherwise tell the others that a seat does, unless they are `told`."""
    game = table.game
    playing = [seat for seat, _ in table.seats if seat.number in table.still_in()]
    if all(seat.offers_draw(game.turn) for seat in playing):
        stop_clocks(table)
        finish(table, Result(tuple(seat.number for seat in playing), Reason.AGREED_DRAW))
        report(table, first=game.turn)
    elif not told:
        tell_others(table, number, game_letters.DrawOffered(number))
