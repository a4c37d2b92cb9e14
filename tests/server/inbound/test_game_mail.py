"""Replies to real emails about turns, as a hundred programs write them in forty languages."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.mails.programs import HERE, TONGUES, programs
from tests.mails.replies import Reply, counts, replies
from tests.mails.turns import turns
from tests.support.folders import DOCS

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def all_replies() -> list[Reply]:
    return list(replies())


def test_samples_have_the_stated_number_of_each_sort(all_replies: list[Reply]) -> None:
    """`counts.txt` is what `python -m tests.mails.replies` prints below its table."""
    assert "\n".join(counts(all_replies)) + "\n" == (HERE / "counts.txt").read_text(encoding="utf-8")
    assert {reply.program for reply in all_replies} == {program.name for program in programs()}
    assert {reply.language for reply in all_replies} == set(TONGUES)


def test_help_page_states_the_number_of_samples(all_replies: list[Reply]) -> None:
    page = (DOCS / "mail.md").read_text(encoding="utf-8")
    said = f"{len(all_replies)} replies to turn emails, from {len(programs())} programs in {len(TONGUES)}"
    assert f"{said} languages" in " ".join(page.split())


@pytest.mark.parametrize(
    ("known", "parts"),
    [
        pytest.param(False, (1, 2, 3, 4, 5), marks=pytest.mark.long),
        pytest.param(False, (0,)),
        pytest.param(True, (0,), marks=pytest.mark.long),
        pytest.param(True, (3,)),
    ],
    ids=["unknown, all others", "unknown", "known, others", "known"],
)
def test_moves_are_read_correctly(all_replies: list[Reply], known: bool, parts: tuple[int, ...]) -> None:
    """The result is the same whether or not the server still has the email that it sent."""
    sent = {turn.game_type: (turn.text,) for turn in turns()}
    drawn = [reply for part in parts for reply in all_replies[part::6]]
    outcomes = {reply.name: reply.outcome(sent[reply.turn.game_type] if known else ()) for reply in drawn}
    assert [name for name, outcome in outcomes.items() if outcome == "wrong"] == []
    missed = [name for name, outcome in outcomes.items() if outcome == "missed"]
    assert len(missed) <= len(outcomes) / 100, missed


@pytest.mark.long
def test_moves_are_read_correctly_without_the_sentinel() -> None:
    """A program leaves out the first line of its quote."""
    outcomes = {reply.name: reply.outcome() for reply in islice(replies(sentinel=False), 0, None, 3)}
    assert [name for name, outcome in outcomes.items() if outcome == "wrong"] == []
    missed = [name for name, outcome in outcomes.items() if outcome == "missed"]
    assert len(missed) <= len(outcomes) / 50, missed
