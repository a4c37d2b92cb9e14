"""The data export: all data about a player, and no one else's."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from sqlmodel import select

from rules.games.nebuchadnezzar.position import SEATS
from server.accounts.login import api_tokens
from server.game.log import log
from server.game.messages import messages
from server.processes.services import Services
from server.settings import Settings
from server.store.db import reading, writing
from server.store.models import Game, Player, Rating, Seat
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, receive
from tests.support.server.games import begin, open_game, resign
from tests.support.server.players import add_player
from tests.support.server.services import Clock, settings_for
from tests.support.web.client import Browser, logged_in
from tests.support.web.passkeys import add_passkey


@pytest.fixture
def settings(database_url: str) -> Settings:
    """Settings for pages on which browsers support passkeys."""
    return settings_for(database_url, base_url="http://localhost:8000")


def messages_of(services: Services, number: int, player: Player, text: str, *, private: bool = False) -> None:
    with writing(services.engine) as session:
        action, game = ActionContext(session, services.sealer, services.now()), session.get_one(Game, number)
        seat = select(Seat.number).where(Seat.game_id == number, Seat.player_id == player.id)
        messages.keep(action, game, session.exec(seat).one(), text, private=private)


def of_ann(app: Flask, services: Services, ann: Player, ben: Player) -> dict[str, Any]:
    """Return Ann's data from the page, after a game in which both players wrote notes."""
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    messages_of(services, number, ann, "my plan", private=True)
    messages_of(services, number, ben, "canary", private=True)
    receive(services, "ann@example.org", PLAY, "block Ben")
    found = logged_in(app, services, ann).get("/settings/data.json")
    assert found.headers["Content-Disposition"] == 'attachment; filename="nabu-my-data.json"'
    assert "canary" not in found.text
    assert "ben@example.org" not in found.text
    data: dict[str, Any] = json.loads(found.text)
    return data


def test_export_contains_the_players_data(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    data = of_ann(app, services, ann, ben)
    assert (data["name"], data["addresses"]) == ("Ann", ["ann@example.org"])
    assert data["settings"]["zone"] == ""
    assert data["kept_away"] == [{"name": "Ben", "blocked": True}]
    assert data["watched"] == {"games": [], "players": []}
    assert len(data["logins"]) == 1
    (game,) = data["games"]
    assert (game["game_type"], game["state"], sorted(game["seats"])) == (
        "nebuchadnezzar",
        "running",
        ["Ann", "Ben"],
    )
    (words,) = data["words"]
    assert (words["text"], words["note"]) == ("my plan", True)


def test_export_contains_all_that_a_player_wrote_and_chose(
    app: Flask, services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    first = begin(services, "nebuchadnezzar", ann, ben, size=5)
    watched = begin(services, "nebuchadnezzar", add_player(services, "cleo@example.org", "Cleo"), ben, size=5)
    messages_of(services, first, ann, "Good luck!")
    with writing(services.engine) as session:
        session.add(
            Rating(player_id=ann.id or 0, game_type="nibble", pace="days", mu=25.5, sigma=8.25, games=3)
        )
    clock.advance(hours=1)
    with reading(services.engine) as session:
        seats = [player.name for _, player in log.seats(session, session.get_one(Game, first))]
    browser = logged_in(app, services, ann)
    add_passkey(browser)
    browser.send("/settings", bio="I like tea.", languages="English")
    browser.send(f"/games/{first}/variations", turn=0, part=["c3", "d4"], comment="The corner")
    chosen = ("zone Europe/Berlin", "reminders off", "digest daily 18:00", "vacation auto on", "forced on")
    others = (f"watch {watched}", "watch Cleo", f"say {watched} Well played, Cleo.", "sound off")
    for text in (*chosen, *others):
        receive(services, "ann@example.org", PLAY, text)
    began, wrote = "2026-03-01T12:00:00Z", "2026-03-01T13:00:00Z"
    game = {"number": first, "game_type": "nebuchadnezzar", "options": {"size": 5}, "state": "running"}
    assert json.loads(browser.get("/settings/data.json").text) == {
        "format": "nabu-own-data/1",
        "name": "Ann",
        "bio": "I like tea.",
        "languages": "English",
        "known_since": began,
        "email": "ann@example.org",
        "addresses": ["ann@example.org"],
        "settings": {
            "zone": "Europe/Berlin",
            "reminders": "none",
            "digest": "daily 18:00",
            "auto_vacation": True,
            "forced_moves": True,
            "choices": {"sound": "off"},
            "mail_stopped": False,
        },
        "logins": [{"browser": "A browser", "since": wrote, "last_used": wrote}],
        "passkeys": [{"name": "Phone", "added": wrote, "last_used": None}],
        "tokens": [],
        "kept_away": [],
        "watched": {"games": [watched], "players": ["Cleo"]},
        "ratings": [{"game_type": "nibble", "pace": "days", "mu": 25.5, "sigma": 8.25, "games": 3}],
        "games": [{**game, "result": None, "seats": seats, "seat": seats.index("Ann")}],
        "tournaments": [],
        "words": [{"game": first, "turn": 1, "at": began, "note": False, "text": "Good luck!"}],
        "spectator_messages": [{"game": watched, "turn": 1, "at": wrote, "text": "Well played, Cleo."}],
        "reports": [],
        "lines": [
            {
                "game": first,
                "number": 1,
                "line": {"turn": 0, "parts": ["c3", "d4"], "comment": "The corner", "link": ""},
            }
        ],
    }


def test_export_contains_api_tokens_without_their_secrets(app: Flask, services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        api_tokens.add(action, session.get_one(Player, ann.id), "My bot", "the web")
    found = json.loads(logged_in(app, services, ann).get("/settings/data.json").text)
    assert found["tokens"] == [
        {"name": "My bot", "made": services.now().isoformat().replace("+00:00", "Z"), "last_used": None}
    ]


def test_export_contains_the_players_tournaments(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    receive(services, "ann@example.org", PLAY, "tournament Spring Cup nibble")
    receive(services, "ben@example.org", PLAY, "tournament Other Cup nibble")
    receive(services, "ben@example.org", PLAY, "join tournament 1")
    receive(services, "ann@example.org", PLAY, "join tournament 2")
    assert of_ann(app, services, ann, ben)["tournaments"] == [
        {"number": 1, "name": "Spring Cup", "made": True, "entered": False, "left": False},
        {"number": 2, "name": "Other Cup", "made": False, "entered": True, "left": False},
    ]


@pytest.mark.both
def test_export_contains_the_players_reports(
    app: Flask, services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = open_game(services, ann, "nebuchadnezzar", anonymous="yes", size=5)
    receive(services, "ben@example.org", PLAY, f"join {number}")
    messages_of(services, number, ben, "You goat.")
    browser = logged_in(app, services, ann)
    clock.advance(hours=1)
    assert browser.send(f"/games/{number}/said/1/report", why="Rude").status_code == 303
    (report,) = json.loads(browser.get("/settings/data.json").text)["reports"]
    assert report.pop("speaker") in SEATS
    assert report == {
        "game": number,
        "turn": 1,
        "at": "2026-03-01T13:00:00Z",
        "to_spectators": False,
        "words": "You goat.",
        "why": "Rude",
    }
    assert json.loads(logged_in(app, services, ben).get("/settings/data.json").text)["reports"] == []
    resign(services, number, ann)
    (report,) = json.loads(browser.get("/settings/data.json").text)["reports"]
    assert report["speaker"] == "Ben"


def test_export_contains_reports_of_spectators(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    cleo, dan = (add_player(services, f"{name.lower()}@example.org", name) for name in ("Cleo", "Dan"))
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    receive(services, "cleo@example.org", PLAY, f"say {number} What a goat.")
    browser = logged_in(app, services, dan)
    assert browser.send(f"/games/{number}/report-spectator", message="1", why="").status_code == 303
    (report,) = json.loads(browser.get("/settings/data.json").text)["reports"]
    told = (report["speaker"], report["words"], report["why"], report["to_spectators"])
    assert told == (cleo.name, "What a goat.", "", True)


def test_export_is_sent_by_email(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    data = of_ann(app, services, ann, ben)
    (answer,) = receive(services, "ann@example.org", PLAY, "data")
    (part,) = (each for each in answer.mail.walk() if each.get_filename() == "nabu-my-data.json")
    assert json.loads(part.get_content())["games"] == data["games"]


def test_opponent_invited_by_address_has_no_other_name_in_the_export(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    receive(services, "ann@example.org", PLAY, "challenge ben@example.org nibble")
    (game,) = json.loads(logged_in(app, services, ann).get("/settings/data.json").text)["games"]
    assert sorted(game["seats"]) == ["Ann", "ben@example.org"]


def test_only_the_player_gets_the_export(app: Flask) -> None:
    assert Browser(app).get("/settings/data.json").status_code == 303
