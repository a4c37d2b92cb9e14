"""Days and stretches of days as people write them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.reading.languages.phrases import LANGUAGES
from server.clock.calendar_names import days_named, in_english, months_named
from server.clock.dates import RECENT, read_day, read_stretch
from server.clock.errors import BadTime
from server.clock.moments import MONTHS

TODAY = date(2026, 11, 27)  # a Friday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Dec 20 to Jan 3", "2026-12-20", "2027-01-03"),
        ("20.12.-3.1.", "2026-12-20", "2027-01-03"),
        ("20. 12. – 3. 1.", "2026-12-20", "2027-01-03"),
        ("20.12.2026 - 3.1.2027", "2026-12-20", "2027-01-03"),
        ("20.12.26 to 3.1.27", "2026-12-20", "2027-01-03"),
        ("2026-12-20 - 2027-01-03", "2026-12-20", "2027-01-03"),
        ("2026-12-20-2027-01-03", "2026-12-20", "2027-01-03"),
        ("20-Dec to 3-Jan", "2026-12-20", "2027-01-03"),
        ("20-Dec-2026 through 3-Jan-2027", "2026-12-20", "2027-01-03"),
        ("December 20th, 2026 until January 3rd", "2026-12-20", "2027-01-03"),
        ("Dec 20 to Jan 3 2027", "2026-12-20", "2027-01-03"),
        ("the 20th of December to the 3rd of January", "2026-12-20", "2027-01-03"),
        ("Sunday 20 December to Jan 3", "2026-12-20", "2027-01-03"),
        ("between Dec 20 and Jan 3", "2026-12-20", "2027-01-03"),
        ("from 20 to 27 December", "2026-12-20", "2026-12-27"),
        ("20-27 December", "2026-12-20", "2026-12-27"),
        ("Dec 20-27", "2026-12-20", "2026-12-27"),
        ("Dec 28-3", "2026-12-28", "2027-01-03"),
        ("28 to 3 January", "2026-12-28", "2027-01-03"),
        ("from the 20th to the 27th", "2026-12-20", "2026-12-27"),
        # Only one order fits these dates with slashes, for both ends.
        ("20/12 - 3/1", "2026-12-20", "2027-01-03"),
        ("12/20-1/3", "2026-12-20", "2027-01-03"),
        ("3/3 to 5/5", "2027-03-03", "2027-05-05"),
        ("vom 20. bis 27. Dezember", "2026-12-20", "2026-12-27"),
        ("du 20 au 27 décembre", "2026-12-20", "2026-12-27"),
        ("del 20 al 27 de diciembre", "2026-12-20", "2026-12-27"),
        ("20 decembre a 3 janvier", "2026-12-20", "2027-01-03"),
        ("с 20 по 27 декабря", "2026-12-20", "2026-12-27"),
        ("12月20日-1月3日", "2026-12-20", "2027-01-03"),
        ("20 tháng 12 to 3 tháng 1", "2026-12-20", "2027-01-03"),
        ("tomorrow until Monday", "2026-11-28", "2026-11-30"),
        ("Monday to Friday", "2026-11-30", "2026-12-04"),
        ("Monday to Monday", "2026-11-30", "2026-12-07"),
        ("today to Friday", "2026-11-27", "2026-12-04"),
        ("Nov 20 to Jan 3", "2026-11-20", "2027-01-03"),
        ("Nov 10 to Nov 12", "2026-11-10", "2026-11-12"),
        ("July 1 to July 14", "2027-07-01", "2027-07-14"),
        ("2027-01-03 to 2026-12-20", "2027-01-03", "2026-12-20"),
        ("until Monday", None, "2026-11-30"),
        ("till next Monday", None, "2026-11-30"),
        ("until this Friday", None, "2026-11-27"),
        ("until next Friday", None, "2026-12-04"),
        ("until the 5th", None, "2026-12-05"),
        ("until the 27th", None, "2026-11-27"),
        ("until 13/4", None, "2027-04-13"),
        ("until the day after tomorrow", None, "2026-11-29"),
        ("to Jan 3", None, "2027-01-03"),
        ("until the end of the month", None, "2026-11-30"),
        ("until the end of December", None, "2026-12-31"),
        ("tomorrow until the end of the year", "2026-11-28", "2026-12-31"),
    ],
)
def test_periods_are_read(text: str, first: str | None, last: str) -> None:
    wanted = None if first is None else date.fromisoformat(first)
    assert read_stretch(text, TODAY) == (wanted, date.fromisoformat(last))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "3/4 to 5/4",
            "“3/4 to 5/4” may be 4 March 2027 to 4 May 2027 or 3 April 2027 to 5 April 2027; write "
            "2027-03-04 to 2027-05-04 or 2027-04-03 to 2027-04-05.",
        ),
        (
            "until 3/4",
            "“until 3/4” may be 4 March 2027 or 3 April 2027; write until 2027-03-04 or until 2027-04-03.",
        ),
        (
            "until Friday",
            "“until Friday” may be 27 November 2026 or 4 December 2026; write until 2026-11-27 or until "
            "2026-12-04.",
        ),
        # October in Croatian, November in Polish.
        (
            "until 30 listopada",
            "“until 30 listopada” may be 30 October 2026 or 30 November 2026; write until 2026-10-30 or until "
            "2026-11-30.",
        ),
        ("30 Feb to 3 March", "There is no day “30 feb”; write year-month-day, such as 2026-12-20."),
        ("until 2027-02-29", "There is no day “2027-02-29”; write year-month-day, such as 2026-12-20."),
        ("until 31.11.", "There is no day “31.11.”; write year-month-day, such as 2026-12-20."),
        ("until 40/50", "There is no day “40/50”; write year-month-day, such as 2026-12-20."),
        ("Monday 20 December to Jan 3", "20 December 2026 is a Sun, not a Mon; write 2026-12-20."),
        ("20 to 27", "“20” does not name a month; write year-month-day, such as 2026-12-20."),
        ("Dec 20 to late", "“late” is not a date; write year-month-day, such as 2026-12-20."),
        ("soon to Jan 3", "“soon” is not a date; write year-month-day, such as 2026-12-20."),
    ],
)
def test_ambiguous_and_invalid_dates_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadTime) as problem:
        read_stretch(text, TODAY)
    assert str(problem.value) == sentence


def test_ambiguous_next_weekday_is_refused() -> None:
    monday = TODAY - timedelta(days=4)
    assert read_day("Friday", monday) == read_day("this Friday", monday) == TODAY
    with pytest.raises(BadTime, match="27 November 2026 or 4 December 2026"):
        read_day("next Friday", monday)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "5 days",
        "a week",
        "December",
        "until",
        "to",
        "soon to late",
        "c4 to d5",
        "off",
        "until the end",
    ],
)
def test_other_texts_are_no_period(text: str) -> None:
    assert read_stretch(text, TODAY) is None


@given(st.dates(TODAY, TODAY + timedelta(days=365) - RECENT - timedelta(days=1)), st.sampled_from(range(4)))
def test_day_without_a_year_is_the_next_one(day: date, form: int) -> None:
    month = MONTHS[day.month - 1]
    written = (
        f"{day.day}.{day.month}.",
        f"{month} {day.day}",
        f"{day.day} {month[:3]}",
        f"{month} {day.day}th",
    )
    assert read_day(written[form], TODAY) == day


@given(st.dates(TODAY - RECENT, TODAY - timedelta(days=1)))
def test_recent_day_is_not_taken_for_next_year(day: date) -> None:
    assert read_day(f"{day.day} {MONTHS[day.month - 1]}", TODAY) == day


def test_each_language_has_names_for_months_and_days() -> None:
    numbered = {"zh", "ja", "ko"}
    assert len(LANGUAGES.keys() - numbered) == 42
    for number, name in enumerate(("december", "dezember", "décembre", "grudnia", "декабря", "ธันวาคม"), 1):
        assert read_day(f"{number} {name}", TODAY) == date(2026, 12, number)
    assert set().union(*months_named().values()) == set(range(1, 13))
    assert set().union(*days_named().values()) == set(range(7))
    doubtful = {name for name, months in months_named().items() if len(months) > 1}
    assert doubtful == {"lip", "lis", "listopad", "listopada", "srp"}


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("bis 10. Dezember", "until 10 December"),
        ("vom 20.12. bis 3.1.", "from 20.12. until 3.1."),
        ("von Montag bis Freitag", "from Monday until Friday"),
        ("del 3 al 10 de mayo", "from 3 until 10 May"),
        ("until Sept 3", "until Sept 3"),
        ("heute bis morgen", "today until tomorrow"),
        ("nächste Woche", "next week"),
        ("la semaine prochaine", "next week"),
        ("este fin de semana", "this weekend"),
        ("volgende maand", "next month"),
    ],
)
def test_dates_in_english(text: str, english: str) -> None:
    assert in_english(text) == english
    assert read_stretch(text, TODAY) == read_stretch(english, TODAY)
