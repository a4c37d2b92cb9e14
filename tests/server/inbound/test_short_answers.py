"""A refusal has at most 20 lines: the problem, suggestions, and the way to the help."""

from __future__ import annotations

import pytest

from server.processes.services import Services
from server.store.models import Player
from tests.support.server.emails import PLAY, Written, receive, reply_address, write
from tests.support.server.games import TwoPlayerGame
from tests.support.server.players import add_player
from tests.support.server.services import Clock

MOST = 20
TEXTS = [
    "Hello Ben",
    "play nibble",
    "play with Ben",
    "new game nibble",
    "who is online?",
    "I'm away from 20 to 27 December",
    "zone New York",
    "password",
    "resend last mail",
    "whose turn is it?",
    "how do I move?",
    "I need more time",
    "good luck!",
    "4c",
    "c9",
    "c3?",
    "c3\nd4",
    "с3\nd4",
    "c3\nd4x",
    "c3\n\nor d4",
    "What about this?\n\nc3",
    "say hello\nc3",
    "? c3\nd4",
    "resing",
    "claim",
    "luck x",
    "",
    "> c3",
    "-- \nAnn",
    "say hi\n\n> x\n\nc3\n",
    "resign 99",
    "99 c4",
    "draw 1 and 2",
    "undo\nresign",
    "tell Ben hello",
    "challenge Bne nibble",
    "challenge Ben Enkidoo nibel sise=10 thyme=3d",
    "challenge Ben nibble time=9999d size=99 players=7 rated=maybe",
    "seek chess",
    "tournament Cup nibble form=circus",
    "Dear Sir or Madam,\n\nI have seen your page.\nPlease tell me how it works.\n\nYours\nBen",
    "x" * 3000,
    "word " * 600,
    "\n".join(f"line {number} of many" for number in range(200)),
    "resign now\ngive 900d\nzone Atlantis\nvacation never",
]


def check_short(answer: Written) -> None:
    """Assert that it is a short refusal that names the way to the help."""
    assert answer.letter in ("refusal", "refusal_account")
    lines = answer.text.splitlines()
    assert len(lines) <= MOST, answer.text
    assert "help" in " ".join(lines[-4:])
    assert max(map(len, lines)) <= 100


def refused_in(answers: list[Written]) -> list[Written]:
    """Return the refusals among letters."""
    return [each for each in answers if each.letter.startswith("refusal")]


@pytest.mark.parametrize("first", [0, 10, 20, 30, 40])
def test_no_refusal_is_too_long(table: TwoPlayerGame, clock: Clock, first: int) -> None:
    services, ann = table.services, table.players[0]
    refused = 0
    for text in TEXTS[first : first + 10]:
        for address in (PLAY, reply_address(services, table.number, 0)):
            clock.advance(hours=13)
            for answer in refused_in(receive(services, ann.email, address, text.replace("\n", "\r\n"))):
                check_short(answer)
                refused += 1
    assert refused >= 3


def test_refusal_with_three_suggestions_is_not_too_long(services: Services, ann: Player) -> None:
    for name in ("Bennet", "Bennot", "Bennut"):
        add_player(services, f"{name.lower()}@example.org", name)
    (answer,) = write(services, ann, "challenge Bennit nebuchadnezzar size=9 time=3d rated=off private=on")
    assert answer.text.count("    challenge Benn") == 3
    check_short(answer)


@pytest.mark.parametrize("name", ["", "Ann", "Maximiliana Theodora Oberhuber-Lichtenstein"])
def test_unknown_sender_gets_a_short_email(services: Services, name: str) -> None:
    (answer,) = write(services, f"{name} <eve@example.com>", "What is this?")
    assert answer.letter == "hello"
    assert len(answer.text.splitlines()) <= MOST
    assert 'send "help"' in answer.text


def test_late_reply_is_answered_with_the_board(table: TwoPlayerGame) -> None:
    """It is refused because the position changed, and the writer has not seen the new board."""
    table.submit(0, "c3")
    late = reply_address(table.services, table.number, 0, 1)
    (answer,) = receive(table.services, table.players[0].email, late, "d4")
    assert (answer.letter, "a b c d e" in answer.words) == ("refusal", True)
    table.submit(1, "d4")
    (answer,) = receive(
        table.services, table.players[0].email, reply_address(table.services, table.number, 0), "c3"
    )
    assert (answer.letter, "a b c d e" in answer.words) == ("refusal", False)
    check_short(answer)
