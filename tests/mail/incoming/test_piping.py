"""One email on standard input: its recipient, and the exit code for the mail server."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest

from mail.incoming.batching import NoRoom
from mail.incoming.envelopes import NOBODY
from mail.incoming.piping import Exit, take, told
from mail.incoming.receiving import Received

MAIL = b"From: ann@example.org\nTo: play+b2@games.example\n\nc4\n"
K7 = "play+k7@games.example"


def accepts(recipient: str) -> str | None:
    if recipient.startswith("full"):
        return "450 4.2.1 Too much mail"
    if recipient.startswith("broken"):
        raise ConnectionError("no database")
    return None if recipient.lower().startswith("play") else "550 5.1.1 There is no such game"


class Store:
    def __init__(self) -> None:
        self.mails: list[Received] = []

    def __call__(self, mails: Sequence[Received]) -> None:
        if b"bad" in mails[0].content:
            raise OSError("disk full")
        if b"crowded" in mails[0].content:
            raise NoRoom("a budget is used up")
        self.mails.extend(mails)


def piped(
    content: bytes = MAIL,
    recipients: Sequence[str] = (),
    sender: str | None = None,
    environment: dict[str, str] | None = None,
    **settings: Any,
) -> tuple[Exit, list[tuple[str, tuple[str, ...], bytes]]]:
    """Return the exit code of the program, and the stored emails."""
    store = Store()
    by = told(recipients, sender, environment or {})
    given = {"accepts": accepts, "store": store, **settings}
    ended = take(BytesIO(content), by, **given)
    return ended, [(mail.mail_from, mail.recipients, mail.content) for mail in store.mails]


@pytest.mark.parametrize(
    ("recipients", "sender", "environment", "envelope"),
    [
        ([K7], "x@y.org", {}, ("x@y.org", (K7,))),
        (["play+K7@games.example"], "x@y.org", {}, ("x@y.org", ("play+K7@games.example",))),
        ([K7, "old@games.example", "play+c3@games.example"], "", {}, ("", (K7, "play+c3@games.example"))),
        ([K7], None, {"SENDER": "x@y.org", "RECIPIENT": "play+c3@games.example"}, ("x@y.org", (K7,))),
        ([K7], "MAILER-DAEMON", {"SENDER": "x@y.org"}, ("", (K7,))),
        ([K7], "<>", {}, ("", (K7,))),
        ([], None, {"SENDER": "MAILER-DAEMON", "RECIPIENT": K7}, ("", (K7,))),
        ([], None, {"RETURN_PATH": "x@y.org", "RECIPIENT": K7}, ("x@y.org", (K7,))),
        ([], None, {"RECIPIENT": "box@host.example", "ORIGINAL_RECIPIENT": K7}, ("ann@example.org", (K7,))),
        ([], None, {"RECIPIENT": K7, "ORIGINAL_RECIPIENT": "play@games.example"}, ("ann@example.org", (K7,))),
        ([], None, {"RECIPIENT": "play@games.example", "EXTENSION": "k7"}, ("ann@example.org", (K7,))),
        ([], None, {"RECIPIENT": "play@games.example", "LOCAL_PART_SUFFIX": "+k7"}, ("ann@example.org", (K7,))),
        ([], None, {"RECIPIENT": "play@games.example"}, ("ann@example.org", ("play@games.example",))),
        ([], None, {"RECIPIENT": "box@host.example"}, ("ann@example.org", ("play+b2@games.example",))),
        ([], None, {}, ("ann@example.org", ("play+b2@games.example",))),
    ],
)
def test_envelope_comes_from_arguments_environment_or_header(
    recipients: list[str],
    sender: str | None,
    environment: dict[str, str],
    envelope: tuple[str, tuple[str, ...]],
) -> None:
    assert piped(MAIL, recipients, sender, environment) == (Exit.OK, [(*envelope, MAIL)])


def test_email_for_no_known_recipient_is_kept() -> None:
    ended, [(_, recipients, _)] = piped(MAIL.replace(b"play+b2", b"list"))
    assert (ended, recipients) == (Exit.OK, (NOBODY,))


@pytest.mark.parametrize(
    ("content", "recipient", "ended"),
    [
        (MAIL, "old@games.example", Exit.NOUSER),
        (MAIL, "full@games.example", Exit.TEMPFAIL),
        (MAIL, "broken@games.example", Exit.TEMPFAIL),
        (MAIL + b"bad\n", K7, Exit.TEMPFAIL),
        (MAIL + b"crowded\n", K7, Exit.TEMPFAIL),
        (b"", K7, Exit.DATAERR),
        (b"\n\n", K7, Exit.DATAERR),
        (b"From ann@example.org Fri Nov 20 09:00:00 2026\n", K7, Exit.DATAERR),
        (MAIL + b"x" * 1000, K7, Exit.DATAERR),
    ],
)
def test_exit_code_for_an_email_that_is_not_stored(content: bytes, recipient: str, ended: Exit) -> None:
    assert piped(content, [recipient], max_size=500) == (ended, [])


def test_exit_code_for_a_recipient_over_its_limit() -> None:
    assert piped(environment={"RECIPIENT": "full@games.example"}) == (Exit.TEMPFAIL, [])


def test_separator_line_of_mailbox_files_is_removed() -> None:
    _, [(_, _, content)] = piped(b"From ann@example.org Fri Nov 20 09:00:00 2026\n" + MAIL)
    assert content == MAIL


def test_broken_pipe_stores_nothing() -> None:
    class Broken(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError("broken pipe")

    by = told([K7], "x@y.org", {})
    assert take(Broken(), by, accepts=accepts, store=Store()) == Exit.TEMPFAIL


def test_exit_codes_are_those_of_sysexits() -> None:
    assert {code.name: code.value for code in Exit} == {"OK": 0, "DATAERR": 65, "NOUSER": 67, "TEMPFAIL": 75}
