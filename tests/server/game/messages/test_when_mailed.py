"""The choice whether messages are emailed immediately, or with the next turn."""

from __future__ import annotations

import pytest

from server.game.play import moves
from server.processes.services import Services
from tests.support.server.digests import DigestReaders
from tests.support.server.emails import PLAY, receive
from tests.support.server.games import act
from tests.support.server.services import Clock

SAID = "Ben (White) says: | Good luck!"


@pytest.fixture
def people(services: Services, clock: Clock) -> DigestReaders:
    """Ann, who gets messages with the next turn, and Ben."""
    found = DigestReaders(services, clock, "off")
    (answer,) = receive(services, "ann@example.org", PLAY, "messages next turn")
    assert "with the next email about the game" in answer.words
    found.new()
    return found


def test_messages_are_emailed_immediately_by_default(services: Services, clock: Clock) -> None:
    people = DigestReaders(services, clock, "off")
    number = people.begin("Ann")
    people.new()
    people.say(number, "Good luck!")
    (letter,) = people.new()
    assert letter.letter == "message"


def test_messages_can_wait_for_the_next_turn(people: DigestReaders) -> None:
    number = people.begin("Ann")
    people.new()
    people.say(number, "Good luck!")
    people.move(number, "c3")
    people.say(number, "Well played.")
    assert people.sorts() == []
    people.move(number, "a1")
    (report,) = people.new()
    assert report.letter == "report"
    assert SAID in report.words
    assert "Ben (White) says: | Well played." in report.words
    assert "Your move." in report.words
    assert "Turn 3. You are" in report.words
    people.move(number, "a2")
    people.move(number, "b4")
    (later,) = people.new()
    assert "Good luck!" not in later.words


def test_messages_after_the_end_are_emailed_immediately(people: DigestReaders, services: Services) -> None:
    number = people.begin("Ann")
    act(services, number, people.seat(number, people.ben), moves.resign)
    people.new()
    people.say(number, "You were too strong.")
    (letter,) = people.new()
    assert letter.letter == "message"


def test_waiting_messages_are_reported_at_the_end(people: DigestReaders, services: Services) -> None:
    number = people.begin("Ann")
    people.new()
    people.say(number, "Good luck!")
    act(services, number, people.seat(number, people.ben), moves.resign)
    (report,) = people.new()
    assert SAID in report.words


def test_changed_preference_loses_no_message(people: DigestReaders, services: Services) -> None:
    number = people.begin("Ann")
    people.new()
    people.say(number, "Good luck!")
    receive(services, "ann@example.org", PLAY, "messages at once")
    people.new()
    people.say(number, "Are you there?")
    assert people.sorts() == ["message"]
    people.move(number, "c3")
    people.move(number, "a1")
    (report,) = people.new()
    assert SAID in report.words
