"""Lines that Nabu leaves out of a message are shown to its writer; a usual quote or signature is not."""

from __future__ import annotations

import pytest

from tests.support.server.emails import PLAY, Written, receive
from tests.support.server.games import TwoPlayerGame, mover, reply, to_seat

_PASTED = "From: Bob Miller <bob@work.example>\nSent: Monday 3 May 2026 10:00\nTo: Ann\nSubject: Sunday\n\n"
_QUOTE = "> ##- write your move above this line -##\n>\n> Your move.\n"
_ABOVE = "On Mon, 2 Mar 2026 at 15:04, Nabu <play@games.example.org> wrote:\n"


@pytest.fixture
def seat(table: TwoPlayerGame) -> int:
    return mover(table)[0]


def mine(table: TwoPlayerGame, seat: int, text: str) -> Written | None:
    """Return the answer to a reply that the opponent heard of."""
    letters = reply(table, seat, text)
    assert "Sunday at ten" in to_seat(letters, table, 1 - seat)[0].words
    return next(iter(to_seat(letters, table, seat)), None)


@pytest.mark.parametrize(
    ("below", "shown"),
    [
        (f"{_PASTED}Bob is ill.", "From: Bob Miller <bob@work.example> | Sent: Monday"),
        (f"{_PASTED}Bob is ill.\n\n{_ABOVE}{_QUOTE}", "Subject: Sunday | Bob is ill. "),
        ("-----Original Message-----\nBob is ill.", "-----Original Message----- | Bob is ill. "),
        (f"On 3 May 2026 Bob <bob@work.example> wrote:\nI am ill.\n\n{_ABOVE}{_QUOTE}", "wrote: | I am ill. "),
        ("--\nBob is ill.", "-- | Bob is ill. "),
        ("—\nBob is ill.", "— | Bob is ill. "),
        ("____\nBob is ill.", "| Bob is ill. "),
        (f"--\nBob is ill.\n\n{_ABOVE}{_QUOTE}", "-- | Bob is ill. "),
        ("\n" * 500 + "Bob is ill.", "| Bob is ill. "),
        (f"{_ABOVE}{_QUOTE}\nBob is ill.", "| Bob is ill. "),
        (f"{_ABOVE}{_QUOTE}\nBob is ill.\n\nBest regards\nAnn", "| Bob is ill. "),
        ("--\n" + "Bob is ill. " * 50, "Bob is ill. Bob i…"),
    ],
)
@pytest.mark.parametrize("first", ["", "c3\n"])
def test_left_out_text_is_shown(table: TwoPlayerGame, seat: int, first: str, below: str, shown: str) -> None:
    answer = mine(table, seat, f"{first}say See you\nSunday at ten.\n\n{below}")
    assert answer is not None
    assert "Your text was sent up to “See you Sunday at ten.”. Not sent: | " in answer.words
    assert shown in answer.words
    assert table.game().turn == (2 if first else 1)


@pytest.mark.parametrize(
    "below",
    [
        "",
        "-- \nBob is ill.",
        "--\nNAME Miller\nExample Ltd",
        "--",
        "Sent from my iPhone",
        f"{_ABOVE}{_QUOTE}",
        f"-- \nBob\n\n{_ABOVE}{_QUOTE}",
        f"Sent from my iPhone\n\n{_ABOVE}{_QUOTE}",
        f"______________\nFrom: Nabu <play@games.example.org>\nSent: Monday\nTo: Ann\n\n{_QUOTE}",
        f"----- Nachricht von Nabu -----\n{_QUOTE}",
    ],
)
def test_usual_signature_is_not_mentioned(table: TwoPlayerGame, seat: int, below: str) -> None:
    name = table.players[seat].name
    assert mine(table, seat, f"say Sunday at ten.\n\n{below.replace('NAME', name)}") is None


def test_usual_lines_of_the_sender_are_not_mentioned(table: TwoPlayerGame, seat: int) -> None:
    for text, is_shown in (("c3", True), ("d3", True), ("e3", False)):
        answer = mine(table, seat, f"{text}\nsay Sunday at ten.\n--\nThe Games Room\nFloor 3")
        assert (answer is not None and "The Games Room" in answer.words) == is_shown
        table.submit(1 - seat, {"c3": "a1", "d3": "a5", "e3": "e1"}[text])


def test_left_out_text_is_shown_for_notes_reports_and_other_messages(table: TwoPlayerGame, seat: int) -> None:
    (note,) = reply(table, seat, f"note Sunday\n{_PASTED}Bob is ill.")
    assert "Your text was saved up to “Sunday”. Not saved: | From: Bob Miller" in note.words
    services, address = table.services, table.players[seat].email
    letters = receive(services, address, PLAY, f"say {table.number} Sunday\n{_PASTED}Bob is ill.")
    (answer,) = to_seat(letters, table, seat)
    assert "Sunday”. Not sent: | From: Bob Miller" in answer.words
    reply(table, 1 - seat, "say You fool!")
    letters = reply(table, seat, f"report rude\n{_PASTED}Bob is ill.")
    assert "up to “rude”. Not sent: | From: Bob Miller" in to_seat(letters, table, seat)[0].words
    reply(table, seat, "words send")
    letters = reply(table, seat, f"c3\n\nSunday at ten.\n\n{_PASTED}Bob is ill.")
    assert "up to “Sunday at ten.”. Not sent: | From: Bob Miller" in to_seat(letters, table, seat)[0].words


def test_nothing_is_mentioned_without_a_message(table: TwoPlayerGame, seat: int) -> None:
    letters = reply(table, seat, f"show\n\n{_PASTED}Bob is ill.")
    assert "Not sent" not in to_seat(letters, table, seat)[0].words


def test_secrets_in_left_out_text_are_not_shown(table: TwoPlayerGame, seat: int) -> None:
    secret = mover(table)[2]
    answer = mine(table, seat, f"say Sunday at ten.\n--\nwrite to {secret}")
    assert answer is not None
    assert "[address removed]" in answer.words
    assert secret not in answer.words
