"""The demo, as a newcomer meets it: a process, its addresses, a mail answered through the postbox page."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

PATIENCE = 30.0


@contextmanager
def demo(folder: Path) -> Iterator[str]:
    """The demo running on ports of its own; the address of its postbox page. It ends by Ctrl-C, cleanly."""
    command = [sys.executable, "-u", "-m", "server", "demo", "--folder", str(folder), "--port", "18440"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = ""
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        addresses = re.findall(r"http://\S+", said)
        assert len(addresses) == 2
        try:
            yield addresses[0]
        finally:
            process.send_signal(signal.SIGINT)
            ended = process.wait(30)
        assert ended == 0


def page(address: str, **form: str) -> str:
    """What a page says; with fields, what comes back when its form is sent."""
    data = urlencode(form).encode() if form else None
    with urlopen(address, data, timeout=PATIENCE) as answer:  # noqa: S310 - an address on this machine
        return unescape(answer.read().decode())


def mails(postbox: str, person: str) -> list[str]:
    """The addresses of the mails to a person, the newest first."""
    return [postbox + path for path in re.findall(r'href="(/mail/[^"]+)"', page(f"{postbox}/?to={person}"))]


def to_move(postbox: str) -> tuple[str, str] | None:
    """The mail that asks for the next move in the second game, and who waits for it; None before it came.

    Who has which seat is drawn by lot.
    """
    ann, ben = "ann@example.org", "ben@example.org"
    for asked, waiting in ((ann, ben), (ben, ann)):
        for mail in mails(postbox, asked):
            said = page(mail)
            if "Nebuchadnezzar 2" in said and "Turn 6 is yours" in said:
                return mail, waiting
    return None


def until(found: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_mail_is_answered_and_the_report_comes_back(tmp_path: Path) -> None:
    with demo(tmp_path) as postbox:
        until(lambda: len(mails(postbox, "ann@example.org")) >= 6)
        until(lambda: to_move(postbox) is not None)
        mail, other = to_move(postbox) or ("", "")
        before = len(mails(postbox, other))
        assert "a  b  c  d  e  f  g  h" in page(mail)
        page(mail, text="h8")
        until(lambda: len(mails(postbox, other)) > before)
        assert "h8" in page(mails(postbox, other)[0])
        kept = len(mails(postbox, "ben@example.org"))
    with demo(tmp_path) as postbox:
        assert len(mails(postbox, "ben@example.org")) == kept
        page(f"{postbox}/new", sender="ben@example.org", text="games")
        until(lambda: len(mails(postbox, "ben@example.org")) > kept)
        assert "Nebuchadnezzar 2" in page(mails(postbox, "ben@example.org")[0])
