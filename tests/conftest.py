"""Chance in tests: in CI always the same examples and draws. No time limits: machines are slow at times."""

from __future__ import annotations

import os

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings

from tests.draws import settle
from tests.templates import Compiled

settings.register_profile("at home", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("at home"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "at home")

# Each test has pages of its own; what its templates are compiled to is the same in all of them.
Flask.jinja_options = {"bytecode_cache": Compiled()}


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before any fixture of a test, whatever its scope, draws anything."""
    settle(item.nodeid)
