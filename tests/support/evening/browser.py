"""A browser without windows: it keeps cookies, follows where it is sent, and fills in forms."""

from __future__ import annotations

import re
import threading
from html import unescape
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from tests.support.e2e.mailboxes import PATIENCE

_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
_TURN = re.compile(r'action="/games/\d+/move".*?name="turn" value="(\d+)"', re.DOTALL)
_OVER = '<section class="status over'
_TAG = re.compile(r"<[^>]+>")


class Failed(AssertionError):
    """The server could not answer."""


class Browser:
    """A person's browser, which can do several things at once: work that takes several pages is done `alone`.

    `address` is the current URL, `status` the status of its response, `turn` the turn for which it asks for a
    move (0: none), `over` whether it shows the result of a game; `seen` are all pages that it has shown, each
    with its text.
    """

    def __init__(self, site: str) -> None:
        self.site = site
        self.address = "/"
        self.status = 200
        self.turn = 0
        self.over = False
        self.seen: list[tuple[str, str]] = []
        self.alone = threading.RLock()
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self._token = ""
        self._marks: dict[str, str] = {}

    def get(self, address: str) -> str:
        """Go to a page; its text without tags, white space evened out."""
        with self.alone:
            return self._open(Request(self._at(address)))  # noqa: S310 - an address of our own site

    def send(self, address: str, **fields: object) -> str:
        """Send a form, with the token of the page before it; the text of the page that comes of it."""
        with self.alone:
            given = {"csrf_token": self._token, **{name: str(value) for name, value in fields.items()}}
            return self._open(Request(self._at(address), urlencode(given).encode()))  # noqa: S310 - the same

    def is_news(self, address: str) -> bool:
        """Return whether the news that an open page asks for has changed since it last asked."""
        known = {"If-None-Match": self._marks[address]} if address in self._marks else {}
        try:
            with self._opener.open(Request(self._at(address), headers=known), timeout=PATIENCE) as answer:  # noqa: S310
                self._marks[address] = answer.headers["ETag"]
        except HTTPError as unchanged:
            if unchanged.code != 304:
                raise
            return False
        return True

    def _at(self, address: str) -> str:
        return address if address.startswith(self.site) else self.site + address

    def _open(self, request: Request) -> str:
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                url, self.status, page = answer.url, answer.status, answer.read().decode()
        except HTTPError as refusal:
            url, self.status, page = refusal.url, refusal.code, refusal.read().decode()
        self.address = url.removeprefix(self.site)
        if self.status >= 500:
            raise Failed(f"{self.address}: {page}")
        found = _TOKEN.search(page)
        if found:
            self._token = unescape(found[1])
        self.turn = int(asked[1]) if (asked := _TURN.search(page)) else 0
        self.over = _OVER in page
        text = " ".join(unescape(_TAG.sub(" ", page)).split())
        self.seen.append((self.address, text))
        return text
