"""Challenges and the answers to them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.accounts import players
from server.errors import BadRequest, NotYours, Refused
from server.game import lobby, log
from server.processes.services import Office
from server.store.db import writing
from server.store.models import Player
from server.store.outbox import Post

OWN = "play@games.example.org"


@pytest.fixture
def post(office: Office) -> Iterator[Post]:
    with writing(office.engine) as session:
        yield Post(session, office.vault, office.now())


@pytest.fixture
def ann(post: Post) -> Player:
    return players.register(post, "ann@example.org", "Ann")


@pytest.fixture
def ben_hur(post: Post) -> Player:
    return players.register(post, "ben@example.org", "Ben Hur")


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Ann", ["Ann"]),
        ("ann", ["Ann"]),
        ("Ben Hur", ["Ben Hur"]),
        ("Ben Hur, ann@example.org", ["Ben Hur", "Ann"]),
        ("Ann ben@example.org", ["Ann", "Ben Hur"]),
        (" Ann ,, Ben Hur ", ["Ann", "Ben Hur"]),
        ("new.one@example.org", ["Guest"]),
        ("", []),
    ],
)
def test_opponents(post: Post, ann: Player, ben_hur: Player, written: str, names: list[str]) -> None:
    assert [each.player.name for each in lobby.opponents(post, written, OWN)] == names


@pytest.mark.parametrize("written", ["Nobody", "Ann Nobody", "ann@", OWN])
def test_who_cannot_be_an_opponent(post: Post, ann: Player, written: str) -> None:
    with pytest.raises(BadRequest):
        lobby.opponents(post, written, OWN)


def test_games_come_in_pages_newest_first(post: Post, ann: Player, ben_hur: Player) -> None:
    numbers = [log.identity(lobby.challenge(post, ann, [ben_hur], "nebuchadnezzar", {})) for _ in range(5)]
    games = lobby.games_of(post.session, ann, ("invited",), limit=2, skip=1)
    assert [game.id for game, _ in games] == [numbers[3], numbers[2]]
    assert len(lobby.games_of(post.session, ann, ("invited",), skip=3)) == 2


def test_only_who_is_invited_can_answer(post: Post, ann: Player, ben_hur: Player) -> None:
    game = log.identity(lobby.challenge(post, ann, [ben_hur], "nebuchadnezzar", {}))
    stranger = players.register(post, "cleo@example.org", "Cleo")
    for answer in (lobby.accept, lobby.decline):
        with pytest.raises(NotYours):
            answer(post, stranger, game)
    lobby.decline(post, ben_hur, game)
    with pytest.raises(Refused, match="does not stand any more"):
        lobby.accept(post, ben_hur, game)
