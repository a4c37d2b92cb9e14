"""What letters are made of: where what they show comes from, and what becomes of it."""

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
from server.game.views import game_view
from server.game.views.boards import Board
from server.game.views.game_view import GameView
from server.game.views.seats import SeatView
from server.outbound.letters.subjects import person, state_subject
from server.settings import Settings
from server.store.db import once
from server.store.keys.sealing import Sealer
from server.store.letters.letter import About, Letter, Put
from server.store.models import Game, Player, Seat
from server.store.tokens import ConfirmationToken, ReplyToken

MOST_LINKS = 100
"""The most links on a board; with more, a mail would be too long for programs that show only the beginning."""


@dataclass(frozen=True)
class TurnStatus:
    """Whose turn it is: now, or when the turns that a letter tells were over."""

    turn: int
    mine: bool
    waiting: tuple[SeatView, ...]
    """The seats that the game waits for."""
    dice: tuple[int, ...]
    due: dict[int, str]
    """When the moves are due, by seat, in the receiver's zone."""
    result: str
    """How the game ended, in a sentence; "" while it goes on."""
    examples: tuple[str, ...]
    """Moves that the receiver can play, if it is their turn, to show how moves are written."""
    on_board: dict[str, str]
    """By place of the board, the move that picking it makes, for links; {} if players write orders."""
    lesson: LessonView | None
    """The rule that a guided game explains there."""


@dataclass(frozen=True)
class Draft:
    """A letter before it is rendered; `reply` says what a reply to it is about, None for the plain address."""

    subject: str
    context: dict[str, Any] = field(default_factory=dict)
    reply: ReplyToken | ConfirmationToken | None = None
    log: tuple[int, str] | None = None
    """How many entries the log of the game had, and the hash of the last, for the foot of the mail."""
    preview: str = ""
    """What an inbox shows beside the subject; "" for the first words of the letter."""
    by: str = ""
    """The name of whoever did what the letter tells; "" for nobody."""
    attachments: tuple[Attachment, ...] = ()
    way_out: tuple[str, str] | None = None
    """What ends just letters of this sort: the path of a page, and a command; None where `stop` ends all."""


@dataclass(frozen=True)
class Enclosed:
    """A letter within a letter."""

    letter: str
    draft: Draft
    brief: bool
    """Whether to leave out how the game stands, because a later part says so."""


@dataclass(frozen=True)
class Sources:
    """What a letter is written from, besides its own fields."""

    session: Session
    sealer: Sealer
    settings: Settings
    logins: Logins
    about: About | None
    now: datetime
    """When the letter was asked for."""

    @cached_property
    def game(self) -> Game:
        """The game that the letter is about."""
        number = self._about.game
        return once(self.session, "game", number, lambda: self.session.get_one(Game, number))

    @cached_property
    def seat(self) -> int:
        """The receiver's seat; letters from before the beginning know only a place among those asked."""
        if self._about.place is not None:
            return log.seat_of_asked(self.session, self.game, self._about.place)
        if self._about.seat is None:
            raise LookupError("this letter is for no seat")
        return self._about.seat

    @cached_property
    def view(self) -> GameView:
        """The game as the receiver may see it now."""
        return game_view.game_view(self.session, self.sealer, self.game, self.seat)

    def board(self, position: Any, *, step: Step[Any, Any] | None = None, plan: Any = None) -> Board:
        """The board of a position in the receiver's game, as they see it."""
        rules = log.rules_of(self.game)
        return Board(rules, position, self.seat, step, plan, in_words=self.view.board_in_words)

    @property
    def receiver(self) -> Player:
        """Who has the seat that the letter is for."""
        seat = self.session.get_one(Seat, (self._about.game, self.seat))
        return self.session.get_one(Player, seat.player_id)

    @property
    def standing(self) -> TurnStatus:
        """Whose turn it is now."""
        view = self.view
        position = log.position_of(self.game) if view.state == "running" else None
        return TurnStatus(
            turn=view.turn,
            mine=view.my_turn,
            waiting=view.waiting_for,
            dice=view.dice,
            due={seat.number: seat.due for seat in view.waiting_for if seat.due},
            result=view.result,
            examples=() if position is None else self.examples(position),
            on_board={} if position is None else self.on_board(position),
            lesson=self.lesson(view.turn),
        )

    def moment(self, moment: datetime) -> str:
        """A moment in the receiver's zone."""
        return write_moment(moment, self.view.zone)

    def soon(self, moment: datetime | None) -> str:
        """The same where there is little room; "" for no moment."""
        return "" if moment is None else write_soon(moment, self.view.zone, self.now)

    def link(self, secret: str) -> str:
        """The address of a login link."""
        return f"{self.settings.base_url}/enter/{secret}"

    def examples(self, position: Any) -> tuple[str, ...]:
        """How the receiver's moves in a position are written; none when they do not move."""
        rules, seat = log.rules_of(self.game), self.seat
        return rules.examples(position, seat) if seat in rules.to_move(position) else ()

    def on_board(self, position: Any) -> dict[str, str]:
        """By place, the move that the receiver makes by picking it alone; {} for more than `MOST_LINKS`."""
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
        """What the receiver is told in a guided game before they play a turn."""
        return lesson_of(self.session, self.game, self.seat, turn)

    def reply(self, turn: int) -> ReplyToken:
        """What a reply is for: a turn of the receiver's seat, or the invitation."""
        if self._about.place is not None:
            return ReplyToken(self._about.game, self._about.place, 0)
        return ReplyToken(self._about.game, self.seat, turn)

    def draft(
        self,
        *,
        answers: int | None = None,
        standing: TurnStatus | None = None,
        foot: tuple[int, str] | None = None,
        actor: int | str | None = None,
        **context: Any,
    ) -> Draft:
        """A letter about the game; an answer to it is for turn `answers`, or the turn to be played now.

        `foot` says how many entries the log had, and the hash of the last; those of now when not given. `actor`
        is who did what it tells, as `Letter.actor` says.
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

    def part(self, put: Put) -> Draft:
        """A letter within this one."""
        return draft_of(put.letter, replace(self, about=put.about))

    @property
    def _about(self) -> About:
        if self.about is None:
            raise LookupError("this letter is about no game")
        return self.about


@runtime_checkable
class Drafting(Protocol):
    """A letter that looks up what it shows."""

    def draft(self, sources: Sources, /) -> Draft:
        """Return the letter with all that its template shows."""


@singledispatch
def draft_of(letter: Letter, sources: Sources) -> Draft:
    """A letter with all that its template shows.

    That is what its fields hold, moments in the receiver's zone, and where it is about a game, how that stands.
    A letter that shows more drafts itself; for one of `server.store.letters`, a function is registered here.
    """
    if isinstance(letter, Drafting):
        return letter.draft(sources)
    context = template_fields(letter, sources)
    return Draft(letter.subject, context) if letter.subject else sources.draft(actor=letter.actor, **context)


def template_fields(letter: Letter, sources: Sources) -> dict[str, Any]:
    """What the fields of a letter hold, as its template shows it."""
    held = {each.name: getattr(letter, each.name) for each in fields(letter)}
    return {
        name: sources.moment(value) if isinstance(value, datetime) else value for name, value in held.items()
    }
