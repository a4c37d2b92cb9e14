"""`nabu bench idle`, short."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from server.bench import idle


@pytest.mark.long
def test_each_process_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle, "SETTLED", 0.0)  # the measured values do not matter here
    shown = CliRunner().invoke(idle.bench_idle, ["--seconds", "1"], catch_exceptions=False).output
    title, *lines = shown.splitlines()
    assert title.split() == ["MiB", "(PSS)", "%", "of", "a", "core", "wakeups/s"]
    values = {line[:16].strip(): [float(each) for each in line[16:].split()] for line in lines}
    serve, web, mail, worker, computers, in_all = values.values()
    assert list(values) == [
        "nabu serve",
        "nabu web",
        "nabu mail",
        "nabu worker",
        "nabu computers",
        "in all",
    ]
    for part, total in enumerate(in_all):
        assert total == pytest.approx(
            sum(each[part] for each in (serve, web, mail, worker, computers)), abs=0.5
        )
    assert in_all[0] > 50
    assert in_all[2] > 0


def test_thread_that_has_just_ended_counts_no_wakeups(tmp_path: Path) -> None:
    status = tmp_path / "status"
    assert idle.wakeups_of(status) == 0
    status.write_text("Name:\tnabu\nvoluntary_ctxt_switches:\t17\nnonvoluntary_ctxt_switches:\t3\n")
    assert idle.wakeups_of(status) == 17
