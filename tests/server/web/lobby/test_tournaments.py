"""The pages of tournaments: created, joined, watched and left in a browser."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from sqlmodel import select

from server.game.leaving import account_deletion
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Entrant, Player, Tournament
from tests.support.server.emails import receive
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.server.tournaments import NAMES, Field, first_by_name
from tests.support.web.client import Browser, logged_in, readable

FORM = {"name": "Spring Cup", "format": "round-robin", "places": "3", "option-size": "4", "time": "1d"}


@pytest.fixture
def ann(app: Flask, services: Services) -> Browser:
    return logged_in(app, services, add_player(services, "ann@example.org", "Ann"))


@pytest.mark.both
def test_tournament_is_created_with_the_chosen_values(ann: Browser, services: Services) -> None:
    assert "Spring Cup" not in ann.text("/tournaments")
    made = ann.send(
        "/tournaments/new/nebuchadnezzar", **FORM, rounds="5", together="off", ties=["head", "", ""]
    )
    assert made.location == "/tournaments/1"
    with reading(services.engine) as session:
        made_one = session.get_one(Tournament, 1)
    assert made_one.plan == {
        "format": "round-robin",
        "places": "3-3",
        "signup": "14d",
        "early": "on",
        "together": "off",
        "after": "24d",
        "ties": "head",
    }
    assert made_one.terms["time"] == "1d"
    page = ann.text("/tournaments/1")
    assert "Round robin, Nebuchadnezzar (4 by 4 points), created by you." in page
    assert "0 of 3 places are taken." in page
    assert "Spring Cup 1 Round robin, Nebuchadnezzar 4 by 4 points 0 of 3 players" in ann.text("/tournaments")


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"places": "1"}, "has from 2 to 16 places"),
        ({"format": "league"}, "Choose a format."),
        ({"name": ""}, "name"),
        ({"ties": ["wins", "wins"]}, "are no tie-breaks"),
        ({"other-time": "soon"}, "soon"),
    ],
)
def test_error_is_shown_and_the_input_kept(ann: Browser, fields: dict[str, object], complaint: str) -> None:
    answer = ann.send("/tournaments/new/nebuchadnezzar", **{**FORM, "signup": "3d", **fields})
    assert answer.status_code == 422
    assert complaint in readable(answer)
    assert 'value="3d"' in answer.text


def test_player_enters_leaves_and_cancels(ann: Browser, app: Flask, services: Services) -> None:
    ann.send("/tournaments/new/nebuchadnezzar", **FORM)
    assert ann.send("/tournaments/1/join").location == "/tournaments/1"
    page = ann.text("/tournaments/1")
    assert "You have joined Spring Cup." in page
    assert "You are taking part." in page
    assert "you are taking part" in ann.text("/tournaments")
    ann.send("/tournaments/1/join")
    assert "You have already joined tournament 1" in ann.text("/tournaments/1")
    ann.send("/tournaments/1/leave")
    ann.send("/tournaments/1/cancel")
    assert "This tournament was cancelled." in ann.text("/tournaments/1")
    with reading(services.engine) as session:
        assert not session.exec(select(Entrant)).all()
    assert Browser(app).client.get("/tournaments/99").status_code == 404
    assert ann.get("/tournaments?state=cancelled").status_code == 404
    assert ann.get("/tournaments/new/chess").status_code == 404


def test_visitor_sees_everything_and_can_change_nothing(app: Flask, services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="round-robin", places="3")
    nobody = Browser(app)
    assert "Sign up to join" in nobody.text("/tournaments/1")
    for address in ("/tournaments/new", "/tournaments/new/nibble"):
        assert nobody.get(address).location is not None
    assert nobody.send("/tournaments/1/join").status_code == 303
    field.enter(*NAMES[:3])
    field.tick()
    assert "All rounds are being played at the same time." in nobody.text("/tournaments/1")


def test_round_robin_page_has_a_crosstable(app: Flask, services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="double", places="3", together="off")
    field.enter(*NAMES[:3])
    field.play_round(first_by_name)
    page = Browser(app).get("/tournaments/1")
    assert "Crosstable" in page.text
    titles = re.findall(
        r'<th scope="col">([^<]+)</th>', page.text.partition("Standings")[2].partition("</thead>")[0]
    )
    row = page.text.partition("Standings")[2].partition("<tbody>")[2].partition("</tr>")[0]
    assert re.findall(r'data-of="([^"]+)"', row) == titles[2:], "phones show the titles in each row"
    first = field.pairings(1)[0]
    assert f'href="/games/{first.game_id}" aria-label="1, game {first.game_id}">1</a>' in page.text
    assert "being played, game" in page.text
    said = readable(page)
    assert "Round 2 of 6 is being played." in said
    assert f"– {max(field.names(first))}" in said or f"{max(field.names(first))} –" in said
    assert "1–0" in Browser(app).text("/tournaments/1?round=1") + Browser(app).text("/tournaments/1?round=9")


def test_ladder_page_counts_games_that_it_no_longer_shows(
    app: Flask, services: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.tournaments.views._MOST_LATEST", 1)
    field = Field(services, clock, form="ladder", places="2")
    field.enter("Ann", "Ben")
    for _ in range(3):
        field.play_round(first_by_name)
    said = Browser(app).text("/tournaments/1")
    assert "1 Ann 3 3 3 3" in said
    assert said.count(" – ") == 2  # the heading of the table, and one game


def test_player_without_a_place_joins_the_waiting_list(
    app: Flask, services: Services, clock: Clock, ann: Browser
) -> None:
    field = Field(services, clock, form="round-robin", places="3-4", early="off")
    field.enter(*NAMES[1:5])
    ann.send("/tournaments/1/join")
    assert "All places in Spring Cup are taken: you wait for one." in ann.text("/tournaments/1")
    assert (
        "All places in Spring Cup are taken: you wait for one."
        in receive(services, "fay@example.org", "play@games.example.org", "join tournament 1")[-1].words
    )


@pytest.mark.both
def test_ladder_page_begins_with_its_latest_games(app: Flask, services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="ladder", places="2")
    field.enter("Ann", "Ben")
    for _ in range(2):
        field.play_round(first_by_name)
    games = [str(each.game_id) for each in field.pairings()]
    assert re.findall(r">Game ([0-9]+)<", Browser(app).get("/tournaments/1").text) == games[::-1]


def test_names_link_to_profiles_of_existing_players(app: Flask, services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="swiss", places="4")
    field.enter("Ann", "Ben", "Cleo")
    with writing(services.engine) as session:
        account_deletion.delete_account(field.action(session), session.get_one(Player, field.ids["Ann"]))
    page = Browser(app).get("/tournaments/1").text
    assert '<a href="/player/Ben">Ben</a>' in page
    assert f"created by Former player {field.ids['Ann']}." in page
    assert "/player/Former" not in page
    field.enter("Dora", "Emil")
    assert '<a href="/player/Emil">Emil</a>' in Browser(app).get("/tournaments/1").text


def test_final_page_names_the_winner(app: Flask, services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="knock-out", places="2")
    field.enter("Ann", "Ben")
    field.play_round(first_by_name)
    said = Browser(app).text("/tournaments/1")
    assert "Won by Ann" in said
    assert "Place Player Rounds won Games 1 Ann 1 1 2 Ben 0 1" in said
    assert "Finished Spring Cup 1 Knock-out" in Browser(app).text("/tournaments")


def test_lists_are_paged(ann: Browser) -> None:
    ann.send("/tournaments/new/nibble", **{**FORM, "format": "swiss"})
    assert "Page 2" in ann.text("/tournaments?state=open&page=2")
    assert "Spring Cup" in ann.text("/tournaments?state=open")
