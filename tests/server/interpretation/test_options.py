"""Challenges and open games, with their options in words."""

from __future__ import annotations

import pytest

from server.errors import BadRequest
from server.interpretation.options import read_challenge, read_options, read_seek
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from tests.support.server.emails import PLAY, receive


@pytest.mark.parametrize(
    ("text", "who", "options"),
    [
        ("Ben nibble", "Ben", {}),
        ("Ben nibble.", "Ben", {}),
        ("Ben to nibble", "Ben", {}),
        ("Ben to a game of nibble", "Ben", {}),
        ("Ben, nibble", "Ben", {}),
        ("Ben nibble, 3 days per move", "Ben", {"time": "3 days per move"}),
        ("Ben to Nibble, rated", "Ben", {"rated": "on"}),
        ("Ben to nibble, 2 days, unrated please", "Ben", {"time": "2 days", "rated": "off"}),
        ("Ben nibble not rated", "Ben", {"rated": "off"}),
        ("Ben nibble rated off", "Ben", {"rated": "off"}),
        ("Ben nibble 7d+1d", "Ben", {"time": "7d+1d"}),
        ("Ben nibble, 1 day + 12h and rated", "Ben", {"time": "1 day + 12h", "rated": "on"}),
        ("Ben nibble, no time limit", "Ben", {"time": "no time limit"}),
        ("Ben nibble with 2 games", "Ben", {"games": "2"}),
        ("Ben nibble board square-9 private", "Ben", {"board": "square-9", "private": "on"}),
        ("Ben nibble time=3 days per move unrated", "Ben", {"time": "3 days per move", "rated": "off"}),
        ("Ben nibble time 2d grace=1h", "Ben", {"time": "2d", "grace": "1h"}),
        ("Ben nibble time=daily 20:00 Europe/Berlin", "Ben", {"time": "daily 20:00 Europe/Berlin"}),
        # A name may look like a word that precedes the game.
        ("To nibble", "To", {}),
    ],
)
def test_challenges_are_read(text: str, who: str, options: dict[str, str]) -> None:
    assert read_challenge(text) == (who, "nibble", options)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("nibble 2 days unrated", {"time": "2 days", "rated": "off"}),
        ("nibble, one move per day, rated", {"time": "one move per day", "rated": "on"}),
        ("nibble, a week per move, rated", {"time": "a week per move", "rated": "on"}),
        ("a game of nibble", {}),
        ("nibble rating=1400-1700, in-time=90", {"rating": "1400-1700", "in-time": "90"}),
    ],
)
def test_open_games_are_read(text: str, options: dict[str, str]) -> None:
    assert read_seek(text) == ("nibble", options)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("tomorrow", "“tomorrow” is not an option. Write options as name=value"),
        ("time= 3d", "“time=” is not an option"),
        ("rated unrated", "rated is written twice, as on and as off. Write it once."),
        ("grace=1h grace=2h", "grace is written twice, as 1h and as 2h. Write it once."),
        ("board", "“board” is not an option"),
    ],
)
def test_invalid_options_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadRequest, match=sentence):
        read_options(text.split())


def test_challenge_in_words_is_carried_out(services: Services, ann: Player, ben: Player) -> None:
    answers = receive(services, ann.email, PLAY, "Challenge Ben to nibble, 3 days per move, unrated")
    assert "refusal_account" not in [answer.letter for answer in answers]
    with reading(services.engine) as session:
        terms = session.get_one(Game, 1).terms
    assert (terms["time"], terms["rated"]) == ("3d", "off")


def test_game_is_opened_in_words(services: Services, ann: Player) -> None:
    receive(services, ann.email, PLAY, "seek nibble, one week per move, rated")
    with reading(services.engine) as session:
        game = session.get_one(Game, 1)
    assert (game.state, game.terms["time"], game.terms["rated"]) == ("open", "7d", "on")
