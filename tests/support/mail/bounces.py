"""Bounces and complaints, as mail servers send them."""

from __future__ import annotations

from itertools import count

from sqlmodel import col, select

from mail.incoming.receiving import Received
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Inbox
from tests.support.server.emails import PLAY


def report(fields: str, original: str = "", game_type: str = "message/rfc822") -> bytes:
    parts = [
        "Content-Type: text/plain\n\nThis is a complaint.\n",
        f"Content-Type: message/feedback-report\n\n{fields}\n",
        f"Content-Type: {game_type}\n\n{original}\n" if original else "",
    ]
    body = "".join(f"--b\n{part}\n" for part in parts if part)
    return (
        "From: feedback@provider.example\nTo: abuse@games.example\nMIME-Version: 1.0\n"
        f"Content-Type: multipart/report; report-type=feedback-report;\n boundary=b\n\n{body}--b--\n"
    ).encode()


_number = count(1)


def bounce(address: str, key: str = "", status: str = "5.1.1", action: str = "failed") -> bytes:
    """Return a mail server's report about the email with this key, or about no email."""
    original = f"Message-ID: <{key}@games.example.org>\r\n" if key else ""
    return (
        f"From: MAILER-DAEMON@mx.example.org\r\nMessage-ID: <{next(_number)}@mx.example.org>\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\nAction: {action}\r\nStatus: {status}\r\n"
        f"Diagnostic-Code: smtp; 550 {status} <{address}>: no\r\n\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\n{original}\r\n--b--\r\n"
    ).encode()


def receive_report(services: Services, raw: bytes, recipient: str = PLAY) -> str:
    """Handle an email without a return path, and return the stored outcome."""
    mail = Received("smtp", "192.0.2.1", "", (recipient,), raw)
    services.reception().store([mail])
    assert services.pipeline().handle_next(services.now())
    with reading(services.engine) as session:
        return session.exec(select(Inbox.why).order_by(col(Inbox.id).desc()).limit(1)).one()


def return_path(services: Services, key: str) -> str:
    """Return the return path of the email with this key."""
    return f"play+bounces-{services.tokens.write_return(key)}@games.example.org"
