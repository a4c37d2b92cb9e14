"""Text in other people's files never commands the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from server.cli.read import read
from server.cli.records import moves, replay
from server.cli.verify import verify

_ODD = "\x1b]0;owned\x07\x1b[2J\x9b1m\u202e"
_RECORD: dict[str, Any] = {
    "format": "nabu-record/1",
    "game": "nexus",
    "options": {"players": 2},
    "setup": {},
    "seats": [f"Eve{_ODD}", "Ben"],
    "turns": [],
    "result": None,
}
_WRONG = {**_RECORD, "turns": [{"seat": 0, "move": f"add {_ODD}"}]}
_UNKNOWN = {**_RECORD, "game": f"ne{_ODD}xus"}
_MAIL = f"From: Eve <eve@x.example>\nTo: play@y.example\nSubject: {_ODD}\n\nhelp {_ODD}\n"


@pytest.mark.parametrize(
    ("command", "content", "options"),
    [
        *((command, json.dumps(_WRONG), ()) for command in (verify, replay, moves)),
        *((command, json.dumps(_UNKNOWN), ()) for command in (verify, replay, moves)),
        (verify, json.dumps(_RECORD), ()),
        (moves, json.dumps(_RECORD), ("--check", f"add {_ODD}")),
        *((command, json.dumps(_WRONG), ("--json",)) for command in (replay, moves)),
        (moves, json.dumps(_RECORD), ("--check", f"add {_ODD}", "--json")),
        (read, _MAIL, ()),
        (read, _MAIL, ("--json",)),
    ],
)
def test_content_of_hostile_files_is_printed_harmlessly(
    tmp_path: Path, command: Any, content: str, options: tuple[str, ...]
) -> None:
    file = tmp_path / f"a{_ODD.replace('/', '')}b"
    file.write_text(content, encoding="utf-8")
    done = CliRunner().invoke(command, [str(file), *options])
    assert done.stdout + done.stderr
    assert all(sign.isprintable() or sign == "\n" for sign in done.stdout + done.stderr), done.output
    if "--json" in options:
        assert done.stdout.isascii()
        assert json.loads(done.stdout)["file"] == str(file)
