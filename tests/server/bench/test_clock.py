"""`nabu bench clock`, small."""

from __future__ import annotations

from server.bench import clock


def test_what_is_due_is_done_and_nothing_else() -> None:
    with clock.filled(30) as engine:
        assert clock.idle(engine) > 0
        assert clock.ended(engine) == 0
        assert clock.busy(engine, 7) > 0
        assert clock.ended(engine) == 7
