"""Two worlds that differ only in a secret act of Ann: can others see a difference?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

from flask import Flask
from sqlalchemy import text, update
from sqlmodel import Session, SQLModel, col, select

from mail.incoming.receiving import Received
from rules.records.proof import Seed
from server.accounts import players
from server.accounts.login import sessions
from server.admin.roles import Role
from server.game.lobby import challenges
from server.game.log import log
from server.jobs.table import CLOCK, HOUSEKEEPING, RESOLVER
from server.processes.services import Services, open_services
from server.processes.worker import Worker
from server.store.db import reading, writing
from server.store.models import Envelope, Game, Heartbeat, Outbox, Player, Staff
from server.store.outbox import ActionContext
from server.store.rollback.history import Point, guard_of
from server.store.tokens import ConfirmationToken, ReplyToken
from server.tournaments import signup
from server.web import create_app
from server.web.admin.access import PASSED
from tests.support.e2e.steps import FORM, Mail, Sight, Step, Visit, Wait
from tests.support.server.services import Clock, settings_for, sqlite_database

_NEW_EACH_TIME = ("Set-Cookie", "Date", "Expires")
_MASKS = (
    # Values that are new at each visit or for each email.
    (re.compile(r'(csrf_token" value=")[^"]+'), r"\1"),
    (re.compile(r"(/enter/)[\w.~-]{20,}"), r"\1"),
    (re.compile(r"\bnabu_[\w-]{40,}"), "a token"),
)
_TOKEN = re.compile(r"(?:(?<=play\+)|(?<=play%2B)|(?<=/yes/))[a-z2-7]{36}")


class Stage:
    """The place where Ann and Ben play game 1; each run starts again from the same state.

    Cleo and Olga, an administrator, do not play.
    """

    people = ("Ann", "Ben", "Cleo", "Olga")
    administrator = "Olga"

    def __init__(self, folder: Path) -> None:
        self.clock = Clock()
        self._file = folder / "nabu.db"
        # Metrics are for the administrator's programs, which have a token; players' browsers have none.
        private = {"administrator": "administrator@example.org", "metrics_token": "correct-horse"}
        settings = settings_for(sqlite_database(folder), **private)
        self.services: Services = open_services(settings, self.clock)
        self.app: Flask = create_app(self.services)
        self.app.config["WTF_CSRF_ENABLED"] = False
        self.worker = Worker(self.services)
        self.numbers = {}
        with writing(self.services.engine) as session:
            for name in self.people:
                action = ActionContext(session, self.services.sealer, self.services.now())
                player = players.register(action, address_of(name), name)
                players.confirm(player, self.services.now())
                player.feed_key = f"{name}s-feed"
                sessions.begin(session, self.services.now(), player, "Firefox on Linux")
                self.numbers[name] = players.identity(player)
                if name == self.administrator:
                    staff = Staff(player_id=self.numbers[name], role=Role.ADMINISTRATOR, since=action.now)
                    staff.confirmed_at = action.now
                    session.add(staff)
            ben = session.get_one(Player, self.numbers["Ben"])
            signup.make(
                ActionContext(session, self.services.sealer, self.services.now()), ben, "Cup", "nibble", {}
            )
        self._before = self._saved()
        self._begun: dict[str, tuple[bytes, datetime]] = {}
        self._runs: dict[str, list[Sight]] = {}

    def begin(
        self, game_type: str, options: dict[str, object], first: Sequence[Step], *, mail: bool = True
    ) -> None:
        """Start a new game, the only one, and do the steps before any secret act.

        Without `mail`, no email is delivered.
        """
        self._mail = mail
        key = f"{game_type} {options} {first} {mail}"
        if key not in self._begun:
            self._begin(game_type, options, first)
            self._begun[key] = self._saved(), self.clock.time
        self._now = key

    def _begin(self, game_type: str, options: dict[str, object], first: Sequence[Step]) -> None:
        self._restore(self._before, Clock().time)
        with writing(self.services.engine) as session:
            action = ActionContext(session, self.services.sealer, self.services.now())
            ann, ben = (session.get_one(Player, self.numbers[name]) for name in self.people[:2])
            challenges.challenge(action, ann, [ben], game_type, options, seed=Seed(bytes(32)))
            challenges.accept(action, ben, 1)
            self.seats = {player.name: seat.number for seat, player in log.seats(session, self.game(session))}
        for step in first:
            self._do(step)

    def run(self, steps: Sequence[Step], secret: Sequence[Step] = ()) -> list[Sight]:
        """Return the view of everyone but Ann after each step, with or without her secret acts before."""
        key = f"{self._now} {steps} {secret}"
        if key not in self._runs:
            self._come_back(secret)
            # Pages show the stored state: one look after several steps is enough.
            looks = [isinstance(after, Wait) for after in steps[1:]] + [True]
            self._runs[key] = [self._sight(*each) for each in zip(steps, looks, strict=True)]
        return self._runs[key]

    def stored(self, secret: Sequence[Step]) -> dict[str, list[str]]:
        """Return what a reader of a database copy sees: all cells, and only the size of encrypted ones."""
        self._come_back(secret)
        with self.services.engine.connect() as connection:
            return {
                table: [
                    " ".join(f"{len(cell)} bytes" if isinstance(cell, bytes) else str(cell) for cell in row)
                    for row in connection.execute(text(f"SELECT * FROM {table}"))  # noqa: S608 - only names of tables in this code
                ]
                for table in SQLModel.metadata.tables
            }

    def stands(self) -> tuple[int, str]:
        """Return the turn and the state of the game."""
        with reading(self.services.engine) as session:
            game = self.game(session)
            return game.turn, game.state

    def game(self, session: Session) -> Game:
        """Return the game that Ann and Ben play."""
        return session.get_one(Game, 1)

    def _come_back(self, secret: Sequence[Step]) -> None:
        """Restore the state at the beginning of the game, and do the secret acts."""
        self._restore(*self._begun[self._now])
        self._read = len(self._outbox())
        for step in secret:
            self._do(step)

    def _sight(self, step: Step, looks: bool) -> Sight:
        seen = self._do(step)
        if not (isinstance(step, Visit) and step.method == "GET"):
            seen += [*self._new_mails(), *(self._pages() if looks else ()), self._log()]
        return Sight(step, self.stands(), tuple(self._masked(seen)))

    def _do(self, step: Step) -> list[str]:
        """Do one step; return everything that others than Ann see immediately."""
        match step:
            case Mail():
                self._write(step)
            case Wait():
                self._wait(step)
            case Visit():
                shown = self._visit(step)
                return [] if step.who == "Ann" else shown
        return []

    def _write(self, mail: Mail) -> None:
        tag = "" if mail.plain else f"+{self._token(mail)}"
        sender, recipient = mail.sender or address_of(mail.who), f"play{tag}@games.example.org"
        self._written.append(mail.who)
        number = f"{mail.who}.{self._written.count(mail.who)}"
        head = f"From: {sender}\r\nTo: {recipient}\r\nSubject: Re\r\nMessage-ID: <{number}@world.test>\r\n"
        raw = f"{head}\r\n{mail.text}\r\n".encode()
        batch = [Received("smtp", "127.0.0.1", sender, (recipient,), raw)]
        self.services.reception().store(batch)
        while self.services.pipeline().handle_next(self.services.now()):
            pass

    def _token(self, mail: Mail) -> str:
        turn = self.stands()[0] - mail.turns_ago
        return self.services.tokens.write(ReplyToken(1, self.seats[mail.who], turn))

    def _visit(self, visit: Visit) -> list[str]:
        browser = self.app.test_client()
        if visit.who != "nobody":
            with browser.session_transaction() as session:
                session.update(player=self.numbers[visit.who], login=0)
                session[PASSED] = self.clock.time.timestamp()
        form = {**FORM, "turn": str(self.stands()[0])} if visit.method == "POST" else None
        found, address = [], visit.address
        for method in (visit.method, "GET"):
            answer = browser.open(
                address, method=method, data=form if method == "POST" else None, buffered=True
            )
            headers = [each for each in answer.headers if each[0] not in _NEW_EACH_TIME]
            content = answer.data.decode(errors="backslashreplace")
            found.append(f"{method} {address} for {visit.who}\n{answer.status} {headers}\n{content}")
            if answer.location is None:
                break
            address = answer.location
        return found

    def _wait(self, wait: Wait) -> None:
        self.clock.advance(hours=wait.hours)
        if not wait.down:
            with writing(self.services.engine) as session:
                session.merge(Heartbeat(id=1, at=self.clock.time))
        CLOCK.run(self.worker.work)
        RESOLVER.run(self.worker.work)
        HOUSEKEEPING.run(self.worker.work)

    def _masked(self, seen: Sequence[str]) -> Iterator[str]:
        """Return a text without values that are new at each visit or email, and without Ann's commitment."""
        with reading(self.services.engine) as session:
            hers = session.exec(select(Envelope.commitment).where(Envelope.seat == self.seats["Ann"])).all()
        for content in seen:
            for mask, by in _MASKS:
                content = mask.sub(by, content)
            for commitment in hers:
                content = content.replace(commitment, "her commitment")
            yield _TOKEN.sub(self._token_read, content)

    def _token_read(self, found: re.Match[str]) -> str:
        """Return a token as others can read it; tokens of incoming emails must all look the same."""
        what = self.services.tokens.read(found[0])
        return "an incoming mail" if isinstance(what, ConfirmationToken) else str(what)

    def _pages(self) -> Iterator[str]:
        for who, address in PAGES:
            yield from self._visit(Visit(who, "GET", address))

    def _log(self) -> str:
        with reading(self.services.engine) as session:
            entries = [(entry.body, entry.hash, entry.at) for entry in log.entries(session, self.game(session))]
        return f"the log\n{entries}"

    def _new_mails(self) -> Iterator[str]:
        rows = self._outbox()[self._read :]
        self._read += len(rows)
        if self._mail:
            with writing(self.services.engine) as session:
                session.execute(
                    update(Outbox)
                    .where(col(Outbox.sent_at).is_(None))
                    .values(state="sent", sent_at=self.clock.time)
                )
        for row in rows:
            if row.recipient == address_of("Ann"):
                continue
            facts = (row.letter, row.created_at, row.due_at, row.state, len(row.sealed))
            if row.state == "sent":  # the link is not really emailed
                yield f"nothing to {row.recipient}: {facts}"
                continue
            with reading(self.services.engine) as session:
                mail = message_from_bytes(self.services.writer.write(session, row), policy=default)
            assert isinstance(mail, EmailMessage)
            heads = [
                f"{name}: {value}" for name, value in mail.items() if name not in ("Message-ID", "Content-Type")
            ]
            parts = [str(part.get_content()) for part in mail.walk() if not part.is_multipart()]
            yield "\n".join((f"a mail to {row.recipient}: {facts}", *heads, *parts))

    def _outbox(self) -> list[Outbox]:
        with reading(self.services.engine) as session:
            rows = list(session.exec(select(Outbox).order_by(col(Outbox.id))))
            session.expunge_all()
        return rows

    def _saved(self) -> bytes:
        self.services.engine.dispose()
        return self._file.read_bytes()

    def _forget_later_history(self) -> None:
        """Make Nabu accept the older database."""
        guard = guard_of(self.services.engine)
        assert guard is not None
        guard.newest = Point()
        if (file := self.services.settings.history_file) is not None:
            file.unlink(missing_ok=True)

    def _restore(self, saved: bytes, moment: datetime) -> None:
        self.services.engine.dispose()
        self._file.write_bytes(saved)
        self._forget_later_history()
        self._written: list[str] = []
        self.clock.time = moment


PAGES = (
    ("Ben", "/games/1"),
    ("nobody", "/games/1"),
    ("nobody", "/feeds/Bens-feed/games.atom"),
    ("nobody", "/feeds/Bens-feed/deadlines.ics"),
)
"""Pages to compare after every step that may have changed something."""


def address_of(name: str) -> str:
    """Return the address from which a person writes."""
    return f"{name.lower()}@example.org"
