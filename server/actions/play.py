"""Moves and other actions in a running game."""

from typing import Annotated

from pydantic import Field

from rules.limits import LONGEST_MOVE
from server.actions.action import Action, Arguments, Door, GameActor, Line, NoArguments, Outcome, Text
from server.commands import game_words
from server.commands.word import MOVE as MOVE_WORD
from server.game.play import moves
from server.game.views.game_view import GameView
from server.game.views.seats import SeatView
from server.limits import LONGEST_CONDITIONS
from server.outbound.letters.replies import Conditions, DrawNoted, UndoNoted
from server.outbound.letters.sources import Show
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
    game = moves.submit(
        here.context, here.player, here.target, move.move, move.say, move.conditions, draw=move.draw
    )
    sealed = game.turn == here.turn
    sentence = "Your orders are sealed." if sealed else f"Turn {here.turn} has been played."
    if move.draw and game.state == "running":
        return Outcome(sentence, DrawNoted())
    return Outcome(sentence, is_mailed=True)


def _set_conditions(here: GameActor, given: ConditionsArguments) -> Outcome:
    kept = moves.set_conditions(here.context, here.player, here.target, given.text)
    sentence = "Your conditional moves are saved." if kept else "You have no conditional moves in this game."
    return Outcome(sentence, Conditions(kept))


def _withdraw(here: GameActor, _: NoArguments) -> Outcome:
    moves.withdraw(here.context, here.player, here.target)
    return Outcome("Your orders have been withdrawn.", is_mailed=True)


def _offer_draw(here: GameActor, _: NoArguments) -> Outcome:
    if moves.offer_draw(here.context, here.player, here.target).state == "over":
        return Outcome("The draw has been agreed.", is_mailed=True)
    return Outcome("Your draw offer is valid until the end of the next turn.", DrawNoted())


def _take_back(here: GameActor, _: NoArguments) -> Outcome:
    if moves.undo(here.context, here.player, here.target).turn != here.turn:
        return Outcome("The move has been taken back.", is_mailed=True)
    return Outcome("The move will be taken back once all the others agree.", UndoNoted())


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
    return [seat for seat in view.seats if view.me is not None and seat.number != view.me.number]


def _draw_button(view: GameView) -> str:
    others = _others(view)
    if any(seat.computer for seat in others) or (view.me is not None and view.me.offers_draw):
        return ""
    return "Accept the draw" if any(seat.offers_draw for seat in others) else "Offer a draw"


def _takeback_button(view: GameView) -> str:
    if not view.may_undo:
        return ""
    asked = any(seat.asks_undo for seat in _others(view))
    return "Agree to the takeback" if asked else "Ask for a takeback"


MOVE = Action(
    name="move",
    word=MOVE_WORD,
    arguments=MoveArguments,
    act=_move,
    what="play a move, or seal orders, which replace earlier ones of the same turn",
    in_turn=True,
    not_offered={Door.WEB: "the board's form also takes places picked on the board"},
)
CONDITIONS = Action(
    name="conditions",
    word=game_words.IF,
    arguments=ConditionsArguments,
    act=_set_conditions,
    what="set your conditional moves; they replace earlier ones",
    in_turn=True,
    anchor="conditions",
)
WITHDRAW = Action(name="withdraw", word=game_words.WITHDRAW, arguments=NoArguments, act=_withdraw, in_turn=True)
DRAW = Action(
    name="draw",
    word=game_words.DRAW,
    arguments=NoArguments,
    act=_offer_draw,
    in_turn=True,
    button=_draw_button,
)
TAKEBACK = Action(
    name="takeback",
    word=game_words.TAKEBACK,
    arguments=NoArguments,
    act=_take_back,
    in_turn=True,
    button=_takeback_button,
)
CLAIM = Action(
    name="claim",
    word=game_words.CLAIM,
    arguments=NoArguments,
    act=_claim,
    what="claim the win from players whose time is up",
    in_turn=True,
    button=lambda view: "Claim the game" if any(seat.overdue for seat in _others(view)) else "",
)
GIVE = Action(
    name="give",
    word=game_words.GIVE,
    arguments=TimeArguments,
    act=_give_time,
    what="give the others more time for their move",
    in_turn=True,
    button=lambda view: "Give one more day" if any(seat.due for seat in _others(view)) else "",
)
RESIGN = Action(
    name="resign",
    word=game_words.RESIGN,
    arguments=NoArguments,
    act=_resign,
    in_turn=True,
    button=lambda view: "Resign",
    warning="You will leave this game for good. This cannot be undone.",
)

ACTIONS = (MOVE, CONDITIONS, WITHDRAW, DRAW, TAKEBACK, CLAIM, GIVE, RESIGN)
