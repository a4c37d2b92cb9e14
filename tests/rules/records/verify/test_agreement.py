"""Two independent verifiers agree: on honest games, on forged ones, and on randomly changed ones."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from rules.reasons import REASONS
from tests.support.records import forged_games, forged_logs, forged_play, forged_records
from tests.support.records.forgery import Case, Forgery, Json, complaint, independent_complaint

pytestmark = [pytest.mark.long, pytest.mark.first]

FORGERIES = {
    **forged_logs.FORGERIES.entries,
    **forged_records.FORGERIES.entries,
    **forged_games.FORGERIES.entries,
}
AGAINST_RULES = forged_play.FORGERIES.entries

Records = dict[str, list[Json]]


def cases(records: list[Json], *, whole: bool = False) -> Iterator[Case]:
    """Yield up to five records with another one of the same options; `whole` games are over by their rules."""
    found = 0
    for record in records:
        over = record["result"]["reason"] not in REASONS
        others = [other for other in records if other["options"] == record["options"] and other is not record]
        if len(record["turns"]) >= 8 and (over or not whole) and found < 5:
            found += 1
            yield Case(record, others[0])
    assert found >= 2


def test_samples_are_45_games_of_all_types(records: Records) -> None:
    assert sum(map(len, records.values())) == 45
    assert all(records.values())


def test_samples_have_missed_turns_and_entries_of_other_types(records: Records) -> None:
    turns = [turn for record in records["nelaxtam"] for turn in record["turns"]]
    assert any(len(turn.get("orders", "ab")) == 1 for turn in turns)
    logs = [entry["body"]["type"] for record in records["nelaxtam"] for entry in record["proof"]["log"]]
    assert "credit" in logs


def test_both_programs_accept_honest_games(records: Records) -> None:
    for record in [record for found in records.values() for record in found]:
        text = json.dumps(record)
        heads = [entry["hash"] for entry in record["proof"]["log"]]
        assert complaint(text, heads) is None
        assert independent_complaint(text, heads) is None


@pytest.mark.parametrize(("game_type", "forge"), FORGERIES.values(), ids=FORGERIES)
def test_both_programs_find_a_forgery(records: Records, game_type: str, forge: Forgery) -> None:
    for case in cases(records[game_type]):
        check, number = forge(case)
        found = complaint(case.text, case.heads)
        assert found == independent_complaint(case.text, case.heads)
        assert found is not None
        assert found[0] == check
        assert number in (None, found[1])


@pytest.mark.parametrize(("game_type", "forge"), AGAINST_RULES.values(), ids=AGAINST_RULES)
def test_forgery_that_breaks_only_the_rules_is_found_by_the_rules(
    records: Records, game_type: str, forge: Forgery
) -> None:
    for case in cases(records[game_type], whole=True):
        expected = forge(case)
        assert complaint(case.text, case.heads) == expected
        assert independent_complaint(case.text, case.heads) in (None, ("dice", expected[1]))


def test_consistent_forgery_is_not_found_without_an_email(records: Records) -> None:
    for case in cases(records["nelaxtam"]):
        forged_games.let_the_game_go_on(case)
        assert independent_complaint(case.text, []) is None
        assert complaint(case.text, []) is None


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths to all values in JSON that are not objects or lists."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in inner:
        yield from leaves(part, (*path, key))
    if not isinstance(data, dict | list):
        yield path


def changed(leaf: Any, chance: random.Random) -> Any:
    """Return another value in place of a leaf."""
    if isinstance(leaf, str) and leaf:
        at = chance.randrange(len(leaf))
        return (
            leaf[:at] + chance.choice("0aé,\n") + leaf[at + chance.randrange(2) :]
            if chance.random() < 0.9
            else None
        )
    return chance.choice([1, -1, True, None, "", [], {}, "0"])


def test_both_programs_refuse_random_changes(records: Records) -> None:
    chance = random.Random(7)
    everything = [record for found in records.values() for record in found]
    tried = 0
    while tried < 250:
        record = json.loads(json.dumps(chance.choice(everything)))
        path = chance.choice(list(leaves(record)))
        place = record
        for key in path[:-1]:
            place = place[key]
        before = json.dumps(place[path[-1]])
        place[path[-1]] = changed(place[path[-1]], chance)
        if json.dumps(place[path[-1]]) == before:
            continue
        tried += 1
        text = json.dumps(record)
        assert complaint(text, []) is not None, path
        assert independent_complaint(text, []) is not None, path
