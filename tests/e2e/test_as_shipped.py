"""A game with the example settings: email arrives by LMTP, and no domain authenticates its senders."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest
from sqlmodel import select

from server.inbound.pipeline import Pipeline
from server.processes.mail_process import Mailroom
from server.processes.services import Services, open_services
from server.processes.worker import Worker
from server.settings import ROOT
from server.settings.loading import load
from server.store.db import reading
from server.store.models import Game, Player
from tests.support.e2e.mailboxes import PATIENCE, Person, World, open_world, text_of
from tests.support.e2e.nabu_process import POLL_SECONDS
from tests.support.mail.dns_zone import zone
from tests.support.server.services import sqlite_database


class _Shipped(Services):
    """Services whose DNS has no authentication records of any domain."""

    def pipeline(self) -> Pipeline:
        pipeline = super().pipeline()
        assert pipeline.senders.lookup is not None
        return replace(pipeline, senders=replace(pipeline.senders, lookup=zone()))


class _Behind(Person):
    """A person whose email is delivered by Postfix."""

    def send(self, message: EmailMessage) -> None:
        """Deliver an email by LMTP."""
        with smtplib.LMTP(*self.server, timeout=PATIENCE) as client:
            client.send_message(message)

    def say_yes(self) -> EmailMessage:
        """Answer the next question with yes, and return the email that follows."""
        question = self.next()
        assert "Was this you?" in text_of(question)
        self.answer(question, "yes")
        return self.next()


@pytest.fixture
def town(tmp_path: Path) -> Iterator[tuple[World, Services, tuple[str, int]]]:
    """A world, services with the example settings that receive its email, and their address."""
    with open_world() as (world, url):
        ours = {"database_url": sqlite_database(tmp_path), "smtp_url": url, "lmtp_listen": "127.0.0.1:0"}
        settings = load(ROOT / "deploy" / "nabu.env.example", secret_key="k" * 32, **ours)
        services = _Shipped(**vars(open_services(settings)))
        room, worker = Mailroom(services), Worker(services, poll=POLL_SECONDS)
        (listener,) = room.listeners
        room.start()
        worker.start()
        yield world, services, listener.address
        room.stop()
        worker.stop()
        services.close()


def test_nobody_gives_up_for_somebody_else(town: tuple[World, Services, tuple[str, int]]) -> None:
    """Ben once resigned for Ann with a forwarded email and its Message-ID."""
    world, services, listener = town
    ann, ben = (_Behind(world, f"{name}@example.org", listener, "games.example.org") for name in ("ann", "ben"))
    for who, name in ((ann, "Ann"), (ben, "Ben")):
        who.write(f"register {name}\nmail every turn")
        assert f"Welcome, {name}." in text_of(who.say_yes())
    ann.write("challenge ben nebuchadnezzar size=5")
    assert "on its way" in text_of(ann.say_yes())
    ben.answer(ben.next(), "accept")
    firsts = {ben: ben.say_yes(), ann: ann.next()}
    mover = next(who for who, mail in firsts.items() if "Your move." in text_of(mail))
    other = ben if mover is ann else ann

    forged = mover.new_mail("play@games.example.org", "resign", "Fwd")
    forged.policy = SMTP.clone(max_line_length=None)  # otherwise the long ID would be written as encoded words
    forged["In-Reply-To"] = str(firsts[mover]["Message-ID"])
    other.send(forged)
    other.send(mover.new_mail("play@games.example.org", "stop", "stop"))
    for _ in range(2):
        assert "Was this you?" in text_of(mover.next())

    mover.answer(firsts[mover], "c3")
    assert "You played c3" in text_of(mover.next())
    told = text_of(other.next())
    assert "Your move." in told
    assert "Turn 2. You are" in told
    with reading(services.engine) as session:
        game = session.exec(select(Game).where(Game.game_type == "nebuchadnezzar")).one()
        assert (game.state, game.turn) == ("running", 2)
        assert not any(player.mail_stopped for player in session.exec(select(Player)))
    other.answer(other.world.mails_to(other.address)[-1], "resign")
    assert "The game is over" in text_of(other.say_yes())
