"""Boards in sentences, for players who choose them: in emails and on pages."""

from __future__ import annotations

import pytest
from flask import Flask
from lxml.html import HtmlElement, document_fromstring  # type: ignore[import-untyped]

from server.processes.services import Services
from tests.support.server.emails import Written, letters, receive
from tests.support.server.games import TwoPlayerGame
from tests.support.web.client import Browser, logged_in


def report_to(table: TwoPlayerGame, seat: int) -> Written:
    """Return the last report to a player."""
    mine = [each for each in letters(table.services) if each.to == table.players[seat].email]
    return next(each for each in reversed(mine) if each.letter == "report")


def ask(table: TwoPlayerGame, seat: int, text: str) -> Written:
    """Reply to the last report of a player, and return the answer."""
    report = report_to(table, seat)
    (answer,) = receive(table.services, report.to, report.mail["Reply-To"], text)
    return answer


def page_of(browser: Browser, address: str) -> HtmlElement:
    """Return a parsed page."""
    return document_fromstring(browser.get(address).text)


def want_words(table: TwoPlayerGame, seat: int) -> None:
    assert "will describe the board" in ask(table, seat, "board words").words


def test_sentences_replace_the_picture_in_both_parts_of_an_email(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    want_words(table, 1)
    table.submit(0, "c3")
    report, other = report_to(table, 1), report_to(table, 0)
    for part in (report.words, " ".join(document_fromstring(report.html).text_content().split())):
        assert "Black (b): c3." in part
        assert "Changed: c3." in part
        assert "You can place a disc on a1, a2," in part
        assert "You can swap colours." in part
        assert "[ ]" not in part
    assert 'aria-label="Board"' not in report.html
    assert "5| .  .  .  .  . |5" not in report.text
    assert "5| .  .  .  .  . |5" in other.text
    assert 'aria-label="Board"' in other.html
    assert "Possible moves" not in other.words
    assert "as a picture" in ask(table, 1, "board picture").words
    assert "5| .  .  .  .  . |5" in ask(table, 1, "show").text


def test_sentences_do_not_explain_the_signs_of_a_picture(services: Services) -> None:
    table = TwoPlayerGame(services, "nexus")
    want_words(table, 0)
    assert "capital: empty ring" in ask(table, 1, "show").words
    told = ask(table, 0, "show").words
    assert "In reserve + on the board: Red " in told
    assert "capital" not in told


def test_invitation_has_sentences(services: Services) -> None:
    table = TwoPlayerGame(services, "nelaxtam")
    want_words(table, 1)
    challenge = f"challenge {table.players[1].email} nebuchadnezzar size=5"
    written = receive(services, table.players[0].email, "play@games.example.org", challenge)
    invitation = next(each for each in written if each.letter == "invitation")
    assert "The board is empty." in invitation.words
    assert "5| .  .  .  .  . |5" not in invitation.text


def test_text_with_a_picture_ends_with_the_places_of_pieces(services: Services) -> None:
    """In a proportional font, the columns of the picture do not line up."""
    table = TwoPlayerGame(services, "nardshir")
    shown = report_to(table, table.game().position["to_move"])
    assert "Write your move" in shown.text.partition("The board in words:")[0]
    assert "Open the board" in shown.text.partition("The board in words:")[2]
    assert "X has no disc on the board." in shown.words
    assert "The board in words:" not in shown.html


def test_turns_since_the_readers_last_move_are_described(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    want_words(table, 0)
    for seat, move in ((0, "c3"), (1, "a1"), (0, "e5"), (1, "a5")):
        table.submit(seat, move)
    told = ask(table, 0, "show").words.partition("Changes:")[2]
    assert "(White): a5" in told
    assert not any(f": {move}" in told for move in ("c3", "a1", "e5"))


@pytest.mark.parametrize("words", [False, True])
def test_page_describes_its_board_in_the_same_sentences(services: Services, app: Flask, words: bool) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    if words:
        want_words(table, 1)
    table.submit(0, "c3")
    browser = logged_in(app, services, table.players[1])
    page = page_of(browser, f"/games/{table.number}")
    (figure,) = page.xpath("//figure")
    (told,) = page.xpath(f"//*[@id='{figure.get('aria-describedby')}']")
    assert ("unseen" in (told.get("class") or "")) != words
    said = " ".join(told.text_content().split())
    assert "Black (b): c3." in said
    assert "(Black): c3 Changed: c3. Possible moves You can place a disc on a1," in said
    before = page_of(browser, f"/games/{table.number}?turn=0").get_element_by_id("board-in-words")
    assert "The board is empty." in before.text_content()
    assert "Possible moves" not in before.text_content(), "a past position has no possible moves"


def test_settings_page_has_the_choice_of_sentences(services: Services, app: Flask) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    browser = logged_in(app, services, table.players[0])
    assert "in sentences" in browser.text("/settings")
    browser.send("/settings", board="words")
    assert 'aria-label="Board"' not in ask(table, 0, "show").html


def test_sealed_orders_of_opponents_are_in_no_sentence(services: Services, app: Flask) -> None:
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0)
    table.submit(0, "1 d4")
    table.submit(1, "A c4")
    for seat in (0, 1):
        want_words(table, seat)
    browser = logged_in(app, services, table.players[1])

    def heard() -> list[str]:
        page = page_of(browser, f"/games/{table.number}")
        mail = ask(table, 1, "show").words
        told = mail.partition("Board:")[2].partition("Write your orders")[0]
        return [page.get_element_by_id("board-in-words").text_content(), told]

    before = heard()
    assert "Troops of X: A on c4." in before[0]
    assert all("Troop A can" in told for told in before)
    table.submit(0, "1 ne")
    assert "After this move: Moves: d4 to e5." in ask(table, 0, "show").words
    assert heard() == before
