"""One connection to a mail server by IMAP: logged in, with the few commands that fetching mail takes."""

from __future__ import annotations

import imaplib
import re
import select
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from imap_tools import BaseMailBox, ImapToolsError, MailBox, MailBoxStartTls, MailBoxUnencrypted

_PORTS = {"imap": 143, "imap+starttls": 143, "imaps": 993}
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_SHAPE = "imaps://user:password@host:port/FOLDER,FOLDER or imap+starttls://… instead"
_GLANCE = 200  # milliseconds between looks whether to stop
_LONGEST_IDLE = 25 * 60.0  # seconds; servers hang up after half an hour
_PERSONAL = re.compile(r'\(\("([^"]*)"')


class MailboxFailed(Exception):
    """The server was not there, or did not do what was asked of it; trying again may help."""


@dataclass(frozen=True)
class Place:
    """Folders of an account on a server."""

    scheme: str
    host: str
    port: int
    user: str
    password: str
    folders: tuple[str, ...]


def read_place(url: str) -> Place:
    """The parts of `imaps://user:password@host:port/FOLDER,FOLDER`, or `imap+starttls://…`.

    Without a folder it is INBOX; folders are named as the server names them. `imap://…`, without encryption,
    goes to this machine only. Raises ValueError, which never shows the url, since it holds a password.
    """
    wrong = ValueError(f"a mailbox has the shape {_SHAPE}, with %XX for signs such as @ and / in a password")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme not in _PORTS or not parts.hostname or not parts.username or parts.password is None:
        raise wrong
    if parts.query or parts.fragment:
        raise wrong
    if parts.scheme == "imap" and parts.hostname not in _LOOPBACK:
        raise ValueError(f"a password goes to another machine only encrypted: write {_SHAPE}")
    folders = [unquote(name).strip() for name in parts.path.strip("/").split(",")]
    return Place(
        parts.scheme,
        parts.hostname,
        port or _PORTS[parts.scheme],
        unquote(parts.username),
        unquote(parts.password),
        tuple(filter(None, folders)) or ("INBOX",),
    )


class Session:
    """A connection; every method raises MailboxFailed, after which the session is of no more use.

    `timeout` is in seconds, for each answer of the server; `tls` replaces what this machine trusts.
    """

    def __init__(self, place: Place, timeout: float, tls: ssl.SSLContext | None) -> None:
        with _failing():
            self._box = _connected(place, timeout, tls or ssl.create_default_context())
            self._client = self._box.client
            # The library asks before the login, when servers do not tell everything.
            self._client.capabilities = tuple(self._client.capability()[1][-1].decode().upper().split())
            self._prefix, self._delimiter = self._naming()
        self._made: set[str] = set()

    def open(self, folder: str) -> int:
        """Make the folder the one that the other methods are about; its UIDVALIDITY."""
        with _failing():
            self._box.folder.set(folder)
            self._told()
            return int(self._client.response("UIDVALIDITY")[1][-1] or 0)

    def uids(self) -> list[int]:
        """All mails in the folder, the oldest first."""
        with _failing():
            return sorted(map(int, self._box.uids("UNDELETED", charset=None)))

    def fetch(self, uid: int, most: int) -> bytes | None:
        """The first `most` bytes of a mail, which stays unread; None when it has gone."""
        with _failing():
            status, data = self._client.uid("FETCH", str(uid), f"(BODY.PEEK[]<0.{most}>)")
            if status != "OK":
                raise MailboxFailed(f"mail {uid}: {data!r}")
        return next((part[1] for part in data if isinstance(part, tuple)), None)

    def move(self, uids: Sequence[int], folder: str) -> None:
        """Move mails into a folder, which is made when it is missing; "/" parts the names of folders.

        Other mails are left alone: a server that cannot remove single ones keeps these, marked as deleted.
        """
        name = self._prefix + folder.replace("/", self._delimiter)
        listed = [str(uid) for uid in uids]
        with _failing():
            self._make(name)
            if "MOVE" in self._client.capabilities:
                self._box.move(listed, name)
                return
            self._box.copy(listed, name)
            self._ask("STORE", ",".join(listed), "+FLAGS.SILENT", r"(\Deleted)")
            if "UIDPLUS" in self._client.capabilities:
                self._ask("EXPUNGE", ",".join(listed))

    def wait(self, stopping: threading.Event, seconds: float) -> None:
        """Return when something happens in the folder, when `stopping` is set, or after some time."""
        if "IDLE" not in self._client.capabilities:
            stopping.wait(seconds)
            return
        deadline = time.monotonic() + min(seconds, _LONGEST_IDLE)
        poller = select.poll()
        poller.register(self._client.sock, select.POLLIN)
        with _failing():
            # What a server tells together with its consent to idle ends up in a buffer of the library, where no
            # poll sees it; so it is asked before what there is to tell.
            self._client.noop()
            if self._told():
                return
            self._box.idle.start()  # type: ignore[no-untyped-call]
            while not stopping.is_set() and time.monotonic() < deadline and not poller.poll(_GLANCE):
                pass
            self._box.idle.stop()  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Take leave of the server."""
        with suppress(OSError, imaplib.IMAP4.error, ImapToolsError):
            self._box.logout()

    def abort(self) -> None:
        """Make what another thread is asking fail at once."""
        with suppress(OSError):
            self._client.sock.shutdown(socket.SHUT_RDWR)

    def _told(self) -> bool:
        """Whether the server told, since this was asked last, how many mails there are."""
        return self._client.response("EXISTS")[1][-1] is not None

    def _naming(self) -> tuple[str, str]:
        """What the names of our folders begin with, and what parts them."""
        [root] = self._box.folder.list("", "")
        delimiter = root.delim if root.delim != "NIL" else "-"
        if "NAMESPACE" not in self._client.capabilities:
            return "", delimiter
        personal = _PERSONAL.match(self._client.namespace()[1][-1].decode())
        return personal[1] if personal else "", delimiter

    def _make(self, name: str) -> None:
        if name not in self._made and not self._box.folder.exists(name):
            self._box.folder.create(name)
        self._made.add(name)

    def _ask(self, *command: str) -> None:
        status, data = self._client.uid(*command)
        if status != "OK":
            raise MailboxFailed(f"{command[0]}: {data!r}")


@contextmanager
def _failing() -> Iterator[None]:
    try:
        yield
    except (OSError, imaplib.IMAP4.error, ImapToolsError, ValueError, LookupError) as error:
        # The last two are what the libraries raise for answers that they do not understand.
        raise MailboxFailed(str(error) or type(error).__name__) from error


def _connected(place: Place, timeout: float, tls: ssl.SSLContext) -> BaseMailBox:
    box: BaseMailBox
    match place.scheme:
        case "imaps":
            box = MailBox(place.host, place.port, timeout, ssl_context=tls)
        case "imap+starttls":
            box = MailBoxStartTls(place.host, place.port, timeout, ssl_context=tls)
        case _:
            box = MailBoxUnencrypted(place.host, place.port, timeout)
    try:
        plain = (place.user + place.password).isascii()
        (box.login if plain else box.login_utf8)(place.user, place.password, initial_folder=None)
    except BaseException:
        box.client.shutdown()
        raise
    return box
