"""The first messages of people who know only the welcome email: three emails lead to a game."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlmodel import select

from server.outbound.letters.help import Hello, RefusalAccount
from server.processes.services import Services
from server.store.db import reading
from server.store.letters.letter import read
from server.store.models import Game, Outbox, Player
from tests.support.server.emails import PLAY, Written, receive

MOST = 3


def games(services: Services) -> Sequence[Game]:
    """Return all games."""
    with reading(services.engine) as session:
        return session.exec(select(Game)).all()


def choices_in(services: Services, answer: Written) -> list[str]:
    """Return the commands that an answer asks about."""
    key = str(answer.mail["Message-ID"]).strip("<").partition("@")[0].partition(".")[0]
    with reading(services.engine) as session:
        row = session.exec(select(Outbox).where(Outbox.key == key)).one()
        letter = read(row.letter, row.game_id, services.sealer.open_json(row.sealed)).letter
    match letter:
        case RefusalAccount(choices=choices):
            return choices
        case Hello(name=name, asks=True):
            return [f"register {name}"]
    return []


def emails_to_a_game(services: Services, sender: str, text: str, after: str = "") -> int:
    """Return the number of emails until a game: questions are answered “yes”, or with the last choice.

    `after` is the next email if the answer has no question.
    """
    fields = ""
    for number in range(1, MOST + 1):
        answers = receive(services, sender, PLAY, text, fields)
        if games(services):
            return number
        (answer,) = [each for each in answers if each.to == sender]
        found = choices_in(services, answer)
        text = after if not found else "yes" if len(found) == 1 else found[-1]
        fields = f"In-Reply-To: {answer.mail['Message-ID']}\r\n" if text == "yes" else ""
    raise AssertionError(f"{MOST} emails and no game: {answer.words}")


@pytest.mark.parametrize(
    "text",
    [
        "I want to play Nibble with my friend bob@example.org",
        "start a game of nibble against the computer",
        "give me an opponent",
        "let's play nexus",
        "can you match me with someone?",
        "Is anybody up for a game of Nardshir this week?",
        "challenge my brother bob@example.org to a game",
        "I'd like to try nelaxtam against an easy opponent",
        "Hi Nabu,\n\ncould you please find me a partner for Nebuchadnezzar?\n\nThanks,\nAnn",
        "Who wants to play?",
    ],
)
def test_player_opens_a_game_with_at_most_three_emails(
    services: Services, ann: Player, ben: Player, text: str
) -> None:
    assert emails_to_a_game(services, ann.email, text, "seek nibble") <= MOST


@pytest.mark.parametrize(
    "text",
    [
        "Hello! I am Tom and I want to play",
        "Can I join? My name is Tom.",
        "register me please, my name is Tom",
        "sign me up as Tom",
        "Hi, this is Tom, how does it work?",
    ],
)
def test_stranger_signs_up_and_opens_a_game(services: Services, ben: Player, text: str) -> None:
    assert emails_to_a_game(services, "tom@example.org", text, "challenge Enkidu nibble") <= MOST


def test_yes_without_a_proposed_name_signs_up_no_one(services: Services) -> None:
    (answer,) = receive(services, "tom@example.org", PLAY, "What is this?")
    assert choices_in(services, answer) == []
    receive(services, "tom@example.org", PLAY, "yes", f"In-Reply-To: {answer.mail['Message-ID']}\r\n")
    with reading(services.engine) as session:
        assert session.exec(select(Player)).all() == []


def test_sentence_about_something_else_opens_no_game(services: Services, ann: Player) -> None:
    (answer,) = receive(services, ann.email, PLAY, "The weather is nice in Berlin today")
    assert choices_in(services, answer) == []
