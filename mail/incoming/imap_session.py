"""One connection to a mail server by IMAP: logged in, with the few commands that fetching mail takes."""

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
_SHAPE = "imaps://user:password@host:port/FOLDER,FOLDER or imap+starttls://… instead"
_WRONG = f"a mailbox has the shape {_SHAPE}, with %XX for characters such as @ and / in a password"
_GLANCE = 200  # milliseconds between looks whether to stop
_LONGEST_IDLE = 25 * 60.0  # seconds; servers hang up after half an hour


class MailboxFailed(Exception):
    """The server was not there, or did not do what was asked of it; trying again may help."""


@dataclass(frozen=True)
class Account:
    """An account on a server, and the folders of it that count."""

    server: Server
    folders: tuple[str, ...]


def read_account(url: str) -> Account:
    """The parts of `imaps://user:password@host:port/FOLDER,FOLDER`, or `imap+starttls://…`.

    Without a folder it is INBOX; folders are named as the server names them. `imap://…`, without encryption,
    goes to this machine only. Raises ValueError, which never shows the url, since it holds a password.
    """
    server = read_server(url, _PORTS, _WRONG)
    if not server.user or not server.password:
        raise ValueError(_WRONG)
    if server.scheme == "imap" and not server.is_here:
        raise ValueError(f"a password is only sent to another machine encrypted: write {_SHAPE}")
    folders = [unquote(name).strip() for name in server.path.strip("/").split(",")]
    return Account(server, tuple(filter(None, folders)) or ("INBOX",))


class Session:
    """A connection; every method raises MailboxFailed, after which the session is of no more use.

    `timeout` is in seconds, for each answer of the server; `tls` replaces what this machine trusts.
    """

    def __init__(self, server: Server, timeout: float, tls: ssl.SSLContext | None) -> None:
        with _failing():
            self._client = _connected(server, timeout, tls or ssl.create_default_context())
            self._prefix, self._delimiter = self._naming()
        self._timeout = timeout
        self._made: set[str] = set()
        self._newest = 0

    def open(self, folder: str) -> int:
        """Make the folder the one that the other methods are about; its UIDVALIDITY."""
        with _failing():
            return int(self._client.select_folder(folder).get(b"UIDVALIDITY", 0))

    def uids(self) -> list[int]:
        """All mails in the folder, the oldest first."""
        with _failing():
            uids = sorted(self._client.search(["UNDELETED"]))
        self._newest = max(uids, default=0)
        return uids

    def fetch(self, uid: int, most: int) -> bytes | None:
        """The first `most` bytes of a mail, which stays unread; None when it has gone."""
        with _failing():
            fetched = self._client.fetch([uid], [f"BODY.PEEK[]<0.{most}>"])
            parts = fetched.get(uid, {}).items()
            return next((part for name, part in parts if name.startswith(b"BODY[")), None)

    def move(self, uids: Sequence[int], folder: str) -> None:
        """Move mails into a folder, which is made when it is missing; "/" parts the names of folders.

        Other mails are left alone: a server that cannot remove single ones keeps these, marked as deleted.
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
        """Return when something happens in the folder, or after some time; False when `stopping` is set."""
        with _failing():
            if not self._client.has_capability("IDLE"):
                stopping.wait(seconds)
            elif not self._has_more():
                self._idle(stopping, time.monotonic() + min(seconds, _LONGEST_IDLE))
        return not stopping.is_set()

    def close(self) -> None:
        """Take leave of the server."""
        with suppress(OSError, IMAPClientError):
            self._client.logout()

    def abort(self) -> None:
        """Make what another thread is asking fail at once."""
        with suppress(OSError):
            self._client.socket().shutdown(socket.SHUT_RDWR)

    def _has_more(self) -> bool:
        """Whether mail came since `uids` was asked: a server says so only once, in any of its answers."""
        known = self._newest
        self._client.noop()
        return max(self.uids(), default=0) > known

    def _idle(self, stopping: threading.Event, deadline: float) -> None:
        # The library's own `idle_check` takes a connection that has broken for one on which nothing happens.
        poller = select.poll()
        poller.register(self._client.socket(), select.POLLIN)
        self._client.idle()
        if not self._has_answered():
            while not stopping.is_set() and time.monotonic() < deadline and not poller.poll(_GLANCE):
                pass
        self._client.idle_done()

    def _has_answered(self) -> bool:
        """Whether more was read than the last answer: a poll of the socket does not see what waits in here.

        A server tells of mail that came before IDLE in one breath with its consent to it.
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
        """What the names of our folders begin with, and what separates their parts."""
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
        # The last two are what the library raises for answers that it does not understand.
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
