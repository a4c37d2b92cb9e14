"""Each game still plays, describes, stores and draws its game as in the transcript."""

from __future__ import annotations

import pytest

from rules.registry import RULES
from tests.support.rules.playthroughs import FOLDER, transcript


@pytest.mark.parametrize("name", list(RULES))
def test_game_follows_its_transcript(name: str) -> None:
    """If a change is intended, `python -m tests.support.rules.playthroughs` writes new transcripts."""
    assert "\n".join(transcript(RULES[name])).split("\n") == (FOLDER / f"{name}.txt").read_text().splitlines()


def test_every_transcript_belongs_to_a_game() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(RULES)
