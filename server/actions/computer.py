"""Requests for a hint or an analysis by the computer; the answer comes later."""

from server.actions.action import Action, GameActor, NoArguments, Outcome
from server.commands import game_words
from server.game.computer import inquiries
from server.game.log import log
from server.outbound.letters.hints_and_analysis import GameAssessed, Hinted
from server.store.letters.letter import About


def _hint(here: GameActor, _: NoArguments) -> Outcome:
    hint = inquiries.ask_hint(here.context, here.player, here.target, by_mail=here.by_email)
    if hint is None:
        return Outcome("The computer is thinking about your move.", is_mailed=True)
    position = log.rules_of(here.game).write(log.position_of(here.game))
    return Outcome(f"The computer would play {hint.best.move}.", Hinted(hint.to_json(), position, here.turn))


def _analyse(here: GameActor, _: NoArguments) -> Outcome:
    found = inquiries.ask_assessment(here.context, here.player, here.game, here.seat, by_mail=here.by_email)
    if found is None:
        return Outcome("The computer is analysing the game.", is_mailed=True)
    return Outcome("The computer has analysed the game.", GameAssessed(), About(here.number, here.seat))


HINT = Action("hint", game_words.HINT, NoArguments, _hint, in_turn=True, anchor="hint")
ANALYSE = Action("analyse", game_words.ANALYSE, NoArguments, _analyse, for_spectators=True, anchor="course")

ACTIONS = (HINT, ANALYSE)
