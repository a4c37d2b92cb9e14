"""Actions about invitations, counter-offers, open games, rematches and series."""

from typing import Annotated

from pydantic import Field

from rules.limits import LONGEST_OPTION, MOST_OPTIONS
from server.accounts import players
from server.actions.action import Action, Arguments, Door, GameActor, Line, NoArguments, Outcome
from server.commands import account_words, game_words
from server.errors import BadRequest
from server.game.lobby import (
    challenges,
    counter_offers,
    early_start,
    joining,
    next_in_series,
    rematch,
    upkeep,
)
from server.game.log import log
from server.game.play.proposals import PROPOSALS
from server.game.views.waiting import proposed_to
from server.interpretation.options import read_counter
from server.outbound.letters.account import Confirmation
from server.outbound.letters.lobby import OpenGame
from server.outbound.letters.replies import ChallengeSent, DeclinedByYou
from server.store.letters.letter import About
from server.store.models import Game

_BEGINS = "The game starts."
Option = Annotated[str, Field(max_length=LONGEST_OPTION, pattern=r"^[^\x00]*$")]


class LuckArguments(Arguments):
    """Words for luck, mixed into all random draws."""

    luck: Line = Field(default="", description="The player's own words; empty for none.")


class CounterArguments(Arguments):
    """New terms for an invitation; terms that are not named stay the same."""

    options: dict[str, Option | int] = Field(
        default={}, max_length=2 * MOST_OPTIONS, description='As in emails: `{"size": 5, "time": "1d"}`.'
    )
    own_words: bool = Field(default=False, description="Whether the player gives their own words for luck.")


def _offers(here: GameActor) -> list[str]:
    """Return the proposals in a running game that the player can answer, such as “draw”."""
    if here.seat is None:
        return []
    seats = [seat for seat, _ in log.seats(here.context.session, here.game)]
    asked = proposed_to(here.game, seats[here.seat], [seat for seat in seats if seat.number != here.seat])
    return [name for name, each in PROPOSALS.items() if each.words in asked]


def _accept(here: GameActor, given: LuckArguments) -> Outcome:
    if offers := _offers(here):
        raise BadRequest(f"To accept the {offers[0]}, write: {offers[0]}")
    game = challenges.accept(here.context, here.player, here.number, given.luck)
    begun = game.state == "running"
    return Outcome(
        _BEGINS if begun else "You have accepted; the others have not all answered yet.", is_mailed=True
    )


def _decline(here: GameActor, _: NoArguments) -> Outcome:
    if _offers(here):
        raise BadRequest("To decline the offer, just play on: it ends with the next move.")
    challenges.decline(here.context, here.player, here.number)
    place = challenges.seat_of(here.context.session, here.game, here.player)
    about = About(here.number, place=place)
    return Outcome(f"Game {here.number} will not be played.", DeclinedByYou(), about)


def _counter(here: GameActor, given: CounterArguments) -> Outcome:
    game = counter_offers.counter(
        here.context, here.player, here.number, written(given.options), own_words=given.own_words
    )
    sentence = "Your proposal is on its way."
    return Outcome(sentence, ChallengeSent(""), About(log.id_of(game), place=0), game=game)


def _give_luck(here: GameActor, given: LuckArguments) -> Outcome:
    game = challenges.give_words(here.context, here.player, here.number, given.luck)
    return Outcome(
        _BEGINS if game.state == "running" else "Your words for luck will be mixed in.", is_mailed=True
    )


def _join(here: GameActor, given: LuckArguments) -> Outcome:
    before = here.number in joining.joined(here.context.session, here.player)
    game = joining.join(here.context, here.player, here.number, given.luck)
    if game.state != "open":
        return Outcome(_BEGINS, is_mailed=True)
    joined = "You have joined. The game starts when all seats are taken."
    return Outcome("Your words for luck will be mixed in." if before else joined, _open_game(here, game))


def _start(here: GameActor, _: NoArguments) -> Outcome:
    game = early_start.start(here.context, here.player, here.number)
    if game.state != "open":
        return Outcome(_BEGINS, is_mailed=True)
    return Outcome("You have agreed. The game starts once all the others have.", _open_game(here, game))


def _leave(here: GameActor, _: NoArguments) -> Outcome:
    game = upkeep.leave(here.context, here.player, here.number)
    if log.has_begun(game):
        sentence = f"Games like game {game.id} are no longer offered. Games that have started continue."
        return Outcome(sentence, about=About(here.number))
    about, sentence = About(here.number), f"You have left game {game.id}; it"
    if game.state == "closed":
        sentence = f"{sentence} is no longer open."
        return Outcome(sentence, Confirmation(sentence, page="/lobby"), about)
    return Outcome(f"{sentence} stays open without you.", about=about)


def _rematch(here: GameActor, _: NoArguments) -> Outcome:
    game = rematch.again(here.context, here.player, here.target.game)
    if game.state == "running":
        return Outcome("The rematch starts.", is_mailed=True, game=game)
    if game.asked[0] != here.player.id:
        return Outcome("You have accepted; the others have not all answered yet.", is_mailed=True, game=game)
    about = About(log.id_of(game), place=0)
    return Outcome("Your challenge is on its way.", ChallengeSent(""), about, game=game)


def _end_series(here: GameActor, _: NoArguments) -> Outcome:
    last = next_in_series.end(here.context, here.player, here.number)
    return Outcome(f"The series ends with game {last.id}: no further game follows.")


def _read_off(text: str) -> dict[str, object]:
    """Check that the text after “series” is “off”. Raises BadRequest otherwise."""
    if text.lower() != "off":
        raise BadRequest("To end a series after this game, write: series off")
    return {}


def _open_game(here: GameActor, game: Game) -> OpenGame:
    return OpenGame(log.id_of(game), players.identity(here.player))


def written(options: dict[str, str | int]) -> dict[str, object]:
    """Return options from JSON as the texts that people write: 8 becomes "8"."""
    return {name: str(value) for name, value in options.items()}


ACCEPT = Action("accept", game_words.ACCEPT, LuckArguments, _accept, for_spectators=True)
DECLINE = Action("decline", game_words.DECLINE, NoArguments, _decline, for_spectators=True, shows_game=False)
COUNTER = Action(
    "counter",
    game_words.COUNTER,
    CounterArguments,
    _counter,
    for_spectators=True,
    what="propose new terms for an invitation; terms that are not named stay the same",
    read=lambda text: {"options": read_counter(text)[1]},
    not_offered={Door.WEB: "the page /games/NUMBER/counter has its form"},
)
LUCK = Action(
    "luck",
    game_words.LUCK,
    LuckArguments,
    _give_luck,
    not_offered={Door.WEB: "the words are a field of “accept”", Door.API: "they go along with “accept”"},
)
JOIN = Action("join", account_words.JOIN, LuckArguments, _join, for_spectators=True)
START = Action("start", account_words.START, NoArguments, _start, for_spectators=True)
LEAVE = Action("leave", account_words.LEAVE, NoArguments, _leave, for_spectators=True, shows_game=False)
REMATCH = Action("rematch", game_words.REMATCH, NoArguments, _rematch)
END_SERIES = Action("end-series", game_words.SERIES, NoArguments, _end_series, read=_read_off)

ACTIONS = (ACCEPT, DECLINE, COUNTER, LUCK, JOIN, START, LEAVE, REMATCH, END_SERIES)
