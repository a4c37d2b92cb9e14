"""Texts from other players are marked as theirs in every email, and contain no links."""

from __future__ import annotations

import re
from html import unescape

from flask import Flask

from server.accounts import profiles
from server.jobs.table import WATCHERS
from server.outbound.letters.tournaments import Tournaments, TournamentSheet
from server.processes.services import Services
from server.store.db import writing
from server.store.letters.letter import About
from server.store.letters.tournaments import (
    AdjudicatedSoon,
    NoPlace,
    PlaceFree,
    RoundBegins,
    TournamentCancelled,
    TournamentOver,
    WaitedInVain,
)
from server.store.models import Player
from server.store.outbox import ActionContext
from server.tournaments import signup
from tests.support.server.emails import PLAY, Written, letters, receive, to_player
from tests.support.server.games import TwoPlayerGame, reply
from tests.support.server.players import add_player, mail_every_turn
from tests.support.web.client import logged_in

MARK = "Verify now at https://evil.example/login"
CUP = "Account suspended evil.example"


def links(html: str, mark: str) -> list[str]:
    """Return all links that contain a player's text or lead to it."""
    return [link for link in re.findall(r"<a\b.*?</a>", html, re.DOTALL) if mark in unescape(link)]


def check(written: Written, mark: str, author: str) -> None:
    """Check that a letter names the author just before each text of a player, and that it is no link."""
    html = re.sub(r"<title.*?</title>|<div style=.display:none.*?</div>", "", written.html, flags=re.DOTALL)
    assert not links(html, mark)
    for said in (written.text, unescape(re.sub(r"<[^>]+>", " ", html)), f"{written.mail['Subject']}"):
        plain = " ".join(re.sub(r"(?m)^\s*\|", "", said).split())
        for found in re.finditer(re.escape(mark), plain):
            before = plain[max(0, found.start() - 60) : found.start()]
            assert re.search(rf"\b{author}\b.{{0,40}}$", before), (written.letter, before)
    assert mark in " ".join(re.sub(r"(?m)^\s*\|", "", written.text).split()), written.letter


def test_messages_and_profiles_name_their_author_and_contain_no_links(app: Flask, services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    mail_every_turn(services)
    first, second = table.players
    for name in ("Eve", "Cleo"):
        add_player(services, f"{name.lower()}@example.org", name)
        receive(services, f"{name.lower()}@example.org", PLAY, f"watch {table.number}")
    check(to_player(second, reply(table, 0, f"say {MARK}")), MARK, first.name)
    check(to_player(second, reply(table, 0, f"c3\nsay {MARK}")), MARK, first.name)
    check(to_player(second, reply(table, 1, "report rude")), MARK, first.name)
    receive(services, "eve@example.org", PLAY, f"say {table.number} {MARK}")
    while WATCHERS.run_next(services.engine, services.sealer, services.now()):
        pass
    told = [each for each in letters(services) if each.letter == "watched" and each.to == "cleo@example.org"]
    check(told[-1], MARK, "Eve")
    with writing(services.engine) as session:
        profiles.write_bio(services.sealer, session.get_one(Player, first.id), MARK)
    check(receive(services, second.email, PLAY, f"who {first.name}")[0], MARK, first.name)
    browser = logged_in(app, services, second)
    for address in (f"/games/{table.number}", f"/player/{first.name}"):
        page = browser.get(address).text
        assert MARK in unescape(page), address
        assert not links(page, MARK), address


def test_tournament_name_stands_beside_its_organiser_and_is_no_link(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    mallory = add_player(services, "mallory@example.org", "Mallory")
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        number = signup.make(action, session.get_one(Player, mallory.id), CUP, "nibble", {}).id or 0
        reader = session.get_one(Player, table.players[0].id)
        for letter in (
            TournamentSheet(number, reader.id or 0),
            Tournaments(reader.id or 0),
            RoundBegins(number, reader.id or 0, 1, 1),
            RoundBegins(number, reader.id or 0, 2, 2),
            TournamentOver(number),
            TournamentCancelled(number),
            NoPlace(number, "swiss", 1),
            PlaceFree(number),
            WaitedInVain(number, over=False),
        ):
            action.put_to_player(reader, letter)
        seat = 0 if table.players[0].id == reader.id else 1
        action.put_to_player(reader, AdjudicatedSoon(number, services.now()), About(table.number, seat))
    about = [each for each in letters(services) if each.to == table.players[0].email][-10:]
    assert len({each.letter for each in about}) == 9
    for each in about:
        check(each, CUP, "Mallory")
