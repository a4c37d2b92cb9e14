"""Programs of the system that tests need: in CI a missing one is a failure, elsewhere its tests are skipped."""

import os
from typing import NoReturn

import pytest


def fail_or_skip(missing: str) -> NoReturn:
    """Fail the test in CI, and skip it elsewhere. `missing` says what is missing and how to install it."""
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)
