"""An IMAP connection to a mail server: logged in, with the few commands needed to fetch emails."""

from __future__ import annotations

import select
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import unquote

from imapclient import DELETED, IMAPClient
from imapclient.exceptions import IMAPClientError

from mail.servers import Server, read_server

_PORTS = {"imap": 143, "imap+starttls": 143, "imaps": 993}
_WRONG = (
    "must be imaps://USER:PASSWORD@HOST:PORT/FOLDER,FOLDER or imap+starttls://…, with %XX for signs "
    "such as @ and / in a password"
)
_GLANCE = 200  # milliseconds between checks whether to stop
_LONGEST_IDLE = 25 * 60.0  # seconds; servers disconnect after half an hour


class MailboxFailed(Exception):
    """Raised if the server was not available or refused a request; it may be available later."""


@dataclass(frozen=True)
class Account:
    """An account on a server, and the folders of it that Nabu reads."""

    server: Server
    folders: tuple[str, ...]


def read_account(url: str) -> Account:
    """Parse `imaps://user:password@host:port/FOLDER,FOLDER`, or `imap+starttls://…`.

    The default folder is INBOX; folders are named as the server names them. `imap://…`, without encryption, is
    allowed only for this machine. Raises ValueError, which never shows the URL, since it contains a password.
    """
    server = read_server(url, _PORTS, _WRONG)
    if not server.user or not server.password:
        raise ValueError(_WRONG)
    if server.scheme == "imap" and not server.is_here:
        raise ValueError("must begin with imaps:// or imap+starttls://, as the password would not be encrypted")
    folders = [unquote(name).strip() for name in server.path.strip("/").split(",")]
    return Account(server, tuple(filter(None, folders)) or ("INBOX",))


class Session:
    """A connection; every method can raise MailboxFailed, after which the session is unusable.

    `timeout` is in seconds, for each answer of the server; `tls` replaces the default trust of this machine.
    """

    def __init__(self, server: Server, timeout: float, tls: ssl.SSLContext | None) -> None:
        with _failing():
            self._client = _connected(server, timeout, tls or ssl.create_default_context())
            self._prefix, self._delimiter = self._naming()
        self._timeout = timeout
        self._made: set[str] = set()
        self._newest = 0

    def open(self, folder: str) -> int:
        """Select the folder for the other methods, and return its UIDVALIDITY."""
        with _failing():
            return int(self._client.select_folder(folder).get(b"UIDVALIDITY", 0))

    def uids(self) -> list[int]:
        """Return the UIDs of all emails in the folder, the oldest first."""
        with _failing():
            uids = sorted(self._client.search(["UNDELETED"]))
        self._newest = max(uids, default=0)
        return uids

    def fetch(self, uid: int, most: int) -> bytes | None:
        """Return the first `most` bytes of an email, which remains unread; None if it is gone."""
        with _failing():
            fetched = self._client.fetch([uid], [f"BODY.PEEK[]<0.{most}>"])
            parts = fetched.get(uid, {}).items()
            return next((part for name, part in parts if name.startswith(b"BODY[")), None)

    def move(self, uids: Sequence[int], folder: str) -> None:
        """Move emails into a folder, and create it if needed; "/" separates the names of nested folders.

        Other emails are not affected: a server that cannot remove single emails keeps these, marked as deleted.
        """
        name = self._prefix + folder.replace("/", self._delimiter)
        with _failing():
            self._make(name)
            if self._client.has_capability("MOVE"):
                self._client.move(uids, name)
                return
            self._client.copy(uids, name)
            self._client.add_flags(uids, [DELETED], silent=True)
            if self._client.has_capability("UIDPLUS"):
                self._client.uid_expunge(uids)

    def wait(self, stopping: threading.Event, seconds: float) -> bool:
        """Wait for a change in the folder or some time; return False if `stopping` is set."""
        with _failing():
            if not self._client.has_capability("IDLE"):
                stopping.wait(seconds)
            elif not self._has_more():
                self._idle(stopping, time.monotonic() + min(seconds, _LONGEST_IDLE))
        return not stopping.is_set()

    def close(self) -> None:
        """Log out and close the connection, which may be lost."""
        with suppress(OSError, IMAPClientError):
            self._client.logout()
        with suppress(OSError):  # usually closed by now
            self._client.shutdown()

    def abort(self) -> None:
        """Make the current request of another thread fail immediately."""
        with suppress(OSError):
            self._client.socket().shutdown(socket.SHUT_RDWR)

    def _has_more(self) -> bool:
        """Return whether emails came since the last `uids`: a server reports them only once, in any answer."""
        known = self._newest
        self._client.noop()
        return max(self.uids(), default=0) > known

    def _idle(self, stopping: threading.Event, deadline: float) -> None:
        # The library's `idle_check` cannot distinguish a broken connection from an idle one.
        poller = select.poll()
        poller.register(self._client.socket(), select.POLLIN)
        self._client.idle()
        if not self._has_answered():
            while not stopping.is_set() and time.monotonic() < deadline and not poller.poll(_GLANCE):
                pass
        self._client.idle_done()

    def _has_answered(self) -> bool:
        """Return whether the library has read more than the last answer: a poll of the socket does not see
        that.

        A server reports emails that came before IDLE together with its consent to it.
        """
        connection = self._client.socket()
        connection.setblocking(False)
        try:
            return bool(self._client._imap.file.peek(1))
        except ssl.SSLWantReadError:
            return False
        finally:
            connection.settimeout(self._timeout)

    def _naming(self) -> tuple[str, str]:
        """Return the prefix of folder names, and the separator of their parts."""
        [(_, delimiter, _)] = self._client.list_folders("", "")
        personal = self._client.namespace().personal if self._client.has_capability("NAMESPACE") else None
        return personal[0][0] if personal else "", delimiter.decode() if delimiter else "-"

    def _make(self, name: str) -> None:
        if name not in self._made and not self._client.folder_exists(name):
            self._client.create_folder(name)
        self._made.add(name)


@contextmanager
def _failing() -> Iterator[None]:
    try:
        yield
    except (OSError, IMAPClientError, ValueError, LookupError) as error:
        # The library raises the last two for answers that it does not understand.
        raise MailboxFailed(str(error) or type(error).__name__) from error


def _connected(server: Server, timeout: float, tls: ssl.SSLContext) -> IMAPClient:
    encrypted = server.scheme == "imaps"
    client = IMAPClient(server.host, server.port, ssl=encrypted, ssl_context=tls, timeout=timeout)
    try:
        if server.scheme == "imap+starttls":
            client.starttls(tls)
        plain = (server.user + server.password).isascii()
        (client.login if plain else client.plain_login)(server.user, server.password)
    except BaseException:
        with suppress(OSError):  # it may be closed already
            client.shutdown()
        raise
    return client
