"""A socket by which `nabu mail pipe` hands its email to a running mail process.

It exists because starting all of Nabu takes long. It is an abstract Unix socket: its name is no file, so it
ends with its process. Only Linux has them. Other users can see the name (/proc/net/unix), so both sides check
that the other one belongs to the same user.
"""

from __future__ import annotations

import json
import logging
import os
import select
import socket
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from io import BytesIO

from mail.incoming.piping import Exit, Told, take
from mail.incoming.receiving import MAX_SIZE
from mail.incoming.watching import Store

log = logging.getLogger(__name__)

_PATIENCE = 60.0
"""Seconds to wait for the exit code: the mail process may itself have to wait for other writers."""
_TRANSFER = 5.0
"""Seconds to wait for the other side to send its next bytes; it has the whole email already."""
_AGAIN = 10.0
"""Seconds after which a mail process tries again to use a name that another one has."""
_LONGEST_HEAD = 1_000_000
_OWNER = struct.Struct("3i")  # the process, its user and its group


def hand_over(name: str, by: Told, content: bytes) -> Exit | None:
    """Return the exit code of the mail process that has this name, after it has stored the email.

    None if no mail process answers; then the email may be stored, but only if the answer got lost or storing
    took too long.
    """
    head = json.dumps({**asdict(by), "size": len(content)}).encode()
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_PATIENCE)
            connection.connect(_address(name))
            if not _is_same_user(connection):
                return None
            connection.sendall(head + b"\n" + content)
            return Exit(connection.recv(1)[0])
    except (OSError, IndexError, ValueError):
        return None


class Handover:
    """Takes the emails that `hand_over` brings to a name, one after the other, in its own thread.

    `accepts` and `store` are as for `take`. If another mail process has the name, this one waits for its end.
    """

    def __init__(self, name: str, *, accepts: Callable[[str], str | None], store: Store) -> None:
        self._name, self._accepts, self._store = name, accepts, store
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mail-pipe", daemon=True)

    def start(self) -> None:
        """Start to take emails."""
        self._socket = socket.socket(socket.AF_UNIX)
        self._thread.start()

    def stop(self) -> None:
        """Stop after storing the current email."""
        self._stopping.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread
        self._thread.join()
        self._socket.close()

    def _run(self) -> None:
        if sys.platform != "linux":
            return
        self._wait_for_name()
        while not self._stopping.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                self._stopping.wait(_AGAIN)  # set, or there are too many open files
                continue
            with connection:
                self._answer(connection)

    def _wait_for_name(self) -> None:
        is_reported = False
        while not self._stopping.is_set() and not self._listens():
            if not is_reported:
                log.warning(
                    "another process has the socket for `nabu mail pipe`; until it ends, this one gets no "
                    "emails from pipes"
                )
            is_reported = True
            self._stopping.wait(_AGAIN)

    def _listens(self) -> bool:
        try:
            self._socket.bind(_address(self._name))
            self._socket.listen()
        except OSError:
            return False
        return True

    def _answer(self, connection: socket.socket) -> None:
        """Answer an email with the exit code. Without an answer, the other process stores the email."""
        try:
            connection.settimeout(_TRANSFER)
            if _is_same_user(connection):
                by, content = _read(connection)
                if _has_hung_up(connection):
                    raise TimeoutError("the pipe gave up, and stores its email itself")
                code = take(BytesIO(content), by, accepts=self._accepts, store=self._store)
                connection.sendall(bytes([code]))
        except Exception as error:  # the thread must go on
            log.warning("did not take an email from a pipe: %s", type(error).__name__)


def _read(connection: socket.socket) -> tuple[Told, bytes]:
    """Return the envelope and the email. Raises ValueError if they are incomplete or too large."""
    with connection.makefile("rb") as sent:
        head = json.loads(sent.readline(_LONGEST_HEAD))
        size = head["size"]
        content = sent.read(min(size, MAX_SIZE + 1))
    if len(content) != size:
        raise ValueError("an incomplete email")
    return Told(tuple(head["recipients"]), head["certain"], head["sender"]), content


def _has_hung_up(connection: socket.socket) -> bool:
    """Return whether the other side has closed the connection; one that only stops sending has not."""
    poll = select.poll()
    poll.register(connection, 0)  # the system reports hangups without being asked
    return any(event & select.POLLHUP for _, event in poll.poll(0))


def _address(name: str) -> str:
    return f"\0nabu-{name}"


def _is_same_user(connection: socket.socket) -> bool:
    """Return whether the other side is a process of the user of this one."""
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _OWNER.size)
    return bool(_OWNER.unpack(found)[1] == os.geteuid())
