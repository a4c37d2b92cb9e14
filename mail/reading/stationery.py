"""Finds stationery in emails: labels and letterheads above the text, addresses and disclaimers below it.

Such lines contain room numbers, postcodes and hours that look like moves. Only whole blocks count, which empty
lines separate from the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from mail.reading.offices import is_address, is_disclaimer, is_label, is_signed

_MOST_LINES = 500


def _never(line: str) -> bool:
    return False


@dataclass(frozen=True)
class Block:
    """Neighbouring lines that count as stationery."""

    lines: tuple[str, ...]
    is_usual: bool
    """True if these are several lines, all of them usual, with an empty line between them and the rest."""
    is_disclaimer: bool = False


@dataclass(frozen=True)
class Parted:
    """The text of an email without stationery, and the lines of the stationery.

    `to_the_end` is the text without the stationery above it only.
    """

    text: str
    to_the_end: str
    aside: tuple[Block, ...] = ()

    @property
    def lines_aside(self) -> tuple[str, ...]:
        """The lines of the stationery."""
        return tuple(line for block in self.aside for line in block.lines)


def part(
    text: str,
    names: Iterable[str] = (),
    is_usual: Callable[[str], bool] = _never,
    is_own: Callable[[str], bool] = _never,
) -> Parted:
    """Return a text without its stationery; `names` are those of the person who wrote it.

    `is_usual` returns True for a line that is the same in the person's other emails, `is_own` for one that by
    itself is a move or a command: a block with such a line is no letterhead. Something always remains: if all
    of the text looks like stationery, its first block does.
    """
    names, lines = tuple(names), [line.strip() for line in text.split("\n")[:_MOST_LINES]]
    first = _first_line(lines, is_usual, is_own)
    if first == len(lines):
        first = 0
    last = first + _last_line(lines[first:], names, is_own)
    while first < last - 1 and (not lines[first] or is_usual(lines[first]) or is_label(lines[first])):
        first += 1
    while last > first + 1 and (not lines[last - 1] or is_usual(lines[last - 1])):
        last -= 1
    kept = "\n".join(text.split("\n")[first:last]).strip()
    aside = (*_blocks_in(lines, 0, first, is_usual), *_blocks_in(lines, last, len(lines), is_usual))
    if not (kept and aside):
        return Parted(text, text)
    return Parted(kept, "\n".join(text.split("\n")[first:]).strip(), aside)


def _first_line(lines: Sequence[str], is_usual: Callable[[str], bool], is_own: Callable[[str], bool]) -> int:
    """Return the number of the first line below the blocks of stationery at the top."""
    first = 0
    for begin, end in blocks(lines):
        block = lines[begin:end]
        labelled = all(is_usual(line) or is_label(line) for line in block)
        if not labelled and (not (is_address(block) or is_disclaimer(block)) or any(map(is_own, block))):
            break
        first = end
    return first


def _last_line(lines: Sequence[str], names: Sequence[str], is_own: Callable[[str], bool]) -> int:
    """Return the number of the line at which the stationery below the text begins.

    This may be any line with the writer's name, or else the first of a block; not in the first block, which is
    the text.
    """
    for place, (begin, end) in enumerate(blocks(lines)):
        block = lines[begin:end]
        labelled = all(map(is_label, block)) or is_address(block) or is_disclaimer(block)
        signed = next((number for number in range(begin, end) if is_signed(lines[number], names)), None)
        if place and labelled and not any(map(is_own, lines[begin : signed or begin])):
            return begin
        if signed is not None and (place or signed > begin):
            return signed
    return len(lines)


def _blocks_in(lines: Sequence[str], begin: int, end: int, is_usual: Callable[[str], bool]) -> Iterator[Block]:
    """Yield the blocks between two lines."""
    for first, last in blocks(lines[begin:end]):
        block = tuple(lines[begin + first : begin + last])
        beside = (lines[begin + first - 1] if begin + first else "", *lines[begin + last : begin + last + 1])
        is_apart = not any(beside)
        yield Block(
            block,
            is_usual=is_apart and len(block) > 1 and all(map(is_usual, block)),
            is_disclaimer=is_apart and is_disclaimer(block),
        )


def blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where each block of lines begins and ends, with empty lines around it."""
    begin = None
    for number, line in enumerate([*lines, ""]):
        if line and begin is None:
            begin = number
        elif not line and begin is not None:
            yield begin, number
            begin = None
