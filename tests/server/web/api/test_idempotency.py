"""A request that is repeated with its key is carried out once, and gets the same response."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from flask import Flask
from sqlmodel import select

from server.jobs.retention import throw_away
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import ApiAnswer, GameMessage, Player
from tests.support.server.services import Clock
from tests.support.web.api_client import ApiGame, api_client, problem
from tests.support.web.client import logged_in


def said(services: Services) -> int:
    """Return the number of messages."""
    with reading(services.engine) as session:
        return len(session.exec(select(GameMessage)).all())


def test_repeated_request_gets_the_same_response_and_acts_once(services: Services, table: ApiGame) -> None:
    black, white = table.robots
    first = black.do(f"{table.path}/move", "k1", turn=1, move="c3", say="Hello")
    white.do(f"{table.path}/move", turn=2, move="a1")
    assert black.do(f"{table.path}/move", "k1", turn=1, move="c3", say="Hello") == first
    assert (black.read(table.path)["turn"], said(services)) == (3, 1)


def test_other_request_with_the_same_key_is_refused(services: Services, table: ApiGame) -> None:
    black = table.robots[0]
    black.do(f"{table.path}/say", "k1", text="Hello")
    for path, body in (("say", {"text": "Hullo"}), ("draw", {"turn": 1})):
        assert problem(black.post(f"{table.path}/{path}", "k1", **body))[:2] == (422, "key-reused")
    assert said(services) == 1
    black.do(f"{table.path}/say", "k2", text="Hello")
    assert said(services) == 2


def test_keys_of_other_players_are_independent(services: Services, table: ApiGame) -> None:
    for each in table.robots:
        each.do(f"{table.path}/say", "k1", text="Hello")
    assert said(services) == 2


def test_refused_request_may_be_repeated(table: ApiGame) -> None:
    black = table.robots[0]
    assert black.post(f"{table.path}/move", "k1", turn=1, move="z9").status_code == 422
    assert black.do(f"{table.path}/move", "k1", turn=1, move="c3")["turn"] == 2


@pytest.mark.both
def test_simultaneous_repetitions_act_once(services: Services, table: ApiGame) -> None:
    black = table.robots[0]

    def send(_: int) -> object:
        return black.do(f"{table.path}/say", "k1", text="Hello")

    with ThreadPoolExecutor() as threads:
        answers = list(threads.map(send, range(4)))
    assert answers == [answers[0]] * 4
    assert said(services) == 1


@pytest.mark.parametrize("key", ["x" * 101, "a b", "é"])
def test_key_is_short_and_plain(table: ApiGame, key: str) -> None:
    assert problem(table.robots[0].post(f"{table.path}/say", key, text="Hello"))[0] == 422


def test_stored_response_is_encrypted_and_deleted_after_a_day(
    services: Services, table: ApiGame, clock: Clock
) -> None:
    table.robots[0].do(f"{table.path}/move", "k1", turn=1, move="c3")
    with reading(services.engine) as session:
        (row,) = session.exec(select(ApiAnswer))
        assert b"nebuchadnezzar" not in row.sealed
    for hours, left in ((23, 1), (2, 0)):
        clock.advance(hours=hours)
        with writing(services.engine) as session:
            throw_away(session, clock.time, timedelta(days=14))
            assert len(session.exec(select(ApiAnswer)).all()) == left


@pytest.mark.both
@pytest.mark.sample(2)
@pytest.mark.parametrize("limit", ["MOST_ANSWERS_KEPT", "LARGEST_ANSWERS_KEPT"])
def test_only_the_latest_responses_of_a_player_are_stored(
    services: Services, table: ApiGame, clock: Clock, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    black, white = table.robots
    white.do(f"{table.path}/say", "k1", text="Hello")
    black.do(f"{table.path}/say", "k0", text="Hello")
    size = max(len(row.sealed) for row in kept(services))
    monkeypatch.setattr(f"server.web.api.idempotency.{limit}", 10 if limit.startswith("MOST") else 10 * size)
    for number in range(1, 12):
        clock.advance(seconds=1)
        black.do(f"{table.path}/say", f"k{number}", text="Hello")
        assert len(kept(services)) <= 10 + 1
    assert {row.key for row in kept(services)} == {"k1", *(f"k{number}" for number in range(2, 12))}
    before = said(services)
    for key in ("k2", "k11"):
        black.do(f"{table.path}/say", key, text="Hello")
    assert said(services) == before, "a stored response means that the request was done once"


def kept(services: Services) -> list[ApiAnswer]:
    with reading(services.engine) as session:
        return list(session.exec(select(ApiAnswer)))


def test_stored_responses_are_deleted_with_the_tokens(
    services: Services, app: Flask, table: ApiGame, ann: Player
) -> None:
    api_client(app, services, ann).do(f"{table.path}/say", "k1", text="Hello")
    logged_in(app, services, ann).send("/logout/everywhere")
    with reading(services.engine) as session:
        assert session.exec(select(ApiAnswer)).all() == []
