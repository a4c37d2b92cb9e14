"""Where the files are that tests read."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
DOCS = ROOT / "docs"
RECORDS = TESTS / "records"
MAILS = TESTS / "mails"
