"""The bot in the documentation plays whole games against itself on a real server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.processes.services import open_services
from server.settings import Settings
from server.store.db import reading
from server.store.models import Game, Player
from server.web import create_app
from server.web.api.events import EXTENSION
from server.web.server import WebServer
from server.web.shared.streams import Streams
from tests.support.folders import DOCS
from tests.support.machine.ports import free_ports
from tests.support.machine.waiting import await_port, await_that
from tests.support.server.players import add_player
from tests.support.server.services import settings_for, sqlite_database
from tests.support.web.api_client import ApiClient, api_client

PAGE = (DOCS / "api.md").read_text(encoding="utf-8")
WHOLE, ENOUGH = "nebuchadnezzar", 12
"""The game that is played to its end; in other games a player resigns after this many turns."""
(ROBOT,) = re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings without a practical rate limit for bots."""
    return settings_for(sqlite_database(tmp_path), api_rate=1_000_000)


@contextmanager
def playing(url: str, token: str, output: Path) -> Iterator[None]:
    """Run the bot as a separate process; its output goes to a file."""
    environment = {**os.environ, "NABU_URL": url, "NABU_TOKEN": token}
    with (
        output.open("wb") as file,
        subprocess.Popen([sys.executable, "-c", ROBOT], env=environment, stdout=file, stderr=file) as process,
    ):
        try:
            yield
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("game_type", "options"),
    [
        ("nebuchadnezzar", {"size": 4}),
        pytest.param("nelaxtam", {"size": 10, "troops": 1, "sea": 0}, marks=pytest.mark.long),
        pytest.param("nardshir", {}, marks=pytest.mark.long),
    ],
)
def test_two_example_bots_play_a_complete_game(
    settings: Settings, tmp_path: Path, game_type: str, options: dict[str, int]
) -> None:
    services = open_services(settings)
    app, [port] = create_app(services), free_ports(1)
    streams = app.extensions[EXTENSION] = Streams(look=0.02, beat=0.2)
    pages = WebServer(app, "127.0.0.1", port, own=lambda peer: True)
    pages.start()
    await_port(port)
    ann, ben = (add_player(services, f"{name}@example.org", name.title()) for name in ("ann", "ben"))
    hers, his = api_client(app, services, ann), api_client(app, services, ben)
    outputs = [tmp_path / "ann.txt", tmp_path / "ben.txt"]
    url = f"http://127.0.0.1:{port}"
    with playing(url, hers.token, outputs[0]), playing(url, his.token, outputs[1]):
        number = hers.do("/challenge", opponents=["Ben"], game_type=game_type, options=options)["number"]
        if game_type != WHOLE:
            await_that(lambda: over_or_resigned(hers, number))
        await_that(lambda: all(f"/games/{number} over " in output.read_text() for output in outputs))
    await_that(lambda: streams.count == 0)
    pages.stop()
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        assert game.state == "over"
        assert game.turn > 1
        assert {session.get_one(Player, player).name for player in game.asked} == {"Ann", "Ben"}
    services.close()
    assert "Traceback" not in "".join(output.read_text() for output in outputs)


def over_or_resigned(player: ApiClient, number: int) -> bool:
    """Return whether the game is over, by its rules or because the player could resign after enough turns.

    The bots continue to play in the meantime. Their moves are random: one game of orders in fourteen ends
    sooner.
    """
    game = player.read(f"/games/{number}")
    if game["state"] == "over":
        return True
    turn = game["turn"]
    return turn > ENOUGH and player.post(f"/games/{number}/resign", turn=turn).status_code == 200


def test_example_bot_has_at_most_forty_lines() -> None:
    assert len([line for line in ROBOT.splitlines() if line]) <= 40
