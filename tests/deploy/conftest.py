"""The fixtures of `tests.services`."""

from tests.services import clock, database_url, postgres, postgres_template, services, settings

__all__ = ["clock", "database_url", "postgres", "postgres_template", "services", "settings"]
