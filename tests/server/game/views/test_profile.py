"""Public profiles of players."""

from __future__ import annotations

from datetime import timedelta

import pytest

from server.accounts import players
from server.accounts.profiles import choose_languages, write_bio
from server.errors import BadRequest
from server.game.ratings.punctuality import IN_TIME
from server.processes.services import Services
from server.store.db import writing
from server.store.keys.sealing import Sealer
from server.store.models import Habit, Player
from tests.support.counting import statements
from tests.support.server.games import begin
from tests.support.server.ratings import count_all, known_of, play_one
from tests.support.server.services import Clock


def stranger(bio: str = "", languages: str = "") -> Player:
    """Return a player who is not stored."""
    player = players.new_player("Ann", Clock()())
    player.bio, player.languages = bio, languages
    return player


def test_results_and_ratings_by_game_type(services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    for time in ("1d", "1d", "5d"):
        play_one(services, ann, ben, time=time)
        clock.advance(days=1)
    play_one(services, ben, ann, moves=0)
    count_all(services)
    (game_type,) = known_of(services, ann).game_types
    assert (game_type.title, game_type.games, game_type.ended) == ("Nebuchadnezzar", 4, "3 won and 1 lost")
    fast, slow = game_type.ratings
    assert fast.label.endswith("? (fast)")
    assert slow.label.endswith("? (slow)")
    assert [moment.number for moment in fast.course][-1] == fast.now.number
    assert fast.course[0].number < fast.course[1].number
    assert len(slow.course) == 1
    assert game_type.rating("slow") == slow.now


def test_running_game_changes_no_profile(services: Services, ann: Player, ben: Player) -> None:
    before = known_of(services, ann)
    begin(services, "nelaxtam", ann, ben)
    count_all(services)
    assert known_of(services, ann) == before
    assert before.game_types == ()


def test_other_facts_of_a_profile(services: Services, ann: Player) -> None:
    assert known_of(services, ann).facts == ["Player since 1 March 2026."]
    with writing(services.engine) as session:
        player = session.get_one(Player, ann.id)
        choose_languages(player, "english, Akkadian")
        answers = [3600 * 5] * 12 + [IN_TIME] * 7 + [None]
        session.add(Habit(player_id=players.identity(player), answers=answers))
    found = known_of(services, ann)
    assert found.answers_within == timedelta(hours=5)
    assert found.facts[1:] == [
        "Speaks English and Akkadian.",
        "Answered 95% of the latest turns in time.",
        "Half of the answers came within 5 hours.",
    ]


def test_number_of_statements_does_not_depend_on_the_number_of_games(
    services: Services, ann: Player, ben: Player
) -> None:
    def asked() -> int:
        with statements(services) as counted:
            known_of(services, ann)
        return len(counted)

    play_one(services, ann, ben)
    count_all(services)
    first = asked()
    for _ in range(3):
        play_one(services, ann, ben, time="1d")
    count_all(services)
    assert asked() == first


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  I play\tat\nnight. ", "I play at night."),
        ("a\u202eb\u0007c\nd", "abc d"),
        ("می\u200cخواهم 👩\u200d🚀", "می\u200cخواهم 👩\u200d🚀"),
        ("off", ""),
        ("None.", ""),
        ("off duty on Sundays", "off duty on Sundays"),
    ],
)
def test_profile_text_is_set(text: str, kept: str) -> None:
    player = stranger(bio="before")
    assert write_bio(Sealer(["k" * 32]), player, text)
    assert player.bio == kept


@pytest.mark.parametrize(
    ("text", "wrong"), [(" ", "Write: bio TEXT"), ("x" * 161, "160 characters; yours has 161")]
)
def test_invalid_profile_text_is_refused(text: str, wrong: str) -> None:
    player = stranger(bio="before")
    with pytest.raises(BadRequest, match=wrong):
        write_bio(Sealer(["k" * 32]), player, text)
    assert player.bio == "before"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("english; German / english", "English, German"),
        ("Scottish Gaelic, Norwegian (Bokmål).", "Scottish Gaelic, Norwegian (Bokmål)"),
        ("עברית", "עברית"),
        ("off", ""),
    ],
)
def test_languages_are_set(text: str, kept: str) -> None:
    player = stranger(languages="before")
    assert choose_languages(player, text)
    assert player.languages == kept


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (", ", "Write: languages English, German"),
        ("C++", "“C..” cannot be a language"),
        (",".join(f"Lang{'x' * n}" for n in range(11)), "at most 10 languages; you named 11"),
    ],
)
def test_invalid_languages_are_refused(text: str, wrong: str) -> None:
    player = stranger(languages="before")
    with pytest.raises(BadRequest, match=wrong):
        choose_languages(player, text)
    assert player.languages == "before"
