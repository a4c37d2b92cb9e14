"""`nabu admin` and what waits: mails to be handled and to be sent, and domains to which nothing is sent."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner

from server.cli import nabu
from server.processes.services import Services
from tests.server.operating.test_mails import outgoing, put

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(services: Services) -> Run:
    """How a command of `nabu admin` ends, and what it says."""
    given = services.settings.model_dump(include={"secret_key", "mail_domain", "database_url"})
    environment = {f"NABU_{name.upper()}": value for name, value in given.items()}

    def done(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(nabu, ["admin", *arguments], env=environment)
        return result.exit_code, result.output

    return done


def test_a_domain_is_held_listed_and_released(services: Services, run: Run) -> None:
    number = put(services)
    assert run("hold") == (0, "")
    code, said = run("hold", "Example.org", "they refuse us")
    assert (code, "1 mail waits" in said, "nabu admin release example.org" in said) == (0, True, True)
    assert outgoing(services, number) == "held"
    code, said = run("hold")
    assert (code, said.startswith("example.org  since 20")) == (0, True)
    assert said.endswith(" UTC  1 mail waits  they refuse us\n")
    assert run("release", "example.org") == (
        0,
        "example.org gets mail again, beginning with 1 mail that waited, if Nabu is running.\n",
    )
    assert outgoing(services, number) == "queued"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["hold", "example.org"], "Give a reason"),
        (["hold", "nowhere", "why"], "“nowhere” is not a domain"),
        (["release", "example.org"], "example.org is not held"),
    ],
)
def test_what_cannot_be_held_or_released_is_told(run: Run, arguments: list[str], told: str) -> None:
    code, said = run(*arguments)
    assert (code, told in said) == (1, True)
