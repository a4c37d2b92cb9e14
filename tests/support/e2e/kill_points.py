"""Death at a chosen moment: at any write, any commit and any step of a delivery."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

from sqlalchemy import event

from mail.incoming.imap_session import Session
from mail.incoming.maildir import Maildir
from mail.outgoing.delivering import Relay
from server.processes.mail_process import Mailroom
from server.processes.services import Services

_lock = threading.Lock()


def arm(services: Services, die_at: int) -> None:
    """Make this process kill itself at event number `die_at`, counted from the first incoming email."""
    passed = 0
    began = False

    def reach() -> None:
        nonlocal passed
        with _lock:
            passed += began
            if passed == die_at:
                os.kill(os.getpid(), signal.SIGKILL)

    @event.listens_for(services.engine, "before_cursor_execute")
    def _write(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        nonlocal began
        began = began or statement.startswith("INSERT INTO inbox")
        if statement.startswith(("INSERT", "UPDATE", "DELETE", "SAVEPOINT", "RELEASE")):
            reach()

    @event.listens_for(services.engine, "commit")
    def _commit(_connection: Any) -> None:
        reach()

    _around(Mailroom, "_store", reach)
    _around(Relay, "send", reach)
    _around(Session, "move", reach)
    _around(Maildir, "_put_away", reach)


def _around(owner: type, name: str, reach: Callable[[], None]) -> None:
    """Make the beginning and the end of a method points to die at."""
    original = getattr(owner, name)

    def method(self: object, *arguments: object) -> object:
        reach()
        result = original(self, *arguments)
        reach()
        return result

    setattr(owner, name, method)
