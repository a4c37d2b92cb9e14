"""Boards in sentences: they say the same as the picture."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from rules.chance import Chance
from rules.drawing.description import changes_in_words, in_order, pieces_in_words
from rules.drawing.diagram import Arrow, Cell, Diagram, Row
from rules.drawing.themes import BLACK, LIGHT
from rules.game import Json
from rules.geometry.squares import square_board
from rules.registry import rules_named
from rules.sentences import enumerated
from tests.support.rules.every_game import every_game, sampled
from tests.support.rules.random_games import AnyRules

Pieces = dict[str, str]
"""The pieces on places, by the name of the place."""


@every_game
def test_sentences_name_every_piece_of_the_picture_once(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options, 1, wanted=8):
        for seat in (None, *range(len(rules.seats(options)))):
            picture = rules.seen(step.after, seat)
            sentences = rules.pieces(step.after, seat, picture)
            assert all(sentence.endswith(".") for sentence in sentences)
            shown, read = READERS.get(rules.name, (places, read_sorts))
            assert read(sentences, options) == shown(picture)


@every_game
def test_sentences_about_pieces_do_not_depend_on_marks_and_arrows(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options, 1, wanted=8):
        for seat, move in step.moves.items():
            before, after = rules.seen(step.before, seat), rules.seen(step.after, seat)
            planned, marked = rules.seen(step.before, seat, None, move), rules.seen(step.after, seat, step)
            assert rules.pieces(step.before, seat, planned) == rules.pieces(step.before, seat, before)
            assert rules.pieces(step.after, seat, marked) == rules.pieces(step.after, seat, after)


def places(diagram: Diagram) -> Pieces:
    """Return the pieces of the picture, by place."""
    return {
        cell.name: cell.text
        for row in diagram.rows
        for cell in row.cells
        if cell.name and cell.ground and cell.text
    }


def marbles(diagram: Diagram) -> Pieces:
    """Return the marbles, with "" for an empty ring."""
    return {name: "".join(sorted(text)) if text.islower() else "" for name, text in places(diagram).items()}


def stacks(diagram: Diagram) -> Pieces:
    """Return the discs on each point, with a number in place of one disc if there are more than five: "XX"."""
    found: Pieces = {}
    for cell in (cell for row in diagram.rows for cell in row.cells if cell.text and cell.name.isdigit()):
        found[cell.name] = found.get(cell.name, "") + cell.text
    for name, text in found.items():
        if number := re.sub(r"\D", "", text):
            found[name] = text.strip(number)[0] * int(number)
    return found


def squares(diagram: Diagram) -> Pieces:
    """Return the squares, with a dot where nothing is left."""
    return {cell.name: cell.text or "." for row in diagram.rows for cell in row.cells}


def once(pairs: Sequence[tuple[str, str]]) -> Pieces:
    """Return pairs of place and piece as a dict; check that no place comes twice."""
    found = dict(pairs)
    assert len(found) == len(pairs)
    return found


def read_sorts(sentences: Sequence[str], options: Json) -> Pieces:
    """Read `Black (b): c4, d5.`, or `12: heap.`"""
    said = [re.fullmatch(r"(?:.* \((\w+)\)|(\w+)): (.*)\.", each) for each in sentences if ":" in each]
    return once([(name, one[1] or one[2]) for one in said if one for name in one[3].split(", ")])


def read_stacks(sentences: Sequence[str], options: Json) -> Pieces:
    """Read `X: 1 on 3, 2 on 6.`"""
    found = [
        (point, each[0] * int(n)) for each in sentences for n, point in re.findall(r"(\d+) on (\d+)", each)
    ]
    return once(found)


def read_rings(sentences: Sequence[str], options: Json) -> Pieces:
    """Read `Empty rings: k12.`, `2 blue marbles and 1 red marble each: k13, l14.`"""
    found = []
    for what, names in (sentence.rstrip(".").split(": ") for sentence in sentences):
        held = "".join(int(n) * colour for n, colour in re.findall(r"(\d) ([rbgy])\w+ marble", what))
        found += [(name, "".join(sorted(held))) for name in names.split(", ")]
    return once(found)


def read_island(sentences: Sequence[str], options: Json) -> Pieces:
    """Read `Troops of O: 1 on c9.`, `Squares without a tile: a2.` or `Tiles of X that are left: f1.`"""
    of_o, of_x, chequers, *tiles = sentences
    troops = once([(at, troop) for side in (of_o, of_x) for troop, at in re.findall(r"(\w) on (\w+)", side)])
    size = options["size"]
    corners = "ox" if chequers.endswith("O.") else "xo"
    board = square_board(size).names
    chequered = {name: corners[(number % size + number // size) % 2] for number, name in enumerate(board)}
    listed = once([(name, line[9]) for line in tiles for name in re.findall(r"\b[a-z]\d+\b", line)])
    if tiles[0].startswith("Squares"):
        left = {name: side for name, side in chequered.items() if name not in listed}
    else:
        left = {name: side.lower() for name, side in listed.items()}
        assert left.items() <= chequered.items()
    return {name: troops.get(name) or left.get(name, ".") for name in board}


READERS: dict[str, tuple[Callable[[Diagram], Pieces], Callable[[Sequence[str], Json], Pieces]]] = {
    "nardshir": (stacks, read_stacks),
    "nelaxtam": (squares, read_island),
    "nexus": (marbles, read_rings),
}


@every_game
def test_only_the_seat_to_move_hears_its_possible_actions(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options, 1, wanted=8):
        moving = rules.to_move(step.before)
        for seat in range(len(rules.seats(options))):
            sentences = rules.possible(step.before, seat)
            assert all(re.fullmatch(r"[A-Z].*\.", sentence) for sentence in sentences)
            assert sum(map(len, sentences)) < 3_000
            chooses = seat in moving and rules.forced(step.before) is None
            assert bool(sentences) or not chooses
            assert seat in moving or not sentences


@pytest.mark.parametrize(("name", "opening"), [("nebuchadnezzar", "You can place a disc on "), ("nibble", "")])
def test_exactly_the_named_squares_can_be_played(name: str, opening: str) -> None:
    rules = rules_named(name)
    for step in sampled(rules, rules.options({}), 1, wanted=8):
        (seat,) = rules.to_move(step.before)
        said = " ".join(each for each in rules.possible(step.before, seat) if each.startswith(opening))
        named = set(re.findall(r"\b[a-z]\d+\b", said))
        board = {cell.name for row in rules.diagram(step.before).rows for cell in row.cells}
        assert named == {square for square in board if rules.allows(step.before, seat, square)}


def test_named_dice_moves_begin_legal_turns() -> None:
    rules = rules_named("nardshir")
    for step in sampled(rules, {}, 1, wanted=20):
        seat = step.before.to_move
        hops = re.findall(r"\w+/\w+\*?", " ".join(rules.possible(step.before, seat)))
        begun = {rules.format(turn).split()[0] for turn in rules.moves(step.before, seat)}
        assert set(hops) == begun
    position = rules.roll(rules.start({}, {}), Chance(bytes(32), "dice").dice(2))
    assert rules.possible(position, 0)
    assert not rules.possible(position, 1)


def test_marks_and_arrows_are_described_without_repetition() -> None:
    cells = (
        Cell("a10", mark=True),
        Cell("a2", "b", LIGHT, BLACK, mark=True),
        Cell("b1", mark=True),
        Cell("", mark=True),
    )
    arrows = (Arrow("b1", "c1"), Arrow("b1", "d1", "hit"), Arrow("b1", "b2", "destroy"))
    assert changes_in_words(Diagram((Row("", cells),), arrows=arrows)) == [
        "Changed: a2, a10.",
        "Moves: b1 to c1.",
        "Hits: b1 hits d1.",
        "Destructions: b1 destroys b2.",
    ]
    assert changes_in_words(Diagram(())) == []


def test_pieces_are_described_by_their_looks() -> None:
    cells = (Cell("a1", "b", LIGHT, BLACK), Cell("a2", "7", LIGHT), Cell("a3", "", LIGHT), Cell("a4", "x"))
    assert pieces_in_words(Diagram((Row("", cells),))) == ["7: a2.", "Black (b): a1."]
    assert pieces_in_words(Diagram(())) == ["The board is empty."]


def test_names_are_ordered_as_people_count() -> None:
    assert in_order(["b1", "a10", "a2", "12", "hand"]) == ["12", "a2", "a10", "b1", "hand"]


def test_long_lists_end_with_a_number() -> None:
    assert enumerated(range(4)) == "0, 1, 2, 3"
    assert enumerated(range(9), most=2) == "0, 1, and 7 more"
    assert enumerated([]) == ""
