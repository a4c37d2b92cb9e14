"""Actions that change a player's name or one of their preferences."""

from collections.abc import Callable
from typing import Any

from pydantic import Field

from server.actions.action import Action, Actor, Arguments, Door, Line, Outcome
from server.commands import player_names
from server.commands.account_words import NAME, WORD_OF
from server.errors import BadRequest
from server.game.preferences.preferences import CHOSEN, PREFERENCES, Preference
from server.outbound.letters.account import Confirmation

_ONE_FORM = {Door.WEB: "the page /settings has one form for all of them"}


class ValueArguments(Arguments):
    """The new value, as in the command of the same name."""

    value: Line = Field(default="", description="As in emails: `Europe/Berlin` for the time zone.")


def _rename(here: Actor, given: ValueArguments) -> Outcome:
    if not given.value:
        raise BadRequest("Write: name NAME, with the name you want others to call you.")
    player_names.rename(here.context.session, here.player, given.value)
    return Outcome(f"Your name is now {here.player.name}.")


def _choosing(preference: Preference) -> Callable[[Actor, ValueArguments], Outcome]:
    def act(here: Actor, given: ValueArguments) -> Outcome:
        sentence = preference.choose(here.context, here.player, given.value)
        return Outcome(sentence, Confirmation(sentence, page="/settings"))

    return act


RENAME = Action("settings/name", NAME, ValueArguments, _rename, shows_game=False, not_offered=_ONE_FORM)
CHOOSE = {
    each.name: Action(
        f"settings/{each.name}",
        WORD_OF[each.name],
        ValueArguments,
        _choosing(each),
        shows_game=False,
        not_offered=_ONE_FORM,
    )
    for each in PREFERENCES
}
"""The actions that choose a value of each preference, by its name."""
ACTIONS: tuple[Action[Actor, Any], ...] = (RENAME, *CHOOSE.values())
IN_REPLIES = tuple(CHOOSE[each.name] for each in CHOSEN)
"""Those that are also commands in a reply to a game's email."""
