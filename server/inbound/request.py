"""An email that is being handled, its final state, and the marks by which its copies are recognized."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from mail.addresses import tagged
from mail.reading.message import Reading
from rules.errors import WrongMove
from server.accounts import players
from server.accounts.newcomers import is_known
from server.actions.action import Actor, Door, GameActor, Outcome, TournamentActor
from server.commands.account_words import LUCK_WITH_A_CHALLENGE
from server.commands.game_words import SAY, TELL
from server.commands.parser import Instructions
from server.commands.word import MOVE, Word
from server.errors import BadRequest, Damaged, Refused
from server.game.lobby import challenges
from server.inbound.authorization.quotas import (
    MACHINE,
    had_enough,
    had_enough_refusals,
    is_silenced,
    seems_machine,
)
from server.inbound.authorization.senders import SenderTrust
from server.outbound.letters.account import Confirmation
from server.outbound.letters.game_parts import Show
from server.outbound.letters.help import RefusalAccount
from server.outbound.letters.replies import Refusal
from server.store import failures
from server.store.db import locked, savepoint
from server.store.letters.account import LoginLink
from server.store.letters.letter import About, AddressedLetter, Answers, Letter
from server.store.models import Game, Inbox, Outbox, Player
from server.store.outbox import ActionContext
from server.store.statements import prepared_statements

PROBLEMS = (Refused, WrongMove, Damaged)
"""The exceptions that a command raises when it cannot be carried out."""


@dataclass(frozen=True)
class Ending:
    """The final state of an email, with the reason; the reason quotes nothing from the email."""

    state: Literal["done", "refused", "quarantined", "asked"]
    why: str
    needs_text: bool = False
    """True if the whole email may still be needed: for an administrator to read, or to be handled again."""

    @property
    def is_final(self) -> bool:
        """True if nothing is left to do: the email was done or refused."""
        return self.state in ("done", "refused")


def done(why: str) -> Ending:
    """Return the final state of an email whose requests were carried out, or that contained none."""
    return Ending("done", why)


def refused(why: str) -> Ending:
    """Return the final state of an email that changed nothing; the answer to its sender contains the reason."""
    return Ending("refused", why)


def quarantined(why: str, *, needs_text: bool = True) -> Ending:
    """Return the final state of an email that changed nothing and is kept for administrators.

    `needs_text` is false if its text is of no use for them.
    """
    return Ending("quarantined", why, needs_text)


AWAY = done("the automatic answer of someone who is away; not answered")
SILENCED = done("its sender seems to be a machine; not answered")
ENOUGH_REFUSALS = quarantined("enough refusals today", needs_text=False)


@dataclass(kw_only=True)
class Request:
    """An email that is being handled: its content, its sender, its commands, and the queue for answers."""

    action: ActionContext
    row: Inbox
    reading: Reading
    trust: SenderTrust
    own: str
    """Nabu's plain address."""
    instructions: Instructions = field(default_factory=lambda: Instructions((), ""))

    @property
    def request_fields(self) -> dict[str, Any]:
        """The fields of this request by name, from which a request for a part of the email is made."""
        return {each.name: getattr(self, each.name) for each in fields(Request)}

    @property
    def peer(self) -> str:
        """The address of the machine that delivered it by SMTP; "" for all other ways in."""
        return self.row.peer if self.row.source == "smtp" else ""

    def about_actor(self, player: Player) -> dict[str, Any]:
        """Return the fields of `Actor` for the player who wrote the email."""
        return {
            "context": self.action,
            "player": player,
            "door": Door.EMAIL,
            "plain_address": self.own,
            "origin": f"by an email from {self.reading.sender}",
        }

    def asks_for(self, *words: Word) -> bool:
        """Return True if the email contains one of these commands."""
        return any(command.word in words for command in self.instructions.commands)

    def arguments(self, word: Word) -> list[str]:
        """Return the argument of each occurrence of a command in the email, such as `Ben` for `unblock Ben`."""
        return [command.argument for command in self.instructions.commands if command.word is word]

    def answer(self, letter: Letter, about: About | None = None) -> None:
        """Add a letter to the answers for the sender of the email."""
        self.action.put(self.reading.sender, letter, about, answers=self.reading.message_id)

    def confirm(self, outcome: Outcome) -> None:
        """Answer with the result of an action, unless other emails about the game contain it."""
        if not outcome.is_mailed and outcome.asked != self.reading.sender:
            self.answer(outcome.letter or Confirmation(outcome.sentence), outcome.about)

    def what_failed(self, *, owes: bool) -> str:
        """Return how the subject of a refusal begins: "Not played", "Not sent", "Not done" or "Not understood".

        `owes` is true if the sender has to move in the game.
        """
        words = {command.word for command in self.instructions.commands}
        if MOVE in words or (owes and not words):
            return "Not played"
        if words & {SAY, TELL}:
            return "Not sent"
        return "Not done" if words else "Not understood"

    def why_unanswered(self, letter: type[Letter], player: Player | None) -> Ending | None:
        """Return the email's final state if its sender gets no more refusals today; None if they get one."""
        if is_silenced(self.action, self.reading.sender, None if player is None else player.id):
            return SILENCED
        known = self.is_limited_as_player(player)
        enough = had_enough_refusals(self.action, self.reading.sender, letter, known=known)
        return ENOUGH_REFUSALS if enough else None

    def is_limited_as_player(self, player: Player | None) -> bool:
        """Return True if the sender gets as many answers in a day as a player, not as few as a stranger."""
        return is_known(player)

    def refuse(
        self, letter: Refusal | RefusalAccount, about: About | None, player: Player | None, why: str
    ) -> Ending:
        """Answer with a refusal, unless a machine seems to have sent the email; return its final state."""
        sender, writer = self.reading.sender, None if player is None else player.id
        if seems_machine(self.action, sender, letter, writer):
            self.action.put_unsent(sender, letter, about, MACHINE)
            return quarantined("its sender seems to be a machine", needs_text=False)
        self.answer(letter, about)
        return refused(why)

    @contextmanager
    def attempt(self, player: Player | None) -> Iterator[None]:
        """Run the block, which carries out commands, and collect the answers to them.

        If a command fails, all changes of the block are rolled back, and the error is raised. `player` is the
        sender, None for a stranger. `put_answers` queues the collected answers.
        """
        before, session = self.action, self.action.session
        addresses = (self.reading.sender, "" if player is None else player.email)
        self.action = replace(before, gathered={address: [] for address in addresses if address})
        try:
            with savepoint(session):
                yield
        except PROBLEMS as problem:
            self.action = before
            if isinstance(problem, Damaged):
                failures.note(session, before.now, failures.PLAYING, Game, problem.game, problem)
            raise

    def put_answers(self, player: Player | None) -> Ending:
        """Queue the collected answers, as one letter for each address; return the final state of the email."""
        known = self.action.origin is None and self.is_limited_as_player(player)
        kept_back = _put_gathered(self.action, self.reading.message_id, known=known)
        return done(", ".join(str(command.word) for command in self.instructions.commands) + kept_back)


def _put_gathered(action: ActionContext, answers: str, *, known: bool) -> str:
    """Queue the answers collected for an email of a `known` player or a stranger; `answers` is its Message-ID.

    Returns "", or a note for the administrator that an answer was left out because of the daily limit.
    """
    plain, kept_back = replace(action, gathered={}), ""
    for recipient, gathered in action.gathered.items():
        letters = _once_each(gathered)
        always = [each for each in letters if each.letter.is_owed]
        if always != letters and had_enough(plain, recipient, known=known):
            letters, kept_back = always, "; not answered: daily limit"
        _put_one(plain, recipient, letters, answers)
    return kept_back


def _once_each(gathered: Sequence[AddressedLetter]) -> list[AddressedLetter]:
    """Return the letters without duplicates; the state of a game comes last, after all changes in it."""
    once = [each for number, each in enumerate(gathered) if each not in gathered[:number]]
    return sorted(once, key=lambda each: isinstance(each.letter, Show))


def _put_one(action: ActionContext, recipient: str, letters: Sequence[AddressedLetter], answers: str) -> None:
    """Queue one letter unchanged, or several as the parts of one."""
    if not letters:
        return
    player_id = next((each.player_id for each in letters if each.player_id is not None), None)
    first, *others = letters
    if not others:
        action.put(recipient, first.letter, first.about, player_id=player_id, answers=first.answers)
        return
    games = {each.about.game for each in letters if each.about is not None}
    about = About(games.pop()) if len(games) == 1 else None
    for each in letters:
        if isinstance(each.letter, LoginLink):
            action.put_nothing(recipient, LoginLink)  # it counts as one that is mailed alone
    action.put(recipient, Answers(tuple(letters)), about, player_id=player_id, answers=answers)


@dataclass(kw_only=True)
class AccountMail(Request):
    """An email to the plain address; `text` is the part of it that its sender wrote.

    `asked` is the letter whose question it answers, None for none.
    """

    text: str = ""
    asked: Outbox | None = None

    @property
    def player(self) -> Player:
        """The sender. Raises BadRequest for a stranger."""
        player = players.by_email(self.action.session, self.reading.sender)
        if player is None:
            raise BadRequest(
                f"{self.reading.sender} is not the address of a player. To become one, write: register NAME"
            )
        return player

    @property
    def actor(self) -> Actor:
        """The sender as an actor. Raises BadRequest for a stranger."""
        return Actor(**self.about_actor(self.player))

    def actor_in_game(self, number: int, missing: Refused) -> GameActor:
        """Return the sender as an actor in a game, which is locked. Raise `missing` if the game does not exist.

        The action raises the same error for a game that the sender may not see, so that both get the same
        answer.
        """
        session = self.action.session
        game = locked(session, Game, number)
        if game is None:
            raise missing
        seat = challenges.seat_of(session, game, self.player)
        return GameActor(**self.about_actor(self.player), game=game, seat=seat, turn=game.turn)

    def actor_in_tournament(self, number: int) -> TournamentActor:
        """Return the sender as an actor in a tournament."""
        return TournamentActor(**self.about_actor(self.player), tournament=number)

    @property
    def client_seed(self) -> str | None:
        """The player's words for luck; None without `luck`, "" if `luck` has no words."""
        words = self.arguments(LUCK_WITH_A_CHALLENGE)
        return " ".join(words) if words else None


DUPLICATE = done("a copy of an email that was already handled")


def marks_of(request: Request) -> list[str]:
    """Return texts, one for each secret key, that are equal for all copies of an email.

    Returns [] for an email without a Message-ID. Relays change the header and the encoding of an email, and add
    lines at its end. Copies share the sender, the date, the Message-ID, the recipient and the commands.
    """
    read, reading = request.instructions, request.reading
    if not reading.message_id:
        return []
    # A relay may have added the line at which reading stopped, unless the email is refused because of it.
    refused_for = read.stopped_at if read.breaks_off or not read.commands else ""
    written = [reading.sender, reading.message_id, reading.date, tagged(request.row.recipient)[1]]
    return request.action.sealer.marks_of("\0".join([*written, *map(str, read.commands), refused_for]))


def is_duplicate(request: Request, marks: Sequence[str]) -> bool:
    """Return whether an email with one of these marks was already handled."""
    return prepared_statements.DUPLICATES(request.action.session, marks=marks).first() is not None
