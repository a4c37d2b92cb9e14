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
