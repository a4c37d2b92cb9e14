"""Reading times, names and opponents takes a number of steps proportional to the length of the text."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from mail.addresses import normalised
from rules.records.verification import read_heads
from server.accounts import players
from server.clock.controls import read_control
from server.clock.digests import read_digest
from server.clock.moments import read_date
from server.clock.reminders import read_reminders
from server.clock.spans import read_span
from server.clock.vacations import read_vacation
from server.clock.zones import read_zone
from server.game.log import randomness
from server.game.play import conditional_moves
from server.game.terms import terms
from server.interpretation.options import read_challenge
from server.interpretation.reply_checks import without_prefix
from server.limits import LONGEST_LINE
from tests.support.counting import steps

pytestmark = pytest.mark.slow

NOW, ZONE = datetime(2026, 3, 1, tzinfo=UTC), ZoneInfo("UTC")

READERS: dict[str, Callable[[str], object]] = {
    "a time control": lambda text: read_control(text, ZONE),
    "terms": lambda text: terms.terms_of_options({"time": "3d", "grace": text}, ZONE, simultaneous=True),
    "a number": lambda text: terms.terms_of_options(
        {"misses": text, "show-ready": text}, ZONE, simultaneous=True
    ),
    "a length of time": read_span,
    "a time zone": read_zone,
    "a date": read_date,
    "a digest": lambda text: read_digest(text, ZONE),
    "reminders": read_reminders,
    "a vacation": lambda text: read_vacation(text, NOW, ZONE),
    "a name": players.check_name,
    "an address": normalised,
    "luck": randomness.tidy,
    "a challenge": read_challenge,
    "conditional moves": conditional_moves.steps,
    "a move and conditional moves": conditional_moves.parted,
    "a subject": without_prefix,
    "heads": read_heads,
}
TOKENS = (
    *(
        "1",
        "9",
        "3d",
        "1d ",
        "7d+",
        "+",
        "/",
        "1 day and ",
        "weeks ",
        "daily ",
        "mon,",
        "20:00 ",
        ":",
        "UTC",
        "Europe/",
    ),
    *(
        "2026-",
        "2026-12-20 ",
        "to ",
        "from ",
        "until ",
        "half ",
        "day,",
        "none ",
        "off ",
        "weekly ",
        "time=",
        "a=b ",
    ),
    *(
        "nibble ",
        "challenge ",
        "a",
        "Ann ",
        "Ann,",
        "@",
        "a@b.org ",
        "a.",
        "-",
        "'",
        " ",
        "\n",
        "if ",
        "then ",
        "and ",
    ),
    *("Re: ", "Re:", "[1]", "é", "İ", "\u0661", "𝟏", "\u00ad", "x" * 64, "0" * 64 + " ", "_", '"', "\\", "("),
)


@pytest.mark.sample(4)
@pytest.mark.parametrize("what", READERS)
def test_readers_take_linear_time(what: str) -> None:
    """Four times the text may take at most five times the steps, plus a constant."""
    read = READERS[what]
    read_zone("UTC")  # all names of time zones are loaded once
    for token in TOKENS:
        times = min(80, LONGEST_LINE // (4 * len(token)))
        for end in ("", " !"):
            few, many = steps(_read, read, token * times + end), steps(_read, read, token * 4 * times + end)
            assert many <= 5 * few + 4000, token
            assert many < 400_000, token


def _read(read: Callable[[str], object], text: str) -> None:
    with suppress(ValueError):
        read(text)
