"""The mailbox of the demo."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from html import unescape
from mailbox import Maildir
from pathlib import Path
from urllib.request import urlopen

import pytest
from werkzeug.test import Client

from mail.addresses import mailto
from mail.incoming.receiving import Listener, Received
from mail.outgoing.composing import Mail, compose
from mail.reading.message import read
from server.demo.pages import create_mailbox
from server.demo.postbox import Postbox
from server.web.server import WebServer
from tests.support.machine.ports import free_ports

PLAY = "play@nabu.test"
ANN, BEN, CARL = "ann@example.org", "ben@example.org", "carl@example.org"


@pytest.fixture
def arrived() -> list[Received]:
    return []


@pytest.fixture
def listener(arrived: list[Received]) -> Iterator[Listener]:
    """Return a mail server that takes the place of Nabu."""

    def store(batch: Sequence[Received]) -> None:
        arrived.extend(batch)

    listener = Listener(
        "127.0.0.1", 0, protocol="smtp", hostname="nabu.test", accepts=lambda recipient: None, store=store
    )
    listener.start()
    yield listener
    listener.stop()


@pytest.fixture
def postbox(tmp_path: Path) -> Postbox:
    return Postbox(tmp_path / "postbox")


@pytest.fixture
def page(postbox: Postbox, listener: Listener) -> Client:
    return create_mailbox(postbox, listener.address, PLAY, "http://127.0.0.1", (ANN, BEN)).test_client()


def put(postbox: Postbox, number: int, to: str = ANN, html: str = "") -> None:
    """Return an email from Nabu."""
    content = compose(
        Mail(
            sender="Ben via Nabu <play@nabu.test>",
            recipient=to,
            reply_to="play+abc@nabu.test",
            subject=f"Nibble {number}: Ann - Ben",
            text=f"Turn {number}",
            html=html or f"<html><head></head><body>Turn {number}</body></html>",
            message_id=f"{number}@nabu.test",
            date=datetime(2026, 3, 1, tzinfo=UTC),
        )
    )
    postbox.store([Received("smtp", "127.0.0.1", "", (to,), content)])


@pytest.mark.parametrize(
    ("written", "subject"),
    [("games\r\nlogin\r\n", "games"), ("games", "games"), ("\r\n\r\ngames", "games"), (" ", "")],
)
def test_email_of_several_lines_arrives_complete(
    page: Client, arrived: list[Received], written: str, subject: str
) -> None:
    """Browsers end lines with CR LF. A CR in the subject made the email look forged."""
    assert page.post("/write", data={"sender": ANN, "text": written}).status_code == 303
    (mail,) = arrived
    reading = read(mail.content, mail_from=mail.mail_from, own=PLAY)
    assert (reading.kind, reading.subject, reading.text.split()) == ("reply", subject, written.split())
    assert b"\r\r" not in mail.content


def test_each_email_is_read_once(
    postbox: Postbox, page: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list must not read all emails again for each visit: 400 emails took eleven seconds."""
    read: list[str] = []
    get_bytes = Maildir.get_bytes

    def counted(self: Maildir, key: str) -> bytes:
        read.append(key)
        return get_bytes(self, key)

    monkeypatch.setattr(Maildir, "get_bytes", counted)
    for number in range(5):
        put(postbox, number)
    again = Postbox(tmp_path / "postbox")
    for _ in range(3):
        assert len(again.headings()) == 5
        assert "Nibble 4" in page.get("/").text
    put(postbox, 5)
    assert "Nibble 5" in page.get("/").text
    assert len(again.headings()) == 6
    assert len(read) == len(set(read)) == 6, "those that come are read as they come"


def test_new_emails_are_marked_until_they_are_opened(postbox: Postbox, page: Client, tmp_path: Path) -> None:
    put(postbox, 1)
    put(postbox, 2)
    shown = page.get("/").text
    assert shown.count('class="new"') == 2
    assert "2 new" in shown
    first, second = (heading.key for heading in postbox.headings())
    page.get(f"/mail/{first}")
    shown = page.get("/").text
    assert shown.count('class="new"') == 1
    assert "1 new" in shown
    again = Postbox(tmp_path / "postbox")
    assert again.unread() == {second}, "also after the demo was stopped"
    assert again.opened(first).text == "Turn 2"
    assert page.get("/mail/nothing").status_code == 404


def test_each_person_has_a_tab(postbox: Postbox, page: Client) -> None:
    put(postbox, 1, ANN)
    put(postbox, 2, CARL)
    shown = page.get(f"/?to={CARL}").text
    assert f'aria-current="page">{CARL}' in shown
    assert "Nibble 2" in shown
    assert "Nibble 1" not in shown
    assert BEN in shown, "has no mail"


def test_preview_of_an_email_is_shown(postbox: Postbox, page: Client) -> None:
    for number, fill in ((1, 1), (2, 100)):
        hidden = f"<div style='display:none'>Your move: Ben played a2.{'&#847;&zwnj;&nbsp;' * fill}</div>"
        body = f"{hidden}\n<p>##- above -##</p>"
        put(postbox, number, html=f"<html><head><title>No</title></head><body>{body}</body></html>")
    filled, short = postbox.headings()
    assert short.preview == "Your move: Ben played a2. ##- above -##"
    assert filled.preview == "Your move: Ben played a2.", "the rest is beyond the invisible characters"
    assert short.preview in unescape(page.get("/").text)


def test_text_only_email_is_shown(postbox: Postbox, page: Client) -> None:
    content = b"To: ann@example.org\r\nSubject: Plain\r\nMessage-ID: <1@nabu.test>\r\n\r\nHello.\r\n"
    postbox.store([Received("smtp", "127.0.0.1", "", (ANN,), content)])
    (heading,) = postbox.headings()
    assert (heading.subject, heading.preview) == ("Plain", "")
    assert "Hello." in page.get(f"/mail/{heading.key}").text


def test_long_lists_have_pages(postbox: Postbox, page: Client) -> None:
    for number in range(130):
        put(postbox, number)
    newest, oldest = page.get("/").text, page.get("/?from=100").text
    assert newest.count("/mail/") == 100
    assert "Nibble 129:" in newest
    assert oldest.count("/mail/") == 30
    assert "Nibble 0:" in oldest
    assert "Older" in newest
    assert "Newer" in oldest
    assert "Older" not in oldest


def test_links_open_outside_of_the_frame(postbox: Postbox, page: Client, arrived: list[Received]) -> None:
    link = mailto("play+abc@nabu.test", "Nibble 1: Ann - Ben", "c4+\nsay Good luck & have fun")
    put(
        postbox, 1, html=f'<html><head></head><body><a href="{link.replace("&", "&amp;")}">c4</a></body></html>'
    )
    (mail,) = postbox.headings()
    framed = unescape(page.get(f"/mail/{mail.key}").text)
    assert '<base target="_blank">' in framed
    assert "mailto:" not in framed
    form = unescape(framed.partition('<a href="')[2].rpartition('<a href="/write')[2].partition('"')[0])
    written = unescape(page.get("/write" + form).text)
    for field in (
        ANN,
        "play+abc@nabu.test",
        "Nibble 1: Ann - Ben",
        "c4+\r\nsay Good luck & have fun</textarea>",
    ):
        assert field in written
    fields = {"sender": ANN, "to": "play+abc@nabu.test", "subject": "Nibble 1: Ann - Ben", "text": "c4"}
    assert page.post("/write", data=fields).status_code == 303
    assert arrived[0].recipients == ("play+abc@nabu.test",)
    assert b"Subject: Nibble 1: Ann - Ben" in arrived[0].content


def test_mailbox_survives_closed_browsers(postbox: Postbox, listener: Listener) -> None:
    for number in range(50):
        put(postbox, number)
    (port,) = free_ports(1)
    pages = WebServer(create_mailbox(postbox, listener.address, PLAY, "http://127.0.0.1"), "127.0.0.1", port)
    pages.start()
    for _ in range(60):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as browser:
            browser.sendall(b"GET / HTTP/1.1\r\nHost: nabu.test\r\n\r\n")
            browser.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with urlopen(f"http://127.0.0.1:{port}/", timeout=60) as answer:
        assert b"Nibble 49" in answer.read()
    pages.stop()
