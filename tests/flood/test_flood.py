"""`python -m tests.flood`, small."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from server.bench.harness import processes
from tests.flood import measure
from tests.flood.__main__ import main
from tests.support.forks import FORKS

pytestmark = pytest.mark.long


def test_honest_client_is_served_during_a_flood(monkeypatch: pytest.MonkeyPatch) -> None:
    # The measured values do not matter here.
    monkeypatch.setattr(processes, "_context", FORKS)
    for name, value in (("_SETTLED", 0.3), ("_LEAST", 2), ("_WARM_UP", 1)):
        monkeypatch.setattr(measure, name, value)
    found = CliRunner().invoke(main, ["lmtp", "api", "--seconds", "0.2"], catch_exceptions=False)
    rows = re.findall(r"^\| (\w+) \| .*? \| (\d+) \| .* \| (\d+) of (\d+) \|$", found.output, re.M)
    assert [entry for entry, *_ in rows] == ["lmtp", "api"], found.output
    for _, made, served, asked in rows:
        assert int(made) > 0, "the other client was hostile"
        assert int(served) == int(asked) > 0
