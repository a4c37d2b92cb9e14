"""Lists in sentences."""

from __future__ import annotations

import pytest

from rules.sentences import listed


@pytest.mark.parametrize(
    ("items", "text"), [([], ""), ([3], "3"), ([3, 5], "3 and 5"), (["a", "b", "c"], "a, b and c")]
)
def test_listed_joins_items_with_and(items: list[object], text: str) -> None:
    assert listed(items) == text


def test_listed_accepts_another_last_word() -> None:
    assert listed(("2", "3", "4"), "or") == "2, 3 or 4"
