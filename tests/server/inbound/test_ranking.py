"""The command `ranking`: the players with the highest ratings."""

from __future__ import annotations

import pytest

from server.processes.services import Services
from server.store.models import Player
from tests.support.server.emails import write
from tests.support.server.players import add_player
from tests.support.server.ratings import set_rating


@pytest.mark.parametrize(
    "text", ["ranking nibble", "ratings of Nibble", "top nibble", "leaderboard", "ranking"]
)
def test_highest_ratings_come_first(
    services: Services, ann: Player, ben: Player, cleo: Player, text: str
) -> None:
    set_rating(services, ann, 20.0)
    set_rating(services, ben, 30.0)
    set_rating(services, cleo, 40.0, sigma=8.0)
    (letter,) = write(services, ann, text)
    assert letter.letter == "ranking"
    assert letter.words.index("1. Ben: ") < letter.words.index("2. Ann: ")
    assert "Cleo" not in letter.words, "her rating is provisional"


def test_readers_own_place_is_shown(services: Services, ann: Player) -> None:
    set_rating(services, ann, 10.0)
    for number in range(11):
        set_rating(services, add_player(services, f"p{number}@example.org", f"Player{number}x"), 20.0 + number)
    assert "12. Ann: " in write(services, ann, "ranking nibble")[0].words
    assert "Ann" not in write(services, "p1@example.org", "ranking nibble")[0].words


def test_ranking_without_rated_players(services: Services, ann: Player) -> None:
    assert "No player has enough rated games yet." in write(services, ann, "top")[0].words
    assert "There is no game called" in write(services, ann, "ranking chess")[0].words
