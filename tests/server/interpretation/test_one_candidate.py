"""A move is played only if the email has no other possible move: generated emails in each game."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.game import Rules
from rules.registry import RULES
from server.errors import BadRequest
from server.interpretation.doubts import Doubts
from server.interpretation.reply_checks import check_clear, courtesy_among, moves_at, read_reply
from tests.support.examples import examples
from tests.support.rules.random_games import first_position

COURTESY = courtesy_among(["Ann", "Ben"])
GREETINGS = ("Hi Ben,", "Hello!", "Dear Ben Smith,", "Hallo Ben,", "Guten Morgen", "Sorry for the wait!")
POLITE = (
    *("{}!", "{} please", "{} :)", "My move: {}", "my move is {}.", "{}, nice game", "{} (good luck)"),
    *("I play {}", "{}, thanks Ben", "Ich spiele {}", "Mein Zug: {}", "Mon coup : {}", "{}, por favor"),
)
PROSE = (
    *("That was a surprise!", "The weather is fine here.", "Our daughter is two weeks old.", "Cheers,\nAnn"),
    *("I was away.", "See you soon", "Thanks for the game"),
)
MENTIONS = (
    *("Should I play {}?", "not {}", "Not {}!", "your {} was great", "Your {} was great!", "{}?", "{} ?"),
    *("I do not want {}.", "{} or nothing", "maybe {}", "I nearly played {}.", "What about {}", "{} was good"),
    *("don't play {}", "I think {}", "If you play {} I am lost.", "Ich spiele nicht {}", "nice move: {}"),
    *("thanks for {}", "the {} of yours", "Ben: {}", "You: {}", "On Monday Ben played {}", "your move {}"),
)
DOUBTS = (
    *("Should I play this?", "I would not play:", "What if I did this", "Do not play this.", "Instead of"),
    *("Hi Ben, wait", "Hello not", "Hi, resign!", "Dear draw,"),
)


@cache
def _position(name: str) -> tuple[Rules[Any, Any], Any, int, tuple[str, ...]]:
    """A first position, the seat that has to move, and legal moves as text."""
    rules = RULES[name]
    position = first_position(rules, rules.options({}))
    seat = rules.to_move(position)[0]
    if rules.dice(position):
        position = rules.roll(position, (3, 5))
    draw = Random(name).randrange
    texts = {rules.format(rules.sample(position, seat, draw)) for _ in range(40)}
    # Words such as `hold` occur in any text.
    return rules, position, seat, tuple(sorted(text for text in texts if any(map(str.isdigit, text))))


@cache
def _doubts(name: str) -> Doubts:
    rules, position, seat, _ = _position(name)
    return Doubts(moves_at(rules, position, seat), COURTESY)


def played(name: str, text: str) -> str | None:
    """Return the move that an email with this text plays, in canonical form; None for none."""
    rules, position, seat, _ = _position(name)
    doubts = _doubts(name)
    read = read_reply(text, doubts)
    try:
        check_clear(read, doubts)
    except BadRequest:
        return None
    if not read.moves or not rules.allows(position, seat, read.moves[0]):
        return None
    return rules.format(rules.parse(position, seat, read.moves[0]))


@pytest.mark.parametrize("name", RULES)
@examples(25)
@given(data=st.data())
def test_one_clear_move_is_played_beside_polite_words(name: str, data: st.DataObject) -> None:
    move = data.draw(st.sampled_from(_position(name)[3]))
    above = data.draw(st.lists(st.sampled_from(GREETINGS), max_size=2))
    below = data.draw(st.lists(st.sampled_from(PROSE), max_size=3))
    line = data.draw(st.sampled_from(("{}", *POLITE))).format(move)
    assert played(name, "\n\n".join([*above, line, *below])) == move


@pytest.mark.parametrize("name", RULES)
@examples(50)
@given(data=st.data())
def test_ambiguous_text_plays_nothing(name: str, data: st.DataObject) -> None:
    """Another move, mentioned in any way, alone or beside the first, and words that make it unclear."""
    moves = _position(name)[3]
    one, other = data.draw(st.sampled_from(moves)), data.draw(st.sampled_from(moves))
    doubt = data.draw(st.sampled_from((*MENTIONS, *DOUBTS))).format(other)
    clear = data.draw(st.sampled_from(("{}", *POLITE))).format(one)
    pieces = data.draw(st.lists(st.sampled_from((*GREETINGS, *PROSE)), max_size=2))
    where = data.draw(st.sampled_from(("alone", "above", "below")))
    if where == "below" and other not in doubt:
        where = "above"
    around = {"alone": [doubt], "above": [doubt, clear], "below": [clear, doubt]}[where]
    cut = data.draw(st.integers(0, len(pieces)))
    text = "\n\n".join([*pieces[:cut], *around, *pieces[cut:]])
    assert played(name, text) is None


@pytest.mark.parametrize("name", RULES)
@examples(25)
@given(data=st.data())
def test_two_moves_in_two_places_are_not_played(name: str, data: st.DataObject) -> None:
    """Together they may be one, as orders are; then both are played."""
    rules, position, seat, moves = _position(name)
    one, other = data.draw(st.sampled_from(moves)), data.draw(st.sampled_from(moves))
    between = data.draw(st.sampled_from(("\n", "\n\n", "\n\nThe weather is fine here.\n\n", "\ndraw\n")))
    found = played(name, f"{one}{between}{other}")
    if found is not None:
        assert not between.strip()
        assert found == rules.format(rules.parse(position, seat, f"{one}\n{other}"))


@pytest.mark.parametrize("name", RULES)
@examples(50)
@given(data=st.data())
def test_damaged_move_is_played_only_if_it_is_a_move(name: str, data: st.DataObject) -> None:
    rules, position, seat, moves = _position(name)
    move = data.draw(st.sampled_from(moves))
    at = data.draw(st.integers(0, len(move) - 1))
    sign = data.draw(st.sampled_from(("", "?", "x", "9", " ", ">", "\n", "=", "é", "0")))
    damaged = move[:at] + sign + move[at + 1 :]
    polite = data.draw(st.sampled_from(("{}", *POLITE)))
    found = played(name, polite.format(damaged))
    if found is not None:
        assert found == rules.format(rules.parse(position, seat, damaged.strip(" .,;:!")))
