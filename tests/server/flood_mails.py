"""What a flood is made of: texts, sample mails, and what is known of a mail that was made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.mails.turns import Turn

_MAILS = Path(__file__).parent.parent / "mails"
SAMPLES = [path.read_bytes() for path in sorted((_MAILS / "in").glob("*.eml"))]
IN_SAMPLES = ("c4", "1 ne, 2 n", "3 hold", "hand/3 11/14")  # moves, with which a damaged mail may end
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
    """A mail that was made; `own` are the lines of the writer, to which `damaged` bytes may add others."""

    raw: bytes
    sender: str
    recipient: str
    turn: Turn | None = None
    game: int = 0
    own: tuple[str, ...] = ()
    damaged: bool = False


def strays(lines: list[tuple[str, bool]], ours: str) -> Iterator[str]:
    """Lines that stand elsewhere than in our mail: nobody can tell whether somebody wrote them.

    That is a line of ours with none of its neighbours beside it, any line that stands alone, and the first one.
    """
    sent = [line.strip() for line in ours.split("\n") if line.strip()]
    in_order = set(pairwise(sent))
    filled = [(number, text) for number, (line, _) in enumerate(lines) if (text := line.lstrip("> ").rstrip())]
    padded = [(-2, ""), *filled, (len(lines) + 1, "")]
    for (above, before), (number, text), (below, after) in zip(padded, filled, padded[2:], strict=False):
        is_alone = above < number - 1 and number + 1 < below
        is_in_place = (before, text) in in_order or (text, after) in in_order
        is_marked = lines[number][0].lstrip().startswith(">")
        if (is_alone or not before or text in sent) and not is_in_place and not is_marked:
            yield text
