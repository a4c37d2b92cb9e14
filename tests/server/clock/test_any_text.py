"""Every text of a player is read, or refused with a sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.clock.controls import read_control
from server.clock.dates import read_stretch
from server.clock.digests import read_digest
from server.clock.errors import BadTime
from server.clock.hours import read_clock
from server.clock.moments import read_date
from server.clock.reminders import read_reminders
from server.clock.spans import read_span
from server.clock.vacations import read_vacation
from server.clock.zones import read_zone
from tests.support.server.time_controls import BEGAN, BERLIN, terms

READERS: dict[str, Callable[[str], object]] = {
    "span": read_span,
    "date": read_date,
    "zone": read_zone,
    "clock": read_clock,
    "digest": lambda text: read_digest(text, BERLIN),
    "control": lambda text: read_control(text, BERLIN),
    "sequential": lambda text: terms(text, grace=text),
    "simultaneous": lambda text: terms(text, simultaneous=True, weekends="off"),
    "misses": lambda text: terms(simultaneous=True, misses=text),
    "choice": lambda text: terms(weekends=text, timeout=text),
    "stretch": lambda text: read_stretch(text, BEGAN.date()),
    "vacation": lambda text: read_vacation(text, BEGAN, BERLIN),
    "reminders": read_reminders,
}

WORDS = st.sampled_from(
    (
        *("3d", "12h", "0", "+", "/", "-", ",", "²", "99999999999", "\x00", "none", "off", "half", "and", "at"),
        *("daily", "mon", "20:00", "24:00", "0:\b", "UTC", "Europe/Berlin"),
        *(
            "to",
            "until",
            "2026-12-20",
            "9999-12-31",
            "0001-01-01",
            "3/4",
            "20.12.",
            "Dec",
            "20",
            "29th",
            "2027",
        ),
        *(
            "half past",
            "six",
            "pm",
            "12",
            "o'clock",
            "at night",
            "next week",
            "the end of",
            "per move",
            "one move a",
        ),
        *("next", "Friday", "mar", "listopad", "tomorrow", "a week", "from", "for", "two"),
    )
)
TEXTS = (
    st.text(max_size=60) | st.lists(WORDS, max_size=6).map(" ".join) | st.lists(WORDS, max_size=4).map("".join)
)


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
@given(text=TEXTS)
@example(text="until 9999-12-31")
@example(text=" , ")
def test_every_text_is_read_or_refused(reader: str, text: str) -> None:
    try:
        READERS[reader](text)
    except BadTime as problem:
        refusal = str(problem)
    else:
        return
    assert refusal.isprintable()
    assert refusal[-1] in ".?"
    assert len(refusal) < 250
