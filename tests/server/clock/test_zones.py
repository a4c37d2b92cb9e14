"""Time zones by name, city, country, and hours from UTC."""

from __future__ import annotations

import re
import zoneinfo
from zoneinfo import ZoneInfo

import pytest

from server.clock.errors import BadTime
from server.clock.zones import MOST_CHOICES, is_offset, read_zone, zone_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        (" america/new york ", "America/New_York"),
        ("utc", "UTC"),
        ("CET", "CET"),
        # A city, with any country after it.
        ("berlin", "Europe/Berlin"),
        ("New York", "America/New_York"),
        ("Tokyo time", "Asia/Tokyo"),
        ("São Paulo", "America/Sao_Paulo"),
        ("sao paulo.", "America/Sao_Paulo"),
        ("St. Johns", "America/St_Johns"),
        ("Paris, France", "Europe/Paris"),
        ("New York, USA", "America/New_York"),
        ("Munich", "Europe/Berlin"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),
        # A country whose clocks all show the same.
        ("Germany", "Europe/Berlin"),
        ("Norway", "Europe/Oslo"),
        ("India", "Asia/Kolkata"),
        ("Britain", "Europe/London"),
        ("UK", "Europe/London"),
        ("Côte d'Ivoire", "Africa/Abidjan"),
        # Common names of the time.
        ("Pacific time", "America/Los_Angeles"),
        ("Eastern Standard Time", "America/New_York"),
        ("EST", "America/New_York"),
        ("Central European Summer Time", "CET"),
        ("CEST", "CET"),
        ("the London time zone", "Europe/London"),
        # Whole hours from UTC, always.
        ("UTC+2", "UTC+2"),
        ("GMT-3", "UTC-3"),
        ("utc +05:00", "UTC+5"),
        ("−8", "UTC-8"),
        ("UTC+0", "UTC"),
    ],
)
def test_zones_are_read(text: str, name: str) -> None:
    assert zone_name(read_zone(text)) == name


def test_every_zone_reads_back() -> None:
    offsets = {f"Etc/GMT{'+' if n > 0 else ''}{n}" for n in range(-14, 13) if n}
    places = {
        name for name in zoneinfo.available_timezones() if "/" in name and not re.search("[+-][0-9]", name)
    }
    assert len(places) > 500
    for name in offsets | places:
        assert read_zone(zone_name(ZoneInfo(name))).key == name


def test_offset_counts_from_utc() -> None:
    zone = read_zone("UTC+2")
    assert (zone.key, is_offset(zone)) == ("Etc/GMT-2", True)
    assert not is_offset(read_zone("Berlin"))


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("Spain", "Europe/Madrid or Atlantic/Canary"),
        ("CST", "America/Chicago, Asia/Shanghai or America/Havana"),
        ("Samoa", "Pacific/Pago_Pago or Pacific/Apia"),
        ("UTC+5:30", "Asia/Kolkata or Asia/Colombo"),
        (
            "USA",
            "America/New_York, America/Chicago, America/Anchorage, America/Denver, America/Phoenix or "
            "America/Los_Angeles",
        ),
    ],
)
def test_ambiguous_zone_must_be_chosen(text: str, choices: str) -> None:
    with pytest.raises(BadTime) as problem:
        read_zone(text)
    assert str(problem.value) == (
        f"There are several time zones for “{text}”. Write a city, such as {choices}."
    )
    assert str(problem.value).count("/") <= MOST_CHOICES


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Berln", "Did you mean Europe/Berlin or"),
        ("Germny", "Did you mean Europe/Berlin?"),
        ("Kathmndu", "Asia/Kathmandu"),
        ("Europe/Berln", "Did you mean Europe/Berlin or"),
        ("London, Ontario", "“London, Ontario” is not a time zone."),
        ("Europe", "“Europe” is not a time zone. Write a city, such as Europe/Berlin, or UTC."),
        # The sign of Etc/GMT+1 is the opposite of the usual reading.
        ("Etc/GMT+1", "“Etc/GMT+1” is not a time zone. Write a city, such as Europe/Berlin, or UTC."),
        ("UTC+25", "Write a city, such as Europe/Berlin, or UTC."),
        ("UTC+5:17", "Write a city, such as Europe/Berlin, or UTC."),
        ("localtime", "is not a time zone."),
        ("../../etc/passwd", "Write a city, such as Europe/Berlin, or UTC."),
        ("", "The time zone is missing. Write a city, such as Europe/Berlin, or UTC."),
        ("x" * 1000, "Write a city, such as Europe/Berlin, or UTC."),
    ],
)
def test_unknown_zone_is_refused_with_the_nearest(text: str, hint: str) -> None:
    with pytest.raises(BadTime, match=re.escape(hint)):
        read_zone(text)
