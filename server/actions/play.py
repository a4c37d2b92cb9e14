"""Moves and other actions in a running game."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

from pydantic import Field

from rules.limits import LONGEST_MOVE
from server.actions.action import Action, Arguments, Door, GameActor, Line, NoArguments, Outcome, Text
from server.commands import game_words
from server.commands.word import MOVE as MOVE_WORD
from server.commands.word import Word
from server.game.play import moves
from server.game.play.proposals import DRAW as DRAW_OFFER
from server.game.play.proposals import TAKEBACK as TAKEBACK_REQUEST
from server.game.play.proposals import Proposal
from server.game.views.game_view import GameView
from server.game.views.seats import SeatView
from server.limits import LONGEST_CONDITIONS
from server.outbound.letters.game_parts import Show
from server.outbound.letters.replies import Conditions, ProposalNoted
from server.store.deferral import forget

_WITHOUT_NUL = r"^[^\x00]*$"
MoveText = Annotated[
    str,
    Field(
        max_length=LONGEST_MOVE,
        pattern=_WITHOUT_NUL,
        description="A move, or orders, in the notation of the game.",
    ),
]
ConditionsText = Annotated[str, Field(max_length=LONGEST_CONDITIONS, pattern=_WITHOUT_NUL)]


class MoveArguments(Arguments):
    """A move or orders, with a message, conditional moves and a draw offer."""

    move: MoveText
    conditions: ConditionsText = Field(default="", description="Conditional moves, one variation per line.")
    say: Text = Field(default="", description="A message to the other players.")
    draw: bool = Field(default=False, description="Whether to offer or accept a draw with this move.")


class ConditionsArguments(Arguments):
    """Conditional moves that replace earlier ones."""

    text: ConditionsText = Field(description="Lines such as `if c4 then d5`, or `if off` for none.")


class TimeArguments(Arguments):
    """More time for the players who have to move."""

    time: Line = Field(default="1d", description="Such as `1d`.")


def _move(here: GameActor, move: MoveArguments) -> Outcome:
    if here.door is Door.WEB:
        forget(here.context.session, here.context.sealer, here.own_seat)  # they see the page
    proposal = DRAW_OFFER if move.draw else None
    game = moves.submit(
        here.context, here.player, here.target, move.move, move.say, move.conditions, proposal=proposal
    )
    sealed = game.turn == here.turn
    sentence = "Your orders are sealed." if sealed else f"Turn {here.turn} has been played."
    if proposal and game.state == "running":
        return Outcome(sentence, ProposalNoted(proposal.name))
    return Outcome(sentence, is_mailed=True)


def _set_conditions(here: GameActor, given: ConditionsArguments) -> Outcome:
    kept = moves.set_conditions(here.context, here.player, here.target, given.text)
    sentence = "Your conditional moves are saved." if kept else "You have no conditional moves in this game."
    return Outcome(sentence, Conditions(kept))


def _withdraw(here: GameActor, _: NoArguments) -> Outcome:
    moves.withdraw(here.context, here.player, here.target)
    return Outcome("Your orders have been withdrawn.", is_mailed=True)


def _propose(proposal: Proposal, here: GameActor, _: NoArguments) -> Outcome:
    game = moves.propose(here.context, here.player, here.target, proposal)
    if game.state == "running" and proposal.name in here.own_seat.proposals:
        return Outcome(proposal.confirmed, ProposalNoted(proposal.name))
    return Outcome(proposal.agreed, is_mailed=True)


def _claim(here: GameActor, _: NoArguments) -> Outcome:
    moves.claim(here.context, here.player, here.target)
    return Outcome("You have claimed the game.", is_mailed=True)


def _give_time(here: GameActor, given: TimeArguments) -> Outcome:
    moves.give_time(here.context, here.player, here.target, given.time)
    return Outcome("You have given more time, and the others have been notified.", Show(given=True))


def _resign(here: GameActor, _: NoArguments) -> Outcome:
    moves.resign(here.context, here.player, here.target)
    return Outcome("You have resigned.", is_mailed=True)


def _others(view: GameView) -> list[SeatView]:
    return [
        seat for seat in view.seats if view.me is not None and seat.number != view.me.number and not seat.left
    ]


def _may_offer_draw(view: GameView) -> bool:
    has_offered = view.me is not None and DRAW_OFFER.name in view.me.proposals
    return not has_offered and not any(seat.computer for seat in _others(view))


def _proposing(
    proposal: Proposal, word: Word, is_possible: Callable[[GameView], bool]
) -> Action[GameActor, NoArguments]:
    def label(view: GameView) -> str:
        is_asked = any(proposal.name in seat.proposals for seat in _others(view))
        return proposal.buttons[is_asked] if is_possible(view) else ""

    act = partial(_propose, proposal)
    return Action(proposal.name, word, NoArguments, act, in_turn=True, button=label)


MOVE = Action(
    "move",
    MOVE_WORD,
    MoveArguments,
    _move,
    what="play a move, or seal orders, which replace earlier ones of the same turn",
    in_turn=True,
    not_offered={Door.WEB: "the board's form also takes places picked on the board"},
)
CONDITIONS = Action(
    "conditions",
    game_words.IF,
    ConditionsArguments,
    _set_conditions,
    what="set your conditional moves; they replace earlier ones",
    in_turn=True,
    anchor="conditions",
)
WITHDRAW = Action("withdraw", game_words.WITHDRAW, NoArguments, _withdraw, in_turn=True)
DRAW = _proposing(DRAW_OFFER, game_words.DRAW, _may_offer_draw)
TAKEBACK = _proposing(TAKEBACK_REQUEST, game_words.TAKEBACK, lambda view: view.may_undo)
CLAIM = Action(
    "claim",
    game_words.CLAIM,
    NoArguments,
    _claim,
    what="claim the win from players whose time is up",
    in_turn=True,
    button=lambda view: "Claim the game" if any(seat.overdue for seat in _others(view)) else "",
)
GIVE = Action(
    "give",
    game_words.GIVE,
    TimeArguments,
    _give_time,
    what="give the others more time for their move",
    in_turn=True,
    button=lambda view: "Give one more day" if any(seat.due for seat in _others(view)) else "",
)
RESIGN = Action(
    "resign",
    game_words.RESIGN,
    NoArguments,
    _resign,
    in_turn=True,
    button=lambda view: "Resign",
    warning="You will leave this game for good. This cannot be undone.",
)

WITH_A_MOVE = {"draw": game_words.DRAW}
"""The arguments of a move that are separate commands in an email."""
ACTIONS = (MOVE, CONDITIONS, WITHDRAW, DRAW, TAKEBACK, CLAIM, GIVE, RESIGN)
