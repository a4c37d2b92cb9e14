"""The documented steps to run a database with Patroni, on a booted machine that is the first of the three."""

from __future__ import annotations

import re

import pytest

from tests.support.database.patroni import need_programs
from tests.support.folders import ROOT
from tests.support.machine.booted import booted

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(600)]

EXAMPLES = ROOT / "deploy/patroni"
ADDRESS = "10.0.0.21"
CHANGES = {
    "apt-get install --yes": "dpkg-query --show",  # they are installed, and there is no network
    "sudo -u postgres": "runuser -u postgres --",
    "sudo ": "",
}
_LIST = "patronictl -c /etc/patroni/config.yml list"


def blocks() -> list[str]:
    """Return the commands of each step, as root gives them."""
    section = (ROOT / "deploy/scale.md").read_text(encoding="utf-8").partition("\n## Standby\n")[2]
    found = re.findall(r"^ +```\n(.+?)^ +```$", section.partition("\n## ")[0], re.MULTILINE | re.DOTALL)
    for there, here in CHANGES.items():
        found = [block.replace(there, here) for block in found]
    return found


def test_the_first_machine_becomes_the_leader() -> None:
    need_programs()
    etcd, patroni, database, setting = blocks()
    with booted() as machine:
        machine.run(f"ip address add {ADDRESS}/24 dev host0; mkdir -p /root/deploy/patroni")
        for file in EXAMPLES.iterdir():
            machine.put(file, f"/root/deploy/patroni/{file.name}")
        # This machine is alone: etcd has one member, and a watchdog would reset the real machine.
        machine.run("sed -i 's/,db2=.*//' /root/deploy/patroni/etcd.env")
        machine.run("sed -i 's/mode: required/mode: off/' /root/deploy/patroni/patroni.yml")
        machine.run(f"cd /root\n{etcd}")
        machine.run(f"cd /root\n{patroni}")
        machine.run(f"until {_LIST} | grep 'Leader .* running'; do sleep 0.5; done")
        machine.run(database)
        url = setting.strip().removeprefix("NABU_DATABASE_URL=")
        assert machine.run(f"psql -At '{url}' -c 'SELECT pg_is_in_recovery()'") == "f\n"
        assert machine.run("ls /etc/postgresql/15 || true") == "", "systemd starts no PostgreSQL"
        first = "head -n 1 /var/lib/postgresql/15/nabu/postmaster.pid"
        running = machine.run(first)
        machine.run("systemctl kill --kill-whom=main --signal=KILL patroni")
        machine.run("until systemctl is-active patroni; do sleep 0.1; done")
        machine.run(f"until {_LIST} | grep 'Leader .* running'; do sleep 0.5; done")
        assert machine.run(first) == running, "PostgreSQL continues while Patroni starts again"
