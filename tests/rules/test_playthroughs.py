"""Each game still plays, describes, stores and draws its game as in the transcript."""

from __future__ import annotations

import pytest

from rules.registry import RULES
from tests.support.rules.playthroughs import FOLDER, transcript


@pytest.mark.parametrize("name", list(RULES))
def test_the_game_goes_as_written_down(name: str) -> None:
    """If a change is intended, `python -m tests.support.rules.playthroughs` writes new transcripts."""
    assert "\n".join(transcript(RULES[name])).split("\n") == (FOLDER / f"{name}.txt").read_text().splitlines()


def test_no_transcript_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(RULES)
