"""Conditional moves: answers that a player prepares for moves of the opponent, secret like sealed orders.

They form a tree, stored as the list of its paths ("ways"). A way is a sequence of moves in canonical text, in
which the moves of the opponent and the player alternate: `("e5", "d4", "c3", "b2")` is `if e5 then d4, if c3
then b2`.

A player writes a line for each way. Lines that begin alike are branches of one tree. Upper and lower case make
no difference, nor does the punctuation between the words.
"""

import re
from collections.abc import Callable
from typing import Any

from rules.errors import Ambiguous, RuleError, WrongMove
from rules.line import Line
from rules.sentences import quoted
from server.errors import BadRequest
from server.game.log.log import AnyRules
from server.limits import LONGEST_CONDITIONS, MOST_CONDITIONS
from server.store.keys.sealing import Sealer
from server.store.models import Seat

Way = tuple[str, ...]
Ways = tuple[Way, ...]

_MOST_PROBLEMS = 5
_MOST_CHOICES = 4
_WORD = re.compile(r"\b(if|then)\b", re.IGNORECASE)
_LINK = re.compile(r"\b(?:and )?(?:then )?(if|then)\b", re.IGNORECASE)
_IF = re.compile(r"\s*if\b", re.IGNORECASE)
_PARTING = " ,;:"


def read(rules: AnyRules, position: Any, seat: int, text: str) -> Ways:
    """Return the conditional moves of `seat` in `text`, which has one `if` line for each way.

    In `position` the opponent is to move. Each line is replayed by the rules. Raises BadRequest with a sentence
    for each line that is not legal.
    """
    if len(text) > LONGEST_CONDITIONS:
        raise BadRequest(f"Conditional moves can have at most {LONGEST_CONDITIONS} characters.")
    reader = _Reader(rules, position, seat)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    problems: list[str] = []
    for number, line in enumerate(lines, 1):
        try:
            reader.read(line, last=number == len(lines))
        except _WrongLine as problem:
            problems.append(f"Line {number}, {quoted(line)}: {problem}")
    if problems:
        raise BadRequest(" ".join(["The conditional moves cannot be saved.", *problems[:_MOST_PROBLEMS]]))
    return _longest(reader.ways)


def write(ways: Ways) -> list[str]:
    """Return the lines from which `read` reads these ways."""
    return [
        ", ".join(f"if {move} then {answer}" for move, answer in zip(way[::2], way[1::2], strict=True))
        for way in ways
    ]


def with_way(ways: Ways, way: Way) -> Ways:
    """Return `ways` with `way` added, and without those that answer the same moves of the opponent differently.

    If the new way ends with a move of the opponent, that move is left out.
    """
    way = way[: len(way) // 2 * 2]
    return (*(other for other in ways if not _contradict(other, way)), way)


def follow(ways: Ways, move: str) -> tuple[str | None, Ways]:
    """Return the prepared answer to the opponent's move, and the conditional moves that remain after it.

    The answer is None if none was prepared.
    """
    fitting = [way for way in ways if way[0] == move]
    answer = fitting[0][1] if fitting else None
    return answer, tuple(way[2:] for way in fitting if len(way) > 2)


def load_moves(sealer: Sealer, seat: Seat) -> Ways:
    """Return the conditional moves of a seat; () for none."""
    if seat.sealed_conditions is None:
        return ()
    return tuple(map(tuple, sealer.open_json(seat.sealed_conditions)))


def store_moves(sealer: Sealer, seat: Seat, ways: Ways) -> None:
    """Store the conditional moves of a seat in place of its earlier ones; () removes them."""
    seat.sealed_conditions = sealer.seal_json(ways) if ways else None


def _contradict(one: Way, other: Way) -> bool:
    """Return whether two ways give different answers to the same moves of the opponent."""
    differing = (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differing, 0) % 2 == 1


class _WrongLine(Exception):
    """A line of conditional moves that cannot be read or played; the message is a sentence for the player."""


class _Reader:
    """Reads conditional moves line by line into `ways`, and keeps the position after each partial way."""

    def __init__(self, rules: AnyRules, position: Any, seat: int) -> None:
        self.ways: list[Way] = []
        self._seat = seat
        (self._opponent,) = rules.to_move(position)
        self._lines: dict[Way, Line[Any, Any]] = {(): Line(rules, position)}
        self._answers: dict[Way, str] = {}

    def read(self, line: str, *, last: bool) -> None:
        if line.endswith(",") and not last:
            raise _WrongLine(
                "It ends with a comma, so the next line may belong to it. Write each variation on a single "
                "line."
            )
        moves = steps(line)
        if not moves:
            raise _WrongLine("Write it as “if MOVE then MOVE”, continued with “, if MOVE then MOVE”.")
        way: Way = ()
        for text in moves:
            way = self._step(way, text)
        self.ways.append(way)

    def _step(self, way: Way, text: str) -> Way:
        """Return the way with one more move, after checking it with the rules."""
        answers = len(way) % 2 == 1
        seat, whose = (self._seat, "Your answer") if answers else (self._opponent, "Your opponent's move")
        line = self._lines[way]
        if line.result is not None:
            raise _WrongLine(f"The game is over before {quoted(text)}.")
        if line.seat != seat:
            raise _WrongLine(
                f"{quoted(text)} cannot follow there: after a forced pass the other side moves again."
            )
        try:
            longer = line.then(text)
        except WrongMove as error:
            continues = way and not answers
            after = f" after {quoted(way[-1])}" if continues else ""
            other = " Write another variation on a line of its own." if continues else ""
            raise _WrongLine(
                f"{whose} {quoted(text)} cannot be played{after}. {error}{_choices(error)}{other}"
            ) from None
        following = (*way, longer.parts[-1])
        if answers:
            self._count(way, following[-1])
        self._lines[following] = longer
        return following

    def _count(self, way: Way, answer: str) -> None:
        other = self._answers.setdefault(way, answer)
        if other != answer:
            raise _WrongLine(f"A line above answers “{way[-1]}” with “{other}”, and this one with “{answer}”.")
        if len(self._answers) > MOST_CONDITIONS:
            raise BadRequest(f"There can be at most {MOST_CONDITIONS} conditional moves in a game.")


def _choices(error: RuleError) -> str:
    """Return a sentence with the moves that an ambiguous text may mean, "" if it is not ambiguous."""
    choices = error.choices[:_MOST_CHOICES] if isinstance(error, Ambiguous) else ()
    return f" It could be {' or '.join(choices)}." if choices else ""


def _longest(ways: list[Way]) -> Ways:
    """Return each way once, without those that are the beginning of another."""
    return tuple(
        way
        for way in dict.fromkeys(ways)
        if not any(len(other) > len(way) and other[: len(way)] == way for other in ways)
    )


# The syntax of a line


def steps(line: str) -> tuple[str, ...]:
    """Return the moves of a line `if a then b, if c then d`: a, b, c, d; () if it is not written like this."""
    before, *parts = _WORD.split(_LINK.sub(r"\1", " ".join(line.split())))
    words = [word.lower() for word in parts[::2]]
    moves = tuple(move.strip(_PARTING) for move in parts[1::2])
    whole = words == ["if", "then"] * (len(words) // 2)
    return moves if whole and not before and all(moves) else ()


def parted(text: str) -> tuple[str, str]:
    """Split a text into the lines with the move and the `if` lines below it; either is "" if it is missing."""
    lines = text.strip().splitlines()
    first = next((n for n, line in enumerate(lines) if _IF.match(line)), len(lines))
    return "\n".join(lines[:first]).strip(), "\n".join(lines[first:])


def is_off(text: str) -> bool:
    """Return whether a text is `if off`, which removes all conditional moves."""
    return text.lower().strip(" .!").split() == ["if", "off"]


def is_meant(line: str, is_move: Callable[[str], bool]) -> bool:
    """Return whether a line that begins with `if` is meant as conditional moves, and not as part of a message.

    It is if it contains a move, even if the line is not correctly written.
    """
    moves = [move.strip(_PARTING) for move in _WORD.split(" ".join(line.split()))[2::2]][:2]
    return any(_has_digit(move) or is_move(move) for move in moves if move)


def goes_on(line: str, below: str, is_move: Callable[[str], bool]) -> bool:
    """Return whether the line `below` continues `line`, which begins with `if`; programs wrap long lines."""
    if is_off(line):
        return False
    moves = steps(line)
    return not moves or bool(_WORD.match(below)) or is_move(below) or is_move(f"{moves[-1]} {below}")


def _has_digit(move: str) -> bool:
    return any(sign.isdigit() for sign in move.split(maxsplit=1)[0])
