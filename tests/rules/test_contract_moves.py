"""The contract of every game on moves, their texts and pictures, for all games and variants."""

from __future__ import annotations

import json
import string
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from rules.chance import Chance
from rules.drawing import ascii_board, html_board, svg_board, svg_swatch
from rules.drawing.diagram import Diagram, Ground, Ink
from rules.errors import WrongMove
from rules.game import Json
from rules.registry import RULES
from tests.support.rules.contrast import ENOUGH, contrast
from tests.support.rules.every_game import assert_sentence, every_game, sampled
from tests.support.rules.random_games import AnyRules, random_game, seed

WEIRD = (
    *("", " ", ".", "?", "thanks!", "pass", "hold", "end", "undo", "swap", "take", "take red", "add", "move"),
    *("a1", "a1 a1", "z99", "a0", "a-1", "a1-", "-a1", "x", "xa1-", "1", "1 1", "rings >", "h/", "/3", "25/26"),
    *("0/0", "hand/1(99999999)", "99999999x hand/1", "\0", "ｄ４", "²", "٣", "🎲", "\ud800"),
    *("a1\n" * 300, "1 " * 2000, "(" * 500, "a" * 5000, "9" * 5000),
)
"""Texts that an email may contain, and that are moves of hardly any game."""

# Moves


@every_game
def test_moves_are_legal_different_and_read_back(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options):
        for seat in rules.to_move(step.before):
            moves = list(islice(rules.moves(step.before, seat), 150))
            assert bool(moves) == (rules.forced(step.before) is None)
            texts = [rules.format(move) for move in moves]
            assert len(set(texts)) == len(texts)
            for move, text in zip(moves, texts, strict=True):
                assert rules.parse(step.before, seat, text) == move
                assert hash(move) == hash(rules.parse(step.before, seat, text))
        for stranger in {-1, 99, *range(len(rules.seats(options)))} - set(rules.to_move(step.before)):
            assert list(rules.moves(step.before, stranger)) == []


@every_game
def test_samples_are_legal_and_read_in_other_spellings(rules: AnyRules, options: Json) -> None:
    for step in random_game(rules, options, 1):
        if rules.forced(step.before) is not None:
            continue
        for seat, move in step.moves.items():
            text = rules.format(move)
            assert rules.parse(step.before, seat, text) == move
            assert rules.parse(step.before, seat, f"  {text.replace(' ', '  ')} .\n") == move
            assert rules.parse(step.before, seat, text.swapcase()) == move


@every_game
def test_examples_are_legal(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options):
        for seat in rules.to_move(step.before):
            if rules.forced(step.before) is not None:
                continue
            examples = rules.examples(step.before, seat)
            assert 1 <= len(examples) <= 4
            assert len(set(examples)) == len(examples)
            for text in examples:
                rules.parse(step.before, seat, text)


@every_game
def test_examples_show_each_sort_of_move(rules: AnyRules, options: Json) -> None:
    """The kinds are the groups of first picks; in NEXUS, whose groups are finer, the first words."""
    for step in sampled(rules, options):
        for seat in rules.to_move(step.before):
            if rules.forced(step.before) is not None:
                continue
            first = {pick.text: pick.group for pick in rules.move_builder(step.before, seat).picks()}
            shown = [rules.parse(step.before, seat, text) for text in rules.examples(step.before, seat)]
            built = {rules.picks_of(step.before, seat, move)[0] for move in shown}
            assert {first[pick] for pick in built} == set(first.values())
            words = {rules.deed(rules.format(move)).split()[0] for move in shown}
            some = islice(rules.moves(step.before, seat), 500)
            assert words >= {rules.deed(rules.format(move)).split()[0] for move in some}


@every_game
def test_deeds_have_one_verb_and_each_seat_sees_its_own_numbers(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options):
        for seat, move in step.moves.items():
            text = rules.format(move)
            assert rules.seen_by(seat, seat, text) == text
            for reader in range(len(rules.seats(options))):
                seen = rules.seen_by(reader, seat, text)
                assert rules.seen_by(reader, seat, seen) == text, "seen twice, it is as it was"
            if text != "pass":
                verb, *rest = rules.deed(text).split()
                assert verb.endswith("ed") or verb == "took"
                assert not {"add", "move", "take", "swap"}.intersection(rest)


@every_game
def test_reading_any_text_raises_only_wrong_move(rules: AnyRules, options: Json) -> None:
    steps = sampled(rules, options, wanted=4)
    below = Chance(seed(5), "texts").below
    for step in steps:
        for seat, move in step.moves.items():
            legal = rules.format(move)
            mangled = [mangle(legal, below) for _ in range(30)]
            for text in (*WEIRD, *mangled):
                assert_read_or_refused(rules, step.before, seat, text)


def mangle(text: str, below: Callable[[int], int]) -> str:
    """Return the text with some letters exchanged, dropped or doubled."""
    letters = list(text)
    for _ in range(1 + below(3)):
        at = below(len(letters) + 1)
        letters[at : at + below(3)] = (string.printable[below(100)], "", text[:8])[below(3)]
    return "".join(letters)


def assert_read_or_refused(rules: AnyRules, position: Any, seat: int, text: str) -> None:
    try:
        move = rules.parse(position, seat, text)
    except WrongMove as error:
        assert_sentence(str(error))
    else:
        assert rules.parse(position, seat, rules.format(move)) == move


@every_game
def test_move_out_of_turn_or_after_the_end_is_refused(rules: AnyRules, options: Json) -> None:
    steps = sampled(rules, options, wanted=4)
    last = steps[-1]
    for seat, move in last.moves.items():
        with pytest.raises(WrongMove):
            rules.parse(last.after, seat, rules.format(move))
        assert list(rules.moves(last.after, seat)) == []
    for step in steps:
        for stranger in set(range(len(rules.seats(options)))) - set(rules.to_move(step.before)):
            for move in step.moves.values():
                with pytest.raises(WrongMove):
                    rules.parse(step.before, stranger, rules.format(move))


@every_game
def test_listing_is_json(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options, wanted=4):
        listing = rules.listing(step.before, limit=20)
        assert json.loads(json.dumps(listing)) == listing
        if isinstance(listing, list):
            assert len(listing) <= 20
            for text in listing:
                rules.parse(step.before, rules.to_move(step.before)[0], text)
        assert not rules.listing(sampled(rules, options, wanted=4)[-1].after)


# For people


@pytest.mark.sample(4)
@pytest.mark.slow
@every_game
def test_every_turn_of_a_game_has_a_picture(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options, 2):
        assert_drawable(rules.diagram(step.before))
        assert_drawable(rules.diagram(step.after, step=step))
        for seat, move in step.moves.items():
            assert_drawable(rules.seen(step.after, seat, step=step))
            if rules.forced(step.before) is None:
                assert_drawable(rules.diagram(step.before, plan=move))
                assert_drawable(rules.seen(step.before, seat, plan=move))


def assert_drawable(diagram: Diagram) -> None:
    picture = ascii_board(diagram)
    assert picture.isascii()
    assert max(map(len, picture.splitlines())) <= 72
    assert len(html_board(diagram)) < 40_000
    ElementTree.fromstring(svg_board(diagram))  # noqa: S314 - our own text
    assert all(len(cell.text) <= 4 for row in diagram.rows for cell in row.cells)
    assert min(row.shift for row in diagram.rows) == 0


@every_game
def test_story_of_a_turn_consists_of_sentences(rules: AnyRules, options: Json) -> None:
    for step in random_game(rules, options, 2):
        for sentence in rules.story(step):
            assert_sentence(sentence)


@every_game
def test_changes_of_a_turn_are_marked(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options, 2, wanted=30):
        diagram = rules.diagram(step.after, step=step)
        if texts(diagram) != texts(rules.diagram(step.before)):
            assert diagram.arrows or any(cell.mark for row in diagram.rows for cell in row.cells)


@every_game
def test_the_tally_has_a_number_for_each_seat(rules: AnyRules, options: Json) -> None:
    seats = len(rules.seats(options))
    for step in sampled(rules, options, 2):
        tally = rules.diagram(step.after).tally
        if tally:
            assert len(tally.sides) == seats
            assert all(cell.name for cell in (*tally.sides, *(thing for thing, _ in tally.rows)))
            assert {len(numbers) for _, numbers in tally.rows} == {seats}
            for cell in (*tally.sides, *(thing for thing, _ in tally.rows)):
                assert bool(svg_swatch(cell)) == bool(cell.ground or cell.ink)


@every_game
def test_text_has_contrast_in_every_picture(rules: AnyRules, options: Json) -> None:
    """This holds for all looks that the game gives its places and pieces."""
    looks: set[Ground | Ink] = set()
    for step in random_game(rules, options, 2):
        cells = [cell for row in rules.diagram(step.after, step=step).rows for cell in row.cells]
        looks |= {look for cell in cells for look in (cell.ground, cell.ink) if look}
    assert any(isinstance(look, Ground) for look in looks)
    looks |= {marble for look in looks if isinstance(look, Ink) for marble in look.marbles.values()}
    assert all(contrast(look.fill, look.text) >= ENOUGH for look in looks if look.fill)
    shown = {(look.fill, look.text) for look in looks if isinstance(look, Ink)}
    assert len(shown) == sum(isinstance(look, Ink) for look in looks), "two pieces look alike"


def texts(diagram: Diagram) -> list[str]:
    """Return the texts on the board, cell by cell."""
    return [cell.text for row in diagram.rows for cell in row.cells if cell.ground]


# For computer players


@every_game
def test_estimates_add_up_to_one(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options):
        shares = rules.evaluate(step.before)
        if shares is not None:
            assert len(shares) == len(rules.seats(options))
            assert sum(shares) == pytest.approx(1)
            assert all(0 <= share <= 1 for share in shares)
            assert not any(shares[seat] for seat in rules.seats_out(step.before))


@every_game
def test_exact_chances_are_those_after_the_best_move(rules: AnyRules, options: Json) -> None:
    for step in random_game(rules, options, 2):
        chances = rules.exact(step.before)
        if chances is None:
            continue
        assert sum(chances) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in chances)
        forced, (seat,) = rules.forced(step.before), rules.to_move(step.before)
        moves = [forced] if forced is not None else rules.candidates(step.before, seat)
        best = max(share_after(rules, rules.play(step.before, {seat: move}), seat) for move in moves)
        assert chances[seat] == pytest.approx(best)


def share_after(rules: AnyRules, position: Any, seat: int) -> float:
    """Return the share of a seat after a move in a position whose exact chances are known."""
    result = rules.result(position)
    if result is not None:
        return (seat in result.winners) / max(len(result.winners), 1)
    chances = rules.exact(position)
    assert chances is not None, "chances that are known are known after each move"
    assert sum(chances) == pytest.approx(1)
    return chances[seat]


def test_exact_chances_are_known_at_the_end_of_nardshir() -> None:
    """The test above examines some positions."""
    rules = RULES["nardshir"]
    known = [step for step in random_game(rules, rules.options({}), 2) if rules.exact(step.before) is not None]
    assert len(known) > 10


@every_game
def test_candidates_reach_all_results_of_moves(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options, wanted=6):
        if rules.simultaneous or rules.forced(step.before) is not None:
            continue
        (seat,) = rules.to_move(step.before)
        moves = list(islice(rules.moves(step.before, seat), 500))
        if len(moves) < 500:
            candidates = list(rules.candidates(step.before, seat))
            assert set(candidates) <= set(moves)
            led_to = {rules.play(step.before, {seat: move}) for move in candidates}
            assert led_to == {rules.play(step.before, {seat: move}) for move in moves}


@every_game
def test_promising_moves_are_legal(rules: AnyRules, options: Json) -> None:
    below = Chance(seed(3), "promising").below
    for step in sampled(rules, options):
        if rules.forced(step.before) is not None:
            continue
        for seat in rules.to_move(step.before):
            for move in [rules.promising(step.before, seat, below) for _ in range(5)]:
                assert rules.parse(step.before, seat, rules.format(move)) == move
