"""The fixtures of `tests.offices`, and people with browsers, by name."""

from tests.offices import clock, database_url, office, postgres, postgres_template, settings, troubles_meant
from tests.server.browsers import ann, app, ben
from tests.server.matches import open_game, secret_game

__all__ = [
    "ann",
    "app",
    "ben",
    "clock",
    "database_url",
    "office",
    "open_game",
    "postgres",
    "postgres_template",
    "secret_game",
    "settings",
    "troubles_meant",
]
