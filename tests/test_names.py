"""Names that can be found: functions have a verb or an object, and no two public classes share a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.folders import ROOT

VAGUE = {"of", "one", "told", "shown", "listed", "kept", "known", "named", "who", "how"}
"""Names that say nothing without the module in which they stand."""
SOURCES = [
    path for path in sorted((ROOT / "server").rglob("*.py")) if "migrations" not in path.relative_to(ROOT).parts
]


_DEFINITION = re.compile(r"^ *(?:async )?(def|class) ([^\W_]\w*)", re.MULTILINE)


def public(path: Path) -> Iterator[tuple[str, str]]:
    """The public functions, methods and classes of a module: "def" or "class", and the name."""
    for found in _DEFINITION.finditer(path.read_text(encoding="utf-8")):
        yield found[1], found[2]


@pytest.mark.parametrize("package", sorted(path.name for path in (ROOT / "server").iterdir() if path.is_dir()))
def test_no_public_function_has_a_vague_name(package: str) -> None:
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in SOURCES
        if path.relative_to(ROOT).parts[1] == package
        for sort, name in public(path)
        if sort == "def" and name in VAGUE
    }
    assert found == set()


def test_no_two_public_classes_of_the_server_share_a_name() -> None:
    places: dict[str, list[str]] = {}
    for path in SOURCES:
        for sort, name in public(path):
            if sort == "class":
                places.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert len(places) > 300
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_folder_of_the_program_has_more_than_seventeen_modules() -> None:
    folders: dict[Path, int] = {}
    for package in ("rules", "mail", "server"):
        for path in (ROOT / package).rglob("*.py"):
            if path.name != "__init__.py" and "migrations" not in path.parts:
                folders[path.parent] = folders.get(path.parent, 0) + 1
    assert {str(folder.relative_to(ROOT)): count for folder, count in folders.items() if count > 17} == {}
