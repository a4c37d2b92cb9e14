"""Commands of the plain address in replies to emails about a game."""

from __future__ import annotations

import pytest
from sqlmodel import col, select

from server.accounts import players
from server.commands.vocabulary import PLAIN
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Inbox
from tests.support.server.command_examples import ACCOUNT
from tests.support.server.emails import Written, receive, reply_address, to_player, write
from tests.support.server.games import TwoPlayerGame


def reply(table: TwoPlayerGame, *lines: str) -> list[Written]:
    """Return the letters that a reply of the player who has to move causes."""
    address = reply_address(table.services, table.number, 0)
    return receive(table.services, table.players[0].email, address, "\r\n".join(lines))


def ending(services: Services) -> tuple[str, str]:
    with reading(services.engine) as session:
        row = session.exec(select(Inbox).order_by(col(Inbox.id).desc())).first()
        assert row is not None
        return row.state, row.why


def moves(table: TwoPlayerGame) -> list[str]:
    with reading(table.services.engine) as session:
        return [turn.body["line"]["move"] for turn in log.turns(session, table.game())]


def name(table: TwoPlayerGame) -> str:
    with reading(table.services.engine) as session:
        player = players.by_email(session, table.players[0].email)
        assert player is not None
        return player.name


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("login", "login_link"),
        ("who Ben", "who"),
        ("games", "games"),
        ("zone Europe/Berlin", "confirmation"),
        ("watch {other}", "confirmation"),
        ("name Anna Lee", "confirmation"),
        ("seek nibble", "open_game"),
        ("tournaments", "tournaments"),
        ("rules nibble", "rules"),
        ("data", "own_data"),
    ],
)
def test_account_command_is_carried_out_in_a_reply(table: TwoPlayerGame, text: str, letter: str) -> None:
    lines = ("Hello,", "", text.format(other=table.players[1].name), "", "Thanks!")
    assert letter in [each.letter for each in reply(table, *lines)]
    assert ending(table.services)[0] == "done"


@pytest.mark.parametrize(
    "text", ["games", "login", "challenge Enkidu nibble", "seek nibble time=1d", "watch 1x"]
)
def test_account_command_may_stand_beside_a_move(table: TwoPlayerGame, text: str) -> None:
    reply(table, "c3", text)
    assert moves(table) == ["c3"]


@pytest.mark.parametrize(
    "line", ["Watch this!", "Who knows.", "Name of the game.", "Open lines.", "Start of a nice game.", "Data"]
)
@pytest.mark.parametrize("above", [True, False])
def test_sentence_beside_a_move_is_no_account_command(table: TwoPlayerGame, line: str, above: bool) -> None:
    """Each line begins with a command, but is a message to the other player."""
    before = name(table)
    reply(table, *([line, "", "c3"] if above and line != "Data" else ["c3", "", line]))
    assert moves(table) == ["c3"]
    assert name(table) == before


def test_sentence_beside_a_game_command_is_no_account_command(table: TwoPlayerGame) -> None:
    before = name(table)
    (letter,) = reply(table, "Name Olympia", "resign")
    assert ending(table.services) == ("refused", "Unclear")
    assert "“name Olympia” may be a command" in letter.words
    assert (name(table), table.game().state) == (before, "running")


@pytest.mark.parametrize("line", ["name Dora", "name Jörg", "block Ben", "digest daily", "vacation until soon"])
def test_account_command_below_a_move_is_not_taken_for_a_message(table: TwoPlayerGame, line: str) -> None:
    (letter,) = reply(table, "c3", line, "say Hi!")
    assert ending(table.services) == ("refused", "Unclear")
    assert f"“{line}” may be a command" in letter.words
    assert moves(table) == []


@pytest.mark.parametrize("days", ["Monday to Friday", "5d", "2026-12-20 to 2027-01-03"])
def test_vacation_below_a_move_is_announced(table: TwoPlayerGame, days: str) -> None:
    caused = reply(table, "c3", f"vacation {days}", "say Hope you are well!")
    assert ending(table.services) == ("done", "move, vacation, say")
    assert "Hope you are well!" in to_player(table.players[1], caused).words


@pytest.mark.parametrize("line", ["name your price", "time flies", "vacation was great", "zone defense, then"])
def test_ordinary_words_below_a_move_are_no_account_command(table: TwoPlayerGame, line: str) -> None:
    reply(table, "c3", line)
    assert moves(table) == ["c3"]
    assert ending(table.services) == ("done", "move")


def test_reply_is_carried_out_completely_or_not_at_all(table: TwoPlayerGame) -> None:
    reply(table, "c3", "join 99")
    assert ending(table.services) == ("refused", "NotYours")
    assert moves(table) == []


def test_command_that_fits_the_game_is_about_it(table: TwoPlayerGame) -> None:
    (letter,) = reply(table, "rules")
    assert "Nebuchadnezzar" in letter.words
    caused = reply(table, "say Good luck!")
    assert "Good luck!" in to_player(table.players[1], caused).words


def test_known_commands_are_not_reported_as_unknown(table: TwoPlayerGame) -> None:
    """A command with a mistake is still a command, in a reply as well."""
    for text in {*ACCOUNT.values(), *(word.word for word in PLAIN)} - {"hello"}:
        for letter in reply(table, text):
            assert "neither a move nor a command" not in letter.words, text


def test_number_names_the_invitation_to_accept(table: TwoPlayerGame) -> None:
    services = table.services
    other = write(services, table.players[1], f"challenge {table.players[0].name} nibble")
    assert other
    reply(table, "accept 2")
    assert ending(services)[0] == "done"
    with reading(services.engine) as session:
        assert session.get_one(Game, 2).state == "running"


def test_resignation_in_prose_is_asked_about(table: TwoPlayerGame) -> None:
    (letter,) = reply(table, "I give up")
    assert ending(table.services) == ("refused", "NotUnderstood")
    assert table.game().state == "running"
    answers = f"In-Reply-To: {letter.mail['Message-ID']}\r\n"
    receive(table.services, table.players[0].email, str(letter.mail["Reply-To"]), "yes", answers)
    assert table.game().state == "over"
