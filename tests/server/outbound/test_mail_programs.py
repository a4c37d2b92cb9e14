"""Nabu's emails in email programs: links that start an answer, and dark colours."""

from __future__ import annotations

import random
import re
from html import unescape
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from lxml.html import HtmlElement, document_fromstring  # type: ignore[import-untyped]

from server.game.log import log
from server.outbound.letters.context import MOST_LINKS
from server.processes.services import Services
from tests.support.mail.email_clients import MOST_BYTES, check_html
from tests.support.rules.contrast import brightness
from tests.support.server.emails import Written, letters, receive
from tests.support.server.games import TwoPlayerGame

GREY = "#767676"


def report_to_move(table: TwoPlayerGame) -> Written:
    """Return the last report to the player to move."""
    reports = [each for each in letters(table.services) if each.letter == "report"]
    asking = re.compile(r"^(Your move|Write your orders)\.", re.MULTILINE)
    return next(each for each in reversed(reports) if asking.search(each.text))


def links(written: Written) -> list[tuple[str, str, str]]:
    """Return address, subject and body of each link that starts an answer to the game."""
    found = []
    for link in re.findall(r'href="(mailto:[^"]*)"', written.html):
        read = urlsplit(unescape(link))
        fields = parse_qs(read.query)
        if "body" in fields:
            found.append((unquote(read.path), fields["subject"][0], fields["body"][0]))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_type", "options", "square"),
    [("nebuchadnezzar", {"size": 5}, "a1"), ("nebuchadnezzar", {}, "h8"), ("nibble", {}, "")],
)
def test_square_of_the_board_is_a_link_that_plays_it(
    services: Services, game_type: str, options: dict[str, int], square: str
) -> None:
    table = TwoPlayerGame(services, game_type, **options)
    report = report_to_move(table)
    board = report.html.split("<table")[1].split("</table>")[0]
    taken = re.findall(r"body=([a-z]+\d+)\"", board)
    assert 1 < len(taken) == len(set(taken)) <= MOST_LINKS
    assert not square or square in taken
    found = {body: (address, subject) for address, subject, body in links(report)}
    address, subject = found[taken[-1]]
    assert (address, subject) == (report.mail["Reply-To"], report.mail["Subject"])
    receive(services, report.to, address, f"{taken[-1]}\r\n")
    assert table.game().turn == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_type", "options"), [("nebuchadnezzar", {"size": 15}), ("nardshir", {}), ("nelaxtam", {})]
)
def test_board_has_no_links_if_they_are_too_many_or_no_move(
    services: Services, game_type: str, options: dict[str, int]
) -> None:
    report = report_to_move(TwoPlayerGame(services, game_type, **options))
    assert "<a " not in report.html.split("<table")[1].split("</table>")[0]
    assert len(links(report)) >= 2, "the examples are links nevertheless"


def test_player_who_is_not_to_move_gets_no_links(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    other = [each for each in letters(services) if each.letter == "report"]
    waiting = next(each for each in other if each.to != report_to_move(table).to)
    assert links(waiting) == []


@pytest.mark.parametrize("game_type", ["nebuchadnezzar", "nelaxtam", "nexus", "nibble", "nardshir"])
def test_colours_come_in_pairs_for_dark_mode(services: Services, game_type: str) -> None:
    """A program that inverts one colour of a pair inverts the other; a single colour suits both modes."""
    html = report_to_move(TwoPlayerGame(services, game_type)).html
    check_html(html)
    for element in document_fromstring(html).iter():
        style = styles(element)
        if "background" in style and "".join(element.itertext()).strip():
            inner = [styles(each) for each in element.iterdescendants()]
            assert "color" in style or any("color" in each for each in inner), style
        if "color" in style and not on_a_background(element):
            assert style["color"] in (GREY, "inherit"), style


def styles(element: HtmlElement) -> dict[str, str]:
    """Return the style attribute of an element, with the older one for its background."""
    pairs = (declaration.partition(":") for declaration in element.get("style", "").split(";"))
    older = {"background": element.get("bgcolor")} if element.get("bgcolor") else {}
    return {name: value for name, _, value in pairs if name} | older


def on_a_background(element: HtmlElement) -> bool:
    """Return whether an element or one around it has a background colour."""
    return any("background" in styles(each) for each in (element, *element.iterancestors()))


def test_history_of_a_long_game_is_not_clipped(services: Services) -> None:
    """A turn needs so few bytes that 400 of them are shown completely."""
    table = TwoPlayerGame(services, "nebuchadnezzar", size=15)
    address = report_to_move(table).mail["Reply-To"]
    choose = random.Random(15).randrange
    sizes = []
    for turn in range(1, 41):
        rules, position = log.rules_of(table.game()), log.position_of(table.game())
        table.submit(position.to_move, rules.format(rules.sample(position, position.to_move, choose)))
        if turn % 20 == 0:
            (history,) = receive(services, table.players[0].email, address, "history")
            sizes.append(len(history.html.encode()))
    assert sizes[1] + 360 * (sizes[1] - sizes[0]) / 20 < MOST_BYTES


def test_grey_text_is_readable_on_white_and_black() -> None:
    middle = brightness(GREY) + 0.05
    assert min(1.05 / middle, middle / 0.05) >= 4.5
