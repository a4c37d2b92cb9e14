"""Time zones as people name them: Europe/Berlin, New York, Germany, Pacific time, CEST, UTC+2."""

import difflib
import functools
import re
import zoneinfo
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from zoneinfo import ZoneInfo

from mail.reading.spelling import comparable, plain_line
from rules.sentences import listed, quoted
from server.clock.errors import BadTime

MOST_CHOICES = 6
"""The most zones that an error lists to choose from."""

_NOT_PLACES = frozenset({"Factory", "localtime", "posixrules"})
_SIGNED = re.compile(r"[+-][0-9]")
_OFFSET = re.compile(r"(?:(?:utc|gmt) ?)?([+-]) ?([0-9]{1,2})(?::?([0-9]{2}))?")
_FIXED = re.compile(r"Etc/GMT([+-])([0-9]+)")
_NOISE = re.compile(r"^(?:the|in|to|is) |(?: standard| daylight| summer)?(?: time)?(?: zone)?[.!]*$")
_LONGEST = 64
_AS_IN = "Write a city, such as Europe/Berlin, or UTC."
_MEANT = {
    "America/New_York": "est; edt; et; eastern; nyc; new york city; boston; washington; washington dc; miami",
    "America/Chicago": "cdt; ct; central; houston; dallas; austin; texas",
    "America/Denver": "mst; mdt; mt; mountain",
    "America/Los_Angeles": "pst; pdt; pt; pacific; california; la; san francisco; seattle; las vegas",
    "America/Anchorage": "akst; akdt; alaska",
    "America/Halifax": "adt; atlantic",
    "America/St_Johns": "nst; ndt; newfoundland",
    "America/Sao_Paulo": "brt; rio; rio de janeiro; brasilia",
    "Pacific/Honolulu": "hawaii",
    "Europe/London": "uk; england; scotland; wales; great britain; united kingdom; edinburgh; manchester",
    "Europe/Berlin": "deutschland; munich; münchen; hamburg; cologne; köln; frankfurt",
    "Europe/Amsterdam": "holland; the netherlands",
    "Europe/Madrid": "barcelona",
    "Europe/Moscow": "msk; st petersburg; saint petersburg",
    "Europe/Prague": "czechia",
    "Europe/Rome": "milan; naples",
    "Europe/Zurich": "geneva; bern; basel",
    "CET": "cest; central european; central europe",
    "EET": "eest; eastern european",
    "WET": "western european",
    "Africa/Johannesburg": "sast; cape town; pretoria",
    "Asia/Dubai": "uae; emirates; abu dhabi",
    "Asia/Kolkata": "mumbai; bombay; delhi; new delhi; bangalore; chennai; hyderabad",
    "Asia/Seoul": "kst; korea; south korea",
    "Asia/Shanghai": "beijing; shenzhen; guangzhou",
    "Asia/Tokyo": "jst; osaka; kyoto",
    "Australia/Sydney": "aedt",
    "Pacific/Auckland": "nzst; nzdt; wellington",
}
"""Other names of zones: abbreviations, regions, and large cities."""
_SEVERAL = {
    "ast": ("America/Halifax", "Asia/Riyadh"),
    "aest": ("Australia/Sydney", "Australia/Brisbane"),
    "bst": ("Europe/London", "Asia/Dhaka"),
    "cst": ("America/Chicago", "Asia/Shanghai", "America/Havana"),
    "ist": ("Asia/Kolkata", "Asia/Jerusalem", "Europe/Dublin"),
}
_COUNTRIES = dict.fromkeys(
    ("usa", "us", "the us", "the united states", "united states of america", "america"), "US"
)


def read_zone(text: str) -> ZoneInfo:
    """Return the time zone that a text names: its name, a city, a country with one zone, or whole hours from
    UTC.

    Case, accents and a final "time" do not matter. Raises BadTime, with the possible names.
    """
    written = " ".join(plain_line(text)[0].split())
    if not written:
        raise BadTime(f"The time zone is missing. {_AS_IN}")
    if len(written) > _LONGEST:
        raise BadTime(f"{quoted(text)} is not a time zone. {_AS_IN}")
    found = _named(written) or _named(_NOISE.sub("", written.lower())) or _in_country(*written.rsplit(",", 1))
    if len(found) > 1:
        choices = listed(found[:MOST_CHOICES], "or")
        raise BadTime(f"There are several time zones for {quoted(text)}. Write a city, such as {choices}.")
    if found:
        return ZoneInfo(found[0])
    if _SIGNED.search(written):
        raise BadTime(f"{quoted(text)} is not a time zone. {_AS_IN}")
    near = nearest_zones(written)
    meant = f"Did you mean {' or '.join(near)}?" if near else _AS_IN
    raise BadTime(f"{quoted(text)} is not a time zone. {meant}")


def zone_name(zone: ZoneInfo) -> str:
    """Return the name of a zone, as `read_zone` reads it: "Europe/Berlin", "UTC+2" for "Etc/GMT-2"."""
    fixed = _FIXED.fullmatch(zone.key)
    return f"UTC{'-' if fixed[1] == '+' else '+'}{fixed[2]}" if fixed else zone.key


def is_offset(zone: ZoneInfo) -> bool:
    """Return whether a zone is a fixed number of hours from UTC, without summer time."""
    return _FIXED.fullmatch(zone.key) is not None


def _named(text: str) -> list[str]:
    """Return the zones of this name that show different times; [] for no name."""
    key = comparable(text)
    if not key:
        return []
    if offset := _OFFSET.fullmatch(text.strip().lower()):
        return _at_offset(offset[1], int(offset[2]), int(offset[3] or 0))
    if key in _others():
        return list(_others()[key])
    exact = _zones().get("_".join(text.lower().split()))
    return [exact] if exact else _different(_places().get(key, []))


def _in_country(city: str, country: str = "") -> list[str]:
    """Return the zone of "Paris, France"; [] if there is no such country, or the city is not in it."""
    zones = _countries().get(comparable(country), ())
    return [zone for zone in _named(city) if zone in zones]


def _at_offset(sign: str, hours: int, minutes: int) -> list[str]:
    """Return the zone of whole hours from UTC, or places with that time all year."""
    behind = -1 if sign == "-" else 1
    if not minutes and hours == 0:
        return ["UTC"]
    if not minutes and -12 <= behind * hours <= 14:
        return [f"Etc/GMT{'-' if behind > 0 else '+'}{hours}"]
    wanted = behind * timedelta(hours=hours, minutes=minutes)
    return [name for names in _by_country().values() for name in names if set(_offsets(name)) == {wanted}]


@functools.cache
def _zones() -> dict[str, str]:
    """Return all names of zones, by their lower-case form."""
    names = sorted(zoneinfo.available_timezones() - _NOT_PLACES)
    return {name.lower(): name for name in names if not _SIGNED.search(name)}


@functools.cache
def _others() -> dict[str, tuple[str, ...]]:
    """Return the zones of other names, in normalized form."""
    found = {comparable(name): (zone,) for zone, names in _MEANT.items() for name in names.split("; ")}
    return found | _SEVERAL


@functools.cache
def _places() -> dict[str, list[str]]:
    """Return the zones of each city and country, by normalized names."""
    found: dict[str, list[str]] = {}
    listed_first = [zone for zones in _by_country().values() for zone in zones]
    for zone in [*listed_first, *_zones().values()]:
        found.setdefault(comparable(zone.rpartition("/")[2]), []).append(zone)
    for country, zones in _countries().items():
        found.setdefault(country, []).extend(zones)
    return found


def _different(zones: Sequence[str]) -> list[str]:
    """Return one zone for each different time, the best known; the one shared by most zones first."""
    alike: dict[tuple[timedelta | None, ...], list[str]] = {}
    for zone in zones:
        alike.setdefault(_offsets(zone), []).append(zone)
    groups = sorted(alike.values(), key=len, reverse=True)
    return [next((zone for zone in group if zone in _best_known()), group[0]) for group in groups]


@functools.cache
def _best_known() -> frozenset[str]:
    """Return one zone for each current way of changing clocks."""
    return frozenset(zone for _, _, zone, *_ in _rows("zonenow.tab"))


@functools.cache
def _offsets(zone: str) -> tuple[timedelta | None, ...]:
    """Return the offsets of a zone from UTC, twice a month in the coming year."""
    moments = (datetime(2035, month, day, tzinfo=UTC) for month in range(1, 13) for day in (1, 15))
    return tuple(moment.astimezone(ZoneInfo(zone)).utcoffset() for moment in moments)


@functools.cache
def _by_country() -> dict[str, list[str]]:
    """Return the zones of each country, by its code."""
    found: dict[str, list[str]] = {}
    for code, _, zone, *_ in _rows("zone.tab"):
        found.setdefault(code, []).append(zone)
    return found


@functools.cache
def _countries() -> dict[str, list[str]]:
    """Return the zones of each country, by normalized names: “Samoa (American)” is called Samoa as well."""
    named = [*_rows("iso3166.tab"), *([code, name] for name, code in _COUNTRIES.items())]
    found: dict[str, list[str]] = {}
    for code, name in named:
        for each in {comparable(name), comparable(name.partition("(")[0])}:
            found.setdefault(each, []).extend(_by_country().get(code, []))
    return found


def _rows(table: str) -> Iterator[list[str]]:
    for line in (files("tzdata") / "zoneinfo" / table).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def nearest_zones(text: str) -> list[str]:
    """Return up to three zones of places spelled like a text; [] if there are none."""
    key = comparable(text)
    known = {**_places(), **_others(), **{comparable(name): (name,) for name in _zones().values()}}
    if key in {comparable(zone.partition("/")[0]) for zone in _zones()}:
        return []
    near = difflib.get_close_matches(key, known, n=6, cutoff=0.75)
    return list(dict.fromkeys(zone for place in near for zone in _different(known[place])))[:3]
