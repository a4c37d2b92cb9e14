"""A version with a newer schema than this one: the databases of this version are those of an earlier one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from server.store import schema


@pytest.fixture
def next_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version whose schema is newer than that of the stored database, by a migration that changes nothing."""
    folder = tmp_path / "migrations"
    shutil.copytree(schema.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions/9999_next.py").write_text(
        f'revision, down_revision = "9999", "{schema.newest()}"\n\n\ndef upgrade() -> None:\n    pass\n'
    )
    monkeypatch.setattr(schema, "MIGRATIONS", folder)
