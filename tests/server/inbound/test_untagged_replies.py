"""Replies and bounces to the plain address: the Message-ID that they answer identifies the game."""

from __future__ import annotations

import email
from datetime import timedelta

import pytest
from sqlmodel import col, select

from mail.incoming.receiving import Received
from server.accounts import bounces
from server.game.log import log
from server.game.play import target
from server.jobs import retention
from server.store.db import reading, writing
from server.store.models import Game, Inbox, Outbox, Player
from server.store.tokens import ReplyToken
from tests.support.mail.bounces import return_path
from tests.support.server.emails import PLAY, Written, receive
from tests.support.server.games import TwoPlayerGame
from tests.support.server.players import mail_every_turn
from tests.support.server.services import Clock


def last_mail(table: TwoPlayerGame, seat: int) -> str:
    """Return the Message-ID of the last email to a player."""
    with reading(table.services.engine) as session:
        query = select(Outbox).where(Outbox.recipient == table.players[seat].email)
        row = session.exec(query.order_by(col(Outbox.id).desc())).first()
        assert row is not None
        raw = table.services.delivery().writer.write(session, row)
    return str(email.message_from_bytes(raw)["Message-ID"]).strip()


def answer(table: TwoPlayerGame, fields: str, text: str, sender: str = "") -> list[Written]:
    """Receive an email to the plain address from the first player, or another sender."""
    return receive(table.services, sender or table.players[0].email, PLAY, text, fields)


def ending(table: TwoPlayerGame) -> tuple[str, str]:
    with reading(table.services.engine) as session:
        row = session.exec(select(Inbox).order_by(col(Inbox.id).desc())).first()
        assert row is not None
        return row.state, row.why


def moves(table: TwoPlayerGame) -> list[str]:
    with reading(table.services.engine) as session:
        return [turn.body["line"]["move"] for turn in log.turns(session, table.game())]


@pytest.mark.parametrize(
    "fields",
    [
        "In-Reply-To: {id}\r\n",
        "References: <game-1@games.example.org>\r\n {id}\r\n",
        "In-Reply-To: <unknown@x.example>\r\nReferences: <a@x.example> {id}\r\n",
        "in-reply-to: Your mail {id} of today\r\n",
    ],
)
def test_move_that_answers_an_email_from_nabu_is_played(table: TwoPlayerGame, fields: str) -> None:
    mail_every_turn(table.services)
    letters = answer(table, fields.format(id=last_mail(table, 0)), "c3")
    assert moves(table) == ["c3"]
    assert [letter.letter for letter in letters] == ["report", "report"]


def test_reply_to_several_emails_counts_for_the_last(table: TwoPlayerGame) -> None:
    invitation = last_mail(table, 0)
    table.submit(0, "c3")
    table.submit(1, "a1")
    answer(table, f"References: {invitation} {last_mail(table, 0)}\r\n", "e5")
    assert moves(table) == ["c3", "a1", "e5"]


def test_reply_to_an_earlier_turn_plays_nothing(table: TwoPlayerGame) -> None:
    old = last_mail(table, 0)
    table.submit(0, "c3")
    table.submit(1, "a1")
    answer(table, f"In-Reply-To: {old}\r\n", "e5")
    assert ending(table) == ("refused", "StaleReply")
    assert moves(table) == ["c3", "a1"]


def test_only_the_player_can_use_a_message_id(table: TwoPlayerGame) -> None:
    (letter,) = answer(table, f"In-Reply-To: {last_mail(table, 0)}\r\n", "c3", table.players[1].email)
    assert (letter.letter, letter.to) == ("asked", table.players[0].email)
    assert ending(table) == ("asked", "waits for its sender's confirmation")
    assert moves(table) == []
    mail = str(letter.mail["Message-ID"])
    answer(table, f"In-Reply-To: {mail}\r\n", "confirm")
    assert moves(table) == ["c3"]


@pytest.mark.parametrize("cut", [1, 2, 36])
def test_changed_message_id_is_unknown(table: TwoPlayerGame, cut: int) -> None:
    name, _, domain = last_mail(table, 0).partition("@")
    answer(table, f"In-Reply-To: {name[:-cut]}{'7' * cut}@{domain}\r\n", "c3")
    assert ending(table) == ("refused", "Unclear")
    assert moves(table) == []


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("games", "games"),
        ("games\r\n\r\nThe list was deleted.\r\n\r\nPlease send it again today.", "games"),
        ("forced on", "confirmation"),
        ("accept 999", "refusal_account"),
    ],
)
def test_commands_for_the_plain_address_need_no_new_email(table: TwoPlayerGame, text: str, letter: str) -> None:
    letters = answer(table, f"In-Reply-To: {last_mail(table, 0)}\r\n", text)
    assert [each.letter for each in letters] == [letter]


def test_answered_email_may_be_deleted(table: TwoPlayerGame, clock: Clock) -> None:
    mail = last_mail(table, 0)
    with writing(table.services.engine) as session:
        for row in session.exec(select(Outbox)):
            row.state, row.sent_at = "sent", row.created_at
    clock.advance(days=20)
    with writing(table.services.engine) as session:
        retention.throw_away(session, clock(), timedelta(days=14))
        assert not session.exec(select(Outbox)).all()
    answer(table, f"In-Reply-To: {mail}\r\n", "c3")
    assert moves(table) == ["c3"]


def test_reply_is_stored_with_the_game_of_its_message_id(table: TwoPlayerGame) -> None:
    services, sender = table.services, table.players[0].email
    content = f"From: {sender}\r\nIn-Reply-To: {last_mail(table, 0)}\r\n\r\nc3\r\n".encode()
    mail = Received("imap", "", sender, (PLAY,), content)
    services.reception().store([mail])
    with reading(services.engine) as session:
        assert session.exec(select(Inbox.game_id)).one() == table.number


def report(table: TwoPlayerGame, hard: bool, original: str) -> bytes:
    status = "5.1.1" if hard else "4.2.2"
    return (
        f"From: MAILER-DAEMON@mx.example.org\r\nTo: {PLAY}\r\nAuto-Submitted: auto-replied\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {table.players[0].email}\r\nAction: failed\r\nStatus: {status}\r\n\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\n{original}\r\n--b--\r\n"
    ).encode()


def bounced(table: TwoPlayerGame, raw: bytes) -> Player:
    services = table.services
    services.reception().store([Received("imap", "", "", (PLAY,), raw)])
    assert services.pipeline().handle_next(services.now())
    with reading(services.engine) as session:
        return session.get_one(Player, table.players[0].id)


def test_bounce_to_the_plain_address_is_recognized_by_the_return_path(table: TwoPlayerGame) -> None:
    sent = f"Message-ID: {last_mail(table, 0)}\r\n"
    player = bounced(table, report(table, True, sent))
    assert ending(table) == ("done", f"bounce: not proved, about the email to {player.email}")
    assert player.bounced_at is None
    key = last_mail(table, 0).lstrip("<").partition(".")[0]
    player = bounced(table, report(table, True, f"Return-Path: <{return_path(table.services, key)}>\r\n{sent}"))
    assert ending(table) == ("done", "bounce: noted")
    assert (player.bounced_at, player.bounce_score) == (table.services.now(), bounces.SOFT)


def test_bounce_without_a_known_email_changes_nothing(table: TwoPlayerGame) -> None:
    player = bounced(table, report(table, True, "Message-ID: <12345@games.example.org>\r\n"))
    assert ending(table) == ("done", "bounce: not about an email from Nabu")
    assert player.bounced_at is None


def test_bounce_of_another_email_changes_nothing_for_its_recipient(table: TwoPlayerGame) -> None:
    player = bounced(table, report(table, True, f"Message-ID: {last_mail(table, 1)}\r\n"))
    assert player.bounced_at is None


def test_email_sent_twice_has_one_message_id(table: TwoPlayerGame) -> None:
    with reading(table.services.engine) as session:
        mark = target.mark_before(session, session.get_one(Game, table.number), 1)
    token = table.services.tokens.write_id(ReplyToken(table.number, 0, 1, mark))
    assert last_mail(table, 0) == last_mail(table, 0)
    assert last_mail(table, 0).endswith(f".{token}@games.example.org>")
