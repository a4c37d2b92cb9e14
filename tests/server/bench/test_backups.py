"""What backups cost is measured on any PostgreSQL."""

from __future__ import annotations

from dataclasses import astuple

from server.bench import backups
from tests.postgres import Server


def test_a_backup_of_a_few_games_is_measured(postgres: Server) -> None:
    costs = backups.run(100, postgres.url("postgres"))
    assert min(astuple(costs)) > 0
    assert costs.file < costs.database
