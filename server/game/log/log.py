"""The log of a game: entries chained by hashes, the turns among them, and the data derived from them.

`docs/verify.md` describes every entry and every hash, so that others can check them without this code.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlalchemy.orm import object_session
from sqlmodel import Session, col, func, or_, select

from rules import driver
from rules.driver import Roll, RollFor
from rules.errors import RuleError
from rules.game import Json, Rules, Step
from rules.records.entries import Begin, Body, Credit, Names, Opened, Played, Ruling, TakenBack
from rules.records.log import write_log
from rules.records.proof import chained
from rules.records.record import Record, Replay, replay
from rules.records.turns import Left, Moved, Turn
from rules.registry import rules_named
from server.errors import Damaged
from server.game.log import checksums, stored_entries
from server.game.log.display_names import called
from server.monitoring import logs
from server.monitoring.metrics import TURNS, count
from server.store import db
from server.store.db import is_locked, once
from server.store.models import Entry, Game, Player, Seat
from server.store.statements import prepared_statements
from server.store.statements.planned_session import RowStatement

AnyRules = Rules[Any, Any]

logger = logging.getLogger(__name__)

# Built once, because every turn uses these statements.
_STOOD = (
    Entry.game_id == bindparam("game"),
    col(Entry.turn) <= bindparam("last"),
    or_(col(Entry.undone_by).is_(None), col(Entry.undone_by) > bindparam("last")),
)
_NUMBER = col(Entry.turn)
_TURNS: RowStatement[Entry] = RowStatement(
    select(Entry).where(*_STOOD, bindparam("first") <= _NUMBER).order_by(_NUMBER)
)
_EARLIER = select(func.max(_NUMBER)).where(*_STOOD, bindparam("first") > _NUMBER).scalar_subquery()
_TURNS_AND_ONE_BEFORE: RowStatement[Entry] = RowStatement(
    select(Entry).where(*_STOOD, func.coalesce(_EARLIER, bindparam("first")) <= _NUMBER).order_by(_NUMBER)
)
_LAST_TWO: RowStatement[Entry] = RowStatement(select(Entry).where(*_STOOD).order_by(_NUMBER.desc()).limit(2))
_SEATS: RowStatement[Seat, Player] = RowStatement(
    select(Seat, Player)
    .where(Seat.game_id == bindparam("game"), Seat.player_id == Player.id)
    .order_by(col(Seat.number))
)


class Seated(NamedTuple):
    """A seat of a game, with its player."""

    seat: Seat
    player: Player


def rules_of(game: Game) -> AnyRules:
    """Return the rules of a game."""
    return rules_named(game.game_type)


def position_of(game: Game) -> Any:
    """Return the current position of a game. It includes the history that rules against repetition need."""

    def read() -> Any:
        rebuild_if_damaged(game)
        return rules_of(game).read(game.options, game.position, game.memory)

    session = object_session(game)
    return once(session, "position", game.id, read) if isinstance(session, Session) else read()


def rebuild_if_damaged(game: Game, roll: RollFor | None = None) -> None:
    """Rebuild the position of a loaded game from its log if it does not match its checksum.

    The next turn stores it. `roll` returns the dice; Damaged is raised if it is missing but needed, or if the
    log contains turns that are not possible.
    """
    session = object_session(game)
    if checksums.fits(game) or not isinstance(session, Session):
        return
    logger.error("the position of game %s does not match its checksum; rebuilding it from the log", game.id)
    checksums.check_log(session, game)
    stood = turns(session, game)
    played = _replayed(session, game, stood)
    numbers = [*(entry.turn or 0 for entry in stood), game.turn]
    turn = driver.rolled_for(played.rules, numbers, played.steps, len(stood))
    _show(game, played, roll and partial(roll, turn))


def append_entry(
    session: Session,
    game: Game,
    said: Body,
    now: datetime,
    *,
    position: Json | None = None,
    undone_by: int | None = None,
) -> None:
    """Append an entry to the log of a game.

    `position` is the one after a turn, and `undone_by` the number of a takeback. Credits and corrected results
    do not count as activity. Raises Damaged if the last entry does not match its hash.
    """
    checksums.check_last_entry(session, game)
    body, turn = said.to_json(), game.turn if isinstance(said, Played | TakenBack) else None
    game.head = chained(game.head, body)
    checksum = None if position is None else checksums.entry_checksum(id_of(game), turn, position)
    prepared_statements.NEW_ENTRY(
        session,
        game_id=id_of(game),
        number=game.entries,
        turn=turn,
        undone_by=undone_by,
        body=body,
        hash=game.head,
        position=position,
        checksum=checksum,
        at=now,
    )
    game.entries += 1
    if not isinstance(said, Credit | Ruling):
        game.changed_at = now


def append(
    session: Session,
    game: Game,
    turn: Turn,
    position: Any,
    now: datetime,
    opened: Mapping[int, Opened] | None = None,
) -> None:
    """Append a turn to the log and start the next one; `position` is the one after the turn.

    `opened` are the sealed orders of the turn, by seat. The caller stores the current position of the game.
    """
    append_entry(session, game, Played(game.turn, turn, opened), now, position=rules_of(game).write(position))
    db.afterwards(session, partial(_record_turn, game.game_type, game.id, game.turn))
    game.turn += 1


def _record_turn(game_type: str, number: int | None, turn: int) -> None:
    count(TURNS, game_type)
    logs.event(logger, "turn", game=number, turn=turn, game_type=game_type)


def take_back(session: Session, game: Game, first: int, seat: int, now: datetime) -> list[Entry]:
    """Append a takeback of turn `first` and all later turns, by `seat`; return the entries of these turns.

    The takeback has a number like a turn, so every number is used only once. The caller sets the position.
    """
    taken = turns(session, game, first)
    append_entry(session, game, TakenBack(game.turn, first, seat), now, undone_by=game.turn)
    for each in taken:
        each.undone_by = game.turn
    game.turn += 1
    return taken


def is_taken_back(session: Session, game: Game, number: int) -> bool:
    """Return whether this turn was taken back, or its number is that of a takeback."""
    query = select(Entry.number).where(
        Entry.game_id == game.id, Entry.turn == number, col(Entry.undone_by).is_not(None)
    )
    return session.exec(query).first() is not None


def turn(session: Session, game: Game, number: int) -> Entry:
    """Return the entry of turn `number`; raises LookupError if it has not been played."""
    entry = session.exec(select(Entry).where(Entry.game_id == game.id, Entry.turn == number)).first()
    if entry is None:
        raise LookupError(f"turn {number} of game {game.id} has not been played")
    return entry


def turns(session: Session, game: Game, first: int = 1, last: int | None = None) -> list[Entry]:
    """Return the entries of the turns from `first` to `last`, without those taken back before turn `last`.

    With `last` None, all turns from `first` on that are valid now.
    """
    return [entry for (entry,) in _TURNS(session, _span(game, first, last))]


def entries(session: Session, game: Game) -> list[Entry]:
    """Return the complete log, in order."""
    query = select(Entry).where(Entry.game_id == game.id).order_by(col(Entry.number))
    return list(once(session, "entries", game.id, lambda: session.exec(query).all()))


def step(session: Session, game: Game, number: int) -> Step[Any, Any] | None:
    """Return the last valid turn up to `number`, with its positions and moves; None before the first turn."""
    found = last_turn(session, game, number)
    return None if found is None else found[1]


def last_turn(session: Session, game: Game, number: int) -> tuple[Entry, Step[Any, Any]] | None:
    """Return the entry of the last valid turn up to `number`, with positions and moves; None without one."""
    return once(session, "last turn", (game.id, number), lambda: _last_turn(session, game, number))


def _last_turn(session: Session, game: Game, number: int) -> tuple[Entry, Step[Any, Any]] | None:
    found = [entry for (entry,) in _LAST_TWO(session, {"game": game.id, "last": number})]
    if not found:
        return None
    after = _positions(session, game, found, number)
    before = after[found[1].number] if found[1:] else first_position(game)
    return found[0], _step(game, before, found[0], after[found[0].number])


def steps(
    session: Session, game: Game, first: int = 1, last: int | None = None
) -> Iterator[tuple[Entry, Step[Any, Any]]]:
    """Yield the turns from `first` to `last`, each with its entry, positions and moves.

    Turns that were taken back before turn `last`, or with None before now, are left out.
    """
    found = [entry for (entry,) in _TURNS_AND_ONE_BEFORE(session, _span(game, first, last))]
    after = _positions(session, game, found, last)
    before: Json | None = None
    for entry in found:
        if entry.turn is not None and entry.turn >= first:
            yield entry, _step(game, before or first_position(game), entry, after[entry.number])
        before = after[entry.number]


def first_position(game: Game) -> Json:
    """Return the position at the start of a started game."""
    rules = rules_of(game)
    return rules.write(rules.start(game.options, game.setup))


def record(session: Session, game: Game) -> Record:
    """Return the game as a record with its log as proof, without orders that are still sealed.

    The names are those at the start of the game, or when they were revealed, because they are in the log:
    renaming a player does not change them. A game that began elsewhere has no proof. Raises Damaged.
    """
    log = entries(session, game)
    first = stored_entries.first_entry(log[0]) if log else None
    names = first.seats if first else [called(game, *each, None) for each in seats(session, game)]
    if game.anonymous:
        said = [stored_entries.entry_body(game, entry) for entry in log[1:]]
        names = next((each.seats for each in said if isinstance(each, Names)), names)
    proof = write_log((entry.body, entry.hash) for entry in log) if isinstance(first, Begin) else None
    try:
        return _record(game, names, turns(session, game), proof)
    except (RuleError, LookupError, TypeError) as error:
        raise Damaged(game.id, f"it cannot be read: {type(error).__name__}") from None


def _record(game: Game, names: Sequence[str], stood: Sequence[Entry], proof: Json | None = None) -> Record:
    return stored_entries.record(
        game, names, [stored_entries.turn_of(game, entry).turn for entry in stood], proof
    )


def seats(session: Session, game: Game, *, fresh: bool = False) -> list[Seated]:
    """Return the seats of a game with their players, by number.

    With `fresh` they are read again even if the session knows them, because they may have changed before the
    game was locked.
    """
    if game.state == "running" and is_locked(session, Game, game.id):  # no player can join or leave
        known: dict[int | None, list[Seated]] = session.info.setdefault("seats of running games", {})
        if game.id in known:
            return list(known[game.id])
        found = _seats(session, game, populate_existing=True)
        if not session.in_nested_transaction():  # a rolled-back savepoint may undo its start
            known[game.id] = found
        return list(found)
    return list(once(session, "seats", game.id, lambda: _seats(session, game, populate_existing=fresh)))


def _seats(session: Session, game: Game, *, populate_existing: bool) -> list[Seated]:
    found = _SEATS(session, {"game": game.id}, fresh=populate_existing)
    return [Seated(*row) for row in found]


def has_begun(game: Game) -> bool:
    """Return whether the seats are assigned; before that, seats are numbered in the order of invitation."""
    return game.state in ("running", "over")


def free_seats(game: Game) -> int:
    """Return the number of free seats of an open game; 0 for any other."""
    return len(rules_of(game).seats(game.options)) - len(game.asked) if game.state == "open" else 0


def seat_of_asked(session: Session, game: Game, place: int) -> int:
    """Return the seat of the player invited as number `place`, 0 for the challenger. Raises LookupError."""
    if not has_begun(game):
        return place
    number = game.asked[place]
    return next(seat.number for seat, player in seats(session, game) if player.id == number)


def seats_out(game: Game) -> frozenset[int]:
    """Return the seats that have left a game in which the others play on."""
    return frozenset(rules_of(game).seats_out(position_of(game)) if has_begun(game) else ())


def id_of(game: Game) -> int:
    """Return the number of a stored game."""
    if game.id is None:
        raise ValueError("the game is not stored yet")
    return game.id


def _span(game: Game, first: int, last: int | None) -> dict[str, int | None]:
    """Return the parameters of the statements above.

    The default of `last` includes all takebacks so far, because each has a smaller number than the current
    turn.
    """
    return {"game": game.id, "first": first, "last": game.turn if last is None else last}


def _step(game: Game, data_before: Json, entry: Entry, data_after: Json) -> Step[Any, Any]:
    rules, turn = rules_of(game), stored_entries.turn_of(game, entry).turn
    before, dice = rules.read(game.options, data_before), turn.dice if isinstance(turn, Moved) else ()
    if dice:
        before, _ = driver.begin(rules, before, lambda _: dice)
    after = rules.read(game.options, data_after)
    moves = {seat: driver.read_move(rules, before, seat, text) for seat, text in turn.texts().items()}
    left = (turn.seat, turn.reason) if isinstance(turn, Left) else None
    return Step(before, moves, after, left, dice)


# Rebuilding from the log


def _positions(session: Session, game: Game, found: Sequence[Entry], last: int | None) -> dict[int, Json]:
    """Return the positions after turns that were valid at `last`, by entry: the stored ones if undamaged."""
    if all(checksums.entry_fits(entry) and entry.position for entry in found):
        return {entry.number: entry.position or {} for entry in found}
    logger.error("positions in the log of game %s do not match their checksums; rebuilding them", game.id)
    checksums.check_log(session, game)
    stood = turns(session, game, 1, last)
    played = _replayed(session, game, stood)
    rules = rules_of(game)
    return {entry.number: rules.write(step.after) for entry, step in zip(stood, played.steps, strict=True)}


def _replayed(session: Session, game: Game, stood: Sequence[Entry]) -> Replay:
    """Replay turns with the rules. Raises Damaged."""
    try:
        names = rules_of(game).seats(game.options)
        played = replay(replace(_record(game, names, stood), result=None))
    except (RuleError, LookupError, TypeError) as error:
        raise Damaged(game.id, f"it cannot be replayed: {type(error).__name__}") from None
    if played.error is not None:
        raise Damaged(game.id, f"it cannot be replayed: {played.error}")
    return played


def _show(game: Game, played: Replay, roll: Roll | None) -> None:
    """Set the position after all turns, with the dice that were rolled for the next one, in this session."""
    rules, position = played.rules, played.position
    dice: tuple[int, ...] = ()
    try:
        if played.result is None and game.state == "running":
            position, dice = driver.begin(rules, position, roll or (lambda _: game.rolled or ()))
        known = roll is not None or not dice or checksums.vouches_for(game, position, dice)
    except (RuleError, TypeError):
        known = False
    if not known:
        raise Damaged(game.id, "the dice of the current turn are unknown")
    checksums.show_position(game, position, dice or None)
