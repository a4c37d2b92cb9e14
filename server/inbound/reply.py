"""A reply to a game's mail while it is carried out."""

from dataclasses import dataclass, replace

from server.accounts import bars
from server.game import lobby, log, press, words
from server.game.commands.beside import words_beside
from server.game.commands.reading import Command
from server.game.target import Target
from server.game.vocabulary import IF, LUCK, SAY
from server.inbound.agreeing import shown_words
from server.inbound.clearness import read_reply
from server.inbound.doubts import Doubts
from server.inbound.requests import Request
from server.inbound.targets import told_of
from server.outbound.letters.account import Settled
from server.store.letters.letter import Letter
from server.store.models import Game, Player, Seat


@dataclass
class Reply(Request):
    """A reply that is being carried out; `certain` says that its writer can read the player's mail."""

    doubts: Doubts
    player: Player
    game: Game
    target: Target
    certain: bool

    @property
    def said(self) -> str:
        """What it says to the other players, alone or along with a move."""
        beside = self.beside if self.way == words.SEND else ""
        return "\n".join(filter(None, [beside, *map(str.strip, self.arguments(SAY))]))

    @property
    def silence(self) -> str:
        """Why nothing that the player says is passed on now; "" where it is."""
        return bars.explained(self.action.session, self.player, self.action.now)

    @property
    def seat(self) -> Seat:
        """The seat that the player has."""
        return self.action.session.get_one(Seat, (self.target.game, self.target.seat))

    @property
    def listeners(self) -> list[str]:
        """The names of the people to whom their words go."""
        seated = log.seats(self.action.session, self.game)
        return list(press.listeners(self.game, seated, self.target.seat).values())

    @property
    def beside(self) -> str:
        """What was written beside the commands."""
        return words_beside(self.instructions, self.doubts.courtesy)

    @property
    def shown_words(self) -> str:
        """What they wrote earlier, as far as the mail that they answer shows it."""
        return shown_words(self.action, self.reading, self.game)

    @property
    def way(self) -> str:
        """What becomes of what was written beside: nothing is sent because of a choice in the same reply."""
        way = words.WORDS.of(self.player)
        is_new = any(command.word.word == words.WORDS.name for command in self.instructions.commands)
        return words.ASK if way == words.SEND and is_new else way

    @property
    def client_seed(self) -> str:
        """The player's own words, alone or along with accepting."""
        return " ".join(self.arguments(LUCK))

    @property
    def conditions(self) -> str:
        """All conditional moves in it, a way a line, alone or along with a move."""
        commands = [command for command in self.instructions.commands if command.word is IF]
        return "\n".join(" ".join(str(command).split()) for command in commands)

    def read(self, text: str) -> tuple[Command, ...]:
        """The commands in another text of the mail."""
        return read_reply(text, self.doubts).commands

    def tell(self, letter: Letter) -> None:
        """Put a letter about the game for whoever wrote the reply."""
        self.answer(letter, told_of(self.game, self.target.seat))

    def go_on(self) -> None:
        """Apply what follows to the turn that it is now."""
        self.target = replace(self.target, turn=self.game.turn)

    def take_seat(self) -> None:
        """Go on in the seat that was drawn, if the game has begun."""
        seat = lobby.seat_of(self.action.session, self.game, self.player)
        self.target = replace(self.target, seat=self.target.seat if seat is None else seat)

    def tell_if_much(self) -> None:
        """Say so if what was said may not be mailed at once."""
        if press.has_said_much(self.action, self.game, self.target.seat):
            self.tell(Settled(press.SAID_MUCH))
