"""Hints and analyses by the computer, requested and used in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from server.game.log import log
from server.jobs.inquiries import answer_next
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game
from tests.support.server.computer_players import Thinker, assess, begin_solo, seat_of
from tests.support.server.games import submit
from tests.support.server.players import add_player
from tests.support.web.chromium import Reader, lent, log_in, site

pytestmark = pytest.mark.long


def test_open_page_shows_hints_and_winning_chances(tmp_path: Path) -> None:
    with site(tmp_path) as services, lent(scripts=True) as driver:
        ann = add_player(services, "ann@example.org", "Ann")
        number = begin_solo(services, ann, "nebuchadnezzar", size=5)
        if seat_of(services, number, ann):
            submit(services, number, 0, "a1")
        reader = Reader(driver, services.settings.base_url)
        log_in(reader, services, ann)
        reader.open(f"/games/{number}")
        reader.press("Get a hint")
        reader.await_text("The computer is looking for a move.")
        answer_next(services.engine, services.sealer, services.now(), Thinker())
        reader.await_text("The computer searched 2000 positions")
        reader.press("Try it")
        reader.await_text("You are trying c3.")

        play_to(services, number, turns=2)
        reader.open(f"/games/{number}/resign")
        reader.find(By.CSS_SELECTOR, "main form button").click()
        reader.await_text("Analyse this game")
        reader.press("Analyse this game")
        reader.await_text("The computer is analysing the game.")
        answer_next(services.engine, services.sealer, services.now(), assess)
        reader.await_text("b2 would have left 52")
        bands = driver.find_elements(By.CSS_SELECTOR, ".course a rect")
        assert len(bands) == 4
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", bands[1])
        bands[1].click()
        reader.await_text("The board after turn 1.")
        assert reader.count(".course .shown") == 1
        assert reader.complaints() == []


def play_to(services: Services, number: int, turns: int) -> None:
    """Play up to this turn."""
    for move in ("c3", "e5"):
        with reading(services.engine) as session:
            game = session.get_one(Game, number)
            if game.turn > turns:
                return
            seat = log.rules_of(game).to_move(log.position_of(game))[0]
        submit(services, number, seat, move)
