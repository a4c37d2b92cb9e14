"""`nabu play`: games in a terminal."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from rules.analysis import hints
from rules.records.record import Record, replay
from rules.strengths import NAMES
from server.cli import nabu
from server.cli.play import secret_of
from server.game.computer.tryout import Partner, Tryout

_SEED = "a terminal"
_GAMES = [
    ("nibble", {}, 0),
    ("nebuchadnezzar", {"size": "4"}, 1),
    ("nelaxtam", {"size": "10", "troops": "3", "sea": "2"}, 1),
    ("nexus", {"players": "2"}, 0),
    ("nexus", {"players": "3"}, 2),
    ("nardshir", {}, 1),
]


def played(game_type: str, options: dict[str, str], seat: int, most: int = 1000) -> tuple[list[str], Tryout]:
    """Return random moves against the weakest computer player, with the same draws as the command's."""
    partner, below = Partner(NAMES[0], 1, None), Random(game_type).randrange
    game = Tryout.begin(game_type, options, seat=seat, partner=partner, secret=secret_of(_SEED))
    moves: list[str] = []
    while not game.is_over and len(moves) < most:
        moves.append(game.rules.format(game.rules.sample(game.position, seat, below)))
        game = game.play(moves[-1])
    return moves, game


def run(*arguments: str, lines: list[str]) -> Result:
    return CliRunner().invoke(nabu, ["play", *arguments], input="".join(f"{line}\n" for line in lines))


def arguments(game_type: str, options: dict[str, str], seat: int) -> list[str]:
    given = [f"{name}={value}" for name, value in options.items()]
    return [game_type, *given, "--against", "1", "--seat", str(seat), "--seed", _SEED]


@pytest.mark.slow
def test_complete_game_through_a_pipe(tmp_path: Path) -> None:
    moves, game = played("nebuchadnezzar", {"size": "4"}, 1)
    file = tmp_path / "game.json"
    done = subprocess.run(
        [sys.executable, "-m", "server", "play", *arguments("nebuchadnezzar", {"size": "4"}, 1)],
        input="\n".join([*moves, str(file), ""]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    check_record(file, game, done.stdout)


def test_player_has_the_other_colour_after_a_swap() -> None:
    _, game = played("nebuchadnezzar", {"size": "4"}, 1, most=0)
    assert game.title == "White"
    assert game.play("swap").title == "Black"


@pytest.mark.parametrize(("game_type", "options", "seat"), _GAMES, ids=str)
def test_complete_game_makes_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game_type: str, options: dict[str, str], seat: int
) -> None:
    """The computer has no time left for any move and draws it, as games of some types would take seconds."""
    monkeypatch.setattr(Tryout, "_end", lambda _: -math.inf)
    moves, game = played(game_type, options, seat)
    file = tmp_path / "game.json"
    done = run(*arguments(game_type, options, seat), lines=[*moves, str(file)])
    assert (done.exit_code, done.stderr) == (0, "")
    check_record(file, game, done.stdout)


def check_record(file: Path, game: Tryout, output: str) -> None:
    """Check that the output ends with the result of the game, and that the file has a record of it."""
    assert game.result.split(".")[0] in " ".join(output.split())
    record = Record.from_json(file.read_text(encoding="utf-8"))
    assert record.result == game.ended
    found = replay(record)
    assert (found.error, found.position) == (None, game.position)
    assert len(record.turns) == game.turn
    assert record.seats.count("You") == 1
    assert set(record.seats) == {"You", "Belshazzar"}


@pytest.mark.parametrize("players", ["3", pytest.param("4", marks=pytest.mark.long)])
def test_several_players_play_and_one_leaves(tmp_path: Path, players: str) -> None:
    """The computer searches for each of its moves as in any game."""
    moves, _ = played("nexus", {"players": players}, 2, most=2)
    file = tmp_path / "game.json"
    done = run(*arguments("nexus", {"players": players}, 2), lines=[*moves, "resign", str(file)])
    assert "resigned." in done.output
    record = replay(Record.from_json(file.read_text(encoding="utf-8")))
    assert (record.error, record.result) == (None, None), "the others would play on"
    assert record.steps[-1].left is not None


def test_illegal_input_is_explained_and_nothing_is_played() -> None:
    done = run("nibble", "--seed", "1", lines=["zz", "e5", "take red", "quit"])
    assert done.exit_code == 0
    assert "“zz” is neither a square nor a colour." in done.output
    assert "You (First)" not in done.output


def test_undo_removes_the_computers_answer_too(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    lines = ["undo", "a9", "a1", "undo", f"save {file}", f"save {file}", "save", "quit"]
    done = run("nibble", "--seed", "1", lines=lines)
    assert "You have not played anything yet." in done.output
    assert "already exists. Write another name." in " ".join(done.output.split())
    assert "Add a file name, for example: save game.json" in done.output
    turns = json.loads(file.read_text(encoding="utf-8"))["turns"]
    assert [turn["seat"] for turn in turns] == [0, 1]
    assert turns[0]["move"] == "a9"


def test_dice_stay_the_same_after_undo() -> None:
    game = Tryout.begin("nardshir", partner=Partner(level=1, seconds=None), secret=bytes(32))
    first = game.rules.format(game.rules.sample(game.position, 0, Random(1).randrange))
    once, again = game.play(first), game.play(first)
    assert once.steps == again.steps
    assert once.dice == again.dice != ()


def test_hint_has_a_move_and_the_reason_in_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "_LONGER", 1)  # a real hint costs seconds
    done = run("nebuchadnezzar", "size=4", "--seed", "1", lines=["hint", "quit"])
    told = " ".join(done.output.split())
    assert re.search(r"The computer searched 20\d\d positions", told)
    assert "It estimates your chance of winning at" in told
    assert "The second best move is" in told


@pytest.mark.parametrize("game_type", ["nibble", "nelaxtam"])
def test_commands_show_moves_rules_board_and_help(game_type: str) -> None:
    done = run(game_type, "--seed", "1", lines=["moves", "RULES", "board words", "help", "", "quit"])
    assert done.exit_code == 0
    for told in ("# N", "Possible moves:", "Or write:", "save FILE"):
        assert told in done.output


def test_board_is_described_in_sentences() -> None:
    done = run("nibble", "--words", "--seed", "1", lines=[])
    assert "Board:" in done.output
    assert "9  A  I" not in done.output
    assert done.exit_code == 0, "the end of the input is the end of the game"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (["chess"], "'chess' is not one of"),
        (["nibble", "--against", "Marduk"], "There is no computer player “Marduk”."),
        (["nibble", "--against", "6"], "Choose 1 to 5"),
        (["nibble", "--seat", "2"], "The seats are 0 (First), 1 (Second)."),
        (["nibble", "board"], "“board” is not an option"),
        (["nibble", "size=10"], "size"),
    ],
    ids=str,
)
def test_wrong_command_line_is_reported(wrong: list[str], told: str) -> None:
    done = run(*wrong, lines=[])
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())


@pytest.mark.parametrize("name", [*NAMES, "berossus", "3"])
def test_each_computer_player_can_be_named(name: str) -> None:
    done = run("nibble", "--against", name, "--seed", "1", lines=["quit"])
    assert f"against {NAMES[2] if name == '3' else name.capitalize()}." in done.output
