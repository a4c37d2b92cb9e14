"""Every state of a game's page fits in one screen: measured in a real browser, on a laptop and on a phone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from rules.game import Json
from server.accounts import computer_players
from server.game.computer.lessons import lesson_of, register
from server.game.lobby import challenges, joining
from server.game.log import log
from server.game.play import moves
from server.game.play.proposals import DRAW
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from tests.support.server.games import act, begin, load_game, resign, say, submit
from tests.support.server.players import add_player
from tests.support.web.chromium import lent, log_in, site
from tests.support.web.clicker import Clicker
from tests.support.web.screen import SIZES, out_of_view, resize

_TURNS = {"nibble": 8, "nelaxtam": 6, "nexus": 9, "nebuchadnezzar": 10, "nardshir": 12}
_GAMES: dict[str, tuple[str, Json]] = {
    "nibble": ("nibble", {}),
    "nibble of 169 hexagons": ("nibble", {"board": "hex-13"}),
    "nelaxtam": ("nelaxtam", {}),
    "nelaxtam of 14 by 14": ("nelaxtam", {"size": 14}),
    "nexus": ("nexus", {}),
    "nexus of three": ("nexus", {"players": 3}),
    "nexus of four": ("nexus", {"players": 4}),
    "nebuchadnezzar": ("nebuchadnezzar", {}),
    "nebuchadnezzar of 15 by 15": ("nebuchadnezzar", {"size": 15}),
    "nardshir": ("nardshir", {}),
}
_NEXT_GAME = ".screen [href^='/games/']:has(.unseen)"
_SAMPLES = 20
"""The number of moves among which to look for one with many picks."""


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """The services with which the test plays."""
    with site(tmp_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def driver() -> Iterator[Chrome]:
    """A browser with scripts, which shows all sites of these tests."""
    with lent(scripts=True) as driver:
        yield driver


@pytest.fixture
def reader(services: Services, driver: Chrome) -> Iterator[Clicker]:
    """A person at the browser, whom the site does not know."""
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    reader = Clicker(driver, services.settings.base_url)
    yield reader
    reader.leave()


@dataclass(frozen=True)
class Standing:
    """A game between turns: its rules and position, the seat that moves next, and all players by seat."""

    rules: Any
    position: Any
    seat: int
    players: Sequence[str]

    @property
    def mover(self) -> str:
        """The player who moves next."""
        return self.players[self.seat]

    @property
    def other(self) -> str:
        """The player who moves after that."""
        return self.players[(self.seat + 1) % len(self.players)]


def standing(services: Services, number: int) -> Standing:
    """Return the state of the game now."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        rules, position = log.rules_of(game), log.position_of(game)
        seat = rules.to_move(position)[0]
        return Standing(rules, position, seat, [player.name for _, player in log.seats(session, game)])


def before_start(
    services: Services, people: Sequence[Player], game_type: str, options: Json
) -> tuple[int, int]:
    """Return the numbers of an open game, which all but the last have joined, and of an invitation."""
    first, *others = people
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        own, *known = (session.get_one(Player, player.id) for player in (first, *others))
        number = log.id_of(joining.seek(action, own, game_type, options))
        for player in known[:-1]:
            joining.join(action, player, number)
        return number, log.id_of(challenges.challenge(action, own, known, game_type, options))


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", _GAMES)
def test_complete_turn_fits_on_the_screen(services: Services, reader: Clicker, game: str) -> None:
    """Each pick of a move with many picks, another player's turn, replay, analysis, a draw offer, the end."""
    game_type, options = _GAMES[game]
    names = ("Ann", "Ben", "Cleo", "Dora")[: options.get("players", 2)]
    people = {name: add_player(services, f"{name.lower()}@example.org", name) for name in names}
    number = begin(services, game_type, *people.values(), **options)
    below = Random(game).randrange
    for _ in range(_TURNS[game_type]):
        now = standing(services, number)
        for seat in now.rules.to_move(now.position):
            move = now.rules.sample(now.position, seat, below)
            submit(services, number, seat, now.rules.format(move))
    now = standing(services, number)
    samples = [now.rules.sample(now.position, now.seat, below) for _ in range(_SAMPLES)]
    picks = max((now.rules.picks_of(now.position, now.seat, move) for move in samples), key=len)

    log_in(reader, services, people[now.mover])
    reader.open(f"/games/{number}")
    found = [f"{game}, turn: {each}" for each in measured(reader)]
    for text in picks[len(reader.picked()) :]:
        reader.pick(text, by_keys=False)
        found += [f"{game}, {text} picked: {each}" for each in measured(reader)]
    reader.play(by_keys=False)
    for address in ("", "?turn=3", "/analysis", "/analysis?turn=2"):
        reader.open(f"/games/{number}{address}")
        found += [f"{game}, {address}: {each}" for each in measured(reader)]
    act(services, number, now.seat, partial(moves.propose, proposal=DRAW))
    reader.driver.delete_all_cookies()
    log_in(reader, services, people[now.other])
    reader.open(f"/games/{number}")
    assert reader.find(By.CSS_SELECTOR, ".status button").text == "Accept the draw"
    found += [f"{game}, draw offered: {each}" for each in measured(reader)]
    resign(services, number, people[now.mover])
    reader.open(f"/games/{number}")
    found += [f"{game}, resigned: {each}" for each in measured(reader)]
    assert found == []


@pytest.mark.long
@pytest.mark.parametrize("others", [0, 1], ids=["one game", "two games"])
def test_board_keeps_its_size_while_orders_are_picked(services: Services, reader: Clicker, others: int) -> None:
    """The first pick removes the choices beside the board, and a finger expects the next troop where it was.

    With another game that waits, the page also has a link to that game.
    """
    people = {name: add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben")}
    number, below = begin(services, "nelaxtam", *people.values(), size=14), Random(0).randrange
    for _ in range(others):
        begin(services, "nelaxtam", *people.values())
    now = standing(services, number)
    for seat in (0, 1):
        submit(services, number, seat, now.rules.format(now.rules.sample(now.position, seat, below)))
    now = standing(services, number)
    log_in(reader, services, people[now.mover])
    reader.sit(SIZES[-1])
    reader.open(f"/games/{number}")
    widths = [reader.find(By.CSS_SELECTOR, ".board").rect["width"]]
    assert (reader.count("#choices button"), reader.count(_NEXT_GAME)) == (2, others)
    assert measured(reader) == []
    resize(reader.driver, SIZES[-1])
    for _ in range(2):
        reader.pick(now.rules.choices(now.position, now.seat, reader.picked()).picks[0].text, by_keys=False)
        widths.append(reader.find(By.CSS_SELECTOR, ".board").rect["width"])
    reader.play(by_keys=False)
    widths.append(reader.find(By.CSS_SELECTOR, ".board").rect["width"])
    assert (reader.count("#choices button"), reader.count(_NEXT_GAME)) == (2, others)
    assert measured(reader) == []
    assert max(widths) - min(widths) < 12


def test_heading_with_a_long_title_and_a_new_message_fits_on_a_phone(
    services: Services, reader: Clicker
) -> None:
    """The number of the game is visible, and so are the levels of computer players."""
    people = [add_player(services, f"{name}@example.org", name.capitalize()) for name in ("ann", "ben")]
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann, ben = (session.get_one(Player, player.id) for player in people)
        others = [ben, computer_players.member(action, 2)]
        number = log.id_of(challenges.challenge(action, ann, others, "nexus", {"players": 3}))
        for player in (ann, ben):
            challenges.accept(action, player, number)
    for seat in range(3):
        say(services, number, seat, "Good luck!")
    log_in(reader, services, people[0])
    reader.sit(SIZES[-1])
    reader.open(f"/games/{number}")
    assert reader.find(By.CSS_SELECTOR, "[href='#messages']").text == "New message"
    assert out_of_view(reader.driver) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", _GAMES)
def test_games_before_their_start_fit_on_the_screen(services: Services, reader: Clicker, game: str) -> None:
    """An open game as its players, others and visitors see it, and an invitation."""
    game_type, options = _GAMES[game]
    people = [
        add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben", "Cleo", "Dora")
    ]
    seats = options.get("players", 2)
    number, invitation = before_start(services, people[:seats], game_type, options)
    reader.open(f"/games/{number}")
    found = [f"{game}, visitor: {each}" for each in measured(reader)]
    for player, numbers in (
        (people[0], (number, invitation)),
        (people[1], (number, invitation)),
        (people[3], (number,)),
    ):
        reader.driver.delete_all_cookies()
        log_in(reader, services, player)
        for address in numbers:
            reader.open(f"/games/{address}")
            assert reader.find(By.CSS_SELECTOR, ".bar .buttons").is_displayed()
            found += [f"{game}, {player.name}, {address}: {each}" for each in measured(reader)]
    assert found == []


@pytest.mark.long
@pytest.mark.parametrize("game_type", sorted(_TURNS))
def test_games_to_try_and_sample_games_fit_on_the_screen(reader: Clicker, game_type: str) -> None:
    for address in ("try", "game?turn=2"):
        reader.open(f"/rules/{game_type}/{address}")
        assert measured(reader) == [], address


@pytest.mark.long
def test_lessons_fit_on_the_screen(services: Services, reader: Clicker) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now(), teaches=True)
        ann = register(action, "ann@example.org", "Ann")
    log_in(reader, services, ann)
    reader.open("/games/1")
    assert reader.find(By.CSS_SELECTOR, ".lesson").is_displayed()
    assert measured(reader) == []


@pytest.mark.long
def test_complete_guided_game_fits_on_a_phone(services: Services, reader: Clicker) -> None:
    """Each lesson, each pick of the first turn, the wait for the computer player, and the end.

    The turns without a new lesson look like those of other games, and are played without the browser.
    """
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now(), teaches=True)
        ann = register(action, "ann@example.org", "Ann")
    log_in(reader, services, ann)
    reader.sit(SIZES[-1])
    found, told, below = [], list[str](), Random("guided").randrange
    while load_game(services).state == "running":
        now = standing(services, 1)
        samples = [now.rules.sample(now.position, now.seat, below) for _ in range(_SAMPLES)]
        picks = max((now.rules.picks_of(now.position, now.seat, move) for move in samples), key=len)
        with reading(services.engine) as session:
            game = session.get_one(Game, 1)
            lesson = lesson_of(session, game, now.seat, game.turn) if now.mover == ann.name else None
        if lesson and lesson.text not in told:
            told.append(lesson.text)
            reader.open("/games/1")
            assert lesson.text in reader.find(By.CSS_SELECTOR, ".lesson").text
            found += [f"lesson {lesson.number}: {each}" for each in out_of_view(reader.driver)]
        if lesson and len(told) == 1:
            for text in picks[len(reader.picked()) :]:
                reader.pick(text, by_keys=False)
            reader.play(by_keys=False)
            found += [f"after the first turn: {each}" for each in out_of_view(reader.driver)]
            reader.leave()
        else:
            submit(services, 1, now.seat, now.rules.format(samples[0]))
    reader.open("/games/1")
    found += [f"the end: {each}" for each in out_of_view(reader.driver)]
    assert len(told) >= 4
    assert found == []


def test_check_finds_boards_and_choices_outside_the_screen(reader: Clicker) -> None:
    reader.open("/rules/nelaxtam/try")
    resize(reader.driver, SIZES[-1])
    assert out_of_view(reader.driver) == []
    reader.driver.execute_script('document.querySelector(".screen").style = "margin-top: 300px"')
    assert any(each.startswith("the board") for each in out_of_view(reader.driver))
    reader.driver.execute_script('document.querySelector(".screen").style = ""')
    reader.driver.execute_script('document.querySelector(".bar").style = "position: fixed; inset: 0"')
    assert any(each.startswith("covered place") for each in out_of_view(reader.driver))


def measured(reader: Clicker) -> list[str]:
    """Return the elements outside of the screen, for each size."""
    found = []
    for size in SIZES:
        resize(reader.driver, size)
        found += [f"{size}: {each}" for each in out_of_view(reader.driver)]
    return found
