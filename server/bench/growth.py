"""The cost of turns, pages and jobs, by the number of games in the database."""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass
from datetime import timedelta
from functools import partial

from flask import Flask
from sqlmodel import Session, col, select

from mail.incoming.receiving import Received
from server.bench.filling.many_games import Full
from server.bench.harness.processes import DOMAIN
from server.bench.harness.web import ask, cookie_of
from server.bench.turn import reply
from server.game.log import log
from server.jobs import computer_moves, inquiries
from server.jobs.table import CLOCK, HISTORY, JOBS, WATCHERS
from server.processes.services import Services
from server.processes.worker import Worker
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.tokens import ReplyToken
from server.web import create_app

TURN, TIMEOUT = "a turn", "a game out of time"
GAME_TYPE = "nebuchadnezzar"
"""The game type in which turns are measured: its seats move in turn."""
_WARMING = 3
"""The number of repetitions before the measurement."""
_TIMES, _ENOUGH = 300, 3.0
"""The number of repetitions, and the seconds after which they stop."""

Work = Callable[[], object]


@dataclass(frozen=True)
class GrowthCost:
    """Medians, in seconds."""

    clock: float
    processor: float
    """The processor time of this process; with SQLite, it includes the database."""


@contextmanager
def works(found: Full, turns: int) -> Iterator[Mapping[str, Work]]:
    """Return the work to measure; a turn can be played `turns` times, after a trial."""
    played = _Turns(found, turns + _WARMING)
    try:
        yield {
            **_queries_for_due_work(found.services),
            **_pages(found),
            TURN: played.play,
            TIMEOUT: partial(_run_out, found),
        }
    finally:
        played.delivery.connections.close()


def run(found: Sequence[Full], turns: int) -> list[dict[str, GrowthCost]]:
    """Return the costs on each server."""
    costs: list[dict[str, GrowthCost]] = [{} for _ in found]
    with ExitStack() as open_works:
        measured = [open_works.enter_context(works(each, turns)) for each in found]
        for name in measured[0]:
            taken = cost([each[name] for each in measured], turns if name in (TURN, TIMEOUT) else _TIMES)
            for each, one in zip(costs, taken, strict=True):
                each[name] = one
    return costs


def table(sizes: Sequence[int], costs: Sequence[Mapping[str, GrowthCost]]) -> Iterator[str]:
    """Return the lines of the table of costs in milliseconds; the last column is the ratio of most to fewest
    games.
    """
    for what, number in (("elapsed", 0), ("processor", 1)):
        yield f"{what:<28}" + "".join(f"{games:>12,}" for games in sizes) + "   ratio"
        for name in costs[0]:
            found = [astuple(each[name])[number] for each in costs]
            times = "".join(f"{1000 * each:12.2f}" for each in found)
            yield f"{name:<28}{times}{found[-1] / found[0]:8.2f}"


def cost(works: Sequence[Work], times: int = _TIMES) -> list[GrowthCost]:
    """Return the cost of each work; they take turns, each `times` times or for some seconds.

    So other load on the machine affects all of them equally.
    """
    for work in (*works,) * _WARMING:
        work()
    taken: list[list[GrowthCost]] = [[] for _ in works]
    end = time.monotonic() + _ENOUGH * len(works)
    while len(taken[0]) < times and time.monotonic() < end:
        for each, work in zip(taken, works, strict=True):
            began, used = time.perf_counter(), time.process_time()
            work()
            each.append(GrowthCost(time.perf_counter() - began, time.process_time() - used))
    return [_median(each) for each in taken]


def _median(taken: Sequence[GrowthCost]) -> GrowthCost:
    return GrowthCost(*map(statistics.median, zip(*map(astuple, taken), strict=True)))


def _queries_for_due_work(services: Services) -> dict[str, Work]:
    """Return each query of the worker and of the computer process for due work; none is due."""
    worker = Worker(services)
    return {
        "incoming emails": worker.handle_mail,
        "outgoing emails": worker.send_mail,
        "notices": worker.send_notices,
        **{f"job {job.name}": partial(job.run, worker.work) for job in JOBS if job is not HISTORY},
        "computer players' turns": lambda: computer_moves.claim(services.engine, services.now()),
        "is a computer player awaited": lambda: computer_moves.is_awaited(services.engine, services.now()),
        "inquiries": lambda: inquiries.answer_next(
            services.engine, services.sealer, services.now(), lambda request: None
        ),
    }


def _pages(found: Full) -> dict[str, Work]:
    """Return pages of a busy player, and of a visitor who is not logged in."""
    services, app = found.services, create_app(found.services)
    with reading(services.engine) as session:
        player = session.get_one(Player, found.many.first)
        own = select(Game.id).join(Seat).where(Seat.player_id == player.id, Game.state == "running")
        number = session.exec(own.where(col(Seat.owes)).limit(1)).one()
    cookie = ("Cookie", f"nabu={cookie_of(app, services, player)}")
    pages = {
        "your games": ("/games", [cookie]),
        "news of your games": ("/games/now", [cookie]),
        "a game": (f"/games/{number}", [cookie]),
        "home": ("/", []),
        "the lobby's page": ("/lobby", [cookie]),
    }
    return {name: partial(_visit, app, *asked) for name, asked in pages.items()}


def _visit(app: Flask, address: str, headers: list[tuple[str, str]]) -> None:
    _, size, status = ask(app, address, headers)
    if not size or status != 200:
        raise RuntimeError(f"{address} answered {status}")


def _run_out(found: Full) -> None:
    """Let the time of a player in a copied game run out, and run the clock job."""
    now = found.services.now()
    with writing(found.services.engine) as session:
        copied = (Game.game_type == GAME_TYPE, col(Game.id) > found.many.played, Game.state == "running")
        seat = session.exec(select(Seat).join(Game).where(*copied, col(Seat.owes)).limit(1)).one()
        session.get_one(Game, seat.game_id).turn_began_at = now - timedelta(days=30)
        seat.grace_until = now
    CLOCK.run(Worker(found.services).work)
    with reading(found.services.engine) as session:
        if session.get_one(Game, seat.game_id).state != "over":
            raise RuntimeError(f"game {seat.game_id} goes on")


class _Turns:
    """Turns in games from all over the database, each in another one."""

    def __init__(self, found: Full, count: int) -> None:
        self._services, self._many, self._count = found.services, found.many, count
        self._pipeline, self.delivery = found.services.pipeline(), found.services.delivery()
        self._are_stored = False

    def play(self) -> None:
        """Handle one email, send the reports and get the spectators; the first time, first store all emails."""
        services = self._services
        if not self._are_stored:
            self._store()
            self._are_stored = True
        if not self._pipeline.handle_next(services.now()):
            raise RuntimeError("there is no email left")
        while self.delivery.send_due(services.now()):
            pass
        while WATCHERS.run_next(services.engine, services.sealer, services.now()):
            pass

    def _store(self) -> None:
        """Store an incoming email with a move in each of the games; each is from a busy player."""
        services, many = self._services, self._many
        is_busy = col(Seat.player_id).between(many.first, many.first + many.busy - 1)
        own = select(Game).join(Seat).where(Game.game_type == GAME_TYPE, Game.state == "running", is_busy)
        with reading(services.engine) as session:
            games = session.exec(own.order_by(col(Game.id))).all()
            places = range(min(self._count, len(games)))
            mails = [_reply(services, session, games[place * len(games) // self._count]) for place in places]
        services.reception().store(mails)


def _reply(services: Services, session: Session, game: Game) -> Received:
    rules, position = log.rules_of(game), log.position_of(game)
    seat, player = next(each for each in log.seats(session, game) if each.seat.owes)
    below = random.Random(1).randrange  # noqa: S311 - the same moves every time
    move = rules.format(rules.sample(position, seat.number, below))
    token = services.tokens.write(ReplyToken(log.id_of(game), seat.number, game.turn))
    mail = reply(player.email, f"play+{token}@{DOMAIN}", move, str(game.id))
    return Received("smtp", "127.0.0.1", mail.sender, (mail.recipient,), mail.content)
