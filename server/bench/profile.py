"""The CPU time of each stage of a turn: the same path in one thread, under Python's profiler."""

import cProfile
import pstats
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from types import FrameType
from typing import Any

from sqlalchemy.engine import Transaction

from mail.outgoing import composing
from mail.reading import message
from server.bench.harness.databases import new_database
from server.bench.harness.load import sink
from server.bench.harness.processes import settings_for
from server.bench.turn import GameRunner
from server.game.play import moves
from server.inbound import game_mail
from server.inbound.authorization.senders import Senders
from server.inbound.pipeline import Pipeline
from server.outbound.delivery import Delivery
from server.outbound.letters import report
from server.outbound.letters.render import Renderer
from server.outbound.letters.writer import Writer
from server.processes.services import open_services
from server.settings import ROOT
from server.store import inbox, schema
from server.store.statements.planned_session import PlannedSession
from server.store.statements.plans import Plan

STAGES: dict[str, Callable[..., Any]] = {
    "handle an email, in all": Pipeline.handle_next,
    "  claim it": inbox.claim,
    "  read it": message.read,
    "  check its sender": Senders.check,
    "  act upon it": game_mail.act_in_game,
    "    play the move": moves.submit,
    "  write the changes": PlannedSession.flush,
    "send emails, in all": Delivery.send_due,
    "  write them": Writer.write_what_is_true,
    "    gather the contents": report.report,
    "    the text": Renderer.text,
    "    text and HTML": Renderer.render,
    "    compose": composing.compose,
    "all statements": Plan.run_raw,
    "all commits": Transaction.commit,
}
"""The stages that are shown, each with its function."""


_BENCH = str(ROOT / "server" / "bench") + "/"
OURS = tuple(str(ROOT / package) + "/" for package in ("rules", "mail", "server"))


def run(game_type: str, turns: int) -> Iterator[tuple[str, float]]:
    """Yield the milliseconds per turn of each stage; an indented stage is part of the one above."""
    with _waiting(game_type, turns) as (act, send):
        profiler = cProfile.Profile()
        profiler.enable()
        while act():
            send()
        profiler.disable()
    # pstats is untyped: {(file, line, function): (calls, primitive calls, own, cumulative, callers)}
    stats: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    for stage, function in STAGES.items():
        code = function.__code__
        spent = stats.get((code.co_filename, code.co_firstlineno, code.co_name))
        yield stage, 1000 * spent[3] / turns if spent else 0.0


def journey(game_type: str) -> list[str]:
    """Return the files of the program that an email with a move enters, in order, until its turn is committed.

    A file appears each time that a call leads into it from another one. A first email is handled before, so
    that one-time imports and compilations do not count.
    """
    files: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        is_program = file.startswith(OURS) and not file.startswith(_BENCH)
        if event == "call" and is_program and files[-1:] != [file]:
            files.append(file)

    with _waiting(game_type, 2) as (act, send):
        act()
        send()
        sys.setprofile(note)
        try:
            act()
        finally:
            sys.setprofile(None)
    return [file.removeprefix(f"{ROOT}/") for file in files]


@contextmanager
def _waiting(game_type: str, turns: int) -> Iterator[tuple[Callable[[], int], Callable[[], None]]]:
    """Store this many incoming emails with moves; return a function that handles one per game, and one that
    sends reports.

    No report is out of date when it is sent.
    """
    with (
        new_database(None) as database_url,
        sink() as address,
        closing(open_services(settings_for(database_url, address))) as services,
    ):
        schema.upgrade(services.engine)
        runner, games = GameRunner(turns), turns // 20 + 1
        runner.prepare(services, game_type, games)
        replies = list(runner.all_replies(turns))
        services.reception().store(replies)
        pipeline, delivery = services.pipeline(), services.delivery()

        def act() -> int:
            return sum(pipeline.handle_next(services.now()) for _ in range(games))

        def send() -> None:
            while delivery.send_due(services.now()):
                pass

        yield act, send
        delivery.connections.close()
