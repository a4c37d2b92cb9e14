"""The game, seat, turn and board that an action is about, and the check that the player may act now."""

from dataclasses import dataclass, replace

from sqlmodel import Session

from rules.game import PASS
from server.errors import GameOver, LostTurn, NotRunning, NotYours, NotYourTurn, StaleReply, TakenBackTurn
from server.game.log import checksums, log, stored_entries
from server.game.play.loaded_game import LoadedGame, load_game
from server.store.db import locked, once
from server.store.letters.letter import About
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from server.store.statements import prepared_statements
from server.store.tokens import ReplyToken

_DIGITS = 4


def mark_before(session: Session, game: Game, turn: int) -> int:
    """Return a number from 1 to 65,535 that identifies the board before a turn; 0 for an invitation.

    After a restore, another turn may get the number of a lost one: the marks of the two boards differ. The mark
    comes from the position after the last turn, or from the start of the game, and not from the head of the
    log, which also changes with credits and pauses.
    """
    if turn == 0:
        return 0
    return once(session, "mark", (game.id, turn), lambda: _mark(session, log.id_of(game), turn))


def _mark(session: Session, number: int, turn: int) -> int:
    found = prepared_statements.BOARD(session, game=number, last=turn - 1).first()
    if found is None:
        return 0
    checksum, digest = found
    return int((checksum or digest)[:_DIGITS], 16) or 1


@dataclass(frozen=True)
class Target:
    """The game, seat and turn that an action is for.

    `mark` identifies the board that the player saw (see `mark_before`); 0 if it is unknown.
    """

    game: int
    seat: int
    turn: int
    mark: int = 0


def target_of(session: Session, game: Game, token: ReplyToken) -> Target:
    """Return the target of an email to a reply address. Seats may have changed since an invitation was sent."""
    seat = token.seat if token.turn else log.seat_of_asked(session, game, token.seat)
    return Target(token.game, seat, token.turn, token.mark)


def after_own_move(session: Session, game: Game, target: Target) -> Target:
    """Return the target of a reply that contains no move, such as a message.

    A player gets no further email between their move and their next turn. So if the reply answers the email
    that asked for the player's last move, the current turn is meant.
    """
    owing = session.get_one(Seat, (target.game, target.seat)).owes
    if game.state != "running" or owing or not 0 < target.turn < game.turn or _is_lost(session, game, target):
        return target
    since = [stored_entries.turn_of(game, entry) for entry in log.turns(session, game, target.turn)]
    own = [played.number for played in since if played.turn.texts().get(target.seat, PASS) != PASS]
    return replace(target, turn=game.turn, mark=0) if own == [target.turn] else target


def _is_lost(session: Session, game: Game, target: Target) -> bool:
    """Return whether the player saw a board that no longer exists, because the database was restored."""
    return bool(target.mark) and (
        target.turn > game.turn or target.mark != mark_before(session, game, target.turn)
    )


def letter_about(game: Game, seat: int) -> About:
    """Return the game and seat that a letter is about; before seats are drawn, the place among the invited."""
    number = log.id_of(game)
    return About(number, seat) if log.has_begun(game) else About(number, place=seat)


def lock_for_action(
    action: ActionContext, player: Player, target: Target, *, to_move: bool = True
) -> LoadedGame:
    """Return the locked game for an action, and record that the player was active in this turn.

    Raises Refused unless the player may act in it now.
    """
    game = locked(action.session, Game, target.game)
    table = check_may_act(action, player, target, game, to_move=to_move)
    checksums.check_last_entry(action.session, table.game)
    table.seats[target.seat].seat.heard_turn = table.game.turn
    return table


def check_may_act(
    action: ActionContext, player: Player, target: Target, game: Game | None, *, to_move: bool
) -> LoadedGame:
    """Return the loaded game for an action, which must be the game of `target`, or None if there is none.

    Raises Refused unless the player may act in it now; with `to_move`, it must be their turn.
    """
    if game is None:
        raise NotYours(f"There is no game {target.game}.")
    table = load_game(action, game)
    if target.seat >= len(table.seats) or table.seats[target.seat].player.id != player.id:
        raise NotYours(f"You do not have that seat in game {target.game}.")
    if game.state == "over":
        raise GameOver(f"Game {target.game} is over.")
    if game.state != "running":
        raise NotRunning(f"Game {target.game} has not started yet: not everyone has accepted.")
    if _is_lost(action.session, game, target):
        raise LostTurn(target.turn, game.turn)
    if target.turn != game.turn:
        taken_back = log.is_taken_back(action.session, game, target.turn)
        raise (TakenBackTurn if taken_back else StaleReply)(target.turn, game.turn)
    if to_move and target.seat not in table.rules.to_move(table.position):
        raise NotYourTurn(f"It is not your turn in game {target.game}. Nabu writes to you when it is.")
    if target.seat not in table.still_in():
        raise GameOver(f"You have left game {target.game}.")
    return table
