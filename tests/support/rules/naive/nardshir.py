"""A second implementation of Nardshir, slow and from the rules page alone: a board of 24 sites, disc by
disc.
"""

from __future__ import annotations

import copy
from typing import Any

Data = dict[str, Any]

TRACKS = (
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23],
    [23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
)
"""The sites that a seat's discs pass, in order."""


def moves(data: Data, seat: int) -> set[str]:
    """Return the texts of all complete turns; none if no die can be played."""
    if seat != data["to_move"]:
        return set()
    return {" ".join(turn) for turn in _turns(_sites(data), seat, data["dice"]) if turn}


def play(data: Data, seat_moves: dict[int, str]) -> Data:
    """Return the position after the turn of the one seat that moves."""
    ((seat, text),) = seat_moves.items()
    board = _sites(data)
    for move in [] if text == "pass" else text.split():
        _carry_out(board, seat, move)
    went_off = board["off"][seat] > data["off"][seat]
    points = []
    for player in (0, 1):
        own = [board["sites"][site] for site in TRACKS[player]]
        points.append([who.count(player) for who in own])
    return {
        "points": points,
        "hand": board["hand"],
        "off": board["off"],
        "to_move": 1 - seat,
        "dice": [],
        "turn": data["turn"] + 1,
        "quiet_turns": 0 if went_off else data["quiet_turns"] + 1,
    }


def ending(data: Data) -> str | None:
    """Return the reason why the game is over after a turn; None while it goes on."""
    board = _sites(data)
    for seat in (0, 1):
        if not board["hand"][seat] and not any(seat in discs for discs in board["sites"]):
            return "borne-off"
    if not any(_single_moves(board, seat, [die]) for seat in (0, 1) for die in (1, 2, 3, 4, 5, 6)):
        return "blocked"
    return "standstill" if data["quiet_turns"] >= 600 else None


def _sites(data: Data) -> Data:
    """Return sites 0 to 23 as lists of the seats whose discs are there, with the hands and the discs off."""
    sites: list[list[int]] = [[] for _ in range(24)]
    for seat in (0, 1):
        for point, count in enumerate(data["points"][seat]):
            sites[TRACKS[seat][point]] += [seat] * count
    return {"sites": sites, "hand": list(data["hand"]), "off": list(data["off"])}


def _turns(board: Data, seat: int, dice: list[int]) -> list[list[str]]:
    turns = []
    for die, move in _single_moves(board, seat, dice):
        after = copy.deepcopy(board)
        _carry_out(after, seat, move)
        left = list(dice)
        left.remove(die)
        turns += [[move, *rest] for rest in _turns(after, seat, left)]
    return turns or [[]]


def _single_moves(board: Data, seat: int, dice: list[int]) -> set[tuple[int, str]]:
    """Return every die with every disc: from hand, or from a point of the seat's own track."""
    found = set()
    for die in dice:
        if board["hand"][seat] and (hit := _lands(board, seat, die)) is not None:
            found.add((die, f"hand/{die}{hit}"))
        for point in range(1, 25):
            if seat not in board["sites"][TRACKS[seat][point - 1]]:
                continue
            if point + die == 25 and _all_home(board, seat):
                found.add((die, f"{point}/off"))
            if point + die <= 24 and (hit := _lands(board, seat, point + die)) is not None:
                found.add((die, f"{point}/{point + die}{hit}"))
    return found


def _lands(board: Data, seat: int, point: int) -> str | None:
    """Return a star if a disc landing on the point would hit, "" if it just lands, None if it may not."""
    discs = board["sites"][TRACKS[seat][point - 1]]
    enemies = discs.count(1 - seat)
    if enemies >= 2:
        return None
    if point in (1, 2, 3, 4, 5, 6) and discs.count(seat) == 2:
        return None
    if point == 24 and board["hand"][seat] > 10:
        return None
    return "*" if enemies == 1 else ""


def _all_home(board: Data, seat: int) -> bool:
    final = [TRACKS[seat][point - 1] for point in (19, 20, 21, 22, 23, 24)]
    return all(seat not in discs or site in final for site, discs in enumerate(board["sites"]))


def _carry_out(board: Data, seat: int, move: str) -> None:
    start, end = move.rstrip("*").split("/")
    if start == "hand":
        board["hand"][seat] -= 1
    else:
        board["sites"][TRACKS[seat][int(start) - 1]].remove(seat)
    if end == "off":
        board["off"][seat] += 1
        return
    target = board["sites"][TRACKS[seat][int(end) - 1]]
    if move.endswith("*"):
        target.remove(1 - seat)
        board["hand"][1 - seat] += 1
    target.append(seat)
