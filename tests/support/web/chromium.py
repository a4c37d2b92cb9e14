"""Real browsers: headless Chromium, without JavaScript unless a test needs it."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path

from flask import Flask
from PIL import Image
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import staleness_of
from selenium.webdriver.support.ui import Select, WebDriverWait

from server.processes.services import Services, open_services
from server.settings import Settings
from server.settings.value_types import host_and_port
from server.store.models import Player
from server.web import create_app
from server.web.server import WebServer
from tests.support.e2e.mailboxes import text_of
from tests.support.machine.ports import free_port
from tests.support.missing_programs import fail_or_skip
from tests.support.server.services import settings_for, sqlite_database
from tests.support.web.client import logged_in

PATIENCE = 120
"""Seconds that a reader waits for a page before the test fails."""
_LOOK = 0.05
"""Seconds between two looks at a page."""
_MOST_IDLE = 3
"""The number of idle browsers that are kept for later tests."""
MISSING = (
    "Chromium and its driver are not installed: these tests look at the pages with a real browser. "
    "On Debian or Ubuntu: make test-system (or sudo apt-get install chromium chromium-driver)."
)
_LIT = (0x12, 0x8A, 0x43)
_LINK = re.compile(r"http://\S+/enter/\S+")


class Reader:
    """A person at a browser."""

    def __init__(self, driver: webdriver.Chrome, site: str) -> None:
        self.driver = driver
        self.site = site

    def open(self, address: str) -> None:
        """Open a page of the site or any URL."""
        self.driver.get(self.site + address if address.startswith("/") else address)

    def press(self, label: str, within: str = "main") -> None:
        """Press the first button or link with this label, and wait for the next page."""
        condition = f"normalize-space()={label!r}"
        self.follow(self.find(By.XPATH, f"//{within}//*[self::button or self::a][{condition}]"))

    def follow(self, element: WebElement) -> None:
        """Press an element that leads to another page, and wait for that page."""
        page = self.driver.find_element(By.TAG_NAME, "html")
        element.click()
        # While the page changes, Chromium may report that the element belongs to no document.
        self.wait().until(staleness_of(page))

    def press_place(self, name: str) -> None:
        """Press a place on the board that can be picked."""
        self.follow(self.find(By.CSS_SELECTOR, f'.board a[data-pick="{name}"]'))

    def write(self, field: str, text: str) -> None:
        """Write into the field with this ID, after unfolding its section."""
        element = self._unfolded(field)
        element.clear()
        element.send_keys(text)

    def choose(self, field: str, value: str) -> None:
        """Choose the value in the list with this ID, after unfolding its section."""
        Select(self._unfolded(field)).select_by_value(value)

    def _unfolded(self, field: str) -> WebElement:
        """Return the field with this ID, after unfolding its section."""
        element = self.find(By.ID, field)
        for summary in element.find_elements(By.XPATH, "ancestor::details[not(@open)]/summary"):
            summary.click()
        return element

    def enter(self, mail: EmailMessage) -> None:
        """Open the link of an email and press the button there."""
        link = _LINK.search(text_of(mail))
        assert link is not None
        self.open(link[0])
        self.find(By.CSS_SELECTOR, "main button")
        self.follow(self.find(By.CSS_SELECTOR, "main button"))

    def find(self, by: str, what: str) -> WebElement:
        """Return the first element that matches; fail if there is none."""
        return self.driver.find_element(by, what)

    def count(self, selector: str) -> int:
        """Return the number of elements that match."""
        return len(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def complaints(self) -> list[str]:
        """Return the browser's refusals since the last call."""
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries if "Content Security Policy" in entry["message"]]

    @property
    def text(self) -> str:
        """Return the text that the page shows."""
        return str(self.find(By.TAG_NAME, "body").text)

    def await_text(self, text: str) -> None:
        """Wait until the page shows a text, for pages that scripts change."""
        # The driver takes long to find out which text can be seen: the faster question comes first.
        script = 'return document.body.innerText.replace(/\\s+/g, " ").includes(arguments[0])'
        words = " ".join(text.split())
        self.wait().until(lambda driver: driver.execute_script(script, words) and text in self.text)

    def wait(self) -> WebDriverWait[webdriver.Chrome]:
        """Return a wait that repeats a check until it is true and ignores errors of the browser."""
        errors = [WebDriverException]
        return WebDriverWait(self.driver, PATIENCE, poll_frequency=_LOOK, ignored_exceptions=errors)


def is_lit(reader: Reader) -> bool:
    """Return whether a place of the board can be picked."""
    picture = Image.open(BytesIO(reader.find(By.CSS_SELECTOR, "svg.board").screenshot_as_png)).convert("RGB")
    counted = picture.getcolors(picture.width * picture.height) or []
    return _LIT in {colour for _, colour in counted}


@contextmanager
def chromium(profile: Path, *, scripts: bool = False) -> Iterator[webdriver.Chrome]:
    """Start a browser with a new profile."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        fail_or_skip(MISSING)
    chrome = webdriver.Chrome(options=_options(browser, profile, scripts), service=Service(driver))
    try:
        yield chrome
    finally:
        chrome.quit()


@contextmanager
def lent(*, scripts: bool = False) -> Iterator[webdriver.Chrome]:
    """Lend an idle browser, cleaned like a new one, because starting one takes long.

    Not for tests that change settings of the browser itself.
    """
    loan = next((loan for loan in _idle if loan.scripts == scripts), None) or _Loan(scripts)
    if loan in _idle:
        _idle.remove(loan)
    try:
        yield loan.driver
        loan.forget()
    except BaseException:
        loan.end()
        raise
    _idle.append(loan)
    while len(_idle) > _MOST_IDLE:
        _idle.pop(0).end()


def end_all() -> None:
    """Close all idle browsers."""
    while _idle:
        _idle.pop().end()


class _Loan:
    """A browser with its profile."""

    def __init__(self, scripts: bool) -> None:
        self.scripts = scripts
        with ExitStack() as stack:
            profile = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
            self.driver = stack.enter_context(chromium(Path(profile), scripts=scripts))
            self._size = self.driver.get_window_size()
            self._stack = stack.pop_all()

    def forget(self) -> None:
        """Open a new window and delete cookies, caches, stored data and permissions."""
        driver = self.driver
        old = driver.window_handles
        driver.switch_to.new_window("window")
        new = driver.current_window_handle
        for window in old:
            driver.switch_to.window(window)
            driver.close()
        driver.switch_to.window(new)
        driver.set_window_size(self._size["width"], self._size["height"])
        for command in ("Network.clearBrowserCookies", "Network.clearBrowserCache", "Browser.resetPermissions"):
            driver.execute_cdp_cmd(command, {})
        everything = {"origin": "*", "storageTypes": "all"}
        driver.execute_cdp_cmd("Storage.clearDataForOrigin", everything)
        driver.get_log("browser")  # type: ignore[no-untyped-call]

    def end(self) -> None:
        """Close the browser."""
        self._stack.close()


_idle: list[_Loan] = []


def _options(browser: str, profile: Path, scripts: bool) -> Options:
    options = Options()
    options.binary_location = browser
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",  # /dev/shm is small or missing in containers
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if not scripts:
        forbid = {"profile.managed_default_content_settings.javascript": 2}
        options.add_experimental_option("prefs", forbid)
    return options


@contextmanager
def pages(settings: Settings) -> Iterator[None]:
    """Serve the web pages of these settings at their base URL."""
    services = open_services(settings)
    with serving(create_app(services), settings.http_listen):
        yield
    services.engine.dispose()


@contextmanager
def site(folder: Path) -> Iterator[Services]:
    """Serve pages at a new address, over SQLite, and yield their services."""
    listen = f"127.0.0.1:{free_port()}"
    settings = settings_for(sqlite_database(folder), base_url=f"http://{listen}", http_listen=listen)
    services = open_services(settings)
    with serving(create_app(services), listen):
        yield services
    services.engine.dispose()


def log_in(reader: Reader, services: Services, player: Player) -> None:
    """Start a session of this player, which replaces any other, without the two pages of a login link.

    The browser stays on its present page. The real login page also sends the browser's time zone, which becomes
    that of a player who has none; this function does not.
    """
    app = create_app(services)
    cookie = logged_in(app, services, player).client.get_cookie(app.config["SESSION_COOKIE_NAME"])
    assert cookie is not None
    given = {"name": cookie.key, "value": cookie.value, "url": reader.site, "httpOnly": True, "sameSite": "Lax"}
    assert reader.driver.execute_cdp_cmd("Network.setCookie", given)["success"]


@contextmanager
def serving(app: Flask, listen: str) -> Iterator[None]:
    """Serve an application on this machine, without limits for readers, as behind a proxy."""
    served = WebServer(app, *host_and_port(listen), own=lambda peer: True)
    served.start()
    try:
        yield
    finally:
        served.stop()
