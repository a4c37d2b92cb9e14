"""A confirmation has the subject and the page of its game, its tournament, or the settings."""

from __future__ import annotations

import pytest

from server.processes.services import Services
from server.store.models import Player
from tests.support.server.emails import Written, letters, receive, reply_address, to_player, write
from tests.support.server.games import TwoPlayerGame

_GAME = "Nebuchadnezzar 1: Ann - Ben"


def reply(table: TwoPlayerGame, text: str) -> Written:
    """Reply as the first player; return the last email to this player."""
    first, to = table.players[0], reply_address(table.services, table.number, 0)
    return to_player(first, write(table.services, first, text, to=to))


def last_link(answer: Written) -> str:
    """Return the last link above the foot of an email."""
    return answer.text.partition("\r\n--")[0].splitlines()[-1].replace("http://127.0.0.1:8000", "")


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("notify off", "Open the board: /games/1"),
        ("mute 3d", "Open the board: /games/1"),
        ("words drop", "Open your settings: /settings"),
    ],
)
def test_reply_about_a_game(table: TwoPlayerGame, text: str, page: str) -> None:
    answer = reply(table, text)
    assert (answer.letter, answer.mail["Subject"], last_link(answer)) == ("confirmation", _GAME, page)


def test_setting(services: Services, ann: Player) -> None:
    (answer,) = write(services, ann, "name Anna")
    assert (answer.mail["Subject"], last_link(answer)) == ("Done", "Open your settings: /settings")


def test_change_that_waits_is_not_saved(services: Services, ann: Player) -> None:
    """The address that is asked gets only the question."""
    (question,) = write(services, ann, "delete")
    assert question.mail["Subject"] == "Please confirm"
    here, there = sorted(write(services, ann, "address main new@example.org"), key=lambda each: each.to)
    assert here.mail["Subject"] == there.mail["Subject"] == "Please confirm"
    assert (here.to, there.to) == (ann.email, "new@example.org")
    assert (
        "new@example.org has to confirm this first, which it cannot if it belongs to another player. Then your "
        "email goes there as soon as you confirm it here too; if you do not answer, it goes there from "
        in here.words
    )
    answers = write(services, ann, "address add other@example.org")
    assert {each.to: each.mail["Subject"] for each in answers} == {
        "other@example.org": "Please confirm",
        ann.email: "Waiting for confirmation",
    }


def test_deleted_account_has_no_settings(services: Services, ann: Player) -> None:
    (question,) = write(services, ann, "delete")
    answers = f"In-Reply-To: {question.mail['Message-ID']}\r\n"
    receive(services, ann.email, str(question.mail["Reply-To"]), "yes", answers)
    (answer,) = letters(services)
    assert "Your account is deleted." in answer.words
    assert last_link(answer) == "Open Nabu: /"


def test_reply_to_a_confirmation_is_a_reply_about_the_game(table: TwoPlayerGame) -> None:
    reply(table, "c3\n\nThis may be my last game before the holidays.")
    sent = reply(table, "send")
    assert (sent.letter, sent.mail["Subject"]) == ("confirmation", _GAME)
    assert f"Your message has been sent to {table.players[1].name}." in sent.words
    (board,) = write(table.services, table.players[0], "show", to=str(sent.mail["Reply-To"]))
    assert (board.letter, board.mail["Subject"]) == ("show", _GAME)


@pytest.mark.parametrize("text", ["watch 1", "say 1 What a pair!"])
def test_email_of_a_spectator(table: TwoPlayerGame, cleo: Player, text: str) -> None:
    (answer,) = write(table.services, cleo, text)
    assert (answer.letter, answer.mail["Subject"]) == ("confirmation", "Nebuchadnezzar 1")
    assert last_link(answer) == "Open the board: /games/1"


def test_leaving_an_open_game(services: Services, ann: Player, ben: Player) -> None:
    write(services, ann, "seek nexus players=3")
    write(services, ben, "join 1")
    stays, closed = write(services, ben, "leave 1")[-1], write(services, ann, "leave 1")[-1]
    assert stays.mail["Subject"] == closed.mail["Subject"] == "NEXUS und Rabauken 1"
    assert [last_link(stays), last_link(closed)] == ["Open the board: /games/1", "Open the lobby: /lobby"]


def test_tournament(services: Services, ann: Player) -> None:
    write(services, ann, "tournament Spring Cup nibble")
    for text in ("join tournament 1", "leave tournament 1", "cancel tournament 1"):
        (answer,) = write(services, ann, text)
        assert answer.mail["Subject"] == "Ann’s tournament “Spring Cup”, number 1"
    assert "You have cancelled tournament 1, Spring Cup." in answer.words
