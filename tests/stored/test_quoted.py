"""Stored letters, quoted in seven ways in an empty reply: no quoted line counts as the player's."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest

from mail.reading.quoting import split
from tests.stored import golden

pytestmark = pytest.mark.slow  # a thousand emails: two seconds

INTRO = "On Mon, Mar 2, 2026 at 3:04 PM Nabu <play@games.example.org> wrote:\n\n"
HEADERS = "Von: Nabu <play@games.example.org>\nGesendet: Montag, 2. März 2026\nAn: Ann\nBetreff: x\n\n"


def marked(lines: list[str]) -> str:
    return "\n".join(f"> {line}".rstrip() for line in lines)


def torn(lines: list[str]) -> str:
    """Lines broken without a new quote mark, also within lists."""
    pieces = [textwrap.wrap(f"> {line}", 66, break_on_hyphens=False) or [">"] for line in lines]
    return "\n".join(piece for broken in pieces for piece in broken)


def without_one_mark(lines: list[str]) -> str:
    """The first example has lost its quote mark."""
    place = next((n for n, line in enumerate(lines) if line.startswith("    ") and n > 2), len(lines) - 1)
    return "\n".join([marked(lines[:place]), lines[place], marked(lines[place + 1 :])])


WAYS: dict[str, Callable[[list[str]], str]] = {
    "marked": lambda lines: INTRO + marked(lines),
    "marked, without the line to write above": lambda lines: INTRO + marked(lines[1:]),
    "below headers": lambda lines: HEADERS + "\n".join(lines),
    "without anything, and without the line to write above": lambda lines: "\n".join(lines[1:]),
    "broken": lambda lines: INTRO + torn(lines),
    "the lower half": lambda lines: marked(lines[len(lines) // 2 :]),
    "a mark lost": lambda lines: INTRO + without_one_mark(lines),
}


def texts() -> dict[str, str]:
    """Return the plain texts of the stored letters, by title."""
    letters = golden.read(golden.LETTERS)
    return {title: letter.split("\n\n", 1)[1].partition("<!")[0] for title, letter in letters.items()}


@pytest.mark.parametrize("way", WAYS)
def test_quoted_letters_are_never_taken_for_the_players_text(way: str) -> None:
    """Allowed are only pieces of sentences, from lines that were broken more than once."""
    for title, text in texts().items():
        found = split(WAYS[way](text.strip().split("\n")), [text]).text
        assert found == "" or (way == "broken" and len(found.split()) > 1), title
        assert not {found} & {line.strip() for line in text.split("\n") if line.startswith("    ")}
