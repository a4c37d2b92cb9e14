"""A game's page, put together from what its reader may see."""

from dataclasses import dataclass, field

from flask import abort, render_template, url_for

from rules.drawing.diagram import Diagram
from server.errors import NotYours
from server.game import history, lobby, log, play, views
from server.game.boards import Board
from server.game.history import TurnView
from server.game.target import Target
from server.game.views import GameView, PreviewView
from server.limits import LONGEST_CONDITIONS, LONGEST_PRESS
from server.store.db import locked
from server.store.models import Game, Seat
from server.web.desk import Attempt, choices, links
from server.web.questions import open_questions
from server.web.visits import Visit, require_login, visitor


@dataclass(frozen=True)
class GameVisit:
    """A game, and the seat of the person looking at it; None for a spectator."""

    visit: Visit
    game: Game
    seat: int | None

    @property
    def number(self) -> int:
        """Of the game."""
        return log.identity(self.game)

    @property
    def has_begun(self) -> bool:
        """Whether all have accepted."""
        return log.has_begun(self.game)

    def target(self, turn: int) -> Target:
        """Where the reader acts if they mean this turn; raises LoginNeeded or NotYours for a spectator."""
        require_login()
        if self.seat is None:
            raise NotYours(f"You have no seat in game {self.number}.")
        return Target(self.number, self.seat, turn)


@dataclass(frozen=True)
class Scene:
    """What the board shows: the game after turn `number`, 0 for the start, or a move that is only tried."""

    number: int
    board: Board
    played: TurnView | None = None
    """The turn that led to it."""
    preview: PreviewView | None = None
    links: dict[str, str] = field(default_factory=dict)
    """Places that can be played, with the address that tries it."""


def at_game(visit: Visit, number: int) -> GameVisit:
    """The game for the visitor; 404 if there is none, and for other people's games that have not begun."""
    game = visit.session.get(Game, number)
    if game is None:
        abort(404)
    seat = lobby.seat_of(visit.session, game, visit.player) if visitor() else None
    here = GameVisit(visit, game, seat)
    if seat is None and not here.has_begun:
        abort(404)
    return here


def at_locked_game(visit: Visit, number: int) -> GameVisit:
    """The same for changing something: nobody else does anything in the game until the visit ends.

    Who has a seat in it is at the page from then on, and for a while is not mailed what they see there.
    """
    locked(visit.session, Game, number)
    here = at_game(visit, number)
    if here.seat is not None:
        visit.session.get_one(Seat, (number, here.seat)).page_at = visit.action.now
    return here


def game_page(
    here: GameVisit,
    attempt: Attempt,
    scene: Scene | None = None,
    *,
    prepared: Attempt | None = None,
    saying: Attempt | None = None,
    mute_problem: str = "",
) -> str:
    """The page; without a scene the board shows the game as it is now.

    `prepared` are conditional moves that could not be kept, `saying` is what could not be said.
    """
    session, game, seat = here.visit.session, here.game, here.seat
    last = log.step(session, game, game.turn - 1)
    view = views.game_view(session, here.visit.action.sealer, game, seat, last)
    labels = [seat.label for seat in view.seats]
    return render_template(
        "game.html",
        view=view,
        standing_still=views.standing_still(session, game, view, here.visit.action.now),
        scene=scene or _now(here, view),
        attempt=attempt,
        prepared=prepared or Attempt("\n".join(view.my_conditions)),
        past=scene is not None and scene.preview is None,
        choices=None if seat is None else choices(game, seat),
        history=history.lines(session, game, [seat.name for seat in view.seats])[::-1],
        credits=history.credits(session, game, labels, view.zone),
        longest_saying=LONGEST_PRESS,
        longest_conditions=LONGEST_CONDITIONS,
        saying=saying or Attempt(),
        mute_problem=mute_problem,
        questions=[] if seat is None else open_questions(here.visit, here.number),
        press=[] if seat is None else history.press_of(session, here.visit.action.sealer, game, labels, seat),
    )


def past(here: GameVisit, number: int) -> Scene:
    """The board after turn `number`, from 0, the start; 404 for a turn that has not been played."""
    if not here.has_begun or not 0 <= number < here.game.turn:
        abort(404)
    played = _played(here, number)
    board = history.board_after(here.visit.session, here.game, number, here.seat)
    return Scene(_number_of(played), board, played)


def tried(here: GameVisit, attempt: Attempt, turn: int) -> Scene:
    """The board that the attempt would give, if the turn is still to be played; raises Refused or WrongMove."""
    target = here.target(turn)
    step = play.preview(here.visit.action, here.visit.player, target, attempt.move)
    preview = views.preview_view(here.game, target.seat, step)
    return Scene(
        number=_number_of(_played(here, turn - 1)),
        board=preview.board,
        preview=preview,
        links=_links(here, preview.board.diagram, preview.move),
    )


def _now(here: GameVisit, view: GameView) -> Scene:
    played = _played(here, view.turn - 1)
    to_move = view.my_turn and not view.simultaneous
    return Scene(
        number=_number_of(played),
        board=view.board,
        played=played,
        links=_links(here, view.board.diagram, "") if to_move else {},
    )


def _played(here: GameVisit, number: int) -> TurnView | None:
    session, game = here.visit.session, here.game
    names = [player.name for _, player in log.seats(session, game)]
    return history.turn_view(session, game, number, names)


def _number_of(played: TurnView | None) -> int:
    """The number of a turn; 0 for the start."""
    return 0 if played is None else played.number


def _links(here: GameVisit, diagram: Diagram, written: str) -> dict[str, str]:
    if here.seat is None:
        return {}
    return links(here.game, here.seat, diagram, written, url_for("game.show", number=here.number))
