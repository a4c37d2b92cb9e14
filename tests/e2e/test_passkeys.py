"""Passkeys in a real browser, with a virtual device of Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from sqlmodel import select

from server.processes.services import Services, open_services
from server.store.db import reading
from server.store.models import Passkey
from server.web import create_app
from tests.support.machine.ports import free_port
from tests.support.server.players import add_player
from tests.support.server.services import settings_for, sqlite_database
from tests.support.web.chromium import Reader, lent, log_in, serving

_DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}
_LIST = "/settings/logins"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Services with pages at an address where browsers support passkeys."""
    port = free_port()
    listen, address = f"127.0.0.1:{port}", f"http://localhost:{port}"
    opened = open_services(settings_for(sqlite_database(tmp_path), base_url=address, http_listen=listen))
    with serving(create_app(opened), listen):
        yield opened
    opened.engine.dispose()


@pytest.fixture
def ann(services: Services) -> Iterator[Reader]:
    """A person with a browser, who has just logged in."""
    with lent(scripts=True) as driver:
        reader = Reader(driver, services.settings.base_url)
        log_in(reader, services, add_player(services, "ann@example.org", "Ann"))
        yield reader


@pytest.fixture
def device(ann: Reader) -> dict[str, str]:
    """The number of the virtual device in Chromium."""
    ann.driver.execute_cdp_cmd("WebAuthn.enable", {})
    called: dict[str, str] = ann.driver.execute_cdp_cmd(
        "WebAuthn.addVirtualAuthenticator", {"options": _DEVICE}
    )
    return called


def add(reader: Reader, name: str) -> None:
    """Add a passkey."""
    reader.open(_LIST)
    reader.write("passkey-name", name)
    reader.press("Add a passkey")


def leave(reader: Reader) -> None:
    """Log out."""
    reader.open("/settings")
    reader.press("Log out")
    assert "Log in" in reader.text


@pytest.mark.long
@pytest.mark.usefixtures("device")
def test_passkey_is_added_used_and_removed(ann: Reader, services: Services) -> None:
    add(ann, "This computer")
    assert "You can now log in with the passkey “This computer”." in ann.text
    assert "not used yet" in ann.text
    for count in (2, 3):
        leave(ann)
        ann.press("Log in with a passkey")
        assert "Your games" in ann.text
        with reading(services.engine) as session:
            assert session.exec(select(Passkey.sign_count)).all() == [count]
    ann.open(_LIST)
    ann.press("Remove This computer")
    assert "not used yet" not in ann.text
    leave(ann)
    ann.press("Log in with a passkey")
    assert "That passkey is unknown here" in ann.text
    assert ann.complaints() == []


@pytest.mark.long
def test_page_shows_a_refusal_by_the_device_and_changes_nothing(
    ann: Reader, device: dict[str, str], services: Services
) -> None:
    add(ann, "Phone")
    ann.write("passkey-name", "Once more")
    ann.find(By.CSS_SELECTOR, "#passkey button").click()
    ann.await_text("No passkey was added. This device may already have a passkey for your account.")
    leave(ann)
    ann.driver.execute_cdp_cmd("WebAuthn.clearCredentials", device)
    ann.find(By.CSS_SELECTOR, "#passkey button").click()
    ann.await_text("You were not logged in. Try again, or log in by email.")
    with reading(services.engine) as session:
        assert session.exec(select(Passkey.name)).all() == ["Phone"]


def test_page_without_scripts_says_that_passkeys_need_them(services: Services) -> None:
    with lent() as driver:
        reader = Reader(driver, services.settings.base_url)
        reader.open("/")
        assert "require JavaScript in your browser; the link does not." in reader.text
        assert "Log in with a passkey" not in reader.text
        log_in(reader, services, add_player(services, "ann@example.org", "Ann"))
        reader.open(_LIST)
        assert "To add a passkey, enable JavaScript in your browser." in reader.text
        assert "Add a passkey" not in reader.text
