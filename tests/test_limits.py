"""The table of limits on input has the numbers of the code."""

from __future__ import annotations

import re

import rules.limits
import server.limits
from tests.support.folders import DOCS

PAGE = DOCS / "security.md"


def test_table_lists_every_limit_with_its_value() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## Limits on input")[2].partition("\n## ")[0]
    told = {name: int(number) for name, number in re.findall(r"`([A-Z_]+)` ([0-9]+)", section)}
    held = {
        name: value
        for module in (rules.limits, server.limits)
        for name, value in vars(module).items()
        if name.isupper()
    }
    assert told == held
