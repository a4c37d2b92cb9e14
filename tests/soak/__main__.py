"""`make soak`: by the hour."""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from tests.soak.run import STORES, Plan, soak


def main() -> None:
    """Read how long and how much, run, and end with 1 if not all was well."""
    asked = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    asked.add_argument("--minutes", type=float, default=60)
    asked.add_argument("--games", type=int, default=500)
    asked.add_argument("--people", type=int, default=200)
    asked.add_argument("--pause", type=float, default=45, help="seconds until somebody looks at a game again")
    asked.add_argument("--weather", type=float, default=8, help="seconds between two faults")
    asked.add_argument("--database", choices=sorted(STORES), default="sqlite")
    asked.add_argument("--room", type=int, default=8192, help="MB of the disk")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    logging.disable(logging.CRITICAL)  # of what the world outside finds wrong
    lasts = given.minutes * 60
    plan = Plan(
        given.database, lasts, given.games, given.people, given.pause, given.weather, given.room, given.seed
    )
    with tempfile.TemporaryDirectory(prefix="nabu-soak-") as folder:
        say(f"{plan}")
        try:
            soak(plan, Path(folder), say)
        except AssertionError as wrong:
            say(f"NOT WELL: {wrong}")
            sys.exit(1)
    say("all is well")


def say(line: str) -> None:
    """Print what there is to tell, with the time."""
    sys.stdout.write(f"{datetime.now(UTC):%H:%M:%S}  {line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
