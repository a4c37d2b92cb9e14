"""A reply to a turn that was lost in a restore is not played on a board that its writer never saw."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from server.game.log import log
from server.jobs import downtime
from server.store.db import writing
from server.store.models import Entry
from server.store.rollback import row_numbers
from tests.support.server.emails import Written, letters, receive
from tests.support.server.games import TwoPlayerGame
from tests.support.server.jobs import work_of

LOST = "That turn was lost in a restore. This is the board now."


@pytest.fixture
def back(table: TwoPlayerGame, tmp_path: Path) -> Callable[[], None]:
    """Return a function that puts back the database as it was before the first move."""
    file = tmp_path / "nabu.db"

    def copy(source: Path, target: Path) -> None:
        table.services.close()
        shutil.copy(source, tmp_path / "new")
        (tmp_path / "new").replace(target)

    def put_back() -> None:
        copy(tmp_path / "before", file)
        with writing(table.services.engine) as session:
            row_numbers.skip(session.connection(), table.services.now())

    copy(file, tmp_path / "before")
    return put_back


def answer(table: TwoPlayerGame, report: Written, text: str) -> Written:
    """Reply to an email, and return the last email that this causes."""
    return receive(table.services, report.to, str(report.mail["Reply-To"]).strip("<>"), text)[-1]


def played(table: TwoPlayerGame) -> list[str]:
    return [entry.body["line"]["move"] for entry in _turns(table)]


def _turns(table: TwoPlayerGame) -> list[Entry]:
    with writing(table.services.engine) as session:
        return log.turns(session, table.game())


def test_reply_to_a_lost_turn_is_answered_with_the_board(
    table: TwoPlayerGame, back: Callable[[], None]
) -> None:
    table.submit(0, "c3")
    lost = letters(table.services)[-1]
    back()
    for text in ("a1", "resign", "draw"):
        said = answer(table, lost, text)
        assert LOST in said.words, said.words
    assert played(table) == []
    table.submit(0, "e5")
    said = answer(table, lost, "a1")
    assert LOST in said.words, "turn 2 has its number, but not its board"
    assert "e5" in said.text
    assert played(table) == ["e5"]
    answer(table, said, "a1")
    assert played(table) == ["e5", "a1"], "the answer has the new address"


def test_mark_is_equal_if_the_same_move_was_played_again(
    table: TwoPlayerGame, back: Callable[[], None]
) -> None:
    table.submit(0, "c3")
    lost = letters(table.services)[-1]
    back()
    table.submit(0, "c3")
    answer(table, lost, "a1")
    assert played(table) == ["c3", "a1"]


def test_mark_does_not_change_with_credits_and_pauses(table: TwoPlayerGame) -> None:
    """They change the head of the log, but not the board."""
    table.submit(0, "c3")
    report, head = letters(table.services)[-1], table.game().head
    downtime.beat(table.services.engine, table.services.now())
    table.clock.advance(hours=3)
    downtime.beat_and_credit(work_of(table.services))
    assert table.game().head != head
    answer(table, report, "a1")
    assert played(table) == ["c3", "a1"]


def test_first_board_has_a_mark(table: TwoPlayerGame) -> None:
    """Seats and setup may be drawn differently if the start of the game was lost."""
    first = letters(table.services)[-1]
    tag = str(first.mail["Reply-To"]).partition("+")[2].partition("@")[0]
    token = table.services.tokens.read(tag)
    assert getattr(token, "mark", 0) > 0
    assert len(tag) == 36
