"""The settings by email: each with its value and the line that changes it, and `set` for all of them."""

from __future__ import annotations

import pytest

from server.game.preferences.preferences import PREFERENCES
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Player
from tests.support.server.emails import write


def settings_of(services: Services, ann: Player) -> dict[str, str]:
    """Return the line that changes each setting, with the letter's description."""
    (answer,) = write(services, ann, "settings")
    assert answer.letter == "settings_list"
    found: dict[str, str] = {}
    line = ""
    for row in answer.text.splitlines():
        if row.startswith("  set "):
            line, _, found[line] = (part.strip() for part in row.partition("  ")[2].partition("  "))
        elif row.startswith("   "):
            found[line] = f"{found[line]} {row.strip()}".strip()
    return found


def test_each_setting_has_a_command_that_changes_it(services: Services, ann: Player) -> None:
    before = settings_of(services, ann)
    assert len(before) == len(PREFERENCES) + 1
    lines = [
        line for line in before if line not in ("set name Ann", "set vacation 5d") and "notify" not in line
    ]
    (answer,) = write(services, ann, *lines)
    assert answer.letter == "answers"
    after = settings_of(services, ann)
    for line in lines:
        assert before[line] not in after.values(), line


def test_long_address_leaves_room_for_the_other_column(services: Services, ann: Player) -> None:
    (answer,) = write(services, ann, "settings")
    assert ">set notify ntfys:/<wbr>/<wbr>ntfy.example.com/<wbr>room</a>" in answer.html


@pytest.mark.parametrize(
    ("text", "column", "value"),
    [
        ("set zone Asia/Tokyo", "zone", "Asia/Tokyo"),
        ("Set my zone to Asia/Tokyo", "zone", "Asia/Tokyo"),
        ("set zone=Asia/Tokyo", "zone", "Asia/Tokyo"),
        ("set zone: Asia/Tokyo", "zone", "Asia/Tokyo"),
        ("set name Anna", "name", "Anna"),
        ("set auto vacation on", "auto_vacation", True),
        ("set remind none", "reminders", "none"),
        ("set my reminders to none", "reminders", "none"),
        ("set forced on", "forced_moves", True),
        ("set board words", "choices", {"board": "words"}),
        ("set bio off", "bio", ""),
    ],
)
def test_set_changes_each_setting(
    services: Services, ann: Player, text: str, column: str, value: object
) -> None:
    (answer,) = write(services, ann, text)
    assert answer.letter == "confirmation"
    with reading(services.engine) as session:
        assert getattr(session.get_one(Player, ann.id), column) == value


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("set", "Write the name of a setting and its value"),
        ("set colour red", "Write the name of a setting and its value"),
        ("set stop", "Write the name of a setting and its value"),
        ("set board", "Write: board picture, or: board words."),
    ],
)
def test_setting_that_set_cannot_change_is_explained(
    services: Services, ann: Player, text: str, problem: str
) -> None:
    (answer,) = write(services, ann, text)
    assert answer.letter == "refusal_account"
    assert problem in answer.words


def test_stranger_has_no_settings(services: Services) -> None:
    (answer,) = write(services, "eve@example.com", "settings")
    assert "register NAME" in answer.words
