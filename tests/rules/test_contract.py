"""The contract of every game on options, positions, turns and ends, for all games and variants."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from itertools import islice, product

import pytest

from rules.chance import Chance
from rules.errors import BadData
from rules.game import PASS, Json
from rules.reasons import Reason
from rules.records.record import Record, replay, turn_of
from rules.registry import RULES, rules_named
from tests.support.rules.every_game import GARBAGE, assert_sentence, every_game, sampled
from tests.support.rules.random_games import AnyRules, first_position, random_game, seed
from tests.support.rules.toy_games import Toy

# The start of a game


@every_game
def test_options_are_canonical_and_read_from_text_too(rules: AnyRules, options: Json) -> None:
    assert rules.options(options) == options
    assert rules.options({key: str(value) for key, value in options.items()}) == options
    assert json.loads(json.dumps(options)) == options
    assert rules.options({}) == rules.options(rules.variants[0])


@every_game
def test_invalid_options_are_refused_with_a_sentence(rules: AnyRules, options: Json) -> None:
    with pytest.raises(BadData) as caught:
        rules.options({**options, "colour": "green"})
    assert_sentence(str(caught.value))
    for key in options:
        for value in GARBAGE:
            try:
                assert rules.options(rules.options({**options, key: value}))
            except BadData as error:
                assert_sentence(str(error))


@pytest.mark.parametrize("rules", [*RULES.values(), Toy()], ids=lambda rules: rules.name)
def test_options_have_exactly_the_offered_values(rules: AnyRules) -> None:
    asked = rules.offered
    assert list(asked) == list(rules.options({}))
    taken: dict[str, set[object]] = {name: set() for name in asked}
    for values in product(*(option.values for option in asked.values())):
        with suppress(BadData):
            for name, value in rules.options(dict(zip(asked, values, strict=True))).items():
                taken[name].add(value)
    for name, option in asked.items():
        assert taken[name] == set(option.values)
        if rules.name in RULES:
            assert set(option.words) == set(option.values), "each value is clear without the name of its option"
        assert_sentence(option.about)
        for value in {*range(-1, 120), "all", ""} - set(option.values):
            with pytest.raises(BadData):
                rules.options({name: value})


@every_game
def test_seats_have_different_names(rules: AnyRules, options: Json) -> None:
    names = rules.seats(options)
    assert len(names) >= 2
    assert len(set(names)) == len(names)


@every_game
def test_setup_depends_only_on_the_seed(rules: AnyRules, options: Json) -> None:
    setup = rules.setup(options, Chance(seed(1), "layout"))
    assert rules.setup(options, Chance(seed(1), "layout")) == setup
    assert json.loads(json.dumps(setup)) == setup
    assert rules.start(options, setup) == rules.start(options, json.loads(json.dumps(setup)))
    if setup:
        assert rules.setup(options, Chance(seed(2), "layout")) != setup


@every_game
def test_setup_that_does_not_fit_is_refused(rules: AnyRules, options: Json) -> None:
    setup = rules.setup(options, Chance(seed(1), "layout"))
    with pytest.raises(BadData) as caught:
        rules.start(options, {**setup, "colour": "green"})
    assert_sentence(str(caught.value))
    for key in setup:
        for value in GARBAGE:
            with pytest.raises(BadData):
                rules.start(options, {**setup, key: value})


# A game from its first turn to its last


@every_game
def test_random_game_is_consistent_and_ends(rules: AnyRules, options: Json) -> None:
    seats = range(len(rules.seats(options)))
    after = first_position(rules, options)
    for step in random_game(rules, options):
        assert rules.to_move(step.before) == rules.to_move(after)
        assert set(step.moves) <= set(rules.to_move(step.before)) <= set(seats)
        assert list(rules.to_move(step.before)) == sorted(set(rules.to_move(step.before)))
        assert rules.result(step.before) is None
        assert not rules.dice(step.before)
        assert set(rules.seats_out(step.after)).isdisjoint(rules.to_move(step.after))
        forced = rules.forced(step.before) is not None
        assert [rules.format(move) == PASS for move in step.moves.values()] == [forced] * len(step.moves)
        assert hash(step.before) == hash(step.before)
        after = step.after
    assert rules.to_move(after) == ()
    assert not rules.dice(after)
    assert rules.forced(after) is None
    result = rules.result(after)
    assert result is not None
    assert set(result.winners) <= set(seats)
    assert len(result.winners) == len(set(result.winners)) > 0
    assert result.reason in rules.reasons
    assert json.loads(json.dumps(result.to_json()))["winners"] == list(result.winners)


@every_game
def test_same_seed_gives_the_same_game(rules: AnyRules, options: Json) -> None:
    first, again = (islice(random_game(rules, options, 3), 30) for _ in range(2))
    for one, other in zip(first, again, strict=True):
        assert one == other


@every_game
def test_positions_survive_writing_and_reading(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options):
        for position in (step.before, step.after):
            data, memory = json.loads(json.dumps(rules.write(position))), list(rules.memory(position))
            assert all(isinstance(entry, str) for entry in memory)
            assert rules.read(options, data, memory) == position
            assert rules.write(rules.read(options, data)) == data


@every_game
def test_damaged_positions_are_refused(rules: AnyRules, options: Json) -> None:
    data = json.loads(json.dumps(rules.write(sampled(rules, options)[1].before)))
    with pytest.raises(BadData):
        rules.read(options, {})
    for key in data:
        with pytest.raises(BadData):
            rules.read(options, {other: value for other, value in data.items() if other != key})
        for value in GARBAGE:
            try:
                position = rules.read(options, {**data, key: value})
            except BadData as error:
                assert_sentence(str(error))
            else:
                assert rules.write(position)[key] == value


@every_game
def test_dice_are_requested_and_checked(rules: AnyRules, options: Json) -> None:
    position = first_position(rules, options)
    count = rules.dice(position)
    if count:
        assert rules.forced(position) is None
        assert rules.dice(rules.roll(position, [1] * count)) == 0
        assert rules.listing(position) == []
    for dice in ([], [1] * (count + 1), [0] * count, [7] * count, [1] * (count - 1)):
        with pytest.raises(BadData):
            rules.roll(position, dice)


@every_game
def test_leaving_ends_the_game_or_the_others_play_on(rules: AnyRules, options: Json) -> None:
    position = sampled(rules, options)[2].before
    seat = rules.to_move(position)[0]
    assert rules.seats_out(position) == ()
    if not rules.plays_on(position):
        with pytest.raises(BadData):
            rules.leave(position, seat, Reason.RESIGNED)
        return
    after = rules.leave(position, seat, Reason.RESIGNED)
    assert rules.seats_out(after) == (seat,)
    assert seat not in rules.to_move(after)
    result = rules.result(after)
    assert result is None or seat not in result.winners


@every_game
def test_random_game_makes_a_record_that_replays(
    rules: AnyRules, options: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULES, rules.name, rules)
    steps = list(random_game(rules, options))
    turns = [turn_of(rules, step).to_json() for step in steps]
    setup = rules.setup(options, Chance(seed(0), "layout"))
    names = list(rules.seats(options))
    result = rules.result(steps[-1].after)
    assert result is not None
    played = replay(
        Record.from_json(
            {
                "format": "nabu-record/1",
                "game": rules.name,
                "options": options,
                "setup": setup,
                "seats": names,
                "turns": turns,
                "result": result.to_json(),
            }
        )
    )
    assert played.error is None
    assert played.position == steps[-1].after


# The registry


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_first_email_explains_a_game_in_three_sentences(rules: AnyRules) -> None:
    sentences = re.findall(r"[A-Z][^.]*\.(?= |$)", rules.primer)
    assert " ".join(sentences) == rules.primer
    assert len(sentences) == 3
    assert "You win" in sentences[0]


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_moves_that_are_words_are_explained(rules: AnyRules) -> None:
    for step in random_game(rules, rules.options({}), 1):
        for seat in rules.to_move(step.before) if rules.forced(step.before) is None else ():
            words = {text for text in rules.examples(step.before, seat) if text.isalpha()}
            assert words <= rules.meanings.keys()
    assert all(meaning[0].islower() and meaning[-1] != "." for meaning in rules.meanings.values())


def test_game_types_are_found_by_name() -> None:
    for name, rules in RULES.items():
        assert rules_named(name) is rules
        assert rules.name == name == name.lower()
        assert rules.title
        assert rules.version >= 1
    with pytest.raises(BadData, match="There is no game called “chess”"):
        rules_named("chess")
    with pytest.raises(BadData, match=r"There is no game called “a\?\[31m b\?”"):
        rules_named("a\x1b[31m\nb\u202e")
