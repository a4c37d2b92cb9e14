"""Positions of NEXUS, and their JSON form, which the rules page describes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from rules.errors import BadData
from rules.game import Json
from rules.games.nexus.board import MOST_OF_A_COLOUR, MOST_ON_A_RING, Add, Board, Change, Walk
from rules.geometry.hexes import names, places
from rules.reading import items, need_exactly, whole
from rules.reasons import LEAVING

SEATS: Final = ("Red", "Blue", "Green", "Yellow")
LETTERS: Final = "rbgy"
ACTIONS: Final = (Add.name, Walk.name, Change.name)
KEYS: Final = ("rings", "reserve", "out", "to_move", "last_actions", "ply", "quiet")
_WRONG_KEYS: Final = f"A position has the keys {', '.join(KEYS)}; wrong here: {{}}."
_NUMBER: Final = "“{key}” holds a whole number from 0 to {most}, not {!r}."
_LARGEST: Final = 10**9

LAST_STANDING: Final = "last-standing"


@dataclass(frozen=True)
class Position:
    """A position between two turns.

    `rings` are the places with rings, ascending, with the marbles on them as sorted colour letters; a seat in
    `out` has no marble there and none in `reserve`. `last_actions` holds "" for a seat that has not acted yet.
    `seen` describes the positions since a marble was last given up or a seat last left, with this one at the
    end: no earlier one can come back. When one seat is left, `seen` is empty and `ended` is the reason,
    otherwise "". The seat `to_move` is in, and could add or move unless the game is over.
    """

    rings: tuple[tuple[int, str], ...]
    reserve: tuple[int, ...]
    out: tuple[int, ...]
    to_move: int
    last_actions: tuple[str, ...]
    ply: int = 0
    quiet: int = 0
    seen: tuple[str, ...] = ()
    ended: str = ""

    @property
    def board(self) -> Board:
        """The rings as a new dict."""
        return dict(self.rings)

    @property
    def staying(self) -> tuple[int, ...]:
        """Return the seats that have not left, ascending; at least one."""
        if not self.out:
            return tuple(range(len(self.reserve)))
        return tuple(seat for seat in range(len(self.reserve)) if seat not in self.out)

    def after(self, seat: int) -> int:
        """Return the next seat after `seat` that has not left."""
        later = [other for other in self.staying if other > seat]
        return later[0] if later else self.staying[0]

    def before(self, seat: int) -> int:
        """Return the nearest seat before `seat` that has not left."""
        earlier = [other for other in self.staying if other < seat]
        return earlier[-1] if earlier else self.staying[-1]

    def key(self) -> str:
        """Return a short text that is equal for positions that count as a repetition."""
        whole = repr((self.rings, self.reserve, self.out, self.to_move))
        return hashlib.blake2b(whole.encode(), digest_size=10).hexdigest()


def freeze(board: Board) -> tuple[tuple[int, str], ...]:
    """Return a board as the `rings` of a position."""
    return tuple(sorted(board.items()))


def write_position(position: Position) -> Json:
    """Return the JSON object described in docs/rules/nexus.md."""
    return {
        "rings": {names()[ring]: marbles for ring, marbles in position.rings},
        "reserve": list(position.reserve),
        "out": list(position.out),
        "to_move": position.to_move,
        "last_actions": [action or None for action in position.last_actions],
        "ply": position.ply,
        "quiet": position.quiet,
    }


def read_position(players: int, data: Json, memory: Sequence[str]) -> Position:
    """Return the position that `write_position` wrote; `seen` and `ended` come from `memory`.

    Raises BadData if no game with that many players has such a position.
    """
    need_exactly(data, KEYS, _WRONG_KEYS)
    out = _numbers(data, "out", players - 1)
    if len(set(out)) < len(out) or len(out) > players - 1:
        raise BadData("“out” lists each seat that is out once, and at least one seat is still in.")
    reserve = _numbers(data, "reserve", 1000)
    if len(reserve) != players or any(reserve[seat] for seat in out):
        raise BadData(f"“reserve” holds a number for each of {players} seats, 0 for those that are out.")
    to_move = whole(data["to_move"], _NUMBER, most=players - 1, key="to_move")
    if to_move in out:
        raise BadData("The seat “to_move” is out.")
    one_left = len(out) == players - 1
    return Position(
        rings=_rings(
            data["rings"], {letter for seat, letter in enumerate(LETTERS[:players]) if seat not in out}
        ),
        reserve=reserve,
        out=out,
        to_move=to_move,
        last_actions=_last_actions(data["last_actions"], players),
        ply=whole(data["ply"], _NUMBER, most=_LARGEST, key="ply"),
        quiet=whole(data["quiet"], _NUMBER, most=_LARGEST, key="quiet"),
        seen=() if one_left else tuple(memory),
        ended=_ended(memory) if one_left else "",
    )


def _numbers(data: Json, key: str, most: int) -> tuple[int, ...]:
    found = items(data[key], "“{key}” is a list of numbers.", key=key)
    return tuple([whole(value, _NUMBER, most=most, key=key) for value in found])


def _last_actions(given: Any, players: int) -> tuple[str, ...]:
    actions = items(given, f"“last_actions” lists one action for each of {players} seats.", count=players)
    if any(action not in (None, "", *ACTIONS) for action in actions):
        raise BadData(f"“last_actions” are {', '.join(ACTIONS)}, or null before the first.")
    return tuple(str(action or "") for action in actions)


def _rings(given: Any, letters: set[str]) -> tuple[tuple[int, str], ...]:
    if not isinstance(given, dict):
        raise BadData("“rings” is an object with a name for each ring.")
    board: Board = {}
    for name, marbles in given.items():
        if name not in places():
            raise BadData(f"There is no place {name!r} on the table, which goes from a1 to z26.")
        if not isinstance(marbles, str) or not letters.issuperset(marbles):
            raise BadData(f"The ring {name} holds letters of the seats still in, {', '.join(sorted(letters))}.")
        if len(marbles) > MOST_ON_A_RING or any(marbles.count(one) > MOST_OF_A_COLOUR for one in marbles):
            raise BadData(f"The ring {name} holds at most three marbles of one colour and four in all.")
        board[places()[name]] = "".join(sorted(marbles))
    return freeze(board)


def _ended(memory: Sequence[str]) -> str:
    if not memory:
        return LAST_STANDING
    if len(memory) > 1 or memory[0] not in (LAST_STANDING, *LEAVING):
        raise BadData(f"The memory of a game with one seat left holds only the reason, not {list(memory)!r}.")
    return memory[0]
