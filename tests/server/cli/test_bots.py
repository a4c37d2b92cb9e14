"""`nabu bots`."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from server.cli import nabu


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(nabu, ["bots", "match", *arguments])
    return done.exit_code, done.output


def test_match_prints_points_and_time() -> None:
    code, output = run("nodes=20", "random", "nebuchadnezzar", "size=4", "--games", "4", "--processes", "1")
    first, second, third = output.splitlines()
    assert code == 0
    assert first.startswith("nodes=20 - random: ")
    assert " of 4 points, " in first
    assert second.startswith("nodes=20: ")
    assert third.startswith("random: ")
    again = run("nodes=20", "random", "nebuchadnezzar", "size=4", "--games", "4", "--processes", "1")[1]
    assert again.splitlines()[0] == first


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("Ann", "random", "nibble"), "There is no computer player “Ann”. A player is one of Belshazzar"),
        (("1", "2", "chess"), "'chess' is not one of"),
        (("1", "2", "nibble", "size=4"), "Nibble has no option"),
        (("1", "2", "nibble", "board"), "“board” is not an option. Write options as name=value"),
        (("1", "2", "nexus", "players=5"), "NEXUS is for 2, 3 or 4 players, not '5'."),
        (("1", "2", "nibble", "--games", "0"), "0 is not in the range"),
    ],
)
def test_invalid_match_arguments_are_reported(arguments: tuple[str, ...], told: str) -> None:
    code, output = run(*arguments)
    assert code != 0
    assert told in " ".join(output.split())
