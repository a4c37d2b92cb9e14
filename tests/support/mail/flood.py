"""A flood of emails, intact and damaged, through the whole pipeline.

`python -m tests.support.mail.flood 100000` sends so many. For any email, no exception may escape, its handling
must finish, no move may be played that the writer did not write, and nothing may change in games or for players
other than the writer named in the header. The command prints the processor time per email, which should stay
below 50 ms for 99 of 100 and below 2 s for all, and the memory.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from random import Random

import click
from sqlalchemy import select as columns
from sqlmodel import col, select

from mail.incoming.receiving import Received
from rules.errors import RuleError
from rules.registry import RULES
from server.accounts import players
from server.commands.parser import read_commands
from server.commands.vocabulary import REPLY
from server.game.lobby import challenges
from server.game.log import envelopes, log, stored_entries
from server.processes.services import Services, open_services
from server.store.db import reading, writing
from server.store.models import Game, Inbox, Player, Seat
from server.store.outbox import ActionContext
from tests.mails.damage import damaged_bytes, damaged_lines
from tests.mails.programs import Answer, Program, programs
from tests.mails.replies import STYLES
from tests.mails.turns import Turn, asked
from tests.support.mail.flood_emails import ACCOUNT_TEXTS, IN_SAMPLES, OTHER_TEXTS, SAMPLES, Sent, strays
from tests.support.server.services import settings_for, sqlite_database

_DOMAIN = "games.example.org"
_GAMES = 10
_PLAYERS = columns(
    *(col(getattr(Player, name)) for name in ("id", "email", "name", "mail_stopped", "confirmed_at", "zone")),
    *(col(getattr(Player, name)) for name in ("reminders", "digest", "auto_vacation")),
)
_GAMES_NOW = columns(*(col(getattr(Game, name)) for name in ("id", "entries", "head", "state", "turn")))


class Violation(AssertionError):
    """Raised for an event that must never happen."""


@dataclass
class Flood:
    """Services with some running games, and their players and strangers who write."""

    folder: Path
    seed: int = 1
    endings: Counter[str] = field(default_factory=Counter)
    moves: int = 0

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.now = datetime(2026, 3, 1, tzinfo=UTC)
        self._programs = programs()
        self._asked: dict[tuple[int, int, int], Turn] = {}
        self._count = 0
        self._seconds: list[float] = []
        self._pipeline = self.services.pipeline()
        self._games = [self._new_game() for _ in range(_GAMES)]

    @cached_property
    def services(self) -> Services:
        """Return the services, on a database in the folder."""
        settings = settings_for(
            sqlite_database(self.folder),
            mail_domain=_DOMAIN,
            base_url="https://games.example.org",
            log_level="ERROR",
        )
        return open_services(settings, lambda: self.now)

    def send(self, count: int) -> None:
        """Send so many emails; raise Violation for an event that must never happen."""
        for _ in range(count):
            self._count += 1
            self._handle(self._make())

    def send_raw(self, raw: bytes) -> None:
        """Send an email of ann@example.org as a player who is to move; raise Violation, as `send` does."""
        self._count += 1
        owner, turn = self._ask(self._games[0])
        self._handle(Sent(raw.replace(b"ann@example.org", owner.encode()), owner, turn.reply_to))

    def _handle(self, mail: Sent) -> None:
        self.now += timedelta(minutes=self.random.randint(1, 30))
        before, others = self._state(mail), self._untouched(mail)
        began = time.process_time()
        received = Received("smtp", "127.0.0.1", mail.sender, (mail.recipient,), mail.raw)
        self.services.reception().store([received])
        self._pipeline.handle_next(self.now)
        self._seconds.append(time.process_time() - began)
        self._check(mail, before)
        after = self._untouched(mail)
        if touched := [what for what, state in others.items() if after.get(what) != state]:
            raise self._violation(mail, f"changed {touched}, although they did not write")

    def times(self) -> tuple[float, float, float]:
        """Return median, 99th percentile and maximum of the seconds of processor time per email."""
        ordered = sorted(self._seconds)
        return ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], ordered[-1]

    def _make(self) -> Sent:
        """Return a random email."""
        place = self.random.random()
        if place < 0.06:
            return self._mail_of_others()
        if place < 0.12:
            text = self.random.choice(ACCOUNT_TEXTS)
            sender = self.random.choice(("eve@example.com", "p1@example.org", "p2@example.org"))
            return Sent(self._plain(sender, f"play@{_DOMAIN}", text), sender, f"play@{_DOMAIN}")
        return self._reply()

    def _mail_of_others(self) -> Sent:
        """Return a sample email, intact or damaged, to a game or to the server's address."""
        number = self.random.choice(self._games)
        recipient = self._ask(number)[1].reply_to if self.random.random() < 0.7 else f"play@{_DOMAIN}"
        raw = self.random.choice(SAMPLES)
        if self.random.random() < 0.7:
            raw = damaged_bytes(raw, SAMPLES, self.random)
        return Sent(raw, self.random.choice(("", "ann@example.org")), recipient)

    def _reply(self) -> Sent:
        """Return a reply to the last email about a game."""
        place = self.random.randrange(_GAMES)
        number = self._games[place]
        owner, turn = self._ask(number)
        program = self.random.choice(self._programs)
        language = self.random.choice(program.languages)
        own = self._written(turn)
        answer = Answer(own, self.random.choice(program.places))
        game_type = self.random.random()
        if game_type < 0.35:
            raw = self._of(owner, program.write(turn, language, answer))
            return Sent(raw, owner, turn.reply_to, turn, number, tuple(own), tuple(own))
        if game_type < 0.7:
            return self._with_damaged_lines(program, turn, language, answer, owner, number)
        raw = damaged_bytes(self._of(owner, program.write(turn, language, answer)), SAMPLES, self.random)
        return Sent(raw, owner, turn.reply_to, turn, number, tuple(own), tuple(own), damaged=True)

    def _written(self, turn: Turn) -> list[str]:
        """Return lines by a player: mostly the move, in some style."""
        if self.random.random() < 0.3:
            return self.random.choice(OTHER_TEXTS).split("\n")
        move = (
            turn.move.split("\n") if self.random.random() < 0.5 else turn.move.replace(", ", "\n").split("\n")
        )
        return self.random.choice(list(STYLES.values())).lines(move)

    def _with_damaged_lines(
        self, program: Program, turn: Turn, language: str, answer: Answer, owner: str, number: int
    ) -> Sent:
        lines = damaged_lines(program.lines(turn, language, answer), self.random)
        raw = self._plain(owner, turn.reply_to, "\n".join(line for line, _ in lines))
        own = tuple(line for line, own in lines if own)
        own = (*strays(lines, turn.text), *own)
        return Sent(raw, owner, turn.reply_to, turn, number, own, tuple(answer.text))

    def _plain(self, sender: str, recipient: str, text: str) -> bytes:
        head = (
            f"From: {sender}\nTo: {recipient}\nMessage-ID: <{self._count}@example.org>\nMIME-Version: 1.0\n"
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
        )
        return (head + text).encode(errors="replace")

    def _of(self, owner: str, raw: bytes) -> bytes:
        """Return an email with this sender and a new id."""
        head, _, body = raw.partition(b"\n\n")
        kept = [line for line in head.split(b"\n") if not line.startswith((b"From:", b"Message-ID:"))]
        return b"\n".join(
            [f"From: {owner}\nMessage-ID: <{self._count}@example.org>".encode(), *kept, b"", body]
        )

    def _ask(self, number: int) -> tuple[str, Turn]:
        """Return the player to move in a game, and their email; a finished game is replaced by another."""
        with reading(self.services.engine) as session:
            game = session.get_one(Game, number)
            if game.state == "running":
                owing = [seat for seat, _ in log.seats(session, game) if seat.owes]
                seat = self.random.choice(owing).number
                owner = log.seats(session, game)[seat][1].email
                key = (number, game.turn, seat)
                if key not in self._asked:
                    self._asked[key] = asked(self.services, session, game, seat, self.random.randrange)
                return owner, self._asked[key]
        self._asked = {key: turn for key, turn in self._asked.items() if key[0] != number}
        place = self._games.index(number)
        self._games[place] = self._new_game()
        return self._ask(self._games[place])

    def _new_game(self) -> int:
        game_type = self.random.choice(list(RULES))
        with writing(self.services.engine) as session:
            action = ActionContext(session, self.services.sealer, self.now)
            count = session.exec(select(Player.id).order_by(col(Player.id).desc())).first() or 0
            pair = [
                players.register(action, f"p{count + number}@example.org", f"P{count + number}")
                for number in (1, 2)
            ]
            game = challenges.challenge(action, pair[0], [pair[1]], game_type, {})
            challenges.accept(action, pair[1], log.id_of(game))
            return log.id_of(game)

    def _state(self, mail: Sent) -> tuple[int, str]:
        """Return the turn of the game that an email is for, and the orders of its seat, in one spelling."""
        if mail.turn is None:
            return 0, ""
        with reading(self.services.engine) as session:
            game = session.get_one(Game, mail.game)
            action = ActionContext(session, self.services.sealer, self.now)
            sealed = envelopes.written(action, game).get(mail.turn.seat)
            return game.turn, "" if sealed is None else envelopes.open_for(action, sealed)[0]

    def _untouched(self, mail: Sent) -> dict[tuple[str, int], tuple[object, ...]]:
        """Return the state of all games and players that this email must not change."""
        header = mail.raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].decode(errors="replace").lower()
        found: dict[tuple[str, int], tuple[object, ...]] = {}
        with reading(self.services.engine) as session:
            writers = set()
            for number, *state in session.execute(_PLAYERS):
                if state[0] and state[0] in header:
                    writers.add(number)
                else:
                    found["player", number] = tuple(state)
            theirs = select(Seat.game_id).where(col(Seat.player_id).in_(writers))
            for number, *state in session.execute(_GAMES_NOW.where(col(Game.id).not_in(theirs))):
                found["game", number] = tuple(state)
        return found

    def _check(self, mail: Sent, before: tuple[int, str]) -> None:
        """Raise Violation unless the email was handled, and only moves by its writer were played."""
        with reading(self.services.engine) as session:
            row = session.exec(select(Inbox).order_by(col(Inbox.id).desc()).limit(1)).one()
            if row.state not in ("done", "refused", "quarantined", "asked") or row.attempts:
                raise self._violation(mail, f"ended {row.state} after {row.attempts} failures: {row.why}")
            self.endings[row.state] += 1
        played = self._played(mail, before)
        if played is None or mail.turn is None:
            return
        self.moves += 1
        if played in self._meant(mail.turn, mail.own) | self._meant(mail.turn, mail.written):
            return
        if not mail.damaged:
            raise self._violation(mail, f"played {played!r}, which the writer did not write")
        ours = tuple(line.strip("> ") for line in mail.turn.text.split("\n"))
        if played in self._meant(mail.turn, ours) - self._meant(mail.turn, IN_SAMPLES):
            raise self._violation(mail, f"played {played!r}, which is in Nabu's own email")

    def _played(self, mail: Sent, before: tuple[int, str]) -> str | None:
        """Return the move played because of an email, or None."""
        after = self._state(mail)
        if mail.turn is None or after == before:
            return None
        if after[0] == before[0]:
            return after[1] or None
        with reading(self.services.engine) as session:
            game = session.get_one(Game, mail.game)
            played = stored_entries.turn_of(game, log.turn(session, game, before[0]))
            return played.turn.texts().get(mail.turn.seat)

    def _meant(self, turn: Turn, own: tuple[str, ...]) -> set[str]:
        """Return every move that successive lines by the writer can be read as.

        A line with only the sign before an item of a list is ignored.
        """
        found = set()
        own = tuple(line for line in own if line.strip() not in ("*", "-", "+", "•"))
        for begin in range(len(own)):
            for end in range(begin + 1, min(len(own), begin + 8) + 1):
                commands = read_commands("\n".join(own[begin:end]), turn.is_move, REPLY).commands
                for command in commands:
                    try:
                        found.add(turn.canonical(command.argument))
                    except RuleError:
                        continue
        return found

    def _violation(self, mail: Sent, what: str) -> Violation:
        return Violation(f"mail {self._count} of seed {self.seed}: {what}\n{mail.raw.decode(errors='replace')}")


def peak_memory() -> float:
    """Return the peak memory of this process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@click.command()
@click.argument("count", type=int)
@click.option("--seed", default=1, show_default=True)
def main(count: int, seed: int) -> None:
    """Send COUNT emails, and print the results."""
    with tempfile.TemporaryDirectory(prefix="nabu-flood-") as folder:
        flood = Flood(Path(folder), seed)
        for done in range(0, count, 1000):
            flood.send(min(1000, count - done))
            if done % 10_000 == 0:
                click.echo(f"{done + 1000:>7} mails, peak memory {peak_memory():.0f} MB", err=True)
    median, p99, worst = (1000 * seconds for seconds in flood.times())
    click.echo(f"{count} mails, {flood.moves} moves taken, none wrong; {dict(flood.endings)}")
    click.echo(f"processor time a mail: median {median:.1f} ms, p99 {p99:.1f} ms, worst {worst:.0f} ms")
    click.echo(f"peak memory {peak_memory():.0f} MB")


if __name__ == "__main__":
    main()
