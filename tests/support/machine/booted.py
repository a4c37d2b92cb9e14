"""A machine to install Nabu on: this system under a layer that is discarded, booted with systemd.

It is connected by a wire on which the tests are the world: its name servers and other people's mail servers.
Everything installed here is installed there; changes made there are gone afterwards.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.machine.processes import children_of, name_of
from tests.support.missing_programs import fail_or_skip

ADDRESS, WORLD = "203.0.113.2", "203.0.113.1"
"""The machine's address, and ours; both are reserved for documentation."""
PATIENCE = 60.0  # seconds
MISSING = (
    "This test boots a machine of its own with systemd-nspawn, which is not installed, or we are not root. On "
    "Debian or Ubuntu: make test-system (or sudo apt-get install systemd-container systemd-sysv dbus iproute2)."
)
_NOT_ALLOWED = ("Operation not permitted", "Permission denied", "must be superuser")
"""What the kernel says, or programs for it, within containers that have no right to do this."""
_NAME = "nabutest"
_WIRE = f"ve-{_NAME}"
_PROGRAMS = ("systemd-nspawn", "nsenter", "unshare", "ip")
_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
# The layer lies in memory, and is gone with the last process of the machine. In images of
# containers, apt must not keep what it has read; and manuals, which nobody reads, would be listed each time.
_BOOT = f"""
set -eu
mount -t tmpfs layer /mnt
mkdir /mnt/changes /mnt/work /mnt/root
mount -t overlay machine -o lowerdir=/,upperdir=/mnt/changes,workdir=/mnt/work /mnt/root
cd /mnt/root
rm -rf etc/systemd/system/*.wants etc/resolv.conf usr/sbin/policy-rc.d \\
    etc/apt/apt.conf.d/docker-clean var/lib/man-db/auto-update
tr -d - </proc/sys/kernel/random/uuid >etc/machine-id
echo nameserver {WORLD} >etc/resolv.conf
exec systemd-nspawn --directory=/mnt/root --machine={_NAME} --boot --network-veth --resolv-conf=off \\
    --register=no --keep-unit --console=pipe --link-journal=no
"""


class Machine:
    """A running machine."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    def run(self, script: str) -> str:
        """Run a shell script there as root, up to the first command that fails, and return its output."""
        done = subprocess.run(
            [*self._inside, "/bin/sh", "-euxc", script],
            env=_ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def put(self, file: Path, where: str) -> None:
        """Copy a file of ours to a place there."""
        self.write(file.read_bytes(), where)

    def write(self, content: bytes, where: str) -> None:
        """Write a file there."""
        command = [*self._inside, "/bin/sh", "-euc", 'cat >"$1"', "sh", where]
        subprocess.run(command, env=_ENVIRONMENT, input=content, check=True)

    @property
    def _inside(self) -> list[str]:
        return ["nsenter", f"--target={self._pid}", "--all", "--root", "--wd", "--"]


@contextmanager
def booted() -> Iterator[Machine]:
    """A machine that has just been booted, with what every system runs and nothing else; one at a time."""
    _need_programs()
    command = ["unshare", "--mount", "/bin/sh", "-c", _BOOT]
    with (
        _the_only_one(),
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as nspawn,
    ):
        try:
            machine = Machine(_first_process(nspawn))
            subprocess.run(["ip", "address", "add", f"{WORLD}/30", "dev", _WIRE], check=True)
            subprocess.run(["ip", "link", "set", _WIRE, "up"], check=True)
            machine.run(
                f"""
                until systemctl is-system-running --wait | grep -E 'running|degraded'; do sleep 0.1; done
                ip address add {ADDRESS}/30 dev host0
                ip link set host0 up
                ip route add default via {WORLD}
                """
            )
            yield machine
        finally:
            nspawn.send_signal(signal.SIGTERM)
            nspawn.communicate(timeout=PATIENCE)


def _first_process(nspawn: subprocess.Popen[bytes]) -> int:
    """The number of the machine's first process, once there is one."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and nspawn.poll() is None:
        for child in children_of(nspawn.pid):
            if name_of(child) == "systemd":
                return child
        time.sleep(0.05)
    nspawn.terminate()
    told = nspawn.communicate()[0].decode()
    if any(words in told for words in _NOT_ALLOWED):
        pytest.skip(f"where this runs, no machine may be booted: {told}")
    pytest.fail(f"no machine was booted: {told}")


@contextmanager
def _the_only_one() -> Iterator[None]:
    """Wait until no other test has a machine: all have the same addresses."""
    with (Path(tempfile.gettempdir()) / f"{_NAME}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _need_programs() -> None:
    if os.getuid() == 0 and all(map(shutil.which, _PROGRAMS)) and Path("/sbin/init").exists():
        return
    fail_or_skip(MISSING)
