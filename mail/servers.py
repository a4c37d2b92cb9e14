"""The address of a mail server: `scheme://user:password@host:port/path`, for the relay and for mailboxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Server:
    """A server and the account on it; `user` and `password` are "" if the address contains none.

    `scheme` is the protocol, and `path` is as written.
    """

    scheme: str
    host: str
    port: int
    user: str
    password: str
    path: str

    @property
    def is_here(self) -> bool:
        """Return whether the server is on this machine, so that data to it crosses no network."""
        return self.host in _LOOPBACK


def read_server(url: str, ports: Mapping[str, int], wrong: str) -> Server:
    """Return the server that a URL names; `ports` has the usual port of each allowed scheme, such as 465 for
    smtps. For example, `smtps://nabu:secret@mail.example.org` names an account on a relay.

    Raises ValueError with the message `wrong`, which never shows the URL, since that may contain a password.
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
