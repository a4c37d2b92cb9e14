"""The setting for notifications in other services on the page of a game."""

from __future__ import annotations

import re

from flask import Flask
from sqlmodel import select

from server.processes.services import Services
from server.store.db import writing
from server.store.models import Channel, Player
from tests.support.web.client import logged_in, readable
from tests.support.web.games import Match
from tests.support.web.push_service import Device, allow, allowed


def test_page_shows_the_channel_only_to_its_player(open_game: Match) -> None:
    ann, ben = open_game.browsers
    assert "Now: as in your settings." in ann.text(open_game.address)
    answer = ann.send(f"{open_game.address}/notify", where="https://ntfy.sh/quince-4711")
    assert answer.status_code == 303
    page = ann.get(open_game.address)
    assert "Now: ntfy." in readable(page)
    assert "quince" not in page.text, "anyone who knows the address can write there"
    assert "Now: as in your settings." in ben.text(open_game.address)
    ann.send(f"{open_game.address}/notify", where="off")
    assert "Now: as in your settings." in ann.text(open_game.address)


def test_invalid_address_is_explained_and_kept(open_game: Match) -> None:
    written = "https://discord.com/channels/123/456"
    wrong = open_game.browsers[0].send(f"{open_game.address}/notify", where=written)
    assert wrong.status_code == 422
    assert "https://discord.com/api/webhooks/ID/TOKEN" in readable(wrong)
    assert f'value="{written}"' in wrong.text
    assert "<details open>" in wrong.text.partition('id="mail-title"')[2]


def test_undecryptable_browser_can_be_removed(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    allow(browser, services, Device("https://push.example.com/send/abc"))
    with writing(services.engine) as session:
        session.exec(select(Channel)).one().sealed = b"nothing"
    page = browser.get("/settings")
    assert page.status_code == 200
    found = re.search(r'name="browser" value="(\d+)"', page.text)
    assert found is not None
    browser.send("/settings/browsers/remove", browser=found[1])
    assert allowed(services) == {}
