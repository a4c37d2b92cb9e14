"""The times of digests."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from server.clock.digests import digest_in_words, next_digest, read_digest, write_digest
from server.clock.errors import BadTime

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)  # a Sunday


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("daily", "daily 18:00"),
        ("Daily at 7:30.", "daily 07:30"),
        ("every day 20:15", "daily 20:15"),
        ("every day at 6pm", "daily 18:00"),
        ("6 pm", "daily 18:00"),
        ("at 18h30", "daily 18:30"),
        ("daily half past six in the evening", "daily 18:30"),
        ("Mondays and Thursdays at noon", "mon,thu 12:00"),
        ("weekly at 9am", "sun 09:00"),
        ("weekly", "sun 18:00"),
        ("weekly fri", "fri 18:00"),
        ("weekly on Friday at 9:00", "fri 09:00"),
        ("thu, mon 18:00", "mon,thu 18:00"),
        ("daily 18:00 Europe/Berlin", "daily 18:00"),
        ("off", "off"),
        ("none", "off"),
        ("3d", None),
        ("hourly", None),
        ("daily 18:00 Asia/Tokyo", None),
        ("weekly 18:00", "sun 18:00"),
    ],
)
def test_digest_choices_are_read(text: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(BadTime, match="is not a time for a digest; write daily"):
            read_digest(text, BERLIN)
        return
    control = read_digest(text, BERLIN)
    assert write_digest(control) == canonical
    assert read_digest(canonical, BERLIN) == control


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("daily half past six", "“half past six” may be 06:30 or 18:30; write one of them."),
        ("daily at 6", "“6” may be 06:00 or 18:00; write one of them."),
        ("daily 25:00", "“25:00” is not a time of day; write 00:00 to 23:59."),
    ],
)
def test_ambiguous_time_of_day_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadTime) as problem:
        read_digest(text, BERLIN)
    assert str(problem.value) == sentence


def test_empty_digest_choice_is_refused() -> None:
    with pytest.raises(BadTime, match="Say when you want your digest; write daily"):
        read_digest("", BERLIN)


def test_next_digest_is_in_the_future() -> None:
    daily = read_digest("daily 13:00", BERLIN)
    assert next_digest(daily, NOW) == datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
    assert next_digest(None, NOW) is None


@pytest.mark.parametrize(
    ("start", "text", "moments"),
    [
        ("2026-03-28 12:00", "daily 02:30", ["2026-03-29 01:30", "2026-03-30 00:30"]),
        ("2026-10-24 12:00", "daily 02:30", ["2026-10-25 01:30", "2026-10-26 01:30"]),
        ("2026-10-24 12:00", "sun 18:00", ["2026-10-25 17:00", "2026-11-01 17:00"]),
    ],
)
def test_one_digest_a_day_when_daylight_saving_changes(start: str, text: str, moments: list[str]) -> None:
    control, now = read_digest(text, BERLIN), datetime.fromisoformat(start).replace(tzinfo=UTC)
    for moment in moments:
        found = next_digest(control, now)
        assert found == datetime.fromisoformat(moment).replace(tzinfo=UTC)
        now = found


def test_digest_choice_is_described_in_words() -> None:
    said = digest_in_words(read_digest("mon,thu 18:00", BERLIN), NOW)
    assert "one email every Monday and Thursday at 18:00" in said
    assert "Mon 2 March 2026, 18:00 Europe/Berlin (UTC+1)" in said
    assert digest_in_words(None, NOW) == "Every turn will be emailed to you immediately."
