"""What a mail asks for: carried out, all of it or nothing, and answered with one letter."""

from collections.abc import Callable
from dataclasses import dataclass

from mail.reading.message import Reading
from rules.errors import WrongMove
from server.errors import Damaged, Refused
from server.game.commands.reading import Instructions
from server.game.commands.word import Word
from server.inbound import quotas
from server.inbound.answers import gathering, put_answers
from server.inbound.endings import Ending, done, held, refused
from server.store import failures
from server.store.db import savepoint
from server.store.letters.letter import About, Letter
from server.store.models import Game, Player
from server.store.outbox import Action


@dataclass
class Request:
    """A mail that is being carried out: what it asks for, and where its answers go."""

    action: Action
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
