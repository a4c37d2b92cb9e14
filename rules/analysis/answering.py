"""Answers to players' requests for a hint or a report by the computer, as functions of data.

The field `what` of a request is the kind of answer; the rest is only data that any spectator may know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.analysis import game_report, hints
from rules.chance import Chance
from rules.game import Json
from rules.records.record import carry_out
from rules.records.turns import read_turn
from rules.registry import rules_named

HINT, ASSESSMENT = "hint", "assessment"


def answer(request: Json) -> Json:
    """Return the answer to a request as JSON; this takes seconds or minutes.

    The same request gets the same answer if there is enough time.
    """
    return _ANSWERS[request["what"]](request)


def _hint(request: Json) -> Json:
    rules, options = rules_named(request["game_type"]), request["options"]
    position: Any = rules.read(options, request["position"], request["memory"])
    below = Chance(bytes.fromhex(request["seed"]), HINT).below
    seats = len(rules.seats(options))
    return hints.find(rules, position, request["seat"], seats, below, seconds=hints.SECONDS).to_json()


def _assess(request: Json) -> Json:
    rules, options = rules_named(request["game_type"]), request["options"]
    seats = len(rules.seats(options))
    start = position = rules.start(options, request["setup"])
    steps = []
    for _, turn in request["turns"]:
        steps.append(carry_out(rules, position, read_turn(turn, seats)))
        position = steps[-1].after
    numbers = [number for number, _ in request["turns"]]
    return game_report.assess(rules, start, steps, numbers, seats, bytes.fromhex(request["seed"])).to_json()


_ANSWERS: dict[str, Callable[[Json], Json]] = {HINT: _hint, ASSESSMENT: _assess}
