"""A reply to an email about a game, with its writer in their seat."""

from dataclasses import dataclass, replace
from functools import cached_property

from server.accounts import bans
from server.actions.action import GameActor
from server.commands.game_words import IF, LUCK, SAY
from server.commands.parser import Command, Instructions, words_beside
from server.game.lobby import challenges
from server.game.log import log
from server.game.messages import extra_text, messages
from server.game.play.target import Target, letter_about
from server.inbound.authorization.senders import SenderTrust
from server.inbound.own_games import OwnGames
from server.inbound.request import Request
from server.interpretation.doubts import Doubts
from server.interpretation.reply_checks import read_reply, read_with_account
from server.store.letters.letter import About, Letter
from server.store.models import Game, Player, Seat


@dataclass(kw_only=True)
class Reply(Request):
    """A reply to an email about a game."""

    doubts: Doubts
    player: Player
    game: Game
    target: Target

    @property
    def actor(self) -> GameActor:
        """The sender as an actor in the game, with the turn that the reply is about."""
        return GameActor(
            **self.about_actor(self.player),
            game=self.game,
            seat=self.target.seat,
            turn=self.target.turn,
            mark=self.target.mark,
        )

    @property
    def certain(self) -> bool:
        """True if the sender is certainly someone who can read the player's emails."""
        return self.trust is not SenderTrust.UNKNOWN

    @property
    def said(self) -> str:
        """The message to the other players, alone or along with a move."""
        beside = self.beside if self.way == extra_text.SEND else ""
        return "\n".join(filter(None, [beside, *map(str.strip, self.arguments(SAY))]))

    @property
    def silence(self) -> str:
        """The reason why the player's messages are not sent now; "" if they are."""
        return bans.explained(self.action.session, self.player, self.action.now)

    @property
    def seat(self) -> Seat:
        """The row of the player's seat."""
        return self.action.session.get_one(Seat, (self.target.game, self.target.seat))

    @property
    def listeners(self) -> list[str]:
        """The names of the people who get the player's messages."""
        seated = log.seats(self.action.session, self.game)
        return list(messages.listeners(self.game, seated, self.target.seat).values())

    @property
    def beside(self) -> str:
        """The text beside the commands in the reply."""
        return words_beside(self.instructions, self.doubts.courtesy)

    @property
    def way(self) -> str:
        """The player's choice for text beside commands: send, ask or drop.

        “send” does not count yet in the reply that chooses it.
        """
        way = extra_text.WORDS.chosen_by(self.player)
        is_new = any(command.word.word == extra_text.WORDS.name for command in self.instructions.commands)
        return extra_text.ASK if way == extra_text.SEND and is_new else way

    @property
    def client_seed(self) -> str:
        """The player's words for luck, which may stand beside “accept” or alone."""
        return " ".join(self.arguments(LUCK))

    @property
    def conditions(self) -> str:
        """All conditional moves in the reply, one per line, with or without a move."""
        commands = [command for command in self.instructions.commands if command.word is IF]
        return "\n".join(" ".join(str(command).split()) for command in commands)

    @cached_property
    def games(self) -> OwnGames:
        """The games that the player can name by number."""
        return OwnGames(self.action.session, self.player)

    def read(self, text: str) -> tuple[Command, ...]:
        """Return the commands about the game in a text."""
        return read_reply(text, self.doubts).commands

    def read_all(self, text: str) -> Instructions:
        """Return all commands in a text, including those for the account and for other games."""
        return read_with_account(text, self.doubts, self.games.for_reading(plain=False))

    def answer(self, letter: Letter, about: About | None = None) -> None:
        """Add a letter to the answers for the sender; it is about this game unless `about` names another."""
        super().answer(letter, about or letter_about(self.game, self.target.seat))

    def is_limited_as_player(self, player: Player | None) -> bool:
        """Return True if the sender gets as many answers as a player: also someone invited, if verified.

        They reply to an address that was sent to them alone.
        """
        return super().is_limited_as_player(player) or self.trust is SenderTrust.VOUCHED

    def go_on(self) -> None:
        """Apply the following commands of the reply to the game's current turn."""
        self.target = replace(self.target, turn=self.game.turn, mark=0)

    def take_seat(self) -> None:
        """Apply the following commands to the player's new seat, if the game has just started."""
        seat = challenges.seat_of(self.action.session, self.game, self.player)
        self.target = replace(self.target, seat=self.target.seat if seat is None else seat)
