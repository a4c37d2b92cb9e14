"""Texts and sample emails of a flood, and the data of each generated email."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tests.mails.turns import Turn
from tests.support.folders import MAILS

_TELLING = 25  # characters of a line that no one writes twice by chance
SAMPLES = [path.read_bytes() for path in sorted((MAILS / "in").glob("*.eml"))]
IN_SAMPLES = ("c4", "1 ne, 2 n", "3 hold", "hand/3 11/14")  # moves that a damaged email may contain
OTHER_TEXTS = (
    "", "Hello Ben,\nhow are you?", "help", "show", "moves", "history", "rules", "say Hello\n\nc4", "say",
    "note x", "draw", "? c4", "c4\nThanks", "1 ne\n2 nn", "resign?", "0", "?", "say " + "x" * 5000, "\u202e4c",
    "c4 c4 c4", "take red\ntake blue", "hold", "end", "swap", "pass", "withdraw", "accept", "decline", "luck x",
    "1.\n2.\n3.",
)  # fmt: skip
ACCOUNT_TEXTS = (
    "help", "games", "login", "rules nibble", "register Eve", "challenge eve nibble", "accept",
    "accept 99999999999999999999", "decline #1", "stop", "resume", "nonsense", "challenge x@y nexus size=¾",
    "rules ../../etc/passwd",
)  # fmt: skip


@dataclass(frozen=True)
class Sent:
    """A generated email; `own` are the lines of the writer, to which `damaged` bytes may add others.

    `written` are the lines before any were damaged.
    """

    raw: bytes
    sender: str
    recipient: str
    turn: Turn | None = None
    game: int = 0
    own: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    damaged: bool = False


def strays(lines: list[tuple[str, bool]], ours: str) -> Iterator[str]:
    """Yield displaced lines of Nabu's email, which cannot be distinguished from lines that the player typed.

    These are lines of Nabu's email without a long line beside them, or with only marked ones above; any line
    that stands alone; and the first one.
    """
    sent = [bare for line in ours.split("\n") if (bare := line.strip("> -"))]
    texts = ["", *(text.strip() for text, _ in lines), ""]
    filled = [number for number, text in enumerate(texts) if text.strip("> -")]
    for run in _runs([(number, texts[number].strip("> -")) for number in filled], set(pairwise(sent))):
        marked = [place for place, (number, _) in enumerate(run) if texts[number].startswith(">")]
        if marked:
            below = run[marked[-1] + 1 :]
            yield from (texts[number] for number, _ in below if all(len(bare) < _TELLING for _, bare in below))
            continue
        if len(run) > 1 and any(len(bare) >= _TELLING for _, bare in run):
            continue
        for number, bare in run:
            is_alone = not texts[number - 1] and not texts[number + 1]
            if is_alone or number == filled[0] or bare in sent:
                yield texts[number]


def _runs(lines: list[tuple[int, str]], in_order: set[tuple[str, str]]) -> list[list[tuple[int, str]]]:
    """Return the lines in runs that follow one another in Nabu's email."""
    runs: list[list[tuple[int, str]]] = []
    for line in lines:
        if runs and (runs[-1][-1][1], line[1]) in in_order:
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs
