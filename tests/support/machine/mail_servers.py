"""Postfix and Dovecot for the tests, configured in a temporary folder, on loopback and free ports."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.machine.ports import free_ports
from tests.support.machine.waiting import PATIENCE, await_port, await_that
from tests.support.missing_programs import fail_or_skip

MISSING = (
    "Postfix and Dovecot are not installed, or we are not root, as which they start: these tests run both from "
    "their programs. On Debian or Ubuntu: make test-system (or sudo apt-get install postfix dovecot-imapd "
    "dovecot-lmtpd)."
)
PASSWORD = "correct-horse"

_PROGRAMS = ("/usr/sbin/postfix", "/usr/sbin/dovecot", "/usr/lib/dovecot/imap", "/usr/lib/dovecot/lmtp")
_MAILBOXES = "nobody"  # the user whom the mailboxes belong to

_POSTFIX = """\
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.games.example
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
disable_dns_lookups = yes
smtp_host_lookup = native
lmtp_host_lookup = native
alias_maps =
local_recipient_maps =
relay_domains = games.example, box.example, games.example.org
relay_recipient_maps =
recipient_delimiter = +
transport_maps = inline:{{
    games.example=lmtp:inet:127.0.0.1:{listener}, box.example=lmtp:inet:127.0.0.1:{lmtp},
    games.example.org=piped: }}
default_transport = smtp:[127.0.0.1]:{sink}
minimal_backoff_time = 300s
bounce_queue_lifetime = 1h
"""
_POSTFIX_SERVICES = """\
127.0.0.1:{smtp} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
127.0.0.1:{submission} inet n - n - - smtpd
  -o smtpd_sasl_auth_enable=yes -o smtpd_sasl_type=dovecot -o smtpd_sasl_path=inet:127.0.0.1:{auth}
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
  -o smtpd_sender_restrictions=reject_sender_login_mismatch -o smtpd_sender_login_maps=regexp:{folder}/owners
postlog unix-dgram n - n - 1 postlogd
piped unix - n n - 1 pipe user=nobody null_sender= argv={folder}/piped ${{sender}} ${{recipient}}
"""
# To whom addresses belong, as providers see it: some count those with a tag as another's.
_OWNERS = r"""
/^strict.*\+.*@box\.example$/ nobody
/^([^@+]+)(\+.*)?@box\.example$/ ${1}
"""
# Postfix starts it as a user who may not be able to read the program that is tested.
_GO_BETWEEN = """\
#!/bin/sh
{ printf '%s\\n%s\\n' "$1" "$2"; cat; } > "$0.mail"
read -r code < "$0.code"
exit "$code"
"""
_DOVECOT = """\
protocols = imap lmtp
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
mail_location = maildir:~/mail
recipient_delimiter = +
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={owner} gid={group} home={folder}/homes/%n allow_all_users=yes
}}
first_valid_uid = 1
first_valid_gid = 1
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service auth {{
  inet_listener {{
    port = {auth}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
{more}
"""


@dataclass(frozen=True)
class Ports:
    """Where the servers listen, and where they look for ours: `listener` (LMTP) and `sink` (SMTP).

    `submission` is for those who have a mailbox, whom Dovecot knows (`auth`).
    """

    smtp: int
    imap: int
    lmtp: int
    listener: int
    sink: int
    submission: int
    auth: int


class Postfix:
    """A running Postfix.

    Mail to games.example goes to our listener, to box.example into a mailbox, to games.example.org into a pipe.
    """

    def __init__(self, folder: Path, ports: Ports) -> None:
        self.ports = ports
        self._folder = folder

    @contextmanager
    def piping(self, take: Callable[[str, str, bytes], int]) -> Iterator[None]:
        """Mail to games.example.org goes to `take(sender, recipient, mail)`, which returns the exit code."""
        program, mails, codes = (self._folder / name for name in ("piped", "piped.mail", "piped.code"))
        program.write_text(_GO_BETWEEN)
        program.chmod(0o755)
        for fifo in (mails, codes):
            os.mkfifo(fifo)
            fifo.chmod(0o666)

        def work() -> None:
            while brought := mails.read_bytes():
                sender, recipient, mail = brought.split(b"\n", 2)
                codes.write_text(f"{take(sender.decode(), recipient.decode(), mail)}\n")

        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield
        finally:
            mails.write_bytes(b"")
            thread.join()
            for path in (program, mails, codes):
                path.unlink()

    def flush(self) -> None:
        """Retry deferred emails now; emails in delivery stay as they are."""
        self._run("postqueue", "-f")

    def forget(self) -> None:
        """Delete all emails in the queue."""
        self._run("postsuper", "-d", "ALL")

    def queued(self) -> int:
        """Return the number of mails in its queue, active or deferred."""
        return len(self._queue())

    def deferred(self) -> list[str]:
        """Return the reasons why emails wait for a retry: one for each of their recipients.

        The log mentions it before Postfix has stored the email; an email flushed in between is not retried.
        """
        waiting = [mail for mail in self._queue() if mail["queue_name"] == "deferred"]
        return [recipient["delay_reason"] for mail in waiting for recipient in mail["recipients"]]

    def log(self) -> str:
        return (self._folder / "log").read_text()

    def _queue(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._run("postqueue", "-j").splitlines()]

    def _run(self, *command: str) -> str:
        done = subprocess.run([*command, "-c", str(self._folder)], capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        return done.stdout


class Dovecot:
    """A Dovecot in which any user can log in with PASSWORD and has a mailbox at box.example."""

    def __init__(self, folder: Path, ports: Ports) -> None:
        self.ports = ports
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._more: str | None = None

    def mailbox(self, user: str) -> Path:
        """The maildir of a user's INBOX."""
        return self._folder / "homes" / user / "mail"

    def restart(self, more: str = "") -> None:
        """Make it run with these further settings, and with no others; nothing happens when it does."""
        if self._process is None or self._more != more:
            self.stop()
            self._start(more)

    def _start(self, more: str) -> None:
        self._more = more
        settings = {
            "folder": self._folder, "owner": _MAILBOXES, "group": "nogroup", "password": PASSWORD, "more": more,
            "imap": self.ports.imap, "lmtp": self.ports.lmtp, "auth": self.ports.auth,
        }  # fmt: skip
        configuration = self._folder / "dovecot.conf"
        configuration.write_text(_DOVECOT.format(**settings))
        self._process = subprocess.Popen(["/usr/sbin/dovecot", "-F", "-c", str(configuration)])
        await_port(self.ports.imap)
        await_port(self.ports.lmtp)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE)
            self._process = None


@contextmanager
def running_mailservers() -> Iterator[tuple[Postfix, Dovecot]]:
    """Both of them; they are stopped and their folder removed at the end."""
    _need_programs()
    ports = Ports(*free_ports(7))
    # The sockets' paths must be short, so the folder is not pytest's.
    folder = Path(tempfile.mkdtemp(prefix="nabu-mx-"))
    folder.chmod(0o755)
    try:
        with (
            _running_dovecot(folder / "dovecot", ports) as dovecot,
            _running_postfix(folder / "postfix", ports) as postfix,
        ):
            yield postfix, dovecot
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def mailservers() -> Iterator[tuple[Postfix, Dovecot]]:
    """A Postfix and a Dovecot, for all tests; each test takes mailboxes and recipients of its own."""
    with running_mailservers() as servers:
        yield servers


@pytest.fixture
def postfix(mailservers: tuple[Postfix, Dovecot]) -> Postfix:
    """A Postfix whose queue is empty, even if an earlier test left emails there."""
    postfix = mailservers[0]
    postfix.forget()
    await_that(lambda: not postfix.queued())
    return postfix


@pytest.fixture
def dovecot(mailservers: tuple[Postfix, Dovecot]) -> Dovecot:
    """Runs with whatever settings the last test gave it."""
    return mailservers[1]


@contextmanager
def _running_dovecot(folder: Path, ports: Ports) -> Iterator[Dovecot]:
    (folder / "homes").mkdir(parents=True)
    shutil.chown(folder / "homes", _MAILBOXES)
    dovecot = Dovecot(folder, ports)
    dovecot.restart()
    try:
        yield dovecot
    finally:
        dovecot.stop()


@contextmanager
def _running_postfix(folder: Path, ports: Ports) -> Iterator[Postfix]:
    for part in ("spool", "data"):
        (folder / part).mkdir(parents=True)
    (folder / "log").touch()
    for own in ("data", "log"):  # without a running postlogd, its programs write the log as this user
        shutil.chown(folder / own, "postfix")
    settings = {"folder": folder, **vars(ports)}
    (folder / "main.cf").write_text(_POSTFIX.format(**settings))
    (folder / "master.cf").write_text(_POSTFIX_SERVICES.format(**settings))
    (folder / "owners").write_text(_OWNERS)
    command = ["/usr/sbin/postfix", "-c", str(folder), "start-fg"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        await_port(ports.smtp)
        yield Postfix(folder, ports)
    finally:
        # The program started is a script; what runs on is its master, whose number stands in the spool.
        os.kill(int((folder / "spool/pid/master.pid").read_text()), signal.SIGTERM)
        process.wait(PATIENCE)


def _need_programs() -> None:
    if os.getuid() == 0 and all(Path(program).exists() for program in _PROGRAMS):
        return
    fail_or_skip(MISSING)
