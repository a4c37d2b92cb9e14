"""The commands of the Makefile leave no test out, and CI runs them."""

from __future__ import annotations

import re

from tests.folders import ROOT


def test_every_test_is_run_by_one_of_two_commands_and_ci_runs_both() -> None:
    made = (ROOT / "Makefile").read_text(encoding="utf-8")
    chosen = dict(re.findall(r'^([a-z-]+):.*\n\t\$\(PYTEST\) -m "(.*)"$', made, re.MULTILINE))
    assert chosen == {"check": "not slow and not long", "test": "not long", "test-long": "long"}
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert ci[-3:] == ["make test-system", "make test", "make test-long"]
