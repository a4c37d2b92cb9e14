"""A server on which many people have played for years: few games are played, and then copied for all."""

import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import insert, update
from sqlmodel import Session, SQLModel

from rules.registry import KINDS
from server.accounts import players
from server.bench import contests, desks
from server.bench.turn import settings_for
from server.game import counting, lobby, log, play
from server.game.target import Target
from server.processes.services import Services, open_services
from server.store import db
from server.store.db import writing
from server.store.models import Address, Game, Outbox, Player
from server.store.outbox import Action

BUSY = 1
"""The number of the player who has more games than anybody else."""
OPERATOR = 2
"""The number of the player who looks after the server."""
_OF_THE_BUSY = 0.03
"""The share of all games that are theirs."""
_RUNNING = 0.1
"""The share of games that still run."""
_YEARS = timedelta(days=3 * 365)
_BATCH = 5000
_ITS_OWN = ("id", "checksum")
"""What each row has of its own: a number, and a checksum over the number of its game."""
_NOT_COPIED = ("outbox", "ratingchange")
"""What is about a game: letters that were sent, and what is counted when all of them are."""
_TURNS = 12
"""Turns of each game before it is given up, or waits for the next."""


@contextmanager
def crowded(people: int, games: int) -> Iterator[Services]:
    """Services over a SQLite database of their own, with this many players and games of all kinds."""
    with tempfile.TemporaryDirectory(prefix="nabu-bench-") as folder:
        services = open_services(settings_for(Path(folder), ("127.0.0.1", 1)))
        db.upgrade(services.engine)
        below = random.Random(people).randrange  # noqa: S311 - the same crowd every time
        with writing(services.engine) as session:
            now = datetime.now(UTC)
            _register(session, now, people)
            action = Action(session, services.sealer, now)
            played = [
                _played(action, kind, below, over=over) for kind in sorted(KINDS) for over in (True, False)
            ]
            session.execute(update(Outbox).values(state="sent", sent_at=now))
            session.flush()
            for game in played:
                if game.state == "over":
                    counting.count(action, game)
            _copy(session, played, people, games - len(played), below)
            counting.recount(session)
            contests.hold(action, people, games // 100, below)
            desks.fill(session, OPERATOR, games)
        yield services
        services.close()


def _register(session: Session, now: datetime, people: int) -> None:
    """Players, with an address each."""
    for number in range(1, people + 1):
        email = f"player{number}@example.org"
        player = players.named(f"Player {number}", now - _YEARS)
        player.email, player.confirmed_at = email, now - _YEARS
        session.add(player)
        session.flush()
        session.add(Address(email=email, player_id=players.identity(player)))


def _played(action: Action, kind: str, below: Any, *, over: bool) -> Game:
    """A game between the first players that is given up after some turns, or runs."""
    rules = KINDS[kind]
    seats = len(rules.seats(rules.options({})))
    company = [action.session.get_one(Player, number) for number in range(BUSY, BUSY + seats)]
    game = lobby.challenge(action, company[0], company[1:], kind, {})
    for player in company[1:]:
        lobby.accept(action, player, log.identity(game))
    while game.state == "running" and game.turn <= _TURNS:
        position = log.position_of(game)
        moves = {seat: rules.sample(position, seat, below) for seat in rules.to_move(position)}
        turn = game.turn
        for seat, move in moves.items():
            player = log.seats(action.session, game)[seat].player
            play.submit(action, player, Target(log.identity(game), seat, turn), rules.format(move))
    if over and game.state == "running":
        for loser in log.seats(action.session, game)[1:]:
            play.resign(action, loser.player, Target(log.identity(game), loser.seat.number, game.turn))
    return game


def _copy(session: Session, played: Sequence[Game], people: int, games: int, below: Any) -> None:
    """Copy the games with all that belongs to them, for players drawn by lot, over the years."""
    session.flush()
    over, running = (
        [_rows(session, game) for game in played if (game.state == "over") is wanted]
        for wanted in (True, False)
    )
    first = max(log.identity(game) for game in played) + 1
    now = datetime.now(UTC)
    for start in range(first, first + games, _BATCH):
        batch: dict[str, list[dict[str, Any]]] = {}
        for number in range(start, min(start + _BATCH, first + games)):
            runs = below(1000) < 1000 * _RUNNING
            rows = (running if runs else over)[below(len(running))]
            ago = _YEARS * below(10_000) / (1_000_000 if runs else 10_000)
            company = _company(people, len(rows["seat"]), below)
            for name, found in rows.items():
                batch.setdefault(name, []).extend(
                    _moved(name, row, number, company, now - ago) for row in found
                )
        for table in SQLModel.metadata.sorted_tables:
            if table.name in batch:
                session.execute(insert(table), batch[table.name])


def _rows(session: Session, game: Game) -> dict[str, list[dict[str, Any]]]:
    """All rows that belong to a game, by table."""
    found = {}
    for table in SQLModel.metadata.sorted_tables:
        column = table.c.get("id" if table.name == "game" else "game_id")
        if column is None or table.name in _NOT_COPIED:
            continue
        rows = [dict(row) for row in session.execute(table.select().where(column == game.id)).mappings()]
        if rows:
            found[table.name] = [
                {name: value for name, value in row.items() if name not in _ITS_OWN} for row in rows
            ]
    return found


def _company(people: int, seats: int, below: Any) -> list[int]:
    """Different players, at times the one who plays most among them."""
    drawn = {BUSY} if below(1000) < 1000 * _OF_THE_BUSY else set()
    while len(drawn) < seats:
        drawn.add(1 + below(people))
    return sorted(drawn, key=lambda number: below(1000))


def _moved(name: str, row: dict[str, Any], number: int, company: list[int], at: datetime) -> dict[str, Any]:
    """The row as that of another game, with others at its seats."""
    if name == "game":
        own = {"id": number, "asked": company, "created_at": at, "changed_at": at, "again_of": None}
        return {**row, **own, "serial": row["serial"] and number}
    moved = {**row, "game_id": number}
    if name == "seat":
        moved["player_id"] = company[row["number"]]
    if name == "conduct":
        moved |= {"player_id": company[row["seat"]], "serial": number}
    return moved
