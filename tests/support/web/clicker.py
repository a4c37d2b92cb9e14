"""A player at a browser with scripts, who makes moves with clicks, with a finger, or with keys."""

from __future__ import annotations

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import staleness_of

from server.store.models import Player
from tests.support.web.chromium import Reader
from tests.support.web.screen import is_phone, out_of_view, resize

_MOST_STOPS = 60


_ARROWS = {
    "ArrowLeft": Keys.ARROW_LEFT,
    "ArrowRight": Keys.ARROW_RIGHT,
    "ArrowUp": Keys.ARROW_UP,
    "ArrowDown": Keys.ARROW_DOWN,
}


_UNTIL_PICKED = """
const [number, done] = arguments
const look = () => document.querySelectorAll(".making [type=hidden][name=pick]").length == number
const again = setInterval(() => look() && (clearInterval(again), done()), 10)
"""


_SCROLL_TO = 'arguments[0].scrollIntoView({ block: "nearest", inline: "nearest" })'
"""Brings a choice of a strip into view, as a finger does."""


_WAY = """
const [there, done] = arguments
import(document.querySelector("script[src*='board.js']").src).then(({ARROWS, beside}) => {
  const ways = new Map([[document.activeElement, []]])
  for (const [door, keys] of ways)
    for (const [key, direction] of Object.entries(ARROWS)) {
      const next = beside(door, direction)
      if (next && !ways.has(next)) ways.set(next, [...keys, key])
    }
  done(ways.get(there))
})
"""
"""Returns the arrow keys that lead from the focused place to another, as in the page's script."""


_IS_AFTER = (
    "return document.activeElement.compareDocumentPosition(arguments[0]) & Node.DOCUMENT_POSITION_PRECEDING"
)
"""Returns whether the focus comes after an element."""


class Clicker(Reader):
    """A player at a browser with scripts."""

    player: Player
    size = (0, 0)
    pressed = 0
    """The number of keys pressed so far; Shift is not counted."""
    checks_view = True
    """Whether everything must be in view at each pick."""
    clicked = 0
    """The number of clicks or touches of picks and of Play so far."""

    def door(self, pick: str) -> WebElement:
        """Return the element for a pick."""
        (found,) = self.driver.find_elements(By.CSS_SELECTOR, f'[data-pick="{pick}"]')
        return found

    def sit(self, size: tuple[int, int]) -> None:
        """Set the inner size of the window; on a phone, picks are taps instead of clicks."""
        if self.size != size:
            resize(self.driver, size)
            self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": is_phone(size)})
            self.size = size

    def leave(self) -> None:
        """Close the page, which otherwise follows the game and draws each turn of it.

        For a page of another site, Chromium would start a new process.
        """
        self.open("/healthz")

    def made(self) -> str:
        """The move that can be played now; "" if there is none."""
        return self.find(By.CSS_SELECTOR, "[data-move]").get_dom_attribute("data-move") or ""

    def picked(self) -> list[str]:
        """Return the picks so far."""
        fields = self.driver.find_elements(By.CSS_SELECTOR, ".making [type=hidden][name=pick]")
        return [str(field.get_dom_attribute("value")) for field in fields]

    def pick(self, text: str, *, by_keys: bool) -> None:
        """Pick something, and wait until the page shows the result; everything must be in view."""
        assert not self.checks_view or out_of_view(self.driver) == []
        before, door = len(self.picked()), self.door(text)
        if by_keys:
            self.go(door)
            self.type(Keys.ENTER)
        elif is_phone(self.size):
            self.tap(door)
        else:
            self.clicked += 1
            ActionChains(self.driver, duration=0).move_to_element(door).click().perform()
        self.await_picks(before + 1)

    def tap(self, element: WebElement) -> None:
        """Touch an element with a finger."""
        self.clicked += 1
        self.driver.execute_script(_SCROLL_TO, element)
        box = element.rect
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        for kind, points in (("touchStart", [point]), ("touchEnd", [])):
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def play(self, *, by_keys: bool) -> None:
        """Play or seal the move; everything must be in view."""
        assert not self.checks_view or out_of_view(self.driver) == []
        button = self.find(By.CSS_SELECTOR, "[data-act=play], [data-act=seal]")
        if by_keys:
            self.go(button)
            self.type(Keys.ENTER)
        elif is_phone(self.size):
            self.tap(button)
        else:
            self.clicked += 1
            button.click()
        self.wait().until(staleness_of(button))

    def go(self, there: WebElement) -> None:
        """Move the focus with keys: with Tab, and on the board, which is one stop, with arrow keys."""
        stops = [there]
        if on_board := "door" in (there.get_dom_attribute("class") or ""):
            stops = self.driver.find_elements(By.CSS_SELECTOR, ".board .door")
        back = self.driver.execute_script(_IS_AFTER, stops[0])
        for _ in range(_MOST_STOPS):
            if self.driver.switch_to.active_element in stops:
                break
            self.type(*([Keys.SHIFT, Keys.TAB, Keys.NULL] if back else [Keys.TAB]))
        if on_board:
            self.type(*(_ARROWS[arrow] for arrow in self.driver.execute_async_script(_WAY, there)))
        assert self.driver.switch_to.active_element == there

    def type(self, *keys: str) -> None:
        """Press keys at the focused element."""
        self.pressed += sum(key not in (Keys.SHIFT, Keys.NULL) for key in keys)
        ActionChains(self.driver).send_keys(*keys).perform()

    def await_made(self, move: str) -> None:
        """Wait until this move can be played."""
        self.wait().until(lambda _: self.made() == move)

    def await_picks(self, number: int) -> None:
        """Wait until there are this many picks."""
        self.driver.execute_async_script(_UNTIL_PICKED, number)
