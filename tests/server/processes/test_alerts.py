"""Alerts: each problem is sent once, by other channels than email, and again when it is resolved."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path

import pytest

from server.jobs import downtime
from server.processes.alerts import Alarm, alert_sender
from server.processes.services import Services, open_services
from tests.support.server.services import Clock
from tests.support.web.webhook_receiver import webhook_receiver


class Told(list[str]):
    """The alerts that the administrator got, and whether sending succeeds."""

    takes = True

    def __call__(self, text: str) -> bool:
        if self.takes:
            self.append(text)
        return self.takes


@pytest.fixture
def told() -> Told:
    return Told()


def beat(services: Services) -> None:
    downtime.beat(services.engine, services.now())
    downtime.beat_mail(services.engine, services.now())


def test_problem_is_reported_once_and_when_it_is_resolved(services: Services, clock: Clock, told: Told) -> None:
    alarm = Alarm(services, told)
    beat(services)
    alarm.look()
    clock.advance(minutes=9)
    for _ in range(4):
        alarm.look()
    assert told == [
        "worker: no worker has run for 9 minutes\nmail in: no process has accepted mail for 9 minutes"
    ]
    beat(services)
    alarm.look()
    alarm.look()
    assert told[1:] == ["mail in: resolved\nworker: resolved"]
    clock.advance(minutes=9)
    alarm.look()
    alarm.look()
    assert len(told) == 3, "a problem that returns is reported again"


def test_alert_that_no_channel_accepted_is_sent_again(services: Services, clock: Clock, told: Told) -> None:
    alarm = Alarm(services, told, only=("worker",))
    beat(services)
    clock.advance(minutes=9)
    told.takes = False
    for _ in range(3):
        alarm.look()
    told.takes = True
    alarm.look()
    assert told == ["worker: no worker has run for 9 minutes"]


def test_short_problem_is_not_reported(services: Services, clock: Clock, told: Told) -> None:
    alarm = Alarm(services, told)
    for _ in range(3):
        clock.advance(minutes=9)
        alarm.look()
        beat(services)
        alarm.look()
    assert told == []


def test_alarm_reports_only_the_selected_problems(services: Services, clock: Clock, told: Told) -> None:
    alarm = Alarm(services, told, only=("mail in",))
    beat(services)
    clock.advance(minutes=9)
    alarm.look()
    alarm.look()
    assert told == ["mail in: no process has accepted mail for 9 minutes"]


def test_silent_database_is_reported(services: Services, told: Told) -> None:
    beat(services)
    nowhere = services.settings.model_copy(update={"database_url": "postgresql+psycopg://nobody@127.0.0.1:1/x"})
    with closing(open_services(nowhere, services.now)) as broken:
        alarm = Alarm(broken, told)
        alarm.look()
        alarm.look()
        assert told == ["database: it does not answer"]
        alarm._services = services
        alarm.look()
    assert told[1:] == ["database: resolved"]


@pytest.mark.slow
def test_alert_is_sent_by_address_and_by_command(
    services: Services, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "told"
    script = f"import sys; open({str(file)!r}, 'w').write(sys.stdin.read())"
    with webhook_receiver() as (port, posted):
        given = {"alert_urls": f"json://127.0.0.1:{port}/", "alert_command": f'{sys.executable} -c "{script}"'}
        tell = alert_sender(services.settings.model_copy(update=given))
        assert tell is not None
        tell("worker: gone")
    assert json.loads(posted[0])["message"] == "worker: gone"
    assert file.read_text() == "worker: gone\n"
    assert "NABU_ALERT" not in caplog.text
    tell("worker: gone")
    assert "some services in NABU_ALERT_URLS did not accept an alert" in caplog.text


def test_failing_command_is_logged(services: Services, caplog: pytest.LogCaptureFixture) -> None:
    for command in ("false", "/nowhere/to/be/found"):
        tell = alert_sender(services.settings.model_copy(update={"alert_command": command}))
        assert tell is not None
        tell("worker: gone")
    assert caplog.text.count("NABU_ALERT_COMMAND failed to send an alert") == 2


def test_no_alert_without_settings(services: Services) -> None:
    assert alert_sender(services.settings) is None
