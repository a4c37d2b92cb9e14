"""How long each page takes, on a server on which many people have played for years."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil

from flask import Flask
from sqlmodel import col, select
from werkzeug.test import EnvironBuilder, run_wsgi_app

from server.bench import desks
from server.bench.crowd import BUSY, OPERATOR
from server.bench.web import cookie_of
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player, Seat
from server.tournaments.plan import FORMS
from server.web import create_app
from server.web.admin import door

PAGES = {
    "your games": "/games",
    "a list of them": "/games?list=finished&page=3",
    "a game that runs": "/games/{running}",
    "a game that is over": "/games/{over}",
    "an earlier turn": "/games/{over}?turn=3",
    "a worked game": "/rules/nexus/game",
    "the lobby": "/lobby",
    "the archive": "/archive",
    "games of a player": "/archive?player=Player+{player}&kind=nibble",
    "a player": "/player/Player%20{player}",
    "a new game": "/games/new/nibble",
    "what one watches": "/watching",
    "tournaments": "/tournaments",
    "finished ones": "/tournaments?state=over&page=20",
    **{form.title.lower(): f"/tournaments/{number}" for number, form in enumerate(FORMS.values(), 1)},
    "settings": "/settings",
    "logins": "/settings/logins",
    "rules": "/rules/nexus",
}
"""Addresses, with places for the numbers of games that the visitor has and of a player."""


@dataclass(frozen=True)
class Timed:
    """The processor time that a page took, in seconds, and the largest answer."""

    times: Sequence[float]
    busiest: float
    """For the player with the most games."""
    size: int
    statuses: frozenset[int]

    def within(self, share: float) -> float:
        """The time within which this share of the answers came, in milliseconds."""
        ordered = sorted(self.times)
        return 1000 * ordered[min(ceil(share * len(ordered)), len(ordered)) - 1]


def run(services: Services, visits: int) -> Iterator[tuple[str, Timed]]:
    """Each page, visited by so many players, and by the one who has the most games; an operator's, as often."""
    app = create_app(services)
    visitors = [_visitor(app, services, number) for number in (BUSY, *_others(services, visits))]
    operator = [_visitor(app, services, OPERATOR, **{door.PASSED: datetime.now(UTC).timestamp()})]
    for name, pattern in {**PAGES, **desks.PAGES}.items():
        asking = visitors if name in PAGES else operator * (visits + 1)
        requests = [(pattern.format_map(visitor.places), visitor.cookie) for visitor in asking]
        _ask(app, *requests[0])
        busiest, *found = [_ask(app, *request) for request in requests]
        times, sizes, statuses = zip(*found, strict=True)
        yield name, Timed(times, busiest[0], max(busiest[1], *sizes), frozenset(statuses))


@dataclass(frozen=True)
class _Visitor:
    places: dict[str, int]
    """The numbers of a running game of theirs, of one that is over, and their own."""
    cookie: str
    """What their browser sends."""


def _others(services: Services, count: int) -> Sequence[int]:
    """Players with running games."""
    with reading(services.engine) as session:
        playing = select(Seat.player_id).join(Game).where(Game.state == "running", col(Seat.player_id) != BUSY)
        return session.exec(playing.distinct().order_by(col(Seat.player_id)).limit(count)).all()


def _visitor(app: Flask, services: Services, number: int, **more: object) -> _Visitor:
    with reading(services.engine) as session:
        player = session.get_one(Player, number)
        places = {
            state: session.exec(
                select(Game.id).join(Seat).where(Seat.player_id == number, Game.state == state).limit(1)
            ).first()
            or 1
            for state in ("running", "over")
        }
    return _Visitor({**places, "player": number}, cookie_of(app, services, player, **more))


def _ask(app: Flask, address: str, cookie: str) -> tuple[float, int, int]:
    """The processor time that the answer takes, its size, and its status."""
    environ = EnvironBuilder(address, headers=[("Cookie", f"nabu={cookie}")]).get_environ()
    began = time.process_time()
    body, status, _ = run_wsgi_app(app, environ)
    size = sum(map(len, body))
    return time.process_time() - began, size, int(status.split()[0])
