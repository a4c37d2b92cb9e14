"""Reply addresses in a player's text do not reach other people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

from flask import Flask

from server.game.log import log
from server.game.spectators import watching
from server.jobs import administrator_report
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from server.store.redaction import ADDRESS
from server.store.tokens import ReplyToken
from tests.support.mail.reply_tokens import tokens_in
from tests.support.server.emails import PLAY, Written, emails_to_watchers, letters, receive
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.web.api_client import api_client
from tests.support.web.client import Browser, logged_in
from tests.support.web.games import Match
from tests.support.web.open_pages import link_on

QUOTED = ReplyToken(1, 0, 54321)
"""A turn for which Nabu itself writes no address, so one that is found comes from a player's text."""


def pasted(services: Services, marker: str) -> str:
    """Return a player's text with an address, plain and percent-encoded."""
    address = f"play+{services.tokens.write(QUOTED)}@games.example.org"
    return f"{marker} <{address}> mailto:{quote(address, safe='')}"


def check(services: Services, texts: Iterable[str], *markers: str) -> None:
    """Assert that the texts arrive and the address does not."""
    found = "\n".join(texts)
    token = services.tokens.write(QUOTED)
    assert token not in tokens_in(services.tokens, found)
    for marker in markers:
        assert re.search(rf"{marker}\s+(<|&lt;){re.escape(ADDRESS)}(>|&gt;)", found), marker


def contents(mailed: Iterable[Written]) -> list[str]:
    """Return all text of letters."""
    return [f"{each.mail['Subject']}\n{each.text}\n{each.html}" for each in mailed]


def reply_address(services: Services, number: int, seat: int) -> str:
    with reading(services.engine) as session:
        turn = session.get_one(Game, number).turn
    return f"play+{services.tokens.write(ReplyToken(number, seat, turn))}@games.example.org"


def people_of(services: Services, number: int) -> list[Player]:
    """Return the players of a game by seat."""
    with reading(services.engine) as session:
        return [player for _, player in log.seats(session, session.get_one(Game, number))]


def test_secrets_are_removed_from_emails(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    """Messages alone and with a move, text beside a move, and notes."""
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    first, second = people_of(services, number)

    def reply(seat: int, text: str) -> None:
        address = reply_address(services, number, seat)
        mailed.extend(receive(services, (first, second)[seat].email, address, text))

    mailed: list[Written] = []
    reply(0, f"say {pasted(services, 'alone')}")
    reply(0, f"c3\nsay {pasted(services, 'moving')}")
    reply(1, f"d4\n\n{pasted(services, 'beside')}")
    reply(1, "send")
    receive(services, first.email, PLAY, "words send")
    reply(0, f"a1\n\n{pasted(services, 'chosen')}")
    reply(0, f"note {pasted(services, 'noted')}")
    check(services, contents(mailed), "alone", "moving", "beside", "chosen")
    pages = [logged_in(app, services, player).get(f"/games/{number}").text for player in (first, second)]
    check(services, pages, "alone", "moving", "beside", "chosen", "noted")


def test_secrets_are_removed_from_private_messages(services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nexus", ann, ben, add_player(services, "cleo@example.org", "Cleo"), players=3)
    first, second, _ = people_of(services, number)
    said = f"tell {second.name}: {pasted(services, 'told')}"
    check(services, contents(receive(services, first.email, reply_address(services, number, 0), said)), "told")


def test_secrets_are_removed_on_pages_and_in_the_api(app: Flask, services: Services, open_game: Match) -> None:
    first, second = people_of(services, open_game.number)
    address, browser = open_game.address, open_game.browsers[0]
    browser.send(f"{address}/say", text=pasted(services, "page"))
    line = {"turn": 0, "part": ["c3"], "comment": pasted(services, "comment")}
    kept = browser.send(f"{address}/variations", **line).location
    browser.send(f"{kept}/share")
    one, other = api_client(app, services, first), api_client(app, services, second)
    one.do(f"/games/{open_game.number}/say", text=pasted(services, "program"))
    one.do(f"/games/{open_game.number}/move", move="c3", turn=1, say=pasted(services, "moving"))
    mailed = [letter for letter in letters(services) if letter.letter != "account_changed"]
    check(services, contents(mailed[-3:]), "page", "moving", "program")
    check(services, [open_game.browsers[1].get(address).text], "page", "moving", "program")
    check(services, [Browser(app).get(link_on(browser.get(kept))).text], "comment")
    said = other.read(f"/games/{open_game.number}/said")["said"]
    check(services, [each["text"] for each in said], "page", "moving", "program")


def test_secrets_are_removed_from_chat_and_reports(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    cleo, dan = add_player(services, "cleo@example.org", "Cleo"), add_player(services, "dan@example.org", "Dan")
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        watching.watch(action, session.get_one(Player, dan.id), str(number))
    receive(services, cleo.email, PLAY, f"say {number} {pasted(services, 'mail')}")
    logged_in(app, services, cleo).send(f"/games/{number}/spectator-message", text=pasted(services, "page"))
    submit(services, number, 0, "c3")
    check(services, contents(emails_to_watchers(services)), "mail", "page")
    browser = logged_in(app, services, dan)
    check(services, [browser.get(f"/games/{number}").text], "mail", "page")
    browser.send(f"/games/{number}/report-spectator", message="1", why=pasted(services, "why"))
    with writing(services.engine) as session:
        administrator_report.notify_administrator(
            ActionContext(session, services.sealer, services.now()), "op@example.org"
        )
    check(services, contents(letters(services)[-1:]), "why", "mail")


def test_secrets_are_removed_from_profiles_and_words_for_luck(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    receive(services, ann.email, PLAY, f"bio {pasted(services, 'bio')[:150]}")
    receive(services, ann.email, PLAY, "challenge Ben nibble")
    receive(services, ben.email, PLAY, f"accept 1\nluck {pasted(services, 'luck')}")
    visitor = Browser(app)
    check(services, [visitor.get("/player/Ann").text], "bio")
    check(services, [visitor.get("/games/1/record.json").text], "luck")


def test_secrets_are_removed_from_words_for_luck_in_open_games(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    receive(services, ann.email, PLAY, "seek nibble")
    receive(services, ben.email, PLAY, f"join 1\nluck {pasted(services, 'luck')}")
    check(services, [Browser(app).get("/games/1/record.json").text], "luck")
