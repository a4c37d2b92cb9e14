"""Pages that are open in a browser: an analysis board, and a page that polls for changes."""

from __future__ import annotations

import re
from html import unescape

from werkzeug.test import TestResponse

from tests.support.web.client import Browser


class Board:
    """An analysis board in a browser, which sends the values in its form."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address.partition("?")[0]
        self.page = browser.get(address)
        assert self.page.status_code == 200

    def hidden(self, name: str) -> list[str]:
        """Return the hidden values of the form for picks."""
        form = self.page.text.partition('class="making"')[2].partition("</form>")[0]
        return [unescape(text) for text in re.findall(f'type="hidden" name="{name}" value="([^"]*)"', form)]

    def send(self, **more: object) -> TestResponse:
        """Press a button of the form, or write a move."""
        held = {name: self.hidden(name) for name in ("turn", "part", "pick")}
        if "pick" in more:
            held["pick"].append(str(more.pop("pick")))
        self.page = self.browser.send(self.address, **held, **more)
        return self.page

    @property
    def line(self) -> list[str]:
        """Return the moves tried so far."""
        return self.hidden("part")


def link_on(page: TestResponse) -> str:
    """Return the path of the link to share on the page."""
    (found,) = re.findall(r'readonly value="https?://[^/"]+(/games/[^"]+)"', page.text)
    return unescape(found)


_NOW = re.compile(r'data-now="([^"]+)" data-version="([^"]+)" data-every="(\d+)" data-waiting="([\d.]+)"')


class Open:
    """An open page."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        found = _NOW.search(browser.get(address).text)
        assert found is not None
        self.now, self.version, self.every, self.waiting = found[1], found[2], int(found[3]), found[4]

    def has_news(self) -> bool:
        """Return whether anything on the page has changed, apart from the count of everything that waits."""
        tag = f'"{self.version}.{self.waiting}"'
        answer = self.browser.client.get(self.now, headers={"If-None-Match": tag})
        assert answer.status_code in (200, 304)
        assert answer.text == "" or answer.status_code == 200
        return answer.status_code == 200 and f'"{self.version}"' not in answer.text
