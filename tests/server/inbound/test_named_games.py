"""Replies that lost both the reply address and the answered email: Nabu asks for which game they are."""

from __future__ import annotations

import pytest

from server.processes.services import Services
from tests.support.server.emails import PLAY, Written, receive
from tests.support.server.games import TwoPlayerGame, begin, mover

_TITLE = "Nebuchadnezzar"


class Gateway:
    """The player to move in two games, behind a gateway that drops all references."""

    def __init__(self, table: TwoPlayerGame) -> None:
        self.table, self.services = table, table.services
        self.address = mover(table)[1]

    def write(self, text: str, subject: str = "", quoted: Written | None = None) -> Written:
        """Return the answer to an email to the plain address."""
        quote = "".join(f"> {line}\n" for line in quoted.text.splitlines()) if quoted else ""
        letters = receive(self.services, self.address, PLAY, f"{text}\n\n{quote}", subject=subject)
        return next(letter for letter in letters if letter.to == self.address)

    @property
    def turn(self) -> int:
        return self.table.game().turn


@pytest.fixture
def gateway(table: TwoPlayerGame) -> Gateway:
    begin(table.services, "nebuchadnezzar", *table.players, size=5)
    return Gateway(table)


@pytest.mark.parametrize(
    "subject", ["Re: Your move: {title} {number} with Ben, turn 1", "AW: {title} {number}: Ann - Ben"]
)
def test_move_for_a_named_game_is_played_after_a_yes(gateway: Gateway, subject: str) -> None:
    subject = subject.format(title=_TITLE, number=gateway.table.number)
    asked = gateway.write("c3", subject)
    assert f"Was this for game {gateway.table.number}, {_TITLE} with " in asked.words
    assert "Did you mean this? Then answer “yes”, or write: #1 c3" in asked.words
    assert gateway.turn == 1
    fields = f"In-Reply-To: {asked.mail['Message-ID']}\r\n"
    receive(gateway.services, gateway.address, PLAY, "yes", fields)
    assert gateway.turn == 2
    receive(gateway.services, gateway.address, PLAY, "yes", fields)
    assert gateway.turn == 2


def test_yes_is_recognized_by_its_quote(gateway: Gateway) -> None:
    asked = gateway.write("c3\nsay Good evening to you", f"Re: {_TITLE} {gateway.table.number}")
    unclear = gateway.write("yes", "Re: Nabu could not do that")
    assert (unclear.letter, gateway.turn) == ("refusal_account", 1)
    gateway.write("d3", f"Re: {_TITLE} {gateway.table.number}")
    other = gateway.write("yes", "Re: Nabu could not do that", asked)
    assert (other.letter, gateway.turn) == ("refusal_account", 1)
    asked = gateway.write("c3\nsay Good evening to you", f"Re: {_TITLE} {gateway.table.number}")
    assert "say 1 Good evening to you" in asked.words
    receive(gateway.services, gateway.address, PLAY, f"yes\n\n> {asked.text.replace(chr(10), chr(10) + '> ')}")
    assert gateway.turn == 2


def test_quote_names_the_game(gateway: Gateway) -> None:
    (shown,) = receive(gateway.services, gateway.address, mover(gateway.table)[2], "show")
    asked = gateway.write("c3", "Re", shown)
    assert "Was this for game 1, " in asked.words
    assert gateway.turn == 1


def test_move_is_asked_about_even_if_it_fits_in_one_game(table: TwoPlayerGame) -> None:
    """It may answer an email about an earlier turn."""
    gateway = Gateway(table)
    asked = gateway.write("c3", f"Re: {_TITLE} 1: Ann - Ben")
    assert "Was this for game 1, " in asked.words
    assert gateway.turn == 1
    receive(gateway.services, gateway.address, PLAY, "c3")
    assert gateway.turn == 2


def test_command_is_asked_about_unless_it_fits_only_that_game(gateway: Gateway) -> None:
    asked = gateway.write("resign", f"Re: {_TITLE} 1: Ann - Ben")
    assert "or write: resign 1" in asked.words
    assert gateway.table.game().state == "running"
    fields = f"In-Reply-To: {asked.mail['Message-ID']}\r\n"
    receive(gateway.services, gateway.address, PLAY, "yes", fields)
    assert gateway.table.game().state == "over"
    asked = gateway.write("resign", f"Re: {_TITLE} 1: Ann - Ben")
    assert "Was this for game 1, " in asked.words
    gateway.write("resign", f"Re: {_TITLE} 2: Ann - Ben")
    assert TwoPlayerGame.of(gateway.services, 2).game().state == "over"


def test_move_that_is_not_possible_there_is_not_offered(gateway: Gateway) -> None:
    gateway.table.submit(mover(gateway.table)[0], "c3")
    asked = gateway.write("c3", f"Re: {_TITLE} 1: Ann - Ben")
    assert "Was this for game 1, " in asked.words
    assert "It is not your turn in game 1" in asked.words
    assert "yes" not in asked.words


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("c3", "Re"),
        ("c3", f"Re: {_TITLE} 999: Ann - Ben"),
        ("c3", "Re: Nibble 1: Ann - Ben"),
        ("c3", f"{_TITLE} 1 and {_TITLE} 2"),
        ("c3", f"Re: {_TITLE} 3.5"),
    ],
)
def test_answer_lists_the_senders_games_unless_the_subject_names_exactly_one(
    gateway: Gateway, text: str, subject: str
) -> None:
    asked = gateway.write(text, subject)
    assert "Add the number of the game for “c3”: 2 (" in asked.words or "1 (" in asked.words
    assert gateway.turn == 1


def test_games_of_others_are_not_named(services: Services, gateway: Gateway) -> None:
    (letter,) = receive(services, "stranger@work.example", PLAY, "c3", subject=f"Re: {_TITLE} 1: Ann - Ben")
    assert "Was this for game" not in letter.words
    assert gateway.turn == 1


def test_number_in_the_text_takes_precedence_over_the_subject(gateway: Gateway) -> None:
    receive(gateway.services, gateway.address, PLAY, "1 c3", subject=f"Re: {_TITLE} 2: Ann - Ben")
    assert gateway.turn == 2
