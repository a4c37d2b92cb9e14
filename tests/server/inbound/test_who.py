"""`who NAME`: a player's profile by email."""

from __future__ import annotations

import pytest
from flask import Flask

from server.processes.services import Services
from server.store.models import Player
from tests.support.server.emails import PLAY, receive
from tests.support.server.ratings import count_all, play_one
from tests.support.web.client import Browser


def told(services: Services, sender: str, text: str) -> str:
    (letter,) = receive(services, sender, PLAY, text)
    return letter.words


def test_who_shows_a_profile_to_players_and_strangers(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    play_one(services, ann, ben)
    count_all(services)
    told(services, ann.email, "bio Tea, and slow games.")
    assert "you speak: English, German" in told(services, ann.email, "languages english, german")
    said = told(services, "somebody@example.net", "who ann?")
    for words in (
        "Tea, and slow games.",
        "Speaks English and German.",
        "Nebuchadnezzar: 1 won. Rated 1",
        "? (slow)",
    ):
        assert words in said
    assert "/player/Ann" in said


def test_who_without_a_name_shows_ones_own_profile(app: Flask, services: Services, ann: Player) -> None:
    assert "Player since 1 March 2026." in told(services, ann.email, "who")
    assert "is not the address of a player" in told(services, "somebody@example.net", "who")


@pytest.mark.parametrize("name", ["Zoe", "ann@example.org", "Guest"])
def test_who_finds_no_player_by_unknown_name_or_by_address(
    app: Flask, services: Services, ann: Player, name: str
) -> None:
    assert f"There is no player called “{name}”." in told(services, ann.email, f"who {name}")


def test_profile_page_shows_the_same(app: Flask, services: Services, ann: Player) -> None:
    told(services, ann.email, "languages Dutch")
    assert "Speaks Dutch." in told(services, ann.email, "who Ann")
    assert "Speaks Dutch." in Browser(app).text("/player/Ann")
