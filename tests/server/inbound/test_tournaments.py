"""Tournaments by email: make, find, join, leave and cancel one."""

from __future__ import annotations

import re

import pytest

from server.accounts import relations
from server.interpretation.options import read_tournament
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player, Tournament
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, receive, reply_address, write
from tests.support.server.games import begin
from tests.support.server.players import add_player
from tests.support.server.tournaments import run_due_jobs


@pytest.fixture(autouse=True)
def people(services: Services) -> dict[str, Player]:
    """Return four players."""
    return {
        name: add_player(services, f"{name.lower()}@example.org", name)
        for name in ("Ann", "Ben", "Cleo", "Dora")
    }


def told(services: Services, sender: str, text: str) -> str:
    """Return the answer to an email, which is the only email sent."""
    (answer,) = write(services, sender, text)
    assert answer.to == f"{sender.lower()}@example.org"
    return answer.words


def test_tournament_is_created_joined_left_and_started_by_email(services: Services) -> None:
    made = told(
        services, "Ann", "tournament Spring Cup nebuchadnezzar size=4 format=round-robin places=3 time=1d"
    )
    assert "Spring Cup is open for sign-up." in made
    assert "Everyone plays everyone once. All games start together." in made
    assert "1 day" in made
    assert (
        "Tournament 1 Ann’s tournament “Spring Cup”: Round robin, Nebuchadnezzar (4 by 4 points). 0 of 3 "
        "players." in told(services, "Ben", "tournaments")
    )
    assert "You have joined Spring Cup." in told(services, "Ann", "join tournament 1")
    assert "Players, 2 of 3: Ann, Ben." in told(services, "Ben", "join tournament 1")
    assert "You have left tournament 1, Spring Cup." in told(services, "Ben", "leave tournament 1")
    write(services, "Cleo", "join tournament 1")
    write(services, "Dora", "join tournament 1")
    run_due_jobs(services)
    standings = told(services, "Ben", "standings 1")
    assert "Round 3: " in standings
    assert "Points (Sonneborn-Berger, Head to head, Wins):" in standings
    assert "enter 1" not in standings
    assert "You take part." in told(services, "Cleo", "tournaments")
    assert "To leave it, write “leave tournament 1”" in told(services, "Cleo", "standings")


def test_sheet_has_the_crosstable_and_the_games_of_each_round(services: Services) -> None:
    write(services, "Ann", "tournament Spring Cup nebuchadnezzar size=4 form=double places=3 together=on")
    for name in ("Ann", "Ben", "Cleo"):
        write(services, name, "join tournament 1")
    run_due_jobs(services)
    said = told(services, "Dora", "standings 1")
    assert "Crosstable, with the players in the order of the standings:" in said
    assert re.search(r"1\. \w+ × …… …… 2\. \w+ …… × …… 3\. \w+ …… …… ×", said)
    assert "Round 6: " in said
    assert ", game 6" in said
    assert "For the games of round 5, for example, write “standings 1 round=5” to" in said
    earlier = told(services, "Dora", "standings 1 round=2.")
    assert "Round 2: " in earlier
    assert "Round 6: " not in earlier
    assert "round=6" in earlier
    for wrong in ("round=7", "round=0", "round=two"):
        complaint = told(services, "Dora", f"standings 1 {wrong}")
        assert "has the games of rounds 1 to 6: write for example “standings 1 round=6”." in complaint
    assert "for example: standings 3 round=2" in told(services, "Dora", "standings 1 size=2")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("tournament Spring Cup", "Write: tournament NAME GAME, for example: tournament Spring Cup nibble"),
        ("tournament nibble", "Besides the options of a challenge, there are format, places, signup, early"),
        ("tournament Cup nibble format=league", "“league” is not a format of tournaments"),
        ("tournament Cup nibble size=4", "Nibble has no option “size”"),
        ("tournament Cup nexus players=3", "for two players each"),
        ("tournament Cup nibble time=soon", "soon"),
        ("enter", "Say which tournament, for example: join tournament 3."),
        ("enter 7", "There is no tournament 7. Write “tournaments” for a list."),
        ("quit", "Say which tournament, for example: leave tournament 3."),
        ("quit", "To get no more email, write: stop"),
        ("join Autumn Cup", "There is no tournament called “Autumn Cup” now."),
        ("quit 7", "There is no tournament 7."),
        ("standings", "Say which tournament, for example: standings 3. You take part in: none."),
        ("standings 7", "There is no tournament 7."),
        ("calloff", "Say which tournament, for example: cancel tournament 3."),
        ("calloff 7", "There is no tournament 7."),
    ],
)
def test_invalid_commands_change_nothing(services: Services, text: str, complaint: str) -> None:
    assert complaint in told(services, "Ann", text)
    with reading(services.engine) as session:
        assert session.get(Tournament, 1) is None


def test_only_the_creator_cancels_a_tournament_and_players_are_notified(services: Services) -> None:
    write(services, "Ann", "tournament Cup nibble")
    write(services, "Ben", "join tournament 1")
    assert "Only the creator of tournament 1, Cup, can cancel it." in told(
        services, "Ben", "cancel tournament 1"
    )
    letters = {each.to: each for each in write(services, "Ann", "cancel tournament 1")}
    assert "You have cancelled tournament 1, Cup." in letters["ann@example.org"].words
    assert "The player who created it has cancelled it." in letters["ben@example.org"].words
    assert "is already cancelled" in told(services, "Ann", "cancel tournament 1")
    assert "it is too late to join" in told(services, "Cleo", "join tournament 1")
    assert "It was cancelled." in told(services, "Cleo", "standings 1")


@pytest.mark.both
def test_joining_warns_about_blocked_players_in_the_tournament(
    services: Services, people: dict[str, Player]
) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        relations.block(action, session.get_one(Player, people["Ann"].id), "Ben")
    write(services, "Cleo", "tournament Cup nibble form=round-robin")
    write(services, "Cleo", "tournament Open nibble form=swiss")
    for number in (1, 2):
        assert "blocked also take part" not in told(services, "Ben", f"enter {number}")
    assert "Players that you have blocked also take part: Ben." in told(services, "Ann", "join tournament 1")
    assert "Players that you have blocked also take part" not in told(services, "Ann", "join tournament 2")


def test_name_may_contain_the_name_of_a_game() -> None:
    assert read_tournament("The nibble Cup nelaxtam size=10 time=daily 20:00 Europe/Berlin") == (
        "The nibble Cup",
        "nelaxtam",
        {"size": "10", "time": "daily 20:00 Europe/Berlin"},
    )


def test_tournament_is_found_by_its_name(services: Services) -> None:
    write(services, "Ann", "tournament Spring Cup nibble")
    for name in ("Ann", "Ben"):
        assert "You have joined Spring Cup." in told(services, name, "join spring  cup!")
    assert "Players, 2 of" in told(services, "Ben", "standings Spring Cup")
    assert "You have left tournament 1, Spring Cup." in told(services, "Ben", "leave Spring Cup")
    assert "needs at least 4 players. So far, 1 has joined." in told(services, "Ann", "start Spring Cup")
    assert "Only the creator of tournament 1" in told(services, "Ben", "start tournament 1")
    assert "You have cancelled tournament 1, Spring Cup." in told(services, "Ann", "cancel Spring Cup")
    assert "There is no tournament called “Spring Cup” now." in told(services, "Ben", "join Spring Cup")


def test_standings_find_a_finished_tournament_by_its_name(services: Services) -> None:
    for number in (1, 2):
        write(services, "Ann", "tournament Winter Cup nibble")
        assert f"/tournaments/{number}" in told(services, "Ben", "standings winter cup")
        write(services, "Ann", f"cancel tournament {number}")
    said = told(services, "Ben", "standings tournament Winter Cup.")
    assert "It was cancelled." in said
    assert "/tournaments/2" in said
    write(services, "Ann", "tournament Winter Cup nibble")
    write(services, "Ann", "tournament Winter Cup nibble")
    said = told(services, "Ben", "standings Winter Cup")
    assert "Several tournaments are called “Winter Cup”." in said
    assert "standings tournament 3" in said
    said = told(services, "Ben", "standings Summer Cup")
    assert "There is no tournament called “Summer Cup”. For a list of tournaments, write: tournaments." in said
    assert "number" not in said


def test_names_of_tournaments_may_begin_with_the_word(services: Services) -> None:
    write(services, "Ann", "tournament Tournament of Kings nibble")
    for written in ("Tournament of Kings", "tournament Tournament of Kings"):
        assert "Tournament of Kings" in told(services, "Ben", f"standings {written}")
        assert "You have joined Tournament of Kings." in told(services, "Ben", f"join {written}")
        assert "You have left tournament 1, Tournament of Kings." in told(services, "Ben", f"leave {written}")


def test_number_alone_is_that_of_a_game_unless_only_a_tournament_fits(services: Services) -> None:
    write(services, "Ann", "tournament Spring Cup nibble")
    assert "You have joined Spring Cup." in told(services, "Ben", "join 1")
    write(services, "Ann", "seek nibble")
    said = told(services, "Cleo", "join 1")
    assert "There is a game 1, and a tournament 1." in said
    assert "join game 1" in said
    assert "join tournament 1" in said
    assert "You have joined Spring Cup." in told(services, "Cleo", "join tournament 1")
    assert "There is a game 1, and a tournament 1." in told(services, "Ann", "cancel 1")
    assert "You have left game 1" in told(services, "Ann", "cancel game 1")
    assert "You have left tournament 1" in told(services, "Ben", "leave 1")


def test_challenge_is_cancelled_by_the_reply_that_its_email_names(services: Services) -> None:
    sent = next(each for each in write(services, "Ann", "challenge Ben nibble") if each.to.startswith("ann"))
    named = re.search(r"To cancel the challenge, reply “(.+?)”", sent.words)
    assert named is not None
    letters = receive(services, sent.to, reply_address(services, 1, 0), named[1])
    assert {each.letter for each in letters} == {"declined_by_you", "declined"}
    assert "is no longer valid" in told(services, "Ben", "accept 1")


def test_challenge_is_cancelled(services: Services) -> None:
    write(services, "Ann", "challenge Ben nibble")
    (answer, _) = write(services, "Ann", "cancel 1")
    assert "declined" in {each.letter for each in (answer, _)} | {"declined_by_you"}
    assert "is no longer valid" in told(services, "Ben", "accept 1")


@pytest.mark.parametrize(
    "text",
    [
        "say to all players of the tournament: Welcome!",
        "say 1 to all players of the tournament Welcome!",
        "say to Spring Cup: Welcome!",
        "say Spring Cup: Welcome!",
        "say an alle Spieler des Turniers: Willkommen!",
        "say A todos los jugadores del torneo: Hola",
        "say all players of tournament 1: Welcome!",
        "tell all players of the tournament welcome",
    ],
)
def test_message_to_a_tournament_goes_to_no_game(
    services: Services, people: dict[str, Player], text: str
) -> None:
    begin(services, "nibble", people["Cleo"], people["Dora"])
    write(services, "Ann", "tournament Spring Cup nibble")
    assert "names a tournament, but Nabu sends messages only to the players of one game." in told(
        services, "Cleo", text
    )


@pytest.mark.parametrize(
    "text",
    [
        "to be honest: I like this tournament",
        "The tournament: when does it start?",
        "Tournament: when does it start?",
        "For the tournament I need more time",
        "A tournament is more fun: there are more games",
        "All players of the tournament are here",
    ],
)
def test_message_may_mention_a_tournament(services: Services, people: dict[str, Player], text: str) -> None:
    begin(services, "nibble", people["Cleo"], people["Dora"])
    sent = write(services, "Cleo", f"say {text}")
    assert [each.letter for each in sent] == ["message", "confirmation"]


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("join Spring", "join Spring Cup 2026"),
        ("join the spring cup", "join Spring Cup 2026"),
        ("join Cup 2026", "join Spring Cup 2026"),
        ("join Sprnig Cup 2026", "join Spring Cup 2026"),
        ("I would like to take part in the Spring Cup", "join Spring Cup 2026"),
        ("Ich möchte am Spring Cup teilnehmen", "join Spring Cup 2026"),
        ("standings Spring", "standings Spring Cup 2026"),
    ],
)
def test_tournaments_with_similar_names_are_suggested(services: Services, text: str, choice: str) -> None:
    write(services, "Ann", "tournament Spring Cup 2026 nibble")
    write(services, "Ann", "tournament Winter Open nibble")
    answer = told(services, "Ben", text)
    assert f"Did you mean this? Then answer “yes”, or write: {choice}" in answer
    assert "To name a game" not in answer


def test_registration_beside_a_wrong_name_is_suggested_with_the_right_one(services: Services) -> None:
    write(services, "Ann", "tournament Spring Cup 2026 nibble")
    (answer,) = receive(services, "eve@world.example", PLAY, "register Eve\r\njoin Spring Cup")
    assert "Nothing was changed." in answer.words
    assert "answer “yes”, or write: register Eve join Spring Cup 2026" in answer.words
    field = f"In-Reply-To: {answer.mail['Message-ID']}\r\n"
    (done,) = receive(services, "eve@world.example", PLAY, "yes", field)
    assert "Welcome, Eve." in done.words
    assert "You have joined Spring Cup 2026." in done.words


def test_registration_beside_an_unknown_name_is_suggested_alone(services: Services) -> None:
    (answer,) = receive(services, "eve@world.example", PLAY, "register Eve\r\njoin Spring Cup")
    assert "There is no tournament called “Spring Cup” now." in answer.words
    assert "Nothing was changed. Did you mean this? Then answer “yes”, or write: register Eve" in answer.words
