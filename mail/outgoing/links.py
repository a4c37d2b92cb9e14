"""Links that open a new email (RFC 6068)."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote


def mailto(address: str, subject: str = "", body: str = "") -> str:
    """Return a link that opens a new email to `address`, with subject and body filled in.

    Everything is percent-encoded, even `+`, which some programs would read as a space; line ends are CRLF. For
    example: `mailto:play%2Ba1@example.org?subject=Nibble%2087&body=a1%20c3`.
    """
    return mailtos(address, subject, [body])[body]


def mailtos(address: str, subject: str, bodies: Iterable[str]) -> dict[str, str]:
    """Return links like those of `mailto` for several bodies, by body; the common parts are encoded once."""
    shared = f"mailto:{quote(address, safe='@')}?"
    if subject:
        shared += f"subject={quote(subject, safe='')}&"
    return {body: f"{shared}{_field(body)}".rstrip("?&") for body in bodies}


def _field(body: str) -> str:
    text = "\r\n".join(body.splitlines())
    return f"body={quote(text, safe='')}" if text else ""
