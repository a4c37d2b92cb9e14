"""The page of a game, assembled from views of what its reader may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from flask import abort, render_template

from rules.drawing.diagram import Diagram
from rules.move_builder import Choices
from server.actions.registry import GAME_ACTIONS
from server.game.computer import inquiries
from server.game.computer.lessons import LessonView, lesson_of
from server.game.lobby import early_start, entry_conditions, rematch
from server.game.log import log
from server.game.notifications import channels
from server.game.notifications.services.registry import how_to_write_addresses
from server.game.play import moves, picking
from server.game.spectators import chat, watching
from server.game.spectators.chat import SpectatorMessageView
from server.game.terms.wording import meanings_of
from server.game.views import game_view, history, lists, read_markers
from server.game.views.analysis import assessment_view
from server.game.views.boards import Board
from server.game.views.game_view import GameView, PreviewView
from server.game.views.history import ThreadView, TurnView
from server.game.views.read_markers import Sight
from server.game.views.seats import ratings_by_seat
from server.game.views.variations import Kept, Variations
from server.limits import LONGEST_CONDITIONS, LONGEST_MESSAGE
from server.store.db import locked
from server.store.models import Game, Seat
from server.web.game.game_visit import GameVisit, at_game
from server.web.game.move_form import MoveAttempt, MoveForm
from server.web.game.page_updates import live_game
from server.web.game.win_chart import curve
from server.web.shared.paging import MOST_LINES, asked_page, page_around
from server.web.shared.sender_confirmation import open_questions
from server.web.shared.visits import acting, require_login, visitor

_MOST_NEWS = 12
"""The largest number of turns under “Since your last visit”."""
_MOST_POINTS = 60
"""The largest number of turns on the curve of an analysis."""


@dataclass(frozen=True)
class Scene:
    """The content of the board: the game after turn `number`, 0 for the start, or a move that is only tried."""

    number: int
    board: Board
    played: TurnView | None = None
    """The turn that led to it."""
    preview: PreviewView | None = None
    move_form: MoveForm | None = None
    """The reader's move so far, and the next choices."""

    @property
    def diagram(self) -> Diagram:
        """The picture of the board, with the picks if there are any."""
        return (
            self.move_form.choices.diagram
            if self.move_form and self.move_form.choices.picked
            else self.board.diagram
        )


@dataclass(frozen=True)
class SentForm:
    """The submitted form of an action that was refused; empty without a name."""

    name: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""
    """The error."""
    anchor: str = ""
    """The anchor of the form on the page; "" for a button."""

    def value(self, name: str) -> str:
        """Return the submitted value of a field; "" without one."""
        return self.values.get(name, "")

    def for_action(self, *names: str) -> "SentForm":
        """Return this form if it belongs to one of the actions, else an empty one."""
        return self if self.name in names else SentForm()


@dataclass(frozen=True)
class ActionButton:
    """A button beside the board."""

    name: str
    label: str
    asks: bool
    """Whether a page asks for confirmation first."""


def game_page(
    here: GameVisit, attempt: MoveAttempt, scene: Scene | None = None, sent: SentForm | None = None
) -> str:
    """Return the page; without a scene, the board shows the current position."""
    session, game, seat = here.visit.session, here.game, here.seat
    last = log.step(session, game, game.turn - 1)
    view = game_view.game_view(session, here.visit.action.sealer, game, seat, last)
    labels = [seat.label for seat in view.seats]
    shown = scene or _now(here, view)
    names = [seat.name for seat in view.seats]
    hint = None if seat is None else inquiries.hint_view(session, game, seat, owes=view.my_turn)
    course = _course(here, labels, shown.number)
    return render_template(
        "game.html",
        view=view,
        live=live_game(
            session,
            view,
            is_now=scene is None and here.has_begun,
            thinks=(hint and hint.is_awaited) or course["awaits_assessment"],
        ),
        **course,
        ratings=ratings_by_seat(session, game, view.seats),
        paused_seats=game_view.paused_seats(session, game, view, here.visit.action.now),
        scene=shown,
        attempt=attempt,
        sent=sent or SentForm(),
        buttons=_buttons(view),
        past=scene is not None and scene.move_form is None,
        hint=hint,
        lesson=_lesson(here) if scene is None or scene.move_form else None,
        following=None if seat is None else lists.next_turn(session, here.visit.player, here.number),
        rematch=_rematch(here),
        news=_news(here, names),
        numbers=history.nearest(session, game, shown.number),
        **_history(here, names, shown.number),
        credits=history.credits(session, game, labels, view.zone),
        longest_saying=LONGEST_MESSAGE,
        longest_conditions=LONGEST_CONDITIONS,
        notify_hint=how_to_write_addresses(),
        notified="" if seat is None else _notified(here, seat),
        questions=[] if seat is None else open_questions(here.visit, here.number),
        variations=kept_by_visitor(here),
        watched=_watched(here),
        **_spectator_messages(here),
        may_chat=seat is None and visitor() is not None and game.state == "running",
        misfit=entry_conditions.misfit(session, game, here.visit.player)
        if game.state == "open" and visitor()
        else "",
        start=early_start.view(session, game, None if visitor() is None else here.visit.player.id),
        thread=None if seat is None else _thread(here, labels, seat),
    )


def _buttons(view: GameView) -> list[ActionButton]:
    """Return the buttons of the actions that are possible now; none for a spectator."""
    if view.state != "running" or view.me is None or view.me.left:
        return []
    labels = {action: action.button(view) for action in GAME_ACTIONS if action.button is not None}
    return [ActionButton(action.name, label, bool(action.warning)) for action, label in labels.items() if label]


def _lesson(here: GameVisit) -> LessonView | None:
    """Return the lesson for the reader's turn in a guided game."""
    if here.seat is None or here.game.state != "running":
        return None
    return lesson_of(here.visit.session, here.game, here.seat, here.game.turn)


def _course(here: GameVisit, labels: Sequence[str], number: int) -> dict[str, Any]:
    """Return the analysis of a finished game; else whether the visitor can request one, or has done so."""
    session, game = here.visit.session, here.game
    found = inquiries.assessment_of(session, game)
    if found is not None:
        assessed = assessment_view(found, labels, game.result).thinned(_MOST_POINTS)
        return {"assessed": assessed, "curve": curve(assessed, number), "awaits_assessment": False}
    may_assess = visitor() is not None and game.state == "over" and game.turn > 1
    awaited = may_assess and inquiries.awaits_assessment(session, game, here.visit.player)
    return {"assessed": None, "may_assess": may_assess, "awaits_assessment": awaited}


def _rematch(here: GameVisit) -> int | None:
    """Return the number of the rematch that waits for the visitor's answer; None if there is none."""
    if here.seat is None or here.game.state != "over":
        return None
    return rematch.offer_to(here.visit.session, require_login().number, here.number)


def _notified(here: GameVisit, seat: int) -> str:
    return channels.in_words(here.visit.action, here.visit.session.get_one(Seat, (here.number, seat)))


def _watched(here: GameVisit) -> bool | None:
    """Return whether the visitor watches the game; None if they cannot."""
    who = visitor()
    if who is None or here.seat is not None or here.game.state != "running":
        return None
    return watching.watches_game(here.visit.session, who.number, here.game)


def _spectator_messages(here: GameVisit) -> dict[str, Any]:
    """Return the requested page of the spectator chat, as far as the visitor may see it."""
    page, visit, found, more = asked_page("spectator-messages"), here.visit, list[SpectatorMessageView](), False
    if visitor() is not None:
        found, more = chat.list_visible(
            visit.session, visit.action.sealer, here.game, visit.player, here.seat, page
        )
    return {"spectator_messages": found, "chat_page": page, "more_chat": more}


def _history(here: GameVisit, names: Sequence[str], number: int) -> dict[str, Any]:
    """Return the turns of the history around turn `number`, the latest first, and their page."""
    session, game = here.visit.session, here.game
    part = page_around(history.numbers_around(session, game, number, MOST_LINES + 1), number)
    lines = (
        history.lines(session, game, names, part.numbers[-1], part.numbers[0], here.seat)
        if part.numbers
        else []
    )
    return {"turns_page": part, "history": lines[::-1]}


def _thread(here: GameVisit, labels: Sequence[str], seat: int) -> ThreadView:
    """Return the requested page of the messages between the players."""
    visit = here.visit
    return history.thread(visit.session, visit.action.sealer, here.game, labels, seat, asked_page("messages"))


def kept_by_visitor(here: GameVisit) -> dict[int, Kept]:
    """Return the visitor's variations of the game by number."""
    return variations_of(here).all() if visitor() and here.has_begun else {}


def variations_of(here: GameVisit) -> Variations:
    """Return the store of the visitor's variations of the game. Raises LoginNeeded."""
    return Variations(here.visit.session, here.visit.action.sealer, here.game, require_login().number)


def past(here: GameVisit, number: int) -> Scene:
    """Return the board after turn `number`, 0 for the start; 404 for a turn that has not been played."""
    if not here.has_begun or not 0 <= number < here.game.turn:
        abort(404)
    played = _played(here, number)
    board = history.board_after(here.visit.session, here.game, number, here.seat)
    return Scene(_number_of(played), board, played)


def tried(here: GameVisit, attempt: MoveAttempt, turn: int) -> Scene:
    """Return the board after an attempt in the current turn. Raises Refused or WrongMove."""
    target, action, player = here.target(turn), here.visit.action, here.visit.player
    if attempt.move:
        choices = picking.choices_of(action, player, target, attempt.move)
    else:
        choices = picking.choices(action, player, target, attempt.picks)
    preview = None
    if choices.move:
        step = moves.preview(action, player, target, choices.move, attempt.conditions)
        preview = game_view.preview_view(here.game, target.seat, step)
        board = preview.board
    else:
        board = Board(log.rules_of(here.game), log.position_of(here.game), target.seat)
    played = _played(here, turn - 1)
    return Scene(_number_of(played), board, None if preview else played, preview, _move_form(here, choices))


def see(number: int, sight: Sight) -> None:
    """Note that the visitor has seen what the page showed."""
    with acting() as visit:
        locked(visit.session, Game, number)
        seat = at_game(visit, number).own_seat
        if seat is not None:
            read_markers.see(seat, sight)


def _news(here: GameVisit, names: Sequence[str]) -> list[TurnView]:
    """Return the turns that the reader has not seen, without their own moves; [] if there is only one."""
    seat = here.own_seat
    if seat is None or not seat.seen_turn:
        return []
    first = max(seat.seen_turn, here.game.turn - _MOST_NEWS)
    found = log.steps(here.visit.session, here.game, first)
    turns = [
        history.describe_turn(here.game, *turn, names, seat.number)
        for turn in found
        if set(turn[1].moves) != {seat.number}
    ]
    return turns if len(turns) > 1 else []


def _now(here: GameVisit, view: GameView) -> Scene:
    played, board = _played(here, view.turn - 1), view.board
    if here.seat is not None and here.has_begun:
        seat = here.seat
        board = replace(board, since=lambda: history.steps_since_own_move(here.visit.session, here.game, seat))
    return Scene(_number_of(played), board, played, move_form=_first_move_form(here, view))


def _first_move_form(here: GameVisit, view: GameView) -> MoveForm | None:
    """Return the move form without picks; None if it is not the reader's turn."""
    if here.seat is None or view.state != "running":
        return None
    if here.seat not in log.rules_of(here.game).to_move(log.position_of(here.game)):
        return None
    return move_form_of(here, view.turn, ())


def move_form_of(here: GameVisit, turn: int, picks: Sequence[str]) -> MoveForm:
    """Return the move form after these picks in the current turn. Raises Refused or WrongMove."""
    return _move_form(here, picking.choices(here.visit.action, here.visit.player, here.target(turn), picks))


def _move_form(here: GameVisit, choices: Choices) -> MoveForm:
    rules, position, seat = log.rules_of(here.game), log.position_of(here.game), here.target(0).seat
    examples = rules.examples(position, seat)
    return MoveForm(here.number, choices, examples, rules.simultaneous, meanings_of(rules, examples))


def _played(here: GameVisit, number: int) -> TurnView | None:
    return history.turn_view(here.visit.session, here.game, number, here.names(), here.seat)


def _number_of(played: TurnView | None) -> int:
    """Return the number of a turn; 0 for the start."""
    return 0 if played is None else played.number
