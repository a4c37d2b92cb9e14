"""Actions that belong to no game yet: challenges and open games, blocking, watching."""

from collections.abc import Callable
from typing import Any

from pydantic import Field

from rules.limits import MOST_OPTIONS, MOST_SEATS
from server.accounts import players, relations
from server.actions.action import Action, Actor, Arguments, Door, Line, Outcome
from server.actions.lobby import Option, written
from server.commands import account_words
from server.commands.word import Word
from server.game.leaving import leave_everything
from server.game.lobby import challenges, entry_conditions, joining
from server.game.log import log
from server.game.spectators import watching
from server.interpretation.options import read_challenge, read_seek
from server.outbound.letters.account import Confirmation
from server.outbound.letters.lobby import OpenGame
from server.outbound.letters.replies import ChallengeSent
from server.store.letters.letter import About
from server.store.models import Player
from server.store.outbox import ActionContext


class SeekArguments(Arguments):
    """The game to open."""

    game_type: Line
    options: dict[str, Option | int] = Field(
        default={},
        max_length=2 * MOST_OPTIONS,
        description='Options of the game type, and terms, as in emails: `{"size": 5, "time": "1d"}`.',
    )


class ChallengeArguments(SeekArguments):
    """The game to propose to other players."""

    opponents: list[Line] = Field(max_length=MOST_SEATS, description="Their names or email addresses.")
    own_words: bool = Field(default=False, description="Whether the player gives words for luck of their own.")


class NameArguments(Arguments):
    """The name of a player."""

    name: Line


class WatchArguments(NameArguments):
    """A game or a player to watch."""

    name: Line = Field(default="", description="The number of a game, or the name of a player.")


def _challenge(here: Actor, proposed: ChallengeArguments) -> Outcome:
    context, player = here.context, here.player
    players.admit(context, player)
    others = [
        other
        for names in proposed.opponents
        for other in challenges.opponents(context, names, here.plain_address)
    ]
    options = written(proposed.options)
    game = challenges.challenge(
        context, player, others, proposed.game_type, options, own_words=proposed.own_words
    )
    if game.state == "running":
        return Outcome("The game starts.", is_mailed=True, game=game)
    sentence = "Your challenge is on its way. The game starts once everyone has accepted."
    return Outcome(sentence, ChallengeSent(""), About(log.id_of(game), place=0), game=game)


def _seek(here: Actor, wanted: SeekArguments) -> Outcome:
    players.admit(here.context, here.player)
    game = joining.seek(here.context, here.player, wanted.game_type, written(wanted.options))
    whom = entry_conditions.conditions_of(game).whom
    return Outcome(
        f"Your game is open to {whom}. It starts when all seats are taken.",
        OpenGame(log.id_of(game), players.identity(here.player)),
        game=game,
    )


def _read_challenge(text: str) -> dict[str, object]:
    who, game_type, options = read_challenge(text)
    return {"opponents": [who], "game_type": game_type, "options": options}


def _read_seek(text: str) -> dict[str, object]:
    game_type, options = read_seek(text)
    return {"game_type": game_type, "options": options}


def _changing(
    change: Callable[[ActionContext, Player, str], str], undo: Word | None = None
) -> Callable[[Actor, NameArguments], Outcome]:
    """Return a function that calls `change` with a name; its answer names the command `undo` to revert it."""

    def act(here: Actor, given: NameArguments) -> Outcome:
        sentence, about = change(here.context, here.player, given.name), given.name.strip().lstrip("#")
        advice = f" To undo it: {undo.word} {about}" if undo and about else ""
        return Outcome(sentence, Confirmation(sentence + advice))

    return act


CHALLENGE = Action(
    name="challenge",
    word=account_words.CHALLENGE,
    arguments=ChallengeArguments,
    act=_challenge,
    read=_read_challenge,
    what="challenge players, by their names or email addresses, or a computer player",
    not_offered={Door.WEB: "the page /games/new/GAME has its form"},
)
SEEK = Action(
    name="seek",
    word=account_words.SEEK,
    arguments=SeekArguments,
    act=_seek,
    read=_read_seek,
    what="open a game that others can join",
    not_offered={Door.WEB: "the page /games/new/GAME has its form"},
)
BLOCK = Action(
    name="block",
    word=account_words.BLOCK,
    arguments=NameArguments,
    act=_changing(leave_everything.block, account_words.UNBLOCK),
    shows_game=False,
    anchor="kept-away",
)
UNBLOCK = Action(
    name="unblock",
    word=account_words.UNBLOCK,
    arguments=NameArguments,
    act=_changing(relations.unblock),
    what="unblock a player",
    shows_game=False,
    anchor="kept-away",
)
IGNORE = Action(
    name="ignore",
    word=account_words.IGNORE,
    arguments=NameArguments,
    act=_changing(relations.ignore, account_words.UNIGNORE),
    shows_game=False,
    anchor="kept-away",
)
UNIGNORE = Action(
    name="unignore",
    word=account_words.UNIGNORE,
    arguments=NameArguments,
    act=_changing(relations.unignore),
    what="stop ignoring a player",
    shows_game=False,
    anchor="kept-away",
)
WATCH = Action(
    name="watch",
    word=account_words.WATCH,
    arguments=WatchArguments,
    act=_changing(watching.watch, account_words.UNWATCH),
    what="get an email after each turn of a game, by its number, or whenever a game of a player ends",
    shows_game=False,
)
UNWATCH = Action(
    name="unwatch",
    word=account_words.UNWATCH,
    arguments=WatchArguments,
    act=_changing(watching.unwatch),
    what="stop watching a game or a player; `all` for all of them",
    shows_game=False,
)

WATCHING = (WATCH, UNWATCH)
ACTIONS: tuple[Action[Actor, Any], ...] = (CHALLENGE, SEEK, BLOCK, UNBLOCK, IGNORE, UNIGNORE, WATCH, UNWATCH)
