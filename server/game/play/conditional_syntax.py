"""The syntax of conditional moves: `if a then b, if c then d`, one line for each path of the tree.

Lines that begin alike are branches of one tree. Upper and lower case make no difference, nor does the
punctuation between the words.
"""

import re
from collections.abc import Callable

_WORD = re.compile(r"\b(if|then)\b", re.IGNORECASE)
_LINK = re.compile(r"\b(?:and )?(?:then )?(if|then)\b", re.IGNORECASE)
_IF = re.compile(r"\s*if\b", re.IGNORECASE)
_PARTING = " ,;:"


def steps(line: str) -> tuple[str, ...]:
    """Return the moves of a line `if a then b, if c then d`: a, b, c, d; () if it is not written like this."""
    before, *parts = _WORD.split(_LINK.sub(r"\1", " ".join(line.split())))
    words = [word.lower() for word in parts[::2]]
    moves = tuple(move.strip(_PARTING) for move in parts[1::2])
    whole = words == ["if", "then"] * (len(words) // 2)
    return moves if whole and not before and all(moves) else ()


def parted(text: str) -> tuple[str, str]:
    """Split a text into the lines with the move and the `if` lines below it; either is "" if it is missing."""
    lines = text.strip().splitlines()
    first = next((n for n, line in enumerate(lines) if _IF.match(line)), len(lines))
    return "\n".join(lines[:first]).strip(), "\n".join(lines[first:])


def is_off(text: str) -> bool:
    """Return whether a text is `if off`, which removes all conditional moves."""
    return text.lower().strip(" .!").split() == ["if", "off"]


def is_meant(line: str, is_move: Callable[[str], bool]) -> bool:
    """Return whether a line that begins with `if` is meant as conditional moves, and not as part of a message.

    It is if it contains a move, even if the line is not correctly written.
    """
    moves = [move.strip(_PARTING) for move in _WORD.split(" ".join(line.split()))[2::2]][:2]
    return any(_has_digit(move) or is_move(move) for move in moves if move)


def goes_on(line: str, below: str, is_move: Callable[[str], bool]) -> bool:
    """Return whether the next line of an email, `below`, continues `line`, which begins with `if`.

    Email programs wrap long lines.
    """
    if is_off(line):
        return False
    moves = steps(line)
    return not moves or bool(_WORD.match(below)) or is_move(below) or is_move(f"{moves[-1]} {below}")


def _has_digit(move: str) -> bool:
    return any(sign.isdigit() for sign in move.split(maxsplit=1)[0])
