"""The event streams of open pages: what they tell to whom, how soon they end, and how many there are."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from werkzeug.exceptions import ServiceUnavailable

from server.accounts import access
from server.bench.harness.web import cookie_of
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from server.web.game import page_streams
from server.web.game.page_streams import PageStreams
from server.web.server import WebServer
from tests.support.machine.ports import free_ports
from tests.support.machine.waiting import await_port, await_that
from tests.support.server.games import begin, open_game, say, submit
from tests.support.web.client import Browser
from tests.support.web.open_pages import Open

_PATIENCE = 60.0


class Stream:
    """The stream of a browser."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.answer = answer

    @property
    def status(self) -> int:
        return self.answer.status

    def next(self) -> dict[str, Any] | None:
        """Return the next event; None at the end."""
        for line in self.answer:
            if line.startswith(b"data: "):
                event: dict[str, Any] = json.loads(line[6:])
                return event
        return None


class Site:
    """The pages on a port."""

    def __init__(self, app: Flask, services: Services) -> None:
        self.services, self.app = services, app
        self.streams: PageStreams = app.extensions[page_streams.EXTENSION]
        [self.port] = free_ports(1)
        self.pages = WebServer(app, "127.0.0.1", self.port, own=lambda peer: True)
        self._open = ExitStack()

    def listen(self, player: Player | None, *pages: str, seen_as: str = "127.0.0.1") -> Stream:
        """Open a stream for these URLs, as a player or a visitor."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
        self._open.callback(client.close)
        headers = {"X-Forwarded-For": seen_as}
        if player is not None:
            headers["Cookie"] = f"nabu={cookie_of(self.app, self.services, player)}"
        client.request("GET", f"/events?{urlencode([('page', page) for page in pages])}", headers=headers)
        answer = client.getresponse()
        self._open.callback(answer.close)
        return Stream(answer)

    def hang_up(self) -> None:
        """Close all streams."""
        self._open.close()


def seated(services: Services, number: int) -> list[Player]:
    """Return the players of a game, by seat."""
    with reading(services.engine) as session:
        return [seat.player for seat in log.seats(session, session.get_one(Game, number))]


@contextmanager
def served(app: Flask, services: Services) -> Iterator[Site]:
    site = Site(app, services)
    site.pages.start()
    await_port(site.port)
    try:
        yield site
        site.hang_up()
        await_that(lambda: site.streams.count == 0)
    finally:
        site.pages.stop()


def test_a_stream_tells_what_a_poll_would(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    now = f"/games/{number}/now"
    with served(app, services) as site:
        one, other, visitor = (site.listen(player, now) for player in (*seated(services, number), None))
        first = one.next()
        assert first is not None
        assert first == {"page": now, "version": first["version"], "waiting": "1.1.0"}
        page = Open(Browser(app), f"/games/{number}")
        assert visitor.next() == {"page": now, "version": page.version, "waiting": "0.0.0"}
        assert other.next()
        say(services, number, 0, "Hello!")
        assert one.next() != first
        assert other.next()
        submit(services, number, 0, "c3")
        moved = [each.next() for each in (one, other, visitor)]
        assert [each and each["waiting"] for each in moved] == ["0.0.0", "1.1.1", "0.0.0"]
        version = Open(Browser(app), f"/games/{number}").version
        assert moved[2] == {"page": now, "version": version, "waiting": "0.0.0"}, "nothing of the message"


def test_others_hear_nothing_of_orders_that_are_secret(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    secret = {"show-ready": "off", "delay": "0"}
    number = begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, **secret)
    now = f"/games/{number}/now"
    with served(app, services) as site:
        one, other = (site.listen(player, now) for player in seated(services, number))
        begun = other.next()
        assert one.next()
        submit(services, number, 0, "1 d4")
        assert one.next(), "the orders are in"
        say(services, number, 0, "Your turn.")
        told = other.next()
        assert begun
        assert told
        differing = [
            before != after
            for before, after in zip(begun["version"].split("-"), told["version"].split("-"), strict=True)
        ]
        assert differing == [False, False, True, False, False], "only the message, for the reader's seat"


def test_one_stream_carries_all_pages_of_a_browser(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    pages = {f"/games/{number}/now", "/games/now", "/lobby/now"}
    with served(app, services) as site:
        stream = site.listen(ann, *sorted(pages), "/settings", "/games/x/now", "https://example.org/")
        assert {(stream.next() or {})["page"] for _ in pages} == pages
        open_game(services, ben, "nexus", players=3)
        assert (stream.next() or {})["page"] == "/lobby/now"


def test_a_hidden_page_has_no_events(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5, private=True)
    with served(app, services) as site:
        stream = site.listen(None, f"/games/{number}/now", "/games/now", "/lobby/now")
        submit(services, number, 0, "c3")
        assert (stream.next() or {})["page"] == "/lobby/now"
        open_game(services, ann, "nexus", players=3)
        assert (stream.next() or {})["page"] == "/lobby/now"


def test_a_stream_ends_with_its_login(app: Flask, services: Services, ann: Player) -> None:
    with served(app, services) as site:
        stream = site.listen(ann, "/lobby/now")
        assert stream.next()
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, services.now())
            access.log_out_everywhere(action, session.get_one(Player, ann.id))
        open_game(services, ann, "nexus", players=3)
        assert stream.next() is None


def test_a_stream_ends_by_itself_and_when_the_server_stops(app: Flask, services: Services) -> None:
    app.extensions[page_streams.EXTENSION] = PageStreams(services.engine, lasts=0.2, beat=0.1)
    with served(app, services) as site:
        stream = site.listen(None, "/lobby/now")
        while stream.next():
            pass
        await_that(lambda: site.streams.count == 0)
    app.extensions[page_streams.EXTENSION] = PageStreams(services.engine)
    with served(app, services) as site:
        stream = site.listen(None, "/lobby/now")
        site.pages.stop()
        while stream.next():
            pass


def test_too_many_streams_are_refused(
    app: Flask, services: Services, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest of a player ends; of a network, further ones are refused."""
    monkeypatch.setattr(page_streams, "MOST_PAGE_STREAMS_EACH", 1)
    monkeypatch.setattr(page_streams, "MOST_PAGE_STREAMS_OF_NETWORK", 2)
    app.extensions[page_streams.EXTENSION] = PageStreams(services.engine)
    with served(app, services) as site:
        first = site.listen(ann, "/lobby/now")
        assert first.next()
        assert site.listen(ann, "/lobby/now").status == 200
        assert first.next() is None
        visitors = [site.listen(None, "/lobby/now", seen_as="2001:db8::1") for _ in range(2)]
        assert all(visitor.next() for visitor in visitors), "two visitors at one address do not end each other"
        assert site.listen(None, "/lobby/now", seen_as="2001:db8::2").status == 503
        open_game(services, ann, "nexus", players=3)
        assert all(visitor.next() for visitor in visitors)


def test_streams_that_are_stopped_admit_no_more(services: Services) -> None:
    streams = PageStreams(services.engine)
    streams.open({}, None, None, "127.0.0.1")
    streams.stop()
    threads = set(threading.enumerate())
    with pytest.raises(ServiceUnavailable):
        streams.open({}, None, None, "127.0.0.1")
    assert set(threading.enumerate()) == threads


def test_without_a_server_that_keeps_streams_browsers_poll(app: Flask) -> None:
    assert app.test_client().get("/events?page=/lobby/now").status_code == 204
