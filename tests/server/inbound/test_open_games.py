"""Open games by email: seek, open, join, leave."""

from __future__ import annotations

import pytest

from server.processes.services import Services
from server.store.db import reading
from server.store.models import Player
from tests.support.server.emails import PLAY, write
from tests.support.server.games import begin, resign, state_of


def test_game_is_opened_found_and_joined(services: Services, ann: Player, ben: Player) -> None:
    (sought,) = write(services, "ann", "seek nibble time=1d")
    assert (sought.letter, sought.mail["Subject"]) == ("open_game", "Nibble 1, open to anyone")
    assert "It starts when 1 more player has joined." in sought.words
    assert "write to play@games.example.org: leave 1" in sought.words
    assert sought.mail["Reply-To"] == PLAY
    (listed,) = write(services, "ben", "lobby")
    assert "Nibble 1, 9 by 9 squares: Ann Needs 1 more. Each move may take up to 1 day." in listed.words
    (told,) = write(services, "ben", "lobby 1")
    assert "You can join this game of Nibble." in told.words
    assert "hash of the seed" in told.words
    begun = write(services, "ben", "join 1", "luck a goat")
    assert sorted((letter.letter, letter.to) for letter in begun) == [
        ("report", "ann@example.org"),
        ("report", "ben@example.org"),
    ]
    assert state_of(services) == "running"
    (late,) = write(services, "ann", "leave 1")
    assert "Game 1 has already started." in late.words


def test_running_and_finished_games_are_listed_too(services: Services, ann: Player, ben: Player) -> None:
    """As in the lobby on the web, people with only a mailbox find games to watch."""
    (nothing,) = write(services, "ann", "lobby")
    assert "watch" not in nothing.words
    played, over = begin(services, "nebuchadnezzar", ann, ben, size=5), begin(services, "nibble", ann, ben)
    resign(services, over, ann)
    private, other = begin(services, "nibble", ann, ben, private="on"), begin(services, "nardshir", ann, ben)
    (listed,) = write(services, "ann", "lobby")
    assert f"Running games: Nardshir {other}" in listed.words
    assert f"Nebuchadnezzar {played}, 5 by 5 points" in listed.words
    assert f"Turn 1. To get an email after each turn, write: watch {played}" in listed.words
    assert f"Nibble {over}, 9 by 9 squares: " in listed.words
    assert "wins: " in listed.words.partition(f"Nibble {over}")[2]
    assert f"Nibble {private}" not in listed.words
    (some,) = write(services, "ann", "lobby nardshir")
    assert f"Nardshir {other}" in some.words
    assert "Nebuchadnezzar" not in some.words
    assert "Nibble" not in some.words


@pytest.mark.both
def test_joining_and_leaving_is_reported_to_the_others(services: Services, ann: Player, ben: Player) -> None:
    write(services, "ann", "seek nexus players=3")
    mine, news = sorted(write(services, "ben", "join #1"), key=lambda letter: letter.to, reverse=True)
    assert "You have joined this game of NEXUS" in mine.words
    assert news.mail["Subject"] == "Ben has joined NEXUS und Rabauken 1"
    assert "Players so far: Ann, Ben. The game starts when 1 more player has joined." in news.words
    assert "Ben via Nabu" in news.mail["From"]
    assert (
        "Open to anyone; it starts when 1 more player has joined." in write(services, "ben", "games")[0].words
    )
    left = write(services, "ben", "leave")
    assert [letter.letter for letter in left] == ["open_game_changed", "confirmation"]
    assert "You have left game 1; it stays open without you." in left[1].words
    write(services, "ben", "join 1")
    closed = write(services, "ann", "leave 1")
    assert "Ann has closed game 1, NEXUS" in closed[0].words
    assert (state_of(services), closed[1].letter) == ("closed", "confirmation")
    assert "There are no open games of NEXUS" in write(services, "ben", "lobby nexus")[0].words


def test_open_game_for_three_starts_with_two(services: Services, ann: Player, ben: Player) -> None:
    write(services, "ann", "seek nexus players=3")
    mine, _ = sorted(write(services, "ben", "join 1"), key=lambda letter: letter.to, reverse=True)
    assert "It can start with fewer players once all 2 who have joined agree. To agree, write" in mine.words
    asked, answer = write(services, "ben", "start")
    assert (asked.letter, asked.to) == ("start_asked", "ann@example.org")
    assert asked.mail["Subject"] == "Start NEXUS und Rabauken 1 with fewer players?"
    assert "Ben wants to start game 1, NEXUS und Rabauken, with the 2 players" in asked.words
    assert "Ben has agreed, Ann has not. To agree, write to play@games.example.org: start 1" in asked.words
    assert (answer.letter, "Ben has agreed, Ann has not." in answer.words) == ("open_game", True)
    assert "start 1" not in answer.words
    gone = write(services, "ben", "leave 1")
    assert "The players have to agree again to start with fewer" in gone[0].words
    for name, text in (("ben", "join 1"), ("ann", "start 1"), ("ben", "start 1")):
        begun = write(services, name, text)
    assert [letter.letter for letter in begun] == ["report", "report"]


def test_conditions_of_an_open_game_are_shown(services: Services, ann: Player, ben: Player) -> None:
    (sought,) = write(services, "ann", "seek nibble rating=1400- in-time=90")
    whom = "anyone rated at least 1400 who answers at least 90% of their turns in time"
    assert sought.mail["Subject"] == f"Nibble 1, open to {whom}"
    assert f"Your game of Nibble is open to {whom}." in sought.words
    assert f"Open to {whom}; it starts" in write(services, "ann", "games")[0].words
    why = "You have no rating in slow games of Nibble yet"
    assert f"Needs 1 more, {whom}. {why}" in write(services, "ben", "lobby")[0].words
    (told,) = write(services, "ben", "lobby 1")
    assert "You cannot join this game of Nibble." in told.words
    assert f"open to {whom}." in told.words
    assert why in told.words
    assert "join 1" not in told.words
    (refused,) = write(services, "ben", "join 1")
    assert f"Game 1 is for {whom}. {why}" in refused.words


def test_outdated_email_about_an_open_game_is_not_sent(services: Services, ann: Player, ben: Player) -> None:
    write(services, "ann", "seek nibble")
    write(services, "ben", "join 1")
    while services.delivery().send_due(services.now()):
        pass
    with reading(services.engine) as session:
        states = session.connection().exec_driver_sql("SELECT letter, state FROM outbox").all()
    assert ("open_game", "dropped") in [tuple(row) for row in states] or ("open_game", "unwanted") in [
        tuple(row) for row in states
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("seek", "Say which game, for example: seek nibble. The games are nardshir,"),
        ("seek Ben nibble", "To challenge a player, write: challenge Ben nibble"),
        ("seek nibble sise=3", "Nibble has no option “sise”"),
        ("seek nibble soon", "“soon” is not an option"),
        ("seek nibble time=1d time=3d", "time is written twice, as 1d and as 3d. Write it once."),
        ("seek nibble TIME=daily 20:00 time=3d", "time is written twice, as daily 20:00 and as 3d."),
        ("challenge Enkidu nibble board=square-9\nboard=oval", "board is written twice"),
        ("seek nibble rating=strong", "“strong” is not a range of ratings. Write for example rating=1400-1700"),
        ("challenge Enkidu nibble in-time=90", "“in-time” sets who may join an open game, and only works"),
        ("join", "Say which game or tournament, for example: join 12"),
        ("join 7", "There is no open game 7."),
        ("start", "Say which game, for example: start 12. Open games that you have joined: none."),
        ("start 7", "There is no open game 7."),
        ("leave", "Say which game, for example: leave 12. Open games that you have joined: none."),
        ("open chess", "“chess” is neither a game nor the number of one."),
        ("open 7", "There is no open game 7."),
        ("luck a goat", "Words for luck go below “accept” or “join”"),
    ],
)
def test_invalid_commands_about_open_games_are_refused(
    services: Services, ann: Player, text: str, sentence: str
) -> None:
    (answer,) = write(services, "ann", text)
    assert answer.letter == "refusal_account"
    assert sentence in answer.words


def test_open_game_is_joined_and_not_accepted(services: Services, ann: Player, ben: Player) -> None:
    write(services, "ann", "seek nibble")
    (answer,) = write(services, "ben", "accept 1")
    assert "Game 1 is open: write join 1 to join it, leave 1 to leave it." in answer.words


def test_stranger_gets_an_explanation_of_signing_up(services: Services) -> None:
    for text in ("seek nibble", "open", "join 1", "start 1", "leave 1"):
        services.now.advance(days=1)  # type: ignore[attr-defined]
        (answer,) = write(services, "new", text)
        assert "register NAME" in answer.words
