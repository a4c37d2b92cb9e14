"""Pages with hints and analyses; the computer answers immediately, without thinking."""

from __future__ import annotations

from collections.abc import Iterator
from math import sin

from rules.game import Json
from rules.registry import RULES
from server.jobs.inquiries import answer_next
from server.processes.services import Services
from tests.pictures.site import GameInBrowsers, Site
from tests.support.server.computer_players import begin_solo, seat_of, turn_of
from tests.support.server.games import submit


def of_the_computer(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the pages by the names of their pictures."""
    yield from _hinted(site)
    for game_type, turns in (("nebuchadnezzar", 24), ("nelaxtam", 8)):
        table = GameInBrowsers(site, game_type, turns)
        table.post("resign")
        yield f"course-{game_type}", _assessed(site, table)
    yield "course-offered", _offered(site)


def _hinted(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the page before a hint is requested, while the computer is thinking, and with the hint."""
    ann, services = site.people[0], site.services
    number = begin_solo(services, ann, "nebuchadnezzar")
    seat = seat_of(services, number, ann)
    for to_move, move in enumerate(("d4", "e5", "c5")[: 2 + seat]):
        submit(services, number, to_move % 2, move)
    address = f"/games/{number}"
    yield "hint-offered", site.ann.get(address).text
    site.ann.send(f"{address}/hint", turn=turn_of(services, number))
    yield "hint-awaited", site.ann.get(address).text
    _answer(services)
    yield "hint", site.ann.get(address).text


def _assessed(site: Site, table: GameInBrowsers) -> str:
    """Return the page with the analysis of a game."""
    table.mover.send(f"{table.address}/analyse")
    _answer(site.services)
    return table.other.get(table.address).text


def _offered(site: Site) -> str:
    table = GameInBrowsers(site, "nibble", 6)
    table.post("resign")
    return table.mover.get(table.address).text


def _answer(services: Services) -> None:
    while answer_next(services.engine, services.sealer, services.now(), _think):
        pass


def _think(request: Json) -> Json:
    if request["what"] == "hint":
        best = {"move": "f3", "looks": 402, "share": 0.59, "reply": "g5"}
        return {"best": best, "second": {**best, "move": "h5", "looks": 179, "share": 0.54}, "looks": 2000}
    numbers = [0, *(number for number, _ in request["turns"])]
    seats = len(RULES[request["game_type"]].seats(request["options"]))
    shares = [[_share(number, seat, seats) for seat in range(seats)] for number in numbers]
    slips = [_slip(request, turn) for turn in range(3, len(numbers), 7)]
    return {"numbers": numbers, "shares": shares, "slips": slips}


def _share(number: int, seat: int, seats: int) -> float:
    """Return chances of winning for seats that take turns in being ahead."""
    heights = [1.3 + sin(number / 3 + 2 * other) for other in range(seats)]
    return heights[seat] / sum(heights)


def _slip(request: Json, turn: int) -> Json:
    played = request["turns"][turn - 1][1]
    text, seat = (played["orders"]["0"], 0) if "orders" in played else (played["move"], played["seat"])
    return {"turn": turn, "seat": seat, "played": text, "share": 0.31, "better": "h2", "better_share": 0.52}
