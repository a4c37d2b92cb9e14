"""The page of a game, assembled from views of what its reader may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from flask import abort, render_template, request

from rules.drawing.diagram import Diagram
from rules.move_builder import Choices
from server.actions.play import CLAIM
from server.actions.registry import GAME_ACTIONS
from server.game.computer.lessons import LessonView, lesson_of
from server.game.lobby import early_start, entry_conditions, rematch
from server.game.log import log
from server.game.play import moves, picking
from server.game.spectators import watching
from server.game.terms.wording import meanings_of
from server.game.views import game_view, history, lists, read_markers
from server.game.views.boards import Board
from server.game.views.game_view import GameView, PreviewView
from server.game.views.history import TurnView
from server.game.views.read_markers import Sight
from server.store.db import locked
from server.store.models import Game
from server.web.game import page_side
from server.web.game.game_visit import GameVisit, at_game
from server.web.game.move_form import MoveAttempt, MoveForm
from server.web.shared.sender_confirmation import open_questions
from server.web.shared.visits import acting, require_login, visitor

PARTS_HEADER = "Nabu-Parts"
"""The header in which `parts.js` names the sorts of parts that it shows: "part", or "part,live" for all.

With "part", the response has only these parts; with any other value, and without the header, it is the
complete page.
"""
_MOST_NEWS = 12
"""The largest number of turns under “Since your last visit”."""


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
            if self.move_form and self.move_form.choices.is_begun
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
    answers: bool
    """Whether it answers another player: an offer, a request, or time that has run out."""


def game_page(
    here: GameVisit, attempt: MoveAttempt, scene: Scene | None = None, sent: SentForm | None = None
) -> str:
    """Return the page; without a scene, the board shows the current position.

    A script that has changed only the picks or the turn on the board gets only the parts that change then.
    """
    session, game, seat = here.visit.session, here.game, here.seat
    last = log.step(session, game, game.turn - 1)
    view = game_view.game_view(session, here.visit.action.sealer, game, seat, last)
    shown = scene or _now(here, view)
    parts_only = request.headers.get(PARTS_HEADER) == "part"
    return render_template(
        "game.html",
        parts_only=parts_only,
        view=view,
        scene=shown,
        attempt=attempt,
        sent=sent or SentForm(),
        buttons=_action_buttons(view),
        past=scene is not None and scene.move_form is None,
        lesson=_lesson(here) if scene is None or scene.move_form else None,
        following=None if seat is None else lists.next_turn(session, here.visit.player, here.number),
        rematch=_rematch(here),
        news=_news(here),
        numbers=history.nearest(session, game, shown.number),
        questions=[] if seat is None else open_questions(here.visit, here.number),
        watched=_watched(here),
        misfit=entry_conditions.misfit(session, game, here.visit.player)
        if game.state == "open" and visitor()
        else "",
        start=early_start.view(session, game, None if visitor() is None else here.visit.player.id),
        **({} if parts_only else page_side.content(here, view, shown.number, is_now=scene is None)),
    )


def _action_buttons(view: GameView) -> list[ActionButton]:
    """Return the buttons of the actions that are possible now; none for a spectator."""
    if view.state != "running" or view.me is None or view.me.left:
        return []
    others = [seat for seat in view.seats if seat.number != view.me.number and not seat.left]
    answers = {CLAIM.name, *(name for seat in others for name in seat.proposals)}
    labels = {action: action.button(view) for action in GAME_ACTIONS if action.button is not None}
    return [
        ActionButton(action.name, label, bool(action.warning), action.name in answers)
        for action, label in labels.items()
        if label
    ]


def _lesson(here: GameVisit) -> LessonView | None:
    """Return the lesson for the reader's turn in a guided game."""
    if here.seat is None or here.game.state != "running":
        return None
    return lesson_of(here.visit.session, here.game, here.seat, here.game.turn)


def _rematch(here: GameVisit) -> int | None:
    """Return the number of the rematch that waits for the visitor's answer; None if there is none."""
    if here.seat is None or here.game.state != "over":
        return None
    return rematch.offer_to(here.visit.session, require_login().number, here.number)


def _watched(here: GameVisit) -> bool | None:
    """Return whether the visitor watches the game; None if they cannot."""
    who = visitor()
    if who is None or here.seat is not None or here.game.state != "running":
        return None
    return watching.watches_game(here.visit.session, who.number, here.game)


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


def _news(here: GameVisit) -> list[TurnView]:
    """Return the turns that the reader has not seen, without their own moves; [] if there is only one."""
    seat = here.own_seat
    if seat is None or not seat.seen_turn or seat.seen_turn >= here.game.turn - 1:
        return []
    first, names = max(seat.seen_turn, here.game.turn - _MOST_NEWS), here.names()
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
    return _move_form_of(here, view.turn, ())


def _move_form_of(here: GameVisit, turn: int, picks: Sequence[str]) -> MoveForm:
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
