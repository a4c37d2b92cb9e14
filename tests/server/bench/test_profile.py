"""`nabu bench turn --profile`, small."""

from __future__ import annotations

from server.bench import profile


def test_every_stage_is_part_of_a_turn() -> None:
    found = dict(profile.run("nebuchadnezzar", 4))
    assert found.keys() == profile.STAGES.keys()
    assert all(milliseconds > 0 for milliseconds in found.values()), found
