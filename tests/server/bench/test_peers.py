"""`nabu bench peers`, with a small program in place of GNU Mailman, which needs the network to be installed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from server.bench import peers
from server.bench.harness.processes import WORLD, cpu_of, mebibytes_of
from server.bench.turn import TurnMeasurement
from tests.support.machine.waiting import await_that

_MAILMAN = f"""\
#!{sys.executable} -SE
import sys
from configparser import ConfigParser
from pathlib import Path

arguments = sys.argv[sys.argv.index("-C") + 1 :]
settings = ConfigParser()
settings.read(arguments[0])
with Path(settings["paths.bench"]["var_dir"], "commands").open("a") as file:
    print(*arguments[1:], sys.stdin.read(), file=file)
"""
_MASTER = f"""\
#!{sys.executable}
import asyncio, os, signal, smtplib, sys
from configparser import ConfigParser
from pathlib import Path
from aiosmtpd.lmtp import LMTP

settings = ConfigParser()
settings.read(sys.argv[sys.argv.index("-C") + 1])
mta, state = settings["mta"], Path(settings["paths.bench"]["var_dir"])
commands = (state / "commands").read_text()
relay = smtplib.SMTP(mta["smtp_host"], int(mta["smtp_port"]))
fault = os.environ.get("FAULT")
if fault == "broken":
    sys.exit("the lock is held by another host")


class Handler:
    async def handle_DATA(self, server, session, envelope):
        sum(range(10**6))  # longer than a tick of the clock for CPU time
        for member in ("one@example.org", "two@example.org"):
            if fault != "silent" and member in commands and envelope.rcpt_tos == ["posts@lists.test"]:
                relay.sendmail("posts-bounces@lists.test", [member], envelope.content)
        return "250 ok"


async def main():
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, lambda: fault or ended.set())
    await loop.create_server(lambda: LMTP(Handler()), mta["lmtp_host"], int(mta["lmtp_port"]))
    Path(sys.argv[0]).with_name("started").write_text(f"{{os.getpid()}} {{state}}")
    await ended.wait()


asyncio.run(main())
"""
"""With a fault, it does not end when it is asked to."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with programs in place of Mailman's."""
    programs = tmp_path / "mailman" / "bin"
    programs.mkdir(parents=True)
    for name, text in (("mailman", _MAILMAN), ("master", _MASTER)):
        _write(programs / name, text)
    (programs.parent / peers.INSTALLED).write_text(peers.VERSION)
    return programs.parent


def test_table_has_medians_and_the_ratios_of_each_round() -> None:
    def measured(rate: float, milliseconds: float, mebibytes: float) -> TurnMeasurement:
        cpu = {WORLD: 70.0, "one": 0.03 * milliseconds, "other": 0.07 * milliseconds}
        return TurnMeasurement(100, 100 / rate, cpu, mebibytes=mebibytes)

    rounds = [
        {
            peers.MAILMAN: measured(30 * speed, 40, 800),
            peers.NABU: measured(120 * speed, 10, 200),
            peers.FLOOR: measured(600 * speed, 2, 40),
        }
        for speed in (1, 0.1, 0.8)  # the machine is busy in the second round
    ]
    assert [re.split(r"  +", line) for line in peers.table(rounds)] == [
        ["100 turns or posts, one email in, two out; medians of 3, without senders and relay"],
        ["", "per second", "CPU ms", "MiB (PSS)"],
        ["GNU Mailman", "24.0", "40.00", "800"],
        ["Nabu", "96.0", "10.00", "200"],
        ["floor", "480.0", "2.00", "40"],
        ["Nabu : Mailman", "4.00", "0.25", "0.25"],
        ["target", ">= 4.5", "<= 0.2"],
    ]


@pytest.mark.long
def test_posts_and_turns_are_measured_in_alternation(folder: Path) -> None:
    asked = ["--turns", "3", "--rounds", "2", "--games", "3", "--folder", str(folder)]
    shown = CliRunner().invoke(peers.bench_peers, asked, catch_exceptions=False)
    rows = dict(re.findall(r"^(GNU Mailman|Nabu|floor) {2,}(.*)$", shown.stdout, re.M))
    assert list(rows) == ["GNU Mailman", "Nabu", "floor"], shown.output
    for row in rows.values():
        rate, _, mebibytes = map(float, row.split())
        assert rate > 0
        assert mebibytes > 5
    assert float(rows["GNU Mailman"].split()[1]) > 10
    _assert_nothing_remains(folder)


def test_list_does_nothing_that_nabu_does_not(folder: Path) -> None:
    with peers.configured(folder / "bin") as mailman:
        commands = (mailman.state / "commands").read_text()
    assert commands.split("\n") == [
        "create posts@lists.test ",
        "addmembers --no-welcome-msg - posts@lists.test one@example.org",
        "two@example.org",
        "shell -l posts@lists.test m.archive_policy = type(m.archive_policy).never",
        "m.digests_enabled = False",
        "commit()",
        "",
        "",
    ]


def test_error_has_the_output_of_a_mailman_that_does_not_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAULT", "broken")
    with (
        peers.configured(folder / "bin") as mailman,
        pytest.raises(
            click.ClickException, match=r"^Mailman has not started:\nthe lock is held by another host$"
        ),
    ):
        mailman.pass_posts(1)


def test_mailman_that_delivers_nothing_is_killed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAULT", "silent")
    monkeypatch.setattr(peers, "PATIENCE", 0.1)
    with (
        peers.configured(folder / "bin") as mailman,
        pytest.raises(click.ClickException, match=r"^Mailman delivered 0 of 100 emails"),
    ):
        mailman.pass_posts(1)
    _assert_nothing_remains(folder)


def test_error_has_the_reason_why_mailman_cannot_be_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    _write(tmp_path / "bin" / "pip", "#!/bin/sh\necho No matching distribution found for $6 >&2; exit 1\n")
    monkeypatch.setattr(sys, "executable", "true")  # an environment costs seconds
    with (
        pytest.raises(
            click.ClickException, match=r"(?s)needs the network:.*No matching distribution"
        ) as raised,
        peers.installed(tmp_path),
    ):
        pass
    assert peers.VERSION in raised.value.message


@pytest.mark.parametrize("marker", [None, "mailman==3.0"])
def test_incomplete_or_old_mailman_is_installed_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, marker: str | None
) -> None:
    installed = folder / peers.INSTALLED
    installed.unlink()
    if marker:
        installed.write_text(marker)
    _write(folder / "bin" / "pip", f"#!/bin/sh\necho $6 >> {folder / 'asked'}\n")
    monkeypatch.setattr(sys, "executable", "true")  # an environment costs seconds
    for _ in range(2):
        with peers.installed(folder) as programs:
            assert programs == folder / "bin"
    assert (folder / "asked").read_text() == f"{peers.VERSION}\n"
    assert installed.read_text() == peers.VERSION


@pytest.mark.parametrize("option", ["--turns", "--rounds", "--games"])
def test_nothing_is_not_measured(option: str, folder: Path) -> None:
    asked = CliRunner().invoke(peers.bench_peers, [option, "0", "--folder", str(folder)])
    assert asked.exit_code == 2
    assert "0 is not in the range" in asked.output


def test_memory_of_an_ended_process_is_not_counted() -> None:
    with subprocess.Popen(["true"]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        assert mebibytes_of({"ended": [ended.pid]}) == 0


def test_child_processes_count_for_their_parent() -> None:
    busy = "sum(range(5 * 10**7))"
    parent = subprocess.Popen(["python3", "-c", f"import os\nif os.fork(): os.wait()\nelse: {busy}"])
    await_that(lambda: cpu_of({"it": [parent.pid]})["it"] >= 0.3)
    parent.wait()


@pytest.mark.long
def test_nothing_remains_after_control_c(folder: Path) -> None:
    # In the background, a shell starts programs that ignore it.
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from server.bench.peers import bench_peers; bench_peers()"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", program, "--turns", "3", "--folder", folder],
        env={**os.environ, "FAULT": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    await_that((folder / "bin" / "started").exists)
    running.send_signal(signal.SIGINT)
    output, _ = running.communicate(timeout=120)
    assert running.returncode == 1
    assert "Aborted!" in output
    _assert_nothing_remains(folder)


def _write(program: Path, text: str) -> None:
    program.write_text(text)
    program.chmod(0o755)


def _assert_nothing_remains(folder: Path) -> None:
    process, state = (folder / "bin" / "started").read_text().split()
    assert not Path("/proc", process).exists()
    assert not Path(state).exists()
