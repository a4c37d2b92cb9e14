"""A server on which many people have played for years: few games are played, and then copied for all."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import insert, update
from sqlmodel import Session, SQLModel

from rules.registry import RULES
from server.accounts import players
from server.bench.filling import administration, special_games, tournaments
from server.bench.filling.playing import Below, begin, give_up, play_on
from server.bench.harness.databases import new_database
from server.bench.harness.mail_processes import settings_for
from server.game.integrity import recount
from server.game.lobby import challenges, joining
from server.game.log import log
from server.game.ratings import results
from server.processes.services import Services, open_services
from server.store import schema
from server.store.db import writing
from server.store.models import Address, Game, Outbox, Player
from server.store.outbox import ActionContext

BUSY = 1
"""The number of the player who has more games than anybody else."""
OPERATOR = 2
"""The number of the player who looks after the server."""
_OF_THE_BUSY = 0.03
"""The share of all games that are theirs."""
_STATES = {"running": 100, "open": 3, "invited": 3, "over": 894}
"""Of a thousand games, how many are in which state."""
_THOUSAND = [state for state, many in _STATES.items() for _ in range(many)]
_YEARS = timedelta(days=3 * 365)
_BATCH = 5000
_ITS_OWN = ("id", "checksum")
"""What each row has of its own: a number, and a checksum over the number of its game."""
_NOT_COPIED = ("outbox", "ratingchange")
"""What is about a game: letters that were sent, and what is counted when all of them are."""
_TURNS, _MOST_TURNS = 12, 200
"""Turns of each game before it is given up, or waits for the next; and of the few that are long."""


@dataclass(frozen=True)
class ConnectionPool:
    """What the pages work with; `places` is what the addresses of `special_games.PAGES` name."""

    services: Services
    places: Mapping[str, int | str]


@contextmanager
def crowded(people: int, games: int) -> Iterator[ConnectionPool]:
    """A SQLite database of its own with this many players, and games of all kinds."""
    with new_database(None) as database_url:
        services = open_services(settings_for(database_url, ("127.0.0.1", 1)))
        schema.upgrade(services.engine)
        below = random.Random(people).randrange  # noqa: S311 - the same crowd every time
        now = datetime.now(UTC)
        with writing(services.engine) as session:
            _register(session, now, people)
            action = ActionContext(session, services.sealer, now)
            played = [
                _played(action, game_type, state, below) for game_type in sorted(RULES) for state in _STATES
            ]
            session.execute(update(Outbox).values(state="sent", sent_at=now))
            session.flush()
            for game in played:
                if game.state == "over":
                    results.count(action, game)
            _copy(session, played, people, games - len(played), below)
        sum(recount.recount(services.engine))
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, now)
            tournaments.hold(action, people, games // 100, below)
            administration.fill(session, OPERATOR, games)
            found = special_games.fill(action, services.logins, people, min(_MOST_TURNS, games // 10), below)
        yield ConnectionPool(services, found)
        services.close()


def _register(session: Session, now: datetime, people: int) -> None:
    """Players, with an address each."""
    for number in range(1, people + 1):
        email = f"player{number}@example.org"
        player = players.new_player(f"Player {number}", now - _YEARS)
        player.email, player.confirmed_at = email, now - _YEARS
        session.add(player)
        session.flush()
        session.add(Address(email=email, player_id=players.identity(player)))


def _played(action: ActionContext, game_type: str, state: str, below: Below) -> Game:
    """A game of the first players that is given up after some turns, or runs, or has not begun."""
    seats = len(RULES[game_type].seats(RULES[game_type].options({})))
    company = [action.session.get_one(Player, number) for number in range(BUSY, BUSY + seats)]
    if state == "open":
        return joining.seek(action, company[0], game_type, {})
    if state == "invited":
        return challenges.challenge(action, company[0], company[1:], game_type, {})
    game = begin(action, company, game_type, {})
    play_on(action, game, _TURNS, below)
    if state == "over":
        give_up(action, game)
    return game


def _copy(session: Session, played: Sequence[Game], people: int, games: int, below: Below) -> None:
    """Copy the games with all that belongs to them, for players drawn by lot, over the years."""
    session.flush()
    rows_in = {state: [_rows(session, game) for game in played if game.state == state] for state in _STATES}
    first = max(log.id_of(game) for game in played) + 1
    now = datetime.now(UTC)
    for start in range(first, first + games, _BATCH):
        batch: dict[str, list[dict[str, Any]]] = {}
        for number in range(start, min(start + _BATCH, first + games)):
            state = _THOUSAND[below(1000)]
            rows = rows_in[state][below(len(rows_in[state]))]
            ago = _YEARS * below(10_000) / (10_000 if state == "over" else 1_000_000)
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


def _company(people: int, seats: int, below: Below) -> list[int]:
    """Different players, at times the one who plays most among them, but not where somebody waits alone."""
    drawn = {BUSY} if seats > 1 and below(1000) < 1000 * _OF_THE_BUSY else set()
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
        moved |= {"player_id": company[row["number"]], "over_at": row["over_at"] and at}
    if name == "conduct":
        moved |= {"player_id": company[row["seat"]], "serial": number}
    return moved
