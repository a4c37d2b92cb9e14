"""Lines with the signs of any keyboard and email program, converted to plain ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.reading.spelling import plain_line, without_marker


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("c4", "c4"),
        ("  c4 ", "c4"),
        ("ｃ４", "c4"),
        ("“c4”", "c4"),
        ('"c4"', "c4"),
        ("«c4»", "c4"),
        ('register "Ann"', 'register "Ann"'),
        ("register „Ann‟", 'register "Ann"'),
        ("xc4–e6", "xc4-e6"),
        ("xc4 — e6", "xc4 - e6"),
        ("11→14", "11->14"),
        ("hand/3 ½", "hand/3 1/2"),
        ("2× hand/3", "2x hand/3"),
        ("１　ｎｅ、２　ｎ", "1 ne,2 n"),
        ("c٤", "c4"),
        ("c४", "c4"),
        ("1️⃣ ne", "1 ne"),
        ("c4 👍🏽", "c4"),
        ("🎲 hand/3 11/14 🙂", "hand/3 11/14"),
        ("c\u00a04", "c 4"),
        ("c4\u200b", "c4"),
    ],
)
def test_signs_with_the_same_meaning_become_plain(written: str, plain: str) -> None:
    assert plain_line(written) == (plain, ())


@pytest.mark.parametrize(
    ("written", "plain", "changes"),
    [
        ("а1", "a1", ("а1 (Cyrillic а) as a1",)),
        ("А1 с3 i9", "A1 c3 i9", ("А1 (Cyrillic А) as A1", "с3 (Cyrillic с) as c3")),
        ("с4 с4", "c4 c4", ("с4 (Cyrillic с) as c4",)),
        ("Β2", "B2", ("Β2 (Greek Β) as B2",)),
        ("хс4-е6", "xc4-e6", ("хс4 (Cyrillic х, с) as xc4", "е6 (Cyrillic е) as e6")),
        ("1 nе", "1 ne", ("nе (Cyrillic е) as ne",)),
    ],
)
def test_similar_letters_are_replaced_and_reported(written: str, plain: str, changes: tuple[str, ...]) -> None:
    assert plain_line(written) == (plain, changes)


@pytest.mark.parametrize(
    "written", ["в2", "н4", "б3", "γ4", "пас", "нет", "c4❓", "c4 👎", "❌ c4", "ход на е", "хор"]
)
def test_ambiguous_signs_stay(written: str) -> None:
    assert plain_line(written) == (written, ())


@pytest.mark.parametrize(
    ("item", "bare"),
    [
        ("* c4", "c4"),
        ("• c4", "c4"),
        ("·       c4", "c4"),
        ("- c4", "c4"),
        ("1. c4", "c4"),
        ("12) c4", "c4"),
        ("(1) c4", "c4"),
        ("*c4*", "c4"),
        ("**c4**", "c4"),
        ("_c4_", "c4"),
        ("`c4`", "c4"),
        ("1. **c4**", "c4"),
        ("c4", "c4"),
        ("1 ne", "1 ne"),
        ("11/14* 14/19", "11/14* 14/19"),
        ("-3", "-3"),
        ("*", "*"),
        ("****", "****"),
        ("", ""),
        ("*6/10 9/14**", "6/10 9/14*"),
        ("**6/10* 9/14***", "6/10* 9/14*"),
    ],
)
def test_signs_of_email_programs_around_a_line_are_removed(item: str, bare: str) -> None:
    assert without_marker(item) == bare


@given(st.text())
def test_any_line_can_be_read(line: str) -> None:
    plain, changes = plain_line(line)
    assert all(change.count(" as ") >= 1 for change in changes)
    without_marker(plain)


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_lines_are_unchanged(line: str) -> None:
    assert plain_line(line)[0] in (line.strip(), line.strip()[1:-1].strip())


@pytest.mark.parametrize(("length", "is_read"), [(1000, True), (1001, False)])
def test_line_is_read_up_to_the_maximum_length(length: int, is_read: bool) -> None:
    """A longer one is unchanged, so that reading takes no long time."""
    line = "ｃ" * length
    assert plain_line(line) == ("c" * length if is_read else line, ())
