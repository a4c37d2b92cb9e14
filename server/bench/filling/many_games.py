"""A database of up to millions of games: few are played, and the database itself copies them."""

import random
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    DateTime,
    Engine,
    FromClause,
    String,
    and_,
    case,
    cast,
    event,
    func,
    insert,
    literal,
    null,
    select,
    text,
    update,
)
from sqlmodel import Session, col

from rules.registry import RULES
from server.accounts import computer_players, players
from server.bench.filling.inserting import Columns, add, is_sqlite, numbers, shifted, table_of
from server.bench.filling.playing import Below, begin, give_up, play_on
from server.bench.harness.load import sink
from server.bench.harness.processes import DOMAIN, settings_for
from server.game.log import log
from server.game.ratings import results
from server.processes.services import Services, open_services
from server.store import engines, schema
from server.store.db import writing
from server.store.models import (
    Address,
    Conduct,
    Entry,
    Envelope,
    Game,
    Gift,
    Inbox,
    Outbox,
    Pause,
    Player,
    Seat,
)
from server.store.models.columns import UtcDateTime
from server.store.outbox import ActionContext

BUSY_GAMES, _MOST_BUSY = 250, 200
"""Running games of each busy player, who also has as many finished ones; the largest number of busy players."""
_TURNS = (3, 12)
"""The numbers of turns after which the copied games continue, or are given up."""
_DAY = 24 * 60 * 60
_SOON, _LATELY, _EVER, _KEPT = 6 * _DAY, 3 * _DAY, 3 * 365 * _DAY, 10 * _DAY
"""The spans, in seconds, over which to spread future events, running games, finished games, and emails."""
_BATCH = 100_000
_COPIED = (Game, Seat, Entry, Envelope, Conduct)
_BRISK = ("foreign_keys = OFF", "synchronous = OFF", "cache_size = -400000")
"""Settings that make SQLite faster while it is filled."""
_COMPUTERS = 25
"""One copy in this many is played against a computer player, if the game does not wait for that player."""
_SEALED = b"x" * 300


@dataclass(frozen=True)
class Many:
    """The players and games in the database; all games have two players."""

    games: int
    played: int
    """The number of games that were played: the first half runs, all other games are copies."""
    first: int
    """The number of the first busy player; the computer players come before."""
    busy: int
    """The number of busy players."""
    others: int
    """The number of other people after them."""
    unowed: Sequence[int]
    """The played games that still run and do not wait for seat 1."""

    @property
    def running(self) -> int:
        """The number of played games that still run."""
        return self.played // 2

    @property
    def copies(self) -> int:
        """The number of copies of each game."""
        return self.games // self.played - 1

    @property
    def people(self) -> range:
        """The numbers of all people, the busy ones first."""
        return range(self.first, self.first + self.busy + self.others)

    def player(self, own: Any, copy: Any, seat: Any) -> ColumnElement[int]:
        """Return the player at a seat of a copy of the game with its own number."""
        place = (copy - 1) * self.running + (own - 1) % self.running
        every = max(1, self.games // 2 // (self.busy * BUSY_GAMES))
        turn = place // every
        is_busy = and_(seat == 0, place % every == turn % every, turn < self.busy * BUSY_GAMES)
        is_computer = and_(own.in_(self.unowed), seat == 1, copy % _COMPUTERS == 0)
        other = self.first + self.busy + ((own + copy * self.played) * 7919 + seat) % self.others
        return case(
            (is_busy, self.first + (turn + turn // self.busy) % self.busy),
            (is_computer, self.first - 1 - copy // _COMPUTERS % 5),
            else_=other,
        )


@dataclass(frozen=True)
class Full:
    """A server with a database full of games."""

    services: Services
    many: Many


@contextmanager
def full(url: str, games: int) -> Iterator[Full]:
    """Serve from an empty database that is filled with this many games; a relay takes all emails."""
    with sink() as address:
        settings = settings_for(url, address).model_copy(update={"administrator": f"administrator@{DOMAIN}"})
        with closing(open_services(settings)) as services:
            yield Full(services, _fill(services, games))


def _fill(services: Services, games: int) -> Many:
    """Fill an empty database with this many games, half of which run, and with their players."""
    schema.upgrade(services.engine)
    many = _play(services, games)
    engine = engines.connect(services.settings.database_url)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _hurry)
    with writing(engine) as session:
        _invite(session, many)
    at_once = _BATCH // many.played
    for first in range(1, many.copies + 1, at_once):
        with writing(engine) as session:
            action = ActionContext(session, services.sealer, services.now())
            _copy(action, many, first, min(first + at_once, many.copies + 1))
    with writing(engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        _give_time(action, many)
        _write(action)
    _tidy(engine)
    engine.dispose()
    return many


def _hurry(connection: Any, _record: object) -> None:
    for pragma in _BRISK:
        connection.execute(f"PRAGMA {pragma}")


def _tidy(engine: Engine) -> None:
    """Do the maintenance that PostgreSQL does by itself sooner or later."""
    if engine.dialect.name == "postgresql":
        with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.execute(text("VACUUM ANALYZE"))


def _play(services: Services, games: int) -> Many:
    game_types = [(game_type, turns) for game_type in sorted(RULES) for turns in _TURNS]
    below = random.Random(1).randrange  # noqa: S311 - the same games every time
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        people = [players.register(action, f"{name}@example.org", name) for name in ("Ann", "Ben")]
        computer_players.create_missing(session, action.now)
        run = [_game(action, people, game_type, turns, below) for game_type, turns in game_types]
        over = [_game(action, people, game_type, turns, below) for game_type, turns in game_types]
        for game in over:
            give_up(action, game)
            results.count(action, game)
        session.flush()
        session.execute(update(Game).values(count_due_at=None, news_at=None))
        session.execute(update(Outbox).values(state="sent", sent_at=action.now))
        unowed = [log.id_of(game) for game in run if not log.seats(session, game)[1].seat.owes]
        last = session.execute(select(func.max(col(Player.id)))).scalar_one()
    busy = max(1, min(_MOST_BUSY, games // 2 // BUSY_GAMES))
    return Many(games, len(run) + len(over), last + 1, busy, max(8, games // 10), unowed)


def _game(action: ActionContext, people: Sequence[Player], game_type: str, turns: int, below: Below) -> Game:
    game = begin(action, people, game_type, {})
    play_on(action, game, turns, below)
    return game


def _invite(session: Session, many: Many) -> None:
    """Add all people: like the first, but with different names and addresses."""
    source = numbers(many.people.start, many.people.stop)
    number = cast(source.c.n, String)
    called = {name: literal("player ") + number for name in ("name", "name_key", "name_shape")}
    email = literal("player") + number + "@example.org"
    add(session, session.get_one(Player, 1), source, {"id": source.c.n, **called, "email": email})
    add(session, Address(email="", player_id=0), source, {"player_id": source.c.n, "email": email})


def _copy(action: ActionContext, many: Many, first: int, end: int) -> None:
    """Copy the played games and all that belongs to them: the copies with these numbers."""
    copies = numbers(first, end)
    for model in _COPIED:
        source = table_of(model).alias()
        own = source.c.id if model is Game else source.c.game_id
        columns = _copied(action, many, source, own, copies.c.n)
        rows = select(*columns.values()).join_from(copies, source, own <= many.played)
        action.session.execute(insert(table_of(model)).from_select(list(columns), rows))


def _copied(action: ActionContext, many: Many, source: FromClause, own: Any, copy: Any) -> Columns:
    number = own + copy * many.played
    ago = copy * 40_009 % case((own <= many.running, _LATELY), else_=_EVER)
    columns: Columns = {each.name: each for each in source.c}
    for name, each in columns.items():
        if isinstance(each.type, UtcDateTime):
            seconds = case((each > action.now, copy * 40_009 % _SOON), else_=-ago)
            columns[name] = shifted(action.session, each, seconds)
    if "checksum" in columns:
        columns["checksum"] = null()
    if "serial" in columns:
        columns["serial"] = case((source.c.serial.is_not(None), number))
    if "player_id" in columns:
        seat = source.c["number" if "number" in columns else "seat"]
        columns["player_id"] = many.player(own, copy, seat)
    if "asked" not in columns:
        return {**columns, "game_id": number}
    array = func.json_array if is_sqlite(action.session) else func.json_build_array
    return {**columns, "id": number, "asked": array(*(many.player(own, copy, seat) for seat in (0, 1)))}


def _give_time(action: ActionContext, many: Many) -> None:
    """Add a vacation for all, some outages and, in some games, time that was given back, or by an opponent."""
    session, now, people, games = action.session, action.now, table_of(Player), table_of(Game)
    began, ended = now - timedelta(hours=3), now - timedelta(hours=1)
    for days in map(timedelta, (10, 100, 1000)):
        session.add(Pause(start_at=began - days, end_at=ended - days, said_at=ended - days, why="outage"))
    session.flush()
    ago = -(people.c.id * 35_711 % _EVER)
    moments = {
        name: shifted(session, literal(now + timedelta(days=days), DateTime()), ago)
        for name, days in (("start_at", 10), ("end_at", 17), ("said_at", 5))
    }
    away, own = Pause(start_at=now, end_at=now, said_at=now, why="vacation"), people.c.id
    add(session, away, people, {"player_id": own, **moments}, own >= many.first)
    which = case((games.c.state == "running", games.c.id // many.played % 5))
    of_game: Columns = {"game_id": games.c.id}
    outage = Pause(start_at=began, end_at=ended, said_at=ended, why="outage")
    add(session, outage, games, of_game, which == 0)
    lost = Pause(start_at=began, end_at=ended, said_at=ended, why="mail", seat=0)
    add(session, lost, games, of_game, which == 1)
    gift = Gift(game_id=0, turn=0, seat=0, seconds=_DAY, said_at=now)
    add(session, gift, games, {**of_game, "turn": games.c.turn}, which == 2)


def _write(action: ActionContext) -> None:
    """Add an incoming email for each game, and an outgoing one for each seat, in the last days."""
    session, now, games, seats = action.session, action.now, table_of(Game), table_of(Seat)
    given: dict[str, Any] = {"sealed": _SEALED, "due_at": now, "recipient": ""}
    mail = Inbox(**given, source="smtp", mail_from="", fingerprint="", state="done", received_at=now)
    at = shifted(session, literal(now, DateTime()), -(games.c.id * 61 % _KEPT))
    own: Columns = {"fingerprint": literal("f") + cast(games.c.id, String), "game_id": games.c.id}
    add(session, mail, games, {**own, **dict.fromkeys(("due_at", "received_at", "handled_at"), at)})
    sent = Outbox(**given, key="", domain="example.org", letter="report", state="sent", created_at=now)
    at = shifted(session, literal(now, DateTime()), -(seats.c.game_id * 61 % _KEPT))
    game, player = seats.c.game_id, seats.c.player_id
    own = {
        "key": literal("k") + cast(game, String) + "-" + cast(seats.c.number, String),
        "recipient": literal("player") + cast(player, String) + "@example.org",
        "game_id": game,
        "player_id": player,
    }
    add(session, sent, seats, {**own, **dict.fromkeys(("due_at", "created_at", "sent_at"), at)})
