"""Updates of open pages: their script listens to a stream of changes, or polls.

A poll usually gets 304 (not modified). A stream has an event for each page that the browser shows: with its
version when the stream begins, and then with each new one.
"""

from dataclasses import dataclass

from flask import Blueprint, Response, abort, current_app, jsonify, request, session, url_for
from sqlmodel import Session
from werkzeug.exceptions import HTTPException

from server.game.views import versions
from server.game.views.game_view import GameView
from server.game.views.versions import PageVersion, Subject
from server.limits import MOST_PAGES_OF_STREAM
from server.store.db import reading
from server.web.game.page_streams import EXTENSION, PageStreams
from server.web.shared.streams import ASYNC_BODY, event_stream
from server.web.shared.visits import LoginNeeded, require_login, services, visitor

pages = Blueprint("live", __name__)

_FOR_A_COMPUTER, _FOR_PEOPLE, _FOR_ANYTHING = 2, 10, 60
"""Seconds between two polls, by what a page waits for. A response takes about a millisecond."""


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
    return _answer(("game", number))


@pages.get("/lobby/now")
def lobby() -> Response:
    """Return 304 while the lobby has not changed."""
    return _answer(("lobby", 0))


@pages.get("/tournaments/<int:number>/now")
def tournament(number: int) -> Response:
    """Return 304 while the page of a tournament has not changed."""
    return _answer(("tournament", number))


@pages.get("/games/now")
def games() -> Response:
    """Return 304 while the visitor's lists of games have not changed."""
    return _answer(("player", session.get("player") or 0))


@pages.get("/events")
def events() -> Response:
    """Return a stream of the versions of pages: each `page` in the query is a URL to poll.

    If the server does not keep streams, or too many are open, the browser has to poll.
    """
    streams: PageStreams = current_app.extensions[EXTENSION]
    if ASYNC_BODY not in request.environ:
        return Response(status=204)
    watched = request.args.getlist("page")[:MOST_PAGES_OF_STREAM]
    subjects = {page: subject for page in watched if (subject := _subject(page))}
    reader, login = _reader()
    stream = streams.open(subjects, reader, login, request.remote_addr or "")
    request.environ[ASYNC_BODY].append(stream)
    return event_stream(iter(()))


def live_game(transaction: Session, view: GameView, *, is_now: bool = False, thinks: bool = False) -> Live:
    """Return the polling data of a game's page, which shows the game as it is now or not.

    `thinks` if the computer works on a hint or an analysis.
    """
    version = versions.game_version(transaction, view.number, *_reader(), is_shown=is_now)
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


def _subject(page: str) -> Subject | None:
    """Return the subject of a URL to poll; None for other URLs."""
    try:
        endpoint, values = current_app.url_map.bind("").match(page)
    except HTTPException:
        return None
    match endpoint:
        case "live.game":
            return "game", values["number"]
        case "live.tournament":
            return "tournament", values["number"]
        case "live.games":
            return "player", session.get("player") or 0
        case "live.lobby":
            return "lobby", 0
    return None


def _answer(subject: Subject) -> Response:
    """Answer a poll for the player in the cookie; if their login has ended, as for any visitor."""
    reader = session.get("player"), session.get("login")
    with reading(services().engine) as transaction:
        version = versions.page_version(transaction, subject, *reader)
        if version is not None and reader[0] is not None and not version.is_reader:
            version = versions.page_version(transaction, subject, None, None)
    if version is None:
        if subject[0] == "player":
            raise LoginNeeded
        abort(404)
    if request.if_none_match.contains(version.tag):
        answer = Response(status=304)
    else:
        answer = jsonify(version=version.text, waiting=str(version.waiting))
    answer.set_etag(version.tag)
    return answer
