"""Whole games, played by people who use only email."""

from __future__ import annotations

import json
from typing import Any

import pytest

from server.settings import Settings
from tests.support.e2e.games_of_two import Make, begin_by_email, sit_down, stored_game
from tests.support.e2e.mailboxes import World, html_of, text_of, words_of
from tests.support.folders import RECORDS


def play_by_mail(person: Make, settings: Settings, record: dict[str, Any]) -> None:
    """Play a recorded game on a small board, move by move, to its end."""
    people = begin_by_email(person, "nebuchadnezzar", "size=5")
    for turn in record["turns"]:
        who, mail = people[turn["seat"]]
        who.answer(mail, turn["move"])
        people = [(one, one.next()) for one, _ in people]
    game, turns = stored_game(settings)
    assert (game.state, game.result) == ("over", record["result"])
    assert [turn.body["line"] for turn in turns] == record["turns"]


@pytest.mark.long
def test_nelaxtam_is_played_from_invasion_to_end(person: Make, settings: Settings) -> None:
    record = json.loads((RECORDS / "nelaxtam-sample-0003.json").read_text())
    people = begin_by_email(person, "nelaxtam")
    for turn in record["turns"]:
        mails = []
        for seat, (who, mail) in enumerate(people):
            who.answer(mail, turn["orders"][str(seat)].replace(", ", "\n"))
            if seat == 0:
                assert "sealed" in text_of(who.next())
        mails = [who.next() for who, _ in people]
        people = [(who, mail) for (who, _), mail in zip(people, mails, strict=True)]
    game, turns = stored_game(settings)
    assert game.result == record["result"]
    assert [turn.body["line"] for turn in turns] == record["turns"]
    assert all("The game is over" in text_of(mail) for _, mail in people)


def test_nebuchadnezzar_is_played_with_swap_flips_and_end(person: Make, settings: Settings) -> None:
    record = json.loads((RECORDS / "nebuchadnezzar-sample-0003.json").read_text())
    assert {turn["move"][0] for turn in record["turns"]} >= {"s", "x"}
    play_by_mail(person, settings, record)


def test_all_emails_of_a_game_are_in_one_thread(person: Make, world: World) -> None:
    people = begin_by_email(person, "nebuchadnezzar", "size=5")
    people[0][0].answer(people[0][1], "c3")
    for who, _ in people:
        who.next()
    for who, first in people:
        mails = [mail for mail in world.mails_to(who.address) if mail["Subject"] == first["Subject"]]
        roots = {str(mail["References"]).split()[0] for mail in mails}
        assert len(mails) >= 2
        assert len(roots) == 1
        assert all(mail["Auto-Submitted"] == "auto-generated" for mail in mails)
        assert all("mailto:" in str(mail["List-Unsubscribe"]) for mail in mails)


def test_illegal_move_is_answered_and_not_played(person: Make, settings: Settings) -> None:
    (who, mail), _ = sit_down(person, settings, "nebuchadnezzar", size=5)
    for text, expected in (
        ("z9", "z9"),
        ("c3 or d4?", "neither a move nor a command"),
        ("", "looks quoted"),
        ("I would rather not play\nc3", "I would rather not play"),
        ("c3\nd4", "c3"),
    ):
        who.answer(mail, text)
        answer = who.next()
        assert expected in words_of(answer), text
        assert "Nothing was played" in text_of(answer), text
        assert "<table" in html_of(answer), text
        assert stored_game(settings)[0].turn == 1, text
        mail = answer
    who.answer(mail, "c3")
    assert "Turn 2. " in text_of(who.next())


def test_email_that_arrives_twice_is_one_move(person: Make, settings: Settings) -> None:
    people = sit_down(person, settings, "nebuchadnezzar", size=5)
    who, mail = people[0]
    sent = who.answer(mail, "c3")
    who.send(sent)
    reports = [one.next() for one, _ in people]
    other = people[1][0]
    other.answer(reports[1], "swap")
    who.next()
    _, turns = stored_game(settings)
    assert len(turns) == 2
    assert len(who.world.mails_to(who.address)) == who.read


def test_answer_to_an_old_turn_is_not_played(person: Make, settings: Settings) -> None:
    (first, mail), (second, _) = sit_down(person, settings, "nebuchadnezzar", size=5)
    first.answer(mail, "c3")
    first.next()
    second.answer(second.next(), "a1")
    first.next()
    first.answer(mail, "e5")
    answer = text_of(first.next())
    assert "This answers turn 1, but it is now turn 3" in answer
    assert "a  b  c  d  e" in answer
    assert stored_game(settings)[0].turn == 3


def test_preview_shows_the_board_and_plays_nothing(person: Make, settings: Settings) -> None:
    (who, mail), _ = sit_down(person, settings, "nebuchadnezzar", size=5)
    who.answer(mail, "? c3")
    answer = text_of(who.next())
    assert "nothing has been played" in answer
    assert "[b]" in answer
    assert stored_game(settings)[0].turn == 1


def test_preview_of_orders_shows_their_result_and_plays_nothing(person: Make, settings: Settings) -> None:
    (who, mail), _ = sit_down(person, settings, "nelaxtam", troops=2)
    who.answer(mail, "? 1 d12\n2 a1")
    answer = text_of(who.next())
    assert "Result of these orders" in answer
    assert stored_game(settings)[0].turn == 1


def test_email_from_another_address_moves_nothing(person: Make, settings: Settings) -> None:
    (who, mail), _ = sit_down(person, settings, "nebuchadnezzar", size=5)
    thief = person("eve@example.org")
    thief.answer(mail, "c3")
    warning = text_of(who.next())
    assert "eve@example.org" in warning
    assert stored_game(settings)[0].turn == 1
    assert who.world.mails_to(thief.address) == []


def test_email_from_another_address_is_played_after_confirmation(person: Make, settings: Settings) -> None:
    (who, mail), _ = sit_down(person, settings, "nebuchadnezzar", size=5)
    elsewhere = person("office@example.com")
    elsewhere.answer(mail, "c3")
    question = who.next()
    assert "| c3" in text_of(question)
    person("eve@example.org").answer(question, "confirm")
    who.answer(question, "Confirm.")
    report = who.next()
    assert "Turn 2" in text_of(report)
    assert len(stored_game(settings)[1]) == 1


def test_confirm_always_lets_the_address_send_moves(person: Make, settings: Settings) -> None:
    (who, mail), (other, _) = sit_down(person, settings, "nebuchadnezzar", size=5)
    elsewhere = person("office@example.com")
    elsewhere.answer(mail, "c3")
    who.answer(who.next(), "confirm always")
    told = [text_of(who.next()) for _ in range(2)]
    assert any("Moves from office@example.com now count as yours." in text for text in told)
    other.answer(other.next(), "a1")
    elsewhere.answer(who.next(), "e5")
    assert "Turn 4" in text_of(who.next())
    assert len(stored_game(settings)[1]) == 3


def test_questions_are_answered(person: Make, settings: Settings) -> None:
    (who, mail), _ = sit_down(person, settings, "nebuchadnezzar", size=5)
    for command, expected in (
        ("show", "Turn 1. You are"),
        ("history", "No turns have been played"),
        ("moves", "a1 | "),
        ("rules", "Nebuchadnezzar"),
        ("help", "resign"),
    ):
        who.answer(mail, command)
        assert expected in text_of(who.next()), command


def test_player_resigns_by_email(person: Make, settings: Settings) -> None:
    (who, mail), (other, _) = sit_down(person, settings, "nebuchadnezzar", size=5)
    who.answer(mail, "resign")
    assert "resigned" in text_of(other.next())
    assert stored_game(settings)[0].result == {"winners": [1], "reason": "resigned"}


def test_message_reaches_the_opponent_with_the_move(person: Make, settings: Settings) -> None:
    (who, mail), (other, _) = sit_down(person, settings, "nebuchadnezzar", size=5)
    who.answer(mail, "c3\nsay Good luck!\nFrom: here on it is war.")
    report = text_of(other.next())
    assert "Good luck!" in report
    assert "From: here on it is war." in report
    assert "Your move." in report
    assert "Turn 2. You are" in report


def test_declining_ends_the_invitation(person: Make) -> None:
    ann, ben = person("ann@example.org"), person("ben@example.org")
    ann.write("register Ann")
    ann.next()
    ann.write("challenge ben@example.org nelaxtam")
    ann.next()
    ben.answer(ben.next(), "decline")
    assert "ben@example.org declined" in text_of(ann.next())
    assert "You have declined" in text_of(ben.next())


def test_challenge_is_withdrawn_by_email_to_the_plain_address(person: Make) -> None:
    ann, ben = person("ann@example.org"), person("ben@example.org")
    ann.write("register Ann")
    ann.next()
    ann.write("challenge ben@example.org nelaxtam")
    number = str(ann.next()["Subject"]).split()[1].rstrip(":")
    ben.next()
    ann.write(f"decline {number}")
    assert "You have declined" in text_of(ann.next())
    assert "Ann declined" in text_of(ben.next())


def test_draw_offer_is_confirmed_and_can_be_accepted(person: Make, settings: Settings) -> None:
    (who, mail), (other, _) = sit_down(person, settings, "nebuchadnezzar", size=5)
    who.answer(mail, "draw")
    assert "You have offered a draw" in text_of(who.next())
    other.answer(other.next(), "draw")
    assert all(
        "The game is a draw, as agreed." in " ".join(text_of(one.next()).split()) for one in (who, other)
    )
    assert stored_game(settings)[0].result == {"winners": [0, 1], "reason": "agreed-draw"}


def test_rules_arrive_in_the_games_thread_and_can_be_answered_with_a_move(
    person: Make, settings: Settings
) -> None:
    (who, mail), _ = sit_down(person, settings, "nebuchadnezzar", size=5)
    who.answer(mail, "rules")
    page = who.next()
    assert page["Subject"] == mail["Subject"]
    who.answer(page, "c3")
    assert "Turn 2. " in text_of(who.next())
    assert stored_game(settings)[0].turn == 2


def test_rules_of_an_unknown_game_are_refused(person: Make, settings: Settings) -> None:
    (who, mail), _ = sit_down(person, settings, "nebuchadnezzar", size=5)
    who.answer(mail, "rules chess")
    assert "There is no game called “chess”" in " ".join(text_of(who.next()).split())


def test_wrong_requests_are_answered_with_the_right_form(person: Make) -> None:
    ann = person("ann@example.org")
    ann.write("register Ann")
    ann.next()
    for text, expected in (
        ("challenge ben@example.org chess", "nelaxtam"),
        ("challenge nelaxtam", "Who do you want"),
        ("challenge ben@example.org nelaxtam size=11", "size"),
        ("challenge ben@example.org nelaxtam colour=red", "colour"),
        ("challenge nobody nelaxtam", "no player called “nobody”"),
        ("hullo there", "hullo there"),
        ("accept 99", "99"),
    ):
        ann.write(text)
        assert expected in text_of(ann.next()), text


def test_stranger_gets_one_answer_a_day(person: Make, world: World) -> None:
    eve = person("eve@example.org")
    eve.write("games")
    assert "register NAME" in text_of(eve.next())
    eve.write("games, please")
    eve.write("register Eve")
    assert "Welcome" in str(eve.next()["Subject"])
    assert len(world.mails_to(eve.address)) == 2


def test_stop_ends_all_emails_except_answers(person: Make, settings: Settings) -> None:
    (first, mail), (second, _) = sit_down(person, settings, "nebuchadnezzar", size=5)
    second.write("stop")
    assert "no more email" in text_of(second.next())
    first.answer(mail, "c3")
    first.next()
    second.write("games")
    assert "Turn 2: your move" in text_of(second.next())
