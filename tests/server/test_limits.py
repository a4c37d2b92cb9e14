"""No input costs the server more than a moment, or makes others wait."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask

from rules.limits import MOST_SEATS
from rules.registry import RULES
from server.accounts import players
from server.commands.parser import read_commands
from server.commands.vocabulary import PLAIN, REPLY
from server.commands.word import Vocabulary
from server.limits import LONGEST_LINE
from server.processes.services import Services
from server.store.db import writing
from server.store.engines import connect
from server.store.models import Player
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.counting import statements, steps
from tests.support.rules.random_games import first_position
from tests.support.server.emails import PLAY, receive
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import Clock
from tests.support.web.client import logged_in, readable

CROWD = [f"x@{number}.test" for number in range(400)]


def test_challenge_to_a_crowd_by_email_is_refused_before_any_lookup(services: Services, ann: Player) -> None:
    with statements(services) as asked:
        (answer,) = receive(services, ann.email, PLAY, f"challenge {','.join(CROWD[:100])} nexus")
    assert f"You named 100 players, but a game has at most {MOST_SEATS - 1} besides you." in answer.words
    assert len(asked) < 60


def test_challenge_to_a_crowd_on_the_web_is_refused_before_any_lookup(
    services: Services, app: Flask, ann: Player
) -> None:
    browser = logged_in(app, services, ann)
    with statements(services) as asked:
        few = browser.send("/games/new/nexus", opponents=" ".join(CROWD[:100]))
        many = browser.send("/games/new/nexus", opponents=" ".join(CROWD * 9))
    assert few.status_code == 422
    assert f"You named 100 players, but a game has at most {MOST_SEATS - 1} besides you." in readable(few)
    assert many.status_code == 413
    assert f"at most {LONGEST_LINE} are allowed." in readable(many)
    assert len(asked) < 60


def test_free_name_is_found_with_few_queries(services: Services, clock: Clock) -> None:
    with writing(services.engine) as session:
        for number in range(1, 301):
            session.add(players.new_player("Guest" if number == 1 else f"Guest{number}", clock.time))
    with writing(services.engine) as session, statements(services) as asked:
        action = ActionContext(session, services.sealer, clock.time)
        assert players.invite(action, "ann@world.test", PLAY).name == "Guest301"
    assert len(asked) < 30


LINES = (
    *("c4 " * 30, "if a1 then b1 " * 8),
    *(
        "c4",
        "-",
        "a1",
        "a1 to",
        "x",
        "1. c4",
        "**c4**",
        "а1",
        "а1 " * 30,
        "?a1",
        "? a1",
        "a=b",
        "!",
    ),
    *("if a1 then b1", "if a1 then b1,", "if", "then", "if a1", "and then", "if off", "rules nexus", "luck x"),
    *(
        "give 1d",
        "vacation 5d",
        "accept 1",
        "challenge a nibble time=3d",
        "stop",
        "say x",
        "…",
        "\u00bc1",
    ),
)


COMMANDS = ("c4\n", "if a1 then b1\n", "challenge a nibble\n")
FIRST = ["", *(pytest.param(each, marks=pytest.mark.long) for each in COMMANDS)]
"""The text before the commands."""


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("words", [REPLY, PLAIN], ids=["reply", "plain"])
@pytest.mark.parametrize("first", FIRST)
def test_commands_are_read_in_linear_time(words: Vocabulary, first: str) -> None:
    """Four times the lines may take at most four times the steps, plus a constant."""
    rules = RULES["nibble"]
    position = first_position(rules, rules.options({}))

    def is_move(line: str) -> bool:
        return rules.reads(position, 0, line)

    for line in LINES:
        few = steps(read_commands, first + f"{line}\n" * 32, is_move, words)
        many = steps(read_commands, first + f"{line}\n" * 128, is_move, words)
        assert many <= 4 * few + 2400, line
        assert many < 1_500_000, line


TOO_LONG = {
    "a1 " * 500: "The first line of your email has 1499 characters, and a move has at most 1000.",
    "a1 " * 20_000: "The first line of your email has 59999 characters, and a move has at most 1000.",
    "a1\n" * 400: "A move or a command can have at most 2000 characters in 40 lines",
    "if a1 then b1\n" + "then c1\n" * 400: "A move or a command can have at most 2000 characters in 40 lines",
    "if a1 then b1\n" * 300: "An email can have at most 250 commands, and yours has more.",
}
TOO_LONG_FOR_US = {
    "challenge Ben nibble\n"
    + "time=3d\n" * 400: "A move or a command can have at most 2000 characters in 40 lines",
    "rules nexus\n" * 300: "An email can have at most 250 commands, and yours has more.",
    "name " + "x" * 3000: "is not a command: it has",
}


def test_too_long_text_in_an_email_is_refused_with_the_limit(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    sender = table.players[0].email
    token = services.tokens.write(ReplyToken(table.number, 0, 1))
    for to, cases in ((f"play+{token}@games.example.org", TOO_LONG), (PLAY, TOO_LONG_FOR_US)):
        for text, told in cases.items():
            (answer,) = receive(services, sender, to, text)
            assert told in answer.words


@pytest.mark.parametrize("database", ["sqlite"])
def test_visitor_is_asked_to_return_when_the_database_is_busy(
    services: Services, app: Flask, ann: Player
) -> None:
    """PostgreSQL has no lock for which all writers wait."""
    browser = logged_in(app, services, ann)
    token = browser.token()
    app.extensions["services"] = replace(
        services, engine=connect(services.settings.database_url, patience=0.01)
    )
    with writing(services.engine) as session:
        session.connection()
        answer = browser.client.post("/settings", data={"csrf_token": token, "name": "Anna"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert "The server is busy Nothing was changed." in readable(answer)
    assert browser.send("/settings", name="Anna").status_code == 303
