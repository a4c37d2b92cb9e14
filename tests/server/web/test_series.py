"""Series of games on the web."""

from __future__ import annotations

from flask import Flask

from server.jobs.table import SERIES
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from tests.support.web.client import logged_in


def test_series_is_proposed_played_and_ended(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    anns, bens = (logged_in(app, services, player) for player in (ann, ben))
    anns.send("/games/new/nibble", opponents="Ben", games="4")
    assert "This is a series of 4 games" in bens.text("/games/1")
    bens.send("/games/1/accept")
    assert "Game 1 of 4" in anns.text("/games/1")
    bens.send("/games/1/resign", turn=1)
    page = anns.text("/games/1")
    assert "Game 1 of 4; Ann 1, Ben 0." in page
    assert "Rematch" not in page
    SERIES.run_next(services.engine, services.sealer, services.now())
    assert 'href="/games/2"' in anns.get("/games/1").text
    assert "Game 2 of 4; Ann 1, Ben 0." in bens.text("/games/2")
    assert "End the series after this game" in bens.text("/games/2")
    assert bens.send("/games/2/end-series").location == "/games/2"
    assert "Game 2 of 4, the last; Ann 1, Ben 0." in anns.text("/games/2")
    assert "End the series" not in anns.text("/games/2")
    with reading(services.engine) as session:
        assert session.get_one(Game, 2).series_ended
