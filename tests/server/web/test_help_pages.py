"""Help for players: one index, linked from every page."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from server.processes.services import Services
from tests.support.web.client import Browser


@pytest.mark.parametrize("address", ["/", "/nowhere", "/lobby", "/rules/nibble"])
def test_every_page_links_to_the_help_at_its_top_and_at_its_end(app: Flask, address: str) -> None:
    page = Browser(app).get(address).text
    for part in ("header", "footer"):
        (found,) = re.findall(rf"<{part}.+?</{part}>", page, re.DOTALL)
        assert 'href="/help"' in found, part


def test_the_index_names_the_email_address_of_this_server(app: Flask, services: Services) -> None:
    assert f'href="mailto:{services.settings.plain_address}"' in Browser(app).get("/help").text


@pytest.mark.parametrize(
    ("address", "title"),
    [
        ("/nowhere", "Page not found"),
        ("/games/99", "Page not found"),
        ("/logout", "This page does not accept such requests"),
    ],
)
def test_error_pages_lead_to_the_help(app: Flask, address: str, title: str) -> None:
    page = Browser(app).get(address)
    assert f"<h1>{title}</h1>" in page.text
    (main,) = re.findall(r"<main.+?</main>", page.text, re.DOTALL)
    assert 'href="/help"' in main
