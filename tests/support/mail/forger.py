"""Emails that another person sends in the name of a player."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from email.message import EmailMessage
from itertools import count

from sqlmodel import SQLModel, col, select

from mail.incoming.receiving import Received
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Inbox, Intake, Outbox
from server.store.tokens import ReplyToken
from tests.support.mail.dns_zone import Zone
from tests.support.server.emails import PLAY, Written, letters
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import Clock

_number = count(1)


@dataclass
class ForgedEmails:
    """A game of Ann and Ben, and a forger who writes in their names; `domain` is the DNS of example.org."""

    table: TwoPlayerGame
    clock: Clock
    domain: Zone

    @property
    def services(self) -> Services:
        return self.table.services

    @property
    def victim(self) -> str:
        """Return the address of the player who is to move."""
        return self.table.players[0].email

    def reply_address(self, turn: int = 1) -> str:
        token = self.services.tokens.write(ReplyToken(self.table.number, 0, turn))
        return f"play+{token}@games.example.org"

    def write(
        self, text: str, *, to: str = PLAY, sender: str = "", answers: str = "", peer: str = "127.0.0.1"
    ) -> tuple[Inbox, list[Written]]:
        """Receive an email by a mail server, or directly from `peer`; return its row and the emails sent."""
        services = self.services
        with reading(services.engine) as session:
            before = len(session.exec(select(Outbox.id)).all())
        mail = EmailMessage()
        mail["From"], mail["To"] = sender or self.victim, to
        mail["Message-ID"] = f"<{next(_number)}@forger.test>"
        mail.set_content(text)
        content = (f"In-Reply-To: {answers}\n" if answers else "").encode() + mail.as_bytes()
        source = "lmtp" if peer == "127.0.0.1" else "smtp"
        received = Received(source, peer, sender or self.victim, (to,), content)
        services.reception().store([received])
        pipeline = services.pipeline()
        if pipeline.senders.lookup is not None:
            pipeline = replace(pipeline, senders=replace(pipeline.senders, lookup=self.domain))
        while pipeline.handle_next(services.now()):
            pass
        return self.mails()[-1], letters(services, before)

    def mails(self) -> list[Inbox]:
        with reading(self.services.engine) as session:
            return list(session.exec(select(Inbox).order_by(col(Inbox.id))))

    def everything(self) -> list[list[str]]:
        """Return the contents of all tables except the inbox, its budgets and the outbox."""
        kept = [model for model in SQLModel.__subclasses__() if model not in (Inbox, Intake, Outbox)]
        with reading(self.services.engine) as session:
            return [sorted(map(repr, session.exec(select(model)))) for model in kept]

    def is_asked_back(self, text: str, **way: str) -> bool:
        """Return whether such an email changes nothing, and causes only a question to the player."""
        self.clock.advance(days=1)  # questions are limited by day
        before = self.everything()
        row, mailed = self.write(text, **way)
        unchanged = self.everything() == before
        asked = [(each.letter, each.to) for each in mailed] == [("asked", self.victim)]
        return unchanged and asked and row.state == "asked"


def question_of(mailed: list[Written]) -> tuple[str, str]:
    """Return the address of a question, and the path of its page."""
    (letter,) = mailed
    path = re.search(r"http://\S+?(/yes/\w+)|https://games\.example\.org(/yes/\w+)", letter.text)
    assert path is not None
    return str(letter.mail["Reply-To"]), path[1] or path[2]
