"""Where a mail server is: `scheme://user:password@host:port/path`, for the relay and for mailboxes alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Server:
    """A server, and who we are there; `user` and `password` are "" if the address names none.

    `scheme` says how it is spoken to, and `path` is as it was written.
    """

    scheme: str
    host: str
    port: int
    user: str
    password: str
    path: str

    @property
    def is_here(self) -> bool:
        """Whether it is on this machine, so that what we say to it goes over no wire."""
        return self.host in _LOOPBACK


def read_server(url: str, ports: Mapping[str, int], wrong: str) -> Server:
    """The parts of an address; `ports` has the usual port of each scheme that is allowed.

    Raises ValueError, saying what is `wrong`; it never shows the url, since that may hold a password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError(wrong) from None
    if parts.scheme not in ports or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(wrong)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Server(parts.scheme, parts.hostname, port or ports[parts.scheme], user, password, parts.path)
