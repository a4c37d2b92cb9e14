"""Documents say what the code does."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rules.registry import RULES
from rules.strengths import LEVELS, NAMES, STRENGTHS
from server.bench.computer_players import strength
from server.commands.game_words import TRY, YES
from server.commands.vocabulary import PLAIN, REPLY
from server.commands.word import Effect
from server.doctor.examination import CHECKS
from tests.support import document_tables
from tests.support.folders import ROOT, TESTS

HELPERS = TESTS / "support" / "README.md"
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("path", "written"), document_tables.GENERATED)
def test_tables_match_the_code(path: Path, written: Callable[[str], str]) -> None:
    page = path.read_text(encoding="utf-8")
    assert page == written(page), "make tables"
    rows = re.findall(r"^(?:\| |Usage: ).+\n", page, re.MULTILINE)
    assert any(written(page.replace(row, "")) == page for row in rows), "no line of it comes back"


def test_no_file_contains_the_marks_of_an_unfinished_merge() -> None:
    search = subprocess.run(
        ["git", "grep", "-nE", "^(<{7}|>{7})( |$)"], cwd=ROOT, capture_output=True, check=False
    )
    assert search.stdout == b""
    assert search.returncode == 1  # nothing found, and no error


def test_each_setting_is_documented_once() -> None:
    rows = re.findall(r"(?m)^\| `(NABU_\w+)` \|", document_tables.SETTINGS.read_text(encoding="utf-8"))
    assert len(rows) > 30
    assert len(rows) == len(set(rows))


def test_page_about_email_lists_commands_that_only_read() -> None:
    page = (ROOT / "docs" / "mail.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"The commands that only read are (.+?) and a dry run", page, re.DOTALL)
    reading = {word for word in (*REPLY, *PLAIN) if word.effect is Effect.READS} - {TRY, YES}
    assert set(re.findall(r"`(\w+)`", told)) == {word.word for word in reading}


def test_readme_is_short() -> None:
    assert len(README.split()) <= 700


@pytest.mark.parametrize("name", sorted(RULES))
def test_every_game_type_has_its_rules_and_its_place_in_the_readme(name: str) -> None:
    assert f"docs/rules/{name}.md" in README
    page = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {RULES[name].title}")


def test_every_setting_reaches_the_containers() -> None:
    compose = (ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8")
    shared, services = compose.split("\nservices:\n")
    assert "\n  env_file: ../nabu.env\n" in shared
    listening = {"NABU_HTTP_LISTEN", "NABU_LMTP_LISTEN", "NABU_SMTP_LISTEN"}
    decided = {
        "NABU_BACKUP_FOLDER",
        "NABU_DATABASE_URL",
        "NABU_TRUSTED_PROXIES",
        "NABU_OWN_NETWORKS",
        *listening,
    }
    assert set(re.findall("NABU_[A-Z_]+", compose)) == decided, "what is set here goes before nabu.env"
    for name in ("schema", "web", "mail", "worker"):
        (service,) = re.findall(rf"^  {name}:\n((?:    .+\n)+)", services, re.MULTILINE)
        assert "<<: *nabu" in service
        assert "env" not in service, f"{name} would not have what is shared"


def test_security_document_names_existing_tests() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    attacks = re.split(r"^## ", page.partition("\n## Attacks\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    lines = re.findall(r"^\| (?!attacker \|).+ \|$", attacks, re.MULTILINE)
    assert len(lines) > 100
    for line in lines:
        shown = line.split(" | ")[-1]
        tests = re.findall(r"`(tests/[\w/]+\.py)?::(\w+)`", shown)
        assert tests, f"no test is named: {line}"
        path = ""
        for named, test in tests:
            path = named or path  # `::test` is in the file of the test before
            code = (ROOT / path).read_text(encoding="utf-8")
            assert f"def {test}(" in code, f"{path} has no {test}"


def test_every_check_of_the_doctor_is_documented() -> None:
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    told = [name for name, *_ in document_tables.cells(page, "Health checks")]
    assert told == [check.name for check in CHECKS]


OPPONENTS = (ROOT / "docs" / "opponents.md").read_text(encoding="utf-8")


def test_page_about_computer_players_describes_each() -> None:
    assert document_tables.cells(OPPONENTS, "Computer players") == [
        [
            str(level),
            name,
            each.searches,
            f"{each.error:g}",
            f"{each.proves:,}",
        ]
        for level, name, each in zip(LEVELS, NAMES, STRENGTHS, strict=True)
    ]


def test_each_level_is_shown_to_deserve_its_place() -> None:
    """By the tables of `nabu bench opponents`, as they stand on the page."""
    played = document_tables.cells(OPPONENTS, "Strength")
    required = {
        (name, f"{first} - {second}"): f"{asked:.0%}"
        for name in RULES
        for first, second, asked in strength.pairings(RULES[name])
    }
    assert len({(game, match) for game, match, *_ in played}) == len(played)
    for game, match, asked, *_ in played:
        name, *variant = game.split()
        unlimited = re.sub(r" \(\d+\) ", " ", match)
        assert (name, unlimited) in required
        assert variant or asked == required[name, unlimited]
    for _, _, asked, points, games, _, reached, _ in played:
        enough = float(points.strip("%")) >= float(asked.strip("%"))
        assert reached in ("not decided", "yes" if enough else "no")
        assert int(games) <= strength.MOST_GAMES
    costs = [row[:3] for row in document_tables.cells(OPPONENTS, "Cost of a move")]
    assert sorted(costs) == sorted(
        [name, str(level), STRENGTHS[level - 1].limited(1.0).searches] for name in RULES for level in LEVELS
    )


def test_links_between_documents_are_valid() -> None:
    for document in [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "SECURITY.md",
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("deploy/*.md"),
        HELPERS,
    ]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} leads to {target}, which is not there"


def test_document_about_helpers_names_existing_helpers() -> None:
    page = HELPERS.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.+?)^```$", page, re.MULTILINE | re.DOTALL)
    for module, names in re.findall(r"^from (tests[\w.]+) import (.+)$", "".join(blocks), re.MULTILINE):
        for name in names.split(", "):
            assert hasattr(importlib.import_module(module), name), f"{module} has no {name}"
    for path in re.findall(r"`(tests/[\w/.]+)`", page):
        assert (ROOT / path).exists(), path
    known = set(_names_of_helpers())
    for block in blocks:
        known |= {node.id for node in ast.walk(ast.parse(block)) if isinstance(node, ast.Name)}
    told = re.findall(r"`(\w+)`", re.sub(r"^```.+?^```$", "", page, flags=re.MULTILINE | re.DOTALL))
    assert [name for name in told if name not in known] == []


def _names_of_helpers() -> Iterator[str]:
    """Yield the names of helpers, of the modules that hold them, and of the markers of tests."""
    for path in (TESTS / "support").rglob("*.py"):
        yield path.stem
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                yield node.name
    for path in TESTS.rglob("conftest.py"):
        yield from re.findall(r"^def (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    yield from re.findall(r'^    "(\w+): ', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)


def test_architecture_document_is_short() -> None:
    assert len((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines()) <= 150
