"""The page of a game: actions besides moves, and the proof of fair play."""

from __future__ import annotations

import json
import re
from random import Random

import pytest
from flask import Flask
from lxml.html import document_fromstring, tostring  # type: ignore[import-untyped]
from werkzeug.test import TestResponse

from rules.records.record import Record, replay
from rules.registry import RULES
from server.game.log import log
from server.processes.services import Services
from server.store.models import Player
from server.web.game.page import PARTS_HEADER
from tests.support.counting import statements
from tests.support.server.games import submit
from tests.support.server.players import add_player
from tests.support.server.ratings import count_all, play_one
from tests.support.web.client import Browser, logged_in, readable
from tests.support.web.games import Match, match

_BLUE, _GREEN = "#2f62c4", "#2c7a3a"
"""Colours of marbles."""


def _bar(page: str) -> str:
    """Return the text of the action bar, without its buttons."""
    (text,) = document_fromstring(page).xpath("//*[@id='move']//p[starts-with(@class, 'move-text')]")
    return str(text.text_content())


def test_resignation_needs_confirmation(open_game: Match) -> None:
    page = open_game.browsers[0].get(f"{open_game.address}/resign")
    assert "Resign?" in readable(page)
    assert open_game.game().state == "running"
    open_game.browsers[0].send(f"{open_game.address}/resign", turn=1)
    assert open_game.game().state == "over"
    assert "the other side resigned" in open_game.browsers[1].text(open_game.address)
    late = open_game.browsers[1].send(f"{open_game.address}/move", turn=2, text="c3")
    assert "is over" in readable(late)


def test_last_turn_is_reported_where_the_next_move_is_made(open_game: Match) -> None:
    """On a phone, the story of the turn is below the first screen."""
    first, second = (browser.get for browser in open_game.browsers)
    assert _bar(first(open_game.address).text) == "Pick a place on the board."
    open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text="c3")
    said = [f"{name} played c3. Pick a place on the board." for name in ("Ann", "Ben")]
    assert _bar(second(open_game.address).text) in said
    open_game.browsers[1].send(f"{open_game.address}/move", turn=2, text="swap")
    said = [f"{name} swapped colours. Pick a place on the board." for name in ("Ann", "Ben")]
    assert _bar(first(open_game.address).text) in said
    assert "Crosses: places that cannot be picked." in open_game.browsers[0].text(open_game.address)


def test_pick_without_an_alternative_is_not_shown_as_the_players_own(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    game = match(app, services, "nexus", ann, ben)
    page = game.browsers[0].get(game.address).text
    assert _bar(page) == "Add three marbles."
    assert "The move so far" not in page
    assert 'data-act="back"' not in page
    page = game.browsers[0].send(f"{game.address}/try", turn=1, pick=["add", "m13"]).text
    assert _bar(page) == "Add three marbles, marble 1 of 3 on m13"
    assert 'data-act="back"' in page
    page = game.browsers[0].send(f"{game.address}/try", turn=1, pick=["add"]).text
    assert 'data-act="back"' not in page


def test_page_says_what_happens_after_the_deadline(
    app: Flask, services: Services, ann: Player, ben: Player, open_game: Match
) -> None:
    untimed = match(app, services, "nebuchadnezzar", ann, ben, size=5, time="none")
    said = [
        document_fromstring(each.browsers[0].get(each.address).text)
        .get_element_by_id("deadline")
        .text_content()
        for each in (open_game, untimed)
    ]
    assert "Your deadline is " in said[0]
    assert "A player who is later than that loses" in said[0]
    assert said[1] == "There is no deadline."
    assert 'id="deadline"' not in open_game.browsers[1].get(open_game.address).text


def test_secrecy_of_orders_is_explained_where_they_are_given(secret_game: Match) -> None:
    words = "You can replace them until all orders are opened."
    assert f"until all players have sealed theirs. {words}" in secret_game.browsers[0].text(secret_game.address)
    secret_game.browsers[0].send(f"{secret_game.address}/move", turn=1, text="1 d4, 2 f6")
    assert f"Only you can see your sealed orders. {words}" in secret_game.browsers[0].text(secret_game.address)


def test_places_to_move_to_and_to_destroy_have_different_frames(secret_game: Match) -> None:
    for browser, orders in zip(secret_game.browsers, ("1 c5, 2 e5", "A h1, B h3"), strict=True):
        browser.send(f"{secret_game.address}/move", turn=1, text=orders)
    sentence = "Solid frames: places to move to. Dashed frames: places to destroy."
    first = secret_game.browsers[0]
    assert sentence not in first.text(secret_game.address)
    page = first.send(f"{secret_game.address}/try", turn=2, pick="1")
    assert sentence in readable(page)
    drawn = document_fromstring(page.text)
    frames = {door.get("data-pick"): door.xpath("use/@href") for door in drawn.xpath("//svg/g[@class='door']")}
    dashed = {f"#{name}" for name in drawn.xpath("//defs/g[.//@stroke-dasharray]/@id")}
    assert {pick for pick, shapes in frames.items() if dashed.intersection(shapes)} == {"n", "e", "s", "w"}
    assert {"ne", "nw"} < frames.keys()


def test_two_of_three_players_play_on(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    cleo = add_player(services, "cleo@example.org", "Cleo")
    game = match(app, services, "nexus", ann, ben, cleo, players=3)
    game.browsers[1].send(f"{game.address}/resign", turn=1)
    assert game.game().state == "running"
    assert "resigned" in Browser(app).text(game.address)
    again = game.browsers[1].send(f"{game.address}/resign", turn=game.game().turn)
    assert again.status_code == 422
    page = game.browsers[1].text(game.address)
    assert "Resign" not in page
    assert "you, Blue out " in page
    assert game.lines() == [{"seat": 1, "leave": "resigned"}]


def test_draw_is_offered_and_accepted(app: Flask, open_game: Match) -> None:
    page = open_game.browsers[1].text(open_game.address)
    assert "Offer a draw" in page
    assert "Your opponent has to agree to a draw. Otherwise" in page
    open_game.browsers[0].send(f"{open_game.address}/draw", turn=1)
    assert "Offer a draw" not in open_game.browsers[0].text(open_game.address)
    page = open_game.browsers[1].get(open_game.address).text
    (answer,) = re.findall(r'<section class="status urgent answers".*?</section>', page, re.DOTALL)
    assert "Accept the draw" in answer
    assert page.count("Accept the draw") == 1
    assert "offers a draw" in open_game.browsers[1].text(open_game.address)
    assert "offers a draw" not in Browser(app).text(open_game.address)
    open_game.browsers[1].send(f"{open_game.address}/draw", turn=1)
    assert "a draw was agreed" in Browser(app).text(open_game.address)


def test_move_is_taken_back_when_the_opponent_agrees(app: Flask, open_game: Match) -> None:
    ask, agree = "Ask for a takeback", "Agree to the takeback"
    open_game.browsers[0].send(f"{open_game.address}/move", turn=1, text="c3")
    assert ask in open_game.browsers[0].text(open_game.address)
    assert ask not in open_game.browsers[1].text(open_game.address)
    open_game.browsers[0].send(f"{open_game.address}/takeback", turn=2)
    assert "You have asked for a takeback." in (page := open_game.browsers[0].text(open_game.address))
    assert ask not in page
    for seat in (0, 1):
        assert "asks for a takeback" in open_game.browsers[seat].text(open_game.address)
    assert "take a move back" not in Browser(app).text(open_game.address)
    assert agree in open_game.browsers[1].text(open_game.address)
    open_game.browsers[1].send(f"{open_game.address}/takeback", turn=2)
    assert "The move has been taken back" in open_game.browsers[1].text(open_game.address)
    assert open_game.lines() == []
    late = open_game.browsers[1].send(f"{open_game.address}/move", turn=2, text="a1")
    assert "Turn 2 was taken back. It is now turn 3." in readable(late)


def test_turns_around_a_takeback_can_be_stepped_through(open_game: Match) -> None:
    for seat, turn, move in ((0, 1, "c3"), (1, 2, "a1"), (0, 3, "e5")):
        open_game.browsers[seat].send(f"{open_game.address}/move", turn=turn, text=move)
    for seat in (0, 1):
        open_game.browsers[seat].send(f"{open_game.address}/takeback", turn=4)
    address, now = open_game.address, open_game.browsers[1].get(open_game.address).text
    assert f'href="{address}?turn=1" aria-label="One turn back"' in now
    open_game.browsers[0].send(f"{address}/move", turn=5, text="d5")
    assert [line["move"] for line in open_game.lines()] == ["c3", "a1", "d5"]
    page = open_game.browsers[1].get(f"{address}?turn=2").text
    assert f'href="{address}?turn=1" aria-label="One turn back"' in page
    assert f'href="{address}" aria-label="One turn forward"' in page
    for number, shown in ((3, "after turn 3 "), (4, "after turn 2 ")):
        assert shown in open_game.browsers[1].text(f"{address}?turn={number}"), "as it was then"
    last = open_game.browsers[1].get(address).text
    assert f'href="{address}?turn=2" aria-label="One turn back"' in last
    assert "took back turn 3." in last, "the history shows it"


def test_messages_are_visible_only_to_players(app: Flask, services: Services, open_game: Match) -> None:
    open_game.browsers[0].send(f"{open_game.address}/say", text="Good luck, <friend>!")
    for browser in open_game.browsers:
        assert "Good luck, &lt;friend&gt;!" in browser.get(open_game.address).text
    cleo = logged_in(app, services, add_player(services, "cleo@example.org", "Cleo"))
    for other in (cleo, Browser(app)):
        assert "Good luck" not in other.get(open_game.address).text


def test_too_long_message_is_refused_and_kept_in_the_form(open_game: Match) -> None:
    """A text that is too long must not be lost."""
    written = "x" * 8001
    too_long = open_game.browsers[0].send(f"{open_game.address}/say", text=written)
    assert too_long.status_code == 422
    assert "use at most 8000 characters" in readable(too_long)
    assert f">{written}</textarea>" in too_long.text
    assert "Edit your text" in readable(too_long), "at the top of a page whose form is far below"
    fits = "\r\n".join(["x" * 7998, "y"])
    assert open_game.browsers[0].send(f"{open_game.address}/say", text=fits).status_code == 303


def test_note_is_visible_only_to_its_writer(app: Flask, open_game: Match) -> None:
    open_game.browsers[0].send(f"{open_game.address}/note", text="beware of c4")
    page = open_game.browsers[0].text(open_game.address)
    assert "beware of c4" in page.partition("Your note, turn 1")[2]
    for other in (open_game.browsers[1], Browser(app)):
        assert "beware" not in other.get(open_game.address).text


def test_sealed_orders_are_withdrawn(secret_game: Match) -> None:
    secret_game.browsers[0].send(f"{secret_game.address}/move", turn=1, text="1 d4, 2 f6")
    assert "Your orders are sealed: 1 d4, 2 f6." in secret_game.browsers[0].text(secret_game.address)
    assert secret_game.browsers[0].send(f"{secret_game.address}/withdraw", turn=1).status_code == 303
    page = secret_game.browsers[0].text(secret_game.address)
    assert "Your orders have been withdrawn." in page
    assert "Turn 1: write your orders." in page
    assert secret_game.browsers[0].send(f"{secret_game.address}/withdraw", turn=1).status_code == 422


def test_complete_orders_wait_for_the_agreed_delay(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    game = match(app, services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, delay="15m")
    assert "they can still be changed for 15 minutes, but not beyond the deadline." in game.browsers[0].text(
        game.address
    )
    game.browsers[0].send(f"{game.address}/move", turn=1, text="1 d4")
    game.browsers[1].send(f"{game.address}/move", turn=1, text="A c4")
    for browser in (*game.browsers, Browser(app)):
        assert "All orders are in. They will be opened on Sun 1 March 2026, 12:15 UTC" in browser.text(
            game.address
        )
    assert game.lines() == []


def test_no_messages_before_the_start(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    browser = logged_in(app, services, ann)
    address = str(browser.send("/games/new/nebuchadnezzar", opponents="Ben").location)
    for action in ("say", "note"):
        answer = browser.send(f"{address}/{action}", text="hello")
        assert answer.status_code == 422
        assert "has not started yet. You can write messages and notes once all have accepted." in readable(
            answer
        )


def test_players_have_a_colour_once_the_seats_are_drawn(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    browser = logged_in(app, services, ann)
    address = str(browser.send("/games/new/nebuchadnezzar", opponents="Ben").location)

    def colours() -> int:
        return browser.get(address).text.partition('<ul class="seats"')[2].partition("</ul>")[0].count("<svg")

    assert colours() == 0
    logged_in(app, services, ben).send(f"{address}/accept")
    assert colours() == 2


def test_random_board_is_hidden_before_the_start(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    browser = logged_in(app, services, ann)
    address = str(browser.send("/games/new/nibble", opponents="Ben").location)
    assert "The board is drawn at random once everyone has accepted." in browser.text(address)
    for beyond in ("?turn=0", "/record.json"):
        assert browser.get(address + beyond).status_code == 404


def test_record_can_be_replayed(app: Flask, open_game: Match) -> None:
    for number, text in enumerate(["c3", "swap", "a1"]):
        submit(open_game.services, open_game.number, number % 2, text)
    answer = Browser(app).get(f"{open_game.address}/record.json")
    assert answer.content_type == "application/json"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="nabu-{open_game.number}.json"'
    played = replay(Record.from_json(json.loads(answer.text)))
    assert played.error is None
    assert RULES["nebuchadnezzar"].write(played.position) == open_game.game().position


def test_terms_name_the_options(app: Flask, open_game: Match) -> None:
    assert "Options: 5 by 5 points." in Browser(app).text(open_game.address)


def test_computer_player_is_shown_with_its_level(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    page = browser.text(str(browser.send("/games/new/nibble", whom="computer", strength="4").location))
    assert re.search(r"Hammurabi( \d+\??)? level 4, (First|Second)", page)


def test_proof_of_fair_play_is_public(app: Flask, open_game: Match) -> None:
    submit(open_game.services, open_game.number, 0, "c3")
    page = Browser(app).text(open_game.address)
    assert open_game.game().seed_hash in page
    assert open_game.game().head in page


def test_what_the_sides_have_is_drawn_beside_the_board(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    """Screen readers get the captions, which say the same; the reader's own side is marked.

    Boards of hexagons have it below them, because they need the width.
    """
    game = match(app, services, "nexus", ann, ben)
    page = game.browsers[1].get(game.address).text
    assert 'class="broad"' in page
    (tally,) = re.findall(r'<table class="tally" aria-hidden="true">.*?</table>', page, re.DOTALL)
    assert tally.count("<svg") == 2
    cells = [
        [re.sub("<[^>]*>", "", cell).strip() for cell in row.split("</td>")[:-1]]
        for row in tally.split("</tr>")[:-1]
    ]
    assert cells == [["", "in reserve", "on the board"], ["rRed", "10", "0"], ["bBlue", "11", "0"]]
    (own,) = re.findall(r'<td class="own">.*?</td>', tally)
    assert own.endswith("Blue</td>")


def test_tally_of_sides_without_pieces_names_the_players(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    """It is there twice: beside the board, and for low screens below it."""
    game = match(app, services, "nibble", ann, ben)
    page = game.browsers[0].get(game.address).text
    heads = re.findall(
        r'<table class="tally long(?: below)?" aria-hidden="true">.<tr>(.*?)</tr>', page, re.DOTALL
    )
    assert len(heads) == 2
    for head in heads:
        names = re.findall(r'<td(?: class="own")? title="([^"]*)">', head)
        assert names == re.findall(r'<span class="seat-name">(?:<a [^>]*>)?(\w+)', page)
        assert sorted(names) == ["Ann", "Ben"]


def test_turns_since_the_readers_move_are_marked_by_player(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    people = ann, ben, add_player(services, "cleo@example.org", "Cleo")
    game, rules, below = match(app, services, "nexus", *people, players=3), RULES["nexus"], Random(1).randrange
    for seat in range(3):
        move = rules.sample(log.position_of(game.game()), seat, below)
        submit(services, game.number, seat, rules.format(move))
    red, blue, green = (
        set(re.findall('stroke="(#[0-9a-f]{6})" stroke-width="3"', browser.get(game.address).text))
        for browser in game.browsers
    )
    assert (red, blue, green) == ({_BLUE, _GREEN}, {_GREEN}, set())


def parts(page: TestResponse, sort: str = "part") -> dict[str, str]:
    """Return the parts of a page of one sort, by name, without tokens."""
    found = document_fromstring(page.text).xpath(f"//*[@data-{sort}]")
    return {
        each.get(f"data-{sort}"): re.sub(
            'name="csrf_token" value="[^"]*"', "", tostring(each, encoding="unicode", with_tail=False)
        )
        for each in found
    }


@pytest.mark.parametrize("address", ["", "?pick=c3", "?pick=a9", "?turn=1", "?move=c3"])
def test_script_gets_only_the_parts_that_picks_change(open_game: Match, address: str) -> None:
    submit(open_game.services, open_game.number, 0, "b2")
    browser = open_game.browsers[1]
    browser.get(open_game.address)  # new turns are shown only once
    whole = browser.get(open_game.address + address)
    some, all_parts = (
        browser.client.get(open_game.address + address, headers={PARTS_HEADER: sorts})
        for sorts in ("part", "part,live")
    )
    assert parts(some) == parts(all_parts) == parts(whole)
    assert parts(whole).keys() == {"notices", "status", "board", "turns", "move", "told", "export"}
    assert some.status_code == whole.status_code
    assert "data-live" in all_parts.text
    assert "data-live" not in some.text
    assert "<head>" not in some.text


@pytest.mark.parametrize("reader", [0, 1])
def test_turn_on_the_board_changes_only_the_parts_that_scripts_replace(open_game: Match, reader: int) -> None:
    """Otherwise an offer or a button would be missing, or shown twice, after a script has changed the turn."""
    submit(open_game.services, open_game.number, 0, "b2")
    open_game.browsers[1].send(f"{open_game.address}/draw", turn=2)
    browser = open_game.browsers[reader]
    browser.get(open_game.address)  # new turns are shown only once
    now, before = (browser.get(open_game.address + address) for address in ("", "?turn=1"))
    for page in (now, before):
        assert readable(page).count("offers a draw") == 1
        assert page.text.count("Accept the draw") == 1 - reader
    lasting = [{**parts(page, "live"), "live": "", "history": ""} for page in (now, before)]
    assert lasting[0] == lasting[1]


@pytest.mark.both
@pytest.mark.parametrize(
    ("sorts", "address", "most"), [("", "", 19), ("", "?pick=c3", 17), ("part", "?pick=c3", 9)]
)
def test_page_runs_few_statements(open_game: Match, sorts: str, address: str, most: int) -> None:
    submit(open_game.services, open_game.number, 0, "b2")
    browser = open_game.browsers[1]
    browser.get(open_game.address)  # new turns are stored as seen, and announcements are cached for a minute
    with statements(open_game.services) as asked:
        page = browser.client.get(open_game.address + address, headers={PARTS_HEADER: sorts})
    assert page.status_code == 200
    assert "status" in parts(page)
    assert len(asked) <= most


def test_ratings_are_shown_beside_the_names(open_game: Match, ann: Player, ben: Player) -> None:
    page, rating = open_game.browsers[0], 'title="Provisional rating, based on few games">'
    assert rating not in page.get(open_game.address).text
    play_one(open_game.services, ann, ben, rated="on")
    count_all(open_game.services)
    assert page.get(open_game.address).text.count(rating) == 2
