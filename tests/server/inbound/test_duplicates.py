"""Copies of an email count once, even if relays changed them; different ones with one Message-ID do not."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from sqlmodel import col, select

from mail.incoming.receiving import Received
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Inbox, Outbox, Player
from server.store.tokens import ReplyToken
from tests.support.server.games import begin

HEAD = "Message-ID: <1@world.test>\r\nDate: Sun, 1 Mar 2026 11:59:00 +0000\r\n"


@dataclass(frozen=True)
class Sender:
    """The player who has to move in a game, and the results of their emails."""

    services: Services
    address: str
    recipient: str

    def send(self, text: str, *, head: str = HEAD, path: str | None = None, ends: str = "\r\n") -> None:
        """Receive and handle such an email."""
        mail = f"From: {self.address}\r\nTo: {self.recipient}\r\nSubject: Re\r\n{head}\r\n{text}\r\n"
        content = mail.replace("\r\n", ends).encode()
        sender = self.address if path is None else path
        received = Received("smtp", "", sender, (self.recipient,), content)
        services = self.services
        services.reception().store([received])
        while services.pipeline().handle_next(services.now()):
            pass

    def endings(self) -> list[str]:
        """Return the final state of each stored email."""
        with reading(self.services.engine) as session:
            return [f"{row.state}: {row.why}" for row in session.exec(select(Inbox).order_by(col(Inbox.id)))]

    def moves(self) -> int:
        with reading(self.services.engine) as session:
            return session.exec(select(Game).order_by(col(Game.id))).all()[0].turn - 1

    def answers(self) -> list[str]:
        """Return the letters to the player since the start of the game, without reports of turns."""
        with reading(self.services.engine) as session:
            query = select(Outbox.letter).where(Outbox.recipient == self.address).order_by(col(Outbox.id))
            return [letter for letter in session.exec(query) if letter in ("answers", "refusal", "show")]


@pytest.fixture
def sender(services: Services, ann: Player, ben: Player) -> Sender:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    with reading(services.engine) as session:
        _, player = log.seats(session, session.get_one(Game, number))[0]
        token = services.tokens.write(ReplyToken(number, 0, 1))
        return Sender(services, player.email, f"play+{token}@{services.settings.mail_domain}")


def encoded(name: str, encode: Callable[[bytes], bytes]) -> Callable[[Sender, str], None]:
    def send(sender: Sender, text: str) -> None:
        body = encode(f"{text}\r\n".encode()).decode()
        sender.send(body, head=f"{HEAD}Content-Transfer-Encoding: {name}\r\n")

    return send


COPIES: dict[str, Callable[[Sender, str], None]] = {
    "the same": lambda sender, text: sender.send(text),
    "through more relays": lambda sender, text: sender.send(
        text, head=f"Received: by x.test\r\n{HEAD}X-Spam: 0\r\n"
    ),
    "forwarded": lambda sender, text: sender.send(text, path="srs0=x=ann@forwarder.test"),
    "with other line ends": lambda sender, text: sender.send(text, ends="\n"),
    "in base64": encoded("base64", base64.encodebytes),
    "quoted-printable": encoded("quoted-printable", lambda body: quopri.encodestring(body, quotetabs=True)),
    "with a footer": lambda sender, text: sender.send(f"{text}\r\n\r\n__________\r\nCrew mailing list"),
}


@pytest.mark.parametrize("copy", COPIES)
def test_repeated_move_is_played_and_answered_once(sender: Sender, copy: str) -> None:
    sender.send("c3")
    COPIES[copy](sender, "c3")
    assert (sender.moves(), sender.answers()) == (1, [])
    assert sender.endings() in (
        ["done: move"],
        ["done: move", "done: a copy of an email that was already handled"],
    )


@pytest.mark.parametrize("copy", COPIES)
def test_repeated_mistake_is_answered_once(sender: Sender, copy: str) -> None:
    COPIES[copy](sender, "zz 9")
    sender.send("zz 9")
    assert (sender.moves(), sender.answers()) == (0, ["refusal"])


@pytest.mark.parametrize(
    ("first", "second", "moves", "answers"),
    [
        ("zz 9", "c3", 1, ["refusal"]),
        ("c3\r\nd9!", "c3", 1, ["refusal"]),
        ("show", "c3", 1, ["show"]),
        ("show", "show\r\nc3", 1, ["show", "show"]),
        ("zz 9", "zz 8", 0, ["refusal", "refusal"]),
        ("c3", "d4", 1, ["refusal"]),
    ],
)
def test_different_email_with_the_same_message_id_is_handled(
    sender: Sender, first: str, second: str, moves: int, answers: list[str]
) -> None:
    sender.send(first)
    sender.send(second)
    assert (sender.moves(), sender.answers()) == (moves, answers)


@pytest.mark.both
def test_same_text_at_another_time_is_handled(sender: Sender) -> None:
    sender.send("show")
    sender.send("show", head=HEAD.replace("11:59", "12:59"))
    assert sender.answers() == ["show", "show"]


def test_copy_that_was_not_carried_out_does_not_block_the_other(sender: Sender) -> None:
    sender.send("c3", path="")
    sender.send("c3", head=f"List-Id: <crew.world.test>\r\n{HEAD}")
    sender.send("c3", path="srs0=x=ann@forwarder.test")
    assert sender.moves() == 1
    assert [ending.partition(";")[0] for ending in sender.endings()] == [
        "done: auto: an empty return path",
        "done: list: the header list-id",
        "done: move",
    ]


def test_challenge_that_arrives_by_two_ways_counts_once(sender: Sender) -> None:
    plain = Sender(sender.services, sender.address, f"play@{sender.services.settings.mail_domain}")
    for path in (None, "srs0=x=ann@forwarder.test"):
        plain.send("challenge cleo@world.test nibble", path=path)
    with reading(sender.services.engine) as session:
        assert len(session.exec(select(Game)).all()) == 2
