"""`nabu bench turn`, small."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, text

from server.bench import turn
from server.bench.commands import bench
from server.bench.harness.databases import new_database
from server.bench.harness.processes import Processes, cpu_of
from tests.support.database.postgres import Server

_TURNS = ["turn", "--turns", "3", "--games", "3", "--runs"]
_RATIO = re.compile(
    r"^ +[\d.]+ +[\d.]+ +[\d.]+   the world [\d.]+, mail process [\d.]+, worker process [\d.]+", re.M
)


@pytest.mark.long
def test_turns_are_measured_beside_the_minimum() -> None:
    found = CliRunner().invoke(bench, [*_TURNS, "2"], catch_exceptions=False)
    assert len(_RATIO.findall(found.output)) == 2, found.output
    assert re.search(r"median ratio: \d+\.\d\d", found.output)


@pytest.mark.long
@pytest.mark.slow
def test_turns_are_measured_on_postgresql(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # in new processes, as `nabu bench` starts them
    found = CliRunner().invoke(
        bench, [*_TURNS, "1", "--server", postgres.url("postgres")], catch_exceptions=False
    )
    assert len(_RATIO.findall(found.output)) == 1, found.output


@pytest.mark.long
@pytest.mark.slow
def test_several_processes_need_postgresql() -> None:
    refused = CliRunner().invoke(bench, [*_TURNS, "1", "--processes", "2"])
    assert refused.exit_code == 2
    assert "Several processes need PostgreSQL" in refused.output


def test_several_processes_of_each_kind_play_turns(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, int] = {}

    def cpu(processes: Processes) -> dict[str, float]:
        seen.update({name: len(pids) for name, pids in processes.items()})
        return cpu_of(processes)

    monkeypatch.setattr(turn, "cpu_of", cpu)
    asked = [*_TURNS, "1", "--server", postgres.url("postgres"), "--processes", "2"]
    found = CliRunner().invoke(bench, asked, catch_exceptions=False)
    assert len(_RATIO.findall(found.output)) == 1, found.output
    assert seen == {turn.MAIL_PROCESS: 2, turn.WORKER_PROCESS: 2, "floor process": 1}


def test_database_for_measurements_is_deleted_afterwards(postgres: Server) -> None:
    with new_database(postgres.url("postgres")) as url:
        engine = create_engine(url)
        with engine.connect() as connection:
            name = connection.execute(text("SELECT current_database()")).scalar_one()
        engine.dispose()
    assert name.startswith("nabu_bench_")
    engine = create_engine(postgres.url("postgres"))
    with engine.connect() as connection:
        names = connection.execute(text("SELECT datname FROM pg_database")).scalars().all()
    engine.dispose()
    assert name not in names
