"""Lines that ask for no more email, in all languages that Nabu recognizes."""

from __future__ import annotations

import pytest

from mail.reading.languages.phrases import LANGUAGES
from rules.registry import RULES
from server.accounts import players
from server.commands.courtesy import NOBODY
from server.commands.parser import read_commands
from server.commands.stop_phrases import PHRASES, stop_lines
from server.commands.vocabulary import PLAIN, REPLY
from server.interpretation.reply_checks import moves_at
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Player
from tests.support.rules.random_games import first_position
from tests.support.server.emails import PLAY, receive, reply_address
from tests.support.server.games import TwoPlayerGame, mover, reply


def commands(text: str) -> set[tuple[str, ...]]:
    """Return the commands that the plain address and a game read in a text."""
    return {
        tuple(map(str, read_commands(text, lambda line: False, words).commands)) for words in (PLAIN, REPLY)
    }


def test_every_language_has_stop_phrases() -> None:
    assert PHRASES.keys() == LANGUAGES.keys()
    assert min(len(text.split("; ")) for text in PHRASES.values()) >= 15


@pytest.mark.parametrize("language", PHRASES)
def test_each_stop_phrase_means_stop(services: Services, language: str) -> None:
    phrases = PHRASES[language].split("; ")
    for phrase in phrases:
        assert commands(phrase) == {("stop",)}, phrase
        assert commands(f"  {phrase.upper()}!\n\nAnn") == {("stop",)}, phrase
        assert ("stop",) not in commands(f"{phrase}?") | commands(f"{phrase} xyz"), phrase
        assert not NOBODY.is_all(phrase), phrase
    (answer,) = receive(services, "stranger@example.org", PLAY, phrases[0])
    assert answer.letter == "mail_stopped"
    assert is_stopped(services, "stranger@example.org")


@pytest.mark.parametrize(
    "line",
    [
        "Please unsubscribe me.",
        "UNSUBSCRIBE",
        "“Unsubscribe”",
        "* no more e-mails, please!",
        "Don’t email me again",
        "keine mails mehr bitte",
        "Desabonnez moi, s'il vous plait",
        "cancelar inscricao",
        "Aboneligimi iptal et",
        "请不要再发邮件。",
    ],
)
def test_case_accents_and_signs_do_not_matter(line: str) -> None:
    assert commands(line) == {("stop",)}


@pytest.mark.parametrize(
    "line",
    [
        *("stop it", "enough", "basta", "no more", "remove it", "please", "bitte", "svp", "remove d5"),
        *(
            "don't unsubscribe me",
            "opt out of the rating",
            "no more emails about this game",
            "stop, that hurts",
        ),
        *("how do I unsubscribe?", "unsubscribe Ben", "I do not want to unsubscribe", "no email from Ben"),
    ],
)
def test_other_messages_of_players_are_no_stop_phrases(line: str) -> None:
    assert commands(line) == {()}


@pytest.mark.parametrize("name", RULES)
def test_no_stop_phrase_is_a_move(name: str) -> None:
    rules = RULES[name]
    position = first_position(rules, rules.options({}))
    if rules.dice(position):
        position = rules.roll(position, (3, 5))
    possible = moves_at(rules, position, rules.to_move(position)[0])
    assert not [line for line in stop_lines() if possible.reads(line)]


@pytest.mark.both
@pytest.mark.parametrize("text", ["Please remove me from your list.\n\nAnn", "plus de mails, merci"])
def test_stop_phrase_in_a_reply_means_stop(table: TwoPlayerGame, text: str) -> None:
    assert reply(table, 0, text)[-1].letter == "mail_stopped"
    assert is_stopped(table.services, table.players[0].email)
    assert table.game().state == "running"


@pytest.mark.parametrize(
    ("subject", "text", "stops"),
    [
        ("Unsubscribe", "", True),
        ("Re: unsubscribe", "> quoted", True),
        ("UNSUBSCRIBE", "Your emails are a nuisance. Stop sending them to our employees.", True),
        ("stop", "I have never heard of you.", True),
        ("Désabonnement", "Bonjour", True),
        ("unsubscribe", "games", False),
        ("unsubscribe Ben", "I have never heard of you.", False),
        ("How do I unsubscribe?", "", False),
    ],
)
def test_stop_phrase_may_be_in_the_subject(
    services: Services, ann: Player, subject: str, text: str, stops: bool
) -> None:
    (answer,) = receive(services, ann.email, PLAY, text, subject=subject)
    assert (answer.letter == "mail_stopped") is stops
    assert is_stopped(services, ann.email) is stops


def test_stop_phrase_in_the_subject_of_a_reply_counts_without_commands(table: TwoPlayerGame) -> None:
    seat, sender, address = mover(table)
    receive(table.services, sender, address, "c3", subject="unsubscribe")
    assert not is_stopped(table.services, sender)
    assert table.game().turn == 2
    address = reply_address(table.services, table.number, seat)
    receive(table.services, sender, address, "I am tired of this.", subject="unsubscribe")
    assert is_stopped(table.services, sender)


def is_stopped(services: Services, email: str) -> bool:
    """Return whether an address gets no more email."""
    with reading(services.engine) as session:
        player = players.by_email(session, email)
        return player is not None and player.mail_stopped
