"""The choice of a colour scheme, and of the look of boards, in a browser without scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from selenium.webdriver.common.by import By

from server.processes.services import Services
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.web.chromium import Reader, lent, log_in, site


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """The services behind the pages."""
    with site(tmp_path) as opened:
        yield opened


@pytest.fixture
def reader(services: Services) -> Iterator[Reader]:
    """A person whose device is set to light."""
    with lent() as driver:
        reader = Reader(driver, services.settings.base_url)
        prefer(reader, "light")
        yield reader


def prefer(reader: Reader, scheme: str) -> None:
    """Set the device to light or dark."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    reader.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def look(reader: Reader) -> tuple[str, str]:
    """Return the colours of the page and of its text."""
    body = reader.find(By.TAG_NAME, "body")
    return body.value_of_css_property("background-color"), body.value_of_css_property("color")


@pytest.mark.long
def test_chosen_colours_are_kept(reader: Reader) -> None:
    reader.open("/")
    day = look(reader)
    prefer(reader, "dark")
    night = look(reader)
    assert day != night
    reader.press("Light, dark or high contrast", within="footer")
    reader.press("Light")
    assert look(reader) == day
    prefer(reader, "light")
    reader.press("Dark")
    assert look(reader) == night
    reader.open("/verify")
    assert look(reader) == night
    reader.open("/colours")
    reader.press("High contrast")
    assert look(reader) == ("rgba(255, 255, 255, 1)", "rgba(0, 0, 0, 1)")
    prefer(reader, "dark")
    assert look(reader) == ("rgba(0, 0, 0, 1)", "rgba(255, 255, 255, 1)")
    reader.press("Like my device")
    assert look(reader) == night
    assert reader.complaints() == []


def board(reader: Reader) -> Counter[object]:
    """Return how many pixels of the board have each colour."""
    picture = Image.open(BytesIO(reader.find(By.CSS_SELECTOR, "svg.board").screenshot_as_png)).convert("RGB")
    return Counter({colour: count for count, colour in picture.getcolors(picture.width * picture.height) or []})


@pytest.mark.long
def test_themes_and_letters_of_boards(services: Services, reader: Reader) -> None:
    """They reach the shapes of the board, and printed boards always have letters and coordinates."""
    ann, ben = (add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben"))
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    submit(services, number, 0, "c3")
    log_in(reader, services, ann)
    seen: dict[tuple[str, str], Counter[object]] = {}
    for theme, letters in (("clay", "off"), ("felt", "off"), ("clay", "on"), ("clay", "none")):
        reader.open("/settings")
        reader.choose("theme", theme)
        reader.choose("letters", letters)
        reader.press("Save")
        reader.open(f"/games/{number}")
        seen[theme, letters] = board(reader)
    clay, felt = ((0xEC, 0xD9, 0xB0), (0x7D, 0xB3, 0x94))
    assert (seen["clay", "off"][clay] > 1000, seen["clay", "off"][felt]) == (True, 0)
    assert (seen["felt", "off"][felt] > 1000, seen["felt", "off"][clay]) == (True, 0)
    disc = (0x2B, 0x2B, 0x2B)
    assert seen["clay", "on"][disc] < seen["clay", "off"][disc]
    signs = [reader.find(By.CSS_SELECTOR, f".board {sign}") for sign in (".labels", ".letter")]
    assert [sign.value_of_css_property("display") for sign in signs] == ["none", "none"]
    reader.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert "none" not in [sign.value_of_css_property("display") for sign in signs]
    assert reader.complaints() == []
