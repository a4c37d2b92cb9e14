"""The commands of the Makefile leave no test out, and CI runs all of them."""

from __future__ import annotations

import re

from tests.support.folders import ROOT


def test_every_test_is_run_by_one_of_two_commands_and_all_in_ci() -> None:
    made = (ROOT / "Makefile").read_text(encoding="utf-8")
    chosen = dict(re.findall(r"^([a-z-]+):.*\n\t\$\(PYTEST\) (.*)$", made, re.MULTILINE))
    assert chosen == {
        "check": '-m "not slow and not long"',
        "test": '$(if $(LONG),,-m "not long")',
        "test-long": '-m "long"',
        "test-report": '$(if $(LONG),,-m "not long") --costs build/test-costs.tsv',
    }
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert ci[-2:] == ["make test-system", "make test LONG=1"]
