"""Takebacks: one player asks, and all others must agree. The log keeps the undone turns and the takeback."""

from rules.game import PASS
from rules.records.entries import Played
from rules.records.record import replay
from rules.records.turns import Left, Moved
from server.errors import BadRequest
from server.game.clock import deadlines
from server.game.log import log, stored_entries
from server.game.log.log import Seated
from server.game.play import conditional_moves
from server.game.play.loaded_game import LoadedGame, ask_others, prepare_turn, report
from server.game.terms.terms import RATED
from server.store.letters.game import Aside, Proposed, Undone

NAME = "takeback"
"""The name of this proposal."""


def ask(table: LoadedGame, number: int, _turn: int) -> None:
    """Ask for a takeback of a seat's last move, or agree to another seat's request.

    Computer players always agree, except in rated games.
    """
    seat = table.seats[number].seat
    if NAME in seat.proposals:
        raise BadRequest("You have already asked. Your move will be taken back once all the others agree.")
    asked = [other.proposals[NAME] for other, _ in table.seats if NAME in other.proposals]
    turn = asked[0] if asked else _last_move(table, number)
    if table.game.terms.get(RATED) == "on" and any(player.computer for _, player in _playing(table)):
        raise BadRequest("This game is rated, so computer players do not accept takebacks.")
    seat.propose(NAME, turn)


def settle(table: LoadedGame, number: int, _is_reported: bool) -> None:
    """Take back the move and everything played since if all players agree; otherwise notify the others once."""
    first = table.seats[number].seat.proposals[NAME]
    if all(player.computer or NAME in seat.proposals for seat, player in _playing(table)):
        _take_back(table, first)
    elif not any(NAME in seat.proposals for seat, _ in table.seats if seat.number != number):
        ask_others(table, Proposed(by=number, proposal=NAME, turn=first))


def _playing(table: LoadedGame) -> list[Seated]:
    """Return the seats that are still in the game."""
    return [seated for seated in table.seats if seated.seat.number in table.still_in()]


def _last_move(table: LoadedGame, number: int) -> int:
    """Return the turn of the last move that a seat chose. Raises BadRequest if it cannot be taken back."""
    title = table.rules.title
    if table.rules.simultaneous:
        raise BadRequest(f"In {title} turns cannot be taken back: the secret orders have been revealed.")
    for entry in reversed(log.turns(table.action.session, table.game)):
        played = stored_entries.turn_of(table.game, entry)
        if isinstance(played.turn, Moved) and played.turn.dice:
            raise BadRequest(
                f"In {title} moves cannot be taken back: the dice for the next turn have been shown."
            )
        if isinstance(played.turn, Left):
            raise BadRequest("Someone has left the game since your last move, so it cannot be taken back.")
        if number in _chosen(played):
            return played.number
    raise BadRequest("You have not moved yet, so there is nothing to take back.")


def _chosen(played: Played) -> list[int]:
    """Return the seats that moved in a turn, without those for which the server wrote a forced pass."""
    return [seat for seat, text in played.turn.texts().items() if text != PASS]


def _take_back(table: LoadedGame, first: int) -> None:
    """Go back to the position before turn `first`, restart the clock of its mover, and report it."""
    action, game = table.action, table.game
    (mover,) = stored_entries.turn_of(game, log.turn(action.session, game, first)).turn.texts()
    for taken in log.take_back(action.session, game, first, mover, action.now):
        for seat in _chosen(stored_entries.turn_of(game, taken)):
            deadlines.unmoved(game, table.seats[seat].seat)
    asides = {place.number: Aside() for place, _ in table.seats}
    for place, _ in table.seats:
        asides[place.number].dropped = conditional_moves.write(
            conditional_moves.load_moves(action.sealer, place)
        )
        conditional_moves.store_moves(action.sealer, place, ())
    # Only a replay restores the history that the rules against repetition need.
    table.position = replay(log.record(action.session, game)).position
    prepare_turn(table)
    report(table, game.turn, asides=asides, undone=Undone(first, mover))
