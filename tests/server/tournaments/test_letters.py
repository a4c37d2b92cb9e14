"""The contents and recipients of tournament emails."""

from __future__ import annotations

import pytest
from sqlmodel import select

from server.outbound.letters.tournaments import Tournaments, TournamentSheet
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Player
from tests.support.server.emails import letters
from tests.support.server.services import Clock
from tests.support.server.tournaments import NAMES, Field, first_by_name, last_email

CUP = "Ann’s tournament “Spring Cup”"


@pytest.fixture
def field(services: Services, clock: Clock) -> Field:
    return Field(services, clock, form="swiss", places="5", rounds=2, after="10d", time="none")


def test_round_letter_has_the_game_and_the_standings_before(field: Field) -> None:
    field.enter(*NAMES[:5])
    field.tick()
    first = last_email(field, "round_begins", "Ann")
    assert first.mail["Subject"] == "Ann’s tournament “Spring Cup”, round 1"
    assert "Ann’s tournament “Spring Cup” has started." in first.words
    assert "Game 1 You play Cleo, in the first seat." in first.words
    assert (
        "You have a bye in this round, which scores one point."
        in last_email(field, "round_begins", "Emil").words
    )
    field.play_round(first_by_name)
    started, *_, over = [
        each for each in letters(field.services) if each.letter == "report" and "Ann" in each.words
    ]
    assert (
        started.words.count(f"This is a game of {CUP}.") == over.words.count(f"This is a game of {CUP}.") == 1
    )
    second = last_email(field, "round_begins", "Ann")
    assert second.mail["Subject"] == "Ann’s tournament “Spring Cup”, round 2"
    assert "Ann’s tournament “Spring Cup”: round 2 of 2 starts." in second.words
    assert "2. Ann 1 (0, 0, 1)" in second.words
    assert "Points (Buchholz, Sonneborn-Berger, Wins):" in second.words
    assert "https://games.example.org/games/" in second.html or "/games/3" in second.html


def test_standings_of_a_round_stay_the_same(field: Field) -> None:
    field.enter(*NAMES[:5])
    field.tick()
    field.play_round(first_by_name)
    before = last_email(field, "round_begins", "Ann").words
    field.play_round(lambda two: max(two))
    assert (
        last_email(field, "round_begins", "Ann").words.partition("2. ")[2][:40]
        == before.partition("2. ")[2][:40]
    )


def test_final_letter_names_the_winner(field: Field) -> None:
    field.enter(*NAMES[:5])
    field.tick()
    field.play_round(first_by_name)
    field.play_round(first_by_name)
    last = last_email(field, "tournament_over", "Dora")
    assert last.mail["Subject"] == "Ann’s tournament “Spring Cup” is over"
    assert "Ann’s tournament “Spring Cup” is over. First place: Ann, Ben." in last.words
    assert "To see all games, write “standings 1” to" in last.words


def test_sheet_has_all_conditions_before_entering(field: Field) -> None:
    field.enter("Ben")
    with writing(field.services.engine) as session:
        action = field.action(session)
        for name in ("Ann", "Ben"):
            action.put(f"{name.lower()}@example.org", TournamentSheet(field.number, field.ids[name]))
    said = last_email(field, "tournament_sheet", "Ann").words
    assert "Swiss, Nebuchadnezzar (4 by 4 points), created by Ann." in said
    assert "Players, 1 of 5: Ben." in said
    assert "A game that is unfinished after 10 days of play ends: the player who used" in said
    assert "players without a rating come last, in an order drawn by lot." in said
    assert "a secret that is shown when the tournament starts. Its hash (SHA-256):" in said
    assert "If one of two players has blocked the other, they meet only if no other pairing is possible" in said
    assert "Tie-breaks for players with the same points: Buchholz (the points of all opponents" in said
    assert "join tournament 1" in said
    assert "To leave it, write “leave tournament 1”" in last_email(field, "tournament_sheet", "Ben").words


def test_list_explains_how_to_take_part(field: Field) -> None:
    with writing(field.services.engine) as session:
        field.action(session).put("ann@example.org", Tournaments(field.ids["Ann"]))
    said = last_email(field, "tournaments", "Ann").words
    assert f"Tournament 1 {CUP}: Swiss, Nebuchadnezzar (4 by 4 points). 0 of 5 players." in said
    assert "To join, write “join tournament 1”" in said


def test_adjudication_is_announced_three_days_before(field: Field) -> None:
    field.enter(*NAMES[:5])
    field.tick()
    field.live(days=7)
    warning = last_email(field, "adjudicated_soon", "Ann")
    assert warning.mail["Subject"] == "Ann’s tournament “Spring Cup”: game 1 ends soon"
    assert "This game will end by Wed 11 March 2026, 12:00 UTC (in 3 days)." in warning.words
    assert "If the game is unfinished then: the player who used more thinking time loses" in warning.words


def test_player_who_wants_no_email_gets_none(field: Field) -> None:
    field.enter(*NAMES[:5])
    with writing(field.services.engine) as session:
        session.exec(select(Player).where(Player.name == "Ben")).one().mail_stopped = True
    field.tick()
    assert [each.letter for each in letters(field.services) if each.to == "ben@example.org"] == ["welcome"]


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (
            "swiss",
            "If a player leaves in round 1, the first on the waiting list gets the place from round 2 on. "
            "You are number 2 on the waiting list. If you no longer want to play, write “leave tournament 1”",
        ),
        (
            "ladder",
            "If a player leaves, the first on the waiting list gets the place immediately. "
            "You are number 2 on the waiting list.",
        ),
        ("knock-out", "It accepts no more players. You don’t need to do anything."),
    ],
)
def test_waiting_players_get_the_condition_at_the_start(
    services: Services, clock: Clock, form: str, said: str
) -> None:
    field = Field(services, clock, form=form, places="4", early="off", signup="2d")
    field.enter(*NAMES[:6])
    field.live(days=3)
    assert field.letters("no_place") == ["Emil", "Fay"]
    letter = last_email(field, "no_place", "Fay")
    assert letter.mail["Subject"] == "Ann’s tournament “Spring Cup” has started without you"
    assert (
        f"Ann’s tournament “Spring Cup” has started without you. All places were taken. {said}" in letter.words
    )


def test_waiting_players_are_notified_when_the_second_round_starts(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="swiss", places="4", rounds=3)
    field.enter(*NAMES[:4])
    field.tick()
    field.enter("Emil", "Fay", "Gus")
    field.leave("Ann")
    field.leave("Gus")
    field.play_round(first_by_name)
    assert field.letters("waited_in_vain") == ["Fay"]
    letter = last_email(field, "waited_in_vain", "Fay")
    assert letter.mail["Subject"] == "No place in Ann’s tournament “Spring Cup”"
    said = f"You have no place in {CUP}. Round 2 starts, and the tournament accepts no more players."
    assert f"{said} You don’t need to do anything." in letter.words
    field.play_round(first_by_name)
    field.play_round(first_by_name)
    assert field.letters("waited_in_vain") == ["Fay"], "once"


def test_waiting_players_of_a_ladder_are_notified_at_its_end(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="ladder", places="2", lasts="10d")
    field.enter("Ann", "Ben")
    field.tick()
    field.enter("Cleo")
    field.live(days=9)
    assert field.letters("waited_in_vain") == []
    field.live(days=1)
    assert field.letters("waited_in_vain") == ["Cleo"]
    said = last_email(field, "waited_in_vain", "Cleo").words
    assert f"You have no place in {CUP}. It is over, and no place became free in time." in said
