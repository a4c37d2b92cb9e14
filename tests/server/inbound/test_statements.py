"""The database statements for a move by email: none is repeated."""

from __future__ import annotations

import pytest

from server.processes.services import Services
from tests.support.counting import named
from tests.support.mail.moves_by_email import asked_by_a_move, asked_by_reports, games_under_way

pytestmark = pytest.mark.both

_A_MOVE = [
    # The sender and the game.
    *("select inbox", "select address", "select game", "select seat", "select inbox"),
    # The board that the player saw, the move, and the letter to the opponent.
    *("select entry", "select entry", "insert entry", "select pause", "select browser", "insert outbox"),
    # The new state of the game, and the letter to the player who moved.
    *("update game", "update seat", "update seat", "insert outbox"),
    # The final state of this email, and a check for another one.
    *("update inbox", "select inbox"),
]
_TWO_REPORTS = ["select game", "select seat", "select entry", "select entry"]
"""The second entry is the board that the reply address names."""


@pytest.fixture
def games(services: Services) -> list[int]:
    return games_under_way(services)


def test_move_runs_each_query_once(services: Services, games: list[int]) -> None:
    assert _asked(asked_by_a_move(services, games)) == _A_MOVE


def test_both_reports_of_a_turn_share_their_queries(services: Services, games: list[int]) -> None:
    assert _asked(asked_by_reports(services, games[0], turn=2)) == _TWO_REPORTS


def _asked(found: list[str]) -> list[str]:
    """Return the statements, without the starts and ends of transactions."""
    return [name for statement in found if (name := named(statement))]
