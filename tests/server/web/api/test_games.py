"""Games through the API: in lists, and each with its position, seats and turns, without secrets."""

from __future__ import annotations

import pytest
from flask import Flask

from rules.registry import RULES
from server.game.log import log
from server.game.messages import messages
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from tests.support.server.games import begin, open_game, submit
from tests.support.server.players import add_player
from tests.support.web.api_client import ApiClient, api_client, problem


@pytest.mark.both
def test_waiting_games_are_listed_and_others_by_their_list(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    numbers = [begin(services, "nebuchadnezzar", ann, ben, size=5) for _ in range(3)]
    opened = open_game(services, ann)
    hers, his = api_client(app, services, ann), api_client(app, services, ben)
    waiting = [row["number"] for each in (hers, his) for row in each.read("/games")["games"]]
    assert sorted(waiting) == numbers
    others = [row["number"] for each in (hers, his) for row in each.read("/games", list="waiting")["games"]]
    assert sorted(others) == numbers
    (row,) = hers.read("/games", list="open")["games"]
    assert (row["number"], row["state"], row["opponents"]) == (opened, "open", [])
    assert hers.read("/games", list="finished") == {"games": [], "count": 0, "page": 1, "pages": 0}


def test_list_is_paged(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    for _ in range(51):
        begin(services, "nebuchadnezzar", ann, ben, size=4)
    both = [api_client(app, services, player) for player in (ann, ben)]
    found = [each.read("/games", page=page) for each in both for page in (1, 2)]
    assert {page["count"] for page in found} <= set(range(52))
    for first, second in (found[:2], found[2:]):
        assert first["count"] == len(first["games"]) + (len(second["games"]) if first["pages"] > 1 else 0)


def test_game_is_returned_with_its_current_state(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    submit(services, number, 0, "c3")
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        second = log.seats(session, game)[1].player.id
        position = RULES[game.game_type].write(log.position_of(game))
    theirs = api_client(app, services, ann if second == ann.id else ben)
    found = theirs.read(f"/games/{number}")
    assert found["position"] == position
    assert (found["turn"], found["to_move"], found["seat"], found["my_turn"]) == (2, [1], 1, True)
    assert found["deadline"] == found["seats"][1]["due"] == "2026-03-04T12:00:00Z"
    assert [seat["title"] for seat in found["seats"]] == ["Black", "White"]
    (turn,) = theirs.read(f"/games/{number}/turns")["turns"]
    assert (turn["number"], turn["turn"]) == (1, {"seat": 0, "move": "c3"})


def test_turns_are_paged(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    for turn, move in enumerate(("c3", "a1", "e5")):
        submit(services, number, turn % 2, move)
    hers = api_client(app, services, ann)
    first = hers.read(f"/games/{number}/turns", limit=2)
    assert [row["turn"]["move"] for row in first["turns"]] == ["c3", "a1"]
    rest = hers.read(f"/games/{number}/turns", first=first["next"], limit=2)
    assert [row["turn"]["move"] for row in rest["turns"]] == ["e5"]
    assert rest["next"] is None
    assert len(hers.read(f"/games/{number}/record")["turns"]) == 3


def test_game_before_its_start_has_no_position(app: Flask, services: Services, ann: Player) -> None:
    number = open_game(services, ann)
    hers = api_client(app, services, ann)
    found = hers.read(f"/games/{number}")
    assert (found["state"], found["position"], found["to_move"], found["seat"]) == ("open", None, [], 0)
    assert hers.read(f"/games/{number}/turns") == {"turns": [], "next": None}
    assert problem(hers.get(f"/games/{number}/record"))[0] == 404


def test_private_game_of_others_is_not_found(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5, private="on")
    stranger = api_client(app, services, add_player(services, "cleo@example.org", "Cleo"))
    for part in ("", "/turns", "/record"):
        assert stranger.get(f"/games/{number}{part}").text == stranger.get(f"/games/99{part}").text
        assert problem(stranger.get(f"/games/{number}{part}"))[0] == 404


def test_spectator_does_not_see_offers(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    hers: ApiClient = api_client(app, services, ann)
    stranger = api_client(app, services, add_player(services, "cleo@example.org", "Cleo"))
    before = stranger.read(f"/games/{number}")
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        (seat, _), _ = log.seats(session, game)
        seat.propose("draw", game.turn)
        messages.say(ActionContext(session, services.sealer, services.now()), game, 0, "Shall we?")
    assert [seat["proposals"] for seat in hers.read(f"/games/{number}")["seats"]] == [["draw"], []]
    assert stranger.read(f"/games/{number}") == before


def test_players_of_an_anonymous_game_are_hidden(app: Flask, services: Services, ann: Player) -> None:
    number = open_game(services, ann, anonymous="yes")
    stranger = api_client(app, services, add_player(services, "cleo@example.org", "Cleo"))
    assert "Ann" not in stranger.get(f"/games/{number}").text
