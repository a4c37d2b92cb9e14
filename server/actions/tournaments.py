"""Actions in tournaments."""

from collections.abc import Callable

from pydantic import Field

from rules.limits import MOST_OPTIONS
from server.accounts import players
from server.actions.action import (
    Action,
    Actor,
    Arguments,
    Door,
    Line,
    NoArguments,
    Outcome,
    TournamentActor,
)
from server.actions.lobby import Option, written
from server.commands import account_words
from server.commands.word import Word
from server.interpretation.options import read_tournament
from server.outbound.letters.tournaments import TournamentSheet
from server.tournaments import progress, signup
from server.tournaments.rows import identity


class TournamentArguments(Arguments):
    """The tournament to make."""

    name: Line
    game_type: Line
    options: dict[str, Option | int] = Field(
        default={},
        max_length=3 * MOST_OPTIONS,
        description="Options of the tournament and of its game type, and terms of the games: "
        '`{"format": "swiss", "time": "1d"}`.',
    )


def _enter(here: TournamentActor, _: NoArguments) -> Outcome:
    context, player, number = here.context, here.player, here.tournament
    players.admit(context, player)
    avoided = signup.avoided(context.session, player, number)
    signup.enter(context, player, number)
    sentence = signup.entry_in_words(context, player, number)
    if avoided:
        sentence += f" Players that you have blocked also take part: {', '.join(avoided)}."
    return _sheet(here, sentence)


def _leave(here: TournamentActor, _: NoArguments) -> Outcome:
    tournament = signup.leave(here.context, here.player, here.tournament)
    return _sheet(here, f"You have left tournament {tournament.id}, {tournament.name}.")


def _start(here: TournamentActor, _: NoArguments) -> Outcome:
    tournament = progress.start(here.context, here.player, here.tournament)
    return _sheet(here, f"Tournament {tournament.id}, {tournament.name}, has started.")


def _cancel(here: TournamentActor, _: NoArguments) -> Outcome:
    tournament = signup.cancel(here.context, here.player, here.tournament)
    return _sheet(here, f"You have cancelled tournament {tournament.id}, {tournament.name}.")


def _sheet(here: TournamentActor, sentence: str) -> Outcome:
    """Return the outcome with the tournament below the sentence, as an email."""
    return Outcome(sentence, TournamentSheet(here.tournament, players.identity(here.player), sentence))


def _make(here: Actor, plan: TournamentArguments) -> Outcome:
    context, player = here.context, here.player
    players.admit(context, player)
    made = signup.make(context, player, plan.name, plan.game_type, written(plan.options))
    sentence = f"{made.name} is open for sign-up. To play in it yourself, join it like all others."
    sheet = TournamentSheet(identity(made), players.identity(player), sentence)
    return Outcome(sentence, sheet, tournament=identity(made))


def _read_make(text: str) -> dict[str, object]:
    name, game_type, options = read_tournament(text)
    return {"name": name, "game_type": game_type, "options": options}


def _in_tournament(
    word: Word, act: Callable[[TournamentActor, NoArguments], Outcome], what: str
) -> Action[TournamentActor, NoArguments]:
    return Action(word.word, word, NoArguments, act, what=what, shows_game=False)


JOIN = _in_tournament(account_words.JOIN, _enter, "take part in a tournament, or wait for a place")
LEAVE = _in_tournament(
    account_words.LEAVE, _leave, "leave a tournament; once it has started, you lose your running games in it"
)
START = _in_tournament(
    account_words.START,
    _start,
    "start your tournament with the players who have joined, before its sign-up ends",
)
CANCEL = _in_tournament(account_words.CANCEL, _cancel, "cancel your tournament before it starts")
MAKE = Action(
    "tournaments",
    account_words.TOURNAMENT,
    TournamentArguments,
    _make,
    read=_read_make,
    what="make a tournament",
    not_offered={Door.WEB: "the page /tournaments/new/GAME has its form"},
    shows_game=False,
)

ACTIONS = (JOIN, LEAVE, START, CANCEL)
"""The actions in an existing tournament; `MAKE` makes a new one."""
