"""What each test costs: `make test-report`. CPU seconds are the same whatever else the machine does."""

from __future__ import annotations

import resource
from collections import defaultdict
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

BUDGET = 0.3
"""CPU seconds that a test may cost; what costs more is marked `long`, or made cheaper."""


def _spent() -> float:
    """CPU seconds of this process and of the children that it has waited for."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


@dataclass(eq=False)
class Costs:
    """A plugin: measures in each worker, adds up in the process that started them."""

    file: Path
    before: float = 0.0
    cpu: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    wall: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    long: set[str] = field(default_factory=set)

    def pytest_runtest_logstart(self) -> None:
        """Begin with what the first phase of a test costs."""
        self.before = _spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add to the report of each phase what it cost: xdist carries it over as it is."""
        report = yield
        now = _spent()
        vars(report)["cpu"], self.before = now - self.before, now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the phases of each test."""
        self.cpu[report.nodeid] += getattr(report, "cpu", 0.0)
        self.wall[report.nodeid] += report.duration
        if "long" in report.keywords:
            self.long.add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write all costs down, the highest first: CPU seconds, seconds, long or not, name."""
        if hasattr(session.config, "workerinput"):
            return
        lines = (
            f"{cpu:.3f}\t{self.wall[name]:.3f}\t{'long' if name in self.long else ''}\t{name}\n"
            for name, cpu in sorted(self.cpu.items(), key=lambda each: -each[1])
        )
        self.file.write_text("".join(lines), encoding="utf-8")
