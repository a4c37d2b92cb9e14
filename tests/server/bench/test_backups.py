"""The cost of backups can be measured on any PostgreSQL."""

from __future__ import annotations

from dataclasses import astuple

import pytest

from server.bench import backups
from tests.support.database.postgres import Server


@pytest.mark.long
def test_backup_of_a_few_games_is_measured(postgres: Server) -> None:
    costs = backups.run(20, postgres.url("postgres"))
    assert 0 < costs.file < costs.database
    parts = (costs.making, costs.unpacking, costs.filling, costs.checking)
    assert min(min(astuple(each)) for each in parts) > 0
