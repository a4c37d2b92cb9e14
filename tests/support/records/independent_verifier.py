"""A second verifier, written from docs/verify.md alone. It shares no code with the product.

It knows no game's rules, so it finds everything that the page promises to be found without them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from typing import Any

CHECKS = ("form", "log", "heads", "record", "envelopes", "seed", "seats", "layout", "dice")
"""In this order."""

HEX64 = re.compile("[0-9a-f]{64}")
HEX32 = re.compile("[0-9a-f]{32}")
LETTERS = "ABCDEFGHIJKLM"


class Refused(Exception):
    """The first check that a record does not pass, and the number of the entry or turn, 0 where it is none."""

    def __init__(self, check: str, number: int = 0) -> None:
        super().__init__(check, number)
        self.check = check
        self.number = number


def check(text: str, heads: tuple[str, ...] = ()) -> None:
    """Check a record with its proof. Raises Refused."""
    record = read(text)
    entries = record["proof"]["log"]
    check_hashes(entries)
    bodies = [entry["body"] for entry in entries]
    check_entries(bodies)
    begin, turns = bodies[0], standing(bodies)
    end = next((body for body in bodies if body["type"] == "end"), None)
    result = bodies[-1]["result"] if end else None
    for head in heads:
        need(head in [entry["hash"] for entry in entries], "heads")
    names = next((body["seats"] for body in reversed(bodies) if body["type"] == "names"), begin["seats"])
    check_record(record, {**begin, "seats": names}, turns, result)
    check_envelopes(begin["game"], turns)
    if end is not None:
        check_draws(begin, turns, bytes.fromhex(end["seed"]))


def need(fact: bool, check: str, number: int = 0) -> None:
    """Refuse unless something is so."""
    if not fact:
        raise Refused(check, number)


# The record and its log


def read(text: str) -> dict[str, Any]:
    """The record, if it has the form of one."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len({key for key, _ in pairs}) == len(pairs), "form")
        return dict(pairs)

    def not_whole(number: str) -> None:
        raise Refused("form")

    try:
        record = json.loads(text, object_pairs_hook=members, parse_float=not_whole, parse_constant=not_whole)
    except ValueError:
        raise Refused("form") from None
    need(isinstance(record, dict) and record.get("format") == "nabu-record/1", "form")
    need(is_unicode(record) and not any("\0" in text for text in texts(record)), "form")
    shape = {"game": str, "options": dict, "setup": dict, "seats": list, "turns": list, "proof": dict}
    need(all(isinstance(record.get(key), sort) for key, sort in shape.items()), "form")
    need(record.get("result") is None or is_result(record["result"], len(record["seats"])), "form")
    for number, turn in enumerate(record["turns"], 1):
        need(is_line(turn, len(record["seats"])), "form", number)
    return dict(record)


def canonical(value: Any) -> str:
    """Written out member by member, as the page says."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{quoted(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


def quoted(text: str) -> str:
    """A text in canonical form."""
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
    out = ""
    for character in text:
        if character in short:
            out += short[character]
        elif " " <= character <= "~":
            out += character
        else:
            units = character.encode("utf-16-be", "surrogatepass")
            out += "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
    return f'"{out}"'


def sha256(data: bytes) -> str:
    """In hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def check_hashes(entries: Any) -> None:
    """Each entry has its form, and its hash."""
    need(isinstance(entries, list) and len(entries) > 0, "log")
    before = ""
    for number, entry in enumerate(entries, 1):
        need(isinstance(entry, dict) and isinstance(entry.get("body"), dict), "log", number)
        need(is_hex(HEX64, entry.get("hash")), "log", number)
        need(is_unicode(entry["body"]), "log", number)
        need(sha256(f"{before}\n{canonical(entry['body'])}".encode()) == entry["hash"], "log", number)
        before = entry["hash"]


def check_entries(bodies: list[dict[str, Any]]) -> None:
    """Check that each entry is at its place, and has its required content."""
    begin, numbers = bodies[0], 0
    need(begin.get("type") == "begin" and is_begin(begin), "log", 1)
    seats = len(begin["seats"])
    ended = False
    for number, body in enumerate(bodies[1:], 2):
        sort = body.get("type")
        need(ended == (sort == "ruling") and sort != "begin", "log", number)
        if sort in ("turn", "undo"):
            numbers += 1
            need(is_number(body.get("turn")) and body["turn"] == numbers, "log", number)
        if sort == "undo":
            need(is_undo(body, standing(bodies[: number - 1])), "log", number)
        if sort == "turn":
            need(is_line(body.get("line"), seats) and is_opened(body.get("opened", {}), seats), "log", number)
        if sort == "names":
            need(is_texts(body.get("seats")) and len(body["seats"]) == seats, "log", number)
        if sort == "end":
            ended = True
            need(is_result(body.get("result"), seats) and is_hex(HEX64, body.get("seed")), "log", number)
        if sort == "ruling":
            need(is_result(body.get("result"), seats) and body["result"]["reason"] == "ruled", "log", number)


def standing(bodies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The turns that were not taken back."""
    turns: list[dict[str, Any]] = []
    for body in bodies:
        if body.get("type") == "undo":
            turns = [turn for turn in turns if turn["turn"] < body["of"]]
        if body.get("type") == "turn":
            turns.append(body)
    return turns


def check_record(record: Any, begin: Any, turns: list[Any], result: Any) -> None:
    """The record says what the log says."""
    need(record["game"] == begin["kind"], "record")
    for key in ("options", "setup", "seats"):
        need(canonical(record[key]) == canonical(begin[key]), "record")
    for number, (written, logged) in enumerate(zip(record["turns"], turns, strict=False), 1):
        need(canonical(written) == canonical(logged["line"]), "record", number)
    need(len(record["turns"]) == len(turns), "record")
    need(canonical(record.get("result")) == canonical(result), "record")


# Forms


def is_unicode(value: Any) -> bool:
    try:
        return bool(json.dumps(value, ensure_ascii=False).encode())
    except UnicodeEncodeError:
        return False


def texts(value: Any) -> Iterator[str]:
    """All texts in a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    for each in (
        [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from texts(each)


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_hex(form: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and form.fullmatch(value) is not None


def is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def is_seat(value: Any, seats: int) -> bool:
    return is_number(value) and 0 <= value < seats


def is_begin(body: dict[str, Any]) -> bool:
    lists = [body.get(key) for key in ("asked", "seats", "luck")]
    return (
        all(map(is_texts, lists))
        and len({len(texts) for texts in lists if texts is not None}) == 1
        and not any("\n" in words for words in body["luck"])
        and is_number(body.get("game"))
        and is_number(body.get("rules"))
        and isinstance(body.get("kind"), str)
        and isinstance(body.get("options"), dict)
        and isinstance(body.get("setup"), dict)
        and is_hex(HEX64, body.get("seed_hash"))
    )


def is_line(line: Any, seats: int) -> bool:
    if not isinstance(line, dict):
        return False
    if set(line) == {"orders"}:
        orders = line["orders"]
        return (
            isinstance(orders, dict)
            and set(orders) <= keys(seats)
            and all(isinstance(o, str) for o in orders.values())
        )
    if set(line) == {"seat", "leave"}:
        return is_seat(line["seat"], seats) and line["leave"] in ("resigned", "timeout")
    if not {"seat", "move"} <= set(line) <= {"seat", "move", "dice"}:
        return False
    dice = line.get("dice", [1])
    return (
        is_seat(line["seat"], seats)
        and isinstance(line["move"], str)
        and isinstance(dice, list)
        and len(dice) > 0
        and all(is_number(die) and 1 <= die <= 6 for die in dice)
    )


def is_undo(body: dict[str, Any], turns: list[dict[str, Any]]) -> bool:
    """Return whether it names a move of its seat that still counts, with no dice in the moves after it."""
    if not is_number(body.get("of")) or not is_number(body.get("seat")):
        return False
    taken = [turn["line"] for turn in turns if turn["turn"] >= body["of"]]
    return (
        body["of"] in [turn["turn"] for turn in turns]
        and all(set(line) == {"seat", "move"} for line in taken)
        and taken[0]["seat"] == body["seat"]
    )


def is_opened(opened: Any, seats: int) -> bool:
    return (
        isinstance(opened, dict)
        and set(opened) <= keys(seats)
        and all(
            isinstance(envelope, dict)
            and is_hex(HEX32, envelope.get("nonce"))
            and is_hex(HEX64, envelope.get("commitment"))
            for envelope in opened.values()
        )
    )


def is_result(result: Any, seats: int) -> bool:
    return (
        isinstance(result, dict)
        and {"winners", "reason"} <= set(result) <= {"winners", "reason", "scores", "places", "why"}
        and isinstance(result["reason"], str)
        and isinstance(result["winners"], list)
        and (len(result["winners"]) > 0 or result["reason"] in ("aborted", "ruled"))
        and ("why" not in result or (result["reason"] == "ruled" and is_why(result["why"])))
        and all(is_seat(seat, seats) for seat in result["winners"])
    )


def is_why(why: Any) -> bool:
    return isinstance(why, str) and len(why) <= 200 and "\n" not in why


def keys(seats: int) -> set[str]:
    return {str(seat) for seat in range(seats)}


# Envelopes


def check_envelopes(game: int, turns: list[Any]) -> None:
    """Each order was in an envelope, is the one that was committed to, and has a nonce of its own."""
    used: set[str] = set()
    for body in turns:
        number = body["turn"]
        orders, opened = body["line"].get("orders", {}), body.get("opened", {})
        need(set(orders) == set(opened), "envelopes", number)
        for seat in sorted(opened):
            nonce = opened[seat]["nonce"]
            text = "\n".join([nonce, str(game), str(number), seat, orders[seat]])
            need(sha256(text.encode()) == opened[seat]["commitment"], "envelopes", number)
            need(nonce not in used, "envelopes", number)
            used.add(nonce)


# Random draws


class Stream:
    """The numbers for a label."""

    def __init__(self, seed: bytes, *lines: str) -> None:
        self.numbers = self.endless(seed, "\n".join(lines).encode())

    def endless(self, seed: bytes, label: bytes) -> Iterator[int]:
        counter = 0
        while True:
            block = hmac.new(seed, label + bytes([0]) + counter.to_bytes(4, "big"), "sha256").digest()
            yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
            counter += 1

    def below(self, limit: int) -> int:
        bound = 2**32 - 2**32 % limit
        return next(number for number in self.numbers if number < bound) % limit

    def shuffled(self, things: list[Any]) -> list[Any]:
        things = things.copy()
        for last in reversed(range(1, len(things))):
            at = self.below(last + 1)
            things[at], things[last] = things[last], things[at]
        return things


def check_draws(begin: Any, turns: list[Any], seed: bytes) -> None:
    """Seed, seats, layout and dice."""
    need(sha256(seed) == begin["seed_hash"], "seed")
    name, luck = f"game {begin['game']}", begin["luck"]
    words = dict(zip(begin["seats"], begin["luck"], strict=True))
    need(len(words) == len(begin["seats"]) and set(words) == set(begin["asked"]), "seats")
    lot = Stream(seed, f"{name} seats", *(words[player] for player in begin["asked"]))
    need(lot.shuffled(begin["asked"]) == begin["seats"], "seats")
    setup: dict[str, Any] = {}
    if begin["kind"] == "nibble":
        setup = {"rows": nibble_rows(begin["options"].get("board"), Stream(seed, f"{name} layout", *luck))}
    need(canonical(setup) == canonical(begin["setup"]), "layout")
    for body in turns:
        number = body["turn"]
        if "dice" in body["line"]:
            stream = Stream(seed, f"{name} turn {number} dice", *luck)
            need(body["line"]["dice"] == [1 + stream.below(6) for _ in body["line"]["dice"]], "dice", number)


def nibble_rows(board: str, stream: Stream) -> list[str]:
    """The rows of a layout, the top one first."""
    places, around, colours = hexagons() if board == "hex-13" else squares(int(board.removeprefix("square-")))
    colour = drawn(places, around, colours, stream)
    rows: dict[int, str] = {}
    for place in places:
        rows[place[1]] = rows.get(place[1], "") + LETTERS[colour[place]]
    return [rows[y] for y in sorted(rows, reverse=True)]


Place = tuple[int, int]


def squares(size: int) -> tuple[list[Place], list[Place], int]:
    """All places in order, the steps to neighbours, and how many colours there are."""
    return [(x, y) for y in range(size) for x in range(size)], [(1, 0), (-1, 0), (0, 1), (0, -1)], size


def hexagons() -> tuple[list[Place], list[Place], int]:
    """The same for hexagons."""
    places = [(c - 1 + max(0, y - 7), y) for y in range(15) for c in range(1, 15 - abs(y - 7) + 1)]
    return places, [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)], 13


def drawn(places: list[Place], steps: list[Place], colours: int, stream: Stream) -> dict[Place, int]:
    """A colour for each place."""
    colour: dict[Place, int] = {}

    def clashes(place: Place) -> bool:
        x, y = place
        return any(colour.get((x + dx, y + dy)) == colour[place] for dx, dy in steps)

    def settles(s: Place) -> bool:
        if not clashes(s):
            return True
        for t in stream.shuffled(places):
            colour[s], colour[t] = colour[t], colour[s]
            if not clashes(s) and not clashes(t):
                return True
            colour[s], colour[t] = colour[t], colour[s]
        return False

    while True:
        colour = dict(zip(places, stream.shuffled([i % colours for i in range(colours**2)]), strict=True))
        if all(settles(s) for s in places):
            return colour
