"""Options and positions from data that someone wrote, checked part by part.

Every function raises BadData. The sentence is the rules' own: `{}` in it stands for what was found instead,
`{!r}` for the same as data, and other names for what is `told` with it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from rules.errors import BadData

_TYPED = re.compile(r"\s*[0-9]{1,4}\s*")


# Names


def need(data: Mapping[str, object], names: Iterable[str], wrong: str) -> None:
    """Check that these parts are there, perhaps with others; the sentence names the first that is missing."""
    for name in names:
        if name not in data:
            raise BadData(wrong.format(name))


def need_exactly(data: Mapping[str, object], names: Collection[str], wrong: str) -> None:
    """Check that these parts are there and no others; the sentence names all that are missing or extra."""
    missing = [name for name in names if name not in data]
    unknown = sorted(str(name) for name in data if name not in names)
    if missing or unknown:
        raise BadData(wrong.format(", ".join(missing + unknown)))


def need_no_more(given: Mapping[str, object], names: Collection[str], wrong: str) -> None:
    """Check that there are no others; the sentence names the alphabetically first, or `{all}`."""
    unknown = sorted(given.keys() - set(names))
    if unknown:
        raise BadData(wrong.format(unknown[0], all=", ".join(unknown)))


# What JSON holds


def whole(value: object, wrong: str, *, least: int = 0, most: int | None = None, **told: object) -> int:
    """A whole number within these limits; true and false are not numbers."""
    if type(value) is not int or value < least or (most is not None and value > most):
        raise BadData(wrong.format(value, least=least, most=most, **told))
    return value


def items(value: object, wrong: str, *, count: int | None = None, **told: object) -> list[object]:
    """What is in a list, of this many."""
    if not isinstance(value, list) or (count is not None and len(value) != count):
        raise BadData(wrong.format(value, count=count, **told))
    return value


def texts(value: object, lengths: Sequence[int], wrong: str) -> list[str]:
    """Texts of these lengths."""
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise BadData(wrong.format(value))
    if list(map(len, value)) != list(lengths):
        raise BadData(wrong.format(value))
    return value


# What people type, or JSON holds


def typed_whole(value: object, wrong: str, among: Collection[object] | None = None) -> int:
    """A whole number, given as such or as text; one of a few allowed ones if they are given."""
    number = int(value) if isinstance(value, str) and _TYPED.fullmatch(value) else value
    if type(number) is not int or (among is not None and number not in among):
        raise BadData(wrong.format(value))
    return number


def typed_word(value: object, among: Collection[object], wrong: str) -> str:
    """One of some words, in lower case; the sentence has the word as it was understood."""
    word = str(value).strip().lower()
    if word not in among:
        raise BadData(wrong.format(word))
    return word
