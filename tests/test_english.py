"""Everything that people read is plain English: phrases that hide who does what are found here."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from tests.support.folders import ROOT
from tests.support.prose import Passage, passages

_PHRASES = {
    r"\b(is|are|was|were|be|been|being|gets?|not) told\b": "notified, shown; or say who sends what",
    r"\btells? (of|what|who|whom|how|where|when|whether|that|which|everything|all)\b": "shows, reports, says",
    r"\bwhat (is|was|comes|came|waits|stands|stood|counts|goes|went|else|they|nabu)\b": "name the thing",
    r"\b(some|every|no|any)body (who|whose|that|else)\b": "players who, no other player, anyone else",
    r"\b(whoever|whomever)\b": "anyone who, players who",
    r"\bof (ours|theirs)\b": "our, their",
    r"\b(stands?|stood) still\b": "is paused",
    r"\b(kept|keeps?) away\b": "blocked",
    r"\bcall(ed|s)? off\b": "cancel",
    r"\bat once\b": "immediately; at the same time",
    r"\blet [a-z]{2,} be\b": "say who does it",
    r"\bhave (it|them|all|somebody|everything) [a-z]+(ed|wn|nt|de)\b": "say who does it",
}
"""Phrases that nothing may contain, each with a better one."""
_STRAIGHT = re.compile(r"(^|[ (])'\{\}'|\{!r\}.*[.:]$", re.DOTALL)
"""A sentence that quotes a value with straight quotes: pages and emails quote with “these”."""
_ABOUT_DATA = ("rules/games/", "rules/records/", "server/backup/salvaging.py")
"""Sentences there are about stored data, which have straight quotes."""
_NOT_A_DOCSTRING = re.compile(r"(What|Whether|Who|Whom|Whose|Where|That|How)\b")
_SOURCES = ("rules", "mail", "server", "templates", "docs", "deploy")
_SUFFIXES = {".py", ".md", ".html", ".j2", ".js", ".txt"}
_READ_FROM_PEOPLE = ("server/commands/", "server/interpretation/", "mail/reading/languages/")
"""These hold phrases that people write to Nabu."""


def _files() -> Iterator[Path]:
    listed = subprocess.run(
        ["git", "ls-files", *_SOURCES, "*.md"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for name in sorted(set(listed.stdout.split())):
        path = ROOT / name
        if path.suffix in _SUFFIXES and not name.startswith(_READ_FROM_PEOPLE):
            yield path


def found(passage: Passage) -> list[str]:
    """Return a line for each phrase in a passage that does not belong there."""
    lines = [
        f"{passage.place_of(match.start())}: “{match[0]}”: rather {better}"
        for pattern, better in _PHRASES.items()
        for match in re.finditer(pattern, passage.text, re.IGNORECASE)
    ]
    if passage.is_docstring and _NOT_A_DOCSTRING.match(passage.text):
        lines.append(f"{passage.place_of(0)}: “{passage.text[:40]}…”: rather “Return …” or a noun")
    return lines


def _sentences(path: Path) -> Iterator[str]:
    """Yield the texts with values in Python code: `{}` stands for a value, `{!r}` for its repr."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value)
                if isinstance(part, ast.Constant)
                else "{!r}"
                if isinstance(part, ast.FormattedValue) and part.conversion == ord("r")
                else "{}"
                for part in node.values
            )


@pytest.mark.parametrize("folder", ["rules", "server"])
def test_sentences_quote_with_curly_quotes(folder: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {sentence}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not str(path.relative_to(ROOT)).startswith(_ABOUT_DATA)
        for sentence in _sentences(path)
        if " " in sentence and _STRAIGHT.search(sentence)
    ]
    assert wrong == []


@pytest.mark.parametrize("folder", [*_SOURCES, "."])
def test_prose_is_plain(folder: str) -> None:
    files = [path for path in _files() if (path.relative_to(ROOT).parts[:-1] or (".",))[0] == folder]
    assert files
    problems = [line for path in files for passage in passages(path) for line in found(passage)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("text", "docstring"),
    [
        ("The player is told so.", False),
        ("Do what is due.", False),
        ("Whoever has no opponent has a point.", False),
        ("Whether anyone can have written it.", True),
        ("It is shown\nto whomever it\nconcerns.", False),
    ],
)
def test_forbidden_phrase_is_found(text: str, docstring: bool) -> None:
    (line,) = found(Passage("some.py", 7, text, docstring))
    assert line.startswith("some.py:8" if "\n" in text else "some.py:7")


@pytest.mark.parametrize(
    ("subject", "good"),
    [
        ("mail: accept format=flowed replies", True),
        ("server/web: draw the board first", True),
        ("Merge branch 'main'", True),
        ("Take a full disk for no failure", False),
        ("mail: accept format=flowed replies.", False),
        ("mail:accept format=flowed replies", False),
        ("mail: " + "x" * 66, True),
        ("mail: " + "x" * 67, False),
        ("notes\n\nmail: accept replies", False),
    ],
)
def test_the_commit_hook_checks_the_subject(subject: str, good: bool) -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (hook,) = [each for each in config["repos"][0]["hooks"] if each["id"] == "commit-subject"]
    assert hook["args"] == ["--multiline", "--negate"], "pygrep fails where it finds nothing"
    assert bool(re.search(hook["entry"], f"{subject}\n\nThe body says why.\n", re.MULTILINE)) == good
