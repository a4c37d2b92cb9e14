"""Emails to the plain address."""

from __future__ import annotations

import pytest
from sqlmodel import col, select

from server.accounts import players
from server.errors import BadRequest
from server.interpretation.options import read_challenge
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, GameMessage, Player
from tests.support.server.emails import PLAY, letters, receive, write
from tests.support.server.games import begin
from tests.support.server.players import add_player


@pytest.mark.parametrize(
    ("argument", "who", "options"),
    [
        ("ben nibble", "ben", {}),
        ("Ben Hur Nibble board=square-9", "Ben Hur", {"board": "square-9"}),
        ("Nibble nibble", "Nibble", {}),
        ("Nexus, Ann Nibble nibble time=daily 20:00 nexus", "Nexus, Ann Nibble", {"time": "daily 20:00 nexus"}),
    ],
)
def test_challenge_names_its_game_last(argument: str, who: str, options: dict[str, object]) -> None:
    assert read_challenge(argument) == (who, "nibble", options)


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [("ben", "has to name a game"), ("nibble", "Who do you want to challenge?")],
)
def test_incomplete_challenge_is_refused(argument: str, sentence: str) -> None:
    with pytest.raises(BadRequest, match=sentence):
        read_challenge(argument)


def test_player_named_like_a_game_can_be_challenged(services: Services, ann: Player) -> None:
    """New players cannot take such names; existing ones keep them."""
    old = add_player(services, "nibble@example.org", "Nib")
    with writing(services.engine) as session:
        known, named = session.get_one(Player, old.id), players.new_player("Nibble", services.now())
        known.name, known.name_key, known.name_shape = named.name, named.name_key, named.name_shape
    answers = write(services, "ann@example.org", "challenge Nibble nibble")
    assert [(answer.letter, answer.to) for answer in answers] == [
        ("invitation", "nibble@example.org"),
        ("challenge_sent", "ann@example.org"),
    ]


def test_computer_player_is_challenged_by_name(services: Services, ann: Player) -> None:
    assert "challenge Enkidu nibble" in letters(services)[0].text
    assert (
        "Berossus, the strongest): challenge Enkidu nibble"
        in write(services, "ann@example.org", "help challenge")[0].words
    )
    (answer,) = write(services, "ann@example.org", "challenge enkidu nibble")
    assert answer.letter == "report"
    assert "Enkidu" in answer.words


@pytest.mark.parametrize(
    "opening", ["challenge fred@example.org nibble", "challenge Ben nibble", "seek nibble"]
)
def test_message_with_a_new_game_is_refused_with_the_reason(
    services: Services, ann: Player, ben: Player, opening: str
) -> None:
    """Not even a player with one running game sends it there."""
    number = begin(services, "nibble", ann, ben)
    (answer,) = write(services, ann, opening, "say Hello, shall we play?")
    assert "You cannot send a message with a challenge or an open game" in answer.words
    assert "Once the game has started, reply to an email about it: say TEXT" in answer.words
    with reading(services.engine) as session:
        assert not session.exec(select(GameMessage)).all()
    fields = f"In-Reply-To: {answer.mail['Message-ID']}\r\n"
    receive(services, ann.email, PLAY, "yes", fields)
    with reading(services.engine) as session:
        assert len(session.exec(select(Game)).all()) == 2
        assert not session.exec(select(GameMessage)).all()
    said = write(services, ann, opening, f"say {number} I have opened another game.")
    assert ["I have opened another game." in each.words for each in said if each.letter == "message"] == [True]


def test_name_is_changed_by_email(services: Services, ann: Player, ben: Player) -> None:
    (answer,) = write(services, "ann@example.org", "name  Anna Lee")
    assert "Your name is now Anna Lee." in answer.words
    assert called(services, "ann@example.org") == "Anna Lee"
    for text, sentence in (
        ("name Ben", "The name Ben is taken. Choose another, for example Ben2."),
        ("name <b>", "“<b>” cannot be a name"),
        ("name", "Write: name NAME"),
    ):
        (answer,) = write(services, "ann@example.org", text)
        assert answer.letter == "refusal_account"
        assert sentence in answer.words
    assert called(services, "ann@example.org") == "Anna Lee"
    (answer,) = write(services, "nobody@example.org", "name Cleo")
    assert "To become one, write: register NAME" in answer.words


@pytest.mark.parametrize(("word", "state"), [("accept", "running"), ("decline", "declined")])
def test_single_invitation_needs_no_number(
    services: Services, ann: Player, ben: Player, word: str, state: str
) -> None:
    write(services, "ann@example.org", "challenge Ben nibble")
    answers = write(services, "ben@example.org", word)
    assert "refusal_account" not in [answer.letter for answer in answers]
    assert states(services) == [state]


@pytest.mark.slow
@pytest.mark.parametrize("word", ["accept", "decline"])
@pytest.mark.parametrize(("games", "named"), [(0, "none"), (2, "1, 2")])
def test_several_or_no_invitations_need_a_number(
    services: Services, ann: Player, ben: Player, word: str, games: int, named: str
) -> None:
    for _ in range(games):
        write(services, "ann@example.org", "challenge Ben nibble")
    (answer,) = write(services, "ben@example.org", word)
    assert f"Games waiting for your answer: {named}." in answer.words
    assert states(services) == ["invited"] * games


def test_register_without_a_name_is_answered_with_an_example(services: Services) -> None:
    (answer,) = write(services, "cleo@example.org", "register")
    assert "for example: register Ann" in answer.words
    (welcome,) = write(services, "Cleo <cleo@example.org>", "register")
    assert "Welcome, Cleo." in welcome.words


def called(services: Services, email: str) -> str:
    """Return the name of the player with this address."""
    with reading(services.engine) as session:
        player = players.by_email(session, email)
        assert player is not None
        return player.name


def states(services: Services) -> list[str]:
    """Return the states of all games, the oldest first."""
    with reading(services.engine) as session:
        return list(session.exec(select(Game.state).order_by(col(Game.id))))


@pytest.mark.parametrize(("body", "subject"), [("", "a quiet evening"), ("a quiet evening", "")])
def test_answer_says_whether_it_quotes_the_subject(
    services: Services, ann: Player, body: str, subject: str
) -> None:
    [answer] = receive(services, ann.email, PLAY, body, subject=subject)
    assert "“a quiet evening”" in answer.words
    assert ("Your email has no new text, and its subject “" in answer.words) == bool(subject)


@pytest.mark.parametrize("words", range(4, 12))
def test_commands_in_answers_are_not_broken_over_lines(services: Services, ann: Player, words: int) -> None:
    (answer,) = receive(services, ann.email, PLAY, f"The weather is {words * 'fine, '}today")
    assert "move: 87 c4" in " ".join(line for line in answer.text.splitlines() if "87 c4" in line)


def test_answer_quotes_a_sentence_without_cutting_it(services: Services, ann: Player) -> None:
    sentence = "The weather here in Oslo was cold and windy, but the sun shone on us all"
    (answer,) = receive(services, ann.email, PLAY, sentence)
    assert f"You wrote: {sentence}" in answer.words.replace("| ", "")
