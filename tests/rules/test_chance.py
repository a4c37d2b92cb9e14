"""Chance: the stream that the docstring describes, checked with numbers that another program computed.

The streams below come from OpenSSL; for the first:
`printf 'turn 7: dice\\0\\0\\0\\0\\0' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0001…1f`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import permutations

import pytest

from rules.chance import Chance

SEED = bytes(range(32))
LABEL = "turn 7: dice"
STREAM = bytes.fromhex(
    "62ff2e3661984ce2f77b675e061107e1d9105a8d946057cc2e19eff39ed3231a"
    "359d9e703e4f67af088bedeefca3867dd0db5d358ec3e16112034ab6bc71b4c5"
)
WORDS = [int.from_bytes(STREAM[at : at + 4], "big") for at in range(0, len(STREAM), 4)]
ALL = 2**32


def test_stream_is_hmac_sha256_of_label_and_counter() -> None:
    chance = Chance(SEED, LABEL)
    assert [chance.below(ALL) for _ in WORDS] == WORDS


def test_label_is_encoded_in_utf_8() -> None:
    assert Chance(SEED, "Würfel").below(ALL) == 0x1C7A5606


def test_numbers_are_remainders() -> None:
    chance = Chance(SEED, LABEL)
    assert [chance.below(1000) for _ in WORDS[:8]] == [678, 106, 742, 425, 629, 900, 763, 210]


def test_biased_numbers_are_skipped() -> None:
    limit = 2**31 + 1
    fair = [word for word in WORDS if word < limit]
    assert len(fair) == 8
    chance = Chance(SEED, LABEL)
    assert [chance.below(limit) for _ in fair] == fair


def test_exactly_the_numbers_above_the_last_multiple_are_skipped() -> None:
    third, fourth = WORDS[2:4]
    assert fourth < third
    assert third > ALL // 2
    assert after_two().below(third + 1) == third
    assert after_two().below(third) == fourth


def after_two() -> Chance:
    chance = Chance(SEED, LABEL)
    assert [chance.below(ALL), chance.below(ALL)] == WORDS[:2]
    return chance


def test_dice_and_shuffles_come_from_the_stream() -> None:
    assert Chance(SEED, LABEL).dice(12) == (1, 3, 1, 4, 6, 5, 2, 5, 1, 6, 5, 6)
    assert "".join(Chance(SEED, LABEL).shuffle("abcdefgh")) == "ecdbfhag"
    chance = Chance(SEED, LABEL)
    assert chance.dice(2) + chance.dice(0) + chance.dice(3) == (1, 3, 1, 4, 6)


def test_shuffle_does_not_change_its_argument() -> None:
    things = ["a", "b", "c", "d", "e"]
    mixed = Chance(SEED, LABEL).shuffle(things)
    assert things == ["a", "b", "c", "d", "e"] == sorted(mixed)
    assert Chance(SEED, LABEL).shuffle([]) == []
    assert Chance(SEED, LABEL).shuffle([1]) == [1]


def test_stream_depends_on_seed_and_label() -> None:
    streams = [Chance(SEED, LABEL), Chance(SEED, LABEL + "\0"), Chance(SEED, ""), Chance(bytes(32), LABEL)]
    assert len({tuple(chance.below(ALL) for _ in range(4)) for chance in streams}) == len(streams)


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes long, this one has {length}"):
        Chance(bytes(length), LABEL)


@pytest.mark.parametrize("limit", [-1, 0, ALL + 1])
def test_limit_is_from_1_to_4294967296(limit: int) -> None:
    with pytest.raises(ValueError, match=f"not {limit}$"):
        Chance(SEED, LABEL).below(limit)


def test_below_one_is_always_zero() -> None:
    chance = Chance(SEED, LABEL)
    assert {chance.below(1) for _ in range(20)} == {0}


@pytest.mark.parametrize(
    ("outcomes", "draw"),
    [
        (range(6), lambda chance: chance.below(6)),
        (range(1, 7), lambda chance: chance.dice(1)[0]),
        (range(3), lambda chance: chance.below(3 * 2**30) // 2**30),
        (permutations("abcd"), lambda chance: tuple(chance.shuffle("abcd"))),
    ],
    ids=["below", "dice", "large", "shuffle"],
)
def test_every_outcome_is_equally_frequent(
    outcomes: Iterable[object], draw: Callable[[Chance], object]
) -> None:
    possible = set(outcomes)
    chance, each = Chance(SEED, "uniform"), 2000
    counts = Counter(draw(chance) for _ in range(each * len(possible)))
    assert counts.keys() == possible
    chi_square = sum((count - each) ** 2 / each for count in counts.values())
    freedom = len(possible) - 1
    assert chi_square < freedom + 4 * math.sqrt(2 * freedom)
