"""`nabu replay` and `nabu moves`: output, errors and exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rules.games.nardshir.rules import Nardshir
from server.cli.records import moves, replay

RECORD: dict[str, Any] = {
    "format": "nabu-record/1",
    "game": "nexus",
    "options": {"players": 2},
    "setup": {},
    "turns": [{"seat": 0, "move": "ADD m14, n12; m13."}],
    "result": None,
}
LEGAL = ["add k13 k14 k15", "add k13 k14 l12"]


def written(folder: Path, name: str, data: dict[str, Any]) -> str:
    file = folder / name
    file.write_text(json.dumps(data), encoding="utf-8")
    return str(file)


def record(folder: Path, *turns: dict[str, Any], **parts: Any) -> str:
    return written(folder, "record.json", {**RECORD, "turns": [*RECORD["turns"], *turns], **parts})


def run(command: Any, *arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_record_is_replayed_to_one_line_of_json(tmp_path: Path) -> None:
    file = record(tmp_path)
    done = run(replay, file, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["file"] == file
    assert found["position"]["rings"]["m13"] == "r"
    assert (found["to_move"], found["result"]) == ([1], None)


def test_finished_game_has_no_seat_to_move(tmp_path: Path) -> None:
    done = run(replay, record(tmp_path, {"seat": 1, "leave": "timeout"}), "--json")
    found = json.loads(done.stdout)
    assert found["to_move"] == []
    assert found["result"] == {"winners": [0], "reason": "timeout", "places": [0, 1]}


def test_last_diagram_is_shown_without_json(tmp_path: Path) -> None:
    done = run(replay, record(tmp_path))
    assert done.exit_code == 0
    assert "k13  K   L  [r]  N   O   o13" in done.stdout


@pytest.mark.parametrize("command", [replay, moves])
def test_illegal_turn_is_reported_with_its_number(tmp_path: Path, command: Any) -> None:
    file = record(tmp_path, {"seat": 1, "move": "add m13 k13 k14"})
    why = "turn 2: m13 holds 1 red marble; you can add marbles only on empty rings."
    done = run(command, file)
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", f"{why}\n")
    done = run(command, file, "--json")
    assert (done.exit_code, done.stderr) == (1, f"{why}\n")
    assert json.loads(done.stdout) == {"file": file, "error": why}


@pytest.mark.parametrize(
    ("command", "found"), [(replay, ["position", "result", "to_move"]), (moves, ["moves"])]
)
def test_files_after_an_invalid_one_are_replayed_too(tmp_path: Path, command: Any, found: list[str]) -> None:
    broken, deep, missing = (tmp_path / name for name in ("broken.json", "deep.json", "missing.json"))
    broken.write_text("{")
    deep.write_text('{"format": ' + "[" * 900 + "]" * 900 + "}")
    done = run(command, str(broken), str(deep), str(missing), record(tmp_path), "--json")
    assert done.exit_code == 1
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [sorted(line) for line in told] == [*[["error", "file"]] * 3, ["file", *found]]
    assert told[1]["error"] == "This is nested too deeply to be read."
    assert told[2]["error"] == f"{missing} cannot be read: No such file or directory."


def test_moves_are_listed_one_a_line_or_as_json(tmp_path: Path) -> None:
    file = record(tmp_path, turns=[])
    done = run(moves, file)
    assert done.stdout.splitlines()[:2] == LEGAL
    assert json.loads(run(moves, file, "--json").stdout) == {"file": file, "moves": done.stdout.splitlines()}
    assert run(moves, file, "--limit", "2").stdout.splitlines() == LEGAL
    assert run(moves, file, "--limit", "-1").exit_code == 2


def test_all_legal_moves_are_listed(tmp_path: Path) -> None:
    file = record(tmp_path, options={"players": 4}, turns=[])
    assert len(run(moves, file).stdout.splitlines()) == 7770


def test_one_sort_of_action_is_listed(tmp_path: Path) -> None:
    turns = [
        {"seat": 1, "move": "add k13 l12 m11"},
        {"seat": 0, "move": "move m13-n13 m14-n14"},
        {"seat": 1, "move": "move k13-k14 l12-l13"},
    ]
    file = record(tmp_path, *turns)
    assert {line.split()[0] for line in run(moves, file, "--kind", "rings").stdout.splitlines()} == {"rings"}
    assert {line.split()[0] for line in run(moves, file).stdout.splitlines()} == {"add", "move"}
    done = run(moves, file, "--kind", "swap")
    assert (done.exit_code, done.stderr) == (
        1,
        "NEXUS has no action swap; its actions are add, move, rings.\n",
    )


def test_position_file_is_read(tmp_path: Path) -> None:
    position = Nardshir().write(Nardshir().start({}, {})) | {"dice": [3, 5]}
    data = {"format": "nabu-position/1", "game": "nardshir", "options": {}, "position": position}
    file = written(tmp_path, "position.json", data)
    assert sorted(run(moves, file).stdout.splitlines()) == [
        "hand/3 3/8",
        "hand/3 hand/5",
        "hand/5 5/8",
        "hand/5 hand/3",
    ]


def test_one_move_is_checked(tmp_path: Path) -> None:
    file = record(tmp_path)
    done = run(moves, file, "--check", "Add k13, k14, k15.")
    assert (done.exit_code, done.stdout) == (0, "legal\n")
    done = run(moves, file, "--check", "add k13 k14 z1", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout) == {"file": file, "check": "There is no ring on z1."}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("1 ne", "legal"),
        ("A sw", "legal"),
        ("1 n", "Troop 1 cannot destroy a2: the tile there is already gone."),
        ("A w", "Troop A cannot destroy b4: the tile there is already gone."),
        ("1 ne, A sw", "Troop A belongs to X; you command only 1."),
        ("2 n", "There is no troop 2; you command only 1."),
    ],
)
def test_orders_are_checked_for_the_side_of_the_named_troops(tmp_path: Path, text: str, verdict: str) -> None:
    options = {"size": 8, "troops": 1, "sea": 0, "mode": "quiet"}
    rows = ["xoxoxoxo", "oxoxoxox", "xoxoxoxo", "oxoxoxox", "x.xoxoxo", "oxoxoxox", ".oxoxoxo", "oxoxoxox"]
    position = {"size": 8, "rows": rows, "troops": {"1": "a1", "A": "c4"}, "turn": 3, "quiet_turns": 0}
    data = {"format": "nabu-position/1", "game": "nelaxtam", "options": options, "position": position}
    done = run(moves, written(tmp_path, "position.json", data), "--check", text)
    assert (done.exit_code, done.stdout) == (int(verdict != "legal"), f"{verdict}\n")
