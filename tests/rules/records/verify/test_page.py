"""The page for authors of verifiers has correct examples, and lists every check."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rules.chance import Chance
from rules.records import proof
from rules.registry import RULES
from tests.support.folders import DOCS
from tests.support.records import independent_verifier

PAGE = (DOCS / "verify.md").read_text(encoding="utf-8")
SEED = proof.Seed(bytes(range(32)))
LUCK = ["", "three wishes"]
BODY: dict[str, Any] = {"type": "note", "text": "Ça 🎲\n", "n": [1, True, None]}
FIRST = proof.chained("", BODY)


def top_row(board: str) -> str:
    row: str = RULES["nibble"].setup({"board": board}, SEED.layout(7, LUCK))["rows"][0]
    return row


def listed(things: Any) -> str:
    return ", ".join(map(str, things))


EXAMPLES = {
    "canonical form": proof.canonical(BODY),
    "canonical form, again": independent_verifier.canonical(BODY),
    "first hash": FIRST,
    "second hash": proof.chained(FIRST, BODY),
    "commitment": proof.commitment("00112233445566778899aabbccddeeff", 7, 3, 0, "1 ne, 2 hold"),
    "hash of the seed": SEED.hash,
    "stream": "".join(
        f"{n:08x}"
        for n, _ in zip(
            independent_verifier.Stream(SEED.secret, "game 7 seats").numbers, range(8), strict=False
        )
    ),
    "lot": listed(SEED.seats(7, ["", "three wishes", "", ""]).shuffle(["Ann", "Ben", "Cem", "Dora"])),
    "dice": listed(SEED.dice(7, 3, LUCK).dice(6)),
    "squares": top_row("square-9"),
    "hexagons": top_row("hex-13"),
}


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_examples_of_the_page_are_right(example: str) -> None:
    assert example in PAGE


def test_page_describes_every_check_in_order() -> None:
    table = PAGE.partition("## Checks")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    assert re.findall(r"`(\w+)`", " ".join(rows)) == [*independent_verifier.CHECKS, "turns", "result"]


def test_unusual_characters_are_hashed_alike() -> None:
    texts = [chr(code) for code in (*range(0x180), 0x2028, 0xFFFF, 0x10000, 0x10FFFF)]
    assert independent_verifier.canonical(texts) == proof.canonical({"": texts})[4:-1]


def test_both_programs_draw_alike_far_into_a_stream() -> None:
    ours, theirs = Chance(SEED.secret, "any"), independent_verifier.Stream(SEED.secret, "any")
    for limit in [*range(1, 500), 2**31 + 1, 2**32 - 1, 2**32] * 3:
        assert ours.below(limit) == theirs.below(limit)
