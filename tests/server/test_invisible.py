"""Text of players contains no invisible characters, by whichever way it comes in."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from sqlmodel import select

from server.processes.services import Services
from server.store.db import reading
from server.store.models import GameMessage, Player, Seat, Tournament
from tests.support.server.emails import receive, reply_address
from tests.support.web.api_client import api_client
from tests.support.web.client import Browser, readable
from tests.support.web.games import Match

HOSTILE = "I \u202eresign\u202c, \u2067Ann\u2069 \u200bwins\u200e 👩\u200d🚀 می\u200cخواهم \x1b[2J"
SEEN = "I resign, Ann wins 👩\u200d🚀 می\u200cخواهم [2J"


def said(services: Services) -> list[str]:
    """Return all messages and notes so far."""
    with reading(services.engine) as session:
        return [services.sealer.open(message.sealed).decode() for message in session.exec(select(GameMessage))]


@pytest.mark.both
def test_invisible_characters_are_removed_by_every_way_in(
    app: Flask, services: Services, ann: Player, open_game: Match
) -> None:
    number, hers = open_game.number, open_game.browsers[0]
    with reading(services.engine) as session:
        seat = session.exec(select(Seat.number).where(Seat.player_id == ann.id)).one()
    hers.send(f"{open_game.address}/say", turn=1, text=HOSTILE)
    program = api_client(app, services, ann)
    program.do(f"/games/{number}/say", text=HOSTILE)
    address = reply_address(services, number, seat, 1)
    html = 'Content-Type: text/html; charset="utf-8"\r\n'
    receive(services, ann.email, address, f"say {HOSTILE}", "Content-Type: text/plain; charset=utf-8\r\n")
    receive(services, ann.email, address, f"<p>note {HOSTILE.replace(chr(0x202E), '&#8238;')}</p>", html)
    assert said(services) == [SEEN] * 4
    program.do(f"/games/{number}/say", text="\u202e")
    assert said(services)[4:] == ["\N{REPLACEMENT CHARACTER}"], "a text that the document allows is taken"
    receive(services, ann.email, "play@games.example.org", "tournament Spr\u202eing Cup nibble")
    with reading(services.engine) as session:
        assert [each.name for each in session.exec(select(Tournament))] == ["Spring Cup"]


def test_text_of_records_is_shown_without_invisible_characters(app: Flask, open_game: Match) -> None:
    record = json.loads(open_game.browsers[0].get(f"{open_game.address}/record.json").text)
    record.pop("proof", None)
    record["seats"] = [f"Eve{HOSTILE}", "Ben"]
    page = Browser(app).send("/verify", record=json.dumps(record))
    assert "\u202e" not in page.text
    assert f"Eve{SEEN}" in readable(page)
