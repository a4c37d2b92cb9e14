"""The replies to the important commands of an SMTP or LMTP session."""

from __future__ import annotations

import logging
from typing import Protocol

from aiosmtpd.smtp import SMTP, Envelope, Session

log = logging.getLogger(__name__)

MAX_RECIPIENTS = 10
"""Recipients of an email: it is stored for each, and people write to one."""

_MALFORMED = "553 5.1.3 This address is not well formed"
_TOO_MANY = "452 4.5.3 Too many recipients; please send the rest in another email"
_OUR_FAULT = "451 4.3.0 Something went wrong here; please try again later"


class Handler(Protocol):
    """The parts of a listener that decide on replies: to a recipient, and to a complete email."""

    async def recipient(self, address: str) -> str: ...

    async def mail(self, peer: str, envelope: Envelope) -> str: ...


class Replies:
    """The replies to SMTP commands; aiosmtpd calls these methods by name."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, replies: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [*replies[:-1], "250-PIPELINING", replies[-1]]

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not _is_text(address):
            return _MALFORMED
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return _TOO_MANY
        if not _is_text(address):
            return _MALFORMED
        reply = await self._handler.recipient(address)
        if reply.startswith("250"):
            envelope.rcpt_tos.append(address)
        return reply

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        return await self._handler.mail(str(session.peer[0]) if session.peer else "", envelope)

    async def handle_exception(self, error: Exception) -> str:
        """Return 451 after an error: aiosmtpd's default is 500, which would return a player's move for good."""
        log.error("a mail session failed", exc_info=error)
        return _OUR_FAULT


def _is_text(address: str) -> bool:
    """Return whether the bytes of the address were UTF-8; others cannot be stored as text."""
    return not any("\ud800" <= sign <= "\udfff" for sign in address)
