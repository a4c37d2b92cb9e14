"""Preferences are switched on and off in everyday words, and a wrong value gets an answer with valid ones."""

from __future__ import annotations

import pytest

from server.commands.parser import read_commands
from server.commands.vocabulary import PLAIN
from server.game.preferences.preferences import PREFERENCES
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player
from server.wording import on_or_off
from tests.support.server.emails import PLAY, receive


@pytest.mark.parametrize(
    ("text", "is_on"),
    [
        *((text, True) for text in ("on", "yes", "ON!", "true", "enabled")),
        *((text, False) for text in ("off", "no", "none", "Never.", "false", "disabled")),
        *((text, None) for text in ("", "maybe", "on and off", "5d")),
    ],
)
def test_words_for_on_and_off(text: str, is_on: bool | None) -> None:
    assert on_or_off(text) is is_on


@pytest.mark.parametrize("off", ["off", "none", "no", "never"])
@pytest.mark.parametrize(
    ("command", "before", "field", "after"),
    [
        ("reminders", "half", "reminders", "none"),
        ("remind", "half", "reminders", "none"),
        ("digest", "daily 18:00", "digest", "off"),
        ("auto vacation", True, "auto_vacation", False),
        ("vacation auto", True, "auto_vacation", False),
        ("forced", True, "forced_moves", False),
        ("forced moves", True, "forced_moves", False),
        ("bio", "I like games.", "bio", ""),
        ("languages", "English", "languages", ""),
        ("mail", {}, "choices", {"mail": "never"}),
        ("company", {}, "choices", {"company": "people"}),
    ],
)
def test_other_words_for_off(
    services: Services, ann: Player, off: str, command: str, before: object, field: str, after: object
) -> None:
    with writing(services.engine) as session:
        setattr(session.get_one(Player, ann.id), field, before)
    (answer,) = receive(services, ann.email, PLAY, f"{command} {off}")
    assert answer.letter == "confirmation"
    with reading(services.engine) as session:
        assert getattr(session.get_one(Player, ann.id), field) == after


@pytest.mark.parametrize(
    ("line", "field", "after"),
    [
        ("reminders on", "reminders", "half, day"),
        ("remind me a day before the deadline", "reminders", "day"),
        ("Turn off reminders.", "reminders", "none"),
        ("no reminders", "reminders", "none"),
        ("don't remind me", "reminders", "none"),
        ("set reminders off", "reminders", "none"),
        ("daily digest", "digest", "daily 18:00"),
        ("Daily digest at 6pm", "digest", "daily 18:00"),
        ("weekly digest", "digest", "sun 18:00"),
        ("weekly digest friday", "digest", "fri 18:00"),
        ("digest on", "digest", "daily 18:00"),
        ("no digest", "digest", "off"),
        ("forced moves yes", "forced_moves", True),
        ("turn forced moves on", "forced_moves", True),
        ("auto vacation yes", "auto_vacation", True),
        ("enable automatic vacation", "auto_vacation", True),
        ("time zone Tokyo, please", "zone", "Asia/Tokyo"),
        ("reminders off please", "reminders", "none"),
        ("digest daily 18:00, thanks!", "digest", "daily 18:00"),
        ("board words please", "choices", {"board": "words"}),
        ("timezone New York", "zone", "America/New_York"),
        ("mail every move", "choices", {"mail": "every turn"}),
        ("mail always", "choices", {"mail": "every turn"}),
        ("mail on", "choices", {"mail": "my turn"}),
        ("messages later", "choices", {"messages": "next turn"}),
        ("board text", "choices", {"board": "words"}),
        ("company yes", "choices", {"company": "anybody"}),
        ("language English", "languages", "English"),
    ],
)
def test_preferences_in_everyday_words(
    services: Services, ann: Player, line: str, field: str, after: object
) -> None:
    (answer,) = receive(services, ann.email, PLAY, line)
    assert answer.letter == "confirmation"
    with reading(services.engine) as session:
        assert getattr(session.get_one(Player, ann.id), field) == after


def test_each_line_sets_its_preference() -> None:
    assert sum(len(each.lines) for each in PREFERENCES) > 50
    for each in PREFERENCES:
        for line, value in each.lines.items():
            (command,) = read_commands(line, lambda text: False, PLAIN).commands
            assert (command.word.word, command.argument) == (each.usage.split()[0], value)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("reminders sometimes", "write one or more of half, day, hour, or none."),
        ("digest sometimes", "write daily, daily 18:00, weekly, fri 18:00, or off."),
        ("forced sometimes", "Write: forced on, or: forced off."),
        ("auto vacation sometimes", "Write: auto vacation on, or: auto vacation off."),
        ("vacation on", "write vacation 5d, vacation 2026-12-20 to 2027-01-03, or vacation off."),
        ("mail sometimes", "Write: mail my turn, or: mail every turn, or: mail never."),
        ("messages off", "Write: messages at once, or: messages next turn."),
        ("words on", "Write: words ask, or: words send, or: words drop."),
        ("zone sometimes", "Write a city, such as Europe/Berlin, or UTC."),
    ],
)
def test_invalid_value_is_refused_with_the_valid_ones(
    services: Services, ann: Player, line: str, sentence: str
) -> None:
    (answer,) = receive(services, ann.email, PLAY, line)
    assert answer.letter == "refusal_account"
    assert sentence in answer.words
