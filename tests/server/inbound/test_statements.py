"""What a move by mail asks the database: each thing once."""

from __future__ import annotations

import pytest

from server.processes.services import Services
from tests.support.counting import named
from tests.support.mail.moves_by_email import asked_by_a_move, asked_by_reports, games_under_way

pytestmark = pytest.mark.both

_A_MOVE = [
    # From whom it is, and about which game.
    *("update inbox", "select address", "select game", "select seat", "select inbox"),
    # The move, and the letter for the other one.
    *("select entry", "insert entry", "select pause", "select browser", "insert outbox"),
    # How the game stands then, and the letter for whoever moved.
    *("update game", "update seat", "update seat", "insert outbox"),
    # The end of this mail, and whether there is another.
    *("update inbox", "select inbox"),
]
_TWO_REPORTS = ["select game", "select seat", "select entry"]


@pytest.fixture
def games(services: Services) -> list[int]:
    return games_under_way(services)


def test_a_move_asks_for_each_thing_once(services: Services, games: list[int]) -> None:
    assert _asked(asked_by_a_move(services, games)) == _A_MOVE


def test_both_reports_of_a_turn_look_it_up_once(services: Services, games: list[int]) -> None:
    assert _asked(asked_by_reports(services, games[0], turn=2)) == _TWO_REPORTS


def _asked(found: list[str]) -> list[str]:
    """The statements, without what begins and ends their transactions."""
    return [name for statement in found if (name := named(statement))]
