"""From a bare machine to a running service: what the guide says, done on a machine as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.world import Person, open_world, text_of
from tests.folders import ROOT
from tests.machine import ADDRESS, WORLD, Machine, booted
from tests.names import name_server

pytestmark = [pytest.mark.long]

DOMAIN = "games.example.org"
GUIDE = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")


def steps() -> dict[int, list[str]]:
    """The commands of each step, block by block, as root would give them."""
    (section,) = re.findall(
        r"^## From a bare Debian 12 .+?\n(.+?)^What is where:", GUIDE, re.MULTILINE | re.DOTALL
    )
    found = {}
    for step in re.split(r"^(?=\d+\. )", section, flags=re.MULTILINE)[1:]:
        number, text = step.split(". ", 1)
        blocks = re.findall(r"^ +```\n(.+?)^ +```$", text, re.MULTILINE | re.DOTALL)
        found[int(number)] = [re.sub(r"\bsudo ", "", block) for block in blocks]
    return found


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Debian package, as `make package` builds it."""
    folder = tmp_path_factory.mktemp("package")
    subprocess.run([ROOT / "deploy/debian/build", sys.executable, folder], check=True)
    (found,) = folder.glob("*.deb")
    return found


def test_there_are_ten_steps() -> None:
    assert list(steps()) == list(range(1, 11))


RECORDS = {
    ("games.example.org.", "A"): [ADDRESS],
    ("games.example.org.", "MX"): ["10 games.example.org."],
    ("2.113.0.203.in-addr.arpa.", "PTR"): ["games.example.org."],
    ("example.net.", "MX"): ["10 mx.example.net."],
    ("mx.example.net.", "A"): [WORLD],
    ("1.113.0.203.in-addr.arpa.", "PTR"): ["mx.example.net."],
}


@pytest.fixture
def machine() -> Iterator[Machine]:
    with booted() as machine, name_server(RECORDS, WORLD, 53):
        yield machine


def test_a_bare_machine_becomes_a_service(machine: Machine, package: Path) -> None:
    machine.run("mkdir -p /root/nabu/dist")
    machine.put(package, f"/root/nabu/dist/{package.name}")
    done = steps()
    machine.run("systemctl enable --now postfix caddy")
    machine.run(f"cd /root/nabu\n{done[4][0]}")
    env = (ROOT / "deploy/nabu.env.example").read_text().replace("KEY=\n", f"KEY={'k' * 40}\n", 1)
    machine.run(f"setpriv --reuid=nabu --regid=nabu --init-groups tee /etc/nabu/nabu.env <<'E'\n{env}\nE")
    machine.run(done[7][0])
    machine.run("sed -i '1a local_certs' /usr/share/doc/nabu/examples/Caddyfile")
    machine.run(done[8][0])
    machine.run("systemctl enable --now nabu")
    with open_world(25, WORLD) as (world, _):
        ann = Person(world, "ann@example.net", (ADDRESS, 25), DOMAIN)
        try:
            ann.write("register Ann\nmail every turn")
            question = ann.next()
        finally:
            print(machine.run("journalctl --no-pager -u nabu -u postfix@- | tail -60"))
        assert "Was this you?" in text_of(question)
        ann.answer(question, "yes")
        assert "Welcome, Ann." in text_of(ann.next())
    print(
        machine.run(
            "nabu admin role Ann operator; systemctl status nabu --no-pager; ls -la /var/lib/nabu /etc/nabu; postqueue -p"
        )
    )
