"""Measures whether a page with a board can be played without scrolling."""

from __future__ import annotations

from selenium import webdriver

SIZES = ((1366, 650), (390, 844), (390, 664))
"""The inner sizes of a laptop's browser, of a phone, and of a phone's browser with its bars."""

_NARROW = 600
"""The width in pixels below which a window is that of a phone."""

_OUT_OF_VIEW = """
const out = []
const told = (what, element) => out.push(`${what}: ${element.outerHTML.slice(0, 160)}`)
const fits = ({left, top, right, bottom}) =>
  left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1
const within = ({left, top, right, bottom}, outer) => fits({left: Math.max(left, outer.left),
  top, right: Math.min(right, outer.right), bottom})
if (scrollY) out.push(`scrolled by ${scrollY} pixels`)
const {scrollWidth, clientWidth} = document.documentElement
if (scrollWidth > clientWidth + 1) out.push(`the page is ${scrollWidth} pixels wide`)
const board = document.querySelector(".game .board")
if (board) {
  const box = board.getBoundingClientRect()
  if (!fits(box)) told(`the board (${[box.left, box.top, box.right, box.bottom].map(Math.round)})`, board)
  if (Math.max(box.width, box.height) < 240) told("the board is tiny", board)
}
const status = document.querySelector(".game .status")
if (!status || !fits(status.getBoundingClientRect())) out.push("the status")
for (const title of document.querySelectorAll(".screen > .game-title > h1")) {
  const number = title.querySelector(".soft")?.getBoundingClientRect()
  if (number && number.right > title.getBoundingClientRect().right + 1) told("the number of the game", title)
}
for (const seat of document.querySelectorAll(".game .seats li"))
  if (seat.checkVisibility() && !fits(seat.getBoundingClientRect())) told("player", seat)
for (const text of document.querySelectorAll(".bar .move-text:not([title])"))
  if (text.scrollHeight > text.clientHeight + 1) told("cut instruction", text)
const choices = document.querySelectorAll(".game :is(.bar, .status, .turn-bar) :is(button, .button)")
const listed = document.querySelectorAll(".game :is([data-pick]:not(.door), .bar [data-act], .status a)")
for (const choice of new Set([...choices, ...listed])) {
  if (!choice.checkVisibility()) continue
  const strip = choice.closest(".strip")
  const beside = strip && strip.querySelectorAll("button").length > 8
  const box = choice.getBoundingClientRect()
  if (!(beside ? within(box, strip.getBoundingClientRect()) : fits(box))) told("choice", choice)
  if (box.height > 60) told(`choice ${Math.round(box.height)} pixels high`, choice)
}
for (const door of document.querySelectorAll(".game .board .door")) {
  const cells = [...door.querySelectorAll("use")].map((cell) => cell.getBoundingClientRect())
  const hit = cells.some((box) => {
    const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    return found && door.contains(found)
  })
  if (!hit) told("covered place", door)
}
return out
"""


def out_of_view(driver: webdriver.Chrome) -> list[str]:
    """Return what a player of the open page cannot see or press without scrolling.

    The board, the status with its links, the players, the instruction, all next choices and the places that can
    be picked must be in view; more than eight choices may be in a strip that scrolls sideways.
    """
    found: list[str] = driver.execute_script(_OUT_OF_VIEW)
    return found


def is_phone(size: tuple[int, int]) -> bool:
    """Return whether a window of this size is that of a phone."""
    return 0 < size[0] < _NARROW


def resize(driver: webdriver.Chrome, size: tuple[int, int]) -> None:
    """Set the inner size of the window in pixels; narrow ones are phones."""
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": is_phone(size)}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
