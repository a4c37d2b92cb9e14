"""Actions about notifications from a game: by email, in another service, or none for a while."""

from pydantic import Field

from server.actions.action import Action, Arguments, GameActor, Line, Outcome
from server.commands import game_words
from server.game.notifications import channels
from server.game.preferences import preferences


class MuteArguments(Arguments):
    """The length of time to mute a game, such as "3d"."""

    time: Line = Field(default="", description="Such as `5d`; `off` to get emails again.")


class NotifyArguments(Arguments):
    """An address of a notification service."""

    where: Line = Field(default="", description="An address of one of the services; `off` for none.")


def _mute(here: GameActor, wish: MuteArguments) -> Outcome:
    return Outcome(preferences.mute(here.context, here.game, here.own_seat, here.player, wish.time))


def _notify(here: GameActor, wish: NotifyArguments) -> Outcome:
    return Outcome(channels.choose(here.context, here.own_seat, wish.where))


MUTE = Action(
    "mute",
    game_words.MUTE,
    MuteArguments,
    _mute,
    what="get no email about this game for a while",
    anchor="mail",
)
NOTIFY = Action("notify", game_words.NOTIFY, NotifyArguments, _notify, anchor="mail")
ACTIONS = (MUTE, NOTIFY)
