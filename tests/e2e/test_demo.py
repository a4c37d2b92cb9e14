"""The demo for a newcomer: a process, its URLs, and an email answered through the postbox page."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from html import unescape
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests.support.machine.ports import free_row
from tests.support.machine.waiting import await_that

PATIENCE = 120.0
COMMAND = [sys.executable, "-u", "-m", "server", "demo"]
PLAYED = "played h8"
"""Part of the report of the move that is played."""
SETTINGS = {
    "NABU_CHECK_SENDERS": "true",
    "NABU_DKIM_KEY": "/nowhere/key.pem",
    "NABU_ADMINISTRATOR": "true.me@example.org",
    "NABU_MAILDIR": "/nowhere/maildir",
}
"""Settings of a real server on the same machine, which must not affect the demo."""


@contextmanager
def demo(folder: Path, *options: str) -> Iterator[str]:
    """Run the demo on separate ports; yield the URL of its postbox page, and end it with Ctrl-C."""
    port = str(free_row(4))
    command = [*COMMAND, "--folder", str(folder), "--port", port, *options]
    environment = {**os.environ, **SETTINGS}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        said = ""
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        again = f"demo --folder {folder} --port {port} --reset"
        assert process.stdout.readline().endswith(f" {again}\n"), "only the data of this demo is deleted"
        addresses = re.findall(r"http://\S+", said)
        assert len(addresses) == 2
        try:
            yield addresses[0]
        finally:
            process.send_signal(signal.SIGINT)
            ended = process.wait(PATIENCE)
        assert ended == 0


def page(address: str, **form: str) -> str:
    """Return the text of a page; with fields, of the response to its form."""
    data = urlencode(form).encode() if form else None
    with urlopen(address, data, timeout=PATIENCE) as answer:  # noqa: S310 - a URL on this machine
        return unescape(answer.read().decode())


def mails(postbox: str, person: str) -> list[str]:
    """Return the URLs of the emails to a person, the newest first."""
    return [postbox + path for path in re.findall(r'href="(/mail/[^"]+)"', page(f"{postbox}/?to={person}"))]


def names(postbox: str) -> set[str]:
    """Return the names of the emails to Ben in their URLs."""
    return {mail.rpartition("/")[2] for mail in mails(postbox, "ben@example.org")}


def about_city(postbox: str, words: str) -> list[str]:
    """Return the URLs of the emails with news about the second game, to any person."""
    everything = {mail: page(mail) for name in ("ann", "ben") for mail in mails(postbox, f"{name}@example.org")}
    return [mail for mail, said in everything.items() if "Nebuchadnezzar 2" in said and words in said]


@pytest.mark.long
def test_demo_answers_an_email_with_a_report(tmp_path: Path) -> None:
    with demo(tmp_path) as postbox:
        # The seats are drawn at random, and so is the time at which the computer's first move is emailed.
        await_that(lambda: len(about_city(postbox, "Turn 6. You are")) == 1)
        (mail,) = about_city(postbox, "Turn 6. You are")
        assert "a  b  c  d  e  f  g  h" in page(mail)
        page(mail, text="h8")
        await_that(lambda: len(about_city(postbox, PLAYED)) == 1)
        kept = names(postbox)
    with demo(tmp_path) as postbox:
        assert kept <= names(postbox)
        for _ in range(150):
            page(f"{postbox}/write")
        page(f"{postbox}/write", sender="ben@example.org", text="games")
        await_that(lambda: "Your games" in page(f"{postbox}/?to=ben@example.org"))
        second = subprocess.run(
            [*COMMAND, "--folder", str(tmp_path), "--reset"], capture_output=True, text=True
        )
        assert second.returncode == 1
        assert f"Another demo is running in {tmp_path}" in second.stderr
    (tmp_path / "mine").touch()
    with demo(tmp_path, "--reset") as postbox:
        await_that(lambda: len(about_city(postbox, "Turn 6. You are")) == 1)
        assert not about_city(postbox, PLAYED)
        assert not kept & names(postbox)
    assert (tmp_path / "mine").exists(), "nothing else was deleted"
    with closing(sqlite3.connect(tmp_path / "nabu.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '0060'")
    with demo(tmp_path) as postbox:
        await_that(lambda: len(about_city(postbox, "Turn 6. You are")) == 1)
