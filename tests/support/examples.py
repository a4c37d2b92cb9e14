"""The number of random inputs of tests that use Hypothesis."""

from __future__ import annotations

from hypothesis import settings


def examples(count: int) -> settings:
    """Return settings for a test that tries `count` random inputs if long tests run, and otherwise fewer.

    Tests without it try 100, and otherwise 30 (`tests/conftest.py`): the ratio is the same, down to ten inputs.
    """
    return settings(max_examples=max(min(count, 10), count * settings().max_examples // 100))
