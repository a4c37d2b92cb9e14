"""A second implementation of NEXUS und Rabauken, slow and simple, from the rules page alone.

Works on the JSON position. Places are pairs of column and row. Nothing is shared with the engine: two
implementations that agree on random games are unlikely to be wrong in the same way.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

Place = tuple[int, int]
Rings = dict[Place, list[str]]
Data = dict[str, Any]

COLOURS = "rbgy"
AROUND = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]


def place(name: str) -> Place:
    return "abcdefghijklmnopqrstuvwxyz".index(name[0]) + 1, int(name[1:])


def name(spot: Place) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[spot[0] - 1] + str(spot[1])


def rings_of(data: Data) -> Rings:
    return {place(key): list(marbles) for key, marbles in data["rings"].items()}


def around(spot: Place) -> list[Place]:
    return [(spot[0] + right, spot[1] + down) for right, down in AROUND]


def only_own(marbles: list[str], me: str) -> bool:
    return len(marbles) > 0 and set(marbles) == {me}


# Adding


def outside(rings: Rings) -> set[Place]:
    """Return all places without a ring that are joined to the margin around the table."""
    table = {(column, row) for column in range(28) for row in range(28)}
    found = {(0, 0)}
    while True:
        more = {near for spot in found for near in around(spot)} & table - set(rings) - found
        if not more:
            return found
        found |= more


def reached(rings: Rings, me: str) -> list[Place]:
    out = outside(rings)
    passable = {spot for spot, marbles in rings.items() if set(marbles) <= {me}}
    found = {spot for spot in passable if any(near in out for near in around(spot))}
    while True:
        more = {near for spot in found for near in around(spot)} & passable - found
        if not more:
            return sorted(spot for spot in found if not rings[spot])
        found |= more


def adds(data: Data, me: str) -> Iterator[str]:
    if data["reserve"][COLOURS.index(me)] >= 3:
        for three in combinations(reached(rings_of(data), me), 3):
            yield "add " + " ".join(name(spot) for spot in three)


# Moving


def has_room(marbles: list[str], me: str) -> bool:
    return marbles.count(me) + 1 <= 3 and len(marbles) + 1 <= 4


def steps(rings: Rings, me: str, sacrifices: bool) -> Iterator[str]:
    for start in rings:
        if not only_own(rings[start], me):
            continue
        for right, down in AROUND:
            near = (start[0] + right, start[1] + down)
            if near in rings and has_room(rings[near], me):
                yield f"{name(start)}-{name(near)}"
            end, jumped = near, 0
            while end in rings and only_own(rings[end], me):
                end, jumped = (end[0] + right, end[1] + down), jumped + 1
            if jumped and end in rings and has_room(rings[end], me):
                yield f"{name(start)}-{name(end)}"
    if not sacrifices:
        return
    for given in rings:
        for start in rings:
            if not only_own(rings[given], me) or not only_own(rings[start], me):
                continue
            less = copy.deepcopy(rings)
            less[given].remove(me)
            if me not in less[start]:
                continue
            for end in rings:
                if end != start and has_room(less[end], me):
                    yield f"{name(given)}*{name(start)}-{name(end)}"


def do_step(rings: Rings, me: str, step: str) -> tuple[Rings, int]:
    """Return the rings after a step, and how many marbles it deleted by blocking."""
    rings = copy.deepcopy(rings)
    if "*" in step:
        given, step = step.split("*")
        rings[place(given)].remove(me)
    start, end = step.split("-")
    rings[place(start)].remove(me)
    there = rings[place(end)]
    there.append(me)
    deleted = 0
    for other in set(there) - {me}:
        if there.count(other) < there.count(me):
            deleted += there.count(other)
            while other in there:
                there.remove(other)
    return rings, deleted


def same(one: Rings, other: Rings) -> bool:
    return {spot: sorted(marbles) for spot, marbles in one.items()} == {
        spot: sorted(marbles) for spot, marbles in other.items()
    }


def walks(data: Data, me: str) -> Iterator[str]:
    rings = rings_of(data)
    for first in steps(rings, me, sacrifices=True):
        between, _ = do_step(rings, me, first)
        for second in steps(between, me, sacrifices="*" not in first):
            simple = "*" not in first and "*" not in second
            if simple and same(do_step(between, me, second)[0], rings):
                continue
            if simple and first.split("-")[1] == second.split("-")[0]:
                yield f"move {first}-{second.split('-')[1]}"
            else:
                yield f"move {first} {second}"


# Changing rings


def may_change(data: Data, seat: int) -> bool:
    players = len(data["reserve"])
    before = next(
        other % players
        for other in range(seat - 1, seat - players - 1, -1)
        if other % players not in data["out"]
    )
    return "rings" not in (data["last_actions"][before], data["last_actions"][seat])


def changes(data: Data) -> Iterator[str]:
    """Yield all changes of rings: only for small boards."""
    rings = rings_of(data)
    for taken in permutations([spot for spot in rings if not rings[spot]], 4):
        left = [spot for spot in rings if spot not in taken]
        for put in downs(left, rings, 4):
            yield f"rings {' '.join(map(name, taken))} > {' '.join(map(name, put))}"


def downs(now: list[Place], before: Rings, count: int) -> Iterator[list[Place]]:
    if count == 0:
        yield []
        return
    for spot in {near for ring in now for near in around(ring)}:
        inside = 1 <= spot[0] <= 26 and 1 <= spot[1] <= 26
        if inside and spot not in before and spot not in now and sum(near in now for near in around(spot)) >= 2:
            for rest in downs([*now, spot], before, count - 1):
                yield [spot, *rest]


def moves(data: Data, seat: int, changing: bool = False) -> set[str]:
    """Return all legal `add` and `move` actions, and the changes of rings too if wanted, as canonical texts."""
    me = COLOURS[seat]
    found = set(adds(data, me))
    if data["last_actions"][seat]:
        found |= set(walks(data, me))
        if changing and may_change(data, seat):
            found |= set(changes(data))
    return found


# Surrounding


def surrounded(rings: Rings, me: str) -> list[set[Place]]:
    groups: list[set[Place]] = []
    for spot in rings:
        if not rings[spot] or me in rings[spot] or any(spot in group for group in groups):
            continue
        group = {spot}
        while True:
            more = {near for one in group for near in around(one) if near in rings} - group
            more = {near for near in more if rings[near] and me not in rings[near]}
            if not more:
                break
            group |= more
        groups.append(group)
    found = []
    for group in groups:
        shore = {near for one in group for near in around(one) if near in rings} - group
        if shore and all(me in rings[near] for near in shore):
            found.append(group)
    return found


def act(data: Data, me: str, action: str) -> tuple[Rings, int]:
    """Return the rings after an action, before surrounding, and how many marbles blocking deleted."""
    rings = rings_of(data)
    sort, *words = action.split()
    deleted = 0
    if sort == "add":
        for word in words:
            rings[place(word)].append(me)
    elif sort == "rings":
        for word in words[:4]:
            del rings[place(word)]
        for word in words[5:]:
            rings[place(word)] = []
    else:
        for step in single_steps(words):
            rings, more = do_step(rings, me, step)
            deleted += more
    return rings, deleted


def single_steps(words: list[str]) -> list[str]:
    if len(words) == 2:
        return words
    first, second, third = words[0].split("-")
    return [f"{first}-{second}", f"{second}-{third}"]


def due(data: Data, me: str, action: str) -> list[tuple[set[Place], str, int]]:
    """Return, for each newly surrounded group and colour, how many marbles are removed."""
    rings, _ = act(data, me, action)
    old = surrounded(rings_of(data), me)
    owed = []
    for group in surrounded(rings, me):
        if group in old:
            continue
        for colour in COLOURS:
            number = sum(rings[spot].count(colour) for spot in group)
            if number - (number + 1) // 2:
                owed.append((group, colour, number - (number + 1) // 2))
    return owed


def choices(data: Data, seat: int, action: str) -> set[str]:
    """Return all ways to write the removed marbles, as "remove b2 c3", including the default."""
    rings, _ = act(data, COLOURS[seat], action)
    owed = due(data, COLOURS[seat], action)
    ways: list[list[tuple[Place, str]]] = [[]]
    for group, colour, number in owed:
        marbles = [(spot, colour) for spot in group for one in rings[spot] if one == colour]
        ways = [[*way, *some] for way in ways for some in combinations(marbles, number)]
    return {written(way, rings, owed) for way in ways if way}


def written(way: list[tuple[Place, str]], rings: Rings, owed: list[tuple[set[Place], str, int]]) -> str:
    words = []
    for spot, colour in sorted(way):
        losing = [other for group, other, _ in owed if spot in group and other in rings[spot]]
        words.append(name(spot) + (colour if len(losing) > 1 else ""))
    return "remove " + " ".join(words)


def by_itself(data: Data, seat: int, action: str) -> str:
    """Return the default removal, "" for none."""
    rings, _ = act(data, COLOURS[seat], action)
    owed = due(data, COLOURS[seat], action)
    left = copy.deepcopy(rings)
    way = []
    for group, colour, number in owed:
        for _ in range(number):
            spot = min(group, key=lambda one: (-left[one].count(colour), one))
            left[spot].remove(colour)
            way.append((spot, colour))
    return written(way, rings, owed) if way else ""


# Playing


def play(data: Data, seat_moves: dict[int, str]) -> Data:
    """Return the JSON position after a move."""
    ((seat, text),) = seat_moves.items()
    me = COLOURS[seat]
    action = text.split(" remove ")[0]
    data = copy.deepcopy(data)
    owed = due(data, me, action)
    removal = "remove " + text.split(" remove ")[1] if " remove " in text else by_itself(data, seat, action)
    rings, deleted = act(data, me, action)
    for word in removal.split()[1:]:
        spot, colour = place(word.rstrip(COLOURS)), word[-1]
        if colour not in COLOURS:
            colour = next(other for group, other, _ in owed if spot in group and other in rings[spot])
        rings[spot].remove(colour)
        deleted += 1
    added = 3 if action.startswith("add") else 0
    data["rings"] = {name(spot): "".join(sorted(rings[spot])) for spot in sorted(rings)}
    data["reserve"][seat] += deleted - added
    data["last_actions"][seat] = action.split()[0]
    data["ply"] += 1
    data["quiet"] = 0 if added or deleted or "*" in action else data["quiet"] + 1
    data["to_move"] = next_seat(data, seat)
    return drop_out(data)


def next_seat(data: Data, seat: int) -> int:
    players = len(data["reserve"])
    others = [other % players for other in range(seat + 1, seat + players + 1)]
    return next(other for other in others if other not in data["out"])


def leave(data: Data, seat: int) -> Data:
    """Return the JSON position after a seat has left, in or out of its turn."""
    return drop_out(gone(data, seat))


def gone(data: Data, seat: int) -> Data:
    data = copy.deepcopy(data)
    data["rings"] = {key: marbles.replace(COLOURS[seat], "") for key, marbles in data["rings"].items()}
    data["reserve"][seat] = 0
    data["out"].append(seat)
    data["quiet"] = 0
    if data["to_move"] == seat:
        data["to_move"] = next_seat(data, seat)
    return data


def drop_out(data: Data) -> Data:
    """Remove every seat to move that can neither add nor move."""
    while len(data["out"]) < len(data["reserve"]) - 1 and not can_act(data, data["to_move"]):
        data = gone(data, data["to_move"])
    return data


def can_act(data: Data, seat: int) -> bool:
    me = COLOURS[seat]
    if any(True for _ in adds(data, me)):
        return True
    return bool(data["last_actions"][seat]) and any(True for _ in walks(data, me))
