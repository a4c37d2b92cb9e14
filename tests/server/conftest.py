"""The fixtures of `tests.services`, and people with browsers, by name."""

from tests.server.browsers import ann, app, ben
from tests.server.matches import open_game, secret_game
from tests.services import clock, database_url, failures_meant, postgres, postgres_template, services, settings

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
