"""Letters in the outbox: those of earlier versions can be read and stored again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from server.outbound.letters.account import Asked
from server.outbound.letters.game_parts import Show
from server.outbound.letters.help import HelpGame
from server.outbound.letters.reminders import OwedMove, Reminder, Trouble
from server.store.letters.game import Aside, Declined, Digest, Message, Report, Undone
from server.store.letters.letter import About, AddressedLetter, Answers, Letter, name_of, read, write

MOMENT = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
ASIDE = {"answered": [3], "dropped": ["if a1 then b2"], "kept": [], "forced": []}
REPORT = {
    "seat": 1,
    "first": 2,
    "said": "Hello!",
    "speaker": 0,
    "undone": {"turn": 2, "seat": 0},
    "aside": ASIDE,
    "last": 3,
    "rolled": [3, 5],
    "result": {"winners": [0], "reason": "resigned"},
    "head": "ff",
    "entries": 4,
    "due": {"1": "2026-03-04T05:06:00+00:00"},
    "misses": {"0": 2},
}
TOLD = Report(
    first=2,
    last=3,
    aside=Aside(answered=[3], dropped=["if a1 then b2"]),
    rolled=[3, 5],
    result={"winners": [0], "reason": "resigned"},
    head="ff",
    entries=4,
    due={1: MOMENT},
    misses={0: 2},
    said="Hello!",
    speaker=0,
    undone=Undone(2, 0),
)
OWED = {"game": 7, "seat": 0, "due": None, "ends": "2026-03-04T05:06:00+00:00"}
STORED = [
    (7, REPORT, AddressedLetter(TOLD, About(7, seat=1))),
    (
        None,
        {"player": 1, "games": [{"game": 7, **REPORT}]},
        AddressedLetter(Digest(1, (AddressedLetter(TOLD, About(7, seat=1)),))),
    ),
    (7, {"place": 0, "by": "Ann"}, AddressedLetter(Declined("Ann"), About(7, place=0))),
    (
        7,
        {"seat": 0, "notice_line": "I read a1."},
        AddressedLetter(HelpGame(), About(7, seat=0), notice_line="I read a1."),
    ),
    (
        7,
        {
            "answers": "<1@home>",
            "parts": [{"letter": "message", "game": 7, "what": {"seat": 0, "speaker": 1, "said": "Hello!"}}],
        },
        AddressedLetter(
            Answers((AddressedLetter(Message(1, "Hello!"), About(7, seat=0)),)), About(7), answers="<1@home>"
        ),
    ),
    (None, {"player": 1, "owed": [OWED]}, AddressedLetter(Reminder(1, [OwedMove(7, 0, None, MOMENT)]))),
    # Without fields of later versions.
    (7, {"seat": 0}, AddressedLetter(Show(given=False), About(7, seat=0))),
    (None, {"sender": "a@x", "mail": 2, "read": []}, AddressedLetter(Asked("a@x", 2, [], known=False))),
    (
        None,
        {"failed": [], "quarantined": [["1", "why"]], "complained": [], "undone": []},
        AddressedLetter(Trouble(quarantined=[["1", "why"]])),
    ),
]


@pytest.mark.parametrize(("game", "data", "addressed"), STORED)
def test_letters_of_earlier_versions_are_read_and_written(
    game: int | None, data: dict[str, Any], addressed: AddressedLetter
) -> None:
    name = name_of(type(addressed.letter))
    assert read(name, game, data) == addressed
    assert read(name, game, write(addressed)) == addressed
    assert {key: value for key, value in write(addressed).items() if key in data} == _with_defaults(data)


def _with_defaults(data: dict[str, Any]) -> dict[str, Any]:
    """Add the fields of later versions to a stored report."""
    added: dict[str, Any] = {"messages": None, "asks": False, "proposals": [], "solo": False}
    games = [{**report, **added} for report in data.get("games", ())]
    parts = [{**part, "what": {**part["what"], "alone": False}} for part in data.get("parts", ())]
    return data | ({"games": games} if games else {}) | ({"parts": parts} if parts else {})


def test_letter_has_the_name_of_its_class() -> None:
    assert [name_of(letter) for letter in (Message, HelpGame)] == ["message", "help_game"]


def test_letter_names_are_unique() -> None:
    with pytest.raises(TypeError, match="there are two letters message"):
        type("Message", (Letter,), {})


def test_unknown_letters_are_refused() -> None:
    with pytest.raises(KeyError):
        read("_at_will", 7, {"by": 1})
    with pytest.raises(ValueError, match="by"):
        read("declined", 7, {"place": 0})


def test_class_decides_if_a_letter_may_wait() -> None:
    undone: Letter = TOLD
    assert not undone.may_wait
    assert Message(1, "Hello!").may_wait
    assert (Message(1, "Hello!").at_will_of, undone.at_will_of) == (1, None)
