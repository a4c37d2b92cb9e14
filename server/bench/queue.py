"""The queue of the computer players: the delay of their answers, and of people's moves meanwhile."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from statistics import median

import click
from sqlalchemy import Engine
from sqlmodel import col, select

from rules.registry import RULES
from server.accounts import computer_players, players
from server.bench.harness.databases import new_database, server_option
from server.bench.harness.load import within
from server.bench.harness.processes import run_part, settings_for, start
from server.bench.turn import Paced, opened
from server.game.lobby.challenges import challenge
from server.game.log import log
from server.game.play.moves import submit
from server.game.play.target import Target
from server.processes.computer_process import Computers
from server.processes.services import open_services
from server.store.db import reading, writing
from server.store.models import Entry
from server.store.outbox import ActionContext

_NOWHERE = ("127.0.0.1", 1)
"""An address without a relay, for a process that sends no email."""
_WAITING = "waiting"
"""The first letters of the addresses of people whose opponent is a computer player."""
_PATIENCE = 3600.0
"""Seconds after which a missing answer is an error."""
_PAUSE = 0.5
"""The average number of seconds between two moves of people."""
_POSITIVE = click.FloatRange(0, min_open=True)


@dataclass(frozen=True)
class QueueMeasurement:
    """The results of one run."""

    answers: Sequence[float]
    """For each game, the seconds from the start of the computer players until their move, ascending."""
    waits: Sequence[float]
    """For each report of a person's move, the seconds as in `TurnMeasurement.waits`."""


class _PeopleOnly(Paced):
    """Moves of people at a given interval, of which only their own reports count."""

    def arrived(self, recipient: str, content: bytes) -> None:
        """Note that a report came, unless it is about a game with a computer player."""
        if not recipient.startswith(_WAITING):
            super().arrived(recipient, content)


def run_queue(
    games: int, seconds: float, level: int, pause: float = _PAUSE, server: str | None = None
) -> QueueMeasurement:
    """Measure this many games of all types that wait for a computer player, while people play others by email.

    People move for `seconds`, with `pause` seconds on average between two moves; the measurement ends when all
    games are answered. `server` is as in `new_database`.
    """
    turns = ceil(seconds / pause)
    people = _PeopleOnly(turns, pause)
    with (
        new_database(server) as database_url,
        opened(people, database_url, "nebuchadnezzar", turns // 20 + 1) as (senders, processes),
    ):
        settings = settings_for(database_url, _NOWHERE)
        with closing(open_services(settings)) as services:
            with writing(services.engine) as session:
                action = ActionContext(session, services.sealer, datetime.now(UTC))
                turns_to_make = dict(_begin(action, number, level) for number in range(games))
            began, computers = datetime.now(UTC), start(run_part, Computers, settings)
            try:
                people.play(senders, processes)
                answers = _wait(services.engine, turns_to_make)
            finally:
                computers.stop()
    return QueueMeasurement([(at - began).total_seconds() for at in answers], people.waits)


def _begin(action: ActionContext, number: int, level: int) -> tuple[int, int]:
    """Start a game in which a computer player of this level has to move; return the game and the turn."""
    person = players.register(action, f"{_WAITING}{number}@example.org", f"Waiting {number}")
    computer, types = computer_players.member(action, level), list(RULES)
    game = challenge(action, person, [computer], types[number % len(types)], {})
    below = random.Random(number).randrange  # noqa: S311 - the same games every time
    while own := [seat for seat, player in log.seats(action.session, game) if seat.owes and player is person]:
        rules, position = log.rules_of(game), log.position_of(game)
        move = rules.sample(position, own[0].number, below)
        submit(action, person, Target(log.id_of(game), own[0].number, game.turn), rules.format(move))
    return log.id_of(game), game.turn


def _wait(engine: Engine, turns: Mapping[int, int]) -> list[datetime]:
    """Wait until all turns are played, and return what `_answered` does."""
    until = time.monotonic() + _PATIENCE
    while len(found := _answered(engine, turns)) < len(turns):
        if time.monotonic() > until:
            raise TimeoutError(f"{len(found)} of {len(turns)} games were answered")
        time.sleep(0.2)
    return found


def _answered(engine: Engine, turns: Mapping[int, int]) -> list[datetime]:
    """Return when the turns were played, in ascending order; `turns` has one turn by game."""
    query = select(Entry.game_id, Entry.turn, Entry.at).where(col(Entry.game_id).in_(turns))
    with reading(engine) as session:
        return sorted(at for game, turn, at in session.exec(query) if turns[game] == turn)


@click.command("queue")
@click.option(
    "--games",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="Games that wait for a computer player.",
)
@click.option(
    "--level",
    type=click.IntRange(1, 5),
    default=5,
    show_default=True,
    help="Level of the computer player.",
)
@click.option(
    "--seconds",
    type=_POSITIVE,
    default=600.0,
    show_default=True,
    help="Seconds for which people move.",
)
@click.option(
    "--pause",
    type=_POSITIVE,
    default=_PAUSE,
    show_default=True,
    help="Average seconds between two moves of people.",
)
@server_option
def bench_queue(games: int, level: int, seconds: float, pause: float, server: str | None) -> None:
    """Measure how soon computer players answer waiting games, and how long reports of people's moves take
    meanwhile.
    """
    found = run_queue(games, seconds, level, pause, server)
    half, last = median(found.answers), found.answers[-1]
    click.echo(f"{games} games were answered, half of them within {half:.0f} s and all within {last:.0f} s")
    times = ", ".join(f"p{share} {within(share / 100, found.waits):.0f} ms" for share in (50, 95, 99))
    click.echo(f"reports of {len(found.waits) // 2} moves of people: {times}")
