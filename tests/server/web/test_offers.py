"""Recurring open games on the web."""

from __future__ import annotations

from flask import Flask

from server.jobs.table import REOPENING
from server.processes.services import Services
from server.store.models import Player
from tests.support.web.client import logged_in, readable


def test_recurring_open_game_is_opened_joined_and_ended(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    anns, bens = (logged_in(app, services, player) for player in (ann, ben))
    wrong = anns.send("/games/new/nibble", whom="anyone", always="many")
    assert wrong.status_code == 422
    assert "“Games at the same time” must be a number from 1 to 10" in readable(wrong)
    anns.send("/games/new/nibble", whom="anyone", always="1")
    assert "Recurring: at most one running at a time" in bens.text("/lobby")
    assert "with at most one of its games running at a time" in bens.text("/games/1")
    bens.send("/games/1/join")
    assert "Do not open it again" in anns.text("/games/1")
    assert "recurring" not in bens.text("/games/1").lower()
    bens.send("/games/1/resign", turn=1)
    REOPENING.run_next(services.engine, services.sealer, services.now())
    assert "with at most one of its games running at a time" in bens.text("/games/2")
    assert anns.send("/games/1/leave").location == "/games"
    assert "are no longer offered" in anns.text("/lobby")
    assert "Do not open it again" not in anns.text("/games/1")
    assert "This game was cancelled" in anns.text("/games/2")
