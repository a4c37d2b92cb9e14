"""Moves and orders through the API: listed, built, tried and played in the current turn."""

from __future__ import annotations

import random

import pytest
from flask import Flask
from sqlmodel import select

from rules.registry import RULES
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Outbox, Player
from tests.support.web.api_client import ApiClient, ApiGame, problem


@pytest.fixture
def secret(app: Flask, services: Services, ann: Player, ben: Player) -> ApiGame:
    """A small game with secret orders, in its second turn."""
    found = ApiGame(app, services, "nelaxtam", ann, ben, size=10, troops=1, sea=0)
    for each, orders in zip(found.robots, ("1 d4", "A c4"), strict=True):
        each.do(f"{found.path}/move", turn=1, move=orders)
    return found


def test_move_is_played_and_the_new_state_returned(table: ApiGame) -> None:
    black, white = table.robots
    found = black.do(f"{table.path}/move", turn=1, move=" C3 ", say="Good luck!")
    assert (found["turn"], found["my_turn"], found["to_move"]) == (2, False, [1])
    assert found.pop("detail") == "Turn 1 has been played."
    assert found.items() <= black.read(table.path).items()
    assert white.read("/games")["games"][0]["number"] == table.number
    (said,) = white.read(f"{table.path}/said")["said"]
    assert (said["text"], said["own"]) == ("Good luck!", False)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("body", "status", "name"),
    [
        ({"turn": 2, "move": "c3"}, 409, "stale-turn"),
        ({"turn": 1, "move": "thanks!"}, 422, "unreadable-move"),
        ({"turn": 1, "move": "z9"}, 422, "illegal-move"),
        ({"turn": 1, "move": ""}, 422, "unreadable-move"),
        ({"turn": 1}, 422, "blank"),
        ({"turn": "1", "move": "c3"}, 422, "blank"),
        ({"turn": True, "move": "c3"}, 422, "blank"),
        ({"turn": 1, "move": "c3", "speed": 1}, 422, "blank"),
        ({"turn": 1, "move": "x" * 1001}, 422, "blank"),
        ({"turn": 1, "move": "c3\0"}, 422, "blank"),
        ({"turn": 1, "move": "c3\ud800"}, 422, "blank"),
        ({"turn": 10**400, "move": "c3"}, 422, "blank"),
    ],
)
def test_illegal_move_changes_nothing(table: ApiGame, body: dict[str, object], status: int, name: str) -> None:
    before = table.robots[0].read(table.path)
    assert problem(table.robots[0].post(f"{table.path}/move", **body))[:2] == (status, name)
    assert table.robots[0].read(table.path) == before


def test_refusal_of_a_wrong_turn_names_the_current_turn(table: ApiGame) -> None:
    answer = table.robots[0].post(f"{table.path}/move", turn=7, move="c3")
    assert answer.get_json()["turn"] == 1
    assert "This answers turn 7, but it is now turn 1." in answer.get_json()["detail"]


def test_player_cannot_move_for_another(table: ApiGame) -> None:
    for path in ("move", "check"):
        assert problem(table.robots[1].post(f"{table.path}/{path}", turn=1, move="c3"))[:2] == (
            409,
            "not-your-turn",
        )
        assert problem(table.stranger.post(f"{table.path}/{path}", turn=1, move="c3"))[:2] == (
            403,
            "not-yours",
        )


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 60_000, b'"c3"', b"null", b"[]", b"\xff"])
def test_body_that_is_no_object_is_refused(app: Flask, table: ApiGame, body: bytes) -> None:
    headers = {"Authorization": f"Bearer {table.robots[0].token}", "Content-Type": "application/json"}
    answer = app.test_client().post(f"/api/v1{table.path}/move", data=body, headers=headers)
    assert problem(answer)[0] in (400, 422)


def test_too_large_body_is_refused(table: ApiGame) -> None:
    answer = table.robots[0].post(f"{table.path}/move", turn=1, move="c3", say="x" * 70_000)
    assert problem(answer)[0] == 413


@pytest.mark.sample(2)
@pytest.mark.parametrize("game_type", sorted(RULES))
def test_listed_drawn_and_picked_moves_can_be_played(
    app: Flask, services: Services, ann: Player, ben: Player, game_type: str
) -> None:
    table = ApiGame(app, services, game_type, ann, ben)
    (waiting, game), *_ = [
        (each, found) for each in table.robots for found in [each.read(table.path)] if found["my_turn"]
    ]
    turn, draws = game["turn"], random.Random(7)
    listed = waiting.read(f"{table.path}/moves", limit=5)
    drawn = waiting.read(f"{table.path}/moves", random=3)
    assert (len(listed["moves"]) <= 5, len(drawn["moves"]), listed["turn"]) == (True, 3, turn)
    assert (listed["table"] is not None) <= game["simultaneous"]
    picked: list[str] = []
    found = waiting.do(f"{table.path}/choices", turn=turn, picks=[])
    while found["choices"] and not (found["move"] and draws.random() < 0.3):
        picked = [*found["picked"], draws.choice(found["choices"])["pick"]]
        found = waiting.do(f"{table.path}/choices", turn=turn, picks=picked)
    for move in (*listed["moves"], *drawn["moves"], found["move"]):
        assert waiting.do(f"{table.path}/check", turn=turn, move=move)["move"] == move
    assert waiting.do(f"{table.path}/move", turn=turn, move=found["move"])["number"] == table.number


def test_preview_plays_nothing(table: ApiGame) -> None:
    found = table.robots[0].do(f"{table.path}/check", turn=1, move="C3")
    assert (found["move"], found["position"]["rows"][2]) == ("c3", "..b..")
    assert table.robots[0].read(table.path)["turn"] == 1


def test_moves_are_returned_only_to_the_player_to_move(table: ApiGame) -> None:
    assert problem(table.robots[1].get(f"{table.path}/moves"))[:2] == (409, "not-your-turn")
    assert problem(table.stranger.get(f"{table.path}/moves"))[:2] == (403, "not-yours")


def test_impossible_picks_are_refused(table: ApiGame) -> None:
    answer = table.robots[0].post(f"{table.path}/choices", turn=1, picks=["c3", "c3"])
    assert problem(answer)[:2] == (422, "illegal-move")


def test_orders_are_sealed_replaced_and_withdrawn(secret: ApiGame) -> None:
    one = secret.robots[0]
    found = one.do(f"{secret.path}/move", turn=2, move="1 ne")
    assert (found["turn"], found["orders"], found["my_turn"]) == (2, "1 ne", False)
    assert one.do(f"{secret.path}/move", turn=2, move="1 hold")["orders"] == "hold"
    back = one.do(f"{secret.path}/withdraw", turn=2)
    assert (back["orders"], back["my_turn"]) == ("", True)
    assert problem(one.post(f"{secret.path}/withdraw", turn=2))[0] == 409


_ORDERS = "1 ne"
_MAY_CHANGE = {"owes", "due", "commitment", "since", "unread"}
"""The data that shows others that orders are in: the seat and the time, never the orders."""


def test_orders_are_returned_only_to_their_writer(app: Flask, secret: ApiGame) -> None:
    """Other players and spectators get the same responses before and after, except that orders are in."""
    writer, opponent = secret.robots
    others: list[ApiClient] = [opponent, secret.stranger]
    before = [_all_that_is_told(app, each, secret) for each in others]
    assert writer.do(f"{secret.path}/move", turn=2, move=_ORDERS)["orders"] == _ORDERS
    after = [_all_that_is_told(app, each, secret) for each in others]
    assert [_without(told) for told in after] == [_without(told) for told in before]
    assert before != after, "they see that there are orders"
    assert all(_ORDERS not in repr(list(told.values())) for told in after)
    assert _ORDERS in repr(_all_that_is_told(app, writer, secret)[secret.path])


def _all_that_is_told(app: Flask, robot: ApiClient, table: ApiGame) -> dict[str, object]:
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("api.")]
    paths = [
        rule.rule.removeprefix("/api/v1").replace("<int:number>", str(table.number))
        for rule in rules
        if "GET" in (rule.methods or ()) and rule.endpoint not in ("api.openapi", "api.events")
    ]
    told: dict[str, object] = {path: robot.get(path).get_json() for path in paths}
    for body in ({"turn": 2, "picks": []}, {"turn": 2, "picks": ["A"]}, {"turn": 2, "picks": ["1"]}):
        told[f"choices {body}"] = robot.post(f"{table.path}/choices", **body).get_json()
    for move in (_ORDERS, "1 hold", "A ne"):
        told[f"check {move}"] = robot.post(f"{table.path}/check", turn=2, move=move).get_json()
    told["withdraw"] = robot.post(f"{table.path}/withdraw", turn=2).get_json()
    return {key: _names_no_orders_asked(value) for key, value in told.items()}


def _names_no_orders_asked(value: object) -> object:
    """Return the responses without the part that repeats the request's own move."""
    return value if not isinstance(value, dict) else {k: v for k, v in value.items() if k != "detail"}


def _without(told: object) -> object:
    if isinstance(told, dict):
        return {key: _without(value) for key, value in told.items() if key not in _MAY_CHANGE}
    return [_without(each) for each in told] if isinstance(told, list) else told


def test_program_gets_no_receipt_by_email(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    """A receipt for each of 120 orders per minute is not needed; the response contains the same."""
    table = ApiGame(app, services, "nelaxtam", ann, ben, size=10, troops=1, sea=0)
    for _ in range(3):
        found = table.robots[0].do(f"{table.path}/move", turn=1, move="1 d4")
    assert (found["orders"], found["turn"], found["position"] is None) == ("1 d4", 1, False)
    assert len(found["seats"][0]["commitment"]) == 64
    with reading(services.engine) as session:
        assert "receipt" not in session.exec(select(Outbox.letter)).all()
