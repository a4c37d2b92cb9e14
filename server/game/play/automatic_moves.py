"""Conditional moves and forced moves, which the server plays after a move within the same transaction."""

from dataclasses import replace
from itertools import islice
from typing import Any

from rules.errors import WrongMove
from rules.line import Line
from server.errors import BadRequest, Impossible
from server.game.clock import deadlines
from server.game.messages import messages
from server.game.play import conditional_moves
from server.game.play.conditional_moves import Ways
from server.game.play.loaded_game import LoadedGame, advance, report
from server.store.letters.game import Aside

_MOST_AT_ONCE = 200
"""The most turns that the server plays after a move in one transaction."""


def submit_and_follow_up(table: LoadedGame, seat: int, text: str, said: str, written: str) -> None:
    """Play the move `text` of `seat` and all automatic answers to it, and send each player one report.

    `said` is a message to the other players. `written` are conditional moves that the player gives along with
    the move, "" for none.
    """
    action, game, first = table.action, table.game, table.game.turn
    move = table.rules.parse(table.position, seat, text)
    late, playing = deadlines.is_late(table.seats[seat].seat, action.moment), table.still_in()
    deadlines.moved(action.session, game, *table.seats[seat], action.moment)
    advance(table, {seat: move})
    if written and game.state == "running":
        write(table, seat, written)
    asides = _answer(table, seat, table.rules.format(move))
    said = messages.keep(action, game, seat, said)
    # Players who are out of the game get no other email about it until it is over.
    confirm = playing - table.still_in() | ({seat} if late or written else set())
    report(table, first, said, seat, asides, confirm=confirm)


def write(table: LoadedGame, seat: int, text: str) -> list[str]:
    """Store the conditional moves of a seat in place of earlier ones; return their lines.

    Raises the errors of `read`.
    """
    ways = read(table, seat, text)
    conditional_moves.store_moves(table.action.sealer, table.seats[seat].seat, ways)
    return conditional_moves.write(ways)


def read(table: LoadedGame, seat: int, text: str) -> Ways:
    """Return the conditional moves in `text`, checked for a seat; () for "if off".

    Raises BadRequest if they cannot be read or played, and in games without conditional moves.
    """
    if conditional_moves.is_off(text):
        return ()
    check_possible(table, seat)
    return conditional_moves.read(table.rules, table.position, seat, text)


def check(table: LoadedGame, seat: int, move: str, written: str) -> None:
    """Raise BadRequest unless a seat can give the conditional moves in `written` along with the move `move`."""
    if table.rules.simultaneous:
        check_possible(table, seat)
    line: Line[Any, Any] = Line(table.rules, table.position, tuple(table.game.rolled or ())).then(move)
    if line.result is None and not conditional_moves.is_off(written):
        check_possible(replace(table, position=line.position), seat)
        conditional_moves.read(table.rules, line.position, seat, written)


def check_possible(table: LoadedGame, seat: int) -> None:
    """Raise BadRequest, with the reason, if a seat cannot give conditional moves now."""
    title = table.rules.title
    if table.rules.simultaneous:
        raise Impossible(
            f"In {title} everyone gives orders at the same time, so there is nothing to answer with “if”."
        )
    if table.game.rolled is not None:
        raise Impossible(
            f"In {title} there are no conditional moves: your dice are rolled after your opponent's move, "
            "so you cannot choose an answer before you see them."
        )
    if len(table.still_in()) > 2:
        raise Impossible("Conditional moves only work with two players; in this game others move in between.")
    if seat in table.rules.to_move(table.position):
        raise BadRequest("It is your turn: write your move first, with the “if” lines below it.")


def _answer(table: LoadedGame, seat: int, move: str) -> dict[int, Aside]:
    """Play the prepared answers to a move of `seat`, and the answers to those, until there are none left.

    Returns the additional lines of each seat's report.
    """
    asides = {place.number: Aside() for place, _ in table.seats}
    following: tuple[int, str] | None = (seat, move)
    for _ in range(_MOST_AT_ONCE):
        if following is None or table.game.state != "running":
            break
        following = _play_conditional_moves(table, *following, asides) or _play_forced_moves(table, asides)
    for place, _ in table.seats:
        asides[place.number].kept = conditional_moves.write(
            conditional_moves.load_moves(table.action.sealer, place)
        )
    return asides


def _play_conditional_moves(
    table: LoadedGame, mover: int, move: str, asides: dict[int, Aside]
) -> tuple[int, str] | None:
    """Play the conditional move that answers a move, and drop those that no longer apply.

    Returns the seat that answered and its move, None if there is no answer.
    """
    sealer = table.action.sealer
    for place, _ in table.seats:
        ways = conditional_moves.load_moves(sealer, place) if place.number != mover else ()
        if not ways:
            continue
        text, rest = conditional_moves.follow(ways, move)
        answer = _legal(table, place.number, text)
        conditional_moves.store_moves(sealer, place, () if answer is None else rest)
        if answer is not None:
            asides[place.number].answered.append(table.game.turn)
            return _play(table, place.number, answer)
        asides[place.number].dropped = conditional_moves.write(ways)
    return None


def _play_forced_moves(table: LoadedGame, asides: dict[int, Aside]) -> tuple[int, str] | None:
    """Play the only legal move of a player who has chosen automatic play of forced moves.

    Returns the seat and its move, None if nothing was played. Only in games with two players left.
    """
    if len(table.still_in()) > 2:
        return None
    (seat,) = table.rules.to_move(table.position)
    if not table.seats[seat].player.forced_moves:
        return None
    moves = list(islice(table.rules.moves(table.position, seat), 2))
    if len(moves) != 1:
        return None
    for aside in asides.values():
        aside.forced.append(table.game.turn)
    return _play(table, seat, moves[0])


def _play(table: LoadedGame, seat: int, move: Any) -> tuple[int, str]:
    """Play a move at the moment at which the turn began, and return the seat with the move."""
    deadlines.moved(table.action.session, table.game, *table.seats[seat], table.action.now)
    advance(table, {seat: move})
    return seat, table.rules.format(move)


def _legal(table: LoadedGame, seat: int, text: str | None) -> Any | None:
    """Return the parsed move; None if the seat is not to move, or the rules have changed meanwhile."""
    if text is None or seat not in table.rules.to_move(table.position):
        return None
    try:
        return table.rules.parse(table.position, seat, text)
    except WrongMove:
        return None
