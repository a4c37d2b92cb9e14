"""Notifications in browsers: subscriptions, the service worker and icons."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, Response, abort, request, send_from_directory
from werkzeug.wrappers import Response as Answer

from server.accounts import push_subscriptions
from server.accounts.push_subscriptions import Subscription
from server.errors import BadRequest
from server.store.keys.sealing import UnknownKey
from server.store.models import Browser
from server.web.game.pictures import cached_response, icon
from server.web.shared.browser_names import own_name
from server.web.shared.templating import PAGES
from server.web.shared.visits import Visit, acting, done, require_login, services

pages = Blueprint("notified", __name__)

_ICONS = (180, 192, 512)
"""Pixels; 180 for iOS, the others for other systems."""


@dataclass(frozen=True)
class BrowserView:
    """A browser as its owner sees it."""

    number: int
    name: str
    mark: str
    """The hash by which the script of the page recognises its browser."""
    key: str
    """The server's public key at the time of the subscription."""
    current: bool
    """Whether it belongs to the login of this visit."""
    since: datetime
    told_at: datetime | None


def render_browsers(visit: Visit) -> list[BrowserView]:
    """Return the visitor's browsers that get notifications."""
    login = require_login().login
    found = []
    for browser, channel in push_subscriptions.browsers_of(visit.session, visit.player):
        try:
            given = push_subscriptions.subscription(visit.action.sealer, channel)
        except UnknownKey:  # it can still be removed
            given = Subscription("", "", "", "")
        current = browser.login == login
        times = browser.since, browser.told_at
        found.append(BrowserView(browser.channel_id, channel.service, given.mark, given.key, current, *times))
    return found


@pages.post("/settings/browsers")
def add() -> Answer:
    """Subscribe the visitor's browser to notifications, replacing its previous subscription."""
    form = request.form
    given = Subscription(*(form.get(name, "") for name in ("endpoint", "p256dh", "auth", "key")))
    label = own_name()
    try:
        with acting() as visit:
            if given.key != services().push_keys.public:
                raise BadRequest("This page is out of date. Reload it and try again.")
            player = visit.player
            for browser, _ in push_subscriptions.browsers_of(visit.session, player):
                if str(browser.channel_id) == form.get("instead"):
                    push_subscriptions.remove(visit.session, browser)
            new = push_subscriptions.remember(
                visit.action, player, require_login().login, label, push_subscriptions.check(given)
            )
    except BadRequest as problem:
        return _back(str(problem))
    return _back(f"{label} will notify you when it is your turn." if new else "")


@pages.post("/settings/browsers/remove")
def remove() -> Answer:
    """Stop the notifications in one of the visitor's browsers."""
    return _with_browser(
        lambda visit, browser: push_subscriptions.remove(visit.session, browser),
        "{} will no longer notify you.",
    )


@pages.post("/settings/browsers/try")
def try_out() -> Answer:
    """Send a test notification to one of the visitor's browsers."""
    return _with_browser(
        lambda visit, browser: push_subscriptions.try_out(visit.action, browser),
        "A test notification is on its way to {}.",
    )


def _with_browser(act: Callable[[Visit, Browser], None], sentence: str) -> Answer:
    """Do something with the browser that a form names; `sentence` has a place for its name."""
    try:
        with acting() as visit:
            number = request.form.get("browser", 0, type=int)
            browser, channel = push_subscriptions.get_browser(visit.session, visit.player, number)
            label = channel.service
            act(visit, browser)
    except BadRequest as problem:
        return _back(str(problem))
    return _back(sentence.format(label))


@pages.get("/service-worker.js")
def service_worker() -> Response:
    """Return the service worker that shows notifications. Its URL is fixed, as its scope is the pages below."""
    answer = send_from_directory(PAGES, "service-worker.js", mimetype="text/javascript")
    # Browsers cache it, but check each time whether it has changed.
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@pages.get("/icons/<int:size>.png")
def draw_icon(size: int) -> Answer:
    """Return the logo, for notifications and for these pages installed as an app."""
    if size not in _ICONS:
        abort(404)
    return cached_response(icon((PAGES / "static" / "icon.svg").read_text(encoding="utf-8"), size), "image/png")


def _back(sentence: str) -> Answer:
    return done(sentence, "account.settings", _anchor="browsers")
