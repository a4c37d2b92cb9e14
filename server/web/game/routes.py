"""A game: its board, its history, and what its players do there."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlalchemy.exc import InterfaceError, OperationalError
from werkzeug.wrappers import Response

from rules.drawing import svg_board
from rules.errors import WrongMove
from server.errors import BadRequest, NotYours, Refused
from server.game.lobby import rematch
from server.game.log import log
from server.game.messages import extra_text, messages
from server.game.notifications import channels
from server.game.play import moves
from server.game.play.target import Target
from server.game.preferences import preferences
from server.limits import LONGEST_MESSAGE
from server.store.deferral import forget
from server.store.models import Seat
from server.web.game.move_form import MoveAttempt, sent_attempt
from server.web.game.move_input import meaning_part, prepared_part, refused, understood
from server.web.game.page import GameVisit, at_game, at_locked_game, game_page, move_form_of, past, see, tried
from server.web.shared.visits import PageResponse, Visit, acting, looking

pages = Blueprint("game", __name__, url_prefix="/games/<int:number>")


@pages.get("")
def show(number: int) -> PageResponse:
    """The game as it is now, after an earlier turn (`?turn=12`), or with a try (`?move=c4`, `?pick=c4`)."""
    with looking() as visit:
        here = at_game(visit, number)
        turn = request.args.get("turn", type=int)
        if turn is not None:
            return game_page(here, MoveAttempt(), past(here, turn))
        attempt = MoveAttempt(request.args.get("move", "").strip(), tuple(request.args.getlist("pick")))
        if (attempt.move or attempt.picks) and not log.rules_of(here.game).simultaneous:
            return _try(here, attempt, here.game.turn)
        page, unseen = game_page(here, MoveAttempt()), here.unseen
    if unseen is not None:
        # The page is ready: where that cannot be stored, it tells the same once more.
        with suppress(OperationalError, InterfaceError):
            see(number, unseen)
    return page


@pages.post("/try")
def attempt(number: int) -> PageResponse:
    """What a move or some picks would give; nothing is played. Sent, so that no address contains orders."""
    with looking() as visit:
        return _try(at_game(visit, number), sent_attempt(), _turn())


@pages.post("/meaning")
def meaning(number: int) -> str:
    """What a text means as a move, for who is writing it: a small part of the page, and nothing is played."""
    attempt, turn = MoveAttempt(request.form.get("text", "").strip()), _turn()
    with looking() as visit:
        here = at_game(visit, number)
        target = here.target(turn)
        if not attempt.text:
            return meaning_part(attempt)
        try:
            attempt = understood(here, turn, attempt)
            moves.preview(visit.action, visit.player, target, attempt.move, attempt.conditions)
        except (Refused, WrongMove) as problem:
            attempt = refused(here, turn, attempt, problem)
    return meaning_part(attempt)


@pages.get("/choices")
def choices(number: int) -> dict[str, Any] | tuple[dict[str, Any], int]:
    """What can be picked next (`?turn=3&pick=1&pick=ne`), for programs; our own pages send what is picked."""
    turn = request.args.get("turn", type=int)
    if turn is None:
        abort(400)
    with looking() as visit:
        here = at_game(visit, number)
        try:
            move_form = move_form_of(here, turn, request.args.getlist("pick"))
        except (Refused, WrongMove) as problem:
            return {"error": str(problem)}, 422
    found = move_form.choices
    return {
        "choices": [
            {"pick": pick.text, "place": pick.place, "label": pick.label, "group": pick.group}
            for pick in found.picks
        ],
        "picked": list(move_form.texts),
        "move": found.move,
        "marks": list(found.marks),
        "picture": svg_board(found.diagram, doors=move_form.doors, marks=found.marks),
    }


@pages.post("/move")
def move(number: int) -> PageResponse:
    """Play a move, or seal orders."""
    attempt, turn = sent_attempt(), _turn()
    try:
        with acting() as visit:
            here = at_locked_game(visit, number)
            target = here.target(turn)
            attempt = understood(here, turn, attempt)
            seat = visit.session.get_one(Seat, (target.game, target.seat))
            forget(visit.session, visit.action.sealer, seat)
            game = moves.submit(visit.action, visit.player, target, attempt.move, conditions=attempt.conditions)
            sealed = game.turn == target.turn
    except (Refused, WrongMove) as problem:
        return _again(number, partial(_refused, attempt=attempt, turn=turn, problem=problem))
    return _back(number, "Your orders are sealed." if sealed else f"Turn {target.turn} has been played.")


@pages.post("/conditions")
def prepare(number: int) -> PageResponse:
    """Keep conditional moves, or drop them."""
    prepared = sent_attempt()
    try:
        with _playing(number) as (visit, target):
            kept = moves.set_conditions(visit.action, visit.player, target, prepared.text)
    except NotYours:
        raise
    except Refused as problem:
        return _again(number, partial(game_page, attempt=MoveAttempt(), prepared=prepared.refused(problem)))
    return _back(
        number, "Your conditional moves are saved." if kept else "You have no conditional moves in this game."
    )


@pages.post("/conditions/meaning")
def conditions_meaning(number: int) -> str:
    """What conditional moves mean, for who is writing them: a small part of the page, and nothing is kept."""
    prepared = sent_attempt()
    with looking() as visit:
        target = at_game(visit, number).target(_turn())
        if prepared.text:
            try:
                kept = moves.preview_conditions(visit.action, visit.player, target, prepared.text)
                prepared = replace(prepared, meant="\n".join(kept))
            except Refused as problem:
                prepared = prepared.refused(problem)
    return prepared_part(prepared)


@pages.post("/withdraw")
def withdraw(number: int) -> Response:
    """Take one's sealed orders back."""
    with _playing(number) as (visit, target):
        moves.withdraw(visit.action, visit.player, target)
    return _back(number, "Your orders have been taken back.")


@pages.post("/say")
def say(number: int) -> PageResponse:
    """Say something to the other players, or note it for oneself."""
    # Browsers count a line end as one character, but send two.
    text = request.form.get("say", "").strip().replace("\r\n", "\n")
    if len(text) > LONGEST_MESSAGE:
        problem = f"That is too long: use at most {LONGEST_MESSAGE} characters."
        return _again(
            number, partial(game_page, attempt=MoveAttempt(), saying=MoveAttempt(text, problem=problem))
        )
    try:
        with acting() as visit:
            _talk(at_locked_game(visit, number), text)
    except BadRequest as problem:
        return _again(
            number, partial(game_page, attempt=MoveAttempt(), saying=MoveAttempt(text, problem=str(problem)))
        )
    return _back(number)


@pages.post("/again")
def play_again(number: int) -> Response:
    """Another game like this one, or the one that another player has proposed."""
    with acting() as visit:
        at_game(visit, number).target(0)
        following = rematch.again(visit.action, visit.player, number)
        begun, there = following.state == "running", log.id_of(following)
        at_locked_game(visit, there)
    flash("The rematch begins." if begun else "Your challenge is on its way.")
    return redirect(url_for("game.show", number=there), 303)


@pages.post("/words")
def send_or_drop_text(number: int) -> Response:
    """Send the words that were written beside a move by mail, or drop them."""
    sends, seen = request.form.get("way") == extra_text.SEND, request.form.get("seen", "")
    with acting() as visit:
        here = at_locked_game(visit, number)
        seat = visit.session.get_one(Seat, (number, here.target(here.game.turn).seat))
        if sends:
            extra_text.send(visit.action, here.game, seat, seen)
        else:
            extra_text.drop(visit.action, seat, seen)
    return _back(number, "What you wrote has been sent." if sends else "What you wrote has been dropped.")


@pages.post("/draw")
def draw(number: int) -> Response:
    """Offer a draw, or accept the one that is offered."""
    with _playing(number) as (visit, target):
        game = moves.offer_draw(visit.action, visit.player, target)
        agreed = game.state == "over"
    return _back(
        number,
        "The draw has been agreed." if agreed else "Your offer of a draw stands until the next turn is over.",
    )


@pages.post("/undo")
def undo(number: int) -> Response:
    """Ask to take one's last move back, or agree that another player takes back theirs."""
    with _playing(number) as (visit, target):
        game = moves.undo(visit.action, visit.player, target)
        taken_back = game.turn != target.turn
    return _back(
        number,
        "The move has been taken back."
        if taken_back
        else "The move will be taken back once all the others agree.",
    )


@pages.post("/claim")
def claim(number: int) -> Response:
    """Claim the game from those who are out of time."""
    with _playing(number) as (visit, target):
        moves.claim(visit.action, visit.player, target)
    return _back(number, "You have claimed the game.")


@pages.post("/give")
def give(number: int) -> Response:
    """Give the others a day more."""
    with _playing(number) as (visit, target):
        moves.give_time(visit.action, visit.player, target, "1d")
    return _back(number, "You have given one more day.")


@pages.post("/mute")
def mute(number: int) -> PageResponse:
    """No mail about this game for some days, or mail again."""
    days = request.form.get("days", "").strip()
    try:
        with acting() as visit:
            here = at_locked_game(visit, number)
            seat = visit.session.get_one(Seat, (number, here.target(here.game.turn).seat))
            sentence = preferences.mute(
                visit.action, here.game, seat, visit.player, "off" if "off" in request.form else f"{days}d"
            )
    except BadRequest as problem:
        return _again(number, partial(game_page, attempt=MoveAttempt(), mute_problem=str(problem)))
    return _back(number, sentence)


@pages.post("/notify")
def notify(number: int) -> PageResponse:
    """Have one's turns in this game told in a channel of another service, or in none of its own."""
    where = request.form.get("where", "").strip()
    try:
        with acting() as visit:
            here = at_locked_game(visit, number)
            seat = visit.session.get_one(Seat, (number, here.target(here.game.turn).seat))
            sentence = channels.choose(visit.action, seat, where)
    except BadRequest as problem:
        notifying = MoveAttempt(where, problem=str(problem))
        return _again(number, partial(game_page, attempt=MoveAttempt(), notifying=notifying))
    return _back(number, sentence)


@pages.get("/resign")
def ask_to_resign(number: int) -> str:
    """Ask whether they really mean it."""
    with looking() as visit:
        here = at_game(visit, number)
        here.target(here.game.turn)
        return render_template(
            "resign.html", number=number, title=log.rules_of(here.game).title, turn=here.game.turn
        )


@pages.post("/resign")
def resign(number: int) -> Response:
    """Give the game up."""
    with _playing(number) as (visit, target):
        moves.resign(visit.action, visit.player, target)
    return _back(number, "You have resigned.")


@pages.get("/record.json")
def record(number: int) -> Response:
    """The game as a record: the turns that are over, for everybody."""
    with looking() as visit:
        here = at_game(visit, number)
        if not here.has_begun:
            abort(404)
        written = log.record(visit.session, here.game).to_json()
    response = Response(written, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="nabu-{number}.json"'
    return response


def _talk(here: GameVisit, text: str) -> None:
    """Note a text, or say it to all or to the one seat that the form names."""
    action, game, seat = here.visit.action, here.game, here.target(here.game.turn).seat
    messages.check_amount(action, game, seat)
    if "private" in request.form:
        messages.keep(action, game, seat, text, private=True)
        return
    if request.form.get("to"):
        listener = request.form.get("to", type=int)
        if listener not in messages.listeners(game, log.seats(here.visit.session, game), seat):
            abort(400)
        messages.tell(action, game, seat, listener, text)
    else:
        messages.say(action, game, seat, text)
    if messages.has_said_much(action, game, seat):
        flash(messages.SAID_MUCH)


def _try(here: GameVisit, attempt: MoveAttempt, turn: int) -> PageResponse:
    try:
        attempt = understood(here, turn, attempt)
        return game_page(here, attempt, tried(here, attempt, turn))
    except (Refused, WrongMove) as problem:
        return _refused(here, attempt, turn, problem), 422


def _refused(here: GameVisit, attempt: MoveAttempt, turn: int, problem: Exception) -> str:
    return game_page(here, refused(here, turn, attempt, problem))


@contextmanager
def _playing(number: int) -> Iterator[tuple[Visit, Target]]:
    """A visit that makes one change, and where it is made: in the visitor's seat, in the form's turn."""
    with acting() as visit:
        yield visit, at_locked_game(visit, number).target(_turn())


def _again(number: int, page: Callable[[GameVisit], str]) -> PageResponse:
    """The page again, with what was sent and what is wrong with it."""
    with looking() as visit:
        return page(at_game(visit, number)), 422


def _turn() -> int:
    """The turn that the sent form is about."""
    turn = request.form.get("turn", type=int)
    if turn is None:
        abort(400)
    return turn


def _back(number: int, sentence: str = "") -> Response:
    """Show the page of the game, with a sentence about what was done."""
    if sentence:
        flash(sentence)
    return redirect(url_for("game.show", number=number), 303)
