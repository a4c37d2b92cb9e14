"""SpamAssassin with the rules of its Debian package, and without any that ask the network."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path

from tests.support.missing_programs import fail_or_skip

MISSING = "SpamAssassin is not installed; make test-system installs it"

_RELAY = "mail.games.example.org (mail.games.example.org [93.184.215.14])"
_OPTIONS = ("fold_headers 0", "use_bayes 0", "add_header all Rules _TESTSSCORES(;)_")
_SCORE = re.compile(r"^X-Spam-Status: \w+, score=(-?[\d.]+)", re.MULTILINE)
_RULES = re.compile(r"^X-Spam-Rules: (.*)", re.MULTILINE)
_NOTHING = 0.1
"""Rules below this score only count emails with HTML, or with a server on another port."""


@dataclass(frozen=True)
class Verdict:
    """The score of an email, and the rules that it matches, with the points of each."""

    score: float
    rules: Mapping[str, float]


def judge(folder: Path, emails: Mapping[str, bytes]) -> dict[str, Verdict]:
    """Return what SpamAssassin thinks of emails, by name, as they arrive from another server."""
    program = shutil.which("spamassassin")
    if program is None:
        fail_or_skip(MISSING)
    for number, content in enumerate(emails.values()):
        (folder / f"{number:05}.eml").write_bytes(_arrived(content))
    options = [f"--cf={option}" for option in _OPTIONS]
    # One process for all: reading the rules takes longer than judging twenty emails.
    command = [program, "--local", "--test-mode", "--nocreate-prefs", "--prefspath=/dev/null", *options]
    ran = subprocess.run([*command, *sorted(folder.glob("*.eml"))], capture_output=True, check=True)
    said = ran.stdout.decode(errors="replace")
    scores, rules = _SCORE.findall(said), _RULES.findall(said)
    assert len(scores) == len(rules) == len(emails), ran.stderr.decode()[-2000:]
    return {
        name: Verdict(float(score), _weighty(matched))
        for name, score, matched in zip(emails, scores, rules, strict=True)
    }


def _arrived(content: bytes) -> bytes:
    """Return an email with the header that a receiver adds: without it, many rules do not apply."""
    mail = message_from_bytes(content)
    trace = f"from {_RELAY}\r\n\tby mx.example.net with ESMTPS\r\n\tfor <{mail['To']}>; {mail['Date']}"
    return f"Received: {trace}\r\n".encode() + content


def _weighty(matched: str) -> dict[str, float]:
    pairs = (rule.partition("=") for rule in matched.split(";"))
    return {name: float(points) for name, _, points in pairs if abs(float(points or 0)) >= _NOTHING}
