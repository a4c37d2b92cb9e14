"""Two PostgreSQL servers under Patroni, with three members of etcd, as in `deploy/patroni`."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from tests.support.database.postgres import programs, run_as, unprivileged_user
from tests.support.folders import ROOT, memory
from tests.support.machine.ports import free_ports
from tests.support.machine.processes import kill_with_children
from tests.support.machine.waiting import PATIENCE, await_that
from tests.support.missing_programs import fail_or_skip

_MISSING = (
    "{name} is not installed. On Debian or Ubuntu: make test-system "
    "(or sudo apt-get install patroni etcd-server etcd-client)."
)
_DATABASE = _OWNER = "nabu"
_PASSWORD = "PASSWORD"
"""The one in deploy/patroni/patroni.env."""
_PLACES = ("10.0.0.21", "10.0.0.22", "10.0.0.11")
"""The machines of the examples; the first two have a database."""
_PORTS = {"2379": 0, "2380": 1, "8008": 2, "5432": 3}
"""The places of the ports of the examples among those that a machine has here."""
_HERE = {
    "10.0.0.0/24": "127.0.0.0/8",
    "[10.0.0.21, 10.0.0.22]": "[127.0.0.1]",
    "mode: required": "mode: off",  # it would reset this machine
    "max_connections: 200": "max_connections: 200\n        shared_buffers: 16MB",
}
_HURRIED = {
    "ttl: 30": "ttl: 8",
    "loop_wait: 10": "loop_wait: 1",
    "retry_timeout: 10": "retry_timeout: 3",
}


class Machine:
    """One of the machines: a member of etcd and, with `has_database`, PostgreSQL with Patroni."""

    def __init__(self, cluster: Cluster, place: str, name: str, *, has_database: bool) -> None:
        self.name, self.place, self.has_database = name, place, has_database
        self.folder = cluster.folder / name
        self._cluster = cluster
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def port(self) -> int:
        """Return the port of its PostgreSQL."""
        return self._cluster.port(self.place, "5432")

    def start(self) -> None:
        """Start everything that has ended."""
        self.start_etcd()
        if self.has_database:
            environment = self._environment("patroni.env")
            self._start("patroni", _program("patroni"), str(self.folder / "patroni.yml"), **environment)

    def start_etcd(self) -> None:
        """Start the member of etcd if it has ended."""
        environment = self._environment("etcd.env") | {"ETCD_DATA_DIR": str(self.folder / "etcd")}
        self._start("etcd", _program("etcd"), **environment)

    def lose(self) -> None:
        """Kill all its processes at once, as if the machine had lost power."""
        for name in list(self._processes):
            process = self._processes.pop(name)
            process.kill()
            process.wait()
        with suppress(FileNotFoundError):
            kill_with_children(self._postmaster())
            (self.folder / "data/postmaster.pid").unlink()

    def is_as(self, role: str) -> bool:
        """Return whether its database runs as `primary` or as `synchronous` standby, as Patroni says."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._cluster.port(self.place, '8008')}/{role}"):
                return True
        except (OSError, urllib.error.HTTPError):
            return False

    def say(self, statement: str, database: str = _DATABASE) -> list[object]:
        """Give a statement to its PostgreSQL; return the first column of the result."""
        where = f"host=127.0.0.1 port={self.port} user=postgres password={_PASSWORD} dbname={database}"
        with psycopg.connect(where, autocommit=True) as connection:
            found = connection.execute(statement.encode())
            return [row[0] for row in found] if found.description else []

    def lose_etcd(self) -> None:
        """Kill its member of etcd."""
        self._processes["etcd"].kill()
        self._processes["etcd"].wait()

    @contextmanager
    def without_patroni(self) -> Iterator[None]:
        """Run its PostgreSQL alone, which does not know that it was replaced."""
        control = self._cluster.programs / "pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log"
        run_as(self._cluster.user, *control, "start")
        try:
            yield
        finally:
            run_as(self._cluster.user, *control, "-m", "immediate", "stop")

    def _start(self, name: str, *command: str, **environment: str) -> None:
        if name in self._processes and self._processes[name].poll() is None:
            return
        with (self.folder / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                command,
                user=self._cluster.user,
                cwd=self.folder,
                env={"PATH": "/usr/bin:/bin", **environment},
                stdout=log,
                stderr=log,
            )

    def _environment(self, name: str) -> dict[str, str]:
        """Return the variables of an example for the first machine, changed to be about this one."""
        text = (ROOT / "deploy/patroni" / name).read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        found = dict(line.split("=", 1) for line in lines)
        return {
            key: self._cluster.here(value if key == "ETCD_INITIAL_CLUSTER" else self._own(value))
            for key, value in found.items()
        }

    def _own(self, value: str) -> str:
        return self.name if value == "db1" else value.replace(_PLACES[0], self.place)

    def lay_out(self) -> None:
        """Write its configuration."""
        self.folder.mkdir()
        text = (ROOT / "deploy/patroni/patroni.yml").read_text(encoding="utf-8")
        paths = {
            "/var/lib/postgresql/15/nabu": self.folder / "data",
            "/usr/lib/postgresql/15/bin": self._cluster.programs,
            "/var/lib/postgresql/patroni.pgpass": self.folder / "pgpass",
            "/var/run/postgresql": self.folder,
        }
        for there, here in (_HERE | paths | (_HURRIED if self._cluster.hurried else {})).items():
            assert there in text, f"patroni.yml has no {there}"
            text = text.replace(there, str(here))
        (self.folder / "patroni.yml").write_text(self._cluster.here(text))
        if self._cluster.user is not None:
            shutil.chown(self.folder, self._cluster.user)

    def _postmaster(self) -> int:
        return int((self.folder / "data/postmaster.pid").read_text().splitlines()[0])


class Cluster:
    """Two machines with a database, and one that only has a member of etcd."""

    def __init__(self, folder: Path, *, hurried: bool) -> None:
        self.folder, self.user, self.programs = folder, unprivileged_user(), programs()
        self.hurried = hurried
        found = iter(free_ports(len(_PLACES) * len(_PORTS)))
        self._ports = {place: [next(found) for _ in _PORTS] for place in _PLACES}
        self.machines = [
            Machine(self, place, name, has_database=name.startswith("db"))
            for place, name in zip(_PLACES, ("db1", "db2", "nabu1"), strict=True)
        ]
        self.first, self.second, _ = self.machines

    def url(self, *machines: Machine) -> str:
        """Return the URL by which the leader is found, or that of some machines, as in NABU_DATABASE_URL."""
        hosts = ",".join(f"127.0.0.1:{each.port}" for each in machines or (self.first, self.second))
        return f"postgresql://{_OWNER}:{_PASSWORD}@{hosts}/{_DATABASE}"

    @property
    def leader(self) -> Machine:
        """Return the machine whose database accepts writes; wait until there is one."""
        await_that(lambda: self.first.is_as("primary") or self.second.is_as("primary"))
        return self.first if self.first.is_as("primary") else self.second

    def port(self, place: str, port: str) -> int:
        """Return the port here of a port of the examples."""
        return self._ports[place][_PORTS[port]]

    def here(self, text: str) -> str:
        """Return a text about the example machines, changed to be about those here."""
        for place in _PLACES:
            for port in _PORTS:
                text = text.replace(f"{place}:{port}", f"127.0.0.1:{self.port(place, port)}")
        return text

    def other(self, machine: Machine) -> Machine:
        """Return the other machine with a database."""
        return self.second if machine is self.first else self.first

    def change_leader(self) -> None:
        """Let the standby take over from the leader, which follows it then."""
        leader = self.leader
        address = f"http://127.0.0.1:{self.port(leader.place, '8008')}/switchover"
        with urllib.request.urlopen(address, json.dumps({"leader": leader.name}).encode(), timeout=PATIENCE):
            self.await_standby()

    def await_standby(self) -> Machine:
        """Return the leader as soon as the other machine is its synchronous standby."""
        await_that(lambda: self.other(self.leader).is_as("synchronous"))
        return self.leader

    def start(self) -> None:
        """Start everything; return when the first machine leads and the second follows."""
        for machine in self.machines:
            machine.lay_out()
            machine.start_etcd()
        self.first.start()
        await_that(lambda: self.first.is_as("primary"))
        self.first.say(f"CREATE ROLE {_OWNER} LOGIN PASSWORD '{_PASSWORD}'", "postgres")
        self.first.say(f"CREATE DATABASE {_DATABASE} OWNER {_OWNER}", "postgres")
        self.second.start()
        await_that(lambda: self.second.is_as("synchronous"))

    def stop(self) -> None:
        """Kill what runs."""
        for machine in self.machines:
            machine.lose()


@contextmanager
def running_cluster(place: Path | None = None, *, hurried: bool = True) -> Iterator[Cluster]:
    """Run a cluster in a folder of this place, which is removed at the end.

    With `hurried`, the standby replaces a lost leader after eight seconds and not after thirty.
    """
    need_programs()
    folder = Path(tempfile.mkdtemp(prefix="nabu-ha-", dir=place or memory()))
    folder.chmod(0o755)
    cluster = Cluster(folder, hurried=hurried)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder)


def need_programs() -> None:
    """Skip the test, or fail in CI, if a program is missing."""
    for name in ("patroni", "etcd", "etcdctl"):
        _program(name)


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is not None:
        return found
    missing = _MISSING.format(name=name)
    fail_or_skip(missing)
