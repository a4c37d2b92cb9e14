"""Rate limits: units are used up, return in time, and belong to one key alone."""

from __future__ import annotations

import pytest

from mail.incoming.rates import RateLimit


def test_units_are_used_and_refilled_with_time() -> None:
    limit = RateLimit(most=3, a_second=0.5)
    assert [limit.wait(100) for _ in range(3)] == [0, 0, 0]
    assert limit.wait(100) == 2
    assert limit.wait(101) == 1
    assert limit.wait(102) == 0
    assert limit.wait(102) == 2
    assert [limit.wait(1000) for _ in range(4)] == [0, 0, 0, 2]


def test_clock_set_back_refills_nothing() -> None:
    limit = RateLimit(most=1, a_second=1)
    assert limit.wait(100) == 0
    assert limit.wait(50) == 1
    assert limit.wait(51) == 0


def test_each_key_has_its_own_bucket() -> None:
    limit = RateLimit(most=1, a_second=1)
    assert [limit.wait(0, key) for key in ("a", "b", "a")] == [0, 0, 1]


def test_amount_is_taken_completely_or_not_at_all() -> None:
    limit = RateLimit(most=10, a_second=2)
    assert limit.wait(0, amount=8) == 0
    assert limit.wait(0, amount=3) == pytest.approx(0.5)
    assert limit.wait(0, amount=2) == 0


def test_amount_above_the_maximum_waits_for_a_full_bucket() -> None:
    limit = RateLimit(most=10, a_second=2)
    assert limit.wait(0, amount=1) == 0
    assert limit.wait(0, amount=1000) == pytest.approx(0.5)
    assert limit.wait(0.5, amount=1000) == 0


def test_least_recently_used_keys_are_forgotten_first() -> None:
    limit = RateLimit(most=1, a_second=0.001)
    assert [limit.wait(0, key) for key in ("often", "once")] == [0, 0]
    for number in range(10_000):
        limit.wait(0, number)
        assert limit.wait(0, "often") > 0
    assert limit.wait(0, "once") == 0
