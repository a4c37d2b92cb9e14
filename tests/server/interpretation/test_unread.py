"""The answer to an email without any text of its writer: it says what the email contains instead."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mail.reading.message import read
from mail.reading.quoting import SENTINEL
from server.commands.parser import Command, read_commands
from server.commands.vocabulary import REPLY
from server.interpretation.reply_checks import nothing_written
from tests.support.folders import MAILS

HEAD = "From: ann@example.org\nSubject: Re: {subject}\nContent-Type: text/plain; charset=utf-8\n\n"


def commands(text: str) -> Sequence[Command]:
    return read_commands(text, lambda line: line in ("c4", "d5"), REPLY).commands


def answer(raw: bytes, sent: Sequence[str] = ()) -> str:
    return str(nothing_written(read(raw, sent=sent), commands, "Do this."))


@pytest.mark.parametrize(
    ("text", "subject", "said"),
    [
        ("", "Nibble 7", "There is no text in your email. Do this."),
        (
            "",
            "c4",
            "There is no text in your email. “c4” is in the subject, where Nabu does not read it. Do this.",
        ),
        (
            "",
            "help",
            "There is no text in your email. “help” is in the subject, where Nabu does not read it. Do this.",
        ),
        ("> x", "x", "All of your email looks quoted, from its first line on: “> x”. Do this."),
        (
            "Nabu wrote:\n> x",
            "x",
            "All of your email looks quoted, from its first line on: “Nabu wrote:”. Do this.",
        ),
        (
            "Sent from my iPhone\n",
            "x",
            "Your email begins with “Sent from my iPhone”, which looks like a signature, with nothing above "
            "it. Do this.",
        ),
    ],
)
def test_content_of_the_email_is_described(text: str, subject: str, said: str) -> None:
    assert answer(f"{HEAD.format(subject=subject)}{text}\n".encode()) == said


def test_move_below_the_quote_is_named() -> None:
    ours = f"{SENTINEL}\nBen played d5, and it is your move.\n"
    said = answer(f"{HEAD}{ours}\nc4\n".encode(), [ours])
    assert said.endswith("The line “c4” is among the quoted lines or below them. Do this.")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pgp-encrypted", "Your email is encrypted, and Nabu has no key to decrypt it."),
        ("pgp-inline-encrypted", "Your email is encrypted, and Nabu has no key to decrypt it."),
        ("smime-encrypted", "Your email is encrypted, and Nabu has no key to decrypt it."),
        ("winmail-only", "Your email contains only a file “winmail.dat”, which only Outlook can read."),
    ],
)
def test_unreadable_email_is_reported_with_advice(name: str, said: str) -> None:
    assert answer((MAILS / "in" / f"{name}.eml").read_bytes()).startswith(f"{said} Please ")
