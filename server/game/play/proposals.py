"""Proposals of a player to the others, who all have to agree: a draw, or a takeback."""

from collections.abc import Callable
from dataclasses import dataclass

from server.errors import BadRequest
from server.game.play import takeback
from server.game.play.endings import stop_clocks
from server.game.play.loaded_game import DRAW_OFFER, LoadedGame, agreed_draw, ask_others, finish, report
from server.store.letters.game import Proposed


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
    if any(player.computer for seat, player in table.seats if seat.number in table.still_in()):
        raise BadRequest("Computer players do not accept draws: play on, or resign.")
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
    name=takeback.NAME,
    words="asks for a takeback",
    to_agree="agree",
    explanation="To agree, reply with the word below; the board then returns to its state before that turn. "
    "Otherwise the request ends with the next move.",
    made="You have asked for a takeback.",
    waits="Your move is taken back once {others}. Until then the game continues; your request ends with the "
    "next move.",
    confirmed="The move will be taken back once all the others agree.",
    agreed="The move has been taken back.",
    buttons=("Ask for a takeback", "Agree to the takeback"),
    make=takeback.ask,
    settle=takeback.settle,
)
PROPOSALS = {proposal.name: proposal for proposal in (DRAW, TAKEBACK)}
"""All kinds of proposals by name."""
