"""The installed package: all of Nabu except its benchmarks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder

from rules.registry import RULES
from server.web.shared.documents import HELP
from tests.support.folders import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the wheel was unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(folder))
    with ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def modules(folder: Path) -> set[str]:
    """Return the modules of Nabu's three packages below a folder."""
    found = (path for package in ("rules", "mail", "server") for path in (folder / package).rglob("*.py"))
    return {str(path.relative_to(folder)) for path in found}


def test_wheel_has_all_modules_but_the_benchmarks(installed: Path) -> None:
    benchmarks = {name for name in modules(ROOT) if name.startswith("server/bench/")}
    assert benchmarks
    assert modules(installed) == modules(ROOT) - benchmarks
    assert not (installed / "tests").exists()


def test_wheel_has_the_documents_for_players(installed: Path) -> None:
    for name in (*HELP, "verify", *(f"rules/{game_type}" for game_type in RULES)):
        assert (installed / "docs" / f"{name}.md").read_bytes() == (ROOT / "docs" / f"{name}.md").read_bytes()
    assert not (installed / "docs" / "operating.md").exists()


@pytest.mark.parametrize("arguments", [["bench"], ["bench", "turn", "--turns", "9"]])
def test_nabu_bench_without_the_benchmarks_says_where_they_are(installed: Path, arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "server", *arguments],
        cwd=installed,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "The benchmarks are not installed. Run nabu bench from a checkout" in done.stderr
