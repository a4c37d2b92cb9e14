"""Lists and quotations in sentences."""

from __future__ import annotations

import re

import pytest

from rules.sentences import listed, quoted, shortened
from tests.support.folders import ROOT

_OLD = re.compile(r"(?<!![rs])(?::\.[0-9]+|\[[^\]:]*:[^\]:]*[0-9]+\])\}|“\{shortened\(")
"""A text that is cut inside a sentence, `{name:.40}` or `{name[:40]}`; `!r` escapes control characters."""


@pytest.mark.parametrize(
    ("items", "text"), [([], ""), ([3], "3"), ([3, 5], "3 and 5"), (["a", "b", "c"], "a, b and c")]
)
def test_listed_joins_items_with_and(items: list[object], text: str) -> None:
    assert listed(items) == text


def test_listed_accepts_another_last_word() -> None:
    assert listed(("2", "3", "4"), "or") == "2, 3 or 4"


def test_quoted_text_is_printable_and_on_one_line() -> None:
    assert quoted("next\r\n year\x1b[2J\u202e") == "“next year?[2J?”"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ab cd", "ab cd"),
        ("ab cdef", "ab…"),
        ("abcdefgh", "abcde…"),
    ],
)
def test_long_text_is_cut_after_a_word_if_it_has_several(text: str, shown: str) -> None:
    assert shortened(text, 6) == shown


def test_no_sentence_cuts_a_text_without_these_functions() -> None:
    no_sentences = (ROOT / "rules" / "drawing" / "svg.py", ROOT / "rules" / "sentences.py")
    found = {
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for package in ("rules", "server")
        for path in (ROOT / package).rglob("*.py")
        if path not in no_sentences
        for line in path.read_text(encoding="utf-8").splitlines()
        if _OLD.search(line)
    }
    assert found == set()
