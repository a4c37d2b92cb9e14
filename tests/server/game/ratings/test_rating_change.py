"""The rating in the last email about a game: the same before and after the game is counted."""

from __future__ import annotations

import re

import pytest

from server.game.ratings.rating_change import rating_change
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player, Rating, RatingChange
from tests.support.server.computer_players import begin_solo
from tests.support.server.emails import letters
from tests.support.server.games import resign
from tests.support.server.ratings import count_all, counted, play_one


def words(services: Services, number: int, player: Player) -> str:
    """Return the sentence about the player's rating after a game; "" for none."""
    with reading(services.engine) as session:
        found = rating_change(session, session.get_one(Game, number), player.id or 0)
    return "" if found is None else found.words


def test_last_email_has_the_new_rating(services: Services, ann: Player, ben: Player) -> None:
    for pattern in (r"\d{4} \(the first, provisional\)", r"\d{4} \([+]\d+, provisional\)"):
        number = play_one(services, ann, ben, rated="on")
        told = words(services, number, ann)
        assert re.fullmatch(rf"Your rating in slow games of Nebuchadnezzar: {pattern}\.", told)
        last = next(each for each in reversed(letters(services)) if each.to == ann.email)
        assert f"You won: Ben resigned. The game is over. {told}" in last.words
        count_all(services)
        assert words(services, number, ann) == told


def test_showing_a_rating_stores_nothing(services: Services, ann: Player, ben: Player) -> None:
    number = play_one(services, ann, ben, rated="on")
    assert words(services, number, ann)
    assert counted(services, Rating, RatingChange) == [[], []]


@pytest.mark.parametrize("moves", [0, 2])
def test_unrated_game_shows_no_rating(services: Services, ann: Player, ben: Player, moves: int) -> None:
    """Games without moves of both players are not rated."""
    rated = "off" if moves else "on"
    number = play_one(services, ann, ben, moves, rated=rated)
    assert words(services, number, ann) == ""
    last = next(each for each in reversed(letters(services)) if each.to == ann.email)
    assert "You won: Ben resigned. The game is over. For a rematch" in last.words


def test_unrated_game_with_the_computer_shows_no_rating(services: Services, ann: Player) -> None:
    number = begin_solo(services, ann, "nibble")
    resign(services, number, ann)
    assert words(services, number, ann) == ""
