"""The listener, over real sockets: stored emails, replies, and failures of the store."""

from __future__ import annotations

import smtplib
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from mail.incoming.receiving import Listener, Protocol, Received
from mail.incoming.replies import MAX_RECIPIENTS
from tests.support.mail.inbox import MAIL, PATIENCE, Box, only_ours


def not_started(
    box: Box, port: int = 0, protocol: Protocol = "smtp", *, max_size: int = 100_000, idle: float = PATIENCE
) -> Listener:
    return Listener(
        "127.0.0.1", port, protocol=protocol, hostname="games.example", accepts=only_ours, store=box.store,
        max_size=max_size, idle=idle,
    )  # fmt: skip


@contextmanager
def listening(
    box: Box, protocol: Protocol = "smtp", *, max_size: int = 100_000, idle: float = PATIENCE
) -> Iterator[Listener]:
    listener = not_started(box, 0, protocol, max_size=max_size, idle=idle)
    listener.start()
    try:
        yield listener
    finally:
        listener.stop()


@contextmanager
def talking(listener: Listener) -> Iterator[Callable[[bytes], bytes]]:
    """Yield a raw connection: a function that sends some bytes, possibly b"", and returns one reply."""
    with socket.create_connection(listener.address, timeout=PATIENCE) as connection:
        replies = connection.makefile("rb")

        def say(data: bytes) -> bytes:
            connection.sendall(data)
            reply = line = replies.readline()
            while line[3:4] == b"-":
                line = replies.readline()
                reply += line
            return reply

        assert say(b"").startswith(b"220 games.example")
        yield say
        replies.close()


def send(listener: Listener, content: bytes = MAIL, mail_from: str = "ann@example.org") -> None:
    client = smtplib.SMTP(*listener.address, timeout=PATIENCE)
    try:
        client.sendmail(mail_from, ["play@d.org"], content)
    finally:
        client.close()


def code(listener: Listener, content: bytes) -> int:
    """Return the reply code to the text of one email."""
    try:
        send(listener, content)
    except smtplib.SMTPDataError as error:
        return error.smtp_code
    return 250


@pytest.mark.parametrize(
    "content",
    [
        MAIL,
        b"\r\n",
        b"Subject: x\r\n\r\n.\r\n..\r\n.c4\r\n",
        b"Subject: \xff\xfe\r\n\r\n\x00\x80\xff\r\n",
        b"Subject: x\r\n\r\n" + b"y" * 50_000 + b"\r\n",
        b"X: a\rb\x0bc\r\n\r\nc4\r\n",
    ],
)
def test_email_is_stored_byte_for_byte(content: bytes) -> None:
    box = Box()
    with listening(box) as listener, smtplib.SMTP(*listener.address, timeout=PATIENCE) as client:
        client.ehlo()
        client.mail("ann@example.org")
        client.rcpt("play+k7@d.org")
        client.docmd("DATA")
        client.send(content.replace(b"\r\n.", b"\r\n..") + b".\r\n")
        assert client.getreply() == (250, b"2.0.0 Stored")
    assert box.mails == [Received("smtp", "127.0.0.1", "ann@example.org", ("play+k7@d.org",), content)]


def test_null_path_is_accepted() -> None:
    box = Box()
    with listening(box) as listener:
        send(listener, mail_from="")
    assert box.mails[0].mail_from == ""


def test_unknown_recipient_is_refused_with_the_given_reply() -> None:
    with listening(Box()) as listener, smtplib.SMTP(*listener.address, timeout=PATIENCE) as client:
        client.ehlo()
        client.mail("ann@example.org")
        assert client.rcpt("nobody@d.org") == (550, b"5.1.1 No such player")
        assert client.rcpt("play@d.org")[0] == 250


def test_temporary_reply_when_the_recipient_check_fails() -> None:
    with listening(Box()) as listener, smtplib.SMTP(*listener.address, timeout=PATIENCE) as client:
        client.ehlo()
        client.mail("ann@example.org")
        assert client.rcpt("broken@d.org")[0] == 451
        assert client.rcpt("play@d.org")[0] == 250


def test_temporary_reply_when_storing_fails() -> None:
    box = Box()
    box.fails = {MAIL}
    with listening(box) as listener:
        assert code(listener, MAIL) == 451
        box.fails = set()
        assert code(listener, MAIL) == 250
    assert len(box.mails) == 1


def test_reply_452_without_traceback_when_there_is_no_room(
    caplog: pytest.LogCaptureFixture,
) -> None:
    box = Box()
    box.crowded = {MAIL}
    with listening(box) as listener:
        assert code(listener, MAIL) == 452
        assert code(listener, MAIL + b"another\r\n") == 250
    (record,) = caplog.records
    assert (record.message, record.exc_info) == ("did not store 1 emails: a budget is used up", None)


def test_emails_that_arrive_during_a_commit_share_the_next_one() -> None:
    box = Box()
    box.gate.clear()
    bad = MAIL + b"bad\r\n"
    box.fails = {bad}
    contents = [MAIL, bad, *(MAIL + b"%d\r\n" % number for number in range(8))]
    with listening(box) as listener, ThreadPoolExecutor(len(contents)) as pool:
        first = pool.submit(code, listener, MAIL + b"first\r\n")
        assert box.entered.acquire(timeout=PATIENCE)
        others = [pool.submit(code, listener, content) for content in contents]
        time.sleep(0.5)
        box.gate.set()
        assert first.result() == 250
        assert [other.result() for other in others] == [250, 451, *[250] * 8]
    assert sorted(mail.content for mail in box.mails if mail.content in contents) == sorted({*contents} - {bad})
    assert len(box.batches[0]) == 1


def test_no_email_is_acknowledged_before_it_is_stored() -> None:
    box = Box()
    box.gate.clear()
    with listening(box) as listener, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(code, listener, MAIL)
        assert box.entered.acquire(timeout=PATIENCE)
        time.sleep(0.2)
        assert not answer.done()
        box.gate.set()
        assert answer.result() == 250


def test_size_limit_is_announced_and_enforced() -> None:
    box = Box()
    with listening(box, max_size=1000) as listener, smtplib.SMTP(*listener.address, timeout=PATIENCE) as client:
        client.ehlo()
        assert client.esmtp_features["size"] == "1000"
        assert client.mail("ann@example.org", ["SIZE=1001"])[0] == 552
        client.mail("ann@example.org")
        client.rcpt("play@d.org")
        assert client.data(b"x\r\n" * 400)[0] == 552
    assert box.mails == []


def test_too_many_recipients_get_a_temporary_reply() -> None:
    box = Box()
    with listening(box) as listener, smtplib.SMTP(*listener.address, timeout=PATIENCE) as client:
        client.ehlo()
        client.mail("ann@example.org")
        assert {client.rcpt(f"play+{number}@d.org")[0] for number in range(MAX_RECIPIENTS)} == {250}
        assert client.rcpt("play@d.org")[0] == 452
        assert client.data(MAIL)[0] == 250
    assert len(box.mails[0].recipients) == MAX_RECIPIENTS


def test_addresses_in_utf8_are_kept_and_invalid_bytes_refused() -> None:
    box = Box()
    with listening(box) as listener, talking(listener) as say:
        assert b"SMTPUTF8" in say(b"EHLO a\r\n")
        assert say(b"MAIL FROM:<\xff@example.org>\r\n").startswith(b"553")
        assert say("MAIL FROM:<jörg@example.org> SMTPUTF8 BODY=8BITMIME\r\n".encode()).startswith(b"250")
        assert say(b"RCPT TO:<play\xff@d.org>\r\n").startswith(b"553")
        assert say("RCPT TO:<play+ö@d.org>\r\n".encode()).startswith(b"250")
        assert say(b"DATA\r\n").startswith(b"354")
        assert say(MAIL + b".\r\n").startswith(b"250")
    assert (box.mails[0].mail_from, box.mails[0].recipients) == ("jörg@example.org", ("play+ö@d.org",))


def test_peers_cannot_write_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with listening(Box()) as listener, talking(listener) as say:
        say(b"EHLO a\r\n")
        assert say(b"XYZZY\r\n").startswith(b"500")
    assert caplog.text == ""


def test_commands_may_be_pipelined() -> None:
    box = Box()
    with listening(box) as listener, talking(listener) as say:
        assert b"PIPELINING" in say(b"EHLO a\r\n")
        replies = [say(b"MAIL FROM:<a@b.org>\r\nRCPT TO:<x@d.org>\r\nRCPT TO:<play@d.org>\r\nDATA\r\n")]
        replies += [say(b"") for _ in range(3)]
        assert [reply[:3] for reply in replies] == [b"250", b"550", b"250", b"354"]
        assert say(MAIL + b".\r\nQUIT\r\n").startswith(b"250")
        assert say(b"").startswith(b"221")
    assert [mail.recipients for mail in box.mails] == [("play@d.org",)]


def test_lmtp_replies_for_each_recipient() -> None:
    box = Box()
    with listening(box, "lmtp") as listener, talking(listener) as say:
        assert say(b"EHLO a\r\n").startswith(b"500")
        assert say(b"LHLO a\r\n").startswith(b"250")
        say(b"MAIL FROM:<>\r\n")
        say(b"RCPT TO:<play+1@d.org>\r\n")
        assert say(b"RCPT TO:<nobody@d.org>\r\n").startswith(b"550")
        say(b"RCPT TO:<play+2@d.org>\r\n")
        say(b"DATA\r\n")
        assert [say(MAIL + b".\r\n"), say(b"")] == [b"250 2.0.0 Stored\r\n"] * 2
        assert say(b"NOOP\r\n") == b"250 OK\r\n"
    assert box.mails == [Received("lmtp", "127.0.0.1", "", ("play+1@d.org", "play+2@d.org"), MAIL)]


@pytest.mark.parametrize(("content", "reply"), [(b"x\r\n" * 400, b"552"), (MAIL, b"451")])
def test_lmtp_replies_for_each_recipient_of_a_refused_email(content: bytes, reply: bytes) -> None:
    box = Box()
    box.fails = {MAIL}
    with listening(box, "lmtp", max_size=1000) as listener, talking(listener) as say:
        say(b"LHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<play+1@d.org>\r\nRCPT TO:<play+2@d.org>\r\nDATA\r\n")
        assert [say(b"")[:3] for _ in range(4)] == [b"250", b"250", b"250", b"354"]
        assert [say(content + b".\r\n")[:3], say(b"")[:3]] == [reply] * 2
        assert say(b"NOOP\r\n") == b"250 OK\r\n"


def test_dot_after_a_bare_line_feed_does_not_end_an_email() -> None:
    box = Box()
    smuggled = b"Subject: x\r\n\r\nc4\n.\nMAIL FROM:<evil@example.org>\r\n"
    with listening(box) as listener, talking(listener) as say:
        say(b"EHLO a\r\n")
        say(b"MAIL FROM:<a@b.org>\r\n")
        say(b"RCPT TO:<play@d.org>\r\n")
        say(b"DATA\r\n")
        assert say(smuggled + b".\r\n").startswith(b"250")
    assert [mail.content for mail in box.mails] == [smuggled]


def test_silent_client_is_disconnected() -> None:
    with listening(Box(), idle=0.2) as listener, talking(listener) as say:
        assert say(b"").startswith(b"421 4.4.2")
        assert say(b"") == b""


def test_text_with_an_endless_line_is_disconnected() -> None:
    box = Box()
    with listening(box, max_size=1000) as listener, talking(listener) as say:
        say(b"EHLO a\r\n")
        say(b"MAIL FROM:<a@b.org>\r\n")
        say(b"RCPT TO:<play@d.org>\r\n")
        say(b"DATA\r\n")
        with pytest.raises(ConnectionError):
            say(b"x" * 100_000_000)
    assert box.mails == []


def test_client_that_disconnects_during_an_email_leaves_nothing() -> None:
    box = Box()
    with listening(box) as listener:
        with talking(listener) as say:
            say(b"EHLO a\r\n")
            say(b"MAIL FROM:<a@b.org>\r\n")
            say(b"RCPT TO:<play@d.org>\r\n")
            say(b"DATA\r\nSubject: half")
        send(listener)
    assert [mail.content for mail in box.mails] == [MAIL]


@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
@pytest.mark.parametrize("said", [b"QUIT\r\n", b""])
def test_client_that_closes_its_side_after_an_email_gets_a_reply(protocol: Protocol, said: bytes) -> None:
    """Exim sends QUIT together with the end of an email, closes its side, and waits for both replies."""
    box = Box()
    with (
        listening(box, protocol) as listener,
        socket.create_connection(listener.address, timeout=PATIENCE) as peer,
    ):
        hello = b"EHLO a\r\n" if protocol == "smtp" else b"LHLO a\r\n"
        peer.sendall(hello + b"MAIL FROM:<a@b.org>\r\nRCPT TO:<play@d.org>\r\nDATA\r\n")
        replies = peer.makefile("rb")
        while not replies.readline().startswith(b"354"):
            pass
        peer.sendall(MAIL + b".\r\n" + said)
        peer.shutdown(socket.SHUT_WR)
        assert replies.read() == b"250 2.0.0 Stored\r\n" + (b"221 Bye\r\n" if said else b"")
        replies.close()
    assert len(box.mails) == 1


@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
@pytest.mark.parametrize("said", [b"", b"NOOP", b"MAIL FROM:<a@b.org>\r\nRCPT TO:<play@d.org>\r\nDATA\r\nx"])
def test_client_that_closes_its_side_before_the_end_of_an_email_stores_nothing(
    protocol: Protocol, said: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    box = Box()
    with (
        listening(box, protocol) as listener,
        socket.create_connection(listener.address, timeout=PATIENCE) as peer,
    ):
        peer.sendall((b"EHLO a\r\n" if protocol == "smtp" else b"LHLO a\r\n") + said)
        peer.shutdown(socket.SHUT_WR)
        with peer.makefile("rb") as replies:
            replies.read()
    assert box.mails == []
    assert not caplog.records


def test_stopping_waits_for_emails_being_stored() -> None:
    box = Box()
    box.gate.clear()
    with listening(box) as listener, ThreadPoolExecutor(2) as pool:
        answer = pool.submit(code, listener, MAIL)
        assert box.entered.acquire(timeout=PATIENCE)
        stopping = pool.submit(listener.stop)
        time.sleep(0.2)
        assert not stopping.done()
        box.gate.set()
        stopping.result()
        assert answer.result() == 250


def test_stopping_notifies_connected_clients() -> None:
    listener = Listener(
        "127.0.0.1", 0, protocol="smtp", hostname="games.example", accepts=only_ours, store=Box().store
    )
    listener.start()
    with talking(listener) as say:
        address = listener.address
        listener.stop()
        assert say(b"").startswith(b"421 4.3.2")
        assert say(b"") == b""
    listener.stop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, timeout=PATIENCE)
    with pytest.raises(RuntimeError, match="not running"):
        _ = listener.address


def test_listener_can_be_started_again() -> None:
    box = Box()
    listener = Listener(
        "127.0.0.1", 0, protocol="smtp", hostname="games.example", accepts=only_ours, store=box.store
    )
    for _ in range(2):
        listener.start()
        send(listener)
        listener.stop()
    assert len(box.mails) == 2


def test_port_in_use_is_an_error_at_start() -> None:
    with listening(Box()) as listener:
        second = Listener(
            *listener.address, protocol="smtp", hostname="d", accepts=only_ours, store=Box().store
        )
        with pytest.raises(OSError, match="in use"):
            second.start()
        with pytest.raises(RuntimeError, match="running already"):
            listener.start()
