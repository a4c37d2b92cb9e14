"""People who mark an email as spam get no more; a report about any other email changes nothing."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlmodel import SQLModel, col, select

from mail.incoming.receiving import Received
from server.jobs.administrator_report import notify_administrator
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Inbox, Intake, Outbox, Player
from server.store.outbox import ActionContext
from tests.support.mail.bounces import report, return_path
from tests.support.server.emails import reply_address
from tests.support.server.games import TwoPlayerGame
from tests.support.web.client import Browser


def key_of_last_mail(table: TwoPlayerGame, player: Player) -> str:
    with reading(table.services.engine) as session:
        query = select(Outbox.key).where(Outbox.recipient == player.email)
        return session.exec(query.order_by(col(Outbox.id).desc())).first() or ""


def receive(table: TwoPlayerGame, raw: bytes, recipient: str = "abuse@games.example.org") -> Inbox:
    """Return the final state of an email from a provider."""
    services = table.services
    mail = Received("smtp", "127.0.0.1", "feedback@provider.example", (recipient,), raw)
    services.reception().store([mail])
    assert services.pipeline().handle_next(services.now())
    with reading(services.engine) as session:
        return session.exec(select(Inbox).order_by(col(Inbox.id).desc())).first() or pytest.fail(
            "nothing stored"
        )


def stopped(services: Services) -> set[str]:
    with reading(services.engine) as session:
        return {player.email for player in session.exec(select(Player)) if player.mail_stopped}


@pytest.mark.parametrize(
    ("fields", "original"),
    [
        ("Feedback-Type: abuse\nOriginal-Mail-From: <{path}>\n", "Message-ID: <{key}@games.example.org>\n\n"),
        ("Feedback-Type: abuse\nOriginal-Mail-From: <{path}>\n", ""),
        ("Feedback-Type: opt-out\n", "RETURN-PATH:\n <{path}>\nTo: hidden@x.example\n\n"),
        ("Original-Rcpt-To: <eve@example.com>\n", "Return-Path: <{path}>\n\n"),
    ],
)
def test_complaint_stops_email_to_its_recipient(table: TwoPlayerGame, fields: str, original: str) -> None:
    player, other = table.players
    key = key_of_last_mail(table, player)
    given = {"key": key, "path": return_path(table.services, key)}
    row = receive(table, report(fields.format(**given), original.format(**given)))
    assert (row.state, row.why) == ("done", "complaint: stopped emails to this address")
    assert stopped(table.services) == {player.email}
    assert key_of_last_mail(table, player) == key, "a complaint is not answered"
    table.submit(0, "c3")
    assert key_of_last_mail(table, player) == key
    assert key_of_last_mail(table, other) != key_of_last_mail(table, player)


@pytest.mark.both
def test_complaint_by_a_non_player_stops_email(table: TwoPlayerGame, app: Flask) -> None:
    """The link to sign up goes to any address that a visitor types in."""
    links = select(Outbox.key).where(Outbox.letter == "register_link", Outbox.state != "sent")
    Browser(app).send("/register", name="Zoe", email="stranger@world.test")
    with reading(table.services.engine) as session:
        key = session.exec(links).one()
    receive(table, report("Feedback-Type: abuse\n", f"Return-Path: <{return_path(table.services, key)}>\n\n"))
    assert stopped(table.services) == {"stranger@world.test"}
    Browser(app).send("/register", name="Zoe", email="stranger@world.test")
    with reading(table.services.engine) as session:
        assert session.exec(links).one() == key


@pytest.mark.both
def test_complaint_may_arrive_at_the_return_path(table: TwoPlayerGame) -> None:
    player = table.players[0]
    key = key_of_last_mail(table, player)
    raw = report("Feedback-Type: abuse\n", f"Message-ID: <{key}@games.example.org>\n\n")
    receive(table, raw, return_path(table.services, key))
    assert stopped(table.services) == {player.email}


FORGED = [
    ("Feedback-Type: abuse\nOriginal-Rcpt-To: <{email}>\n", ""),
    ("Feedback-Type: abuse\nOriginal-Rcpt-To: <{email}>\n", "Message-ID: <1.2@games.example.org>\n\n"),
    ("Feedback-Type: abuse\n", "To: {email}\nMessage-ID: <{key}@other.example>\n\n"),
    ("Feedback-Type: abuse\n", "To: {email}\nMessage-ID: <{key}x@games.example.org>\n\n"),
    ("Original-Mail-From: <play+bounces-{key}@games.example.org>\n", "To: {email}\n\n"),
    ("Original-Mail-From: <play+bounces-{key}00112233445566778899@games.example.org>\n", "To: {email}\n\n"),
    ("Original-Mail-From: <play+bounces-{key}@other.example>\n", "To: {email}\n\n"),
    ("Original-Mail-From: <play+{key}@games.example.org>\n", "To: {email}\n\n"),
    (
        "Original-Mail-From: <play+bounces-@games.example.org>\n",
        "To: {email}\nMessage-ID: <@games.example.org>\n\n",
    ),
]


@pytest.mark.parametrize(("fields", "original"), FORGED)
def test_complaint_about_a_foreign_email_changes_nothing(
    table: TwoPlayerGame, fields: str, original: str
) -> None:
    given = {"email": table.players[0].email, "key": key_of_last_mail(table, table.players[0])}
    before = everything(table.services)
    row = receive(table, report(fields.format(**given), original.format(**given)))
    assert (row.state, row.why) == ("done", "complaint: not about an email from Nabu")
    assert everything(table.services) == before


def test_reader_of_an_email_cannot_stop_anothers_email(table: TwoPlayerGame) -> None:
    """All replies to an email and forwards of it contain its Message-ID."""
    key = key_of_last_mail(table, table.players[0])
    before = everything(table.services)
    row = receive(table, report("Feedback-Type: abuse\n", f"Message-ID: <{key}.x@games.example.org>\n\n"))
    assert (row.state, row.why) == (
        "quarantined",
        f"complaint: not proved, about the email to {table.players[0].email}",
    )
    assert everything(table.services) == before


def test_report_of_another_kind_changes_nothing(table: TwoPlayerGame) -> None:
    key = key_of_last_mail(table, table.players[0])
    before = everything(table.services)
    row = receive(table, report("Feedback-Type: not-spam\n", f"Message-ID: <{key}@games.example.org>\n\n"))
    assert row.why == "complaint: not about unwanted mail"
    assert everything(table.services) == before


def everything(services: Services) -> list[list[str]]:
    """Return all rows except those of the inbox and its budgets."""
    models = sorted(SQLModel.__subclasses__(), key=lambda model: model.__name__)
    with reading(services.engine) as session:
        return [
            sorted(map(repr, session.exec(select(model)))) for model in models if model not in (Inbox, Intake)
        ]


def complain(table: TwoPlayerGame) -> Player:
    player = table.players[0]
    key = key_of_last_mail(table, player)
    receive(table, report("Feedback-Type: abuse\n", f"Return-Path: <{return_path(table.services, key)}>\n\n"))
    return player


def test_complaining_player_can_resume_email(table: TwoPlayerGame) -> None:
    player = complain(table)
    mail = f"From: {player.email}\r\nTo: play@games.example.org\r\nMessage-ID: <2@x>\r\n\r\nresume\r\n"
    receive(table, mail.encode(), "play@games.example.org")
    assert stopped(table.services) == set()


def test_complaining_player_can_play(table: TwoPlayerGame) -> None:
    player = complain(table)
    recipient = reply_address(table.services, table.number, 0, 1)
    mail = f"From: {player.email}\r\nTo: {recipient}\r\nMessage-ID: <2@x>\r\n\r\nc3\r\n"
    assert receive(table, mail.encode(), recipient).state == "done"
    assert table.game().turn == 2


def test_complaint_is_reported_to_the_administrator(table: TwoPlayerGame) -> None:
    player = complain(table)
    services = table.services
    with writing(services.engine) as session:
        notify_administrator(ActionContext(session, services.sealer, services.now()), "op@example.org")
    with reading(services.engine) as session:
        letter = session.exec(select(Outbox).where(Outbox.recipient == "op@example.org")).one()
        mail = services.delivery().writer.write(session, letter).replace(b"=\r\n", b"")
    assert b"reported an email from Nabu as spam" in mail
    assert player.email.encode() in mail
