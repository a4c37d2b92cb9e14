"""Metrics, access to them, and the alert rules and the dashboard, which use only existing metrics."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families

from server.monitoring import metrics
from server.processes.services import Services
from server.store.models import Player
from server.web import create_app
from tests.support.e2e.mailboxes import Person, open_world, text_of
from tests.support.folders import ROOT
from tests.support.machine.ports import free_ports
from tests.support.machine.waiting import await_port
from tests.support.missing_programs import fail_or_skip
from tests.support.server.emails import letters, receive
from tests.support.server.games import begin, submit
from tests.support.server.services import sqlite_database
from tests.support.web.client import Browser

PROMETHEUS = ROOT / "deploy" / "prometheus"
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def parsed(text: str) -> Samples:
    """Return the samples, read by the official parser."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(found: Samples, name: str, **labels: str) -> float:
    """Return the sum of the samples with these labels."""
    return sum(
        each for (named, has), each in found.items() if named == name and labels.items() <= dict(has).items()
    )


def test_turns_are_counted_when_they_are_stored(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    before = parsed(Browser(app).get("/metrics").text)
    game = begin(services, "nebuchadnezzar", ann, ben, size=5)
    submit(services, game, 0, "c3")
    with pytest.raises(Exception, match="holds an enemy disc"):
        submit(services, game, 1, "c3")
    after = parsed(Browser(app).get("/metrics").text)
    name = "nabu_turns_total"
    assert value(after, name, game_type="nebuchadnezzar") - value(before, name, game_type="nebuchadnezzar") == 1
    requests = "nabu_request_seconds_count"
    assert value(after, requests, route="metrics.show") > value(before, requests, route="metrics.show")
    assert value(after, "nabu_statement_seconds_count", verb="insert") > 0


def test_rolled_back_turn_is_not_counted(
    app: Flask, services: Services, ann: Player, ben: Player, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    before = parsed(Browser(app).get("/metrics").text)
    begin(services, "nebuchadnezzar", ann, ben, size=5)
    [report] = [each for each in letters(services) if "Your move." in each.words]
    [answer] = receive(services, report.to, str(report.mail["Reply-To"]), "c3\nclaim")
    assert answer.letter == "refusal"
    assert "Nothing was played" in answer.words
    after = parsed(Browser(app).get("/metrics").text)
    name = "nabu_turns_total"
    assert value(after, name, game_type="nebuchadnezzar") == value(before, name, game_type="nebuchadnezzar")
    mails = {"name": "nabu_mails_total", "way": "smtp", "end": "refused"}
    assert value(after, **mails) - value(before, **mails) == 1
    assert "turn" not in [record.getMessage() for record in caplog.records]


def test_metrics_are_only_for_this_machine(app: Flask, services: Services) -> None:
    browser = Browser(app)
    assert browser.get("/metrics").status_code == 200
    for headers in (
        {"X-Forwarded-For": "203.0.113.7"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"Host": "games.example.org"},
        {"Authorization": "Bearer "},
    ):
        status = browser.client.get("/metrics", headers=headers).status_code
        assert status == {"X-Forwarded-For": 404, "Host": 400, "Authorization": 200}[next(iter(headers))]


def test_metrics_are_readable_with_the_token(services: Services) -> None:
    settings = services.settings.model_copy(update={"metrics_token": "correct-horse"})
    object.__setattr__(services, "settings", settings)
    browser = Browser(create_app(services))
    assert browser.get("/metrics").status_code == 404
    for given, status in (("correct-horse", 200), ("wrong", 404), ("", 404)):
        found = browser.client.get(
            "/metrics",
            headers={"Authorization": f"Bearer {given}", "X-Forwarded-For": "203.0.113.7"},
        )
        assert found.status_code == status


def test_number_of_domains_in_metrics_is_limited() -> None:
    labels = {metrics.domain_label(f"domain{number}.example") for number in range(1000)}
    assert len(labels) <= 51
    assert "other" in labels


def names(text: str) -> set[str]:
    return set(re.findall(r"\bnabu_[a-z_]+", text))


def test_rules_and_dashboard_use_existing_metrics(app: Flask) -> None:
    told = {name for name, _ in parsed(Browser(app).get("/metrics").text)}
    told |= {
        "nabu_mails_total",
        "nabu_turns_total",
        "nabu_deliveries_total",
        "nabu_deadlines_total",
        "nabu_started_seconds",
        "nabu_disk_free_bytes",  # only with SQLite
    }
    board = (ROOT / "deploy/grafana/nabu.json").read_text(encoding="utf-8")
    queries = " ".join(target["expr"] for panel in json.loads(board)["panels"] for target in panel["targets"])
    rules = (PROMETHEUS / "alerts.yml").read_text(encoding="utf-8")
    assert names(queries) <= told
    assert names(rules) <= told
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    listed = names(page.partition("## Metrics")[2].partition("\n## ")[0])
    assert {name.removesuffix("_total") for name in listed} == {
        re.sub(r"_(total|created|bucket|count|sum)$", "", name) for name in told
    }


@pytest.fixture
def promtool() -> str:
    found = shutil.which("promtool")
    if found is None:
        missing = (
            "promtool is not installed. On Debian or Ubuntu: make test-system (or apt-get install prometheus)."
        )
        fail_or_skip(missing)
    return found


@pytest.mark.slow
def test_alert_rules_fire_when_they_should(promtool: str) -> None:
    for command in (["check", "config", "prometheus.yml"], ["test", "rules", "alerts.test.yml"]):
        done = subprocess.run([promtool, *command], cwd=PROMETHEUS, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def served(folder: Path, relay: str) -> Iterator[tuple[int, int]]:
    """`nabu serve`, with the ports of its pages and of its listener."""
    web, smtp = free_ports(2)
    settings = {
        "SECRET_KEY": "k" * 32,
        "MAIL_DOMAIN": "games.example.org",
        "DATABASE_URL": sqlite_database(folder),
        "CHECK_SENDERS": "false",
        "HTTP_LISTEN": f"127.0.0.1:{web}",
        "SMTP_LISTEN": f"127.0.0.1:{smtp}",
        "SMTP_URL": relay,
        "LOG_FORMAT": "json",
    }
    with (folder / "log").open("w") as log:
        nabu = subprocess.Popen(
            [sys.executable, "-m", "server", "serve"],
            env={**os.environ, **{f"NABU_{name}": text for name, text in settings.items()}},
            stderr=log,
        )
        try:
            await_port(web)
            await_port(smtp)
            yield web, smtp
        finally:
            nabu.terminate()
            nabu.wait(60)


@pytest.mark.long
@pytest.mark.slow
def test_metrics_cover_all_processes(tmp_path: Path) -> None:
    with open_world() as (world, relay), served(tmp_path, relay) as (web, smtp):
        ann = Person(world, "ann@example.net", ("127.0.0.1", smtp), "games.example.org")
        ann.write("register Ann")
        assert "Welcome, Ann." in text_of(ann.next())
        deadline = time.monotonic() + 100
        while True:
            with urllib.request.urlopen(f"http://127.0.0.1:{web}/metrics") as answer:
                found = parsed(answer.read().decode())
            started = {dict(has)["process"] for name, has in found if name == "nabu_started_seconds"}
            taken = value(found, "nabu_deliveries_total", domain="example.net", outcome="taken")
            handled = value(found, "nabu_mails_total", way="smtp", end="done")
            if taken and handled and started == {"web", "mail", "worker", "computers"}:
                break
            assert time.monotonic() < deadline, found
            time.sleep(0.1)
        assert handled == 1
        assert value(found, "nabu_inbox_age_seconds") == 0
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    events = {line["event"]: line for line in lines}
    assert (events["mail"]["way"], events["mail"]["end"]) == ("smtp", "done")
    assert events["delivery"]["outcome"] == "taken"
    assert "ann@" not in json.dumps(lines), "an address in the log"
