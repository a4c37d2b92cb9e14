"""A Nabu with running processes, and a world of people around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from server.settings import Settings
from tests.support.e2e.mailboxes import Person, World, open_world
from tests.support.e2e.nabu_process import Running, running
from tests.support.machine.mail_servers import dovecot, mailservers, postfix
from tests.support.server.services import (
    clock,
    database_url,
    postgres,
    postgres_template,
    services,
    settings_for,
)
from tests.support.web.chromium import end_all

__all__ = [
    "clock",
    "database_url",
    "dovecot",
    "mailservers",
    "postfix",
    "postgres",
    "postgres_template",
    "services",
]


@pytest.fixture(scope="session", autouse=True)
def _browsers() -> Iterator[None]:
    """Close idle browsers after the last test."""
    yield
    end_all()


@pytest.fixture
def outside() -> Iterator[tuple[World, str]]:
    """The world, and the URL of its mail server."""
    with open_world() as (world, url):
        yield world, url


@pytest.fixture
def world(outside: tuple[World, str]) -> World:
    """The world, which receives every email that Nabu sends."""
    return outside[0]


@pytest.fixture
def settings(database_url: str, outside: tuple[World, str]) -> Settings:
    """Settings for an installation that sends its email to the world."""
    return settings_for(database_url, smtp_url=outside[1], delivery_lease=1, domain_rate=1_000_000)


@pytest.fixture
def nabu(settings: Settings) -> Iterator[Running]:
    """A running Nabu."""
    with running(settings) as process:
        yield process


@pytest.fixture
def person(nabu: Running, world: World, settings: Settings) -> Callable[[str], Person]:
    """A function that creates people: `person("ann@example.org")`."""
    return lambda address: Person(world, address, nabu.listener, settings.mail_domain)
