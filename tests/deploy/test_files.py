"""The examples of how to run it leave anyone who breaks in as little as can be."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.folders import ROOT
from tests.support.missing_programs import fail_or_skip

DEPLOY = ROOT / "deploy"
MISSING = (
    "systemd-analyze is not installed. On Debian or Ubuntu: make test-system (or sudo apt-get install systemd)."
)


@pytest.fixture
def analyze() -> str:
    program = shutil.which("systemd-analyze")
    if program is None:
        fail_or_skip(MISSING)
    return program


@pytest.mark.parametrize("unit", ["nabu.service", "nabu-backup.service", "nabu-alert@.service"])
def test_service_has_no_unneeded_rights(analyze: str, unit: str) -> None:
    command = [analyze, "security", "--offline=true", "--threshold=20", str(DEPLOY / unit)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_service_has_resource_limits_and_private_files() -> None:
    unit = (DEPLOY / "nabu.service").read_text(encoding="utf-8")
    settings = dict(re.findall(r"^(\w+)=(.*)$", unit, re.MULTILINE))
    assert settings["UMask"] == "0077"
    assert settings["ProtectHome"] == "yes"
    assert settings["CapabilityBoundingSet"] == settings["AmbientCapabilities"] == ""
    assert settings["MemoryMax"]
    assert settings["TasksMax"]
    assert "SystemCallFilter=@system-service\n" in unit


def test_service_can_write_to_its_data_folder_but_not_to_its_program() -> None:
    unit = (DEPLOY / "nabu.service").read_text(encoding="utf-8")
    settings = dict(re.findall(r"^(\w+)=(.*)$", unit, re.MULTILINE))
    example = (DEPLOY / "nabu.env.example").read_text(encoding="utf-8")
    [database] = re.findall(r"^NABU_DATABASE_URL=sqlite:///(.+)$", example, re.MULTILINE)
    data = Path("/var/lib") / settings["StateDirectory"]
    assert settings["ProtectSystem"] == "strict"
    assert settings["StateDirectoryMode"] == "0700"
    assert "ReadWritePaths" not in settings
    assert settings["WorkingDirectory"] == str(data)
    assert Path(database).is_relative_to(data)
    named = [word for word in settings["ExecStart"].split() if word.startswith("/")]
    assert len(named) == 2
    assert not any(Path(path).is_relative_to(data) for path in named)


def test_a_failed_backup_sends_an_alert() -> None:
    backup = (DEPLOY / "nabu-backup.service").read_text(encoding="utf-8")
    assert "\nOnFailure=nabu-alert@%n.service\n" in backup
    alert = (DEPLOY / "nabu-alert@.service").read_text(encoding="utf-8")
    [command] = re.findall(r"^ExecStart=/usr/bin/nabu --config \S+ (.*)$", alert, re.MULTILINE)
    assert shlex.split(command)[:2] == ["admin", "alert"]


def test_container_images_are_pinned_by_digest() -> None:
    named = re.findall(r"^FROM (\S+)", (DEPLOY / "Containerfile").read_text(encoding="utf-8"), re.MULTILINE)
    named += re.findall(r"^ +image: (.+)$", (DEPLOY / "compose.yaml").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(named) == 3
    for image in named:
        assert re.search(r":[\w.-]+@sha256:[0-9a-f]{64}$", image), image


def test_containers_have_no_extra_rights_and_limited_resources() -> None:
    shared = (DEPLOY / "compose.yaml").read_text(encoding="utf-8").partition("\nservices:\n")[0]
    for line in (
        "read_only: true",
        "cap_drop: [ALL]",
        'security_opt: ["no-new-privileges:true"]',
        "mem_limit: 1g",
    ):
        assert f"\n  {line}\n" in shared
