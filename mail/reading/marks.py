"""Marks that programs put before each quoted line: `> `, and what some write in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

# The writer's initials, as The Bat! has it; a bar, as in old Notes; a colon.
_MARK = re.compile(r"\s{0,3}(?:([A-Z][\w.]{0,4})>(?!\S*<)|([|:])(?=[\s>]|$)>?)[ \t]?")
_FEWEST = 3  # lines with a mark that is not `>`: one may be anybody's


def with_usual_marks(lines: Sequence[str]) -> list[str]:
    """The lines, with `> ` in place of another mark where most from the first to the last such line have it."""
    found = {number: mark for number, line in enumerate(lines) if (mark := _MARK.match(line))}
    usual = list(lines)
    for numbers in _of_one_sort(found):
        between = [line for line in lines[numbers[0] : numbers[-1] + 1] if line.strip()]
        if len(numbers) >= _FEWEST and 2 * len(numbers) > len(between):
            for number in numbers:
                usual[number] = f"> {lines[number][found[number].end() :]}"
    return usual


def _of_one_sort(found: dict[int, re.Match[str]]) -> Iterator[list[int]]:
    """The numbers of the lines that have the same mark, for each mark."""
    for mark in {match[1] or match[2] for match in found.values()}:
        yield [number for number, match in found.items() if mark == (match[1] or match[2])]
