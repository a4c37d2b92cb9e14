"""`make soak`: by the hour."""

from __future__ import annotations

import argparse
import logging
import sys
from datetime import UTC, datetime

from tests.soak.run import STORES, Plan, soak

_STORM = 0.6
"""The part of the time in which there is bad weather."""


def main() -> None:
    """Read how long and how much, run, and end with 1 if not all was well."""
    asked = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    asked.add_argument("--hours", type=float, default=1)
    asked.add_argument("--games", type=int, default=500)
    asked.add_argument("--people", type=int, default=200)
    asked.add_argument("--pause", type=float, default=45, help="seconds until somebody looks at a game again")
    asked.add_argument("--fair", type=float, default=8, help="seconds of fair weather between two faults")
    asked.add_argument("--spell", type=float, default=15, help="seconds for which a fault lasts")
    asked.add_argument("--database", choices=sorted(STORES), default="sqlite")
    asked.add_argument("--room", type=int, default=8192, help="MB of the disk")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    logging.disable(logging.CRITICAL)  # of what the world outside finds wrong
    lasts = given.hours * 3600
    plan = Plan(
        store=given.database,
        storm=lasts * _STORM,
        calm=lasts * (1 - _STORM),
        games=given.games,
        people=given.people,
        pause=given.pause,
        fair=given.fair,
        spell=given.spell,
        room=given.room,
        seed=given.seed,
    )
    say(f"{plan}")
    try:
        soak(plan, say)
    except AssertionError as wrong:
        say(f"NOT WELL: {wrong}")
        sys.exit(1)
    say("all is well")


def say(line: str) -> None:
    """Print a line with the time."""
    sys.stdout.write(f"{datetime.now(UTC):%H:%M:%S}  {line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
