"""How examples are drawn: without time limits, since machines are slow at times; in CI always the same ones."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("at home", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("at home"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "at home")
