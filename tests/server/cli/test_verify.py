"""`nabu verify`: output, errors and exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from server.cli import nabu

RECORD: dict[str, Any] = {
    "format": "nabu-record/1",
    "game": "nebuchadnezzar",
    "turns": [{"seat": 0, "move": "c3"}],
    "result": None,
}


def run(file: Path, *arguments: str) -> Result:
    return CliRunner().invoke(nabu, ["verify", str(file), *arguments])


def written(folder: Path, **parts: object) -> Path:
    file = folder / "record.json"
    file.write_text(json.dumps({**RECORD, **parts}), encoding="utf-8")
    return file


def test_verify_prints_a_line_for_each_check(tmp_path: Path) -> None:
    done = run(written(tmp_path))
    assert (done.exit_code, done.stderr) == (0, "")
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["form", "proof", "turns", "result"]


def test_verify_prints_the_first_error_and_exits_with_1(tmp_path: Path) -> None:
    done = run(written(tmp_path, turns=[{"seat": 1, "move": "c3"}]))
    assert done.exit_code == 1
    assert done.stderr == "turns: Turn 1: It is the turn of seat 0, not of seat 1.\n"
    assert done.stdout.count("\n") == 2


def test_verify_looks_for_a_head(tmp_path: Path) -> None:
    done = run(written(tmp_path), "--head", "A" * 64)
    assert (done.exit_code, done.stderr.partition(":")[0]) == (1, "proof")


def test_invalid_head_is_reported_first(tmp_path: Path) -> None:
    done = run(written(tmp_path), "--head", "12 heads")
    assert done.exit_code == 2
    assert "“heads” is not a head" in done.stderr
    assert done.stdout == ""


def test_file_that_is_no_text_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "noise"
    file.write_bytes(b"\xff\xfe")
    done = run(file)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"form: {file} is not UTF-8 text.\n"
