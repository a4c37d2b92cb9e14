"""Whether open pages still show what is so: they ask again and again, and mostly get an empty answer."""

from dataclasses import dataclass

from flask import Blueprint, Response, abort, jsonify, request, session, url_for
from sqlmodel import Session

from server.game.views import freshness
from server.game.views.freshness import Mark
from server.game.views.game_view import GameView
from server.web.shared.visits import LoginNeeded, require_login, services, visitor

pages = Blueprint("live", __name__)

_FOR_A_COMPUTER, _FOR_PEOPLE, _FOR_ANYTHING = 2, 10, 60
"""Seconds between two looks, by what a page waits for. An answer takes a millisecond: see `nabu bench web`."""


@dataclass(frozen=True)
class Live:
    """What an open page needs to look for news of itself."""

    page: str
    """Its address."""
    now: str
    """Where it asks."""
    mark: Mark
    every: int
    """Seconds between two looks."""
    state: str = ""
    """Of the game: when it changes, the page is another."""


@pages.get("/games/<int:number>/now")
def game(number: int) -> Response:
    """For the page of a game: 304 while nothing on it has changed (`If-None-Match`: the mark that it has)."""
    with services().engine.connect() as connection:
        mark = freshness.of_game(connection, number, session.get("player"), session.get("login"))
        if mark is not None and "player" in session and not mark.is_reader:
            mark = freshness.of_game(connection, number, None, None)
    return _answer(mark or abort(404))


@pages.get("/games/now")
def games() -> Response:
    """The same for the visitor's lists of games."""
    if "player" not in session:
        raise LoginNeeded
    with services().engine.connect() as connection:
        mark = freshness.of_lists(connection, session["player"], session["login"])
    if not mark.is_reader:
        raise LoginNeeded
    return _answer(mark)


def live_game(transaction: Session, view: GameView, *, thinks: bool = False) -> Live:
    """For the page that shows a game; `thinks` says whether the computer thinks about it for the reader."""
    who = visitor()
    reader = (None, None) if who is None else (who.number, who.login)
    mark = freshness.of_game(transaction.connection(), view.number, *reader)
    awaited = [seat.computer for seat in view.waiting_for]
    every = _FOR_ANYTHING if view.state != "running" else _FOR_PEOPLE
    if thinks or any(awaited):
        every = _FOR_A_COMPUTER
    page, now = (url_for(name, number=view.number) for name in ("game.show", "live.game"))
    return Live(page, now, mark or abort(404), every, view.state)


def live_games(transaction: Session) -> Live:
    """For the page that shows lists of games."""
    who = require_login()
    mark = freshness.of_lists(transaction.connection(), who.number, who.login)
    return Live(url_for("games.mine"), url_for("live.games"), mark, _FOR_PEOPLE)


def _answer(mark: Mark) -> Response:
    if request.if_none_match.contains(mark.text):
        answer = Response(status=304)
    else:
        answer = jsonify(waiting=mark.waiting)
    answer.set_etag(mark.text)
    return answer
