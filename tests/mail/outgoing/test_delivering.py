"""The relay, over real sockets: one connection for many emails, and permanent failures."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from mail.outgoing.delivering import DeliveryFailed, Relay
from tests.support.machine.ports import free_port
from tests.support.mail.keys import signed

MAIL = b"Subject: x\r\n\r\n.\r\n.c4\r\n"
PATIENCE = 60.0  # seconds for an answer
BOB = "bob@example.org"


class Sink:
    """Accepts every email, unless a reply to a command is set; counts the connections."""

    def __init__(self, *extensions: str) -> None:
        self.extensions = extensions
        self.mails: list[Envelope] = []
        self.replies: dict[str, list[str]] = {}
        self.hosts: list[str] = []
        self.hang_up_on: list[str] = []

    def _reply(self, command: str, server: SMTP) -> str | None:
        if command in self.hang_up_on:
            self.hang_up_on.remove(command)
            assert server.transport is not None
            server.transport.close()
            return ""
        replies = self.replies.get(command)
        return replies.pop(0) if replies else None

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, replies: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self.hosts.append(hostname)
        return [*(f"250-{each}" for each in self.extensions), *replies]

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if (reply := self._reply("MAIL", server)) is not None:
            return reply
        envelope.mail_from = address
        envelope.mail_options = options
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if (reply := self._reply("RCPT", server)) is not None:
            return reply
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if (reply := self._reply("DATA", server)) is not None:
            return reply
        self.mails.append(envelope)
        return "250 OK"


@contextmanager
def running(sink: Sink, **settings: Any) -> Iterator[int]:
    port = free_port()
    controller = Controller(sink, "127.0.0.1", port, ready_timeout=PATIENCE, **settings)
    controller.start()
    sink.hosts.clear()
    try:
        yield port
    finally:
        controller.stop()


@pytest.fixture(params=["", "PIPELINING"])
def sink(request: pytest.FixtureRequest) -> Sink:
    return Sink(*filter(None, [request.param]))


@pytest.fixture
def relay(sink: Sink) -> Iterator[Relay]:
    with running(sink) as port:
        relay = Relay(f"smtp://127.0.0.1:{port}", hostname="games.example", timeout=PATIENCE)
        yield relay
        relay.close()


def failed(relay: Relay, mail_from: str = "play@games.example") -> tuple[bool, int, str]:
    with pytest.raises(DeliveryFailed) as failure:
        relay.send(mail_from, BOB, MAIL)
    return failure.value.permanent, failure.value.code, failure.value.message


def test_many_emails_use_one_connection(sink: Sink, relay: Relay) -> None:
    for number in range(3):
        relay.send(f"b+{number}@games.example", BOB, MAIL)
    assert [mail.mail_from for mail in sink.mails] == [f"b+{number}@games.example" for number in range(3)]
    assert [mail.content for mail in sink.mails] == [MAIL] * 3
    assert sink.mails[0].mail_options == [f"SIZE={len(MAIL)}"]
    assert sink.hosts == ["games.example"]


def test_null_return_path_and_utf8_address_are_sent(sink: Sink, relay: Relay) -> None:
    relay.send("", BOB, MAIL)
    relay.send("play@games.example", "jörg@example.org", "Subject: ö\r\n\r\n".encode())
    assert sink.mails[0].mail_from == "<>"
    assert sink.mails[1].rcpt_tos == ["jörg@example.org"]
    assert sink.mails[1].mail_options[1:] == ["BODY=8BITMIME", "SMTPUTF8"]


@pytest.mark.parametrize("command", ["RCPT", "DATA"])
@pytest.mark.parametrize("reply", ["550 5.1.1 no such user", "550 no such user", "450 4.2.1 later"])
def test_only_a_recipient_refusal_with_a_status_is_permanent(
    sink: Sink, relay: Relay, command: str, reply: str
) -> None:
    sink.replies[command] = [reply]
    assert failed(relay) == (command == "RCPT" and "5.1.1" in reply, int(reply[:3]), reply[4:])
    relay.send("play@games.example", BOB, MAIL)
    assert len(sink.mails) == len(sink.hosts) == 1


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("MAIL", "550 Sender not allowed"),
        ("MAIL", "501 5.1.7 Bad sender address syntax"),
        ("RCPT", "553 5.7.1 <a@b>: Sender address rejected: not owned by user ann"),
        ("RCPT", "550 5.1.8 <a@b>: Sender address rejected: Domain not found"),
        ("DATA", "550 5.4.5 Daily user sending limit exceeded"),
        ("DATA", "550 5.7.60 SMTP; Client does not have permissions to send as this sender"),
    ],
)
def test_relay_that_forbids_sending_says_nothing_about_the_recipient(
    sink: Sink, relay: Relay, command: str, reply: str
) -> None:
    sink.replies[command] = [reply]
    with pytest.raises(DeliveryFailed) as failure:
        relay.send("play@games.example", BOB, MAIL)
    assert (failure.value.permanent, failure.value.forbidden) == (False, True)
    relay.send("play@games.example", BOB, MAIL)
    assert len(sink.mails) == len(sink.hosts) == 1


@pytest.mark.parametrize(
    ("command", "reply", "of"),
    [
        ("MAIL", "552 5.3.4 Too large", "mail"),
        ("MAIL", "550 Who are you?", "relay"),
        ("MAIL", "451 Later", "relay"),
        ("RCPT", "550 5.1.1 <5.7.1@b>: no such user", "recipient"),
        ("RCPT", "550 <5.1.1@b>: no", "recipient"),
        ("RCPT", "450 4.7.1 Later", "recipient"),
        ("RCPT", "530 5.7.0 Authentication required", "relay"),
        ("RCPT", "421 4.7.0 Closing", "relay"),
        ("DATA", "554 5.6.0 No", "mail"),
        ("DATA", "554 5.1.1 No such user", "mail"),
    ],
)
def test_delivery_failure_concerns_the_email_the_recipient_or_the_relay(
    sink: Sink, relay: Relay, command: str, reply: str, of: str
) -> None:
    sink.replies[command] = [reply]
    with pytest.raises(DeliveryFailed) as failure:
        relay.send("play@games.example", BOB, MAIL)
    assert (failure.value.of, failure.value.connected) == (of, True)
    assert failure.value.permanent == (reply == "550 5.1.1 <5.7.1@b>: no such user")


def test_missing_login_is_a_failure_of_the_relay(sink: Sink, relay: Relay) -> None:
    sink.replies["MAIL"] = ["530 5.7.0 Authentication required"]
    assert failed(relay) == (False, 530, "5.7.0 Authentication required")


@pytest.mark.parametrize("reply", ["421 4.4.2 timeout, closing", ""])
def test_stale_connection_is_replaced(sink: Sink, relay: Relay, reply: str) -> None:
    relay.send("play@games.example", BOB, MAIL)
    if reply:
        sink.replies["MAIL"] = [reply]
    else:
        sink.hang_up_on = ["MAIL"]
    relay.send("play@games.example", BOB, MAIL)
    assert len(sink.mails) == len(sink.hosts) == 2


@pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA"])
def test_broken_connection_is_temporary_and_the_next_email_is_sent(
    sink: Sink, relay: Relay, command: str
) -> None:
    sink.hang_up_on = [command]
    permanent, code, message = failed(relay)
    assert not permanent
    assert code == 0
    assert message
    relay.send("play@games.example", BOB, MAIL)
    assert len(sink.mails) == 1


def test_unreachable_or_silent_relay_is_a_failure() -> None:
    with closing(socket.socket()) as silent:
        silent.bind(("127.0.0.1", 0))
        relay = Relay(f"smtp://127.0.0.1:{silent.getsockname()[1]}", hostname="games.example", timeout=0.2)
        assert failed(relay)[:2] == (False, 0)
        silent.listen()
        assert failed(relay)[:2] == (False, 0)
        relay.close()


def test_commands_are_sent_together_and_a_refused_email_has_no_content() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        relay = Relay(f"smtp://127.0.0.1:{server.getsockname()[1]}", hostname="games.example", timeout=PATIENCE)
        came: list[list[bytes]] = []

        def reply() -> None:
            connection, _ = server.accept()
            with connection, connection.makefile("rb") as lines:
                connection.sendall(b"220 Hello\r\n")
                for count, replies in [
                    (1, b"250-games.example\r\n250 PIPELINING\r\n"),
                    (3, b"250 OK\r\n550 5.1.1 No such user\r\n354 Go ahead\r\n"),
                    (1, b"554 No recipients\r\n"),
                    (1, b"250 OK\r\n"),
                    (3, b"250 OK\r\n250 OK\r\n354 Go ahead\r\n"),
                    (MAIL.count(b"\n") + 1, b"250 OK\r\n"),
                ]:
                    came.append([lines.readline() for _ in range(count)])
                    connection.sendall(replies)

        serving = threading.Thread(target=reply)
        serving.start()
        assert failed(relay) == (True, 550, "5.1.1 No such user")
        relay.send("play@games.example", BOB, MAIL)
        serving.join()
        relay.close()
    assert came[2:4] == [[b".\r\n"], [b"rset\r\n"]]
    assert b"".join(came[5]) == MAIL.replace(b"\n.", b"\n..") + b".\r\n"


def test_refusal_in_the_greeting_is_temporary(sink: Sink) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        relay = Relay(f"smtp://127.0.0.1:{server.getsockname()[1]}", hostname="games.example", timeout=PATIENCE)

        def refuse() -> None:
            connection, _ = server.accept()
            connection.sendall(b"554 5.7.1 You are blocked\r\n")
            connection.close()

        threading.Thread(target=refuse).start()
        assert failed(relay) == (False, 554, "5.7.1 You are blocked")


@pytest.mark.parametrize("address", ["a@example.org\r\nRCPT TO:<evil@example.org>", "a\ud800@example.org"])
def test_address_that_cannot_be_sent_is_refused_permanently(sink: Sink, relay: Relay, address: str) -> None:
    assert failed(relay, address)[:2] == (True, 553)
    relay.send("play@games.example", BOB, MAIL)
    assert len(sink.mails) == 1


def test_ascii_relay_is_a_permanent_failure_for_utf8_addresses(sink: Sink) -> None:
    with (
        running(sink, enable_SMTPUTF8=False) as port,
        closing(Relay(f"smtp://127.0.0.1:{port}", hostname="games.example", timeout=PATIENCE)) as relay,
    ):
        assert failed(relay, "jörg@example.org")[:2] == (True, 553)
        relay.send("play@games.example", BOB, MAIL)
    assert len(sink.mails) == 1


def test_relay_can_be_closed_twice_and_used_again(sink: Sink, relay: Relay) -> None:
    relay.close()
    relay.send("play@games.example", BOB, MAIL)
    relay.close()
    relay.close()
    relay.send("play@games.example", BOB, MAIL)
    assert len(sink.hosts) == 2


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a certificate for localhost with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    file = tmp_path_factory.mktemp("tls") / "localhost.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + signed(key, x509.DNSName("localhost")))
    return file


def knows_ann(
    server: SMTP, session: Session, envelope: Envelope, mechanism: str, login: LoginPassword
) -> AuthResult:
    return AuthResult(success=login == LoginPassword(b"ann@x", b"p:w/d"), handled=False)


def with_tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    return context


def test_password_is_sent_over_a_verified_connection(
    sink: Sink, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"tls_context": with_tls(certificate), "require_starttls": True, "authenticator": knows_ann}
    with running(sink, **settings, auth_required=True) as port:
        url = f"smtp+starttls://ann%40x:p%3Aw%2Fd@localhost:{port}"
        unknown = Relay(url, hostname="games.example", timeout=PATIENCE)
        permanent, code, message = failed(unknown)
        assert (permanent, code) == (False, 0)
        assert "certificate verify failed" in message
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with closing(Relay(url, hostname="games.example", timeout=PATIENCE)) as relay:
            relay.send("play@games.example", BOB, MAIL)
        with closing(Relay(url.replace("w%2Fd", "wrong"), hostname="games.example", timeout=PATIENCE)) as relay:
            assert failed(relay)[:2] == (False, 535)
    assert len(sink.mails) == 1


def test_smtps_is_encrypted_from_the_start(
    sink: Sink, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with (
        running(sink, ssl_context=with_tls(certificate)) as port,
        closing(Relay(f"smtps://localhost:{port}", hostname="games.example", timeout=PATIENCE)) as relay,
    ):
        relay.send("play@games.example", BOB, MAIL)
    assert len(sink.mails) == 1


def test_relay_without_required_encryption_gets_nothing(sink: Sink) -> None:
    with running(sink) as port:
        relay = Relay(f"smtp+starttls://localhost:{port}", hostname="games.example", timeout=PATIENCE)
        permanent, code, message = failed(relay)
    assert (permanent, code) == (False, 0)
    assert "STARTTLS" in message


@pytest.mark.parametrize(
    "url",
    ["", "localhost", "localhost:25", "http://localhost", "smtp://", "smtp://h:port", "smtp://h:99999", "smtp://[::1",
     "smtp://h/path", "smtp://h?x=y", "smtp://user:half/secret@h"],
)  # fmt: skip
def test_wrong_url_is_refused_without_showing_the_password(url: str) -> None:
    with pytest.raises(ValueError, match=r"smtp\+starttls://USER:PASSWORD@HOST:PORT") as refused:
        Relay(url, hostname="games.example")
    assert "half" not in str(refused.value)


def test_password_is_not_sent_unencrypted_to_another_machine() -> None:
    with pytest.raises(ValueError, match=r"smtp\+starttls:// or smtps://"):
        Relay("smtp://ann:secret@mail.example.org", hostname="games.example")
    Relay("smtp://ann:secret@127.0.0.1", hostname="games.example")
