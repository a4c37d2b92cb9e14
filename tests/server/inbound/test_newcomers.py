"""People who do not know the commands, and other text among commands to the plain address."""

from __future__ import annotations

import re

import pytest

from server.processes.services import Services
from server.store.models import Player
from tests.support.server.emails import PLAY, receive, write

NEW = "Cleo Lee <cleo@example.org>"


@pytest.mark.parametrize("text", ["hello", "Hi!", "Hallo zusammen,", "", "I want to play with my brother"])
def test_stranger_who_writes_no_command_gets_three_suggestions(services: Services, text: str) -> None:
    (answer,) = write(services, NEW, text)
    assert answer.letter == "hello"
    assert answer.mail["Subject"] == "Hello from Nabu"
    for what in ("register Cleo Lee", "challenge Enkidu nibble", "help"):
        assert f"\n  {what}  " in answer.text
    assert "vacation" not in answer.text
    assert "brother" not in answer.text, "the address in From may be forged"


def test_three_suggestions_to_a_stranger_work(services: Services) -> None:
    write(services, NEW, "hello")
    (welcome,) = write(services, NEW, "Hi,\r\n\r\nregister Cleo Lee")
    assert welcome.letter == "welcome"
    (report,) = write(services, NEW, "challenge Enkidu nibble")
    assert report.letter == "report"
    assert re.search(r"Nibble: .*Enkidu \(\w+, computer, level 2\)", report.words)
    assert write(services, NEW, "help")[0].letter == "help_account"


def test_strangers_first_command_is_answered_after_refusals(services: Services) -> None:
    letters = [write(services, NEW, text) for text in ("hello", "nonsense", "challenge Enkidu nibble", "games")]
    assert [[each.letter for each in answers] for answers in letters] == [
        ["hello"],
        [],
        ["refusal_account"],
        [],
    ]
    assert "To become one, write: register NAME" in letters[2][0].words


def test_each_reply_of_someone_invited_is_answered(services: Services, ann: Player) -> None:
    caused = write(services, ann, "challenge cleo@example.org nibble")
    (invitation,) = [each for each in caused if each.letter == "invitation"]
    for text in ("What is this?", "I do not know you.", "Who are you?", "Ja, ich weiß nicht."):
        (answer,) = receive(services, NEW, str(invitation.mail["Reply-To"]), text)
        assert (answer.letter, answer.to) == ("refusal", "cleo@example.org")


@pytest.mark.parametrize("first", ["hello", "nonsense"])
def test_stranger_who_writes_more_than_the_command_is_asked(services: Services, first: str) -> None:
    write(services, NEW, first)
    (asked,) = write(services, NEW, "Oh nice, I like that!\r\n\r\nregister Cleo\r\n\r\nViele Grüße\r\nCleo")
    assert "Did you mean this? Then answer “yes”, or write: register Cleo" in asked.words
    answers = f"In-Reply-To: {asked.mail['Message-ID']}\r\n"
    (welcome,) = receive(services, NEW, PLAY, "yes please", answers)
    assert "Welcome, Cleo" in welcome.words
    assert "or by this email address. lobby seek nibble" in welcome.words


def test_player_who_greets_is_greeted(services: Services, ann: Player) -> None:
    for text in ("hello", "Hi Nabu,"):
        (answer,) = write(services, "ann@example.org", text)
        assert answer.letter == "hello"
        assert "games" in answer.text
        assert "register" not in answer.text


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("zone Europe/Berlin\r\nblah", "blah"),
        ("remind half\r\n\r\nI hope that is right.", "I hope that is right."),
        ("zone Europe/Berlin\r\n\r\nBest regards\r\nAnn", ""),
        ("Hello,\r\nzone Europe/Berlin", ""),
    ],
)
def test_unknown_line_is_named(services: Services, ann: Player, text: str, unread: str) -> None:
    (answer,) = write(services, "ann@example.org", text)
    assert answer.letter == "confirmation"
    assert ("The lines below are not commands" in answer.words) == bool(unread)
    assert f"  | {unread}".rstrip(" |") in answer.text


def test_commands_below_other_words_are_offered(services: Services, ann: Player, ben: Player) -> None:
    text = "I want to try this at last.\r\n\r\nchallenge Ben nibble\r\nzone Europe/Berlin\r\n\r\nIs that right?"
    (asked,) = write(services, "ann@example.org", text)
    assert "Which of these did you mean? challenge Ben nibble zone Europe/Berlin" in asked.words


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("games\r\n\r\n> x\r\n\r\nzone Europe/Berlin", "refusal_account"),
        ("stop\r\n\r\n> x\r\n\r\nresume", "mail_stopped"),
        ("games\r\n\r\n> x\r\n\r\nHello", "games"),
    ],
)
def test_command_below_a_quote_is_named(services: Services, ann: Player, text: str, letter: str) -> None:
    (answer,) = write(services, "ann@example.org", text)
    assert answer.letter == letter
    assert ("“zone Europe/Berlin” is below or between" in answer.words) == (letter == "refusal_account")


def test_command_in_a_greeting_is_named(services: Services, ann: Player) -> None:
    (answer,) = write(services, "ann@example.org", "Hi stop\r\nzone Europe/Berlin")
    assert answer.letter == "refusal_account"
    assert "“Hi stop” is not a command" in answer.words


def test_yes_to_a_suggestion_carries_it_out_once(services: Services, ann: Player, ben: Player) -> None:
    (asked,) = write(services, "ann@example.org", "challenge Bem nibble")
    answers = f"In-Reply-To: {asked.mail['Message-ID']}\r\n"
    sent = receive(services, "ann@example.org", PLAY, "yes", answers)
    assert {each.letter for each in sent} == {"invitation", "challenge_sent"}
    (again,) = receive(services, "ann@example.org", PLAY, "yes!", answers)
    assert "No question is waiting for your “yes”" in again.words
    assert "No question is waiting" in write(services, "ann@example.org", "yes")[0].words
