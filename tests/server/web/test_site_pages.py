"""The pages /about, /privacy and /terms, with default texts or those of the administrator."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from server.game.leaving import data_export
from server.processes.services import Services
from server.settings import Settings
from server.store.db import reading
from server.store.models import Player
from tests.support.server.services import settings_for
from tests.support.web.client import Browser, readable

NAMES = ("about", "privacy", "terms")
every_page = pytest.mark.parametrize("name", NAMES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder for the administrator's texts."""
    found = tmp_path / "pages"
    found.mkdir()
    return found


@pytest.fixture
def settings(database_url: str, folder: Path) -> Settings:
    """Settings with a folder for texts, and with numbers that the default texts have to show."""
    return settings_for(
        database_url,
        pages_folder=str(folder),
        administrator="olga@nabu.test",
        mail_domain="nabu.test",
        keep_mail_days="23",
    )


@pytest.fixture
def browser(app: Flask) -> Browser:
    """A browser in which no one is logged in."""
    return Browser(app)


@every_page
def test_every_footer_links_to_each_site_page_with_the_contact_address(browser: Browser, name: str) -> None:
    for address in ("/", "/nowhere"):
        (footer,) = re.findall("<footer.+?</footer>", browser.get(address).text, re.DOTALL)
        assert f'href="/{name}"' in footer
    page = browser.get(f"/{name}")
    assert page.status_code == 200
    assert 'href="mailto:olga@nabu.test"' in page.text
    assert "example.org" not in page.text
    assert "play@nabu.test" in page.text


@every_page
def test_links_of_the_default_text_exist(browser: Browser, name: str) -> None:
    page = browser.get(f"/{name}").text
    (main,) = re.findall("<main.+?</main>", page, re.DOTALL)
    for target in re.findall(r'href="(/[^"]+)"', main):
        path, _, anchor = target.partition("#")
        there = browser.get(path)
        assert there.status_code == (303 if path == "/settings" else 200), target
        assert not anchor or f' id="{anchor}"' in there.text, target


def test_default_contact_is_postmaster(app: Flask, services: Services, settings: Settings) -> None:
    app.extensions["services"] = replace(services, settings=settings.model_copy(update={"administrator": ""}))
    assert "mailto:postmaster@nabu.test" in Browser(app).get("/about").text


def test_privacy_page_shows_the_periods_of_this_server(browser: Browser) -> None:
    said = browser.text("/privacy")
    assert (
        "23 days after the server has handled them; a fingerprint, which recognizes copies, for 365 days"
        in said
    )
    assert "23 days after they were sent" in said
    assert "60 days" in said
    assert "reports its own errors" not in said
    assert "backups are encrypted" not in said


def test_privacy_page_lists_everything_in_the_export(browser: Browser, services: Services, ann: Player) -> None:
    """A new field of the file needs a row of the page, and an entry here."""
    rows = {
        "name": "your name",
        "bio": "the text and the languages in your profile",
        "languages": "the text and the languages in your profile",
        "known_since": "the day when you signed up",
        "email": "email addresses",
        "addresses": "email addresses",
        "settings": "settings",
        "logins": "your logins",
        "passkeys": "passkeys",
        "tokens": "API tokens",
        "kept_away": "blocked, ignored",
        "watched": "watched players",
        "ratings": "ratings",
        "games": "your games",
        "tournaments": "tournaments",
        "words": "your messages in games",
        "spectator_messages": "to spectators",
        "reports": "reports of messages",
        "lines": "saved variations",
    }
    with reading(services.engine) as session:
        data = json.loads(data_export.own_data(session, services.sealer, ann))
    said = browser.text("/privacy")
    assert [field for field in data if field != "format" and rows[field] not in said] == []


@every_page
def test_administrator_can_replace_the_text(browser: Browser, folder: Path, name: str) -> None:
    (folder / f"{name}.md").write_text(
        "\ufeff# Our club\n\nBy **post**: 1 Foo Street. [Privacy](privacy.md)\n", encoding="utf-8"
    )
    page = browser.get(f"/{name}").text
    assert "<title>Our club · Nabu</title>" in page
    assert 'By <strong>post</strong>: 1 Foo Street. <a href="/privacy">Privacy</a>' in page
    assert "olga@nabu.test" not in page
    (folder / f"{name}.md").unlink()
    assert "olga@nabu.test" in browser.get(f"/{name}").text


def test_default_text_can_follow_the_administrators(browser: Browser, folder: Path) -> None:
    (folder / "privacy.md").write_text("Responsible: Olga Foo.\n\n<!-- default -->\n", encoding="utf-8")
    page = browser.get("/privacy")
    said = readable(page)
    assert "<h1>Privacy</h1>" in page.text
    assert said.index("Responsible: Olga Foo.") < said.index("23 days after they were sent")
    assert "default" not in said


@pytest.mark.parametrize(
    "written",
    [
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        "[x](javascript:alert(1))",
        "<!-- a\nlonger comment -->",
        "a <b>bold</b> word",
        '[x](https://nabu.test/" onclick="alert(1))',
    ],
)
def test_html_in_the_text_is_escaped(browser: Browser, folder: Path, written: str) -> None:
    (folder / "terms.md").write_text(f"# Terms\n\n{written}\n", encoding="utf-8")
    page = browser.get("/terms").text
    (main,) = re.findall("<article.+?</article>", page, re.DOTALL)
    tags = set(re.findall(r"<(?!/)[^>]*>", main))
    assert tags <= {'<article class="tablet text help">', "<h1>", "<p>"}, tags


def test_text_in_another_encoding_is_no_error(browser: Browser, folder: Path) -> None:
    (folder / "about.md").write_bytes("# Über uns\n\nGrüße\n".encode("latin-1"))
    assert "Gr\ufffd\ufffde" in browser.get("/about").text
