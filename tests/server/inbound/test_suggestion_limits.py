"""The part of an unclear email that is searched for suggestions."""

from __future__ import annotations

import pytest

from server.processes.services import Services
from server.store.models import Player
from tests.support.server.emails import PLAY, Written, receive
from tests.support.server.games import TwoPlayerGame, reply

_FILLING = [f"The weather is cold in place {number}." for number in range(5)]


def suggests(answer: Written, command: str) -> bool:
    """Return whether the answer to an email asks whether its writer meant a command."""
    return command in answer.words.partition("did you mean" if "Which" in answer.words else "Did you mean")[2]


@pytest.mark.parametrize(("lines", "found"), [(5, True), (6, False)])
def test_misspelled_command_is_looked_for_in_five_lines(
    services: Services, ann: Player, ben: Player, lines: int, found: bool
) -> None:
    (answer,) = receive(services, ann.email, PLAY, "\n".join([*_FILLING[: lines - 1], "watc Ben"]))
    assert suggests(answer, "watch Ben") == found


@pytest.mark.parametrize(("lines", "found"), [(30, True), (31, False)])
def test_sentence_is_looked_for_in_thirty_lines(table: TwoPlayerGame, lines: int, found: bool) -> None:
    (answer,) = reply(table, 0, "\n".join([*["Thanks"] * (lines - 1), "I give up"]))
    assert suggests(answer, "resign") == found


@pytest.mark.parametrize(("parts", "found"), [(6, True), (7, False)])
def test_six_parts_of_a_sentence_are_looked_at(table: TwoPlayerGame, parts: int, found: bool) -> None:
    (answer,) = reply(table, 0, ", ".join([*["the weather is cold"] * (parts - 1), "I give up"]))
    assert suggests(answer, "resign") == found


@pytest.mark.parametrize(("length", "found"), [(200, True), (201, False)])
def test_text_of_two_hundred_characters_may_be_a_message(
    table: TwoPlayerGame, length: int, found: bool
) -> None:
    text = "The weather is ".ljust(length, "x")
    (answer,) = reply(table, 0, text)
    assert suggests(answer, f"say {text}") == found


@pytest.mark.parametrize("text", ["troop 1 lands on d5 and troop 2 on e5", "the first one goes north-east"])
def test_orders_in_prose_are_not_offered_as_a_message(island: TwoPlayerGame, text: str) -> None:
    (answer,) = reply(island, 0, text)
    assert f"say {text}" not in answer.words
    assert "To try again, reply to this email, for example with" in answer.words


def test_courtesies_are_offered_as_a_message_to_the_other_army(island: TwoPlayerGame) -> None:
    (answer,) = reply(island, 0, "good luck!")
    assert suggests(answer, "say good luck!")
