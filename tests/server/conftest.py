"""The fixtures of `tests.support.server.services`, and people with browsers, by name."""

from tests.support.server.players import ann, ben
from tests.support.server.services import (
    clock,
    database_url,
    failures_meant,
    postgres,
    postgres_template,
    services,
    settings,
)
from tests.support.web.client import app
from tests.support.web.games import open_game, secret_game

__all__ = [
    "ann",
    "app",
    "ben",
    "clock",
    "database_url",
    "failures_meant",
    "open_game",
    "postgres",
    "postgres_template",
    "secret_game",
    "services",
    "settings",
]
