"""`nabu bench turn --profile` and `nabu bench journey`, small."""

from __future__ import annotations

from click.testing import CliRunner

from server.bench import profile
from server.bench.commands import bench


def test_every_stage_is_part_of_a_turn() -> None:
    found = dict(profile.run("nebuchadnezzar", 4))
    assert found.keys() == profile.STAGES.keys()
    assert all(milliseconds > 0 for milliseconds in found.values()), found


def test_email_profile_goes_from_the_inbox_to_the_move() -> None:
    printed = CliRunner().invoke(bench, ["journey"]).output.splitlines()
    files = {line.split()[1] for line in printed[:-1]}
    assert {"server/inbound/pipeline.py", "server/game/play/moves.py", "mail/reading/message.py"} <= files
    assert printed[-1].startswith(f"{len(files)} files, ")
