"""The analysis board: moves for all seats from any turn of a game, neither played nor stored."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from rules.errors import IllegalMove, WrongMove
from rules.line import Line, roll
from rules.pressing import pressed
from rules.sentences import SeatNames
from server.errors import BadRequest, Refused
from server.game.log import log
from server.game.play import conditional_moves, moves
from server.game.terms.wording import meanings_of, result_text
from server.game.views import history
from server.game.views.boards import Board, wants_words
from server.limits import LONGEST_LINE, MOST_PARTS
from server.store.models import Seat
from server.web.game.game_visit import GameVisit, at_game, at_locked_game
from server.web.game.move_form import MoveAttempt, MoveForm, turn_meant
from server.web.game.move_input import Reader, meaning_part
from server.web.game.page_side import kept_by_visitor
from server.web.shared.visits import PageResponse, acting, looking, visitor

pages = Blueprint("analysis", __name__, url_prefix="/games/<int:number>/analysis")


_NOTHING = MoveAttempt()


@pages.get("")
def begin(number: int) -> str:
    """Show the board after a turn (`?turn=12`), by default the latest, without any tried moves."""
    with looking() as visit:
        here = at_game(visit, number)
        turn = request.args.get("turn", here.game.turn - 1, type=int)
        line = start(here, turn)
        if turn == here.game.turn - 1 and here.game.rolled:
            line = line.then(roll(here.game.rolled))
        return board_page(here, turn, line)


@pages.post("")
def go_on(number: int) -> PageResponse:
    """Show the submitted line after a pick, a written move or a step back.

    It is a POST request because the line may contain secret orders, and URLs are logged.
    """
    parts, picks = request.form.getlist("part"), request.form.getlist("pick")
    if "cut" in request.form:
        parts, picks = parts[: request.form.get("cut", 0, type=int)], []
    elif "back" in request.form:
        parts, picks = (parts, picks[:-1]) if picks else (parts[:-1], [])
    attempt = MoveAttempt(request.form.get("text", "").strip(), place=request.form.get("place", ""))
    with looking() as visit:
        here, turn = at_game(visit, number), turn_meant()
        line = start(here, turn)
        try:
            line = line.follow(parts[:MOST_PARTS])
            attempt, picks = _pressed(line, attempt, picks)
            if part := _written(here, line, attempt).meant or _picked(line, picks):
                line, picks = _longer(line, part), []
        except WrongMove as problem:
            return board_page(here, turn, line, attempt=_refused(here, line, attempt, problem)), 422
        return board_page(here, turn, line, picks, attempt if attempt.problem else _NOTHING)


@pages.post("/meaning")
def meaning(number: int) -> str:
    """Return the part of the page with the meaning of a text as the next move of the line."""
    attempt = MoveAttempt(request.form.get("text", "").strip())
    with looking() as visit:
        here = at_game(visit, number)
        line = start(here, turn_meant())
        try:
            line = line.follow(request.form.getlist("part")[:MOST_PARTS])
            attempt = _written(here, line, attempt)
            if attempt.meant:
                _longer(line, attempt.meant)
        except WrongMove as problem:
            attempt = _refused(here, line, attempt, problem)
    return meaning_part(attempt)


@pages.post("/answer")
def answer(number: int) -> Response | PageResponse:
    """Save the line as conditional moves, in addition to existing ones that do not contradict it."""
    parts, turn = request.form.getlist("part"), turn_meant()
    try:
        with acting() as visit:
            here = at_locked_game(visit, number)
            target = here.target(turn + 1)
            if len(parts) < 2:
                raise BadRequest(
                    "There are no conditional moves to save yet: try your opponent's move, then your answer."
                )
            seat = visit.session.get_one(Seat, (number, target.seat))
            ways = conditional_moves.with_way(
                conditional_moves.load_moves(visit.action.sealer, seat), tuple(parts)
            )
            text = "\n".join(conditional_moves.write(ways))
            moves.set_conditions(visit.action, visit.player, target, text)
    except Refused as problem:
        return refused_page(number, turn, parts, problem)
    flash("Your conditional moves are saved.")
    return redirect(url_for("game.show", number=number), 303)


def _pressed(line: Line[Any, Any], attempt: MoveAttempt, picks: list[str]) -> tuple[MoveAttempt, list[str]]:
    """Return the attempt and the picks after the press on a place, with the reason if it cannot be picked."""
    if not attempt.place or line.seat is None:
        return attempt, picks
    try:
        return attempt, list(pressed(line.rules, line.position, line.seat, picks, attempt.place))
    except IllegalMove as problem:
        return attempt.refused(problem), picks


def _picked(line: Line[Any, Any], picks: Sequence[str]) -> str:
    """Return the part that the picks make, if they are complete or the visitor plays them; else ""."""
    choices = line.choices(picks)
    return choices.move if "play" in request.form or not choices.picks else ""


def _written(here: GameVisit, line: Line[Any, Any], attempt: MoveAttempt) -> MoveAttempt:
    """Return the attempt with the part that its text means. Raises WrongMove."""
    if attempt.conditions:
        raise IllegalMove("Write one move at a time: your opponent's, then your answer to it.")
    reader = _reader(here, line)
    if reader is None or not attempt.text:
        return replace(attempt, meant=attempt.text)
    return reader.read(attempt)


def _refused(here: GameVisit, line: Line[Any, Any], attempt: MoveAttempt, problem: Exception) -> MoveAttempt:
    reader = _reader(here, line)
    return attempt.refused(problem) if reader is None else reader.refused(attempt, problem)


def _reader(here: GameVisit, line: Line[Any, Any]) -> Reader | None:
    """Return a reader for the next move of the line; None if dice come next or the game is over."""
    return None if line.seat is None else Reader(line.rules, line.position, line.seat, here.names)


def _longer(line: Line[Any, Any], part: str) -> Line[Any, Any]:
    if len(line.parts) >= MOST_PARTS:
        raise IllegalMove(f"A line can have at most {MOST_PARTS} moves and rolls.")
    return line.then(part)


def start(here: GameVisit, turn: int) -> Line[Any, Any]:
    """Return the empty line after a turn, before dice are rolled for the next; 404 for a turn not played."""
    if not here.has_begun or not 0 <= turn < here.game.turn:
        abort(404)
    board = history.board_after(here.visit.session, here.game, turn, here.seat)
    return Line(log.rules_of(here.game), board.position)


def refused_page(
    number: int, turn: int, parts: Sequence[str], problem: Exception, comment: str = ""
) -> tuple[str, int]:
    """Return the board with the legal beginning of a line that cannot be kept, and the reason."""
    with looking() as visit:
        here = at_game(visit, number)
        line = start(here, turn)
        with suppress(WrongMove):
            for part in parts[:MOST_PARTS]:
                line = line.then(part)
        return board_page(here, turn, line, attempt=MoveAttempt(problem=str(problem)), comment=comment), 422


def board_page(
    here: GameVisit,
    turn: int,
    line: Line[Any, Any],
    picks: Sequence[str] = (),
    attempt: MoveAttempt = _NOTHING,
    *,
    opened: int | None = None,
    comment: str = "",
) -> str:
    """Return the page with the board and the visitor's variations.

    `opened` is the number of the variation on the board, `comment` the text in the field for a comment.
    """
    rules, number = line.rules, here.number
    titles = rules.titles(line.position) or rules.seats(here.game.options)
    players = here.names()
    names = [f"{name} ({title})" for name, title in zip(players, titles, strict=True)]
    last, examples = line.steps[-1] if line.steps else None, _examples(line)
    return render_template(
        "analysis.html",
        number=number,
        title=rules.title,
        turn=turn,
        parts=line.parts,
        move_form=MoveForm(
            number, line.choices(picks), examples, secret=True, meanings=meanings_of(rules, examples)
        ),
        words=Board(rules, line.position, here.seat, step=last).words,
        story=() if last is None else tuple(rules.story(last, SeatNames(players, here.seat))),
        players=players,
        mover="" if line.seat is None else names[line.seat],
        simultaneous=rules.simultaneous,
        result="" if line.result is None else result_text(rules, line.result.to_json(), names),
        attempt=attempt,
        in_words=visitor() is not None and wants_words(here.visit.player),
        opened=opened,
        comment=comment,
        longest_comment=LONGEST_LINE,
        variations=kept_by_visitor(here),
        may_answer=_may_answer(here, turn, line),
    )


def _examples(line: Line[Any, Any]) -> tuple[str, ...]:
    """Return examples of how to write the next move or roll."""
    if line.seat is None:
        return tuple(pick.text for pick in line.choices().picks[:1])
    return line.rules.examples(line.position, line.seat)


def _may_answer(here: GameVisit, turn: int, line: Line[Any, Any]) -> bool:
    """Return whether the reader can keep the line as conditional moves."""
    if here.seat is None or here.game.state != "running" or turn != here.game.turn - 1:
        return False
    rules, position = line.rules, log.position_of(here.game)
    alone = not rules.simultaneous and here.game.rolled is None
    return alone and len(line.parts) > 1 and rules.to_move(position) == (1 - here.seat,)
