"""Taking moves back: one player asks, all others agree. The log keeps what was taken back, and who asked."""

from rules.game import PASS
from rules.records.record import replay
from server.errors import BadRequest
from server.game import conditions, log, timing
from server.game.table import Table, prepare_turn, report, tell_others
from server.store.letters.game import Aside, UndoAsked, Undone
from server.store.models import Entry


def undo(table: Table, number: int) -> None:
    """Ask for the last move of a seat to be taken back, or agree to what another seat asks.

    When all agree it is taken back at once, with all that was played since. The computer always agrees.
    """
    seat = table.seats[number][0]
    if seat.undo_of is not None:
        raise BadRequest("You have said so already; your move is taken back when all others agree.")
    asked = [other.undo_of for other, _ in table.seats if other.undo_of is not None]
    move = log.turn(table.action.session, table.game, asked[0]) if asked else _last_move(table, number)
    seat.undo_of = move.turn
    playing = [(place, player) for place, player in table.seats if place.number in table.still_in()]
    if not all(player.computer or place.undo_of == move.turn for place, player in playing):
        if not asked:
            tell_others(table, number, UndoAsked(by=number, turn=move.turn or 0))
        return
    _take_back(table, move)


def _last_move(table: Table, number: int) -> Entry:
    """The last move that a seat chose itself. Raises BadRequest where it cannot be taken back."""
    title = table.rules.title
    if table.rules.simultaneous:
        raise BadRequest(f"In {title} no turn is taken back: what was secret has been told.")
    for entry in reversed(log.turns(table.action.session, table.game)):
        if "dice" in entry.line:
            raise BadRequest(f"In {title} no move is taken back: the dice of the next turn have been shown.")
        if "leave" in entry.line:
            raise BadRequest("Somebody has left the game since your last move, so it cannot be taken back.")
        if entry.line["seat"] == number and _is_chosen(entry):
            return entry
    raise BadRequest("You have not moved yet: there is nothing to take back.")


def _is_chosen(entry: Entry) -> bool:
    """Whether a turn was a move, and not a pass that the server wrote."""
    return bool(entry.line["move"] != PASS)


def _take_back(table: Table, move: Entry) -> None:
    """Go back to the position before a move, and tell everybody; the clock of who made it runs anew."""
    action, game, first, mover = table.action, table.game, move.turn or 0, move.line["seat"]
    for taken in log.take_back(action.session, game, first, mover, action.now):
        if _is_chosen(taken):
            timing.unmoved(game, table.seats[taken.line["seat"]][0])
    asides = {place.number: Aside() for place, _ in table.seats}
    for place, _ in table.seats:
        asides[place.number].dropped = conditions.write(conditions.kept(action.sealer, place))
        conditions.keep(action.sealer, place, ())
    # Only a replay knows what the guards against repetition remembered then.
    table.position = replay(log.record(action.session, game)).position
    prepare_turn(table)
    report(table, game.turn, asides=asides, undone=Undone(first, mover))
