"""Scores of readers of emails, and the layout of public test emails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from server.bench.mail_reading import ReadingScore, alone, corpora, readers, score, spent
from tests.mails.public.layout import HERE, PROJECTS, clone, lay_out
from tests.support.mail.hostile_emails import HOSTILE


@pytest.mark.parametrize(
    ("found", "exact", "first_line", "leaked", "lost"),
    [
        ("Hello\nc4", 1, 1, 0, 0),
        (" Hello \n\nc4\n", 1, 1, 0, 0),
        ("Hello c4", 1, 1, 0, 0),
        ("Hello", 0, 1, 0, 1),
        ("Hello\nc4\n> d5", 0, 1, 1, 0),
        ("On Monday, Ann wrote:\nHello\nc4", 0, 0, 1, 0),
        ("", 0, 0, 0, 1),
    ],
)
def test_score_of_a_reading(found: str, exact: int, first_line: int, leaked: int, lost: int) -> None:
    total = ReadingScore()
    total.add("Hello\n\nc4", found)
    assert (total.mails, total.exact, total.first_line) == (1, exact, first_line)
    assert (total.leaked, total.lost) == (leaked, lost)


def test_own_emails_are_read_without_errors() -> None:
    ((name, mails),) = corpora(HERE.parent)
    assert name == "mails"
    reader = readers()["nabu"]
    assert reader is not None
    total = score(reader, mails)
    assert total.mails > 150
    assert total.exact == total.mails
    assert len(total.times) == len(alone(mails)) == total.mails
    assert min(total.times) >= 0


def test_crafted_emails_are_timed(tmp_path: Path) -> None:
    for name in ("slow", "slower"):
        (tmp_path / f"{name}.eml").write_bytes(HOSTILE["lines of stars"])
    one, other = spent(tmp_path)
    assert min(one, other) > 0


def test_public_emails_are_stored_with_licence_and_origin(tmp_path: Path) -> None:
    checkout = tmp_path / "project"
    (checkout / "mails").mkdir(parents=True)
    (checkout / "LICENSE").write_text("Do as you like.")
    (checkout / "mails" / "a.txt").write_text("Hi,\n> quoted\nc4\n\nBye\n")
    (checkout / "mails" / "b.html").write_text(
        "<head><title>T</title></head><p>Hi <b>Ann</b>&amp;<hr>On Monday"
    )
    table = tmp_path / "table.txt"
    table.write_text("# Origin\nmails/a.txt 1,3-5\nmails/b.html w1-3\n")
    lay_out(checkout, table, tmp_path / "all" / "project")
    ((name, mails),) = corpora(tmp_path / "all")
    assert name == "project"
    assert [mail.expected for mail in mails] == ["Hi,\nc4\n\nBye\n", "Hi Ann &\n"]
    assert (tmp_path / "all" / "project" / "NOTICE").read_text() == "# Origin\n"
    assert (tmp_path / "all" / "project" / "LICENSE").exists()


def test_project_is_checked_out_once_at_the_commit_of_its_table(tmp_path: Path) -> None:
    origin, checkout = tmp_path / "origin", tmp_path / "checkout"
    for words in ("init", "commit --allow-empty --message one", "commit --allow-empty --message two"):
        author = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        origin.mkdir(exist_ok=True)
        subprocess.run(["git", *author, *words.split(), "--quiet"], cwd=origin, check=True)
    for commit in ("HEAD~1", "no such commit, but nobody asks"):
        clone(str(origin), commit, checkout)
    told = subprocess.run(
        ["git", "log", "--format=%s"], cwd=checkout, check=True, capture_output=True, text=True
    )
    assert told.stdout == "one\n"


def test_each_project_has_its_table() -> None:
    assert sorted(path.stem for path in HERE.glob("*.txt")) == sorted(PROJECTS)
