"""From a bare machine to a running service: what the guide says, done on a machine as it stands there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from mail.incoming.receiving import Received
from tests.support.e2e.mailboxes import Person, World, open_world, text_of
from tests.support.folders import ROOT
from tests.support.machine.booted import ADDRESS, WORLD, Machine, booted
from tests.support.machine.name_server import name_server, written

pytestmark = [pytest.mark.long, pytest.mark.first, pytest.mark.timeout(600)]

DOMAIN = "games.example.org"
GUIDE = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")
EXAMPLES = "/usr/share/doc/nabu/examples"
EXIM = "/var/cache/nabu-test-exim"
"""Where `deploy/install-test-system` has put Exim: it cannot be installed beside Postfix."""
NO_SUCH_GAME = "EHLO x\nMAIL FROM:<ann@example.net>\nRCPT TO:<play+x@games.example.org>\nQUIT"
RECORDS = """\
games.example.org. IN A 203.0.113.2
2.113.0.203.in-addr.arpa. IN PTR games.example.org.
example.net. IN MX 10 mx.example.net.
mx.example.net. IN A 203.0.113.1
1.113.0.203.in-addr.arpa. IN PTR mx.example.net.
"""
"""What stands in the DNS before anything is done: the first step, and other people's."""


def steps() -> dict[int, list[str]]:
    """The commands of each step, block by block, as root gives them."""
    section = GUIDE.partition("## Install on Debian 12\n")[2].partition("\n### ")[0]
    found = {}
    for step in re.split(r"^(?=\d+\. )", section, flags=re.MULTILINE)[1:]:
        number, text = step.split(". ", 1)
        text = text.replace("YOUR.DOMAIN", DOMAIN)
        blocks = re.findall(r"^ +```\n(.+?)^ +```$", text, re.MULTILINE | re.DOTALL)
        found[int(number)] = [re.sub(r"\bsudo ", "", block) for block in blocks]
    return found


STEPS = steps()


class Outside(World):
    """The world, which also keeps mails as they came, byte for byte."""

    def __init__(self) -> None:
        super().__init__()
        self.raw: list[bytes] = []

    def store(self, batch: Sequence[Received]) -> None:
        """Keep mails."""
        self.raw += [mail.content for mail in batch]
        super().store(batch)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Build the Debian package as `make package` does, but uncompressed, because it is not downloaded."""
    folder = tmp_path / "package"
    command = [str(ROOT / "deploy/debian/build"), sys.executable, str(folder)]
    environment = {**os.environ, "DPKG_DEB_COMPRESSOR_TYPE": "none"}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    (found,) = folder.glob("*.deb")
    return found


@contextmanager
def set_up(package: Path) -> Iterator[Machine]:
    """A machine after the first six steps."""
    records = written(RECORDS)
    with booted() as machine, name_server(records, WORLD, 53):
        machine.run(STEPS[2][0].replace("apt-get update", "").replace("install", "install --simulate"))
        machine.run("systemctl enable --now postfix caddy")  # as installing them does
        machine.run("mkdir -p nabu/dist")
        machine.put(package, f"/nabu/dist/{package.name}")
        machine.run(f"cd nabu\n{STEPS[4][0]}")
        answers = "\n".join([DOMAIN, "", "", "", "ann@example.net", "n"])
        told = machine.run(f"{STEPS[5][0].rstrip()} <<'ANSWERS'\n{answers}\nANSWERS")
        printed = "".join(f"{line}\n" for line in told.splitlines() if " IN " in line)
        records.update(written(printed))
        yield machine


def start(machine: Machine) -> None:
    """The beginning of step 9, and what a person waits for meanwhile."""
    machine.run(STEPS[9][0].splitlines()[0])
    machine.run("until ss -ltn | grep -q :2424 && ss -ltn | grep -q :8000; do sleep 0.1; done")


def serve_pages(machine: Machine) -> None:
    """Step 8, with certificates that Caddy makes itself, because no authority is available here."""
    machine.run(f"sed -i '1a local_certs' {EXAMPLES}/Caddyfile")
    machine.run(STEPS[8][0])
    machine.run(
        """
        root=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
        until [ -s $root ]; do sleep 0.1; done
        cp $root /usr/local/share/ca-certificates/caddy.crt
        update-ca-certificates
        """
    )


def become_a_player(world: World, name: str) -> None:
    """Sign up a player by email."""
    person = Person(world, f"{name.lower()}@example.net", (ADDRESS, 25), DOMAIN)
    person.write(f"register {name}\nmail every turn")
    question = person.next()
    assert "Was this you?" in text_of(question)
    person.answer(question, "yes")
    welcome = person.next()
    assert f"Welcome, {name}." in text_of(welcome)
    assert welcome["DKIM-Signature"]


def examined(machine: Machine) -> dict[str, dict[str, str]]:
    """Return the findings of `nabu doctor`, by check."""
    found = json.loads(machine.run("nabu doctor --json || true"))
    return {each["check"]: each for each in found}


def test_setup_guide_has_ten_steps() -> None:
    assert list(STEPS) == list(range(1, 11))


def test_ten_steps_turn_a_bare_machine_into_a_service(package: Path) -> None:
    """One machine is all of these in turn, as setting one up takes longest."""
    with set_up(package) as machine, open_world(25, WORLD, Outside()) as (world, _):
        assert isinstance(world, Outside)
        with_postfix_and_caddy(machine, world)
        with_nginx_in_front(machine)
        with_exim_instead_of_postfix(machine, world)
        games_survive_the_package(machine)


def with_postfix_and_caddy(machine: Machine, world: Outside) -> None:
    """The last four steps, after which `nabu doctor` finds no problem."""
    machine.run(STEPS[7][0])
    serve_pages(machine)
    start(machine)
    become_a_player(world, "Ann")
    found = examined(machine)
    wrong = [each for each in found.values() if each["state"] == "wrong"]
    assert wrong == [], wrong
    assert {name for name, each in found.items() if each["state"] == "unknown"} <= {"clock"}
    machine.run(STEPS[10][0])
    machine.run("systemctl start nabu-backup")
    assert "nabu-backup.timer" in machine.run("systemctl list-timers --all --no-pager")
    assert ".tar.gz" in machine.run("ls /var/lib/nabu/backups")
    assert "Ann  administrator" in machine.run("nabu admin role")
    assert_verified(machine, world)
    assert_private(machine)
    break_the_proxy(machine)


def with_nginx_in_front(machine: Machine) -> None:
    """Its certificate is added as certbot adds it. `nabu doctor` examines it later, together with Exim."""
    machine.run("systemctl disable --now caddy")
    machine.run(
        f"""
        openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj /CN={DOMAIN} \\
            -addext subjectAltName=DNS:{DOMAIN} \\
            -keyout /etc/nginx/key.pem -out /usr/local/share/ca-certificates/nginx.crt
        update-ca-certificates
        rm -f /etc/nginx/sites-enabled/default
        sed 's/games.example.org/{DOMAIN}/' {EXAMPLES}/nginx.conf >/etc/nginx/conf.d/nabu.conf
        sed -i '/listen 80;/a listen 443 ssl; ssl_certificate /usr/local/share/ca-certificates/nginx.crt; \\
            ssl_certificate_key /etc/nginx/key.pem;' /etc/nginx/conf.d/nabu.conf
        systemctl enable --now nginx
        """
    )


def with_exim_instead_of_postfix(machine: Machine, world: Outside) -> None:
    """Send and receive emails through it; emails for other addresses are refused immediately."""
    machine.run(
        f"""
        apt-get install --yes --no-install-recommends -o Dir::Cache::archives={EXIM} exim4-daemon-light
        sed 's/games.example.org/{DOMAIN}/' {EXAMPLES}/exim/exim4.conf.example >/etc/exim4/exim4.conf
        systemctl restart exim4
        until ss -ltn | grep -q :25; do sleep 0.1; done
        """
    )
    become_a_player(world, "Ben")
    found = examined(machine)
    of_exim = ("relay", "round trip", "MX", "SPF", "DKIM", "DMARC", "reverse name")
    for check in (*of_exim, "certificate", "proxy"):
        assert found[check]["state"] == "fine", found[check]
    refused = machine.run(f"exim4 -bhc 203.0.113.9 <<'SMTP' 2>&1 || true\n{NO_SUCH_GAME}\nSMTP")
    assert "This reply address was not issued by this server" in refused


def games_survive_the_package(machine: Machine) -> None:
    """Nabu continues after it is installed again, as for a new version; its data stays when it is removed."""
    running = "systemctl show --property MainPID --value nabu"
    before = machine.run(running)
    machine.run(f"cd nabu\n{STEPS[4][0].replace('--yes', '--yes --reinstall')}")
    assert machine.run(running) != before
    machine.run("systemctl is-active nabu")
    machine.run("apt-get purge --yes nabu")
    assert "nabu.db" in machine.run("ls /var/lib/nabu")
    assert "nabu.env" in machine.run("ls /etc/nabu")
    assert machine.run("pgrep -u nabu || echo nobody").strip() == "nobody"
    machine.run(f"cd nabu\n{STEPS[4][0]}")
    assert "Ann  administrator" in machine.run("nabu admin role")


def assert_verified(machine: Machine, world: Outside) -> None:
    """Another program accepts our signatures."""
    where = "/root/mail.eml"
    for mail in world.raw:
        machine.write(mail, where)
        machine.run(f"opendkim-testmsg <{where}")
    machine.write(world.raw[-1].replace(b"Subject: ", b"Subject: Re: "), where)
    assert "ad signature" in machine.run(f"opendkim-testmsg <{where} 2>&1 || true")


def assert_private(machine: Machine) -> None:
    """Other users cannot read Nabu's files, and Nabu can write all of them: none is left over from root."""
    for folder in ("/etc/nabu", "/var/lib/nabu"):
        assert machine.run(f"stat -c '%U %a' {folder}").split() == ["nabu", "700"]
        assert machine.run(f"find {folder} ! -user nabu -o -perm /077").split() == []
    machine.run("mkdir -p /tmp/trap/server && echo 'raise SystemExit(9)' >/tmp/trap/server/__main__.py")
    assert "nabu, version" in machine.run("cd /tmp/trap && nabu --version")
    told = machine.run("systemd-analyze security nabu --no-pager | tail -1")
    assert "OK" in told


def break_the_proxy(machine: Machine) -> None:
    """A proxy that does not say who asks is found out."""
    machine.run(
        """
        sed -i 's/reverse_proxy 127.0.0.1:8000 {/&\\n\\t\\theader_up -X-Forwarded-For/' /etc/caddy/Caddyfile
        systemctl restart caddy
        """
    )
    found = examined(machine)["proxy"]
    assert found["state"] == "wrong"
    assert "All visitors seem to come from 127.0.0.1" in found["sentence"]
