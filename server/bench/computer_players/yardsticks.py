"""Simple opponents to measure computer players against: a few lines per game that count what a beginner counts.

They share no code with the computer players: they read positions as any spectator may see them, and draw moves
at random. `one-ply` makes the best of the moves that it looks at; `two-ply` looks at the replies to the best of
these as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod
from statistics import mean
from typing import Any

from rules.bots.match_players import AnyRules, Below

Json = Mapping[str, Any]

ONE_PLY, TWO_PLY = "one-ply", "two-ply"
_MOVES = 300
"""The most moves that a yardstick looks at."""
_FINALISTS = 20
"""The number of moves whose replies `two-ply` looks at."""
_REPLIES = 40
"""The number of replies drawn for each of these moves."""
_WON = 1e6
_LAST = 25
"""The place of a Nardshir disc that is off, counted from 0, the hand."""


@dataclass(frozen=True)
class Yardstick:
    """A simple player of every game; with `looks_at_replies` it looks two plies ahead."""

    looks_at_replies: bool = False

    def __call__(self, rules: AnyRules, position: Any, seat: int, seats: int, below: Below, /) -> Any:
        moves = moves_of(rules, position, seat, below)
        tries = [(_after(rules, position, {seat: move}, below), move) for move in moves]
        ranked = sorted(
            ((_worth(rules, after, seat), below(1 << 30), after, move) for after, move in tries),
            key=lambda each: each[:2],
            reverse=True,
        )
        if not self.looks_at_replies or ranked[0][0] >= _WON:
            return ranked[0][3]
        return max(ranked[:_FINALISTS], key=lambda each: _after_replies(rules, each[2], seat, below))[3]


def moves_of(rules: AnyRules, position: Any, seat: int, below: Below) -> list[Any]:
    """Return all moves if those are few, else some drawn at random, each once."""
    listed = list(islice(rules.moves(position, seat), _MOVES + 1))
    if len(listed) <= _MOVES:
        return listed
    return list(dict.fromkeys(rules.sample(position, seat, below) for _ in range(_MOVES)))


def _after(rules: AnyRules, position: Any, moves: Mapping[int, Any], below: Below) -> Any:
    """Return the position after a turn; in a game with secret orders, the others give random ones."""
    others = (seat for seat in rules.to_move(position) if seat not in moves)
    return rules.play(position, {**moves, **{seat: rules.sample(position, seat, below) for seat in others}})


def _after_replies(rules: AnyRules, position: Any, seat: int, below: Below) -> float:
    """Return the worth of a position after the worst of some replies; the average worst over some throws."""
    if not rules.dice(position) or rules.simultaneous:
        return _after_worst(rules, position, seat, below, _REPLIES)
    throws = [rules.roll(position, [1 + below(6), 1 + below(6)]) for _ in range(_REPLIES // 4)]
    return mean(_after_worst(rules, thrown, seat, below, _REPLIES // 4) for thrown in throws)


def _after_worst(rules: AnyRules, position: Any, seat: int, below: Below, replies: int) -> float:
    movers = rules.to_move(position)
    if not movers or rules.forced(position) is not None or seat in movers:
        return _worth(rules, position, seat)
    return min(
        _worth(rules, rules.play(position, {movers[0]: rules.sample(position, movers[0], below)}), seat)
        for _ in range(replies)
    )


def _worth(rules: AnyRules, position: Any, seat: int) -> float:
    """Return what a position is worth to a seat: the more, the better."""
    result = rules.result(position)
    if result is not None:
        return 0.0 if len(result.winners) != 1 else _WON if seat in result.winners else -_WON
    worth = _WORTH.get(rules.name)
    return 0.0 if worth is None else worth(rules.write(position), seat)


def _nardshir(data: Json, seat: int) -> float:
    """Return the lead in pips, with a bonus for discs off and points made, less the blots that may be hit."""
    return _nardshir_side(data, seat) - _nardshir_side(data, 1 - seat)


def _nardshir_side(data: Json, seat: int) -> float:
    mine, theirs = data["points"][seat], [data["hand"][1 - seat], *data["points"][1 - seat]]
    pips = _LAST * data["hand"][seat] + sum((_LAST - place) * discs for place, discs in enumerate(mine, 1))
    made = sum(discs > 1 for discs in mine)
    risk = sum(place * _hit(theirs, _LAST - place) for place, discs in enumerate(mine, 1) if discs == 1)
    return float(5 * float(data["off"][seat]) + 2 * made - pips - risk)


def _hit(theirs: Sequence[int], place: int) -> float:
    """Return about how likely a single disc on this place of the enemy is hit in the next turn."""
    far = (place - start for start, discs in enumerate(theirs[:place]) if discs)
    return 1 - prod(1 - ((10 + steps) / 36 if steps <= 6 else max(13 - steps, 0) / 36) for steps in far)


def _nebuchadnezzar(data: Json, seat: int) -> float:
    discs = Counter("".join(data["rows"]))
    return float((discs["b"] - discs["w"]) * (1 if data["colours"][seat] == "black" else -1))


def _nelaxtam(data: Json, seat: int) -> float:
    tiles = Counter("".join(data["rows"]))
    troops = Counter("o" if name.isdigit() else "x" for name in data["troops"])
    ahead = tiles["o"] - tiles["x"] + 3 * (troops["o"] - troops["x"])
    return float(ahead if seat == 0 else -ahead)


def _nexus(data: Json, seat: int) -> float:
    letters = Counter("".join(data["rings"].values()))
    marbles = [letters[letter] + kept for letter, kept in zip("rbgy", data["reserve"], strict=False)]
    return float(2 * marbles[seat] - sum(marbles))


def _nibble(data: Json, seat: int) -> float:
    ahead = [mine - theirs for mine, theirs in zip(data["taken"][seat], data["taken"][1 - seat], strict=True)]
    return float(sum(max(-3, min(3, lead)) for lead in ahead))


_WORTH: Mapping[str, Callable[[Json, int], float]] = {
    "nardshir": _nardshir,
    "nebuchadnezzar": _nebuchadnezzar,
    "nelaxtam": _nelaxtam,
    "nexus": _nexus,
    "nibble": _nibble,
}
"""By game: the worth of a position, written as data, to a seat; other games have none."""
