"""Where the CPU time of a turn goes: the same path in one thread, under Python's profiler."""

import cProfile
import pstats
import tempfile
from collections.abc import Iterator
from pathlib import Path

from server.bench.load import Sink
from server.bench.turn import Tournament, settings_for
from server.processes.services import open_services
from server.store import db, inbox
from server.store.db import writing

_STAGES = {
    "handle a mail, in all": ("pipeline.py", "handle_next"),
    "  read it": ("reading.py", "read"),
    "  play it": ("play.py", "submit"),
    "  flush to the database": ("session.py", "flush"),
    "send mails, in all": ("delivery.py", "send_due"),
    "  write them": ("writer.py", "write"),
    "    gather what they say": ("letters.py", "report"),
    "    render text and HTML": ("skin.py", "render"),
    "    compose": ("composing.py", "compose"),
    "  hand them over": ("delivering.py", "send"),
    "commits": ("session.py", "commit"),
}


def run(kind_name: str, turns: int) -> Iterator[tuple[str, float]]:
    """Stage by stage the milliseconds a turn; stages that are indented are part of the one above."""
    with tempfile.TemporaryDirectory(prefix="nabu-bench-") as folder:
        sink = Sink(lambda recipient, content: None)
        sink.listener.start()
        services = open_services(settings_for(Path(folder), sink.listener.address))
        db.upgrade(services.engine)
        tournament = Tournament(turns)
        tournament.prepare(services, kind_name, games=turns // 20 + 1)
        with writing(services.engine) as session:
            inbox.store(
                session, services.sealer, services.tokens, services.now(), list(tournament.all_replies(turns))
            )
        pipeline, delivery = services.pipeline(), services.delivery()
        profiler = cProfile.Profile()
        profiler.enable()
        while pipeline.handle_next(services.now()):
            pass
        while delivery.send_due(services.now()):
            pass
        profiler.disable()
        sink.listener.stop()
        services.engine.dispose()
    # pstats is untyped: {(file, line, function): (calls, primitive calls, own, cumulative, callers)}
    stats: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    for stage, (file, function) in _STAGES.items():
        spent = sum(
            row[3] for (path, _, name), row in stats.items() if Path(path).name == file and name == function
        )
        yield stage, 1000 * spent / turns
