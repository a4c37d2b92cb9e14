"""A reply to a game's mail while it is carried out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mail.reading.message import Reading
from rules.errors import WrongMove
from server.accounts import bans, players
from server.commands.parser import Command, Instructions, words_beside
from server.commands.vocabulary import IF, LUCK, LUCK_WITH_A_CHALLENGE, SAY
from server.commands.word import Word
from server.errors import BadRequest, Damaged, Refused
from server.game.lobby import challenges
from server.game.log import log
from server.game.messages import extra_text, messages
from server.game.play.target import Target
from server.inbound.authorization import quotas
from server.inbound.authorization.agreement import shown_words
from server.inbound.authorization.endings import Ending, done, held, refused
from server.inbound.authorization.quotas import had_enough
from server.inbound.authorization.targets import told_of
from server.interpretation.clearness import read_reply
from server.interpretation.doubts import Doubts
from server.outbound.letters.account import Confirmation
from server.outbound.letters.sources import Show
from server.store import failures
from server.store.db import savepoint
from server.store.letters.account import LoginLink
from server.store.letters.letter import About, Answers, Letter, Put
from server.store.models import Game, Outbox, Player, Seat
from server.store.outbox import ActionContext


@dataclass
class Request:
    """A mail that is being carried out: what it asks for, and where its answers go."""

    action: ActionContext
    reading: Reading
    instructions: Instructions

    def asks_for(self, *words: Word) -> bool:
        """Whether one of these commands is in it."""
        return any(command.word in words for command in self.instructions.commands)

    def arguments(self, word: Word) -> list[str]:
        """What follows a word, each time that it is written."""
        return [command.argument for command in self.instructions.commands if command.word is word]

    def answer(self, letter: Letter, about: About | None = None) -> None:
        """Put a letter for whoever wrote the mail."""
        self.action.put(self.reading.sender, letter, about, answers=self.reading.message_id)

    def carry_out(
        self, player: Player | None, do: Callable[[], None], refuse: Callable[[Exception], Ending]
    ) -> Ending:
        """Have `do` do all that it asks for; if any of that cannot be done, undo it and let `refuse` say why.

        `player` is whoever wrote it, None for a stranger.
        """
        action = self.action
        self.action = gathering(action, self.reading.sender, "" if player is None else player.email)
        try:
            with savepoint(action.session):
                do()
        except (Refused, WrongMove, Damaged) as problem:
            self.action = action
            if isinstance(problem, Damaged):
                failures.note(action.session, action.now, failures.PLAYING, Game, problem.game, problem)
            return refuse(problem)
        answered = None if action.origin is not None else player
        kept_back = put_answers(self.action, self.reading.message_id, answered)
        return done(", ".join(str(command.word) for command in self.instructions.commands) + kept_back)

    def refuse(
        self, letter: type[Letter], problem: Exception, player: Player | None, tell: Callable[[], None]
    ) -> Ending:
        """Have `tell` put the letter that says what is wrong, unless enough of these were sent today."""
        if quotas.had_enough_refusals(self.action, self.reading.sender, letter, player):
            return held("told often enough today what is wrong", needs_text=False)
        tell()
        return refused(type(problem).__name__)


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
        beside = self.beside if self.way == extra_text.SEND else ""
        return "\n".join(filter(None, [beside, *map(str.strip, self.arguments(SAY))]))

    @property
    def silence(self) -> str:
        """Why nothing that the player says is passed on now; "" where it is."""
        return bans.explained(self.action.session, self.player, self.action.now)

    @property
    def seat(self) -> Seat:
        """The seat that the player has."""
        return self.action.session.get_one(Seat, (self.target.game, self.target.seat))

    @property
    def listeners(self) -> list[str]:
        """The names of the people to whom their words go."""
        seated = log.seats(self.action.session, self.game)
        return list(messages.listeners(self.game, seated, self.target.seat).values())

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
        way = extra_text.WORDS.chosen_by(self.player)
        is_new = any(command.word.word == extra_text.WORDS.name for command in self.instructions.commands)
        return extra_text.ASK if way == extra_text.SEND and is_new else way

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
        seat = challenges.seat_of(self.action.session, self.game, self.player)
        self.target = replace(self.target, seat=self.target.seat if seat is None else seat)

    def tell_if_much(self) -> None:
        """Say so if what was said may not be mailed at once."""
        if messages.has_said_much(self.action, self.game, self.target.seat):
            self.tell(Confirmation(messages.SAID_MUCH))


def gathering(action: ActionContext, *addresses: str) -> ActionContext:
    """An action that keeps what is put for these addresses; `put_answers` puts it as one letter for each."""
    return replace(action, gathered={address: [] for address in addresses if address})


def put_answers(action: ActionContext, answers: str, player: Player | None) -> str:
    """Put what was gathered while `player`'s mail, with the Message-ID `answers`, was carried out.

    Returns "", or a note for the operator that something is not answered, as enough was today.
    """
    plain, kept_back = replace(action, gathered={}), ""
    for recipient, gathered in action.gathered.items():
        letters = _once_each(gathered)
        always = [put for put in letters if put.letter.is_owed]
        if always != letters and had_enough(plain, recipient, player):
            letters, kept_back = always, "; not answered, as enough was today"
        _put_one(plain, recipient, letters, answers)
    return kept_back


def _once_each(gathered: Sequence[Put]) -> list[Put]:
    """The letters, each once; how a game stands comes last, after everything else was done in it."""
    once = [put for number, put in enumerate(gathered) if put not in gathered[:number]]
    return sorted(once, key=lambda put: isinstance(put.letter, Show))


def _put_one(action: ActionContext, recipient: str, letters: Sequence[Put], answers: str) -> None:
    """One letter as it is, several as the parts of one."""
    if not letters:
        return
    player_id = next((put.player_id for put in letters if put.player_id is not None), None)
    first, *others = letters
    if not others:
        action.put(recipient, first.letter, first.about, player_id=player_id, answers=first.answers)
        return
    games = {put.about.game for put in letters if put.about is not None}
    about = About(games.pop()) if len(games) == 1 else None
    for put in letters:
        if isinstance(put.letter, LoginLink):
            action.put_nothing(recipient, LoginLink)  # it counts as one that is mailed alone
    action.put(recipient, Answers(tuple(letters)), about, player_id=player_id, answers=answers)


@dataclass
class AccountMail(Request):
    """A mail to the plain address, `own`, that is being carried out; `text` is what was written in it.

    `asked` is the letter of ours that asked for it, None for none.
    """

    own: str
    text: str
    asked: Outbox | None = None

    @property
    def player(self) -> Player:
        """Whoever wrote it; raises BadRequest for a stranger."""
        player = players.by_email(self.action.session, self.reading.sender)
        if player is None:
            raise BadRequest(
                f"{self.reading.sender} is not the address of a player. To become one, write: register NAME"
            )
        return player

    @property
    def client_seed(self) -> str | None:
        """The player's own words; None if there are none, "" if there is only the word `luck`."""
        words = self.arguments(LUCK_WITH_A_CHALLENGE)
        return " ".join(words) if words else None
