"""CPU seconds of each test, which do not depend on the load of the machine: `make test-report`."""

from __future__ import annotations

import resource
from collections import defaultdict
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

BUDGET = 0.3
"""CPU seconds that a test in `make test` should cost at most."""
_DEPTH = 3  # levels of folders in the table, such as tests/server/web


def _spent() -> float:
    """CPU seconds of this process, and of the children that it has waited for."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


@dataclass
class Cost:
    """The cost of one test, or of a folder: CPU seconds and elapsed seconds."""

    cpu: float = 0.0
    wall: float = 0.0
    count: int = 0
    long: bool = False


@dataclass(eq=False)
class Costs:
    """A pytest plugin that measures in each worker and adds up in the main process."""

    file: Path
    found: defaultdict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    before: float = 0.0

    def pytest_runtest_logstart(self) -> None:
        """Start to measure the first phase of a test."""
        self.before = _spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add its cost to the report of each phase; xdist passes it on to the main process."""
        report = yield
        now = _spent()
        vars(report)["cpu"], self.before = now - self.before, now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the phases of each test."""
        cost = self.found[report.nodeid]
        cost.cpu += getattr(report, "cpu", 0.0)
        cost.wall += report.duration
        cost.long = "long" in report.keywords

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Write the cost of each test to `file`; print the costs of folders and the tests above the budget."""
        dearest = sorted(self.found.items(), key=lambda each: -each[1].cpu)
        lines = [f"{cost.cpu:.3f}\t{cost.wall:.3f}\t{name}\n" for name, cost in dearest]
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text("".join(lines), encoding="utf-8")
        terminalreporter.section("CPU seconds by folder")
        for line in self._folders():
            terminalreporter.line(line)
        above = [(name, cost) for name, cost in dearest if cost.cpu > BUDGET and not cost.long]
        terminalreporter.section(f"{len(above)} tests above {BUDGET} CPU seconds")
        for name, cost in above:
            terminalreporter.line(f"{cost.cpu:6.2f} {name}")

    def _folders(self) -> Iterator[str]:
        """Yield the lines of a table in Markdown."""
        folders: defaultdict[str, Cost] = defaultdict(Cost)
        for name, cost in self.found.items():
            for folder in ("all", "/".join(Path(name.partition("::")[0]).parent.parts[:_DEPTH])):
                total = folders[folder]
                total.count += 1
                total.cpu += cost.cpu
                total.wall += cost.wall
        yield "| folder | tests | CPU s | s |"
        yield "|---|--:|--:|--:|"
        for folder, total in sorted(folders.items(), key=lambda each: -each[1].cpu):
            yield f"| {folder} | {total.count} | {total.cpu:.1f} | {total.wall:.1f} |"
