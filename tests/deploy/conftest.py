"""The fixtures of `tests.support.server.services`."""

from tests.support.server.services import clock, database_url, postgres, postgres_template, services, settings

__all__ = ["clock", "database_url", "postgres", "postgres_template", "services", "settings"]
