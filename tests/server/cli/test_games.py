"""`nabu export` and `nabu import`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rules.records.record import Record
from server.cli import nabu
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Seat
from tests.support.folders import RECORDS
from tests.support.server.emails import letters
from tests.support.server.games import begin, load_game, submit
from tests.support.server.players import add_player
from tests.support.server.services import environment_of


@pytest.fixture(autouse=True)
def configured(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command line use the test's database."""
    for name, value in environment_of(services.settings).items():
        monkeypatch.setenv(name, value)


@pytest.fixture(autouse=True)
def people(services: Services) -> None:
    """Create Ann, Ben, Cleo and Dan."""
    for name in ("Ann", "Ben", "Cleo", "Dan"):
        add_player(services, f"{name.lower()}@example.org", name)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(nabu, arguments)


def written(folder: Path, record: dict[str, Any]) -> str:
    file = folder / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    return str(file)


def sample(name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))
    return record


def test_exported_game_can_be_replayed_and_verified(services: Services, tmp_path: Path) -> None:
    eve, finn = (add_player(services, f"{name.lower()}@example.org", name) for name in ("Eve", "Finn"))
    number = begin(services, "nelaxtam", eve, finn, size=10, troops=1, sea=0)
    submit(services, number, 0, "1 c3")
    submit(services, number, 1, "A f5")
    submit(services, number, 0, "1 nw")
    done = run("export", str(number))
    assert done.exit_code == 0
    assert len(json.loads(done.stdout)["turns"]) == 1
    assert "1 nw" not in done.stdout
    file = tmp_path / "record.json"
    file.write_text(done.stdout, encoding="utf-8")
    assert run("verify", str(file)).exit_code == 0
    assert run("replay", str(file)).exit_code == 0


def test_export_of_an_unknown_game_is_refused(services: Services) -> None:
    done = run("export", "99")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "Error: There is no game 99.\n"


@pytest.mark.parametrize("command", [("export",), ("admin", "show"), ("admin", "retry")])
def test_number_too_long_for_the_database_is_refused(services: Services, command: tuple[str, ...]) -> None:
    done = run(*command, "9" * 30)
    assert done.exit_code == 2
    assert "is not in the range 1<=x<=999999999999999" in done.stderr


@pytest.mark.sample(5)
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDS.glob("*.json")))
def test_samples_are_imported_or_refused_because_of_their_dice(
    services: Services, tmp_path: Path, name: str
) -> None:
    record = sample(name)
    names = ["Ann", "Ben", "Cleo", "Dan"][: len(record["seats"])]
    done = run("import", str(RECORDS / f"{name}.json"), "--seats", ",".join(names))
    if record["game"] == "nardshir" and record["result"] is None:
        assert done.exit_code == 1
        assert "has to be finished there" in done.stderr
        return
    assert (done.exit_code, done.stderr) == (0, "")
    again = json.loads(run("export", "1").stdout)
    original = json.loads(Record.from_json(record).to_json())
    assert "proof" not in again
    assert {**again, "seats": []} == {**original, "seats": [], "result": again["result"]}
    assert again["seats"] == names
    assert (again["result"] is None) == (record["result"] is None)
    file = tmp_path / "again.json"
    file.write_text(json.dumps(again), encoding="utf-8")
    assert run("verify", str(file)).exit_code == 0


def test_imported_unfinished_game_goes_on(services: Services, tmp_path: Path) -> None:
    record = {
        "format": "nabu-record/1",
        "game": "nebuchadnezzar",
        "options": {"size": 5},
        "seats": ["Ann", "Ben"],
        "turns": [{"seat": 0, "move": "c3"}, {"seat": 1, "move": "A1"}],
    }
    before = len(letters(services))
    done = run("import", written(tmp_path, record))
    assert done.stdout == "Imported as game 1, which continues.\n"
    told = letters(services, before)
    assert {each.to for each in told} == {"ann@example.org", "ben@example.org"}
    mine = next(each for each in told if each.to == "ann@example.org")
    assert mine.text.splitlines()[2] == "Your move."
    assert "Your move." in mine.text
    assert "Turn 3. You are" in mine.text
    assert "seed" not in mine.words
    with reading(services.engine) as session:
        assert session.get_one(Seat, (1, 0)).deadline_at is not None
    submit(services, 1, 0, "e5")
    assert load_game(services).turn == 4


def test_import_of_a_finished_game_sends_no_emails(services: Services) -> None:
    before = len(letters(services))
    assert run("import", str(RECORDS / "nebuchadnezzar-sample-0003.json"), "--seats", "Ann,Ben").exit_code == 0
    assert letters(services, before) == []
    assert load_game(services).state == "over"


@pytest.mark.parametrize(
    ("change", "seats", "expected"),
    [
        (
            {},
            "Ann,Eve",
            "There is no player called “Eve”. Name existing players in the order of the seats",
        ),
        ({}, "Ann,Ann", "This game of Nebuchadnezzar has 2 seats, each for a different player."),
        ({}, "Ann,Ben,Ann", "This game of Nebuchadnezzar has 2 seats, each for a different player."),
        ({}, "Ann,Ben,Cleo", "This game of Nebuchadnezzar has 2 seats, each for a different player."),
        (
            {"turns": [{"seat": 1, "move": "c3"}]},
            "Ann,Ben",
            "The record cannot be replayed: turn 1: It is",
        ),
        ({"game": "chess"}, "Ann,Ben", "There is no game called “chess”."),
    ],
)
def test_refused_import_changes_nothing(
    services: Services, tmp_path: Path, change: dict[str, Any], seats: str, expected: str
) -> None:
    record = {"format": "nabu-record/1", "game": "nebuchadnezzar", "turns": [], **change}
    done = run("import", written(tmp_path, record), "--seats", seats)
    assert done.exit_code == 1
    assert f"Error: {expected}" in done.stderr
    with reading(services.engine) as session:
        assert session.get(Game, 1) is None
