"""Links that begin a mail (RFC 6068)."""

from __future__ import annotations

from urllib.parse import quote


def mailto(address: str, subject: str = "", body: str = "") -> str:
    """A link that begins a mail to `address`, with subject and body filled in.

    All is percent-encoded, a `+` too, since some programs take a bare one for a blank; line ends are CRLF.
    """
    given = {"subject": subject, "body": "\r\n".join(body.splitlines())}
    fields = "&".join(f"{name}={quote(text, safe='')}" for name, text in given.items() if text)
    return f"mailto:{quote(address, safe='@')}?{fields}".rstrip("?")
