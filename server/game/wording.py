"""Sentences about games that mails and pages share."""

from collections.abc import Sequence
from typing import Any

from rules.game import Json, Kind
from rules.sentences import listed

_REASONS = {
    "resigned": "the other side resigned",
    "timeout": "the other side ran out of time",
    "agreed-draw": "a draw was agreed",
    "agreed-end": "both sides agreed to end and count",
    "aborted": "the game was broken off, as nobody played on",
}


def options_text(options: Json) -> str:
    """The options of a game in one line: "size 12, mode wild"; "" for a kind without options."""
    return ", ".join(f"{name} {value}" for name, value in options.items())


def turn_lines(line: Json, names: Sequence[str]) -> list[str]:
    """A line of the log as people read it, one text a seat: "Ann (Black): c4"."""
    if "leave" in line:
        how = "ran out of time" if line["leave"] == "timeout" else line["leave"]
        return [f"{names[line['seat']]} {how}."]
    if "orders" in line:
        orders = {int(seat): text for seat, text in line["orders"].items()}
        return [f"{name}: {orders.get(seat, 'no orders')}" for seat, name in enumerate(names)]
    dice = "".join(f"{' and ' if n else ' rolled '}{die}" for n, die in enumerate(line.get("dice", ())))
    return [f"{names[line['seat']]}{dice}: {line['move']}"]


def result_text(rules: Kind[Any, Any], result: Json | None, names: Sequence[str]) -> str:
    """How a game ended, in a sentence or two; "" while it goes on."""
    if result is None:
        return ""
    winners = [names[seat] for seat in result["winners"]]
    reason = {**_REASONS, **rules.reasons}.get(result["reason"], result["reason"])
    if len(names) > 2 and result["reason"] in ("resigned", "timeout"):
        reason = "all others have left"
    if not winners:
        ended = f"Nobody wins: {reason}."
    elif len(winners) == 1:
        ended = f"{winners[0]} wins: {reason}."
    else:
        ended = f"A draw between {listed(winners)}: {reason}."
    return " ".join([ended, *_table_of(result, names)])


def _table_of(result: Json, names: Sequence[str]) -> list[str]:
    """What was counted, and who left when, as sentences."""
    said = []
    if result.get("scores"):
        counted = zip(names, result["scores"], strict=True)
        said.append(", ".join(f"{name} {score}" for name, score in counted) + ".")
    places = result.get("places") or []
    if len(places) > 2:
        said.append(f"In the order of places: {', '.join(names[seat] for seat in places)}.")
    return said
