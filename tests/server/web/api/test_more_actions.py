"""More actions of programs: hints, analyses, terms, watching, reports and tournaments."""

from __future__ import annotations

import pytest
from flask import Flask

from server.processes.services import Services
from server.store.models import Player
from tests.support.server.computer_players import answer_all, begin_solo, move_next, seat_of, turn_of
from tests.support.server.emails import letters
from tests.support.server.players import add_player
from tests.support.web.api_client import ApiClient, ApiGame, api_client, problem


@pytest.fixture
def hers(app: Flask, services: Services, ann: Player) -> ApiClient:
    """A program of Ann."""
    return api_client(app, services, ann)


@pytest.fixture
def his(app: Flask, services: Services, ben: Player) -> ApiClient:
    """A program of Ben."""
    return api_client(app, services, ben)


def test_hint_is_requested_and_read(services: Services, hers: ApiClient, ann: Player) -> None:
    number = begin_solo(services, ann, "nebuchadnezzar", size=4)
    game = f"/games/{number}"
    if seat_of(services, number, ann):
        move_next(services)
    assert hers.read(f"{game}/hint")["offered"]
    asked = hers.do(f"{game}/hint", turn=turn_of(services, number))
    assert asked["detail"] == "The computer is thinking about your move."
    assert hers.read(f"{game}/hint") == {"offered": False, "awaited": True, "move": "", "reasons": []}


def test_finished_game_is_analysed(services: Services, table: ApiGame) -> None:
    black, white = table.robots
    assert problem(black.post(f"{table.path}/analyse"))[0] == 409
    black.do(f"{table.path}/move", turn=1, move="c3")
    white.do(f"{table.path}/resign", turn=2)
    assert table.stranger.do(f"{table.path}/analyse")["detail"] == "The computer is analysing the game."
    assert table.stranger.read(f"{table.path}/analysis") == {"awaited": True, "analysis": None}
    answer_all(services)
    assert black.read(f"{table.path}/analysis")["analysis"]["numbers"]


def test_counter_offer_is_made(hers: ApiClient, his: ApiClient) -> None:
    first = hers.do("/challenge", opponents=["Ben"], game_type="nibble")["number"]
    proposed = his.do(f"/games/{first}/counter", options={"time": "1d"})
    assert proposed["detail"].startswith("Your proposal is on its way.")
    assert (proposed["number"], proposed["state"]) == (first + 1, "invited")
    assert hers.do(f"/games/{first + 1}/accept")["state"] == "running"


def test_series_is_ended(hers: ApiClient, his: ApiClient) -> None:
    number = hers.do("/challenge", opponents=["Ben"], game_type="nibble", options={"games": 3})["number"]
    his.do(f"/games/{number}/accept")
    ended = his.do(f"/games/{number}/end-series")
    assert ended["detail"] == f"The series ends with game {number}: no further game follows."
    assert problem(his.post(f"/games/{number}/end-series"))[0] == 409


def test_game_is_muted(table: ApiGame) -> None:
    muted = table.robots[0].do(f"{table.path}/mute", time="5d")
    assert "no email about game 1 until" in muted["detail"]
    assert problem(table.robots[0].post(f"{table.path}/mute", time="soon"))[0] == 409
    assert problem(table.stranger.post(f"{table.path}/mute", time="5d"))[0] == 403


def test_spectators_watch_and_chat(app: Flask, services: Services, table: ApiGame) -> None:
    dan = api_client(app, services, add_player(services, "dan@example.org", "Dan"))
    watched = table.stranger.do("/watch", name=str(table.number))["detail"]
    assert f"game {table.number}" in watched
    said = table.stranger.do(f"{table.path}/spectator-message", text="What a game!")
    assert said["detail"]
    (message,) = dan.read(f"{table.path}/spectator-messages")["said"]
    assert (message["speaker"], message["text"], message["own"]) == ("Cleo", "What a game!", False)
    assert table.robots[0].read(f"{table.path}/spectator-messages")["said"] == []
    reported = dan.do(f"{table.path}/report-spectator", message=message["number"], why="Boasts")
    assert reported["detail"] == "The message has been reported."
    assert problem(table.robots[0].post(f"{table.path}/report-spectator"))[0] == 409
    table.stranger.do("/unwatch", name="all")


def test_message_is_reported(table: ApiGame) -> None:
    black, white = table.robots
    black.do(f"{table.path}/say", text="You fool")
    reported = white.do(f"{table.path}/report", why="Insult")
    assert reported["detail"] == "The message has been reported."
    assert problem(white.post(f"{table.path}/report", why="Again"))[0] == 409
    assert problem(table.stranger.post(f"{table.path}/report"))[0] == 403


def test_player_is_blocked(hers: ApiClient, his: ApiClient) -> None:
    assert "Ben" in hers.do("/block", name="Ben")["detail"]
    assert problem(his.post("/challenge", opponents=["Ann"], game_type="nibble"))[0] == 409
    hers.do("/unblock", name="Ben")
    assert his.do("/challenge", opponents=["Ann"], game_type="nibble")["state"] == "invited"
    assert problem(hers.post("/block"))[0] == 422


def test_tournament_is_created_entered_and_left(services: Services, hers: ApiClient, his: ApiClient) -> None:
    made = hers.do("/tournaments", name="Spring Cup", game_type="nibble", options={"form": "swiss"})
    number = made["tournament"]
    (row,) = his.read("/tournaments")["tournaments"]
    assert (row["number"], row["name"], row["players"], row["joined"]) == (number, "Spring Cup", 0, False)
    his.do(f"/tournaments/{number}/join")
    found = his.read(f"/tournaments/{number}")
    assert (found["entered"], found["joined"], found["made_by"]) == (["Ben"], True, "Ann")
    his.do(f"/tournaments/{number}/leave")
    assert his.read(f"/tournaments/{number}")["entered"] == []
    assert problem(his.post(f"/tournaments/{number}/cancel"))[0] == 409
    assert hers.do(f"/tournaments/{number}/cancel")["detail"].endswith("Spring Cup.")
    assert problem(his.get("/tournaments/99"))[0] == 404
    assert not [letter for letter in letters(services) if letter.letter == "tournament_sheet"]


def test_program_changes_preferences_like_an_email(hers: ApiClient) -> None:
    told = hers.do("/settings/zone", value="Berlin")["detail"]
    assert told.startswith("Your time zone is Europe/Berlin")
    assert hers.read("/me")["zone"] == "Europe/Berlin"
    status, _, why = problem(hers.post("/settings/zone", value="Atlantis"))
    assert status == 409
    assert "Atlantis" in why
    assert hers.do("/settings/name", value="Anna")["detail"] == "Your name is now Anna."


@pytest.mark.parametrize("path", ["/address/add", "/address/main", "/logout/all", "/token/add", "/delete"])
def test_program_cannot_change_access_to_the_account(hers: ApiClient, path: str) -> None:
    assert hers.post(path, email="thief@example.org", name="x").status_code == 404
