"""A small flood; `python -m tests.support.mail.flood` sends a large one."""

from __future__ import annotations

import logging
import secrets
from pathlib import Path
from random import Random

import pytest

from tests.support.mail.flood import Flood, peak_memory
from tests.support.mail.hostile_emails import HOSTILE

pytestmark = [pytest.mark.long, pytest.mark.first]

_COMPLETE = 10
"""The number of hostile emails that are handled in full length; the reader alone gets all of them so, in
`tests/mail/reading`."""
_BEGINNING = 4_000  # bytes


def test_every_flooded_email_reaches_a_final_state(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = peak_memory()
    flood = Flood(tmp_path)
    flood.send(100)
    assert flood.moves > 25
    assert min(flood.endings[state] for state in ("done", "refused", "asked")) > 2
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert peak_memory() - before < 200


def test_emails_made_to_break_a_reader_reach_a_final_state(tmp_path: Path) -> None:
    before = peak_memory()
    flood = Flood(tmp_path)
    mails = [(name, raw[:_BEGINNING]) for name, raw in HOSTILE.items()]
    complete = Random(secrets.token_hex(4)).sample(list(HOSTILE.items()), _COMPLETE)
    for _, raw in mails + complete:
        flood.send_raw(raw)
    drawn = f"complete emails: {', '.join(name for name, _ in complete)}"
    assert flood.endings.total() == len(mails) + len(complete), drawn
    assert peak_memory() - before < 400, drawn
