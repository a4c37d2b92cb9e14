"""A small flood; `python -m tests.support.mail.flood` sends a large one."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.support.mail.flood import Flood, peak_memory
from tests.support.mail.hostile_emails import HOSTILE

pytestmark = [pytest.mark.long, pytest.mark.first]


def test_whatever_comes_in_comes_to_its_end(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = peak_memory()
    flood = Flood(tmp_path)
    flood.send(200)
    assert flood.moves > 55
    assert min(flood.endings[state] for state in ("done", "refused", "asked")) > 5
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert peak_memory() - before < 200


def test_mails_made_to_break_a_reader_come_to_their_end(tmp_path: Path) -> None:
    before = peak_memory()
    flood = Flood(tmp_path)
    for raw in HOSTILE.values():
        flood.send_raw(raw)
    assert flood.endings.total() == len(HOSTILE)
    assert peak_memory() - before < 400
