"""Pieces dragged with a mouse and with a finger, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from rules.errors import WrongMove
from rules.game import Json
from rules.pressing import pressed
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.web.chromium import lent, log_in, site
from tests.support.web.clicker import Clicker
from tests.support.web.screen import SIZES

_GAMES: dict[str, tuple[Json, int]] = {"nardshir": ({}, 12), "nelaxtam": ({"size": 14}, 4), "nexus": ({}, 9)}
"""The options of games whose pieces move, and the number of turns before the drag."""
_SAMPLES = 60
_STEPS = 6
"""The number of points on the way of a finger."""


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """The services with which the test plays."""
    with site(tmp_path) as opened:
        yield opened


@pytest.fixture
def reader(services: Services) -> Iterator[Clicker]:
    """A browser with scripts."""
    with lent(scripts=True) as driver:
        yield Clicker(driver, services.settings.base_url)


def opened(services: Services, reader: Clicker, game_type: str) -> tuple[list[str], list[str]]:
    """Open a game for the player to move, and pick all that comes before a piece.

    Returns these picks, and those of the piece and its target.
    """
    options, turns = _GAMES[game_type]
    people = [add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben")]
    number, below = begin(services, game_type, *people, **options), Random(game_type).randrange
    for _ in range(turns):
        rules, position, _ = standing(services, number)
        for seat in rules.to_move(position):
            submit(services, number, seat, rules.format(rules.sample(position, seat, below)))
    rules, position, names = standing(services, number)
    seat = rules.to_move(position)[0]
    log_in(reader, services, next(player for player in people if player.name == names[seat]))
    reader.open(f"/games/{number}")
    for _ in range(_SAMPLES):
        picks = list(rules.picks_of(position, seat, rules.sample(position, seat, below)))
        for at in range(len(picks) - 1):
            offered = {pick.text: pick for pick in rules.choices(position, seat, picks[:at]).picks}
            targets = {pick.text: pick for pick in rules.choices(position, seat, picks[: at + 1]).picks}
            if offered[picks[at]].lifts and targets[picks[at + 1]].group != "hold":
                return picks[:at], picks[at : at + 2]
    raise AssertionError("no move of a piece")


def standing(services: Services, number: int) -> tuple[Any, Any, list[str]]:
    """Return the rules and the position of a game, and its players by seat."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        return log.rules_of(game), log.position_of(game), [each.name for _, each in log.seats(session, game)]


def impossible(services: Services, picks: list[str]) -> tuple[str, str]:
    """Return a place of the board that cannot be picked next or instead of the last picks, and the reason."""
    rules, position, _ = standing(services, 1)
    for cell in (cell for row in rules.diagram(position).rows for cell in row.cells if cell.name):
        try:
            pressed(rules, position, rules.to_move(position)[0], picks, cell.name)
        except WrongMove as problem:
            return cell.name, str(problem)
    raise AssertionError("all places can be picked")


def middle(element: WebElement) -> tuple[float, float]:
    """Return the middle of a cell of a place."""
    box = element.find_element(By.CSS_SELECTOR, "use").rect
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch(reader: Clicker, kind: str, *points: tuple[float, float]) -> None:
    """Move a finger: touchStart, touchMove or touchEnd."""
    touched = [{"x": x, "y": y} for x, y in points]
    reader.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


def pull(reader: Clicker, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Move a finger that is at `start` to `end`."""
    for step in range(1, _STEPS + 1):
        way = [one + (other - one) * step / _STEPS for one, other in zip(start, end, strict=True)]
        touch(reader, "touchMove", (way[0], way[1]))


@pytest.mark.long
@pytest.mark.parametrize("game_type", _GAMES)
def test_piece_is_dragged_with_the_mouse(services: Services, reader: Clicker, game_type: str) -> None:
    before, (piece, target) = opened(services, reader, game_type)
    reader.sit(SIZES[0])
    for text in before[len(reader.picked()) :]:
        reader.pick(text, by_keys=False)
    ActionChains(reader.driver, duration=50).click_and_hold(
        reader.door(piece).find_element(By.CSS_SELECTOR, "use")
    ).move_by_offset(12, 0).perform()
    reader.await_picks(len(before) + 1)
    assert reader.picked()[-1] == piece
    cell = reader.door(target).find_element(By.CSS_SELECTOR, "use")
    line = reader.find(By.CSS_SELECTOR, ".move-text")
    prompt = line.text
    ActionChains(reader.driver, duration=50).move_to_element(cell).perform()
    assert reader.count(".ghost") == 1
    assert reader.count(".board .aimed") == 1
    assert line.text != prompt
    ActionChains(reader.driver, duration=50).move_to_element(line).perform()
    assert (reader.count(".board .aimed"), line.text) == (0, prompt)
    ActionChains(reader.driver, duration=50).move_to_element(cell).perform()
    ActionChains(reader.driver, duration=50).release().perform()
    reader.await_picks(len(before) + 2)
    assert reader.picked() == [*before, piece, target]
    assert reader.count(".ghost") == 0


@pytest.mark.long
@pytest.mark.parametrize("game_type", _GAMES)
def test_piece_is_dragged_with_a_finger(services: Services, reader: Clicker, game_type: str) -> None:
    """Pieces that can be dragged do not scroll the page; the rest of the board does."""
    before, (piece, target) = opened(services, reader, game_type)
    reader.sit(SIZES[-1])
    for text in before[len(reader.picked()) :]:
        reader.pick(text, by_keys=False)
    start = middle(reader.door(piece))
    touch(reader, "touchStart", start)
    pull(reader, start, (start[0], start[1] - 20))
    reader.await_picks(len(before) + 1)
    end = middle(reader.door(target))
    pull(reader, (start[0], start[1] - 20), end)
    touch(reader, "touchEnd")
    reader.await_picks(len(before) + 2)
    assert reader.picked() == [*before, piece, target]
    assert reader.driver.execute_script("return scrollY") == 0

    title = reader.find(By.CSS_SELECTOR, ".game-title").rect
    start = (title["x"] + title["width"] - 5, 600)
    touch(reader, "touchStart", start)
    pull(reader, start, (start[0], 200))
    touch(reader, "touchEnd")
    reader.wait().until(lambda driver: driver.execute_script("return scrollY") > 0)


@pytest.mark.long
def test_second_finger_cancels_a_drag(services: Services, reader: Clicker) -> None:
    """The picks are those of before the drag, whether it picked the piece or the piece was picked already."""
    before, (piece, _) = opened(services, reader, "nexus")
    reader.sit(SIZES[-1])
    for text in before[len(reader.picked()) :]:
        reader.pick(text, by_keys=False)
    for kept in (before, [*before, piece]):
        for text in kept[len(reader.picked()) :]:
            reader.pick(text, by_keys=False)
        start = middle(reader.find(By.CSS_SELECTOR, f'.board [data-pick="{piece}"], .board [data-held]'))
        moved = start[0], start[1] - 20
        touch(reader, "touchStart", start)
        pull(reader, start, moved)
        reader.await_picks(len(before) + 1)
        assert reader.count(".ghost") == 1
        touch(reader, "touchStart", moved, (200, 600))
        reader.await_picks(len(kept))
        touch(reader, "touchMove", start, (200, 500))
        touch(reader, "touchEnd")
        assert (reader.picked(), reader.count(".ghost"), reader.count(".board .aimed")) == (kept, 0, 0)


@pytest.mark.long
def test_piece_dragged_to_an_impossible_place_returns(services: Services, reader: Clicker) -> None:
    before, (piece, _) = opened(services, reader, "nexus")
    reader.sit(SIZES[0])
    for text in before[len(reader.picked()) :]:
        reader.pick(text, by_keys=False)
    place, reason = impossible(services, [*before, piece])
    cell = reader.find(By.XPATH, f"//*[name()='use'][*[name()='title'][starts-with(., '{place}: ')]]")
    ActionChains(reader.driver, duration=50).drag_and_drop(
        reader.door(piece).find_element(By.CSS_SELECTOR, "use"), cell
    ).perform()
    reader.await_text(reason)
    assert reader.find(By.CSS_SELECTOR, ".status[role=alert]").is_displayed()
    assert (reader.picked(), reader.count(".ghost")) == ([*before, piece], 0)
    assert reader.count(".board [data-held]") == 1
