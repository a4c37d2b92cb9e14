"""`verify` by email: the answer contains the game as a file, and the result of the checks."""

from __future__ import annotations

import email
from email.message import EmailMessage
from email.policy import default

import pytest
from sqlmodel import col, select

from mail.incoming.receiving import Received
from rules.records.verification import verify
from server.accounts import players
from server.game.lobby import challenges
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Envelope, Game, Outbox
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.e2e.mailboxes import text_of
from tests.support.server.games import TwoPlayerGame


def answer(services: Services, sender: str, token: ReplyToken, text: str) -> EmailMessage:
    """Send a reply; return the last email that it causes."""
    return request(services, sender, text, f"play+{services.tokens.write(token)}@games.example.org")


def request(
    services: Services, sender: str, text: str, recipient: str = "play@games.example.org"
) -> EmailMessage:
    """Send an email; return the last one that it causes."""
    content = f"From: {sender}\r\nTo: {recipient}\r\nMessage-ID: <1@x>\r\nSubject: Re\r\n\r\n{text}\r\n"
    mail = Received("smtp", "127.0.0.1", sender, (recipient,), content.encode())
    services.reception().store([mail])
    assert services.pipeline().handle_next(services.now())
    answered = last_mail(services)
    assert answered["To"] == sender
    return answered


def last_mail(services: Services, letter: str = "%") -> EmailMessage:
    """Return the last email, or the last with this letter, as it is sent."""
    query = select(Outbox).where(col(Outbox.letter).like(letter)).order_by(col(Outbox.id).desc()).limit(1)
    with reading(services.engine) as session:
        written = services.delivery().writer.write(session, session.exec(query).one())
    message = email.message_from_bytes(written, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def test_record_is_attached_and_verified(services: Services) -> None:
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0)
    table.submit(0, "1 d4")
    table.submit(1, "A c4")
    head = table.game().head
    table.submit(0, "1 n")
    sender = table.players[0].email
    mail = answer(services, sender, ReplyToken(table.number, 0, 2), "verify")
    file, page = mail.iter_attachments()
    assert (file.get_filename(), file.get_content_type()) == (f"nabu-{table.number}.json", "application/json")
    record = file.get_content().decode()
    verdict = verify(record, [head])
    assert verdict.wrong is None
    assert '"1 n"' not in record
    assert head in text_of(mail)
    assert "http://127.0.0.1:8000/verify" in text_of(mail)
    assert (page.get_filename(), page.get_content_type()) == ("verify.md", "text/plain")
    assert "# Verification" in page.get_content()
    for line in verify(record).checked:
        assert line.split(": ")[0] in text_of(mail)


def test_finished_game_can_be_verified(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        moves.resign(action, table.players[0], Target(table.number, 0, 1))
    mail = answer(services, table.players[0].email, ReplyToken(table.number, 0, 2), "Verify")
    assert "seed: It matches its hash" in " ".join(text_of(mail).split())


def challenged(services: Services) -> tuple[int, int, str]:
    """Invite Ben; return the game's number, his seat, and the hash of its seed."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann = players.register(action, "ann@example.org", "Ann")
        ben = players.register(action, "ben@example.org", "Ben")
        game = challenges.challenge(action, ann, [ben], "nebuchadnezzar", {})
        seat = challenges.seat_of(session, game, ben)
    assert seat is not None
    return log.id_of(game), seat, game.seed_hash


def test_game_before_its_start_cannot_be_verified(services: Services) -> None:
    number, seat, _ = challenged(services)
    mail = answer(services, "ben@example.org", ReplyToken(number, seat, 0), "verify")
    assert "The game has not started, so there is nothing to check." in text_of(mail)
    assert list(mail.iter_attachments()) == []


@pytest.mark.both
def test_invitation_contains_the_hash_of_the_seed(services: Services) -> None:
    _, _, seed_hash = challenged(services)
    assert seed_hash in text_of(last_mail(services, "invitation"))


def test_challenger_gets_the_hash_of_the_seed(services: Services) -> None:
    for email_of in ("ann", "ben"):
        with writing(services.engine) as session:
            players.register(
                ActionContext(session, services.sealer, services.now()),
                f"{email_of}@example.org",
                email_of.title(),
            )
    request(services, "ann@example.org", "challenge ben nebuchadnezzar")
    with reading(services.engine) as session:
        seed_hash = session.exec(select(Game.seed_hash)).one()
    assert seed_hash in text_of(last_mail(services, "challenge_sent"))


def test_sealed_orders_of_others_are_shown_by_their_commitment(services: Services) -> None:
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0)
    table.submit(0, "1 d4")
    with reading(services.engine) as session:
        commitment = session.exec(select(Envelope.commitment)).one()
    mail = answer(services, table.players[1].email, ReplyToken(table.number, 1, 1), "show")
    assert commitment in text_of(mail)


def test_commitments_are_hidden_if_the_terms_say_so(services: Services) -> None:
    table = TwoPlayerGame(services, "nelaxtam", **{"size": 10, "troops": 1, "sea": 0, "show-ready": "off"})
    table.submit(0, "1 d4")
    mail = answer(services, table.players[1].email, ReplyToken(table.number, 1, 1), "show")
    assert "commitment" not in text_of(mail)
