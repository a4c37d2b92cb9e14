"""Synonyms of commands, as people write them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from rules.chance import Chance
from rules.game import Rules
from rules.registry import RULES
from server.commands.parser import read_commands
from server.commands.vocabulary import ANYWHERE, BESIDE_A_MOVE, PLAIN, REPLY
from server.interpretation.reply_checks import moves_at


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("my games", "games"),
        ("Status", "games"),
        ("list", "games"),
        ("observe 12", "watch 12"),
        ("spectate 12", "watch 12"),
        ("follow Ben", "watch Ben"),
        ("holiday 5d", "vacation 5d"),
        ("absence 5d", "vacation 5d"),
        ("away 5d", "vacation 5d"),
        ("time zone Europe/Berlin", "zone Europe/Berlin"),
        ("Timezone: Europe/Berlin", "zone Europe/Berlin"),
        ("profile", "who"),
        ("whois Ben", "who Ben"),
        ("commands", "help"),
        ("info", "help"),
        ("signup Nan", "register Nan"),
        ("sign up Nan", "register Nan"),
        ("unsubscribe", "stop"),
        ("Remove me!", "stop"),
        ("opt out.", "stop"),
        ("No more emails", "stop"),
        ("no more emails, please", "stop"),
        ("lobby nibble", "lobby nibble"),
        ("open nibble", "lobby nibble"),
        ("enter 3", "join tournament 3"),
        ("quit 3", "leave tournament 3"),
        ("call off 3", "cancel tournament 3"),
        ("join #3.", "join 3"),
        ("join 3, thanks!", "join 3"),
        ("join Spring Cup", "join Spring Cup"),
    ],
)
def test_synonyms_at_the_plain_address(text: str, command: str) -> None:
    read = read_commands(text, lambda line: False, PLAIN)
    assert [str(each) for each in read.commands] == [command]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("undo", "takeback"),
        ("take back", "takeback"),
        ("again", "rematch"),
        ("message Good luck!", "say Good luck!"),
        ("chat hi", "say hi"),
        ("press hi", "say hi"),
        ("away 5d", "vacation 5d"),
        ("unsubscribe", "stop"),
    ],
)
def test_synonyms_in_a_reply(text: str, command: str) -> None:
    read = read_commands(text, lambda line: False, ANYWHERE)
    assert [str(each) for each in read.commands] == [command]


def test_words_that_begin_sentences_are_no_synonyms_beside_a_move() -> None:
    for text in ("away until Monday", "message received", "press on", "follow me", "who knows", "name it"):
        assert read_commands(text, lambda line: False, BESIDE_A_MOVE).commands == (), text


@cache
def first_positions() -> list[tuple[Rules[Any, Any], Any]]:
    """Return the first position of each game."""
    chance = Chance(bytes(32), "any")
    found = []
    for rules in RULES.values():
        options = rules.options({})
        found.append((rules, rules.start(options, rules.setup(options, chance))))
    return found


def test_no_command_about_a_game_is_a_move() -> None:
    for spelling in REPLY.spelled:
        for rules, position in first_positions():
            for seat in rules.to_move(position):
                assert not moves_at(rules, position, seat).reads(spelling), (spelling, rules.name)
