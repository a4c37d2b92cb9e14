"""Actions of programs besides moves: messages, resigning, offers, challenges and open games."""

from __future__ import annotations

import pytest
from flask import Flask

from server.admin import bans
from server.admin.audit import AdminAction
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Player
from server.store.outbox import ActionContext
from tests.support.web.api_client import ApiClient, ApiGame, api_client, problem


@pytest.fixture
def hers(app: Flask, services: Services, ann: Player) -> ApiClient:
    """A program of Ann."""
    return api_client(app, services, ann)


@pytest.fixture
def his(app: Flask, services: Services, ben: Player) -> ApiClient:
    """A program of Ben."""
    return api_client(app, services, ben)


def test_player_resigns(table: ApiGame) -> None:
    found = table.robots[1].do(f"{table.path}/resign", turn=1)
    assert (found["state"], found["outcome"], found["result"]["winners"]) == ("over", "lost", [0])
    assert problem(table.robots[0].post(f"{table.path}/move", turn=1, move="c3"))[:2] == (409, "game-over")
    (row,) = table.robots[0].read("/games", list="finished")["games"]
    assert (row["number"], row["outcome"]) == (table.number, "won")


def test_draw_is_offered_and_accepted(table: ApiGame) -> None:
    black, white = table.robots
    offered = black.do(f"{table.path}/draw", turn=1)
    assert [seat["proposals"] for seat in offered["seats"]] == [["draw"], []]
    drawn = white.do(f"{table.path}/draw", turn=1)
    assert (drawn["outcome"], drawn["detail"]) == ("drawn", "The draw has been agreed.")


def test_move_is_taken_back_when_the_opponent_agrees(table: ApiGame) -> None:
    black, white = table.robots
    assert black.do(f"{table.path}/move", turn=1, move="c3")["may_undo"]
    black.do(f"{table.path}/takeback", turn=2)
    assert [seat["proposals"] for seat in white.read(table.path)["seats"]] == [["takeback"], []]
    found = white.do(f"{table.path}/takeback", turn=2)
    assert (found["turn"], found["to_move"], found["detail"]) == (3, [0], "The move has been taken back.")


def test_claim_is_refused_in_time_and_time_is_given(table: ApiGame) -> None:
    black, white = table.robots
    assert problem(black.post(f"{table.path}/claim", turn=1))[:2] == (409, "refused")
    before = white.read(table.path)["seats"][0]["due"]
    assert white.do(f"{table.path}/give", turn=1, time="2d")["seats"][0]["due"] > before


def test_conditional_moves_are_stored_and_hidden_from_others(table: ApiGame) -> None:
    black, white = table.robots
    kept = white.do(f"{table.path}/conditions", turn=1, text="if c3 then a1")
    assert kept["conditions"] == ["if c3 then a1"]
    assert black.read(table.path)["conditions"] == []
    assert white.do(f"{table.path}/conditions", turn=1, text="if off")["conditions"] == []


def test_message_reaches_others_and_note_does_not(table: ApiGame) -> None:
    black, white = table.robots
    black.do(f"{table.path}/say", text="Hello")
    black.do(f"{table.path}/note", text="He is weak")
    assert [each["text"] for each in black.read(f"{table.path}/said")["said"]] == ["Hello", "He is weak"]
    assert [each["text"] for each in white.read(f"{table.path}/said")["said"]] == ["Hello"]
    assert problem(table.stranger.get(f"{table.path}/said"))[0] == 403
    assert problem(table.stranger.post(f"{table.path}/say", text="Boo"))[0] == 403
    assert problem(black.post(f"{table.path}/say", text="Psst", to=7))[0] == 403


@pytest.mark.both
def test_challenge_is_accepted_or_declined(hers: ApiClient, his: ApiClient) -> None:
    first = hers.do("/challenge", opponents=["Ben"], game_type="nibble", options={"time": "1d"})
    assert first["state"] == "invited"
    assert [row["number"] for row in his.read("/games", list="invitations")["games"]] == [first["number"]]
    assert his.do(f"/games/{first['number']}/accept", luck="luck")["state"] == "running"
    second = hers.do("/challenge", opponents=["Ben"], game_type="nebuchadnezzar", options={"size": 5})
    assert second["options"]["size"] == 5
    assert (
        his.do(f"/games/{second['number']}/decline")["detail"] == f"Game {second['number']} will not be played."
    )


def test_computer_is_challenged_and_a_rematch_requested(hers: ApiClient) -> None:
    found = hers.do("/challenge", opponents=["Enkidu"], game_type="nebuchadnezzar", options={"size": 4})
    assert found["state"] == "running"
    assert problem(hers.post(f"/games/{found['number']}/rematch"))[0] == 409
    hers.do(f"/games/{found['number']}/resign", turn=found["turn"])
    assert hers.do(f"/games/{found['number']}/rematch")["number"] == found["number"] + 1


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "wrong",
    [
        {"game_type": "chess"},
        {"options": {"size": 99}},
        {"options": {"time": "soon"}},
        {"options": {"colour": "red"}},
        {"opponents": ["Nobody"]},
        {"opponents": []},
        {"options": {"size": "5\0"}},
        {"options": {str(number): "x" for number in range(50)}},
    ],
)
def test_invalid_challenge_is_refused(hers: ApiClient, ben: Player, wrong: dict[str, object]) -> None:
    asked: dict[str, object] = {"opponents": ["Ben"], "game_type": "nebuchadnezzar", "options": {}}
    assert problem(hers.post("/challenge", **asked | wrong))[0] in (409, 422)


def test_game_is_opened_joined_and_left(hers: ApiClient, his: ApiClient) -> None:
    opened = hers.do("/seek", game_type="nebuchadnezzar", options={"size": 5})["number"]
    (row,) = his.read("/open-games", game_type="nebuchadnezzar")["games"]
    assert (row["number"], row["players"], row["joined"]) == (opened, ["Ann"], False)
    assert his.read("/open-games", game_type="nibble") == {"games": [], "more": False}
    assert his.do(f"/games/{opened}/join")["state"] == "running"
    other = hers.do("/seek", game_type="nexus", options={"players": 3})["number"]
    his.do(f"/games/{other}/join")
    left = his.do(f"/games/{other}/leave")["detail"]
    assert left == f"You have left game {other}; it stays open without you."
    his.do(f"/games/{other}/join")
    hers.do(f"/games/{other}/start")
    assert his.do(f"/games/{other}/start")["state"] == "running"
    last = hers.do("/seek", game_type="nibble")["number"]
    closed = hers.do(f"/games/{last}/leave")["detail"]
    assert closed == f"You have left game {last}; it is no longer open."


def test_suspended_player_can_finish_games_but_not_start_or_write(
    services: Services, table: ApiGame, hers: ApiClient, ann: Player, ben: Player
) -> None:
    with writing(services.engine) as session:
        admin_action = AdminAction(ActionContext(session, services.sealer, services.now()), ben.id or 0)
        bans.suspend(admin_action, session.get_one(Player, ann.id), None, "Insults.")
    assert "suspended" in hers.read("/me")["suspended"]
    for path, body in (
        ("/challenge", {"opponents": ["Ben"], "game_type": "nibble"}),
        ("/seek", {"game_type": "nibble"}),
        (f"{table.path}/say", {"text": "Fools"}),
    ):
        assert "suspended" in problem(hers.post(path, **body))[2]
    assert hers.do(f"{table.path}/draw", turn=1)["state"] == "running"
