"""Sealed orders appear only on the pages of their writer: the pages of all others are compared byte by byte."""

from __future__ import annotations

import difflib
import logging
import re

import pytest
from flask import Flask
from sqlmodel import select

from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Envelope, Game, Player
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in

_TOKEN = re.compile(r'name="csrf_token" value="[^"]+"')
_SEAL = re.compile(r"[0-9a-f]{64}")


class Quota:
    """A game of Nelaxtam in its second turn, its players, another player and a spectator."""

    def __init__(self, app: Flask, services: Services, *people: Player, **terms: object) -> None:
        self.services = services
        number = begin(services, "nelaxtam", *people, size=10, troops=1, sea=0, **terms)
        self.address = f"/games/{number}"
        submit(services, number, 0, "1 d4")
        submit(services, number, 1, "A c4")
        with reading(services.engine) as session:
            seats = [player for _, player in log.seats(session, session.get_one(Game, number))]
            session.expunge_all()
        self.writer, self.opponent = (logged_in(app, services, player) for player in seats)
        stranger = logged_in(app, services, add_player(services, "cleo@example.org", "Cleo"))
        self.others = (self.opponent, stranger, Browser(app))

    def seal(self, orders: str) -> None:
        assert self.writer.send(f"{self.address}/move", turn=2, text=orders).status_code == 303
        assert "Your orders are sealed" in self.writer.text(self.address)

    def seen_by_others(self) -> list[str]:
        """Return all pages that others can open, without values that change with each visit."""
        ways = ("", "?turn=0", "?turn=1", "?move=1+ne", "?move=1+hold", "/record.json")
        pages = [browser.get(self.address + way).text for browser in self.others for way in ways]
        pages += [browser.get("/games").text for browser in self.others[:2]]
        return [_TOKEN.sub("", page) for page in pages]


@pytest.fixture
def room(app: Flask, services: Services, ann: Player, ben: Player) -> Quota:
    return Quota(app, services, ann, ben)


def test_writer_sees_their_orders(room: Quota) -> None:
    room.seal("1 ne")
    page = room.writer.text(room.address)
    assert "Your orders are sealed: 1 ne." in page
    assert "Moves, from ( ) to > <: d4 > e5." in page, "and the arrow on the board"


def test_others_see_only_that_there_are_orders(room: Quota) -> None:
    before = room.seen_by_others()
    room.seal("1 ne")
    after = room.seen_by_others()
    changes = [
        line[1:].strip()
        for one, other in zip(before, after, strict=True)
        for line in difflib.ndiff(one.splitlines(), other.splitlines())
        if line.startswith("+")
    ]
    allowed = re.compile(
        r'|(<span class="soft">[OX]</span>\s+)?<span class="chip">orders sealed</span>'
        r"|<details>|</details>|<summary>Commitments of turn 2</summary>"
        r"|<p class=\"soft\">A commitment is the SHA-256 .*|anyone can check that no orders were changed\.</p>"
        r'|<dl class="seals">|</dl>|<dt>[^<]*</dt>|<dd><code>[0-9a-f]{64}</code></dd>'
        r'|<div hidden data-live="live" [^>]*></div>'
        r"|<p>Turn 2: waiting for (Ann|Ben) \([OX]\)\..*|<li>"
    )
    assert [line for line in changes if not allowed.fullmatch(line)] == []
    assert changes, "that there are orders is no secret"


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("orders", ["1 sw", "1 n", "hold", "end"])
def test_others_cannot_tell_orders_apart(room: Quota, orders: str) -> None:
    room.seal("1 ne")
    one = room.seen_by_others()
    room.seal(orders)
    assert [_SEAL.sub("", page) for page in room.seen_by_others()] == [_SEAL.sub("", page) for page in one]


def test_readiness_can_be_hidden(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    room = Quota(app, services, ann, ben, **{"show-ready": "off", "delay": "0"})
    before = room.seen_by_others()
    room.seal("1 ne")
    assert room.seen_by_others() == before


def test_completeness_of_orders_can_be_hidden(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    terms = {"show-ready": "off", "delay": "10m"}
    number = begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, **terms)
    watchers = [*(logged_in(app, services, player) for player in (ann, ben)), Browser(app)]
    submit(services, number, 0, "1 d4")

    def seen() -> list[str]:
        return [_TOKEN.sub("", watcher.get(f"/games/{number}").text) for watcher in watchers]

    before = seen()
    submit(services, number, 1, "A c4")
    changed = [one != other for one, other in zip(before, seen(), strict=True)]
    assert sorted(changed) == [False, False, True], "only the writer sees a change"
    assert not changed[2]


def test_commitment_is_public_immediately(room: Quota) -> None:
    room.seal("1 ne")
    with reading(room.services.engine) as session:
        commitment = session.exec(select(Envelope.commitment)).one()
    for browser in room.others:
        assert commitment in browser.get(room.address).text


def test_orders_are_in_no_address_and_no_log(room: Quota, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        tried = room.writer.send(f"{room.address}/try", turn=2, text="1 ne")
        room.seal("1 ne")
        page = room.writer.get(room.address)
    for answer in (tried, page):
        assert "?move=" not in answer.text
        assert not re.search(r'(href|action)="[^"]*ne[^"]*1', answer.text)
    assert "1 ne" not in caplog.text


def test_address_with_orders_shows_nothing(room: Quota) -> None:
    assert "You are trying" not in room.writer.text(f"{room.address}?move=1+ne")


def test_tried_move_is_not_shown_to_others(room: Quota) -> None:
    before = room.seen_by_others()
    assert "You are trying" in room.writer.send(f"{room.address}/try", turn=2, text="1 ne").text
    assert room.seen_by_others() == before


def test_orders_are_shown_when_the_turn_is_over(room: Quota, clock: Clock) -> None:
    room.seal("1 ne")
    room.opponent.send(f"{room.address}/move", turn=2, text="A hold")
    for browser in room.others:
        assert "1 ne" in browser.text(room.address)
