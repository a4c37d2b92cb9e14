"""Checks that the stored data of a game matches its log, and repairs of data that is derived from the log.

The log itself, seeds and sealed orders cannot be repaired: restore them from a backup.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.orm.attributes import flag_modified
from sqlmodel import Session, SQLModel, col, select

from rules.records.entries import Begin
from rules.records.proof import Seed, canonical, commitment
from rules.records.turns import read_result
from server.errors import Damaged
from server.game.clock import deadlines
from server.game.integrity.rebuild import Course, course
from server.game.log import checksums, log, randomness, stored_entries
from server.game.log.log import Seated
from server.store import db, failures
from server.store.keys.sealing import Sealer, UnknownKey
from server.store.models import Channel, Envelope, Game, GameMessage, Player, Variation

_BATCH = 500
"""The number of game numbers that are read at a time."""
_MOST_NAMES = 5
_NO_KEY = "no matching key"

_GAME = (
    *("game_type", "rules_version", "options", "setup", "terms", "seed_hash", "turn", "state", "result"),
    *("position", "memory", "rolled", "checksum"),
)
_ENTRY = ("turn", "undone_by", "position", "checksum")


@dataclass
class LogFinding:
    """The damage to a game: `lost` cannot be repaired; `derived` differs from the log and can be rebuilt."""

    lost: list[str] = field(default_factory=list)
    derived: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.lost or self.derived)

    def __str__(self) -> str:
        told = list(self.lost)
        if self.derived:
            more = len(self.derived) - _MOST_NAMES
            names = ", ".join(self.derived[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
            told.append(f"differs from the log, but --repair can rebuild it: {names}")
        return "; ".join(told)


def numbers_of_games(engine: Engine) -> Iterator[int]:
    """Yield the numbers of all games. They are read in batches, so that no transaction is long."""
    last = 0
    while True:
        with db.reading(engine) as session:
            query = select(Game.id).where(col(Game.id) > last).order_by(col(Game.id)).limit(_BATCH)
            found = [number for number in session.exec(query) if number is not None]
        yield from found
        if not found:
            return
        last = found[-1]


NO_GAMES = (
    "there are players, but no games; if games are missing, the file of the database was copied without its "
    "write-ahead log (-wal): stop Nabu, and copy both files, or restore a backup"
)


def lacks_games(engine: Engine) -> bool:
    """Return whether the database has players but no games, which suggests that games were lost."""
    with db.reading(engine) as session:
        person = select(Player.id).where(col(Player.computer).is_(False), col(Player.confirmed_at).is_not(None))
        return session.exec(person).first() is not None and session.exec(select(Game.id)).first() is None


def check(engine: Engine, sealer: Sealer, number: int) -> LogFinding:
    """Return the damage to a game at this moment, without locking it."""
    with db.reading(engine) as session:
        return _look(session, sealer, number).finding


def closed_channels(engine: Engine, sealer: Sealer) -> list[Channel]:
    """Return the channels and browsers whose addresses cannot be decrypted: they get no notifications."""
    with db.reading(engine) as session:
        query = select(Channel).order_by(col(Channel.id))
        return [channel for channel in session.exec(query) if sealer.opened_by(channel.sealed) is None]


def is_stopped(engine: Engine, number: int) -> bool:
    """Return whether a game is stopped because its log was found damaged, and has not been repaired since."""
    with db.reading(engine) as session:
        return failures.is_noted(session, failures.PLAYING, Game, number)


def repair(engine: Engine, sealer: Sealer, number: int, now: datetime) -> LogFinding:
    """Rebuild derived data in one transaction, and return the remaining damage.

    If that changes who has to move, the clocks start again, because the time left is unknown. If nothing is
    lost, the game is no longer stopped.
    """
    with db.writing(engine) as session:
        case = _look(session, sealer, number, lock=True)
        if case.changes:
            _repair(session, case, now)
        if not case.finding.lost:
            failures.forget(session, failures.PLAYING, Game, number)
        return LogFinding(case.finding.lost)


@dataclass
class _Case:
    """A game during a check: the damage found, and the values that columns should have."""

    finding: LogFinding = field(default_factory=LogFinding)
    game: Game | None = None
    seats: list[Seated] = field(default_factory=list)
    changes: list[tuple[SQLModel, str, Any]] = field(default_factory=list)

    def compare(self, what: str, row: SQLModel, **wanted: Any) -> None:
        for column, value in wanted.items():
            if canonical(getattr(row, column)) != canonical(value):
                self.change(what, row, column, value)

    def change(self, what: str, row: SQLModel, column: str, value: Any) -> None:
        self.changes.append((row, column, value))
        self.finding.derived.append(f"{column} of {what}")


def _look(session: Session, sealer: Sealer, number: int, *, lock: bool = False) -> _Case:
    case = _Case()
    try:
        if lock:
            db.locked(session, Game, number)
        case.game = game = session.get_one(Game, number)
        case.seats = log.seats(session, game)
        case.finding.lost.extend(_undecryptable(session, sealer, game, case.seats))
        checksums.check_log(session, game)
        seed = _seed(sealer, game)
        if game.entries:
            _compare(session, case, game, seed)
        else:
            _check_not_begun(case, game)
    except Damaged as damage:
        case.finding.lost.append(f"the log or what belongs to it is damaged: {damage.what}")
    except Exception as error:  # any error, because the other games still have to be checked
        if db.is_away(error):
            raise
        case.changes.clear()
        case.finding = LogFinding([*case.finding.lost, f"it cannot be read: {failures.diagnosis(error)}"])
    return case


def _seed(sealer: Sealer, game: Game) -> Seed:
    try:
        seed = randomness.seed_of(sealer, game)
    except UnknownKey:
        raise Damaged(game.id, f"cannot decrypt its seed: {_NO_KEY}") from None
    return seed


def _undecryptable(session: Session, sealer: Sealer, game: Game, seats: list[Seated]) -> Iterator[str]:
    """Yield descriptions of data that cannot be decrypted, and of orders that do not match their commitment."""
    for message in session.exec(select(GameMessage).where(GameMessage.game_id == game.id)):
        if sealer.opened_by(message.sealed) is None:
            yield f"cannot decrypt a message of seat {message.seat} in turn {message.turn}: {_NO_KEY}"
    for variation in session.exec(select(Variation).where(Variation.game_id == game.id)):
        if sealer.opened_by(variation.sealed) is None:
            yield f"cannot decrypt variation {variation.number} of player {variation.player_id}: {_NO_KEY}"
    for seat, _ in seats:
        for sealed in (seat.sealed_conditions, seat.sealed_aside, seat.sealed_words):
            if sealed is not None and sealer.opened_by(sealed) is None:
                yield f"cannot decrypt moves, reports or extra text kept for seat {seat.number}: {_NO_KEY}"
    for envelope in session.exec(select(Envelope).where(Envelope.game_id == game.id)):
        try:
            orders, nonce = sealer.open_json(envelope.sealed)
        except (UnknownKey, ValueError):
            yield f"cannot decrypt the orders of seat {envelope.seat}: {_NO_KEY}"
            continue
        wanted = commitment(nonce, envelope.game_id, envelope.turn, envelope.seat, orders)
        if wanted != envelope.commitment:
            yield f"the orders of seat {envelope.seat} do not match their commitment"


def _check_not_begun(case: _Case, game: Game) -> None:
    if game.state not in ("invited", "declined", "open", "closed"):
        raise Damaged(game.id, f"it is {game.state}, but has no log")
    if game.state == "open" and not 0 < len(game.asked) < len(log.rules_of(game).seats(game.options)):
        case.finding.lost.append("it is open, but all of its seats are taken, or none")
    if [seat.player_id for seat, _ in case.seats] != game.asked:
        case.finding.lost.append("its seats do not match the invited players")
    case.compare("the game", game, turn=1, result=None)
    _compare_ends(case, ended=game.state == "declined")


def _compare(session: Session, case: _Case, game: Game, seed: Seed) -> None:
    entries, number = log.entries(session, game), log.id_of(game)
    first = stored_entries.first_entry(entries[0])
    if isinstance(first, Begin) and first.seed_hash != seed.hash:
        raise Damaged(number, "its seed does not match the published hash")
    words = first.client_seeds if isinstance(first, Begin) else ("",) * len(first.seats)
    wanted = course(game, entries, lambda turn, count: seed.dice(number, turn, words).dice(count))
    case.compare("the game", game, **{name: getattr(wanted.game, name) for name in _GAME})
    for entry, row in zip(entries, wanted.entries, strict=True):
        case.compare(f"entry {entry.number}", entry, **{name: getattr(row, name) for name in _ENTRY})
    named = first.asked if isinstance(first, Begin) else first.seats
    asked = dict(zip(named, game.asked, strict=True))
    if [seat.player_id for seat, _ in case.seats] != [asked[name] for name in first.seats]:
        case.finding.lost.append("its seats do not match the players in its log")
    _compare_seats(session, case, wanted, words)


def _compare_seats(session: Session, case: _Case, wanted: Course, words: Sequence[str]) -> None:
    """Compare the seats' words for luck, who has to move, and who has left."""
    game = wanted.game
    query = select(Envelope.seat).where(Envelope.game_id == game.id, Envelope.turn == game.turn)
    given = set(session.exec(query))
    running, result = game.state == "running", read_result(game.result, len(case.seats))
    rules = log.rules_of(game)
    to_move = set(rules.to_move(wanted.rolled)) - given if running else set()
    gone = rules.seats_out(wanted.rolled) if running else ()
    for seat, _ in case.seats:
        owes = seat.number in to_move and seat.absent_turn != game.turn
        outcome = "" if result is None else result.outcome(seat.number)
        turns = {"owes": owes, "left": seat.number in gone}
        case.compare(f"seat {seat.number}", seat, **turns, client_seed=words[seat.number], outcome=outcome)
    _compare_ends(case, ended=game.state == "over")


def _compare_ends(case: _Case, *, ended: bool) -> None:
    """Compare whether the seats are marked as those of a finished game."""
    over_at = case.game.changed_at if case.game and ended else None
    for seat, _ in case.seats:
        if (seat.over_at is None) != (over_at is None):
            case.change(f"seat {seat.number}", seat, "over_at", over_at)


def _repair(session: Session, case: _Case, now: datetime) -> None:
    for row, column, value in case.changes:
        setattr(row, column, value)
        flag_modified(row, column)
    game = case.game
    if game is None or not {"turn", "state", "owes"} & {column for _, column, _ in case.changes}:
        return
    if game.state == "running":
        deadlines.begin_turn(session, game, case.seats, now)
        return
    game.resolve_at = game.stale_at = None
    for seat, _ in case.seats:
        deadlines.stop(seat)
