"""Private URLs for other programs: a feed of turns and results, and a calendar of deadlines.

Anyone who knows a URL can read it. It contains no moves and no messages, and its player can change it at any
time. The libraries that write them need 4 MB and are imported with the first request.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from flask import Blueprint, abort, request
from sqlmodel import select
from werkzeug.wrappers import Response

from server.accounts import access, players
from server.clock.moments import write_moment
from server.errors import BadRequest
from server.game.views import lists
from server.game.views.lists import GameRowView
from server.store.models import Player
from server.web.shared.browser_names import here
from server.web.shared.colour_scheme import address
from server.web.shared.fresh_login import check_fresh, is_fresh
from server.web.shared.visits import Visit, acting, done, looking, services

if TYPE_CHECKING:
    from icalendar import Event

pages = Blueprint("feeds", __name__)

_MOST = {"turns": 60, "invitations": 20, "finished": 20}
"""The number of games of each list; turns with the earliest deadlines first."""
_KEY = 24
"""Bytes."""
_RENEWED = "Your feed and your calendar have new private addresses. Enter them in your programs."


@pages.get("/feeds/<secret>/games.atom")
def atom(secret: str) -> Response:
    """Return an entry for each turn and invitation that waits for the player, and for each finished game.

    The IDs of the entries depend on the player, because feed readers with several users merge equal IDs.
    """
    from feedgen.feed import FeedGenerator

    with looking() as visit:
        player, rows = _known(visit, secret, _MOST)
        feed = FeedGenerator()
        own = sha256(secret.encode()).hexdigest()[:16]
        feed.id(address("games.mine", feed=own))
        feed.title(f"{player.name}'s games")
        feed.author(name="Nabu")
        feed.link(href=address("games.mine"), rel="alternate")
        feed.updated(max((row.since for row in rows), default=player.created_at))
        for row in rows:
            entry, shown_at = feed.add_entry(order="append"), address("game.show", number=row.number)
            entry.id(f"{shown_at}?turn={row.turn}&state={row.state}&feed={own}")
            entry.title(f"{_heading(row)}: {_game(row)}")
            entry.updated(row.since)
            entry.link(href=shown_at)
            entry.content(_sentence(row, players.zone(player)))
        return _answer(feed.atom_str(pretty=True), "application/atom+xml")


@pages.get("/feeds/<secret>/deadlines.ics")
def calendar(secret: str) -> Response:
    """Return an event at the deadline of each move that the player has to make."""
    from icalendar import Calendar

    with looking() as visit:
        player, rows = _known(visit, secret, {"turns": _MOST["turns"]})
        found = Calendar()
        found.add("prodid", "-//Nabu//Deadlines//EN")
        found.add("version", "2.0")
        found.add("x-wr-calname", f"{player.name}'s moves")
        for row in rows:
            if row.due is not None:
                found.add_component(_event(row, row.due))
        return _answer(found.to_ical(), "text/calendar")


@pages.post("/settings/feeds")
def change() -> Response:
    """Create new private URLs or turn them off; the old ones stop working."""
    wanted = request.form.get("feeds") == "new"
    try:
        with acting() as visit:
            if wanted:
                check_fresh(visit, access.FEEDS)
                access.report(visit.action, visit.player, access.FEEDS, where=here())
            visit.player.feed_key = secrets.token_urlsafe(_KEY) if wanted else None
        told = _RENEWED if wanted else "The private addresses of your feed and your calendar are off."
    except BadRequest as problem:
        told = str(problem)
    return done(told, "account.settings", _anchor="feeds")


def addresses(visit: Visit) -> list[tuple[str, str]]:
    """Return the visitor's private URLs with descriptions; [] if there are none or the login is too old."""
    player = visit.player
    if player.feed_key is None or not is_fresh(visit):
        return []
    return [
        ("Feed of your games (Atom)", address("feeds.atom", secret=player.feed_key)),
        ("Calendar of your deadlines (iCalendar)", address("feeds.calendar", secret=player.feed_key)),
    ]


def _known(visit: Visit, secret: str, sizes: Mapping[str, int]) -> tuple[Player, list[GameRowView]]:
    """Return the player of a private URL and games of these lists, at most `sizes`; 404 for an unknown URL."""
    player = visit.session.exec(select(Player).where(Player.feed_key == secret)).first()
    if player is None:
        abort(404)
    found = lists.lists_of(visit.session, player, sizes)
    return player, [row for each in found.values() for row in each.rows]


def _game(row: GameRowView) -> str:
    return f"{row.title} {row.number} with {', '.join(row.opponents)}"


def _heading(row: GameRowView) -> str:
    return {"running": "Your turn", "invited": "Invitation", "declined": "Declined"}.get(row.state, "Result")


def _sentence(row: GameRowView, zone: ZoneInfo) -> str:
    if row.state == "running":
        return f"Turn {row.turn} waits for you{f', until {write_moment(row.due, zone)}' if row.due else ''}."
    return row.result or "No turns have been played."


def _event(row: GameRowView, due: datetime) -> Event:
    from icalendar import Event, vDatetime, vText, vUri

    host = urlsplit(services().settings.base_url).hostname
    # `Event.add` would find these types by the names, which takes longer than writing the values.
    return Event(
        {
            "uid": vText(f"game-{row.number}-turn-{row.turn}@{host}"),
            "dtstamp": vDatetime(row.since.astimezone(UTC)),
            "dtstart": vDatetime(due.astimezone(UTC)),
            "summary": vText(f"Your move is due: {_game(row)}"),
            "url": vUri(address("game.show", number=row.number)),
            "transp": vText("TRANSPARENT"),
        }
    )


def _answer(content: bytes, sort: str) -> Response:
    """Return the content; 304 for a program that already has it."""
    answer = Response(content, content_type=f"{sort}; charset=utf-8")
    answer.add_etag()
    answer.make_conditional(request)
    return answer
