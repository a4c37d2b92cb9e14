"""Boards played with clicks, touches or keys, in a real browser with scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from rules.errors import WrongMove
from rules.game import Json
from rules.pressing import pressed
from rules.registry import RULES
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game
from tests.support.rules.random_games import short_game
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.web.chromium import is_lit, lent, log_in, site
from tests.support.web.clicker import Clicker
from tests.support.web.screen import SIZES, out_of_view

_OPTIONS: dict[str, Json] = {"nebuchadnezzar": {"size": 4}, "nelaxtam": {"size": 10, "troops": 3, "sea": 2}}
"""Options of games that do not take too long."""
_PLACE, _WORD = re.compile(r"[a-z]?\d+"), re.compile(r"^[A-Za-z]{1,2}$")
"""The part of a pick that differs between picks of one kind: places, numbers, directions, troop names."""


_MOST_TYPED = {"nelaxtam": 21}
"""Keys up to which the test types a move, in place of 12."""
_ORDER = re.compile(r"\b(\w) (?=[a-z]+\b)")
"""The troop of an order and the space after it, which need not be typed."""
_MOST_PRESSES = {
    "nardshir": (4, 12),
    "nebuchadnezzar": (2, 6),
    "nelaxtam": (6, 20),
    "nexus": (6, 12),
    "nibble": (6, 12),
}
"""The largest median of the clicks and keys of a turn."""
_MEASURE_WAITS = """
let since = 0;
window.waits = [];
const press = ({ type, key }) => { if (type === "click" || key === "Enter") since ||= performance.now(); };
for (const type of ["click", "keydown"]) addEventListener(type, press, true);
document.addEventListener("parts", () => {
  if (since) waits.push(performance.now() - since);
  since = 0;
});
"""
"""A script that measures the milliseconds from each press until the page has changed."""


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """The services with which the tests play."""
    with site(tmp_path_factory.mktemp("site")) as opened:
        yield opened


@pytest.fixture(scope="module")
def people(services: Services) -> Iterator[list[Clicker]]:
    """Ann and Ben, each logged in in a browser: starting and cleaning these takes longer than many a test."""
    with ExitStack() as stack:
        found = []
        for name in ("Ann", "Ben"):
            driver = stack.enter_context(lent(scripts=True))
            reader = Clicker(driver, services.settings.base_url)
            reader.player = add_player(services, f"{name.lower()}@example.org", name)
            log_in(reader, services, reader.player)
            found.append(reader)
        yield found


@pytest.fixture
def browsers(people: list[Clicker]) -> Iterator[list[Clicker]]:
    """Their browsers at a desk, without a page before and after the test."""
    for reader in people:
        reader.sit(SIZES[0])
        reader.checks_view = True
    yield people
    for reader in people:
        reader.leave()


@dataclass(frozen=True)
class Standing:
    """The state of a game."""

    rules: Any
    position: Any
    turn: int
    running: bool


def standing(services: Services, number: int) -> Standing:
    """Return the state of the game now."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        return Standing(log.rules_of(game), log.position_of(game), game.turn, game.state == "running")


def seated(services: Services, browsers: list[Clicker], number: int) -> list[Clicker]:
    """Return the two readers by seat."""
    with reading(services.engine) as session:
        names = [player.name for _, player in log.seats(session, session.get_one(Game, number))]
    return [next(reader for reader in browsers if reader.player.name == name) for name in names]


@pytest.mark.long
@pytest.mark.first
@pytest.mark.parametrize("game_type", RULES)
def test_complete_game_is_played_by_clicking(
    services: Services, browsers: list[Clicker], game_type: str
) -> None:
    """One player clicks, or touches a phone, the other uses only keys, and nothing is ever out of view.

    A move of each kind is made on the board, and one with each method at each size; the other turns except the
    last are played without the browser.
    """
    options = _OPTIONS.get(game_type, {})
    number = begin(services, game_type, *(reader.player for reader in browsers), **options)
    people = seated(services, browsers, number)
    moves = short_game(game_type, options)
    seen: set[object] = set()
    while (stands := standing(services, number)).running:
        rules, position, size = stands.rules, stands.position, SIZES[stands.turn // 4 % len(SIZES)]
        made = moves(position)
        is_last = rules.result(rules.play(position, made)) is not None
        for seat, move in made.items():
            picks = rules.picks_of(position, seat, move)
            sorts = {(seat, size), sort_of(picks)}
            if sorts <= seen and not is_last:
                submit(services, number, seat, rules.format(move))
                continue
            seen |= sorts
            reader, by_keys = people[seat], bool(seat)
            reader.sit(size)
            reader.open(f"/games/{number}")
            for text in picks[len(reader.picked()) :]:
                reader.pick(text, by_keys=by_keys)
            assert reader.made() == rules.format(move)
            reader.play(by_keys=by_keys)
            reader.leave()
        assert standing(services, number).turn > stands.turn
    assert {(seat, size) for seat in (0, 1) for size in SIZES} <= seen
    people[0].open(f"/games/{number}")
    assert "Rematch" in people[0].find(By.CSS_SELECTOR, ".bar").text
    assert [reader.complaints() for reader in people] == [[], []]


def sort_of(picks: Sequence[str]) -> tuple[bool, frozenset[str]]:
    """Return the kind of a move: the number of its picks, and their kinds."""
    return len(picks) > 1, frozenset(_WORD.sub("word", _PLACE.sub("place", pick)) for pick in picks)


@pytest.mark.long
def test_picks_are_undone_and_arrow_keys_move_over_the_board(
    services: Services, browsers: list[Clicker]
) -> None:
    number = begin(services, "nebuchadnezzar", *(reader.player for reader in browsers), size=5)
    submit(services, number, 0, "c3")
    submit(services, number, 1, "a1")
    reader = seated(services, browsers, number)[0]
    reader.open(f"/games/{number}")
    reader.driver.execute_script("arguments[0].focus()", reader.door("a5"))
    ActionChains(reader.driver).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ENTER).perform()
    reader.await_picks(1)
    assert reader.made() == "b4"
    reader.find(By.CSS_SELECTOR, "[data-act=back]").click()
    reader.await_picks(0)
    assert reader.made() == ""
    reader.pick("e5", by_keys=False)
    reader.find(By.CSS_SELECTOR, "[data-act=clear]").click()
    reader.await_picks(0)
    assert reader.find(By.CSS_SELECTOR, ".status p").text.startswith("Turn 3: your move.")


@pytest.mark.long
@pytest.mark.parametrize("game_type", ["nebuchadnezzar", "nelaxtam"])
def test_board_has_one_tab_stop(services: Services, browsers: list[Clicker], game_type: str) -> None:
    """For boards with and without URLs."""
    options = _OPTIONS[game_type]
    number = begin(services, game_type, *(reader.player for reader in browsers), **options)
    reader = seated(services, browsers, number)[0]
    reader.open(f"/games/{number}")
    assert is_lit(reader)
    rules, position = standing(services, number).rules, standing(services, number).position
    for text in rules.picks_of(position, 0, next(rules.moves(position, 0)))[len(reader.picked()) :]:
        assert len(stops(reader)) == 1
        if "door" in (reader.door(text).get_dom_attribute("class") or ""):
            reader.driver.execute_script("arguments[0].focus()", reader.door(text))
            assert stops(reader) == [reader.driver.switch_to.active_element]
        reader.pick(text, by_keys=True)
        focused = reader.driver.switch_to.active_element
        if focused in reader.driver.find_elements(By.CSS_SELECTOR, ".board .door"):
            assert stops(reader) == [focused]


def stops(reader: Clicker) -> list[WebElement]:
    """Return the places of the board at which the Tab key stops."""
    return reader.driver.find_elements(By.CSS_SELECTOR, ".board .door:not([tabindex='-1'])")


@pytest.mark.long
def test_board_responds_to_presses(services: Services, browsers: list[Clicker]) -> None:
    """A place that cannot be picked says why, another one is picked instead, and one tap is enough."""
    number = begin(services, "nebuchadnezzar", *(reader.player for reader in browsers))
    submit(services, number, 0, "c3")
    reader = seated(services, browsers, number)[1]
    reader.open(f"/games/{number}")
    press(reader, "c3")
    reader.await_text("c3 holds an enemy disc: place a disc on an empty point.")
    reader.pick("a1", by_keys=False)
    assert reader.made() == "a1"
    press(reader, "d5")
    reader.await_made("d5")
    press(reader, "c3")
    reader.await_text("c3 holds an enemy disc: place a disc on an empty point.")
    assert reader.made() == "d5", "and the pick is kept"

    number = begin(services, "nebuchadnezzar", *(reader.player for reader in browsers), size=15)
    reader = seated(services, browsers, number)[0]
    reader.sit(SIZES[1])
    reader.open(f"/games/{number}")
    reader.tap(reader.door("o15"))
    reader.await_picks(1)
    assert reader.made() == "o15"


@pytest.mark.long
def test_board_does_not_move_when_a_place_cannot_be_picked(services: Services, browsers: list[Clicker]) -> None:
    """On a phone, one tap shows the reason, and the next tap hits the place that the player sees."""
    number = begin(services, "nibble", *(reader.player for reader in browsers), board="square-13")
    reader = seated(services, browsers, number)[0]
    reader.sit(SIZES[2])
    reader.open(f"/games/{number}")
    before = reader.find(By.CSS_SELECTOR, ".board").rect
    reader.tap(cell(reader, "g7"))
    reader.await_text("has no exposed side")
    assert reader.find(By.CSS_SELECTOR, ".board").rect == before
    assert out_of_view(reader.driver) == []
    a_corner = reader.find(By.CSS_SELECTOR, ".board .door").get_dom_attribute("data-pick") or ""
    reader.tap(reader.door(a_corner))
    reader.await_picks(1)
    assert reader.count(".over") == 0


def press(reader: Clicker, place: str) -> None:
    """Click a place of the board, whether it can be picked or not."""
    ActionChains(reader.driver, duration=0).move_to_element(cell(reader, place)).click().perform()


def cell(reader: Clicker, place: str) -> WebElement:
    """Return the cell of a place of the board."""
    titles = reader.driver.find_elements(By.CSS_SELECTOR, ".board use title")
    title = next(each for each in titles if str(each.get_property("textContent")).startswith(f"{place}:"))
    return title.find_element(By.XPATH, "..")


@pytest.mark.long
@pytest.mark.parametrize("by_keys", [False, True], ids=["clicks", "keys"])
@pytest.mark.parametrize("game_type", _MOST_PRESSES)
def test_turn_takes_few_presses(
    services: Services,
    browsers: list[Clicker],
    record_property: Callable[[str, object], None],
    game_type: str,
    by_keys: bool,
) -> None:
    """Reports the clicks or keys of five turns, and how long the player waits for the page in each.

    A short move is typed; the others are made with arrow keys from the place with the focus after the last one.
    """
    number = begin(services, game_type, *(reader.player for reader in browsers))
    reader, below = seated(services, browsers, number)[0], Random(game_type).randrange
    reader.checks_view = False
    presses, waits = [], []
    advance(services, number, below)
    reader.open(f"/games/{number}")
    reader.driver.execute_script(_MEASURE_WAITS)
    for _ in range(5):
        stands = standing(services, number)
        move, before = stands.rules.sample(stands.position, 0, below), reader.pressed + reader.clicked
        text = stands.rules.format(move)
        typed = _ORDER.sub(r"\1", text).replace(",", "") if stands.rules.simultaneous else text
        if by_keys and len(typed) + 2 <= _MOST_TYPED.get(game_type, 12):
            reader.type(*typed, Keys.ENTER)
            reader.await_made(text)
        else:
            picks = stands.rules.picks_of(stands.position, 0, move)
            while (at := len(reader.picked())) < len(picks):
                if by_keys or not carry(reader, stands, picks, at):
                    reader.pick(picks[at], by_keys=by_keys)
        reader.play(by_keys=by_keys)
        presses.append(reader.pressed + reader.clicked - before)
        waits.append(sum(reader.driver.execute_script("return window.waits.splice(0)")))
        turn = advance(services, number, below)
        reader.driver.execute_script('document.dispatchEvent(new Event("visibilitychange"))')
        reader.await_text(f"Turn {turn}: {'write your orders' if stands.rules.simultaneous else 'your move'}.")
        if by_keys:
            assert reader.find(By.CSS_SELECTOR, ".game-board :focus, .bar :focus").is_displayed()
    record_property("presses", sorted(presses))
    record_property("milliseconds", round(median(waits)))
    assert median(presses) <= _MOST_PRESSES[game_type][by_keys], presses


def carry(reader: Clicker, stands: Standing, picks: Sequence[str], at: int) -> bool:
    """Make two picks with a click on the target, if only one piece can go there; return whether that is so."""
    rules, position, wanted = stands.rules, stands.position, tuple(picks[: at + 2])
    if len(wanted) < at + 2:
        return False
    place = rules.choices(position, 0, wanted).picked[-1].place
    try:
        if not place or pressed(rules, position, 0, wanted[:at], place) != wanted:
            return False
    except WrongMove:
        return False
    reader.clicked += 1
    press(reader, place)
    reader.await_picks(at + 2)
    return True


def advance(services: Services, number: int, below: Callable[[int], int]) -> int:
    """Play for the other seats until the first one has to move; return the number of the turn."""
    while True:
        stands = standing(services, number)
        owing = stands.rules.to_move(stands.position)
        with reading(services.engine) as session:
            waits = [seat.number for seat, _ in log.seats(session, session.get_one(Game, number)) if seat.owes]
        if 0 in waits:
            return stands.turn
        for seat in set(owing).intersection(waits):
            submit(
                services, number, seat, stands.rules.format(stands.rules.sample(stands.position, seat, below))
            )
