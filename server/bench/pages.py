"""The time of each page on a server with years of games."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from flask import Flask
from sqlmodel import col, select

from mail.incoming.rates import RateLimit
from server.accounts.login import api_tokens
from server.bench.filling import administration, special_games, tournaments
from server.bench.filling.many_games import Full, Many
from server.bench.harness.web import ask, cookie_of
from server.game.integrity import recount
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from server.tournaments.plan import FORMS
from server.web import create_app
from server.web.admin import access
from server.web.api import auth
from server.web.game.page import PARTS_HEADER

PAGES = {
    "your games": "/games",
    "a list of them": "/games?list=finished&page=3",
    "news of your games": "/games/now",
    "a game that runs": "/games/{running}",
    "news of it": "/games/{running}/now",
    "giving it up": "/games/{running}/resign",
    "a game that is over": "/games/{over}",
    "an earlier turn": "/games/{over}?turn=2",
    "its analysis": "/games/{over}/analysis?turn=2",
    "its record": "/games/{over}/record.json",
    "its moves": "/games/{over}/moves.txt",
    "the lobby": "/lobby",
    "news of the lobby": "/lobby/now",
    "further open games": "/lobby?page=10",
    "the archive": "/archive",
    "games of a player": "/archive?player=player+{player}&game_type=nibble",
    "results of a player": "/archive?player=player+{player}&result=won&page=3",
    "old games": "/archive?game_type=nardshir&until=2025-12-31&page=20",
    "a player": "/player/player%20{player}",
    "games to begin": "/games/new",
    "a new game": "/games/new/nibble",
    "what one watches": "/watching",
    "tournaments": "/tournaments",
    "finished ones": "/tournaments?state=over&page=20",
    "news of a tournament": "/tournaments/1/now",
    **{form.title.lower(): f"/tournaments/{number}" for number, form in enumerate(FORMS.values(), 1)},
    "tournaments by game": "/tournaments/new",
    "a new tournament": "/tournaments/new/nibble",
    "settings": "/settings",
    "logins": "/settings/logins",
    "programs": "/settings/tokens",
    "addresses": "/settings/addresses",
    "colours": "/colours",
}
"""Addresses for a player who is logged in, with placeholders for the player's number and games."""
PUBLIC = {
    "home": "/",
    "the lobby, to anybody": "/lobby",
    "the archive, to anybody": "/archive?game_type=nexus",
    "the ranking": "/ranking/nibble",
    "a player, to anybody": "/player/player%20{player}",
    "a game, to anybody": "/games/{running}",
    "help": "/help",
    "a page of it": "/help/playing-by-email",
    "about": "/about",
    "privacy": "/privacy",
    "terms": "/terms",
    "rules": "/rules/nexus",
    "a worked game": "/rules/nexus/game",
    "its record, to verify": "/rules/nexus/record.json",
    "trying a game out": "/rules/nelaxtam/try",
    "verifying": "/verify",
    "how to verify": "/verify/how",
    "a link was mailed": "/sent",
    "a small board": "/games/{running}/boards/{turn}.svg",
    "a board of a game": "/game-types/nibble.svg",
    "a picture": "/games/{over}/pictures/2.svg",
    "health": "/healthz",
    "service worker": "/service-worker.js",
}
"""Addresses for a visitor who is not logged in."""
FOR_PROGRAMS = {
    f"api: {name}": f"/api/v1{address}"
    for name, address in {
        "who am I": "/me",
        "games that wait": "/games",
        "games that are over": "/games?list=finished&page=2",
        "a game that runs": "/games/{running}",
        "a game that is over": "/games/{over}",
        "its turns": "/games/{over}/turns",
        "its record": "/games/{over}/record",
        "messages": "/games/{running}/said",
        "what spectators said": "/games/{over}/spectator-messages",
        "a hint": "/games/{running}/hint",
        "an analysis": "/games/{over}/analysis",
        "tournaments": "/tournaments",
        "a tournament": "/tournaments/1",
        "open games": "/open-games",
    }.items()
}
"""Addresses for API programs."""
LEFT_OUT = {
    "account.lead_to_login": "redirects without a query",
    "account.lead_to_registration": "the same",
    "api.events": "a stream, which waits for something to happen",
    "api.openapi": "the same for all, built once, 80 kB",
    "api.moves": "the legal moves, which `nabu bench rules` times, for the player to move",
    "exports.png": "a picture to download, drawn pixel by pixel",
    "exports.card": "the same, for other sites that show a link",
    "exports.film": "up to sixty of them",
    "live.events": "a stream, which `nabu bench live` times",
    "mailboxes.data": "all data of a player, rarely downloaded",
    "metrics.show": "for monitoring on this machine, twice a minute",
    "public.ready": "for monitoring, twice a minute, and not ready without a worker",
    "notified.draw_icon": "drawn pixel by pixel, and cached by the browser forever",
    "questions.ask": "reads one email, which must be waiting",
    "static": "files that browsers cache",
}
"""The endpoints that are not measured, with the reason."""
_FEW_TURNS = 2
"""The number of turns played in each game that addresses lead to."""
_MOST_TURNS = 200
"""The number of turns of a long game."""
_COMPRESSED, _AS_IT_IS = ("Accept-Encoding", "gzip, deflate, br"), ("Accept-Encoding", "identity")


@dataclass(frozen=True)
class Timed:
    """The processor time of each answer of a page, in seconds, and the size of the largest.

    Answers are compressed, as for browsers: `sent` is the compressed size, `size` the original one.
    """

    times: Sequence[float]
    busiest: Sequence[float]
    """The times for the player with the most games, requested as often."""
    size: int
    sent: int
    statuses: frozenset[int]
    endpoint: str
    """The Flask endpoint that answers."""


def run(full: Full, visits: int) -> Iterator[tuple[str, Timed]]:
    """Visit each page this many times: as many players, without a login, as the busiest player and as
    administrator.

    API programs of these players request their own data.
    """
    services, people = full.services, full.many.people
    places = _add_more(full)
    app = create_app(services)
    app.extensions[auth.EXTENSION] = RateLimit(1_000_000, 1_000_000)  # as fast as they are answered
    numbers = (people[0], *_others(full, visits))
    visitors = [_visitor(app, services, number) for number in numbers]
    programs = [_program(services, *each) for each in zip(visitors, numbers, strict=True)]
    busy, nobody = replace(visitors[0], places=places), [replace(each, headers=()) for each in visitors]
    script = replace(busy, headers=(*busy.headers, (PARTS_HEADER, "part")))
    administrator = _visitor(
        app, services, _administrator(full.many), **{access.PASSED: services.now().timestamp()}
    )
    administrator = replace(
        administrator, places={**administrator.places, "quarantined": places["quarantined"]}
    )
    for pages, asking in (
        (PAGES, visitors),
        (PUBLIC, nobody),
        (special_games.PAGES, [busy] * len(visitors)),
        (special_games.FOR_SCRIPTS, [script] * len(visitors)),
        (administration.PAGES, [administrator] * len(visitors)),
        (FOR_PROGRAMS, programs),
    ):
        for name, pattern in pages.items():
            yield name, _timed(app, pattern, asking)


def _administrator(many: Many) -> int:
    """Return the number of the player who becomes an administrator."""
    return many.people[-1]


def _add_more(full: Full) -> Mapping[str, int | str]:
    """Add data that only some pages show; return the values for the addresses of these pages."""
    services, many = full.services, full.many
    below = random.Random(many.games).randrange  # noqa: S311 - the same games every time
    sum(recount.recount(services.engine))
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        tournaments.hold(action, many.people, many.games // 100, below)
        quarantined = administration.fill(session, _administrator(many), many.games)
        turns = min(_MOST_TURNS, many.games // 10)
        return {
            **special_games.fill(action, services.logins, many.people, turns, below),
            "quarantined": quarantined,
        }


@dataclass(frozen=True)
class _Visitor:
    places: Mapping[str, int | str]
    """Values for addresses: a running and a finished game of the visitor, and the visitor's number."""
    headers: tuple[tuple[str, str], ...]
    """Headers: the cookie or token that identifies the visitor (none without a login), and any others."""


def _timed(app: Flask, pattern: str, asking: Sequence[_Visitor]) -> Timed:
    """Request the page with this address as each visitor, the busiest first, after one unmeasured request."""
    first, *others = [(pattern.format_map(visitor.places), visitor.headers) for visitor in asking]
    endpoint, _ = app.url_map.bind("").match(first[0].partition("?")[0])
    size = max(ask(app, page, (_AS_IT_IS, *headers))[1] for page, headers in {first, *others})
    busiest = [ask(app, first[0], (_COMPRESSED, *first[1])) for _ in others]
    found = [ask(app, page, (_COMPRESSED, *headers)) for page, headers in others]
    times, sizes, statuses = zip(*busiest, *found, strict=True)
    return Timed(
        times[len(others) :], times[: len(others)], size, max(sizes), frozenset(statuses), str(endpoint)
    )


def _others(full: Full, count: int) -> Sequence[int]:
    """Return players with running games who are not busy."""
    others = full.many.people[full.many.busy :]
    with reading(full.services.engine) as session:
        playing = select(Seat.player_id).join(Game).where(Game.state == "running")
        playing = playing.where(col(Seat.player_id).between(others.start, others.stop - 1))
        return session.exec(playing.distinct().order_by(col(Seat.player_id)).limit(count)).all()


def _visitor(app: Flask, services: Services, number: int, **more: object) -> _Visitor:
    with reading(services.engine) as session:
        player = session.get_one(Player, number)
        played = select(Game.id, Game.turn).join(Seat).where(Game.turn > _FEW_TURNS)
        theirs_first = played.order_by(col(Seat.player_id) != number).limit(1)
        games = {
            state: session.exec(theirs_first.where(Game.state == state)).one() for state in ("running", "over")
        }
    places = {state: game or 1 for state, (game, _) in games.items()}
    places |= {"turn": games["running"][1] - 1, "player": number}
    return _Visitor(places, (("Cookie", f"nabu={cookie_of(app, services, player, **more)}"),))


def _program(services: Services, visitor: _Visitor, number: int) -> _Visitor:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        token = api_tokens.add(action, session.get_one(Player, number), "A robot", "by a benchmark")[1]
    return replace(visitor, headers=(("Authorization", f"Bearer {token}"),))
