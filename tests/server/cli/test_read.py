"""`nabu read`: its output for emails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from server.cli.read import read
from server.interpretation.reply_checks import without_prefix

HEAD = "From: Ann <ann@example.org>\nTo: play+k7q2@games.example\nSubject: Re: Nibble 17\n"


def shown(folder: Path, mail: str) -> dict[str, Any]:
    file = folder / "mail.eml"
    file.write_text(mail, encoding="utf-8")
    result = CliRunner().invoke(read, ["--json", str(file)])
    assert result.exit_code == 0, result.output
    (line,) = result.output.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_reply_is_shown_with_everything_that_was_read(tmp_path: Path) -> None:
    mail = f"{HEAD}Content-Type: text/plain; charset=utf-8\n\nс4\nThanks!\n\n> Ben played d5.\n\nreally?\n"
    assert shown(tmp_path, mail) == {
        "file": str(tmp_path / "mail.eml"),
        "kind": "reply",
        "why": "",
        "sender": "ann@example.org",
        "token": "k7q2",
        "text": "с4\nThanks!",
        "commands": ["c4"],
        "changes": ["с4 (Cyrillic с) as c4"],
        "stopped_at": "Thanks!",
        "below": "really?",
        "rest": "> Ben played d5.",
        "ended_by": "a quoted line",
        "aside": "",
        "unread": "",
    }


def test_automatic_email_is_shown_with_the_evidence(tmp_path: Path) -> None:
    found = shown(tmp_path, f"Auto-Submitted: auto-replied\n{HEAD}\nc4\n")
    assert (found["kind"], found["why"]) == ("auto", "Auto-Submitted: auto-replied")
    assert (found["text"], found["commands"]) == ("c4", [])


def test_subject_is_read_if_the_text_is_empty(tmp_path: Path) -> None:
    head = "From: ann@example.org\nTo: play@games.example\n"
    assert shown(tmp_path, f"{head}Subject: AW: challenge ben nibble\n\n")["commands"] == [
        "challenge ben nibble"
    ]
    assert shown(tmp_path, f"{HEAD}\n")["commands"] == []


def test_output_for_people_is_in_lines(tmp_path: Path) -> None:
    file = tmp_path / "mail.eml"
    file.write_text(f"{HEAD}\nc4\nThanks!\n")
    lines = CliRunner().invoke(read, [str(file)]).output.splitlines()
    assert lines == [
        f"{file}: reply from ann@example.org",
        "  | c4",
        "  | Thanks!",
        "  command: c4",
        "  not a command: Thanks!",
    ]


@pytest.mark.parametrize(
    ("subject", "command"),
    [
        ("games", "games"),
        ("Re: games", "games"),
        ("AW: Re[2]: games", "games"),
        ("回复：games", "games"),
        ("ΑΠ: games", "games"),
        ("stop: please", "stop: please"),
        ("challenge ben nibble time=daily 20:00 UTC", "challenge ben nibble time=daily 20:00 UTC"),
        ("", ""),
    ],
)
def test_reply_prefixes_are_removed_from_the_subject(subject: str, command: str) -> None:
    assert without_prefix(subject) == command


@pytest.mark.parametrize(
    ("text", "commands", "stopped_at"),
    [
        ("Hi Ben,\n\nc4, please!\n\nAnn", ["c4"], "Ann"),
        ("Should I do this?\n\nc4", [], "Should I do this?"),
        ("Hi Ben!\n\nc4\n\nYour d5 was great.", [], "Your d5 was great."),
    ],
)
def test_move_below_a_greeting_is_shown_unless_another_line_makes_it_doubtful(
    tmp_path: Path, text: str, commands: list[str], stopped_at: str
) -> None:
    found = shown(tmp_path, f"{HEAD}\n{text}\n")
    assert (found["commands"], found["stopped_at"]) == (commands, stopped_at)
