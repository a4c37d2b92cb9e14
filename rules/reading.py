"""Checks of options and positions in JSON, part by part.

Every function raises BadData with a sentence that the rules provide. In it `{}` stands for the value found,
`{!r}` for the value as data, and other names for the keyword arguments.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from rules.errors import BadData
from rules.sentences import shortened

_TYPED = re.compile(r"\s*[0-9]{1,4}\s*")


# Names


def need(data: Mapping[str, object], names: Iterable[str], wrong: str) -> None:
    """Check that an object has all of these keys; the error names the first that is missing."""
    for name in names:
        if name not in data:
            raise BadData(wrong.format(name))


def need_exactly(data: Mapping[str, object], names: Collection[str], wrong: str) -> None:
    """Check that an object has these keys and no others; the error names all that are missing or extra."""
    missing = [name for name in names if name not in data]
    unknown = sorted(shortened(str(name)) for name in data if name not in names)
    if missing or unknown:
        raise BadData(wrong.format(", ".join(missing + unknown)))


def need_no_more(given: Mapping[str, object], names: Collection[str], wrong: str) -> None:
    """Check that an object has no keys besides these; the error names the alphabetically first, or `{all}`."""
    unknown = sorted(map(shortened, given.keys() - set(names)))
    if unknown:
        raise BadData(wrong.format(unknown[0], all=", ".join(unknown)))


# JSON values


def whole(value: object, wrong: str, *, least: int = 0, most: int | None = None, **values: object) -> int:
    """Return the value as an integer, if it is one from `least` to `most`; true and false are not numbers."""
    if type(value) is not int or value < least or (most is not None and value > most):
        raise BadData(wrong.format(value, least=least, most=most, **values))
    return value


def items(value: object, wrong: str, *, count: int | None = None, **values: object) -> list[object]:
    """Return the value as a list, if it is one with `count` items."""
    if not isinstance(value, list) or (count is not None and len(value) != count):
        raise BadData(wrong.format(value, count=count, **values))
    return value


def texts(value: object, lengths: Sequence[int], wrong: str) -> list[str]:
    """Return the value as a list of texts, if it is one with texts of these lengths."""
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise BadData(wrong.format(value))
    if list(map(len, value)) != list(lengths):
        raise BadData(wrong.format(value))
    return value


# Typed or JSON values


def typed_whole(value: object, wrong: str, among: Collection[object] | None = None) -> int:
    """Return an integer given as a number or as text, for example 10 for 10 and for "10".

    It must be one of `among` if that is given.
    """
    number = int(value) if isinstance(value, str) and _TYPED.fullmatch(value) else value
    if type(number) is not int or (among is not None and number not in among):
        raise BadData(wrong.format(shortened(value) if isinstance(value, str) else value))
    return number


def typed_word(value: object, among: Collection[object], wrong: str) -> str:
    """Return a word in lower case, which must be one of `among`; the error has it in lower case too."""
    word = str(value).strip().lower()
    if word not in among:
        raise BadData(wrong.format(shortened(word)))
    return word
