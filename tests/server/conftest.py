"""Services, players, games and browsers for all tests of the server."""

from tests.support.database.next_schema import next_schema
from tests.support.server.games import island, table
from tests.support.server.players import ann, ben, cleo
from tests.support.server.services import (
    action,
    clock,
    database_url,
    failures_meant,
    postgres,
    postgres_template,
    services,
    settings,
)
from tests.support.server.tournaments import field
from tests.support.web.client import app, browser
from tests.support.web.games import open_game, secret_game

__all__ = [
    "action",
    "ann",
    "app",
    "ben",
    "browser",
    "cleo",
    "clock",
    "database_url",
    "failures_meant",
    "field",
    "island",
    "next_schema",
    "open_game",
    "postgres",
    "postgres_template",
    "secret_game",
    "services",
    "settings",
    "table",
]
