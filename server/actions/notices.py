"""How a player is told what happens in a game: by email, in another service, or not for a while."""

from pydantic import Field

from server.actions.action import Action, Arguments, Door, GameVisitor, Line, NoArguments, Outcome
from server.commands import vocabulary
from server.game.notifications import channels
from server.game.preferences import preferences
from server.game.spectators import watching


class MuteArguments(Arguments):
    """How long."""

    time: Line = Field(default="", description="As in `5d`; `off` for email again.")


class NotifyArguments(Arguments):
    """Where."""

    where: Line = Field(default="", description="An address of one of the services; `off` for none.")


def _mute(here: GameVisitor, wish: MuteArguments) -> Outcome:
    return Outcome(preferences.mute(here.context, here.game, here.own_seat, here.player, wish.time))


def _notify(here: GameVisitor, wish: NotifyArguments) -> Outcome:
    return Outcome(channels.choose(here.context, here.own_seat, wish.where))


def _watch(here: GameVisitor, _: NoArguments) -> Outcome:
    return Outcome(watching.watch(here.context, here.player, str(here.number)))


def _unwatch(here: GameVisitor, _: NoArguments) -> Outcome:
    return Outcome(watching.unwatch(here.context, here.player, str(here.number)))


_WATCHING = {
    Door.EMAIL: "the command is for players, too",
    Door.WEB: "the form of the page /watching is for players, too",
}
MUTE = Action(
    name="mute",
    word=vocabulary.MUTE,
    arguments=MuteArguments,
    act=_mute,
    what="get no email about this game for a while",
    anchor="mail",
)
NOTIFY = Action(name="notify", word=vocabulary.NOTIFY, arguments=NotifyArguments, act=_notify, anchor="mail")
WATCH = Action(
    name="watch",
    word=vocabulary.WATCH,
    arguments=NoArguments,
    act=_watch,
    what="get an email after each turn of a game that others play",
    for_spectators=True,
    not_offered=_WATCHING,
)
UNWATCH = Action(
    name="unwatch",
    word=vocabulary.UNWATCH,
    arguments=NoArguments,
    act=_unwatch,
    what="get no more email about a game that others play",
    for_spectators=True,
    not_offered=_WATCHING,
)

ACTIONS = (MUTE, NOTIFY, WATCH, UNWATCH)
