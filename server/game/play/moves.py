"""The one door: every move of every game comes through here, and nothing else writes turns.

Each function is called within one transaction. It locks the game, checks that the player has the seat and means
the turn that is to be played, lets the rules judge, appends to the log and puts the mails into the outbox.
When it raises, nothing is changed: `Refused` for what the server does not allow, `WrongMove` for the rules,
`Damaged` where the log is not what was written.
"""

import logging
from collections.abc import Sequence
from functools import partial
from typing import Any

from rules import driver
from rules.game import Step
from rules.reasons import Reason
from rules.records.entries import Begin, Import
from rules.records.record import Record, Replay, turn_of
from rules.records.turns import Moved
from rules.result import Result
from server.clock.terms import Consequence
from server.errors import BadRequest
from server.game.clock import deadlines, stored_pauses
from server.game.log import envelopes, log, randomness
from server.game.log.log import Seated
from server.game.log.names import placeholder
from server.game.play import conditional_moves, follow_up, seat_rotation, takeback
from server.game.play.loaded_game import (
    LoadedGame,
    correct,
    finish,
    leave,
    load_game,
    note_credits,
    open_all,
    open_if_all_in,
    prepare_turn,
    report,
    seal,
    tell_of_clock,
    tell_others,
)
from server.game.play.target import Target, check_may_act, lock_for_action
from server.game.terms.terms import GameTerms, is_guided
from server.monitoring import logs
from server.monitoring.metrics import DEADLINES, count
from server.pairing import adjudication
from server.store import db
from server.store.letters import game as game_letters
from server.store.letters.letter import About
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext

logger = logging.getLogger(__name__)


def start(action: ActionContext, game: Game) -> None:
    """Start a game that all have accepted: give seats, draw the layout, open its log, tell everybody."""
    turned = seat_rotation.turned(action.session, game)
    if game.tournament_id is not None:
        randomness.seat_as(action.session, game, game.asked)
    elif turned:
        randomness.seat_as(action.session, game, turned)
    else:
        randomness.seat_by_lot(action.sealer, action.session, game)
    seats = log.seats(action.session, game)
    rules, names = log.rules_of(game), _names_in_log(game, seats)
    game.state, game.offer_due_at = "running", action.now if game.offer else None
    game.setup = rules.setup(game.options, randomness.for_layout(action.sealer, game, seats))
    said = Begin(
        game=log.id_of(game),
        game_type=game.game_type,
        version=game.rules_version,
        options=game.options,
        terms=game.terms,
        asked=tuple(names[number] for number in game.asked),
        seats=tuple(names[seat.player_id] for seat, _ in seats),
        seed_hash=game.seed_hash,
        client_seeds=tuple(seat.client_seed for seat, _ in seats),
        setup=game.setup,
        turned=game.again_of if turned else None,
        paired=game.tournament_id,
    )
    log.append_entry(action.session, game, said, action.now)
    deadlines.fill_banks(game, seats)
    table = LoadedGame(action, game, rules, seats, rules.start(game.options, game.setup))
    prepare_turn(table)
    if not is_guided(game.terms):  # the letter that welcomes its player tells of it
        report(table, first=0)


def _names_in_log(game: Game, seats: Sequence[Seated]) -> dict[int, str]:
    """What the players are called in the log, by their numbers: its end tells who played an anonymous game."""
    if game.anonymous:
        return {number: placeholder(place) for place, number in enumerate(game.asked)}
    return {seat.player_id: player.name for seat, player in seats}


def take_up(action: ActionContext, game: Game, record: Record, played: Replay) -> None:
    """Put the turns of a record, played through before, into the log of a new game, and go on from there.

    Nobody is told what was played elsewhere; if the game goes on, all are told how it stands. Raises BadRequest
    for a record that is not legal, and for one that only another server can continue.
    """
    if played.error is not None:
        raise BadRequest(f"The record cannot be played through: {played.error}")
    if played.result is None and any(isinstance(turn, Moved) and turn.dice for turn in record.turns):
        raise BadRequest(
            "This game has dice and is not over. The next roll comes from a seed known only to the server on "
            "which the game began, so it has to be finished there."
        )
    seats = log.seats(action.session, game)
    game.state = "running"
    log.append_entry(
        action.session, game, Import(game.game_type, tuple(player.name for _, player in seats)), action.now
    )
    for step in played.steps:
        log.append(action.session, game, turn_of(played.rules, step), step.after, action.now)
    deadlines.fill_banks(game, seats)
    table = LoadedGame(action, game, played.rules, seats, played.position)
    if played.result is not None:
        finish(table, played.result)
        return
    prepare_turn(table)
    report(table, first=game.turn)


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
        # One that comes with a move is made after it, so that the others can answer it with theirs.
        table.seats[target.seat].seat.draw_turn = target.turn + (not table.rules.simultaneous)
    if not table.rules.simultaneous:
        follow_up.submit_and_follow_up(table, target.seat, text, say, conditions)
    else:
        if conditions:
            follow_up.check_possible(table, target.seat)
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
    return follow_up.write(table, target.seat, text)


def preview_conditions(action: ActionContext, player: Player, target: Target, text: str) -> list[str]:
    """What `set_conditions` would keep; nothing is locked or written. Raises as that does."""
    table = check_may_act(action, player, target, action.session.get(Game, target.game), to_move=False)
    return conditional_moves.write(follow_up.read(table, target.seat, text))


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
        follow_up.check(table, target.seat, text, conditions)
    if table.rules.simultaneous:
        return Step(table.position, {target.seat: move}, table.position)
    return driver.play(table.rules, table.position, {target.seat: move})


def resign(action: ActionContext, player: Player, target: Target) -> Game:
    """Leave the game: it is lost, or the others play on where the kind allows that."""
    table = lock_for_action(action, player, target, to_move=False)
    leave(table, target.seat, Reason.RESIGNED)
    return table.game


def offer_draw(action: ActionContext, player: Player, target: Target) -> Game:
    """Offer a draw, or accept the one that is offered; with the offers of all, the game is over."""
    table = lock_for_action(action, player, target, to_move=False)
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
    _time_out(table, late)
    return table.game


def give_time(action: ActionContext, player: Player, target: Target, text: str) -> Game:
    """Give the others more time for the move that they owe."""
    table = lock_for_action(action, player, target, to_move=False)
    if not GameTerms.from_json(table.game.terms).show_ready:
        raise BadRequest("In this game nobody may know whose orders are in, so you cannot give time.")
    owing = [(seat, other) for seat, other in table.seats if seat.owes and seat.number != target.seat]
    if not owing:
        raise BadRequest(f"Nobody else owes a move in game {target.game}, so there is no time to give.")
    for seat, other in owing:
        deadlines.give(action.session, table.game, seat, other, text, action.now)
        given = game_letters.TimeGiven(by=target.seat, due=seat.deadline_at)
        action.put_to_player(other, given, About(seat.game_id, seat.number))
    return table.game


def handle_timeouts(action: ActionContext, game: Game) -> None:
    """Act on the silence of all seats whose time and grace are over; `game` must be locked.

    Everything is computed anew from the facts first, so that nobody loses by a deadline that has moved.
    """
    if game.state != "running":
        return
    table = load_game(action, game)
    due = [
        (seat, player) for seat, player in table.seats if seat.grace_until and seat.grace_until <= action.now
    ]
    late = [seat.number for seat, player in due if _is_up(table, seat, player)]
    for seat, _ in due:
        if seat.number not in late and seat.stood_turn != game.turn:
            seat.stood_turn = game.turn
            tell_of_clock(table, seat)
    follows = {seat: _overdue(table, seat) for seat in late}
    for number, consequence in follows.items():
        db.afterwards(action.session, partial(_tell_of_deadline, game.id, number, consequence))
    _time_out(table, [seat for seat in late if follows[seat] is Consequence.LOSE])
    if game.state != "running":
        return
    for number in [seat for seat in late if follows[seat] is Consequence.CLAIM]:
        seat = table.seats[number].seat
        deadlines.stop(seat)
        seat.overdue = True
        for each, player in table.seats:
            action.put_to_player(player, game_letters.Overdue(number), About(each.game_id, each.number))
    absent = [table.seats[seat].seat for seat in late if follows[seat] is Consequence.MISS]
    for seat in absent:
        deadlines.stop(seat)
        seat.owes, seat.absent_turn = False, game.turn
    if absent:
        action.session.flush()
        open_if_all_in(table, None, "")


def _tell_of_deadline(game: int | None, seat: int, consequence: Consequence) -> None:
    count(DEADLINES)
    logs.event(logger, "deadline", game=game, seat=seat, follows=consequence.name.lower())


def abort_idle(action: ActionContext, game: Game) -> None:
    """End a game in which nobody has done anything for long; `game` must be locked."""
    if game.state != "running" or game.stale_at is None:
        return
    alive = deadlines.alive_until(action.session, game)
    if alive > action.now:
        game.stale_at = alive
        for seat, player in log.seats(action.session, game):
            if seat.owes:
                deadlines.recompute_deadline(action.session, game, seat, player, action.now)
        return
    table = load_game(action, game)
    finish(table, Result((), Reason.ABORTED))
    if not is_guided(game.terms):  # nobody waits for news of it
        report(table, first=game.turn)


def adjudicate_result(action: ActionContext, game: Game, winners: Sequence[int], why: str) -> None:
    """End a game as an operator decides, or replace the result of one that is over; `game` must be locked.

    The seats in `winners` win, share a draw if there are several, or with none nobody wins. All are told, with
    `why`, which is public. Raises BadRequest for a game that has not begun, and where nothing would change.
    """
    result, table = Result(tuple(winners), Reason.RULED, why=why), load_game(action, game)
    if game.state not in ("running", "over"):
        raise BadRequest(f"Game {game.id} has not begun, so there is nothing to decide.")
    if game.result == result.to_json():
        raise BadRequest(f"Game {game.id} has been decided like this already.")
    if game.state == "running":
        finish(table, result)
    else:
        correct(table, result)
    report(table, first=game.turn)


def adjudicate(action: ActionContext, game: Game) -> None:
    """End a game that has lasted too long for its tournament by thinking time; `game` must be locked."""
    if game.state != "running":
        return
    table = load_game(action, game)
    _stop_clocks(table)
    thought = [seat.thought for seat, _ in table.seats]
    finish(table, Result(adjudication.winners(thought), Reason.ADJUDICATED))
    report(table, first=game.turn)


def _stop_clocks(table: LoadedGame) -> None:
    """Add the turn that is not played any more to the thinking time of all seats."""
    action, game = table.action, table.game
    thought = deadlines.thinking_times(action.session, game, table.seats, action.now)
    for (seat, _), seconds in zip(table.seats, thought, strict=True):
        seat.thought = seconds


def _agree(table: LoadedGame, number: int, *, told: bool) -> None:
    """End the game if all offer a draw; otherwise tell the others that a seat does, unless they are `told`."""
    game = table.game
    playing = [seat for seat, _ in table.seats if seat.number in table.still_in()]
    if all(seat.offers_draw(game.turn) for seat in playing):
        _stop_clocks(table)
        finish(table, Result(tuple(seat.number for seat in playing), Reason.AGREED_DRAW))
        report(table, first=game.turn)
    elif not told:
        tell_others(table, number, game_letters.DrawOffered(number))


def _is_up(table: LoadedGame, seat: Seat, player: Player) -> bool:
    """Whether a seat's time and grace are over for good, after crediting what it is owed."""
    action, game = table.action, table.game
    stored_pauses.credit_mail(action.session, game, seat, player, action.now)
    if GameTerms.from_json(game.terms).show_ready:
        note_credits(table)
    deadlines.recompute_deadline(action.session, game, seat, player, action.now)
    if seat.grace_until is None or seat.grace_until > action.now:
        return False
    if not stored_pauses.spend_vacation(action.session, seat, player, deadlines.terms_of(game), action.now):
        return True
    deadlines.recompute_deadline(action.session, game, seat, player, action.now)
    return seat.grace_until <= action.now


def _overdue(table: LoadedGame, number: int) -> Consequence:
    """What follows for a seat whose time is up."""
    seat, terms = table.seats[number].seat, deadlines.terms_of(table.game)
    if not table.rules.may_abstain(table.position):
        return Consequence(terms.timeout)
    if seat.heard_turn == table.game.turn:
        return Consequence.MISS
    return terms.overdue(seat.misses)


def _time_out(table: LoadedGame, late: Sequence[int]) -> None:
    """Take seats whose time is up out of the game; if that is everyone, nobody wins."""
    if not late:
        return
    if set(late) >= table.still_in():
        first = table.game.turn
        finish(table, Result((), Reason.ABORTED))
        report(table, first)
        return
    for seat in late:
        if table.game.state == "running":
            leave(table, seat, Reason.TIMEOUT)
