"""Who may import whom: the contracts stand in pyproject.toml."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_imports_only_go_down() -> None:
    # In a process of its own: the linter changes how this one logs.
    lint = Path(sys.executable).with_name("lint-imports")
    found = subprocess.run([lint, "--no-cache"], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout
