"""Import rules: those of the packages are in pyproject.toml, those of the tests are here."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.folders import ROOT, TESTS

_MAY_IMPORT_A_TEST = re.compile(r"^ *(?:from|import) .*\btest_|^ +test_\w+(?: as \w+)?,$", re.MULTILINE)
"""Found in files that import a test module, and in few others: parsing all files takes a second."""
PROGRAMS = {"flood", "fuzz", "mails", "pictures", "soak", "stored"}
"""Folders of tests that are programs of their own, with all that only they need."""


def test_imports_only_go_down() -> None:
    # In a process of its own: the linter changes how this one logs.
    lint = Path(sys.executable).with_name("lint-imports")
    found = subprocess.run([lint, "--no-cache"], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def test_no_module_imports_a_test_module() -> None:
    """Shared code belongs in tests/support."""
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in TESTS.rglob("*.py")
        if _MAY_IMPORT_A_TEST.search(path.read_text(encoding="utf-8"))
        for name in _imported(path)
        if name.startswith("tests.") and any(part.startswith("test_") for part in name.split("."))
    ]
    assert found == []


def test_helpers_are_in_one_place() -> None:
    found = [
        str(path.relative_to(ROOT))
        for path in TESTS.rglob("*.py")
        if path.relative_to(TESTS).parts[0] not in {"support", *PROGRAMS}
        and not path.name.startswith("test_")
        and path.name not in ("conftest.py", "__init__.py")
    ]
    assert found == []


def _imported(path: Path) -> Iterator[str]:
    """Yield the full names of all modules, and of all names of modules, that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            inside = path.parent.relative_to(ROOT).parts[: 1 - node.level or None] if node.level else ()
            module = ".".join([*inside, *filter(None, [node.module])])
            yield from (f"{module}.{each.name}" for each in node.names)
