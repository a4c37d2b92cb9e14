"""`nabu bench nodes`, small."""

from __future__ import annotations

import re
import subprocess
import time

import pytest
from click.testing import CliRunner

from server.bench import nodes
from server.bench.commands import bench
from server.bench.harness.processes import cpu_of, parent_of
from tests.support.database.postgres import Server
from tests.support.machine.waiting import await_that

pytestmark = pytest.mark.slow

_ROW = re.compile(r"^ +(\d+) +[\d.]+ +([\d.]+) +([\d.]+) +([\d.]+) +[\d.]+ +([\d.]+) +- +[\d.]+ +(\d+)$", re.M)


@pytest.mark.long
def test_several_processes_play_turns(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "SETTLED", 0.2)  # the measured values do not matter here
    asked = ["nodes", "--server", postgres.url("postgres"), "--workers", "1,2", "--turns", "20", "--games", "4"]
    found = CliRunner().invoke(bench, asked, catch_exceptions=False)
    rows = _ROW.findall(found.output)
    assert [row[0] for row in rows] == ["1", "2"], found.output
    for _, mail, worker, database, transactions, connections in rows:
        assert min(map(float, (mail, worker, database))) > 0
        assert float(transactions) > 2, "a turn is committed, and told of"
        assert int(connections) >= 2
    assert int(rows[1][-1]) > int(rows[0][-1]), "each process has connections of its own"


def test_child_processes_count_for_their_parent() -> None:
    busy = "sum(range(5 * 10**7))"
    parent = subprocess.Popen(["python3", "-c", f"import os\nif os.fork(): os.wait()\nelse: {busy}"])
    began = time.monotonic()
    while (spent := cpu_of({"it": [parent.pid]})["it"]) < 0.3:
        assert time.monotonic() < began + 30, f"{spent} s, of which the child has most"
        time.sleep(0.02)
    parent.wait()


def test_process_with_another_name_does_not_count() -> None:
    asleep = subprocess.Popen(["sleep", "60"])
    try:
        assert parent_of(asleep.pid, "postgres") is None
        await_that(lambda: parent_of(asleep.pid, "sleep"))  # the name appears shortly after the start
    finally:
        asleep.kill()
        asleep.wait()
    assert parent_of(asleep.pid, "sleep") is None
