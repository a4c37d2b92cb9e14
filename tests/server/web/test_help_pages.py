"""Help for players: pages in this server's own addresses, one index, linked from every page."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask import Flask

from rules.registry import RULES
from server.markdown import as_html, contents
from server.settings import Settings
from server.web.shared.documents import HELP
from tests.support.folders import ROOT
from tests.support.server.services import settings_for
from tests.support.web.client import Browser

every_page = pytest.mark.parametrize("name", HELP)
_TARGET = re.compile(r'<a [^>]*?href="([^"]+)"')


@pytest.fixture
def settings(database_url: str) -> Settings:
    """Settings of a server with addresses of its own."""
    return settings_for(
        database_url, mail_domain="nabu.test", mail_name="board", base_url="https://games.nabu.test"
    )


@pytest.fixture
def browser(app: Flask) -> Browser:
    """A browser in which no one is logged in."""
    return Browser(app)


def main_of(browser: Browser, address: str) -> str:
    """Return the content of a page, without its header and footer."""
    answer = browser.get(address)
    assert answer.status_code == 200, address
    (found,) = re.findall(r"<main.+?</main>", answer.text, re.DOTALL)
    return str(found)


@pytest.mark.parametrize("address", ["/", "/nowhere", "/lobby", "/rules/nibble"])
def test_every_page_links_to_the_help_at_top_and_bottom(browser: Browser, address: str) -> None:
    page = browser.get(address).text
    for part in ("header", "footer"):
        (found,) = re.findall(rf"<{part}.+?</{part}>", page, re.DOTALL)
        assert 'href="/help"' in found, part


def test_playing_by_email_is_two_clicks_from_the_home_page(browser: Browser) -> None:
    first = _TARGET.findall(browser.get("/").text)
    second = {
        link for page in first if page.startswith("/") for link in _TARGET.findall(browser.get(page).text)
    }
    assert "/help/playing-by-email" in second
    assert "To: board@nabu.test\n\nregister Ann" in main_of(browser, "/help/playing-by-email")


def test_index_links_to_every_page_and_all_rules(browser: Browser) -> None:
    index = main_of(browser, "/help")
    found = set(_TARGET.findall(index))
    assert {f"/help/{name}" for name in HELP} < found
    assert {f"/rules/{name}" for name in RULES} < found
    assert "mailto:board@nabu.test" in found


@every_page
def test_each_page_has_its_title_and_links_to_its_sections(browser: Browser, name: str) -> None:
    page = main_of(browser, f"/help/{name}")
    assert len(re.findall("<h1", page)) == 1
    document = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for heading, anchor in contents(document):
        assert f'<a href="#{anchor}">{heading}</a>' in unescape(page)
    assert "&lt;!--" not in page


@pytest.mark.parametrize("address", ["/help", *(f"/help/{name}" for name in HELP)])
def test_examples_have_the_addresses_of_this_server(browser: Browser, address: str) -> None:
    page = main_of(browser, address)
    for foreign in ("example.org", "play@", "play+", "DOMAIN", "127.0.0.1"):
        assert foreign not in page


@pytest.mark.parametrize("address", ["/help", "/verify/how", *(f"/help/{name}" for name in HELP)])
def test_no_link_is_broken(browser: Browser, address: str) -> None:
    page = main_of(browser, address)
    for target in {unescape(target) for target in _TARGET.findall(page)}:
        path, _, anchor = target.partition("#")
        if path.startswith(("mailto:", "https:")):
            continue
        assert path in ("", "/help") or path.startswith("/"), f"{target} is no address of this site"
        there = main_of(browser, path) if path else page
        assert not anchor or f' id="{anchor}"' in there, target


@pytest.mark.parametrize("address", ["/help", "/verify/how", *(f"/help/{name}" for name in HELP)])
def test_each_anchor_is_on_its_page_once(browser: Browser, address: str) -> None:
    found = re.findall(r' id="([^"]+)"', browser.get(address).text)
    assert len(found) == len(set(found))


@pytest.mark.parametrize("name", ["operating", "mail", "settings", "../README", "rules/nibble", ""])
def test_documents_for_others_are_no_help_pages(browser: Browser, name: str) -> None:
    assert browser.get(f"/help/{name}").status_code == 404


@every_page
def test_documents_link_players_only_to_documents_for_players(name: str) -> None:
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    targets = {target.partition("#")[0] for target in re.findall(r"\]\((?!https:)([^)]+)\)", page)}
    assert targets <= {
        "",
        "verify.md",
        *(f"{each}.md" for each in HELP),
        *(f"rules/{each}.md" for each in RULES),
    }


@every_page
def test_example_is_above_the_first_section(name: str) -> None:
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    assert "\n```\n" in page[:1500]


@pytest.mark.parametrize(
    ("address", "title"),
    [
        ("/nowhere", "Page not found"),
        ("/games/99", "Page not found"),
        ("/logout", "This page does not accept such requests"),
    ],
)
def test_error_pages_link_to_the_help(browser: Browser, address: str, title: str) -> None:
    page = browser.get(address)
    assert f"<h1>{title}</h1>" in page.text
    (main,) = re.findall(r"<main.+?</main>", page.text, re.DOTALL)
    assert 'href="/help"' in main


def test_headings_have_the_anchors_of_github() -> None:
    page = "# Reports & `who`, twice\n\n## A b\n\n## A b\n\n[x](y#a-b-1) <b>bold</b>\n<!-- a comment -->\n"
    assert as_html(page, link=str.upper) == (
        '<h1 id="reports--who-twice">Reports &amp; <code>who</code>, twice</h1>\n<h2 id="a-b">A b</h2>\n'
        '<h2 id="a-b-1">A b</h2>\n<p><a href="Y#A-B-1">x</a> &lt;b&gt;bold&lt;/b&gt;</p>\n'
    )
