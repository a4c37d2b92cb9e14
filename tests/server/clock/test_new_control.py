"""A new time control is one class and its entry in the list: all users of controls then know it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Self
from zoneinfo import ZoneInfo

import pytest

from server.clock.controls import CONTROLS, Control, hint, read_control
from server.clock.controls.control import SeatTime
from server.clock.errors import BadTime
from server.clock.pauses import walk
from server.clock.spans import DAY, HOUR
from server.errors import BadRequest
from server.game.terms.terms import terms_of_options
from tests.support.server.time_controls import BERLIN, due, owed, vacation, when


@dataclass(frozen=True)
class Growing(Control):
    """An hour for the first day of the month, another for each day of it."""

    as_in = hint = "growing"

    @classmethod
    def read(cls, text: str, zone: ZoneInfo) -> Self | None:
        return cls() if text == "growing" else None

    def write(self) -> str:
        return "growing"

    def in_words(self) -> str:
        return "The later in the month, the more time."

    def due(self, time: SeatTime) -> datetime:
        return walk(time.began, time.began.day * HOUR, time.halts())

    def check(self, *, simultaneous: bool, weekends: bool) -> None:
        if not weekends:
            raise BadTime("It grows at weekends, too.")


@pytest.fixture(autouse=True)
def growing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adds it to the list."""
    monkeypatch.setattr("server.clock.controls.CONTROLS", [*CONTROLS, Growing])


def test_challenge_names_the_new_control_and_explains_it() -> None:
    settled, _ = terms_of_options({"time": "growing"}, BERLIN, simultaneous=False)
    assert settled.to_json()["time"] == "growing"
    assert settled.in_words(when("2026-03-02 12:00"), 2)[0] == "The later in the month, the more time."
    assert settled.example(when("2026-03-02 12:00"), BERLIN)[1].startswith("Mon 2 March 2026, 15:00")


def test_new_control_sets_the_deadline_and_a_vacation_postpones_it() -> None:
    assert due(owed("growing")) == when("2026-03-02 14:00")
    away = vacation("2026-03-02 12:00", "2026-03-03 12:00")
    assert due(owed("growing", away)) == when("2026-03-02 14:00") + DAY


def test_forms_offer_the_new_control() -> None:
    assert hint(simultaneous=False).endswith("none: no deadline; growing.")
    with pytest.raises(BadTime, match="none, or growing"):
        read_control("fast", BERLIN)


def test_new_control_names_incompatible_options() -> None:
    with pytest.raises(BadRequest, match="It grows at weekends, too"):
        terms_of_options({"time": "growing", "weekends": "off"}, BERLIN, simultaneous=False)
