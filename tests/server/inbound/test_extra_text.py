"""Text beside a move: Nabu asks about it, sends it or discards it, as its writer has chosen."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlmodel import select

from server.game.messages import extra_text
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Ban, GameMessage, Player, Seat
from tests.support.server.emails import receive
from tests.support.server.games import TwoPlayerGame, reply, to_seat
from tests.support.web.client import logged_in, readable

SORRY = "Sorry for the wait!"


def seat_of(table: TwoPlayerGame, seat: int) -> Seat:
    with reading(table.services.engine) as session:
        return session.get_one(Seat, (table.number, seat))


def kept(table: TwoPlayerGame, seat: int) -> str:
    return extra_text.pending_text(table.services.sealer, seat_of(table, seat))


def choose(table: TwoPlayerGame, seat: int, text: str) -> None:
    (answer,) = receive(table.services, table.players[seat].email, "play@games.example.org", text)
    assert answer.letter == "confirmation"


def test_extra_text_is_shown_only_to_its_writer(table: TwoPlayerGame) -> None:
    letters = reply(table, 0, f"Hi,\r\n\r\nc3\r\n\r\n{SORRY}\r\n\r\nCheers,\r\nAnn")
    (mine,), theirs = to_seat(letters, table, 0), to_seat(letters, table, 1)
    other = table.players[1].name
    assert f"Your message below has not been sent to {other}. Reply “send” to send it." in mine.words
    assert f"| {SORRY}" in mine.text
    assert SORRY in mine.html
    assert "Cheers" not in mine.text
    assert mine.words.startswith("##- write your move above this line -## Read: “c3”.")
    assert [SORRY in letter.text for letter in theirs] == [False]
    assert kept(table, 0) == SORRY
    assert SORRY.encode() not in (seat_of(table, 0).sealed_words or b"")


def test_send_sends_extra_text_once(table: TwoPlayerGame) -> None:
    reply(table, 0, f"c3\r\n\r\n{SORRY}")
    letters = reply(table, 0, "send")
    assert [letter.letter for letter in to_seat(letters, table, 1)] == ["message"]
    assert SORRY in to_seat(letters, table, 1)[0].text
    assert "has been sent to" in to_seat(letters, table, 0)[0].words
    (again,) = reply(table, 0, "send")
    assert "You have no extra text to send" in again.words


def test_drop_deletes_extra_text_and_newer_text_replaces_it(table: TwoPlayerGame) -> None:
    reply(table, 0, "c3\r\n\r\nFirst words")
    reply(table, 0, "show\r\n\r\nOther words")
    assert kept(table, 0) == "Other words"
    (answer,) = reply(table, 0, "drop")
    assert "has been discarded" in answer.words
    assert kept(table, 0) == ""


@pytest.mark.parametrize("word", ["send", "drop", "yes"])
def test_answer_to_an_earlier_question_keeps_later_text(table: TwoPlayerGame, word: str) -> None:
    with writing(table.services.engine) as session:
        session.get_one(Player, table.players[0].id).mail_stopped = True
    (asked,) = to_seat(reply(table, 0, f"c3\r\n\r\n{SORRY}"), table, 0)
    reply(table, 0, "show\r\n\r\nJane Doe Ltd, Main Street")
    answers = f"In-Reply-To: {asked.mail['Message-ID']}\r\n"
    address = str(asked.mail["Reply-To"])
    letters = receive(table.services, table.players[0].email, address, word, answers)
    assert "You have written other text since" in letters[0].words
    assert kept(table, 0) == "Jane Doe Ltd, Main Street"


def test_end_of_the_game_deletes_extra_text(table: TwoPlayerGame) -> None:
    reply(table, 0, "c3\r\n\r\nFirst words")
    reply(table, 1, "resign")
    assert kept(table, 0) == ""


def test_preference_sends_extra_text_with_the_move(table: TwoPlayerGame) -> None:
    choose(table, 0, "words send")
    letters = reply(table, 0, f"c3, nice game\r\n\r\n{SORRY}")
    (mine,), (theirs,) = to_seat(letters, table, 0), to_seat(letters, table, 1)
    assert "nice game" in theirs.text
    assert SORRY in theirs.text
    assert "Your message below" not in mine.words
    assert kept(table, 0) == ""


def test_preference_sends_text_without_a_move(table: TwoPlayerGame) -> None:
    choose(table, 0, "words send")
    letters = reply(table, 0, f"show\r\n\r\n{SORRY}")
    assert [letter.letter for letter in to_seat(letters, table, 1)] == ["message"]


@pytest.mark.parametrize("text", ["words send\r\n\r\n{}", "words send\r\nc3\r\n\r\n{}"])
def test_text_beside_the_words_command_is_asked_about(table: TwoPlayerGame, text: str) -> None:
    """The text may be a signature, or meant for the server."""
    letters = reply(table, 0, text.format("I always want that."))
    assert "I always want that." not in "".join(letter.text for letter in to_seat(letters, table, 1))
    assert kept(table, 0) == "I always want that."


def test_preference_deletes_extra_text(table: TwoPlayerGame) -> None:
    choose(table, 0, "words drop")
    letters = reply(table, 0, f"c3\r\n\r\n{SORRY}")
    assert not any(SORRY in letter.text for letter in letters)
    assert kept(table, 0) == ""


def test_question_is_sent_separately_if_no_other_email_follows(table: TwoPlayerGame) -> None:
    """The player wants no emails except answers."""
    with writing(table.services.engine) as session:
        session.get_one(Player, table.players[0].id).mail_stopped = True
    (mine,) = to_seat(reply(table, 0, f"c3\r\n\r\n{SORRY}"), table, 0)
    assert mine.letter == "beside"
    assert f"| {SORRY}" in mine.text
    assert to_seat(reply(table, 1, "d4"), table, 0) == []


def test_mere_greeting_is_not_asked_about(table: TwoPlayerGame) -> None:
    (mine,) = to_seat(reply(table, 0, "Hi Ben,\r\n\r\nc3 please\r\n\r\nBest regards\r\nAnn"), table, 0)
    assert "Your message below" not in mine.words
    assert "Read: “c3”." in mine.words


@pytest.mark.parametrize("line", ["Hi Ben, nice game!", "Hallo Ben, viel Glück!", "Hi, I won", "Hey sorry!"])
def test_greeting_with_more_text_is_asked_about(table: TwoPlayerGame, line: str) -> None:
    (mine,) = to_seat(reply(table, 0, f"c3\r\n\r\n{line}"), table, 0)
    assert "Your message below" in mine.words
    assert line in mine.text


@pytest.mark.parametrize("line", ["Hi, Ben", "hi ben!", "Hi Nora,", "Guten Tag Frau Müller,", "Hallo!"])
def test_greeting_with_or_without_a_name_is_not_asked_about(table: TwoPlayerGame, line: str) -> None:
    assert to_seat(reply(table, 0, f"c3\r\n\r\n{line}"), table, 0) == []


def test_refused_email_keeps_no_extra_text(table: TwoPlayerGame) -> None:
    reply(table, 0, f"z9\r\n\r\n{SORRY}")
    assert kept(table, 0) == ""


def test_page_shows_extra_text_with_two_buttons(table: TwoPlayerGame, app: Flask) -> None:
    reply(table, 0, f"c3\r\n\r\n{SORRY}")
    browsers = [logged_in(app, table.services, player) for player in table.players]
    page = browsers[0].text(f"/games/{table.number}")
    assert f"It has not been sent to {table.players[1].name}: {SORRY} Send it Discard it" in page
    assert SORRY not in browsers[1].text(f"/games/{table.number}")
    browsers[0].send(f"/games/{table.number}/send")
    assert SORRY in browsers[1].text(f"/games/{table.number}")
    assert "Discard it" not in browsers[0].text(f"/games/{table.number}")
    assert "You have no extra text to send" in readable(browsers[0].send(f"/games/{table.number}/drop"))
    reply(table, 1, "d4\r\n\r\nSecret words")
    page = readable(browsers[1].send(f"/games/{table.number}/send", seen="Words\r\nof before"))
    assert "You have written other text since" in page
    browsers[1].send(f"/games/{table.number}/drop")
    assert kept(table, 1) == ""


def test_extra_text_waits_until_all_have_accepted(services: Services) -> None:
    receive(services, "ann@example.org", "play@games.example.org", "register Ann")
    receive(services, "ben@example.org", "play@games.example.org", "register Ben")
    letters = receive(services, "ann@example.org", "play@games.example.org", "challenge Ben nibble\r\nluck")
    mine = next(letter for letter in letters if letter.to == "ann@example.org")
    address = str(mine.mail["Reply-To"])
    (answer,) = (
        letter
        for letter in receive(services, "ann@example.org", address, "luck seven\r\n\r\nHe is my uncle.")
        if letter.to == "ann@example.org"
    )
    assert "when everyone has accepted" in answer.words
    assert "| He is my uncle." in answer.text


@pytest.mark.parametrize("way", ["ask", "send"])
@pytest.mark.parametrize(
    "text", ["c3\n\n{}", "c3\nsay {}", "c3\ntell {other} {}"], ids=["beside", "say", "tell"]
)
def test_extra_text_of_suspended_players_is_not_sent(table: TwoPlayerGame, way: str, text: str) -> None:
    choose(table, 0, f"words {way}")
    with writing(table.services.engine) as session:
        why = "They were rude."
        session.add(Ban(player_id=table.players[0].id or 0, since=table.services.now(), why=why))
    letters = reply(table, 0, text.format(SORRY, other=table.players[1].name))
    assert table.game().turn == 2
    (mine,), theirs = to_seat(letters, table, 0), to_seat(letters, table, 1)
    assert "Your message below has not been sent. You are suspended" in mine.words
    assert f"The administrator's reason: {why}" in mine.words
    assert SORRY in mine.words
    assert all(SORRY not in each.words for each in theirs)
    assert kept(table, 0) == ""
    with reading(table.services.engine) as session:
        assert session.exec(select(GameMessage)).all() == []


@pytest.mark.parametrize("text", ["say {}", "tell {other} {}"])
def test_text_of_suspended_players_without_a_move_is_refused(table: TwoPlayerGame, text: str) -> None:
    with writing(table.services.engine) as session:
        session.add(Ban(player_id=table.players[0].id or 0, since=table.services.now(), why="They were rude."))
    (answer,) = reply(table, 0, text.format(SORRY, other=table.players[1].name))
    assert answer.letter == "refusal"
    assert "You are suspended" in answer.words


def test_empty_message_below_a_move_is_mentioned(table: TwoPlayerGame) -> None:
    (mine,) = to_seat(reply(table, 0, "c3\nsay"), table, 0)
    assert table.game().turn == 2
    assert "No message was sent: there is no text after “say”. Everything else" in mine.words


@pytest.mark.parametrize("closing", ["Kind regards, {}", "Viele Grüße {}", "Best,\n{}", "Best wishes,\nJörg"])
def test_closing_with_a_name_is_no_message(table: TwoPlayerGame, closing: str) -> None:
    text = closing.format(table.players[0].name)
    assert to_seat(reply(table, 0, f"c3\n\n{text}"), table, 0) == []
    assert kept(table, 0) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Kind regards, Remis?",
        "Mit freundlichen Grüßen, Remis",
        "Gruß Aufgabe",
        "Regards, Surrender",
        "Best, Tomorrow",
        "Viele Grüße Gute Besserung",
        "Best Opening Ever",
        "Greetings From Rome",
        "Hi we moved house",
        "Gruß Jörg",
        "Kind regards,\nRemis?",
        "Kind regards,\nRemis",
        "Regards,\nSurrender",
    ],
)
def test_message_below_or_after_a_closing_is_kept(table: TwoPlayerGame, text: str) -> None:
    (mine, *_) = to_seat(reply(table, 0, f"c3\n\n{text}"), table, 0)
    assert "Your message below has not been sent" in mine.words
    assert text.splitlines()[-1] in kept(table, 0)
