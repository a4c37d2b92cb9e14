"""Moves of NEXUS as text: `add m13 m14 n12`, `move m13-m14 k12*p9-r8 remove b2 c3g`, `rings … > …`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from rules.errors import IllegalMove, Unreadable
from rules.games.nexus.board import Action, Add, Change, Step, Walk
from rules.games.nexus.turn import Loss, Move
from rules.geometry.hexes import names, places
from rules.sentences import quoted

HOW: Final = {
    "add": "Write three rings, as in: add m13 m14 n12.",
    "move": "Write two steps, as in: move m13-m14 n12-n11, or move m13-m14-m15 for one marble; "
    "a step with a sacrifice as in: move m13-m14 k12*p9-r8.",
    "rings": "Write four rings to take away and four places, as in: rings m10 m11 n10 k15 > p9 q9 q8 l17.",
    "remove": "Write the rings that lose marbles at the end, one for each marble, as in: remove b2 c3.",
}

_SAME: Final = str.maketrans({"–": "-", "—": "-", "−": "-", "→": "-", "×": "*", ",": " ", ";": " "})

_TOKEN: Final = re.compile(
    r"\s*(?:and\b\s*)?(?:"
    r"(?P<letter>[a-z])\s*(?P<number>[0-9]{1,3})(?:\s*(?P<colour>[rbgy])(?!\w|\s*[0-9]))?(?!\w)"
    r"|(?P<sign>[-=]?>|-|\*|to\b)"
    r"|(?P<verb>add|move|sacrifice|sac|rings|remove)\b"
    r")\s*"
)


_ITEM: Final = re.compile(r"(?P<sacrifice>s?n\*n-n|sn\*?n-n)(?!-)|n(?:-n)+(?!\*)")


class _Token(NamedTuple):
    """`code` is "n" for a name, "s" for the word `sac`, one of the signs `-`, `>`, `*`, or a verb."""

    code: str
    name: str = ""
    colour: str = ""


def read_move(text: str) -> tuple[Action, tuple[Loss, ...]]:
    """Return the action in a text, with any number of rings and steps, and the marbles to remove.

    For example, `add m13 m14 n12` adds three marbles, and `move m13-m14 k12-k13 remove b2` also removes one.

    Raises Unreadable if anything in the text is not part of a move, IllegalMove if the parts do not make one or
    name a place off the table.
    """
    tokens = _tokens(text)
    if not any(token.code == "n" for token in tokens):
        raise _unreadable(text)
    verb, rest = tokens[0].code, tokens[1:]
    if verb == "s":
        verb, rest = "move", tokens
    if verb not in ("add", "move", "rings"):
        raise _unreadable(text)
    cut = next((number for number, token in enumerate(rest) if token.code == "remove"), len(rest))
    losses = [Loss(_place(token), token.colour) for token in _only_names(rest[cut + 1 :], "remove")]
    if cut < len(rest) and not losses:
        raise IllegalMove(f"There is no ring after “remove”. {HOW['remove']}")
    return _action(verb, rest[:cut]), tuple(losses)


def write_move(move: Move) -> str:
    """Return a move as canonical text."""
    words: list[str] = [move.action.name]
    if isinstance(move.action, Add):
        words += _written(move.action.rings)
    elif isinstance(move.action, Change):
        words += [*_written(move.action.taken), ">", *_written(move.action.put)]
    else:
        words += write_steps(move.action.steps)
    if move.remove:
        words += ["remove", *(names()[loss.ring] + loss.colour for loss in move.remove)]
    return " ".join(words)


def write_steps(steps: Iterable[Step]) -> list[str]:
    """Return steps as text; a step that starts where the last one ended continues it: "m13-m14-n14"."""
    name = names()
    words: list[str] = []
    last: int | None = None
    for start, end, given in steps:
        if given is not None:
            words.append(f"{name[given]}*{name[start]}-{name[end]}")
        elif start == last:
            words[-1] += f"-{name[end]}"
        else:
            words.append(f"{name[start]}-{name[end]}")
        last = end if given is None else None
    return words


def _written(rings: Iterable[int]) -> list[str]:
    return [names()[ring] for ring in rings]


def _tokens(text: str) -> list[_Token]:
    rest = text.lower().translate(_SAME).strip().rstrip(". \n")
    tokens = []
    position = 0
    while position < len(rest):
        found = _TOKEN.match(rest, position)
        if not found:
            raise _unreadable(text)
        position = found.end()
        if found["letter"]:
            tokens.append(_Token("n", found["letter"] + str(int(found["number"])), found["colour"] or ""))
        elif found["sign"]:
            tokens.append(_Token({">": ">", "*": "*"}.get(found["sign"], "-")))
        else:
            tokens.append(_Token("s" if found["verb"].startswith("sac") else found["verb"]))
    return tokens


def _unreadable(text: str) -> Unreadable:
    return Unreadable(
        f"{quoted(text)} is not a move of NEXUS: start with add, move or rings, as in: add m13 m14 n12."
    )


def _place(token: _Token) -> int:
    place = places().get(token.name)
    if place is None:
        raise IllegalMove(f"There is no place {token.name} on the table, which goes from a1 to z26.")
    return place


def _only_names(tokens: list[_Token], verb: str) -> list[_Token]:
    if any(token.code != "n" for token in tokens):
        raise IllegalMove(f"Write only names of rings after “{verb}”. {HOW[verb]}")
    return tokens


def _action(verb: str, tokens: list[_Token]) -> Action:
    coloured = next((token for token in tokens if token.colour), None)
    if coloured:
        raise IllegalMove(
            f"Write a colour only after “remove”: {coloured.name}{coloured.colour} does not belong here."
        )
    if verb == "add":
        return Add(tuple(_place(token) for token in _only_names(tokens, "add")))
    return _walk(tokens) if verb == "move" else _change(tokens)


def _change(tokens: list[_Token]) -> Change:
    arrows = [number for number, token in enumerate(tokens) if token.code != "n"]
    if len(arrows) != 1 or tokens[arrows[0]].code not in ("-", ">"):
        raise IllegalMove(f"A change of rings needs one “>” between two lists of places. {HOW['rings']}")
    found = [_place(token) for token in tokens if token.code == "n"]
    return Change(tuple(found[: arrows[0]]), tuple(found[arrows[0] :]))


def _walk(tokens: list[_Token]) -> Walk:
    codes = "".join(token.code if len(token.code) == 1 else "?" for token in tokens).replace(">", "-")
    found = iter([_place(token) for token in tokens if token.code == "n"])
    steps: list[Step] = []
    position = 0
    while position < len(codes):
        item = _ITEM.match(codes, position)
        if not item:
            raise IllegalMove(_misshapen(codes))
        position = item.end()
        if item["sacrifice"]:
            given, start, end = next(found), next(found), next(found)
            steps.append(Step(start, end, given))
            continue
        start = next(found)
        for _ in range(item.group().count("-")):
            end = next(found)
            steps.append(Step(start, end))
            start = end
    return Walk(tuple(steps))


def _misshapen(codes: str) -> str:
    if "*" in codes or "s" in codes:
        return (
            "A sacrifice step names the ring given up, a star, and one step, and is never part of a chain. "
            + HOW["move"]
        )
    return f"Each step goes from one ring to another, with a hyphen between. {HOW['move']}"
