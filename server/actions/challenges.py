"""Actions that start a game: challenges and open games."""

from typing import Any

from pydantic import Field

from rules.limits import MOST_OPTIONS, MOST_SEATS
from server.accounts import players
from server.actions.action import Action, Actor, Arguments, Door, Line, Outcome
from server.actions.lobby import Option, written
from server.commands import account_words
from server.game.lobby import challenges, entry_conditions, joining
from server.game.log import log
from server.interpretation.options import read_challenge, read_seek
from server.outbound.letters.lobby import OpenGame
from server.outbound.letters.replies import ChallengeSent
from server.store.letters.letter import About


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
    own_words: bool = Field(default=False, description="Whether the player gives their own words for luck.")


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
    sentence = "Your challenge is on its way."
    return Outcome(sentence, ChallengeSent(""), About(log.id_of(game), place=0), game=game)


def _seek(here: Actor, wanted: SeekArguments) -> Outcome:
    players.admit(here.context, here.player)
    game = joining.seek(here.context, here.player, wanted.game_type, written(wanted.options))
    whom = entry_conditions.conditions_of(game).open_to
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


CHALLENGE = Action(
    "challenge",
    account_words.CHALLENGE,
    ChallengeArguments,
    _challenge,
    read=_read_challenge,
    what="challenge players, by their names or email addresses, or a computer player",
    not_offered={Door.WEB: "the page /games/new/GAME has its form"},
)
SEEK = Action(
    "seek",
    account_words.SEEK,
    SeekArguments,
    _seek,
    read=_read_seek,
    what="open a game that others can join",
    not_offered={Door.WEB: "the page /games/new/GAME has its form"},
)

ACTIONS: tuple[Action[Actor, Any], ...] = (CHALLENGE, SEEK)
