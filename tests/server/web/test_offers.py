"""Standing offers on the web."""

from __future__ import annotations

from flask import Flask

from server.jobs.table import REOPENING
from server.processes.services import Services
from server.store.models import Player
from tests.support.web.client import logged_in, readable


def test_one_is_opened_joined_and_ended(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    anns, bens = (logged_in(app, services, player) for player in (ann, ben))
    wrong = anns.send("/games/new/nibble", anybody="yes", always="many")
    assert (wrong.status_code, "“Always up for” is a number from 1 to 10" in readable(wrong)) == (422, True)
    anns.send("/games/new/nibble", anybody="yes", always="1")
    assert "Always up for one of these" in bens.text("/lobby")
    assert "Always up for one of these" in bens.text("/games/1")
    bens.send("/games/1/join")
    assert "Offer no more of these" in anns.text("/games/1")
    assert "always up" not in bens.text("/games/1").lower()
    bens.send("/games/1/resign", turn=1)
    REOPENING.run_next(services.engine, services.sealer, services.now())
    assert "Always up for one of these" in bens.text("/games/2")
    assert anns.send("/games/1/leave").location == "/games"
    assert "are offered no more" in anns.text("/lobby")
    assert "Offer no more of these" not in anns.text("/games/1")
    assert "This game was closed" in anns.text("/games/2")
