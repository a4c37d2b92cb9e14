"""No regular expression takes much longer for a text made against it than for any other.

A pattern that may match one text in many ways is tried in all of them where the text does not match in the end:
`(a+)+b` never comes to an end, and `a+b` looked for in `aaaa…` takes a time that grows with the square of the
text. Every pattern in the code is found and tried as it is used, on texts made from its own parts.
"""

from __future__ import annotations

import ast
import importlib
import re
import time
import warnings
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import pytest

from tests.support.folders import ROOT

pytestmark = pytest.mark.slow

LENGTH = 20_000
"""Characters: where the time grows with their square, it takes a quarter of a second at least."""
MOST = 0.1
"""Seconds of processor time, at the best of three tries: twenty times what any pattern needs."""
SHORT, LITTLE = 4_000, 0.0005
"""What takes less than this many seconds at this length takes less than `MOST` at `LENGTH`, even if the time
grows with the cube of the length."""
ONLY_SHORT = {
    "mail.reading.bounces._BRACKETED": 500,
    "mail.reading.bounces._PARTICULAR": 500,
    "server.clock.dates._HYPHEN": 100,
    "server.clock.dates._WORDS": 100,
    "server.clock.vacations._DAY_FIRST": 100,
    "server.clock.vacations._SPAN_FIRST": 100,
    "server.clock.zones._NOISE": 64,
}
"""Patterns that the code asks about the beginning of a text only, and how many characters that has."""
METHODS = ("search", "match", "fullmatch", "sub", "split", "findall", "finditer")


@dataclass(frozen=True)
class Found:
    """A pattern, where it stands, and how it is used."""

    name: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]


def sources() -> Iterator[tuple[str, ast.Module]]:
    """Yield each module of the three packages that uses regular expressions: its name and syntax tree."""
    for package in ("rules", "mail", "server"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            if "migrations" not in name and not name.endswith("__main__"):
                source = path.read_text(encoding="utf-8")
                if re.search(r"^import re\b|^from re\b", source, re.MULTILINE):
                    yield name, ast.parse(source)


def found() -> Iterator[Found]:
    """All patterns that have a name in a module, alone or in a list, and those that are written where used."""
    for name, tree in sources():
        written_here, called = _assigned(tree), _called(tree)
        for key, value in vars(import_module(name)).items():
            for number, each in enumerate(value if isinstance(value, tuple | list) else [value]):
                if isinstance(each, re.Pattern) and key in written_here:
                    label = f"{name}.{key}" if each is value else f"{name}.{key}[{number}]"
                    yield Found(label, each, called.get(key, frozenset({"search"})))
        for node in ast.walk(tree):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re"), attr=method),
                    args=[ast.Constant(value=str(written)), *_],
                ) if method in METHODS:
                    yield Found(f"{name}:{node.lineno}", re.compile(written), frozenset({method}))


def _assigned(tree: ast.Module) -> set[str]:
    """Return the names to which a module assigns values, so without those that it imports."""
    return {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _called(tree: ast.Module) -> dict[str, frozenset[str]]:
    """Return the methods that are called on each name; an unseen use, as in a loop, may be a search."""
    called: dict[str, frozenset[str]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=method) if method in METHODS:
                called[name] = called.get(name, frozenset()) | {method}
    return called


def _units(pattern: re.Pattern[Any]) -> list[str]:
    """Return the parts of texts against a pattern: its words, a sign of each sort that it matches, blanks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        parser: Any = importlib.import_module("re._parser")
    signs: dict[str, None] = {}
    words: list[str] = []

    def walk(tree: Any) -> None:
        word = ""
        for operation, argument in tree:
            if str(operation) == "LITERAL":
                word += chr(argument)
                signs[chr(argument)] = None
                continue
            words.append(word)
            word = ""
            _walk_into(argument)
        words.append(word)

    def _walk_into(argument: Any) -> None:
        if isinstance(argument, parser.SubPattern):
            walk(argument)
        elif isinstance(argument, tuple | list):
            for part in argument:
                if (
                    isinstance(part, tuple)
                    and len(part) == 2
                    and str(part[0]) in ("LITERAL", "RANGE", "CATEGORY")
                ):
                    signs.update(dict.fromkeys(_sample(*part)))
                else:
                    _walk_into(part)

    walk(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG))
    text = [word for word in words if len(word) > 1]
    return list(dict.fromkeys([*signs, *text, "a", "1", " ", "\n", "-", ".", "a ", "a1", ", "]))[:40]


def _sample(operation: Any, argument: Any) -> str:
    match str(operation):
        case "LITERAL":
            return chr(argument)
        case "RANGE":
            return chr(argument[0])
    return {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a"}.get(str(argument), "-")


def attacks(pattern: re.Pattern[Any], length: int) -> Iterator[str]:
    """Texts of a length: each unit again and again, alone or behind another one, with an end that spoils it."""
    units = _units(pattern)
    # Doubled, it may be read as the end of one part or the beginning of another.
    doubled = [f"{unit}{unit}  " for unit in units if len(unit) == 1]
    for unit in (*units, *doubled):
        yield (unit * (length // len(unit)))[: length - 1] + "\0"
    words = [unit for unit in units if len(unit) > 1]
    for first in (*units[:6], *words[:2]):
        for unit in units[:12]:
            yield f"{first}{unit * (length // len(unit))}"[: length - 1] + "\0"


FOUND = list(found())


def test_patterns_are_found() -> None:
    names = {each.name for each in FOUND}
    assert {
        "rules.games.nibble.notation._DASH",
        "rules.games.nexus.notation._TOKEN",
        "server.clock.spans._PART",
    } <= names
    assert len(FOUND) > 100


@pytest.mark.sample(90)
@pytest.mark.parametrize("each", FOUND, ids=[each.name for each in FOUND])
def test_no_text_makes_a_pattern_slow(each: Found) -> None:
    length = ONLY_SHORT.get(each.name, LENGTH)
    short = min(length, SHORT)
    for text, longer in zip(attacks(each.pattern, short), attacks(each.pattern, length), strict=True):
        for method in sorted(each.methods):
            if _seconds(each.pattern, method, text) >= LITTLE:
                tries = (_seconds(each.pattern, method, longer) for _ in range(3))
                assert any(seconds < MOST for seconds in tries), f"{method} of {text[:40]!r}…"


def _seconds(pattern: re.Pattern[Any], method: str, text: str) -> float:
    subject: Any = text.encode() if isinstance(pattern.pattern, bytes) else text
    before = time.process_time()
    match method:
        case "sub":
            pattern.sub(subject[:0], subject)
        case "finditer":
            deque(pattern.finditer(subject), maxlen=0)
        case _:
            getattr(pattern, method)(subject)
    return time.process_time() - before


@pytest.mark.parametrize("pattern", ["a+b"])
def test_slow_pattern_is_found(pattern: str) -> None:
    slow = Found("", re.compile(pattern), frozenset({"search"}))
    with pytest.raises(AssertionError):
        test_no_text_makes_a_pattern_slow(slow)
