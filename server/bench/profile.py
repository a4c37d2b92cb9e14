"""Where the CPU time of a turn goes: the same path in one thread, under Python's profiler."""

import cProfile
import pstats
from collections.abc import Iterator
from pathlib import Path

from server.bench.databases import new_database
from server.bench.load import Sink
from server.bench.office import settings_for
from server.bench.turn import Tournament
from server.processes.services import open_services
from server.store import inbox, schemas
from server.store.db import writing

STAGES = {
    "handle a mail, in all": ("pipeline.py", "handle_next"),
    "  claim it": ("inbox.py", "claim"),
    "  read it": ("message.py", "read"),
    "  check its sender": ("senders.py", "check"),
    "  act upon it": ("replies.py", "act_in_game"),
    "    play the move": ("play.py", "submit"),
    "  write what was changed": ("session.py", "_flush"),
    "send mails, in all": ("delivery.py", "send_due"),
    "  write them": ("writer.py", "write_what_is_true"),
    "    gather what they say": ("report.py", "report"),
    "    the text": ("skin.py", "text"),
    "    text and HTML": ("skin.py", "render"),
    "    compose": ("composing.py", "compose"),
    "all statements": ("base.py", "_execute_context"),
    "all commits": ("base.py", "_do_commit"),
}
"""What is shown, each with the file and the name of the function that does it."""


def run(kind_name: str, turns: int) -> Iterator[tuple[str, float]]:
    """Stage by stage the milliseconds a turn; stages that are indented are part of the one above."""
    with new_database(None) as database_url:
        sink = Sink(lambda recipient, content: None)
        sink.listener.start()
        services = open_services(settings_for(database_url, sink.listener.address))
        schemas.upgrade(services.engine)
        tournament = Tournament(turns)
        games = turns // 20 + 1
        tournament.prepare(services, kind_name, games)
        with writing(services.engine) as session:
            inbox.store(
                session, services.sealer, services.tokens, services.now(), list(tournament.all_replies(turns))
            )
        pipeline, delivery = services.pipeline(), services.delivery()
        profiler = cProfile.Profile()
        profiler.enable()
        # Queues take turns: each round is a move in each game, and no report is out of date when it is sent.
        while sum(pipeline.handle_next(services.now()) for _ in range(games)):
            while delivery.send_due(services.now()):
                pass
        profiler.disable()
        delivery.lines.close()
        sink.listener.stop()
        services.engine.dispose()
    # pstats is untyped: {(file, line, function): (calls, primitive calls, own, cumulative, callers)}
    stats: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    for stage, (file, function) in STAGES.items():
        spent = sum(
            row[3] for (path, _, name), row in stats.items() if Path(path).name == file and name == function
        )
        yield stage, 1000 * spent / turns
