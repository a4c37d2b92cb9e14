"""Updates of open pages: their script polls these URLs, and usually gets 304 (not modified)."""

from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint, Response, abort, jsonify, request, session, url_for
from sqlmodel import Session

from server.game.views import versions
from server.game.views.game_view import GameView
from server.game.views.versions import PageVersion
from server.store.db import reading
from server.web.shared.visits import LoginNeeded, require_login, services, visitor

pages = Blueprint("live", __name__)

_FOR_A_COMPUTER, _FOR_PEOPLE, _FOR_ANYTHING = 2, 10, 60
"""Seconds between two polls, by what a page waits for. A response takes a millisecond: see `nabu bench web`."""
_Ask = Callable[[Session, int | None, int | None], PageVersion | None]
"""A function that returns the version of a page for a player and a login, or for a visitor without a login."""


@dataclass(frozen=True)
class Live:
    """The data that an open page needs to poll for changes."""

    page: str
    """The URL of the page."""
    now: str
    """The URL to poll."""
    version: PageVersion
    every: int
    """Seconds between two polls."""
    state: str = ""
    """The state of the game: when it changes, the script reloads the whole page."""


@pages.get("/games/<int:number>/now")
def game(number: int) -> Response:
    """Return 304 while the page of a game has not changed since the version in `If-None-Match`."""
    return _answer(lambda transaction, *reader: versions.game_version(transaction, number, *reader))


@pages.get("/lobby/now")
def lobby() -> Response:
    """Return 304 while the lobby has not changed."""
    return _answer(versions.lobby_version)


@pages.get("/tournaments/<int:number>/now")
def tournament(number: int) -> Response:
    """Return 304 while the page of a tournament has not changed."""
    return _answer(lambda transaction, *reader: versions.tournament_version(transaction, number, *reader))


@pages.get("/games/now")
def games() -> Response:
    """Return 304 while the visitor's lists of games have not changed."""
    return _answer(_of_lists)


def live_game(transaction: Session, view: GameView, *, thinks: bool = False) -> Live:
    """Return the polling data of a game's page; `thinks` if the computer works on a hint or an analysis."""
    version = versions.game_version(transaction, view.number, *_reader())
    awaited = [seat.computer for seat in view.waiting_for]
    every = _FOR_ANYTHING if view.state != "running" else _FOR_PEOPLE
    if thinks or any(awaited):
        every = _FOR_A_COMPUTER
    page, now = (url_for(name, number=view.number) for name in ("game.show", "live.game"))
    return Live(page, now, version or abort(404), every, view.state)


def live_games(transaction: Session) -> Live:
    """Return the polling data of the page with the visitor's games."""
    who = require_login()
    version = versions.lists_version(transaction, who.number, who.login)
    return Live(url_for("games.mine"), url_for("live.games"), version, _FOR_PEOPLE)


def live_lobby(transaction: Session) -> Live:
    """Return the polling data of the first page of the lobby."""
    version = versions.lobby_version(transaction, *_reader())
    return Live(url_for("lobby.show"), url_for("live.lobby"), version, _FOR_PEOPLE)


def live_tournament(transaction: Session, number: int) -> Live:
    """Return the polling data of the page of a tournament."""
    version = versions.tournament_version(transaction, number, *_reader())
    page, now = request.full_path.removesuffix("?"), url_for("live.tournament", number=number)
    return Live(page, now, version or abort(404), _FOR_ANYTHING)


def _reader() -> tuple[int, int] | tuple[None, None]:
    """Return the visitor's number and login."""
    who = visitor()
    return (None, None) if who is None else (who.number, who.login)


def _of_lists(transaction: Session, player: int | None, login: int | None) -> PageVersion:
    if player is None or login is None:
        raise LoginNeeded
    return versions.lists_version(transaction, player, login)


def _answer(ask: _Ask) -> Response:
    """Answer a poll for the player in the cookie; if their login has ended, as for any visitor."""
    reader = session.get("player"), session.get("login")
    with reading(services().engine) as transaction:
        version = ask(transaction, *reader)
        if version is not None and reader[0] is not None and not version.is_reader:
            version = ask(transaction, None, None)
    if version is None:
        abort(404)
    if request.if_none_match.contains(version.text):
        answer = Response(status=304)
    else:
        answer = jsonify(waiting=version.waiting)
    answer.set_etag(version.text)
    return answer
