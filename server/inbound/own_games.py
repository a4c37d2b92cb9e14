"""The games of the player who wrote an email, and the choice of the game that a line is about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlmodel import Session

from rules.sentences import listed, quoted
from server.accounts import players
from server.commands.game_numbers import NumberedGames, split_number
from server.commands.parser import Command
from server.commands.vocabulary import ABOUT_A_GAME
from server.commands.word import MOVE, When, Word
from server.errors import BadRequest, NotYours, Refused, Unclear
from server.game.lobby import challenges
from server.game.log import log
from server.game.log.display_names import called
from server.interpretation.doubts import NONE, PossibleMoves
from server.interpretation.nearest import moves_like
from server.interpretation.reply_checks import moves_in
from server.store.models import Game, Player, Seat

_MOST = 20
"""The most games in which a move without a number is looked for."""
_MOST_LIKE = 5
"""The most games in which moves are looked for that a line without a number may mean."""
_NAMED = 5
"""The most games in a refusal that asks for the number of the game."""


@dataclass(frozen=True)
class OwnGames:
    """The games that the writer of an email can name by number; a stranger has none."""

    session: Session
    player: Player | None

    def for_reading(self, *, plain: bool) -> NumberedGames:
        """Return the games as the parser of commands needs them.

        `plain` is true if the email is not a reply about a game.
        """
        return NumberedGames(ABOUT_A_GAME, lambda number: self.seat(number) is not None, self.reads, plain)

    def seat(self, number: int) -> Seat | None:
        """Return the player's seat in a game; None if they have none."""
        if self.player is None:
            return None
        game = self.session.get(Game, number)
        place = None if game is None else challenges.seat_of(self.session, game, self.player)
        return None if place is None else self.session.get_one(Seat, (number, place))

    def described(self, number: int) -> str:
        """Return number, title and opponents of one of the player's games: "87, Nibble with Ben"."""
        return f"{number}, {self._described(self.session.get_one(Game, number))}"

    def is_titled(self, number: int, text: str) -> bool:
        """Return True if a text contains rules and number of one of the player's games: "Nibble 87"."""
        if self.seat(number) is None:
            return False
        title = log.rules_of(self.session.get_one(Game, number)).title
        return f"{title} {number}".casefold() in " ".join(text.split()).casefold()

    def reads(self, number: int, text: str) -> bool:
        """Return True if a text is written like a move of game `number`, legal or not."""
        return self._moves(number).reads(text)

    def reads_anywhere(self, text: str) -> bool:
        """Return True if a text is written like a move in one of the player's running games."""
        return any(self.reads(log.id_of(game), text) for game in self._running)

    def game_of(self, command: Command) -> int:
        """Return the number of the game that a command is about: the one it names, else the only one possible.

        Raises Refused for a game that is not the player's, and Unclear if several are possible.
        """
        if self.player is None:
            raise BadRequest("You are not a player yet. To become one, write: register NAME")
        if command.game is not None:
            self._check_number(command, command.game)
            return command.game
        fitting = self._fitting(command)
        named = split_number(command.argument) if command.word is MOVE else None
        if named is not None and self.reads(named.game, named.text):
            whole = [f"#{log.id_of(game)} {command.argument}" for game in fitting[:_NAMED]]
            raise self._two_readings(command.argument, [f"#{named.game} {named.text}", *whole])
        if len(fitting) == 1:
            return log.id_of(fitting[0])
        raise self._which(command, fitting)

    def wrong_number(self, number: int, text: str) -> str:
        """Return the problem with a line that names game `number`, to follow the line: "is not a command …"."""
        seat = self.seat(number)
        if seat is None:
            return f"is not a command, and you have no game {number}. For a list of your games, write: games"
        game = self.session.get_one(Game, number)
        return f"is neither a move nor a command in game {number}, {self._described(game)}: {quoted(text)}"

    def moves_like(self, line: str) -> list[str]:
        """Return legal moves with the number of their game: `87 c4` for “87 to C4”, or for “to C4” in game 87.

        Without a number, the line must contain a digit, as places do, and all games are looked at in which it
        is the player's turn.
        """
        named = split_number(line)
        if named is not None and (seat := self.seat(named.game)) is not None:
            games = [(self.session.get_one(Game, named.game), seat.number, named.text)]
        elif re.search(r"\d", line) and self.player is not None:
            waiting = challenges.games_of(self.session, self.player, ("running",), _MOST)
            games = [(game, seat.number, line) for game, seat in waiting if seat.owes]
        else:
            games = []
        return [
            f"{log.id_of(game)} {move}"
            for game, seat_number, text in games[:_MOST_LIKE]
            if game.state == "running"
            for move in moves_like(log.rules_of(game), log.position_of(game), seat_number, text)
        ]

    def _moves(self, number: int) -> PossibleMoves:
        if number not in self._known:
            seat = self.seat(number)
            game = self.session.get_one(Game, number) if seat is not None else None
            self._known[number] = NONE if game is None or seat is None else moves_in(game, seat.number)
        return self._known[number]

    @cached_property
    def _known(self) -> dict[int, PossibleMoves]:
        return {}

    @cached_property
    def _running(self) -> Sequence[Game]:
        return self._in_state("running")

    def _in_state(self, state: str) -> list[Game]:
        if self.player is None:
            return []
        return [game for game, _ in challenges.games_of(self.session, self.player, (state,), _MOST)]

    def _check_number(self, command: Command, number: int) -> None:
        """Raise Refused if the game is not the player's, or if the number may belong to the move."""
        if self.seat(number) is None:
            raise NotYours(
                f"You have no seat in game {number}. For a list of your games, write: games. To watch a game "
                f"of other players, write: watch {number}"
            )
        for whole in (f"{number} {command.argument}", f"{command.argument} {number}") if command.bare else ():
            others = [log.id_of(game) for game in self._running if self.reads(log.id_of(game), whole)]
            if others:
                raise self._two_readings(whole, [str(command), *(f"#{other} {whole}" for other in others)])

    def _two_readings(self, text: str, choices: Sequence[str]) -> Unclear:
        """Return the refusal of a line whose number may name a game or be a part of the move."""
        return Unclear(
            f"The number in {quoted(text)} may be the number of a game or a part of the move. "
            "Write the number of the game with “#” before the move.",
            choices,
        )

    def _fitting(self, command: Command) -> list[Game]:
        """Return the games in which a command without a number makes sense."""
        if command.word is MOVE:
            return [game for game in self._running if self.reads(log.id_of(game), command.argument)]
        return self._in_state(_state(command.word))

    def _which(self, command: Command, games: Sequence[Game]) -> Refused:
        """Return the refusal that asks for the number of the game."""
        what = command.argument if command.word is MOVE else str(command.word)
        if not games:
            state = _IN_WORDS[_state(command.word)]
            return BadRequest(f"{quoted(what)} is for a game, and you have none {state}.")
        named = listed([f"{log.id_of(game)} ({self._described(game)})" for game in games[:_NAMED]])
        more = " You have more: write “games” for a list." if len(games) > _NAMED else ""
        return Unclear(
            f"Add the number of the game for {quoted(what)}: {named}.{more}",
            [_with_number(command, log.id_of(game)) for game in games[:_NAMED]],
        )

    def _described(self, game: Game) -> str:
        """Return the rules and the opponents of a game: "Nibble with Ben"."""
        own = None if self.player is None else players.identity(self.player)
        seated = log.seats(self.session, game)
        others = [called(game, *each, own) for each in seated if each.player.id != own]
        return f"{log.rules_of(game).title} with {listed(others)}" if others else log.rules_of(game).title


def _state(word: Word) -> str:
    """Return the state of the games in which a command makes sense.

    Outside a reply, answers to invitations such as `accept` are commands of the account: they do not come here.
    """
    return "over" if When.OVER in word.when else "running"


_IN_WORDS = {"over": "that is over", "running": "that goes on"}


def _with_number(command: Command, number: int) -> str:
    return (
        f"{command.word} {number} {command.argument}".strip()
        if command.word is not MOVE
        else f"{number} {command.argument}"
    )
