"""A relay that misbehaves in a chosen way and then works again, on a real socket."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from tests.support.machine.ports import free_port

WELL: dict[str, str | None] = {}
CLOSE = "close"
"""In place of a reply: the relay closes the connection."""

FAULTS: dict[str, dict[str, str | None]] = {
    "421 as the greeting": {"greeting": "421 4.3.2 Shutting down"},
    "450 at RCPT": {"RCPT": "450 4.7.1 Try again later"},
    "451 at DATA": {"DATA": "451 4.3.0 Queue file write error"},
    "550 at MAIL": {"MAIL": "550 Sender rejected"},
    "550 at RCPT, without a status": {"RCPT": "550 relay not permitted"},
    "550 at RCPT, user unknown": {"RCPT": "550 5.1.1 <{path}>: User unknown in local recipient table"},
    "550 5.7.1 at RCPT": {"RCPT": "550 5.7.1 <{path}>: Relay access denied"},
    "554 after DATA": {"END": "554 Transaction failed, id {count}A7F"},
    "554 5.1.1 after DATA": {"END": "554 5.1.1 User unknown"},
    "it is silent": {"greeting": None},
    "it closes after DATA": {"END": CLOSE},
    "its encryption fails": {"STARTTLS": CLOSE},
    "535 to the password": {"AUTH": "535 5.7.8 Authentication failed"},
}
"""Wrong replies to a command, or to RCPT for a name; None for silence."""
_REPLIES = {"STARTTLS": "502 Not here", "AUTH": "235 Welcome", "DATA": "354 Go on", "QUIT": "221 Bye"}


class BadRelay:
    """A mail server on this machine with the fault `fault`; `taken` are the recipients of accepted emails."""

    def __init__(self) -> None:
        self.port = free_port()
        self.fault = WELL
        self.taken: list[str] = []
        self.count = 0
        """The number of replies so far."""
        self._server: _Server | None = None

    def url(self, fault: dict[str, str | None] = WELL) -> str:
        """Return the address of the relay, in the form needed to reach this fault."""
        if "STARTTLS" in fault:
            return f"smtp+starttls://127.0.0.1:{self.port}"
        return (
            f"smtp://nabu:secret@127.0.0.1:{self.port}" if "AUTH" in fault else f"smtp://127.0.0.1:{self.port}"
        )

    def open(self) -> None:
        """Start to listen."""
        self._server = _Server(("127.0.0.1", self.port), _Conversation)
        self._server.relay = self
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        """Stop."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    relay: BadRelay


class _Conversation(socketserver.StreamRequestHandler):
    timeout = 60

    def handle(self) -> None:
        """Serve one client."""
        self._relay = cast(_Server, self.server).relay
        self._path = ""
        try:
            if not self._say("greeting", "220 here"):
                return
            for line in self.rfile:
                if not self._answer(line.decode().strip()):
                    return
        except OSError:
            return

    def _answer(self, line: str) -> bool:
        word = line.partition(" ")[0].upper()
        if word == "EHLO":
            self.wfile.write(b"250-here\r\n250-STARTTLS\r\n250 AUTH PLAIN\r\n")
            return True
        if word == "RCPT":
            self._path = line.partition("<")[2].partition(">")[0]
        if not self._say(word, _REPLIES.get(word, "250 OK")):
            return False
        if word == "DATA" and "DATA" not in self._relay.fault:
            return self._take()
        return word != "QUIT"

    def _take(self) -> bool:
        for line in self.rfile:
            if line == b".\r\n":
                break
        if "END" not in self._relay.fault:
            self._relay.taken.append(self._path)
        return self._say("END", "250 OK")

    def _say(self, word: str, usual: str) -> bool:
        """Reply according to the fault, or as usual; return False if the connection ends."""
        self._relay.count += 1
        name = self._path.partition("@")[0] if word == "RCPT" else ""
        reply = self._relay.fault.get(name) or self._relay.fault.get(word, usual)
        if reply is None:
            self.rfile.readline()
        if reply is None or reply == CLOSE:
            self.connection.shutdown(socket.SHUT_RDWR)
            return False
        told = reply.format(path=self._path, count=self._relay.count)
        self.wfile.write(f"{told}\r\n".encode())
        return not told.startswith("421")


@contextmanager
def bad_relay() -> Iterator[BadRelay]:
    """Yield a running relay without a fault."""
    relay = BadRelay()
    relay.open()
    try:
        yield relay
    finally:
        relay.close()
