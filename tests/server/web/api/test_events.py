"""Event streams: their events and their end, and that no page waits for them."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from flask import Flask
from werkzeug.exceptions import ServiceUnavailable

from server.accounts import access, relations
from server.game.messages import messages
from server.limits import MOST_STREAMS, MOST_STREAMS_EACH
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from server.web.api.events import EXTENSION
from server.web.server import WebServer
from server.web.shared.streams import Streams
from tests.support.machine.ports import free_ports
from tests.support.machine.waiting import await_port, await_that
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.api_client import ApiClient, ApiGame, api_client, problem

_PATIENCE = 60.0
Told = list[dict[str, Any]]


@pytest.fixture
def app(app: Flask) -> Flask:
    """The pages, with streams that report existing events and end."""
    app.extensions[EXTENSION] = Streams(lasts=0, look=0.01)
    return app


def told(robot: ApiClient, last: str = "") -> tuple[Told, str]:
    """Return the events of a finished stream, and the ID to continue from."""
    headers = {"Authorization": f"Bearer {robot.token}"} | ({"Last-Event-ID": last} if last else {})
    answer = robot.client.get("/api/v1/events", headers=headers, buffered=True)
    assert answer.content_type == "text/event-stream", answer.text
    assert answer.headers["X-Accel-Buffering"] == "no"
    lines = answer.text.splitlines()
    ids = [line.removeprefix("id: ") for line in lines if line.startswith("id: ")]
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")], ids[-1]


def test_stream_begins_with_waiting_games(app: Flask, services: Services, ann: Player, table: ApiGame) -> None:
    hers = api_client(app, services, ann)
    black, white = table.robots
    turn = {"type": "turn", "game": table.number, "game_type": "nebuchadnezzar", "turn": 1}
    assert told(black)[0] == [turn | {"due": "2026-03-04T12:00:00Z"}]
    assert told(white)[0] == []
    invited = white.do("/challenge", opponents=["Cleo"], game_type="nibble")["number"]
    assert told(table.stranger)[0] == [{"type": "invited", "game": invited, "game_type": "nibble"}]
    assert told(hers)[0] in ([turn | {"due": "2026-03-04T12:00:00Z"}], [])


def test_returning_client_gets_finished_games_and_messages(table: ApiGame, clock: Clock) -> None:
    black, white = table.robots
    _, last = told(white)
    clock.advance(minutes=30)
    black.do(f"{table.path}/say", text="Hello")
    black.do(f"{table.path}/resign", turn=1)
    clock.advance(minutes=30)
    about = {"game": table.number, "game_type": "nebuchadnezzar"}
    over, said = {"type": "over", **about, "outcome": "won"}, {"type": "said", **about}
    found, later = told(white, last)
    assert found == [over, said]
    assert told(white, later)[0] == []
    assert told(white)[0] == [], "a new client gets only events that wait"
    clock.advance(days=2)
    assert told(white, last)[0] == [], "a day is remembered"


@pytest.mark.parametrize(("more", "sorts"), [(0, ["over", "said"]), (1, [])])
def test_late_stored_events_are_repeated(table: ApiGame, clock: Clock, more: int, sorts: list[str]) -> None:
    black, white = table.robots
    black.do(f"{table.path}/say", text="Hello")
    black.do(f"{table.path}/resign", turn=1)
    clock.advance(minutes=1, seconds=more)
    _, last = told(white)
    assert [event["type"] for event in told(white, last)[0]] == sorts


@pytest.mark.both
def test_messages_of_ignored_players_are_no_events(
    services: Services, table: ApiGame, ann: Player, ben: Player, clock: Clock
) -> None:
    ears = [told(each)[1] for each in table.robots]
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        for one, other in ((ann, "Ben"), (ben, "Ann")):
            relations.ignore(action, session.get_one(Player, one.id), other)
        for seat in (0, 1):
            messages.say(action, session.get_one(Game, table.number), seat, "Hello")
    clock.advance(seconds=1)
    for each, last in zip(table.robots, ears, strict=True):
        assert [event["type"] for event in told(each, last)[0]] in ([], ["turn"])


def test_orders_of_others_are_no_events(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    table = ApiGame(app, services, "nelaxtam", ann, ben, size=10, troops=1, sea=0)
    one, other = table.robots
    before, last = told(other)
    one.do(f"{table.path}/move", turn=1, move="1 d4")
    assert told(other, last)[0] == before == [*before]
    assert told(one)[0] == []
    one.do(f"{table.path}/withdraw", turn=1)
    assert [event["turn"] for event in told(one)[0]] == [1]


@pytest.mark.parametrize("last", ["x", "-1", "1" * 18])
def test_unknown_event_id_is_refused(app: Flask, table: ApiGame, last: str) -> None:
    headers = {"Authorization": f"Bearer {table.robots[0].token}", "Last-Event-ID": last}
    assert problem(app.test_client().get("/api/v1/events", headers=headers))[0] == 422


class Served:
    """The pages on a real port."""

    def __init__(self, app: Flask) -> None:
        [self.port] = free_ports(1)
        self.pages = WebServer(app, "127.0.0.1", self.port, own=lambda peer: True)
        self.answers = ExitStack()

    def connect(
        self, token: str, path: str = "/api/v1/events", seen_as: str = "127.0.0.1"
    ) -> http.client.HTTPResponse:
        """Open a stream; return the first part of the response. Behind a proxy, `seen_as` is the client."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
        self.answers.callback(connection.close)
        headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": seen_as}
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        self.answers.callback(answer.close)
        return answer


@contextmanager
def served(app: Flask, streams: Streams) -> Iterator[Served]:
    app.extensions[EXTENSION] = streams
    site = Served(app)
    site.pages.start()
    await_port(site.port)
    try:
        yield site
    finally:
        site.answers.close()
        await_that(lambda: streams.count == 0)
        site.pages.stop()


def event(stream: http.client.HTTPResponse) -> str:
    """Return the next event or sign of life; "" at the end."""
    lines = []
    while (line := stream.readline().decode()) not in ("\n", ""):
        lines.append(line)
    return "".join(lines)


def until(stream: http.client.HTTPResponse, wanted: str) -> str:
    """Return the first event that contains a text; "" if the stream ends first."""
    while found := event(stream):
        if wanted in found:
            return found
    return ""


def test_events_are_sent_immediately(app: Flask, services: Services, table: ApiGame) -> None:
    with served(app, Streams(look=0.02, beat=0.05)) as site:
        stream = site.connect(table.robots[1].token)
        assert event(stream).startswith("retry: ")
        assert ": still here" in until(stream, "still here")
        submit(services, table.number, 0, "c3")
        assert '"turn":2' in until(stream, "event: turn")
        with writing(services.engine) as session:
            messages.say(
                ActionContext(session, services.sealer, services.now()),
                session.get_one(Game, table.number),
                0,
                "Hello",
            )
        assert "event: said" in until(stream, "event: said")


def test_stream_ends_after_its_time_and_with_its_token(
    app: Flask, services: Services, table: ApiGame, ann: Player
) -> None:
    with served(app, Streams(lasts=0.2, look=0.02)) as site:
        assert until(site.connect(table.robots[0].token), "nothing") == ""
    with served(app, Streams(look=0.02, beat=0.05)) as site:
        stream = site.connect(api_client(app, services, ann).token)
        event(stream)
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, services.now())
            access.log_out_everywhere(action, session.get_one(Player, ann.id))
        assert until(stream, "nothing") == ""


def test_oldest_stream_of_a_player_ends(app: Flask, table: ApiGame) -> None:
    token = table.robots[0].token
    with served(app, Streams(look=0.02, beat=0.05)) as site:
        first, *_ = [site.connect(token) for _ in range(MOST_STREAMS_EACH)]
        last = site.connect(token)
        assert until(first, "nothing") == ""
        assert "event: turn" in until(last, "event: turn")


def test_streams_of_one_network_are_limited(app: Flask, services: Services) -> None:
    """Proxies forward the client's address. An IPv6 /64 is one network; this machine does not count."""
    people = [add_player(services, f"p{number}@example.org", f"P{number}") for number in range(2)]
    first, second = (api_client(app, services, player).token for player in people)
    with served(app, Streams(of_network=2, look=0.02, beat=0.05)) as site:
        assert site.connect(first, seen_as="2001:db8::1").status == 200
        assert site.connect(second, seen_as="2001:db8::2").status == 200
        refused = site.connect(second, seen_as="2001:db8::3")
        assert (refused.status, refused.headers["Retry-After"]) == (503, "60")
        assert "from your network" in refused.read().decode()
        assert site.connect(second, seen_as="2001:db8:0:1::1").status == 200
        assert site.connect(first).status == 200
        assert site.connect(first, seen_as="2001:db8::1").status == 200, "it replaces the oldest stream"


def test_closed_stream_frees_a_place_of_its_network(app: Flask) -> None:
    streams = Streams(of_network=1)
    leave = streams.enter(1, "192.0.2.1", lambda: None)
    with pytest.raises(ServiceUnavailable):
        streams.enter(2, "192.0.2.1", lambda: None)
    leave()
    streams.enter(2, "192.0.2.1", lambda: None)


@pytest.mark.long
@pytest.mark.slow
def test_pages_are_served_while_all_streams_are_open(app: Flask, services: Services) -> None:
    people = [
        add_player(services, f"p{number}@example.org", f"Player{number}")
        for number in range(MOST_STREAMS // MOST_STREAMS_EACH + 1)
    ]
    tokens = [api_client(app, services, player).token for player in people]
    begin(services, "nebuchadnezzar", people[0], people[1], size=4)
    with served(app, Streams(beat=1)) as site:
        streams = [site.connect(token) for token in tokens[:-1] for _ in range(MOST_STREAMS_EACH)]
        assert [stream.status for stream in streams] == [200] * MOST_STREAMS
        for _ in range(6):  # more than there are threads to refuse them
            refused = site.connect(tokens[-1])
            assert (refused.status, refused.headers["Retry-After"]) == (503, "60")
            assert "Too many event streams are open at the moment" in refused.read().decode()
        began = time.monotonic()
        answers: list[int] = []
        visitors = [
            threading.Thread(target=lambda: answers.append(site.connect("", "/rules/nibble").status))
            for _ in range(16)
        ]
        for each in visitors:
            each.start()
        for each in visitors:
            each.join()
        assert answers == [200] * 16
        assert time.monotonic() - began < _PATIENCE


def test_disconnected_client_frees_its_place(app: Flask, services: Services, table: ApiGame) -> None:
    streams = Streams(most=1, look=0.02, beat=0.02)
    with served(app, streams) as site:
        first = site.connect(table.robots[0].token)
        assert site.connect(table.robots[1].token).status == 503
        assert first.status == 200
        site.answers.close()
        await_that(lambda: site.connect(table.robots[1].token).status == 200)
