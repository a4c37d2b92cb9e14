"""Complete turns through the real path: a reply in by SMTP, a durable commit, the rules, two reports out."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from queue import SimpleQueue

from mail.incoming.receiving import Received
from mail.reading.quoting import SENTINEL
from rules.registry import rules_named
from server.accounts import players
from server.bench.filling.playing import begin
from server.bench.harness.databases import new_database
from server.bench.harness.floor import run_floor
from server.bench.harness.load import Couriers, Outgoing, sink
from server.bench.harness.processes import (
    DOMAIN,
    Processes,
    cpu_of,
    cpu_since,
    mebibytes_of,
    run_mail_process,
    run_part,
    settings_for,
    start,
    stop_all,
)
from server.game.log import log
from server.processes.services import Services, open_services
from server.processes.worker import Worker
from server.store import schema
from server.store.db import writing
from server.store.deferral import EVERY_TURN, MAIL
from server.store.models import Outbox
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken

MAIL_PROCESS, WORKER_PROCESS = "mail process", "worker process"
"""The measured processes."""
_PATIENCE = 60.0
SETTLED = 3.0
"""Seconds until newly started processes are idle."""
BEFORE = 50
"""Turns before a measurement, in which processes compile templates, statements and regular expressions."""


@dataclass(frozen=True)
class TurnMeasurement:
    """The results of one run: `cpu` by process, in seconds for all turns."""

    turns: int
    seconds: float
    cpu: dict[str, float]
    waits: Sequence[float] = ()
    """For each report, the seconds from accepting the reply until the relay had the report."""
    mebibytes: float = 0
    """The proportional set size of all processes at the end."""

    @property
    def rate(self) -> float:
        """Turns per second."""
        return self.turns / self.seconds


def run_turns(
    game_type: str, games: int, turns: int, server: str | None = None, each: int = 1
) -> tuple[TurnMeasurement, tuple[bytes, bytes]]:
    """Play `turns` turns in all, in this many simultaneous games, after some that are not measured.

    Also return the last two reports, for the floor. `server` is as in `new_database`, `each` as in `opened`.
    """
    table = GameRunner(turns, before=BEFORE * each)
    return run(table, game_type, games, server, each), table.last_reports


def run(
    table: GameRunner, game_type: str, games: int, server: str | None = None, each: int = 1
) -> TurnMeasurement:
    """Play with a game runner, with processes for mail and work."""
    with (
        new_database(server) as database_url,
        opened(table, database_url, game_type, games, each) as (senders, processes),
    ):
        table.warm_up(senders)
        time.sleep(SETTLED)
        measured = replace(table.play(senders, processes), mebibytes=mebibytes_of(processes))
    return replace(measured, waits=table.waits)


@contextmanager
def opened(
    table: GameRunner, database_url: str, game_type: str, games: int, each: int = 1
) -> Iterator[tuple[Couriers, Processes]]:
    """Open games and everything that plays them; yield the senders of emails and the process ids.

    It starts `each` mail processes and as many workers, and stops all at the end. The database must have no
    tables yet.
    """
    with sink(table.arrived) as address:
        settings = settings_for(database_url, address)
        with closing(open_services(settings)) as services:
            schema.upgrade(services.engine)
            table.prepare(services, game_type, games)
        mail = [start(run_mail_process, settings) for _ in range(each)]
        work = [start(run_part, Worker, settings) for _ in range(each)]
        senders = Couriers([process.address for process in mail], table.taken)
        pids = {MAIL_PROCESS: [each.pid for each in mail], WORKER_PROCESS: [each.pid for each in work]}
        try:
            yield senders, pids
        finally:
            senders.stop()
            stop_all([*mail, *work])


def run_floor_turns(reports: tuple[bytes, bytes], turns: int, server: str | None = None) -> TurnMeasurement:
    """Pass as many emails in and out as `run_turns` does, with nothing between."""
    come = threading.Semaphore(0)
    with new_database(server) as database_url, sink(lambda *_: come.release()) as (host, port):
        floor = start(run_floor, database_url, f"smtp://{host}:{port}", reports)
        senders, processes = Couriers([floor.address]), {"floor process": [floor.pid]}
        mail = reply("someone@example.org", "play@bench.test", "c4", "floor")
        began, cpu = time.monotonic(), cpu_of(processes)
        for _ in range(turns):
            senders.send(mail)
        for _ in range(2 * turns):
            come.acquire(timeout=_PATIENCE)
        seconds = time.monotonic() - began
        spent, memory = cpu_since(cpu, processes), mebibytes_of(processes)
        senders.stop()
        floor.stop()
    return TurnMeasurement(turns, seconds, spent, mebibytes=memory)


@dataclass
class Match:
    """A game that is played: its moves are drawn beforehand, so that playing them costs no time here."""

    replies: Iterator[Outgoing]
    waiting: int = 0
    reply: str = ""
    """The address of the last reply; no two replies go to the same address."""


class GameRunner:
    """Plays many games at the same time: the next reply goes out when both reports of the last have come."""

    def __init__(self, turns: int, before: int = 0) -> None:
        self._left = self._to_come = 0
        self._matches: dict[str, Match] = {}
        self._senders: Couriers | None = None
        self._done = threading.Event()
        self._last: list[bytes] = []
        self._all: list[Outgoing] = []
        self._turns, self._before = turns, before
        self._every = 0.0
        self._taken: dict[str, float] = {}
        self._told: list[tuple[str, float]] = []

    @property
    def last_reports(self) -> tuple[bytes, bytes]:
        """The last two emails that came."""
        return self._last[-2], self._last[-1]

    @property
    def waits(self) -> list[float]:
        """The delay of each report, once all have come and the senders have ended."""
        return [at - self._taken[reply] for reply, at in self._told]

    def prepare(self, services: Services, game_type: str, games: int) -> None:
        """Add running games to the database."""
        now = datetime.now(UTC)
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, now)
            for number in range(games):
                pair = [
                    players.register(action, f"p{number}s{seat}@example.org", f"P{number} {seat}")
                    for seat in (0, 1)
                ]
                for player in pair:
                    player.choices = {MAIL: EVERY_TURN}  # two emails per turn, the most expensive setting
                game = begin(action, pair, game_type, {})
                people = tuple(player.email for _, player in log.seats(session, game))
                replies = _replies(
                    services, game_type, log.id_of(game), people, (self._before + self._turns) // games + 2
                )
                match = Match(iter(replies))
                self._all.extend(replies)
                self._matches.update(dict.fromkeys(people, match))
            session.flush()
            session.execute(Outbox.__table__.delete())  # type: ignore[attr-defined]

    def all_replies(self, count: int) -> Iterator[Received]:
        """Yield the first replies of all games as if they had come in: each game in order, game after game."""
        for mail in self._all[:count]:
            yield Received("smtp", "127.0.0.1", mail.sender, (mail.recipient,), mail.content)

    def warm_up(self, senders: Couriers) -> None:
        """Play the turns that come `before`, so that processes have done their one-time work."""
        self._senders = senders
        if self._before:
            self._play_on(self._before)
            self._told.clear()

    def play(self, senders: Couriers, processes: Processes) -> TurnMeasurement:
        """Play, and measure from the first reply to the last report."""
        self._senders = senders
        cpu, began = cpu_of(processes), time.monotonic()
        self._play_on(self._turns)
        seconds = time.monotonic() - began
        return TurnMeasurement(self._turns, seconds, cpu_since(cpu, processes))

    def _play_on(self, turns: int) -> None:
        self._left = self._to_come = turns
        self._done.clear()
        for match in {id(match): match for match in self._matches.values()}.values():
            self.go_on(match)
        if not self._done.wait(_PATIENCE + turns * (self._every + 0.1)):
            raise TimeoutError(f"{self._to_come} of {turns} turns were not reported")

    def taken(self, mail: Outgoing) -> None:
        """Note that a reply was accepted with 250."""
        self._taken[mail.recipient] = time.monotonic()

    def arrived(self, recipient: str, content: bytes) -> None:
        """Note that a report came."""
        match = self._matches[recipient]
        self._told.append((match.reply, time.monotonic()))
        match.waiting -= 1
        self._last = [*self._last[-1:], content]
        if match.waiting:
            return
        self._to_come -= 1
        self.go_on(match)
        if self._to_come == 0:
            self._done.set()

    def go_on(self, match: Match) -> None:
        """Make the next move of a game."""
        if self._left == 0 or self._senders is None:
            return
        reply = next(match.replies, None)
        if reply is None:
            return  # it is over, and the others make its moves
        self._left -= 1
        match.waiting = 2
        match.reply = reply.recipient
        self._senders.send(reply)


def _replies(
    services: Services, game_type: str, game: int, people: tuple[str, ...], count: int
) -> list[Outgoing]:
    """Return `count` replies of a random game, or fewer if it ends before that."""
    rules = rules_named(game_type)
    options = rules.options({})
    choose = random.Random(game).randrange  # noqa: S311 - the same games every time
    position = rules.start(options, {})
    found = []
    for turn in range(1, count + 1):
        (seat,) = rules.to_move(position)
        move = rules.sample(position, seat, choose)
        recipient = f"play+{services.tokens.write(ReplyToken(game, seat, turn))}@{DOMAIN}"
        mail = reply(people[seat], recipient, rules.format(move), f"{game}.{turn}")
        found.append(mail)
        position = rules.play(position, {seat: move})
        if rules.result(position):
            break
    return found


def reply(sender: str, recipient: str, text: str, key: str) -> Outgoing:
    """Return a player's email with a move, above the quoted email; `key` makes it unique."""
    answered = [SENTINEL, *(f"line {number} of the mail that is answered" for number in range(30))]
    quoted = "\r\n".join(f"> {line}" for line in answered)
    content = (
        f"From: {sender}\r\nTo: {recipient}\r\nSubject: Re: a game\r\nMessage-ID: <{key}@sender.test>\r\n"
        "Date: Fri, 20 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=utf-8\r\n"
        f"\r\n{text}\r\n\r\nOn Fri, 20 Nov 2026 at 09:00, Nabu <play@{DOMAIN}> wrote:\r\n{quoted}\r\n"
    )
    return Outgoing(sender, recipient, content.encode())


_PAUSE = 0.4
"""The average number of seconds between two moves in the run without load."""


class Paced(GameRunner):
    """A move at a given average interval, in the game that has waited longest."""

    def __init__(self, turns: int, every: float) -> None:
        super().__init__(turns)
        self._every = every
        self._free: SimpleQueue[Match] = SimpleQueue()
        self._pace = threading.Thread(target=self._make_moves, args=(turns,), daemon=True)

    def play(self, senders: Couriers, processes: Processes) -> TurnMeasurement:
        """Play, and measure from the first pause to the last report."""
        self._pace.start()
        return super().play(senders, processes)

    def go_on(self, match: Match) -> None:
        """Note that the game waits for its next move."""
        self._free.put(match)

    def _make_moves(self, turns: int) -> None:
        due, choose = time.monotonic(), random.Random(turns).uniform  # noqa: S311 - the same pauses every time
        for _ in range(turns):
            due += choose(0.5, 1.5) * self._every  # not in step with jobs that run at fixed intervals
            time.sleep(max(0.0, due - time.monotonic()))
            super().go_on(self._free.get())


def run_alone(game_type: str, turns: int, pause: float = _PAUSE, server: str | None = None) -> TurnMeasurement:
    """Play one move at a time, with pauses. `server` is as in `new_database`."""
    return run(Paced(turns, pause), game_type, turns // 20 + 1, server)


def run_loaded(
    game_type: str, turns: int, games: int, share: float, server: str | None = None
) -> tuple[TurnMeasurement, TurnMeasurement]:
    """Play as many moves per second as possible; then this share of them. `server` is as in `new_database`."""
    fully, _ = run_turns(game_type, games, turns, server)
    return fully, run(Paced(turns, 1 / (share * fully.rate)), game_type, games, server)
