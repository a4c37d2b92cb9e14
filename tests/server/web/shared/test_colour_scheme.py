"""The colour scheme of a browser."""

from __future__ import annotations

import pytest
from flask import Flask

from server.processes.services import Services
from server.store.models import Player
from tests.support.web.client import Browser, logged_in


@pytest.fixture
def browser(app: Flask) -> Browser:
    """A browser without a login."""
    return Browser(app)


@pytest.mark.parametrize(("name", "scheme"), [("light", "light"), ("dark", "dark"), ("contrast", "light dark")])
def test_chosen_colours_apply_to_every_page(browser: Browser, name: str, scheme: str) -> None:
    answer = browser.send("/colours", colours=name)
    assert (answer.status_code, answer.location) == (303, "/colours")
    for address in ("/", "/colours", "/rules/nibble", "/nowhere"):
        page = browser.get(address).text
        assert f'<html lang="en" data-colours="{name}">' in page
        assert f'<meta name="color-scheme" content="{scheme}">' in page


def test_pages_follow_the_device_by_default(browser: Browser) -> None:
    before = browser.get("/verify").text
    assert '<html lang="en">' in before
    assert '<meta name="color-scheme" content="light dark">' in before
    browser.send("/colours", colours="dark")
    browser.send("/colours", colours="")
    assert browser.client.get_cookie("nabu-colours") is None
    assert '<html lang="en">' in browser.get("/verify").text


def test_page_shows_the_chosen_colour_scheme(browser: Browser) -> None:
    browser.send("/colours", colours="dark")
    page = browser.get("/colours").text
    assert page.count('aria-pressed="true"') == 1
    assert 'value="dark" aria-pressed="true"' in page


@pytest.mark.parametrize("written", ["pink", "Dark", None])
def test_unknown_colours_are_refused(browser: Browser, written: str | None) -> None:
    fields = {} if written is None else {"colours": written}
    assert browser.send("/colours", **fields).status_code == 400
    assert browser.client.get_cookie("nabu-colours") is None


def test_unknown_cookie_value_means_the_default(browser: Browser) -> None:
    browser.client.set_cookie("nabu-colours", '"><script>')
    assert '<html lang="en">' in browser.get("/colours").text


def test_colour_scheme_survives_login_and_logout(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    browser.send("/colours", colours="contrast")
    browser.send("/logout")
    assert 'data-colours="contrast"' in browser.get("/").text


def test_cookie_is_sent_only_to_own_pages(browser: Browser) -> None:
    cookie = browser.send("/colours", colours="dark").headers.getlist("Set-Cookie")[0]
    assert cookie.startswith("nabu-colours=dark; ")
    assert {"HttpOnly", "Path=/", "SameSite=Lax", "Max-Age=31536000"} <= set(cookie.split("; "))
