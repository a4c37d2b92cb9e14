"""The variations that players keep of games, private or shared by link."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from sqlmodel import select
from werkzeug.test import TestResponse

from server.game.log import log
from server.limits import LONGEST_LINE, MOST_VARIATIONS
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player, Variation
from tests.support.server.games import submit
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in, readable
from tests.support.web.games import Match, match
from tests.support.web.open_pages import Board, link_on

LONG = ("c3", "a1", "e5", "e1", "a5", "c1")
COMMENT = "Ask about the corner"
_TOKEN = re.compile(r'name="csrf_token" value="[^"]+"')


def keep(game: Match, *parts: str, seat: int = 0, turn: int = 0, comment: str = COMMENT) -> TestResponse:
    """Keep a line of a game."""
    address = f"{game.address}/variations"
    return game.browsers[seat].send(address, turn=turn, part=list(parts), comment=comment)


def test_line_is_saved_and_opened_again(open_game: Match) -> None:
    board = Board(open_game.browsers[0], f"{open_game.address}/analysis")
    for move in ("c3", "d4", "a1"):
        board.send(pick=move)
    assert "Save as a variation" in board.page.text
    kept = keep(open_game, *board.line)
    assert kept.status_code == 303
    for page in (open_game.address, f"{open_game.address}/analysis", kept.location):
        text = open_game.browsers[0].text(page)
        assert f"From the start: c3 · d4 · a1 {COMMENT}" in text
    opened = Board(open_game.browsers[0], kept.location)
    assert opened.line == ["c3", "d4", "a1"]
    opened = Board(open_game.browsers[0], f"{open_game.address}/analysis")
    assert opened.line == [], "the board itself starts again"


def test_saved_line_is_canonical_and_checked(open_game: Match) -> None:
    keep(open_game, "Place C3", "d4")
    assert "From the start: c3 · d4" in open_game.browsers[0].text(open_game.address)
    for parts in ((), ("c3", "c3")):
        refused = keep(open_game, *parts)
        assert refused.status_code == 422
        assert re.search("There is nothing to keep yet|c3", readable(refused))
    assert len(rows(open_game.services)) == 1


def rows(services: Services) -> list[Variation]:
    with reading(services.engine) as session:
        found = list(session.exec(select(Variation)))
        session.expunge_all()
        return found


def test_each_player_has_their_own_variations(app: Flask, open_game: Match) -> None:
    cleo = logged_in(app, open_game.services, add_player(open_game.services, "cleo@example.org", "Cleo"))
    address = f"{open_game.address}/variations"
    mine = keep(open_game, "c3").location
    hers = cleo.send(address, turn=0, part=["d4"], comment="").location
    assert mine == hers == f"{open_game.address}/variations/1", "the numbers do not show how many others keep"
    assert "d4" not in readable(open_game.browsers[0].get(mine)).partition("Your variations")[2]
    assert "c3" not in cleo.text(hers).partition("Your variations")[2]
    assert open_game.browsers[1].get(mine).status_code == 404
    nobody = Browser(app)
    assert nobody.get(mine).status_code == 303
    assert nobody.send(address, turn=0, part=["d4"]).location == f"/?return={open_game.address}"
    assert "Save this line" not in nobody.send(f"{open_game.address}/analysis", turn=0, part=["c3"]).text


def test_saved_variations_are_private(app: Flask, secret_game: Match) -> None:
    cleo = logged_in(app, secret_game.services, add_player(secret_game.services, "cleo@example.org", "Cleo"))

    def seen() -> list[str]:
        pages = ("", "/analysis", "/record.json", "/variations/1")
        watching = (secret_game.browsers[1], cleo, Browser(app))
        answers = [browser.get(secret_game.address + page) for browser in watching for page in pages]
        return [_TOKEN.sub("", answer.text) for answer in answers]

    before = seen()
    kept = keep(secret_game, "1 d4, 2 f6").location
    secret_game.browsers[0].send(f"{kept}/share")
    assert seen() == before
    assert "1 d4" not in kept
    (row,) = rows(secret_game.services)
    assert not any(b"1 d4" in each or COMMENT.encode() in each for each in (row.sealed, repr(row).encode()))


def test_variation_is_deleted(open_game: Match) -> None:
    first, second = (keep(open_game, move).location for move in ("c3", "d4"))
    assert open_game.browsers[0].send(f"{first}/delete").status_code == 303
    assert open_game.browsers[0].get(first).status_code == 404
    assert open_game.browsers[0].get(second).status_code == 200
    assert open_game.browsers[0].send(f"{first}/delete").status_code == 409
    assert open_game.browsers[1].send(f"{second}/delete").status_code == 409
    assert len(rows(open_game.services)) == 1


def test_number_of_variations_is_limited(open_game: Match) -> None:
    for _ in range(MOST_VARIATIONS):
        assert keep(open_game, *LONG, comment="x" * 2000).status_code == 303
    page = open_game.browsers[0].get(open_game.address)
    assert f"All {MOST_VARIATIONS}" in readable(page)
    assert page.text.count("/variations/") < 10, "the page of the game names the latest alone"
    assert len(open_game.browsers[0].get(f"{open_game.address}/analysis").data) < 60_000
    refused = keep(open_game, "d4")
    assert refused.status_code == 422
    assert f"at most {MOST_VARIATIONS} variations" in readable(refused)
    assert keep(open_game, "c3", comment="x" * 2001).status_code == 422
    assert keep(open_game, "c3", seat=1).status_code == 303


# Links


def test_link_shows_the_variation_until_it_is_withdrawn(app: Flask, open_game: Match) -> None:
    browser = open_game.browsers[0]
    kept = keep(open_game, "c3", "d4", "a1").location
    assert 'readonly value="' not in browser.get(kept).text, "only shared variations have a link"
    browser.send(f"{kept}/share")
    link = link_on(browser.get(kept))
    browser.send(f"{kept}/share")
    assert link_on(browser.get(kept)) == link, "it stays good"
    nobody = Browser(app)
    for step, (empty, full) in enumerate([("c3", ""), ("d4", "c3"), ("a1", "d4"), ("", "a1")]):
        page = nobody.get(f"{link}?step={step}").text
        assert not empty or f"<title>{empty}: empty" in page
        assert not full or f"<title>{full}: empty" not in page
    last = nobody.get(link)
    assert COMMENT in readable(last)
    assert "(changed this turn)" in last.text
    assert nobody.get(f"{link}?step=99").status_code == 200
    assert nobody.get(f"{link}x").status_code == 404
    browser.send(f"{kept}/withdraw")
    assert nobody.get(link).status_code == 404
    browser.send(f"{kept}/share")
    assert link_on(browser.get(kept)) != link, "a revoked link stays revoked"


def test_moves_are_tried_from_any_step_of_a_link(app: Flask, open_game: Match) -> None:
    kept = keep(open_game, "c3", "d4", "a1").location
    open_game.browsers[0].send(f"{kept}/share")
    page = Browser(app).get(f"{link_on(open_game.browsers[0].get(kept))}?step=2").text
    form = page.partition(f'action="{open_game.address}/analysis"')[2].partition("</form>")[0]
    assert re.findall('name="part" value="([^"]+)"', form) == ["c3", "d4"]


def test_orders_of_one_seat_are_shown_as_a_plan(app: Flask, secret_game: Match) -> None:
    kept = keep(secret_game, "1 d4, 2 f6", "A c4, B g6").location
    secret_game.browsers[0].send(f"{kept}/share")
    link = link_on(secret_game.browsers[0].get(kept))
    planned, resolved = (Browser(app).get(f"{link}?step={step}").text for step in (1, 2))
    assert "d4: empty" in planned or "after this move" in planned.lower()
    assert "<title>c4: A" in resolved
    assert "1 d4" not in link


def test_line_may_start_from_a_turn_that_was_taken_back(
    app: Flask, services: Services, open_game: Match
) -> None:
    submit(services, open_game.number, 0, "c3")
    kept = keep(open_game, "d4", turn=1).location
    open_game.browsers[0].send(f"{kept}/share")
    link = link_on(open_game.browsers[0].get(kept))
    for seat in (0, 1):
        open_game.browsers[seat].send(f"{open_game.address}/takeback", turn=2)
    submit(services, open_game.number, 0, "d4")
    for page in (open_game.browsers[0].get(kept), Browser(app).get(link)):
        assert "<title>c3: b, black" in page.text
        assert "<title>d4: w, white" in page.text


def test_line_with_rolled_dice_is_kept_beyond_its_turn(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    game = match(app, services, "nardshir", ann, ben)
    reader = game.browsers[0]
    board = Board(reader, f"{game.address}/analysis")
    (rolled,) = board.line
    assert rolled.startswith("roll ")
    with reading(services.engine) as session:
        stored = session.get_one(Game, game.number)
        (move, *_) = log.rules_of(stored).listing(log.position_of(stored), limit=1)
    board.send(text=move)
    assert board.line == [rolled, move]
    kept = keep(game, *board.line)
    submit(services, game.number, 0, move)
    again = Board(reader, kept.location)
    assert again.line == [rolled, move]
    assert board.send(back="1").status_code == 200, "and so does the line of a page that is still open"
    reader.send(f"{kept.location}/share")
    assert readable(Browser(app).get(link_on(reader.get(kept.location)))).count(move) > 1


def test_unsaved_line_is_not_lost(open_game: Match) -> None:
    for _ in range(MOST_VARIATIONS):
        keep(open_game, "c3")
    refused = keep(open_game, "c3", "d4", comment="Two\r\nlines")
    assert refused.status_code == 422
    assert "at most 30 variations" in readable(refused)
    assert 'name="part" value="d4"' in refused.text
    assert ">Two\nlines</textarea>" in refused.text


def test_illegal_line_is_shown_as_far_as_possible(open_game: Match) -> None:
    refused = keep(open_game, "c3", "d4", "c3")
    assert refused.status_code == 422
    assert re.findall('name="part" value="([^"]*)"', refused.text.partition("</form>")[0])[-2:] == ["c3", "d4"]


def test_line_ends_count_once_in_a_comment(open_game: Match) -> None:
    assert keep(open_game, "c3", comment="a\r\n" * (LONGEST_LINE // 2)).status_code == 303
    refused = keep(open_game, "c3", comment="a" * (LONGEST_LINE + 1))
    assert refused.status_code == 422
    assert f"at most {LONGEST_LINE} characters" in readable(refused)


@pytest.mark.sample(2)
@pytest.mark.both
@pytest.mark.parametrize("what", ["share", "withdraw", "delete"])
def test_missing_variation_cannot_be_changed(open_game: Match, what: str) -> None:
    for number in (7, 10**14):
        answer = open_game.browsers[0].send(f"{open_game.address}/variations/{number}/{what}")
        assert answer.status_code == 409
        assert "This variation has been deleted." in readable(answer)
