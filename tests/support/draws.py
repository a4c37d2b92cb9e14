"""What is drawn by lot (seeds of games, nonces, keys of mails): at home anew each time, in CI always the same.

So a test that fails in CI fails each time, and one that fails now and then does so at home, where it is seen.
"""

from __future__ import annotations

import os
import random
import secrets

import pytest

_drawn = random.Random()


def settle(label: str) -> None:
    """In CI, all that this process draws from now on follows from `label`."""
    if os.environ.get("CI"):
        _drawn.seed(label)
        forever = pytest.MonkeyPatch()
        forever.setattr(secrets, "token_bytes", lambda count: _drawn.randbytes(count))
        forever.setattr(secrets, "token_hex", lambda count=32: _drawn.randbytes(count).hex())
