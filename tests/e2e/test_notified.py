"""Notifications in a real browser: allowed with a click, shown by the service worker, and stopped by a logout.

The tests cannot reach a push service: they put its subscription into the page, and deliver messages with the
browser's own tools.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import websocket
from selenium import webdriver
from selenium.webdriver.common.by import By
from sqlmodel import select

from server.accounts import push_subscriptions
from server.accounts.push_subscriptions import Subscription
from server.game.notifications.notification import Push, SendingOutcome
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Browser, Channel, Player
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.web.chromium import PATIENCE, Reader, lent, log_in, site
from tests.support.web.push_service import Device

pytestmark = pytest.mark.slow

_PUSH_SERVICE = """
const kept = () => JSON.parse(localStorage.getItem("pushed"))
const subscription = (given) => given && {
  endpoint: given.endpoint,
  toJSON: () => given,
  unsubscribe: async () => { localStorage.removeItem("pushed"); return true },
}
const given = %s
PushManager.prototype.getSubscription = async () => subscription(kept())
PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
  if (!userVisibleOnly || applicationServerKey.length !== 65) throw new TypeError("no key")
  localStorage.setItem("pushed", JSON.stringify(given))
  return subscription(given)
}
"""
_KEPT = "return localStorage.getItem('pushed')"
_LISTEN = """
self.heard = new Promise((resolve) => {
  const show = ServiceWorkerRegistration.prototype.showNotification
  self.registration.showNotification = async (...given) => {
    await show.apply(self.registration, given)
    resolve()
  }
})
"""
_CLICK = """
(async () => {
  const done = []
  const opened = []
  self.clients.openWindow = async (page) => opened.push(`open ${page}`)
  WindowClient.prototype.focus = async function () { opened.push(`focus ${new URL(this.url).pathname}`) }
  const [notification] = await self.registration.getNotifications()
  const event = new NotificationEvent("notificationclick", { notification })
  event.waitUntil = (promise) => done.push(promise)
  self.dispatchEvent(event)
  await Promise.all(done)
  return [opened, (await self.registration.getNotifications()).length]
})()
"""
"""Clicks a notification and returns the page to open; only a person's click really opens one."""
_SHOWN = """
const done = arguments[0]
navigator.serviceWorker.getRegistration("/").then(async (found) => {
  const notices = found ? await found.getNotifications() : []
  done([Boolean(found), notices.map(({ title, body, tag }) => ({ title, body, tag }))])
})
"""


class Tools:
    """The browser's developer tools for one page or service worker."""

    def __init__(self, address: str) -> None:
        self._line = websocket.create_connection(address, timeout=PATIENCE, suppress_origin=True)
        self._numbers = itertools.count(1)
        self.events: list[dict[str, Any]] = []

    def close(self) -> None:
        """Disconnect."""
        self._line.close()

    def ask(self, method: str, **params: Any) -> Any:
        """Call a command and return its result."""
        number = next(self._numbers)
        self._line.send(json.dumps({"id": number, "method": method, "params": params}))
        while (said := json.loads(self._line.recv())).get("id") != number:
            self.events.append(said)
        assert "error" not in said, said
        return said["result"]

    def await_event(self, method: str, key: str) -> Any:
        """Wait for an event of this name with content, and return it."""
        while True:
            for event in self.events:
                if event["method"] == method and event["params"].get(key):
                    return event["params"][key]
            self.events.append(json.loads(self._line.recv()))


@contextmanager
def tools(driver: webdriver.Chrome, sort: str) -> Iterator[Tools]:
    """Return the tools of the first page or service worker."""
    place = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    found: list[str] = []
    while not found:  # a service worker may be about to start
        with urlopen(f"http://{place}/json") as answer:
            found = [each["webSocketDebuggerUrl"] for each in json.load(answer) if each["type"] == sort]
    with closing(Tools(found[0])) as opened:
        yield opened


@dataclass
class Person:
    """Ann at her browser, with a push service that always uses the subscription of `device`."""

    reader: Reader
    services: Services
    player: Player
    device: Device

    def allow(self) -> None:
        """Open the settings page and press its button."""
        self.reader.open("/settings")
        self.await_button()
        self.reader.press("Notify this browser")
        self.reader.await_text("will notify you when it is your turn.")
        self.reader.await_text("(this browser)")

    def await_button(self) -> None:
        """Wait until the page offers its button."""
        self.reader.wait().until(lambda _: self.reader.find(By.CSS_SELECTOR, "#allow button").is_displayed())

    def deliver(self, content: str) -> None:
        """Deliver a message and wait until it is shown.

        Do not ask the browser for its notifications before that: it would lose the new one.
        """
        origin = self.services.settings.base_url
        with tools(self.reader.driver, "page") as page:
            page.ask("ServiceWorker.enable")
            (registration,) = page.await_event("ServiceWorker.workerRegistrationUpdated", "registrations")
            page.ask("ServiceWorker.startWorker", scopeURL=registration["scopeURL"])
            with tools(self.reader.driver, "service_worker") as worker:
                worker.ask("Runtime.evaluate", expression=_LISTEN)
                number = registration["registrationId"]
                page.ask("ServiceWorker.deliverPushMessage", origin=origin, registrationId=number, data=content)
                worker.ask("Runtime.evaluate", expression="heard", awaitPromise=True)
        body = json.loads(content)["body"]
        self.reader.wait().until(lambda _: [each["body"] for each in self.shown()[1]] == [body])

    def shown(self) -> tuple[bool, list[dict[str, str]]]:
        """Return whether the service worker is active, and the notifications in the browser."""
        there, notices = self.reader.driver.execute_async_script(_SHOWN)
        return there, notices

    def click(self) -> tuple[list[str], int]:
        """Click the notification; return the page that opens and the number of remaining notifications."""
        with tools(self.reader.driver, "service_worker") as worker:
            wanted = {"expression": _CLICK, "awaitPromise": True, "returnByValue": True}
            opened, left = worker.ask("Runtime.evaluate", **wanted)["result"]["value"]
            return opened, left

    def known(self) -> list[Subscription]:
        """Return the browsers that notify her."""
        with reading(self.services.engine) as session:
            channels = session.exec(select(Channel).where(Channel.id == Browser.channel_id))
            return [push_subscriptions.subscription(self.services.sealer, channel) for channel in channels]


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Person]:
    with site(tmp_path) as services, lent(scripts=True) as driver:
        player, device = add_player(services, "ann@example.org", "Ann"), Device("https://push.example.com/abc")
        given = device.subscription(services.push_keys.public)
        pushed = {"endpoint": given.endpoint, "keys": {"p256dh": given.p256dh, "auth": given.auth}}
        stub = {"source": _PUSH_SERVICE % json.dumps(pushed)}
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", stub)
        allowed = {"origin": services.settings.base_url, "permissions": ["notifications"]}
        driver.execute_cdp_cmd("Browser.grantPermissions", allowed)
        reader = Reader(driver, services.settings.base_url)
        log_in(reader, services, player)
        yield Person(reader, services, player, device)
        assert reader.complaints() == []


def told(services: Services) -> list[str]:
    """Return the notifications that are sent to browsers now."""
    found: list[str] = []

    def note(messages: Any) -> list[SendingOutcome]:
        found.extend(message.content for message in messages if isinstance(message, Push))
        return [SendingOutcome.TAKEN] * len(messages)

    replace(services.notices(), send=note).send_due(services.now())
    return found


def test_browser_shows_turns_until_it_is_removed(ann: Person) -> None:
    assert ann.known() == [], "nothing is set up before she allows it"
    ann.allow()
    assert ann.known() == [ann.device.subscription(ann.services.push_keys.public)]
    assert not ann.reader.find(By.ID, "allow").is_displayed()

    number = begin(ann.services, "nibble", ann.player, add_player(ann.services, "ben@example.org", "Ben"))
    contents = told(ann.services)
    if not contents:  # Ben begins
        submit(ann.services, number, 0, "a1")
        contents = told(ann.services)
    (content,) = contents
    ann.deliver(content)
    (notice,) = ann.shown()[1]
    assert notice["title"] == f"Nibble {number}: your turn, Ann"
    assert "against Ben, until " in notice["body"]
    ann.deliver(json.dumps({**json.loads(content), "body": "A newer one takes its place."}))

    assert ann.click() == ([f"open /games/{number}"], 0)
    ann.reader.open(f"/games/{number}")
    ann.deliver(content)
    assert ann.click() == ([f"focus /games/{number}"], 0)

    ann.reader.open("/settings")
    ann.reader.follow(ann.reader.find(By.CSS_SELECTOR, "[formaction$=remove]"))
    ann.reader.await_text("will no longer notify you.")
    assert ann.known() == []
    ann.await_button()
    assert ann.reader.driver.execute_script(_KEPT) is None, "the push service is also informed"


def test_logging_out_removes_the_browser(ann: Person) -> None:
    ann.allow()
    ann.deliver(
        json.dumps({"title": "Nibble 1: your turn, Ann", "body": "Turn 5", "tag": "x", "page": "/games/1"})
    )
    ann.reader.press("Log out")
    assert ann.known() == []
    ann.reader.wait().until(lambda _: ann.shown() == (False, []))


@pytest.mark.long
def test_browser_accepts_a_new_server_key_without_a_click(ann: Person) -> None:
    ann.allow()
    (given,) = ann.known()
    with writing(ann.services.engine) as session:
        channel = session.exec(select(Channel)).one()
        channel.sealed = ann.services.sealer.seal_json(vars(given) | {"key": "older"})
    ann.reader.open("/settings")
    ann.reader.wait().until(lambda _: ann.known() == [given])


@pytest.mark.long
def test_settings_page_links_the_browser_to_the_current_login(ann: Person) -> None:
    ann.allow()
    with writing(ann.services.engine) as session:
        mine = session.exec(select(Browser)).one()
        login, mine.login = mine.login, 99
    ann.reader.open("/settings")

    def is_taken_over(_: object) -> bool:
        with reading(ann.services.engine) as session:
            return session.exec(select(Browser)).one().login == login

    ann.reader.wait().until(is_taken_over)


def test_page_explains_what_to_do_when_notifications_are_denied(ann: Person) -> None:
    ann.reader.open("/settings")
    ann.await_button()
    ann.reader.driver.execute_script("Notification.requestPermission = async () => 'denied'")
    ann.reader.find(By.CSS_SELECTOR, "#allow button").click()
    ann.reader.await_text("Your browser does not allow notifications from these pages.")
    assert ann.known() == []
