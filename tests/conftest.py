"""Chance in tests: in CI always the same examples and draws. No time limits: machines are slow at times."""

from __future__ import annotations

import os
import re

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings

from tests.draws import settle
from tests.folders import E2E
from tests.templates import Compiled

settings.register_profile("at home", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("at home"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "at home")

# Each test has pages of its own; what its templates are compiled to is the same in all of them.
Flask.jinja_options = {"bytecode_cache": Compiled()}


LONG = 600
"""Seconds that a long test may take."""
_PROGRAMS = {"postgres", "postfix", "dovecot", "mailservers"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what starts programs, and give long tests their time."""
    for item in items:
        if _starts_programs(item):
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.timeout(LONG))


def _starts_programs(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    # `database_url` asks for the server only where this is its parameter.
    on_postgres = "postgresql" in re.split(r"[\[\]-]", item.name)
    return item.path.is_relative_to(E2E) or bool(fixtures & _PROGRAMS) or on_postgres


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before any fixture of a test, whatever its scope, draws anything."""
    settle(item.nodeid)
