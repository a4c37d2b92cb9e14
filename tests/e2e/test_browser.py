"""People who play on the web pages, with a real browser and without JavaScript."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from selenium.webdriver.common.by import By

from server.game.log import log
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import reading
from server.store.engines import connect
from server.store.models import Game
from tests.support.e2e.mailboxes import World
from tests.support.e2e.nabu_process import Running
from tests.support.folders import RECORDS
from tests.support.machine.ports import free_port
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.server.services import settings_for
from tests.support.web.chromium import Reader, is_lit, lent, log_in, pages

_ON_THE_BOARD = 2
"""The number of turns at the beginning and at the end of a game that are played in the browser."""


@pytest.fixture
def settings(database_url: str, outside: tuple[World, str]) -> Settings:
    """Settings whose links lead to the pages of this test."""
    listen = f"127.0.0.1:{free_port()}"
    return settings_for(
        database_url, base_url=f"http://{listen}", http_listen=listen, smtp_url=outside[1], delivery_lease=1
    )


@pytest.fixture
def site(settings: Settings, nabu: Running) -> Iterator[str]:
    """The URL of the pages of a running Nabu."""
    with pages(settings):
        yield settings.base_url


@pytest.fixture
def services(settings: Settings) -> Iterator[Services]:
    """Services for the turns that the test plays without a browser."""
    opened = open_services(settings)
    yield opened
    opened.close()


@pytest.fixture
def ann(site: str) -> Iterator[Reader]:
    """A person with a browser."""
    with lent() as driver:
        yield Reader(driver, site)


@pytest.fixture
def ben(site: str) -> Iterator[Reader]:
    """Another person with a browser."""
    with lent() as driver:
        yield Reader(driver, site)


def register(reader: Reader, world: World, name: str) -> None:
    """Sign up with a form, an email and a button."""
    address = f"{name.lower()}@example.org"
    reader.open("/")
    reader.write("register-name", name)
    reader.write("register-email", address)
    reader.press("Email me a link")
    assert "Check your mailbox" in reader.text
    reader.enter(world.wait(address, 1)[0])
    assert "Your games" in reader.text


def sit_down(
    services: Services, ann: Reader, ben: Reader, game_type: str, **options: object
) -> tuple[Reader, Reader]:
    """Ann and Ben, by seat, both on the page of a game that has started."""
    people = [add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben")]
    number = begin(services, game_type, *people, **options)
    for reader, player in zip((ann, ben), people, strict=True):
        log_in(reader, services, player)
        reader.open(f"/games/{number}")
    return by_seat(ann, ben)


def challenge(ann: Reader, ben: Reader, game_type: str, **options: object) -> tuple[Reader, Reader]:
    """Let Ann challenge Ben, who accepts; return both by seat, on the page of the game."""
    ann.open(f"/games/new/{game_type}")
    ann.write("opponents", "Ben")
    for name, value in options.items():
        ann.choose(f"option-{name}", str(value))
    ann.press("Create the game")
    ben.open("/games")
    ben.press("Accept")
    ann.open(ben.driver.current_url)
    return by_seat(ann, ben)


def by_seat(ann: Reader, ben: Reader) -> tuple[Reader, Reader]:
    """Return both players in the order in which the page of their game names them."""
    name, _ = (element.text.split()[0] for element in ann.driver.find_elements(By.CSS_SELECTOR, ".seats li"))
    return (ann, ben) if name == "Ann" else (ben, ann)


def stored_game(settings: Settings) -> tuple[Game, list[dict[str, object]]]:
    engine = connect(settings.database_url)
    with reading(engine) as session:
        game = session.get_one(Game, 1)
        lines = [entry.body["line"] for entry in log.turns(session, game)]
        session.expunge_all()
    engine.dispose()
    return game, lines


def test_scripts_are_disabled_in_the_browser_without_scripts(ann: Reader) -> None:
    ann.open("data:text/html,<title>off</title><script>document.title='on'</script>")
    assert ann.driver.title == "off"


@pytest.mark.long
@pytest.mark.first
def test_complete_game_is_played_on_the_board(
    ann: Reader, ben: Reader, world: World, services: Services, settings: Settings
) -> None:
    """Starts with the forms on the home page; turns in the middle are played without the browser."""
    record = json.loads((RECORDS / "nebuchadnezzar-sample-0003.json").read_text())
    register(ann, world, "Ann")
    register(ben, world, "Ben")
    people = challenge(ann, ben, "nebuchadnezzar", **record["options"])
    for number, turn in enumerate(record["turns"]):
        if _ON_THE_BOARD <= number < len(record["turns"]) - _ON_THE_BOARD:
            submit(services, 1, turn["seat"], turn["move"])
        else:
            play(people[turn["seat"]], turn["move"])
    game, lines = stored_game(settings)
    assert lines == record["turns"]
    assert game.result == record["result"]
    assert "wins: no enemy disc is left." in ben.text + ann.text


def play(reader: Reader, move: str) -> None:
    """Play a move like people do: on the board where possible, otherwise in writing."""
    if move == "pass":
        return  # a move that the game plays automatically
    reader.follow(reader.find(By.CSS_SELECTOR, "nav a[href='/games']"))
    reader.follow(reader.find(By.CSS_SELECTOR, ".urgent a.card"))
    if reader.count(f'.board a[data-pick="{move}"]'):
        reader.press_place(move)
    else:
        reader.write("text", move)
        reader.press("Try", within="form[.//textarea[@id='text']]")
    assert f"You are trying {move}. Nothing is played yet." in reader.text
    reader.press(f"Play {move}")
    assert "has been played." in reader.text


@pytest.mark.long
def test_pages_without_scripts_show_no_dead_buttons(ann: Reader, ben: Reader, services: Services) -> None:
    reader, _ = sit_down(services, ann, ben, "nelaxtam", size=10, troops=2, sea=0)
    for address in ("/games/1", "/rules/nelaxtam/try"):
        reader.open(address)
        door = reader.find(By.CSS_SELECTOR, ".board .door")
        assert door.tag_name == "g"
        assert door.value_of_css_property("cursor") == "auto"
        assert not is_lit(reader)
        assert "lit up" not in reader.text
        picks = {
            each.get_dom_attribute("data-pick")
            for each in reader.driver.find_elements(By.CSS_SELECTOR, ".door")
        }
        buttons = reader.driver.find_elements(By.CSS_SELECTOR, "button[name=pick]")
        assert picks <= {each.get_dom_attribute("value") for each in buttons if each.is_displayed()}


@pytest.mark.long
def test_orders_are_chosen_from_lists(ann: Reader, ben: Reader, services: Services, settings: Settings) -> None:
    first, second = sit_down(services, ann, ben, "nelaxtam", size=10, troops=2, sea=0)
    for reader, landings in ((first, {"1": "d4", "2": "f6"}), (second, {"A": "c4", "B": "g6"})):
        reader.open("/games/1")
        for troop, square in landings.items():
            reader.press(f"Troop {troop} lands on {square}")
        reader.press("Seal " + ", ".join(f"{troop} {square}" for troop, square in landings.items()))
    assert "Turn 2: write your orders." in second.text
    first.open("/games/1")
    first.press("Troop 1 on d4")
    first.press("Troop 1 moves to e5 (ne)")
    assert "You are trying 1 ne. Nothing is sealed yet." in first.text
    first.press("Seal 1 ne")
    assert "Your orders are sealed: 1 ne." in first.text
    second.open("/games/1")
    assert "orders sealed" in second.text
    assert "1 ne" not in second.driver.page_source
    second.press("Offer to end; all troops hold")
    second.press("Seal end")
    assert "1 ne" in second.text
    assert stored_game(settings)[1][1] == {"orders": {"0": "1 ne", "1": "end"}}


@pytest.mark.long
def test_form_shows_the_error_after_an_illegal_move(ann: Reader, ben: Reader, services: Services) -> None:
    first, _ = sit_down(services, ann, ben, "nebuchadnezzar", size=5)
    first.write("text", "thanks!")
    first.press("Play", within="form[.//textarea[@id='text']]")
    assert first.find(By.ID, "text").get_property("value") == "thanks!"
    assert "is not a move" in first.find(By.CSS_SELECTOR, ".written .problem").text


@pytest.mark.long
def test_refreshed_page_shows_the_move_of_the_computer_player(ann: Reader, world: World) -> None:
    register(ann, world, "Ann")
    ann.press("New game")
    ann.press("Play Nebuchadnezzar")
    ann.choose("option-size", "4")
    ann.find(By.CSS_SELECTOR, "[value=computer]").click()
    ann.press("Create the game")
    await_turn(ann)
    before = ann.count(".history li")
    ann.follow(ann.find(By.CSS_SELECTOR, ".board a"))
    ann.follow(ann.find(By.CSS_SELECTOR, "[data-act=play]"))
    await_turn(ann)
    assert ann.count(".history li") >= before + 2


def await_turn(reader: Reader) -> None:
    """Reload the page, like people without scripts do, until it is the reader's turn."""

    def look(_: object) -> bool:
        if ": your move." in reader.text:
            return True
        reader.press("Refresh")
        return False

    reader.wait().until(look)
