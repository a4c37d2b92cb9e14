"""The choice of a colour scheme in a browser without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from tests.support.web.chromium import Reader, lent, site


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    """A person whose device is set to light."""
    with site(tmp_path) as services, lent() as driver:
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
