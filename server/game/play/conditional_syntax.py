"""How conditional moves are written: `if a then b, if c then d`, a line for each way that the game may go.

The lines that begin alike are branches of one tree. Neither case nor what separates the words matters.
"""

import re
from collections.abc import Callable

_WORD = re.compile(r"\b(if|then)\b", re.IGNORECASE)
_LINK = re.compile(r"\b(?:and )?(?:then )?(if|then)\b", re.IGNORECASE)
_IF = re.compile(r"\s*if\b", re.IGNORECASE)
_PARTING = " ,;:"


def steps(line: str) -> tuple[str, ...]:
    """The moves of `if a then b, if c then d`: a, b, c, d. () for a line that is not written so."""
    before, *parts = _WORD.split(_LINK.sub(r"\1", " ".join(line.split())))
    words = [word.lower() for word in parts[::2]]
    moves = tuple(move.strip(_PARTING) for move in parts[1::2])
    whole = words == ["if", "then"] * (len(words) // 2)
    return moves if whole and not before and all(moves) else ()


def parted(text: str) -> tuple[str, str]:
    """A move and the conditional moves below it, both as written, "" for none."""
    lines = text.strip().splitlines()
    first = next((n for n, line in enumerate(lines) if _IF.match(line)), len(lines))
    return "\n".join(lines[:first]).strip(), "\n".join(lines[first:])


def is_off(text: str) -> bool:
    """Whether a text says `if off`, which drops all conditional moves."""
    return text.lower().strip(" .!").split() == ["if", "off"]


def is_meant(line: str, is_move: Callable[[str], bool]) -> bool:
    """Whether a line that begins with `if` is about moves, correctly written or not; prose names none."""
    moves = [move.strip(_PARTING) for move in _WORD.split(" ".join(line.split()))[2::2]][:2]
    return any(_has_digit(move) or is_move(move) for move in moves if move)


def goes_on(line: str, below: str, is_move: Callable[[str], bool]) -> bool:
    """Whether `below`, which is not a command, continues the line above, as when a mail program broke it."""
    if is_off(line):
        return False
    moves = steps(line)
    return not moves or bool(_WORD.match(below)) or is_move(below) or is_move(f"{moves[-1]} {below}")


def _has_digit(move: str) -> bool:
    return any(sign.isdigit() for sign in move.split(maxsplit=1)[0])
