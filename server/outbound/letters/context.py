"""The data that letters need besides their fields (`Sources`), and a letter before it is rendered (`Draft`)."""

from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import cached_property, singledispatch
from typing import Any, Protocol, runtime_checkable

from sqlmodel import Session

from mail.outgoing.composing import Attachment
from rules.game import Step
from rules.move_builder import alone
from server.accounts.login.links import Logins
from server.clock.moments import write_moment, write_soon
from server.game.computer.lessons import LessonView, lesson_of
from server.game.log import log
from server.game.play import target
from server.game.terms.wording import meanings_of, outcome_text
from server.game.views import game_view
from server.game.views.boards import Board
from server.game.views.game_view import GameView
from server.game.views.seats import SeatView
from server.outbound.letters.subjects import person, state_subject
from server.settings import Settings
from server.store.db import once
from server.store.keys.sealing import Sealer
from server.store.letters.letter import About, AddressedLetter, Letter
from server.store.models import Game, Player, Seat
from server.store.tokens import ConfirmationToken, ReplyToken

MOST_LINKS = 100
"""Maximum number of links on a board; with more, some email programs would cut off the email."""


@dataclass(frozen=True)
class TurnStatus:
    """The state of the current turn, for the end of a letter: who has to move, by when, and how."""

    turn: int
    mine: bool
    waiting: tuple[SeatView, ...]
    """The seats that owe a move."""
    dice: tuple[int, ...]
    due: dict[int, str]
    """The deadlines by seat, in the receiver's time zone."""
    result: str
    """The result for the receiver, in a sentence; "" while the game is running."""
    examples: tuple[str, ...]
    """Legal moves of the receiver, if it is their turn, as examples of the notation."""
    meanings: str
    """The meanings of those examples that are words, in sentences."""
    on_board: dict[str, str]
    """Moves by place on the board, for links; {} in games with orders."""
    lesson: LessonView | None
    """The rule that a guided game explains in this turn."""


@dataclass(frozen=True)
class Draft:
    """A letter before it is rendered; `reply` identifies the target of a reply, None for the plain address."""

    subject: str
    context: dict[str, Any] = field(default_factory=dict)
    reply: ReplyToken | ConfirmationToken | None = None
    log: tuple[int, str] | None = None
    """The number of entries in the log and the hash of the last one, for the foot of the email."""
    preview: str = ""
    """The preview text that an inbox shows beside the subject; "" for the first words of the letter."""
    by: str = ""
    """The name of the player who acted, for the From field; "" for none."""
    attachments: tuple[Attachment, ...] = ()
    way_out: tuple[str, str] | None = None
    """The page and the command that stop only letters of this kind; None if only `stop` does."""


@dataclass(frozen=True)
class Enclosed:
    """A letter that is a part of another letter, such as one answer among several."""

    letter: str
    draft: Draft
    brief: bool
    """Whether to omit the state of the game, because a later part shows it."""


@dataclass(frozen=True)
class Sources:
    """The data that a letter needs besides its own fields: the game, its receiver and the settings."""

    session: Session
    sealer: Sealer
    settings: Settings
    logins: Logins
    about: About | None
    now: datetime
    """When the letter was queued."""

    @cached_property
    def game(self) -> Game:
        """Return the game that the letter is about."""
        number = self._about.game
        return once(self.session, "game", number, lambda: self.session.get_one(Game, number))

    @cached_property
    def seat(self) -> int:
        """Return the receiver's seat, also for letters from before the seats were drawn."""
        if self._about.place is not None:
            return log.seat_of_asked(self.session, self.game, self._about.place)
        if self._about.seat is None:
            raise LookupError("this letter has no seat")
        return self._about.seat

    @cached_property
    def view(self) -> GameView:
        """Return the game as the receiver may see it now."""
        return game_view.game_view(self.session, self.sealer, self.game, self.seat)

    @cached_property
    def names(self) -> list[str]:
        """Return the players' names for sentences: "Ann"; with more than two players "Ann (Red)"."""
        seats = self.view.seats
        return [seat.name if len(seats) == 2 else seat.label for seat in seats]

    def board(self, position: Any, *, step: Step[Any, Any] | None = None, plan: Any = None) -> Board:
        """Return the board of a position, as the receiver sees it."""
        rules = log.rules_of(self.game)
        return Board(rules, position, self.seat, step, plan, in_words=self.view.board_in_words)

    @property
    def receiver(self) -> Player:
        """Return the player in the seat that the letter is for."""
        seat = self.session.get_one(Seat, (self._about.game, self.seat))
        return self.session.get_one(Player, seat.player_id)

    @property
    def standing(self) -> TurnStatus:
        """Return the state of the current turn."""
        view = self.view
        position = log.position_of(self.game) if view.state == "running" else None
        examples = () if position is None else self.examples(position)
        return TurnStatus(
            turn=view.turn,
            mine=view.my_turn,
            waiting=view.waiting_for,
            dice=view.dice,
            due={seat.number: self.moment(seat.due_at) for seat in view.waiting_for if seat.due_at},
            result=outcome_text(log.rules_of(self.game), self.game.result, self.names, self.seat),
            examples=examples,
            meanings=self.meanings(examples),
            on_board={} if position is None else self.on_board(position),
            lesson=self.lesson(view.turn),
        )

    def moment(self, moment: datetime) -> str:
        """Return a moment in the receiver's time zone, in words."""
        return write_moment(moment, self.view.zone, self.now)

    def soon(self, moment: datetime | None) -> str:
        """Return a moment in the receiver's time zone in short form; "" for None."""
        return "" if moment is None else write_soon(moment, self.view.zone, self.now)

    def link(self, secret: str) -> str:
        """Return the URL of a login link with this secret."""
        return f"{self.settings.base_url}/enter/{secret}"

    def examples(self, position: Any) -> tuple[str, ...]:
        """Return example moves of the receiver in a position; none if it is not their turn."""
        rules, seat = log.rules_of(self.game), self.seat
        return rules.examples(position, seat) if seat in rules.to_move(position) else ()

    def meanings(self, examples: tuple[str, ...]) -> str:
        """Return sentences that explain the examples which are words: "“hold”: all your troops stay."."""
        return meanings_of(log.rules_of(self.game), examples)

    def on_board(self, position: Any) -> dict[str, str]:
        """Return the moves that consist of one place, by place, for links on the board: {"c4": "c4"}.

        Returns {} if there are more than `MOST_LINKS`, and if the receiver does not have to move.
        """
        rules = log.rules_of(self.game)
        if rules.simultaneous or self.seat not in rules.to_move(position):
            return {}
        move_builder = rules.move_builder(position, self.seat)
        made = {
            place: move_builder.picked(pick.text).move() for place, pick in alone(move_builder.picks()).items()
        }
        found = {place: rules.format(move) for place, move in made.items() if move is not None}
        return found if len(found) <= MOST_LINKS else {}

    def lesson(self, turn: int) -> LessonView | None:
        """Return the lesson for the receiver before a turn of a guided game."""
        return lesson_of(self.session, self.game, self.seat, turn)

    def reply(self, turn: int) -> ReplyToken:
        """Return the token for the reply address: game, receiver's seat and `turn` (0 for the invitation)."""
        if self._about.place is not None:
            return ReplyToken(self._about.game, self._about.place, 0)
        mark = target.mark_before(self.session, self.game, turn)
        return ReplyToken(self._about.game, self.seat, turn, mark)

    def draft(
        self,
        *,
        answers: int | None = None,
        standing: TurnStatus | None = None,
        foot: tuple[int, str] | None = None,
        actor: int | str | None = None,
        **context: Any,
    ) -> Draft:
        """Return the draft of a letter about the game; replies are for turn `answers`, by default this one.

        `foot` is the number of entries in the log and the hash of the last one, by default those of now.
        `actor` is the player who acted, see `Letter.actor`. `context` are further values for the template.
        """
        view, reply = self.view, self.reply(self.game.turn if answers is None else answers)
        standing, foot = standing or self.standing, foot or (view.entries, view.head)
        return Draft(
            state_subject(view, self.receiver, mine=standing.mine, turn=standing.turn),
            {"view": view, "standing": standing, **context},
            reply,
            foot if foot[0] else None,
            by=person(view.seats, actor, self.seat),
        )

    def part(self, addressed: AddressedLetter) -> Draft:
        """Return the draft of a letter that is a part of this one."""
        return draft_of(addressed.letter, replace(self, about=addressed.about))

    @property
    def _about(self) -> About:
        if self.about is None:
            raise LookupError("this letter has no game")
        return self.about


@runtime_checkable
class Drafting(Protocol):
    """A letter class with its own `draft` method."""

    def draft(self, sources: Sources, /) -> Draft:
        """Return the draft of the letter, with the values for its template."""


@singledispatch
def draft_of(letter: Letter, sources: Sources) -> Draft:
    """Return the draft of a letter, with the values for its template.

    By default these are the fields of the letter, moments in the receiver's time zone and, for a letter about a
    game, its state. A letter that needs more has a `draft` method, or a function registered here if it is in
    `server.store.letters`.
    """
    if isinstance(letter, Drafting):
        return letter.draft(sources)
    context = template_fields(letter, sources)
    return Draft(letter.subject, context) if letter.subject else sources.draft(actor=letter.actor, **context)


def template_fields(letter: Letter, sources: Sources) -> dict[str, Any]:
    """Return the fields of a letter by name, with moments as text in the receiver's time zone."""
    held = {each.name: getattr(letter, each.name) for each in fields(letter)}
    return {
        name: sources.moment(value) if isinstance(value, datetime) else value for name, value in held.items()
    }
