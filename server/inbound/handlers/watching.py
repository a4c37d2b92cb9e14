"""The handlers of the commands of spectators."""

import re

from server.accounts.players import identity
from server.actions import messages
from server.actions.computer import ANALYSE
from server.commands.account_words import ANALYSE_A_GAME, REPORT_A_SPECTATOR, SAY_TO_SPECTATORS
from server.errors import BadRequest
from server.game.log import visibility
from server.game.spectators import chat
from server.inbound.authorization.yes_replies import watched_game
from server.inbound.handlers.registry import Handlers
from server.inbound.request import AccountMail

HANDLERS = Handlers[AccountMail]()

_GAME = re.compile(r"#?([0-9]{1,15})(?:[\s:,]+|$)")


@HANDLERS.handles(SAY_TO_SPECTATORS)
def _say(mail: AccountMail, argument: str) -> None:
    number, text = _game(mail, argument)
    actor = mail.actor_in_game(number, chat.none_to_watch(number))
    mail.confirm(messages.SAY_TO_SPECTATORS.carry_out(actor, {"text": text}))


@HANDLERS.handles(REPORT_A_SPECTATOR)
def _report(mail: AccountMail, argument: str) -> None:
    number, why = _game(mail, argument)
    actor = mail.actor_in_game(number, chat.none_to_report(number))
    mail.confirm(messages.REPORT_SPECTATOR.carry_out(actor, {"why": why}))


@HANDLERS.handles(ANALYSE_A_GAME)
def _assess(mail: AccountMail, number: str) -> None:
    """Analyse a game of the writer's, or any that they may see."""
    if not number:
        raise BadRequest("Say which game, by its number, for example: analyse 12")
    missing = BadRequest(f"There is no game {number}.")
    if visibility.visible_game(mail.action.session, int(number), identity(mail.player)) is None:
        raise missing
    mail.confirm(ANALYSE.carry_out(mail.actor_in_game(int(number), missing), {}))


def split_game(argument: str) -> tuple[int | None, str]:
    """Split a text such as "12 hello" into the number of a game (None if there is none) and the rest."""
    found = _GAME.match(argument)
    return (int(found[1]), argument[found.end() :]) if found else (None, argument)


def _game(mail: AccountMail, argument: str) -> tuple[int, str]:
    """Return the game that an email names, or whose email it answers, and the rest of the text."""
    watched, (number, text) = watched_game(mail.action, mail.reading), split_game(argument)
    if watched is not None and number != watched:
        return watched, argument
    if number is None:
        raise BadRequest("Add the number of the game, for example: say 12 What a move!")
    return number, text
