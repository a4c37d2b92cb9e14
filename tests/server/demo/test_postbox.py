"""The postbox of the demo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from mail.incoming.receiving import Listener, Received
from mail.reading.message import read
from server.demo.pages import create_mailbox
from server.demo.postbox import Postbox

PLAY = "play@nabu.test"


@pytest.fixture
def arrived() -> list[Received]:
    return []


@pytest.fixture
def listener(arrived: list[Received]) -> Iterator[Listener]:
    """A mail server in the place of Nabu."""

    def store(batch: Sequence[Received]) -> None:
        arrived.extend(batch)

    listener = Listener(
        "127.0.0.1", 0, protocol="smtp", hostname="nabu.test", accepts=lambda recipient: None, store=store
    )
    listener.start()
    yield listener
    listener.stop()


@pytest.mark.parametrize(
    ("written", "subject"),
    [("games\r\nlogin\r\n", "games"), ("games", "games"), ("\r\n\r\ngames", "games"), (" ", "")],
)
def test_a_mail_of_several_lines_arrives_whole(
    tmp_path: Path, listener: Listener, arrived: list[Received], written: str, subject: str
) -> None:
    """Browsers end lines with CR LF, and the CR stood in the subject: the mail was held as forged."""
    page = create_mailbox(
        Postbox(tmp_path / "postbox"), listener.address, PLAY, "http://127.0.0.1"
    ).test_client()
    assert page.post("/new", data={"sender": "ann@example.org", "text": written}).status_code == 302
    (mail,) = arrived
    reading = read(mail.content, mail_from=mail.mail_from, own=PLAY)
    assert (reading.kind, reading.subject, reading.text.split()) == ("reply", subject, written.split())
    assert b"\r\r" not in mail.content
