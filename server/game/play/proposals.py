"""Proposals of a player to the others, who all have to agree: a draw, or a takeback.

After a takeback the log keeps the turns that were taken back.
"""

from collections.abc import Callable
from dataclasses import dataclass

from rules.game import PASS
from rules.records.entries import Played
from rules.records.record import replay
from rules.records.turns import Left, Moved
from server.errors import Impossible
from server.game.clock import deadlines
from server.game.log import log, stored_entries
from server.game.log.log import Seated
from server.game.play import conditional_moves
from server.game.play.endings import stop_clocks
from server.game.play.loaded_game import (
    DRAW_OFFER,
    LoadedGame,
    agreed_draw,
    ask_others,
    finish,
    prepare_turn,
    report,
)
from server.game.terms.terms import RATED
from server.store.letters.game import Aside, Proposed, Undone


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A kind of proposal: its sentences and its rules."""

    name: str
    """Its name, which is also the command that makes the proposal or agrees to it."""
    words: str
    """What the player who makes it does: "offers a draw"."""
    to_agree: str
    """The verb of the players who agree: "accept"."""
    explanation: str
    """The sentences of the email to the others, above the command."""
    made: str
    """The confirmation as a headline."""
    waits: str
    """The rest of this confirmation; `{others}` stands for “your opponent agrees” or “all the others agree”."""
    confirmed: str
    """The confirmation in one sentence."""
    agreed: str
    """The confirmation if all have agreed."""
    buttons: tuple[str, str]
    """The labels of the buttons to make the proposal, and to agree to it."""
    make: Callable[[LoadedGame, int, int], None]
    """Store the proposal of a seat, or its agreement; the others answer from the turn of this number on."""
    settle: Callable[[LoadedGame, int, bool], None]
    """Carry it out if all agree; otherwise notify the others.

    The last argument is true if a report already contains the proposal: only draws come with a move.
    """


def _make_draw(table: LoadedGame, number: int, turn: int) -> None:
    """Offer a draw until the end of the next turn. Raises BadRequest if a computer player is in the game."""
    if any(player.computer for _, player in _playing(table)):
        raise Impossible("Computer players do not accept draws: play on, or resign.")
    table.seats[number].seat.propose(DRAW.name, turn + 1)


def _settle_draw(table: LoadedGame, number: int, is_reported: bool) -> None:
    """End the game if all players offer a draw."""
    agreed = agreed_draw(table)
    if agreed is not None:
        stop_clocks(table)
        finish(table, agreed)
        report(table, first=table.game.turn)
    elif not is_reported:
        ask_others(table, Proposed(by=number, proposal=DRAW.name))


def _ask_for_takeback(table: LoadedGame, number: int, _turn: int) -> None:
    """Ask for a takeback, or agree to one. Computer players always agree, except in rated games."""
    seat = table.seats[number].seat
    if TAKEBACK.name in seat.proposals:
        raise Impossible("You have already asked for a takeback.")
    asked = [other.proposals[TAKEBACK.name] for other, _ in table.seats if TAKEBACK.name in other.proposals]
    turn = asked[0] if asked else _last_move(table, number)
    if table.game.terms.get(RATED) == "on" and any(player.computer for _, player in _playing(table)):
        raise Impossible("This game is rated, so computer players do not accept takebacks.")
    seat.propose(TAKEBACK.name, turn)


def _settle_takeback(table: LoadedGame, number: int, _is_reported: bool) -> None:
    """Take back the move and everything played since if all players agree; otherwise notify the others once."""
    first = table.seats[number].seat.proposals[TAKEBACK.name]
    if all(player.computer or TAKEBACK.name in seat.proposals for seat, player in _playing(table)):
        _take_back(table, first)
    elif not any(TAKEBACK.name in seat.proposals for seat, _ in table.seats if seat.number != number):
        ask_others(table, Proposed(by=number, proposal=TAKEBACK.name, turn=first))


def _playing(table: LoadedGame) -> list[Seated]:
    return [seated for seated in table.seats if seated.seat.number in table.still_in()]


def _last_move(table: LoadedGame, number: int) -> int:
    """Return the turn of the last move that a seat chose. Raises BadRequest if it cannot be taken back."""
    title = table.rules.title
    if table.rules.simultaneous:
        raise Impossible(f"In {title} turns cannot be taken back: the secret orders have been revealed.")
    for entry in reversed(log.turns(table.action.session, table.game)):
        played = stored_entries.turn_of(table.game, entry)
        if isinstance(played.turn, Moved) and played.turn.dice:
            raise Impossible(
                f"In {title} moves cannot be taken back: the dice for the next turn have been shown."
            )
        if isinstance(played.turn, Left):
            raise Impossible("Someone has left the game since your last move, so it cannot be taken back.")
        if number in _chosen(played):
            return played.number
    raise Impossible("You have not moved yet, so there is nothing to take back.")


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
    asides = {}
    for place, _ in table.seats:
        dropped = conditional_moves.write(conditional_moves.load_moves(action.sealer, place))
        asides[place.number] = Aside(dropped=dropped)
        conditional_moves.store_moves(action.sealer, place, ())
    # Only a replay restores the history that the rules against repetition need.
    table.position = replay(log.record(action.session, game)).position
    prepare_turn(table)
    report(table, game.turn, asides=asides, undone=Undone(first, mover))


DRAW = Proposal(
    name=DRAW_OFFER,
    words="offers a draw",
    to_agree="accept",
    explanation="To accept, reply with the word below. Otherwise the offer ends with the next turn.",
    made="You have offered a draw.",
    waits="The offer is valid until the next turn is over. The game ends in a draw once {others}; until then "
    "it continues.",
    confirmed="Your draw offer is valid until the end of the next turn.",
    agreed="The draw has been agreed.",
    buttons=("Offer a draw", "Accept the draw"),
    make=_make_draw,
    settle=_settle_draw,
)
TAKEBACK = Proposal(
    name="takeback",
    words="asks for a takeback",
    to_agree="agree",
    explanation="To agree, reply with the word below; the board then returns to its state before that turn. "
    "Otherwise the request ends with the next move.",
    made="You have asked for a takeback.",
    waits="Your move is taken back once {others}. Until then the game continues; your request ends with the "
    "next move.",
    confirmed="You have asked for a takeback.",
    agreed="The move has been taken back.",
    buttons=("Ask for a takeback", "Agree to the takeback"),
    make=_ask_for_takeback,
    settle=_settle_takeback,
)
PROPOSALS = {proposal.name: proposal for proposal in (DRAW, TAKEBACK)}
"""All kinds of proposals by name."""
