"""Open pages update themselves, in a real browser."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from server.accounts.choices import Choice
from server.game.log import log
from server.game.play import moves
from server.game.play.proposals import DRAW
from server.game.preferences.choices import SOUND, TYPING
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game
from tests.support.server.games import act, begin, load_game, open_game, say, submit
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.server.tournaments import Field
from tests.support.web.chromium import Reader, lent, log_in, site
from tests.support.web.screen import resize

pytestmark = pytest.mark.slow

_COME_BACK = 'document.dispatchEvent(new Event("visibilitychange"))'
"""A script that makes the page look as if it was just shown again: it polls immediately."""
_NEWS = "This page has changed."
_EDGES = "const { top, bottom } = arguments[0].getBoundingClientRect(); return [top, bottom]"
_POLL_NO_MORE = f'document.querySelector("[data-live=live]").dataset.every = "3600"; {_COME_BACK}'
_SEND_FORM = """
const form = document.body.appendChild(document.createElement("form"));
form.method = "post";
form.submit();
"""
"""A script that sends a form: if that is impossible, the browser says so, and offers to send it again."""
_HEARS = """
const [done] = arguments;
const wait = () => navigator.locks.query().then(({ held }) =>
  held.some(({ name }) => name === "stream") ? done() : setTimeout(wait, 20));
wait();
"""
"""A script that waits until one of the pages of the browser keeps the stream."""


def _reader_in_game(
    services: Services,
    driver: webdriver.Chrome,
    seat: int,
    game_type: str = "nebuchadnezzar",
    **more: object,
) -> tuple[int, Reader]:
    """Start a game, and return its number and the browser in which the player of `seat` is logged in."""
    people = [add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben")]
    number = begin(services, game_type, *people, **more or {"size": 5})
    with reading(services.engine) as session:
        player = log.seats(session, session.get_one(Game, number))[seat].player
    reader = Reader(driver, services.settings.base_url)
    log_in(reader, services, player)
    return number, reader


def _choose(services: Services, number: int, seat: int, choice: Choice, word: str) -> None:
    """Set a preference of the player of a seat."""
    with writing(services.engine) as session:
        choice.choose(log.seats(session, session.get_one(Game, number))[seat].player, word)


def test_open_page_shows_new_moves(tmp_path: Path) -> None:
    with site(tmp_path) as services, lent(scripts=True) as driver:
        number, reader = _reader_in_game(services, driver, seat=1)
        reader.open(f"/games/{number}")
        assert "Turn 1: waiting for" in reader.text

        submit(services, number, 0, "c3")
        driver.execute_script(_COME_BACK)
        reader.await_text("Turn 2: your move.")
        assert driver.title.startswith("(1) ")
        assert reader.find(By.CSS_SELECTOR, "nav .count").text.startswith("1")
        assert _NEWS not in reader.text
        assert reader.count(".board .door"), "the player can move without reloading the page"

        reader.write("say", "I am thinking.")
        say(services, number, 0, "Hello!")
        driver.execute_script(_COME_BACK)
        reader.await_text(_NEWS)
        assert "Hello!" not in reader.text, "the page does not change while the reader writes"
        reader.find(By.CSS_SELECTOR, "#news a").click()
        reader.wait().until(lambda _: "Hello!" in reader.text and _NEWS not in reader.text)
        assert reader.find(By.ID, "say").get_property("value") == "I am thinking."
        assert reader.complaints() == []


@pytest.mark.long
def test_page_shows_the_next_turn_after_sealed_orders_and_a_message(tmp_path: Path) -> None:
    """A message refreshes the page; this must not look as if the reader were writing orders."""
    with site(tmp_path) as services, lent(scripts=True) as driver:
        number, reader = _reader_in_game(services, driver, 0, "nelaxtam", size=10, troops=2, sea=0)
        game = load_game(services, number)
        rules, position = log.rules_of(game), log.position_of(game)
        own, other = (rules.format(rules.sample(position, seat, lambda below: 0)) for seat in (0, 1))
        reader.open(f"/games/{number}")
        reader.write("text", own + Keys.ENTER)
        reader.wait().until(lambda _: reader.count("[data-act=seal]"))
        reader.find(By.CSS_SELECTOR, "[data-act=seal]").click()
        reader.wait().until(lambda _: reader.count("[formaction$='/withdraw']"))

        say(services, number, 1, "Hello!")
        driver.execute_script(_COME_BACK)
        reader.wait().until(lambda _: "Hello!" in driver.execute_script("return document.body.textContent"))
        submit(services, number, 1, other)
        driver.execute_script(_COME_BACK)
        reader.await_text("Turn 2: write your orders.")
        assert _NEWS not in reader.text
        assert reader.complaints() == []


def test_page_is_renewed_while_only_the_focus_is_on_a_choice(tmp_path: Path) -> None:
    """After a turn the focus is on the first choice, and a computer player seals its next orders then."""
    with site(tmp_path) as services, lent(scripts=True) as driver:
        number, reader = _reader_in_game(services, driver, 0, "nelaxtam", size=10, troops=2, sea=0)
        resize(driver, (390, 664))
        reader.open(f"/games/{number}")
        driver.execute_script('document.querySelector("[data-pick=a1]").focus()')
        submit(services, number, 1, "A h1, B h3")
        driver.execute_script(_COME_BACK)
        reader.await_text("orders sealed")
        assert _NEWS not in reader.text
        assert driver.switch_to.active_element.get_dom_attribute("data-pick") == "a1"

        reader.find(By.CSS_SELECTOR, "[data-pick=a1]").click()
        reader.wait().until(lambda _: reader.count("[data-act=back]"))
        say(services, number, 1, "Hello!")
        driver.execute_script(_COME_BACK)
        reader.await_text(_NEWS)
        top, _ = driver.execute_script(_EDGES, reader.find(By.CSS_SELECTOR, "#news .notice"))
        _, bottom = driver.execute_script(_EDGES, reader.find(By.CSS_SELECTOR, ".top nav"))
        assert top >= bottom - 4, "the navigation is not covered"
        assert reader.complaints() == []


@pytest.mark.parametrize("size", [(390, 664), (1366, 650)])
def test_news_are_shown_where_the_reader_is(tmp_path: Path, size: tuple[int, int]) -> None:
    """The notice is in view while the status is not; its link leads there. Only a new status is news."""
    with site(tmp_path) as services, lent(scripts=True) as driver:
        number, reader = _reader_in_game(services, driver, seat=1)
        resize(driver, size)
        reader.open(f"/games/{number}")
        driver.execute_script("scrollTo(0, document.body.scrollHeight)")
        news = reader.find(By.CSS_SELECTOR, "#news .notice:last-child")
        say(services, number, 0, "Good luck!")
        driver.execute_script(_COME_BACK)
        said = reader.find(By.ID, "said")
        reader.wait().until(lambda _: said.get_property("textContent") == "This page has been updated.")
        assert not news.is_displayed()
        submit(services, number, 0, "c3")
        driver.execute_script(_COME_BACK)
        reader.wait().until(lambda _: "Turn 2: your move." in news.text)
        top, bottom = driver.execute_script(_EDGES, news)
        assert 0 <= top < bottom <= size[1]
        assert driver.execute_script("return scrollY") > 0
        news.find_element(By.TAG_NAME, "a").click()
        assert not news.is_displayed()
        top, bottom = driver.execute_script(_EDGES, reader.find(By.CSS_SELECTOR, ".status"))
        assert 0 <= top < bottom <= size[1]
        assert reader.complaints() == []


def test_offer_is_announced(tmp_path: Path) -> None:
    """A screen reader says the offer, and also that it is the reader's turn."""
    with site(tmp_path) as services, lent(scripts=True) as driver:
        number, reader = _reader_in_game(services, driver, seat=0)
        reader.open(f"/games/{number}")
        act(services, number, 1, partial(moves.propose, proposal=DRAW))
        driver.execute_script(_COME_BACK)
        said = reader.find(By.ID, "said")
        reader.wait().until(lambda _: "offers a draw" in str(said.get_property("textContent")))
        assert "your move" in str(said.get_property("textContent"))
        assert reader.complaints() == []


@pytest.mark.long
def test_all_tabs_hear_of_a_move_from_one_stream(tmp_path: Path) -> None:
    """Also after the tab that kept the stream was closed."""
    with site(tmp_path) as services, lent(scripts=True) as driver:
        number, reader = _reader_in_game(services, driver, seat=1)
        reader.open("/games")
        first_tab = driver.current_window_handle
        driver.switch_to.new_window("tab")
        second_tab = driver.current_window_handle
        reader.open(f"/games/{number}")
        driver.execute_script(_POLL_NO_MORE)
        driver.execute_async_script(_HEARS)

        submit(services, number, 0, "c3")
        reader.await_text("Turn 2: your move.")
        driver.switch_to.window(first_tab)
        reader.wait().until(lambda _: driver.title.startswith("(1) "))
        driver.close()

        driver.switch_to.window(second_tab)
        driver.execute_script(_POLL_NO_MORE)
        driver.execute_async_script(_HEARS)
        submit(services, number, 1, "d4")
        reader.await_text("Turn 3: waiting for")
        assert reader.complaints() == []


@pytest.mark.long
def test_move_is_played_without_reloading_and_kept_while_offline(tmp_path: Path) -> None:
    with lent(scripts=True) as driver:
        with site(tmp_path) as services:
            number, reader = _reader_in_game(services, driver, seat=0)
            reader.open(f"/games/{number}")
            driver.execute_script("window.same = true")
            top = reader.find(By.CSS_SELECTOR, "svg.board").rect["y"]
            reader.find(By.CSS_SELECTOR, '.board [data-pick="c3"]').click()
            reader.wait().until(lambda _: reader.count("[data-act=play]"))

            driver.set_network_conditions(offline=True, latency=0, throughput=0)
            reader.find(By.CSS_SELECTOR, "[data-act=play]").click()
            reader.await_text("The connection was lost, so your move may not have arrived")
            driver.delete_network_conditions()
            reader.find(By.CSS_SELECTOR, "[data-act=play]").click()
            reader.await_text("Turn 2: waiting for")
            assert "The connection was lost, so your move may not have arrived" not in reader.text
            assert _NEWS not in reader.text
            assert driver.execute_script("return window.same"), "the page has not been reloaded"
            assert reader.find(By.CSS_SELECTOR, "svg.board").rect["y"] == top, "the board has not jumped"

            driver.execute_async_script("navigator.serviceWorker.ready.then(() => arguments[0]())")
            assert reader.complaints() == []
        reader.open("/games")
        assert "Your browser cannot reach the server." in reader.text
        driver.execute_script(_SEND_FORM)
        reader.wait().until(lambda _: "Your browser cannot reach the server." not in reader.text)


def test_reason_why_a_move_was_refused_is_shown(tmp_path: Path) -> None:
    """Here the cookies have been deleted, so the response is an error page."""
    with site(tmp_path) as services, lent(scripts=True) as driver:
        number, reader = _reader_in_game(services, driver, seat=0)
        reader.open(f"/games/{number}")
        reader.find(By.CSS_SELECTOR, '.board [data-pick="c3"]').click()
        reader.wait().until(lambda _: reader.count("[data-act=play]"))
        driver.delete_all_cookies()
        reader.find(By.CSS_SELECTOR, "[data-act=play]").click()
        reader.await_text("Go back, reload the page and try again.")


def test_open_lists_show_new_players(tmp_path: Path) -> None:
    """The lobby, and a tournament before it starts."""
    with site(tmp_path) as services, lent(scripts=True) as driver:
        ann, ben = (add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben"))
        reader = Reader(driver, services.settings.base_url)
        log_in(reader, services, ann)
        reader.open("/lobby")
        assert "Ben" not in reader.text
        open_game(services, ben, "nexus", players=3)
        driver.execute_script(_COME_BACK)
        reader.await_text("Ben")
        assert _NEWS not in reader.text

        clock = Clock()
        clock.time = services.now()
        cup = Field(services, clock)
        reader.open(f"/tournaments/{cup.number}")
        assert "Cleo" not in reader.text
        cup.enter("Cleo")
        driver.execute_script(_COME_BACK)
        reader.await_text("Cleo")
        assert reader.complaints() == []


_COUNT_TONES = """
const Tone = OscillatorNode;
window.tones = 0;
window.OscillatorNode = class extends Tone { constructor(...given) { super(...given); window.tones += 1; } };
"""
"""A script that counts the tones that the browser plays."""
_VERSION = 'return document.querySelector("[data-live=live]").dataset.version'
_PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}


@pytest.mark.long
@pytest.mark.parametrize(
    ("sound", "is_phone", "tones"), [("", False, 2), ("", True, 0), ("off", False, 0), ("on", True, 2)]
)
def test_open_page_plays_sounds_where_the_reader_wants_them(
    tmp_path: Path, sound: str, is_phone: bool, tones: int
) -> None:
    """Two tones for the reader's turn, one for a message; by default not on phones."""
    with site(tmp_path) as services, lent(scripts=True) as driver:
        number, reader = _reader_in_game(services, driver, seat=1)
        if sound:
            _choose(services, number, 1, SOUND, sound)
        if is_phone:
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", _PHONE)
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": is_phone})
        script = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _COUNT_TONES})
        reader.open(f"/games/{number}")
        assert driver.execute_script('return matchMedia("(pointer: coarse)").matches') == is_phone
        reader.find(By.CSS_SELECTOR, "h1").click()

        submit(services, number, 0, "c3")
        driver.execute_script(_COME_BACK)
        reader.await_text("Turn 2: your move.")
        reader.wait().until(lambda _: driver.execute_script("return window.tones") == tones)
        driver.execute_async_script("navigator.locks.request('sound', () => {}).then(arguments[0])")
        version = driver.execute_script(_VERSION)
        say(services, number, 0, "Hello!")
        driver.execute_script(_COME_BACK)
        reader.wait().until(lambda _: driver.execute_script(_VERSION) != version)
        reader.wait().until(lambda _: driver.execute_script("return window.tones") == tones + bool(tones))
        assert reader.complaints() == []
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_typing_moves_anywhere_can_be_switched_off(tmp_path: Path) -> None:
    """Keys of single characters must not surprise people who dictate, or press keys by accident."""
    with site(tmp_path) as services, lent(scripts=True) as driver:
        number, reader = _reader_in_game(services, driver, seat=0)
        for typing, typed in (("on", "c3"), ("off", "")):
            _choose(services, number, 0, TYPING, typing)
            reader.open(f"/games/{number}")
            ActionChains(driver).send_keys("c3").perform()
            assert reader.find(By.ID, "text").get_property("value") == typed


_RECORD_MOTION = """
window.motion = [];
Element.prototype.animate = function ([start]) { window.motion.push([this.textContent, start]); };
"""
"""A script that records the animated elements, and how each animation starts."""


@pytest.mark.long
@pytest.mark.parametrize("is_reduced", [False, True])
def test_pieces_move_to_their_new_places(tmp_path: Path, is_reduced: bool) -> None:
    """New pieces fade in; nothing moves for readers who prefer that."""
    with site(tmp_path) as services, lent(scripts=True) as driver:
        number, reader = _reader_in_game(services, driver, seat=1)
        with reading(services.engine) as session:
            people = [player for _, player in log.seats(session, session.get_one(Game, number))]
        features = [{"name": "prefers-reduced-motion", "value": "reduce" if is_reduced else ""}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        reader.open(f"/games/{number}")
        driver.execute_script(_RECORD_MOTION)
        submit(services, number, 0, "c3")
        driver.execute_script(_COME_BACK)
        reader.await_text("Turn 2: your move.")
        shown = driver.execute_script("return window.motion")
        assert shown == ([] if is_reduced else [["c3: b, black (changed this turn)", {"opacity": 0}]])

        number = begin(services, "nelaxtam", *people, size=10, troops=1, sea=0)
        for seat, orders in enumerate(("1 c3", "A g6")):
            submit(services, number, seat, orders)
        reader.open(f"/games/{number}")
        driver.execute_script(_RECORD_MOTION)
        for seat, orders in enumerate(("1 ne", "hold")):
            submit(services, number, seat, orders)
        driver.execute_script(_COME_BACK)
        reader.await_text("Turn 3:")
        moved = {
            title.partition(" (")[0]: start for title, start in driver.execute_script("return window.motion")
        }
        way = moved.get("d4: 1, troop of O")
        assert way == (None if is_reduced else {"transform": "translate(-40px, 40px)"})
        assert "g6: A, troop of X" not in moved
        assert reader.complaints() == []
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
