"""The turns and messages of a game, as its readers may see them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Boolean, Integer, bindparam, union_all
from sqlmodel import Session, col, func, or_, select

from rules.game import Step
from rules.records.entries import Credit, Played, TakenBack
from rules.sentences import SeatNames
from server.accounts import relations
from server.clock.moments import write_moment
from server.clock.pauses import Why
from server.game.log import log, stored_entries
from server.game.log.display_names import called, is_nameless
from server.game.terms.wording import deed, labelled, seen_by, turn_lines
from server.game.views.boards import Board
from server.store.keys.sealing import Sealer
from server.store.models import Entry, Game, GameMessage, Json, Seat
from server.store.models.message_audience import is_audible_to
from server.store.statements.planned_session import RowStatement
from server.store.statements.prepared_statements import Prepared

SAID_AT_ONCE = 30
"""The number of messages on a page."""

# Built once, because every page of a game uses these statements. They are bounded so that SQLite looks turns up
# by number instead of reading the complete log.
_NUMBER, _AT = col(Entry.turn), bindparam("number", type_=Integer)
_OF_GAME, _STANDS = Entry.game_id == bindparam("game"), col(Entry.undone_by).is_(None)
# A takeback is marked as undone by itself, because it has no board.
_LISTED = (_OF_GAME, or_(_STANDS, col(Entry.undone_by) == _NUMBER))
_SOME = select(_NUMBER).where(*_LISTED).limit(bindparam("most"))
_AFTER = _SOME.where(_AT < _NUMBER).order_by(_NUMBER).subquery()
_UP_TO = _SOME.where(_AT >= _NUMBER).order_by(_NUMBER.desc()).subquery()
_AROUND: Prepared[int] = Prepared(
    select(union_all(select(_AFTER.c.turn), select(_UP_TO.c.turn)).subquery().c.turn)
)
_NEAREST: Prepared[int | None, int | None, int | None] = Prepared(
    select(
        select(func.min(_NUMBER)).where(_OF_GAME, _STANDS, _AT < _NUMBER).scalar_subquery(),
        select(func.max(_NUMBER)).where(_OF_GAME, _STANDS, _AT > _NUMBER).scalar_subquery(),
        select(func.max(_NUMBER)).where(_OF_GAME, _STANDS, bindparam("turn") > _NUMBER).scalar_subquery(),
    )
)
# Only the bodies of entries, because positions are most of the log.
_BODIES = select(Entry.number, Entry.body)
_LINES: Prepared[int, Json] = Prepared(
    _BODIES.where(*_LISTED, bindparam("first") <= _NUMBER, bindparam("last") >= _NUMBER).order_by(_NUMBER)
)
_NO_TURNS: Prepared[int, Json] = Prepared(
    _BODIES.where(_OF_GAME, col(Entry.number) + 0 > 0, _NUMBER.is_(None)).order_by(col(Entry.number))
)

_SEAT = bindparam("seat", type_=Integer)
_UNHEARD = select(Seat.number).where(
    Seat.game_id == bindparam("game"), col(Seat.player_id).in_(relations.unheard_by(bindparam("reader")))
)
_READABLE = (
    GameMessage.game_id == bindparam("game"),
    is_audible_to(_SEAT),
    # In an anonymous game a missing message would reveal its writer.
    or_(bindparam("nameless", type_=Boolean), col(GameMessage.seat).not_in(_UNHEARD)),
)
_IN_ORDER = select(GameMessage).where(*_READABLE).order_by(col(GameMessage.id))
_MESSAGES: RowStatement[GameMessage] = RowStatement(_IN_ORDER)
_THESE_MESSAGES: RowStatement[GameMessage] = RowStatement(
    _IN_ORDER.where(col(GameMessage.id).in_(bindparam("only", expanding=True)))
)
_PAGE_OF_MESSAGES: RowStatement[GameMessage] = RowStatement(
    _IN_ORDER.offset(bindparam("before")).limit(bindparam("most"))
)
_MESSAGE_COUNT: Prepared[int] = Prepared(select(func.count()).where(*_READABLE))


@dataclass(frozen=True)
class TurnView:
    """A turn in the history: its moves, such as “Ann (Black): c4”, its effects in sentences, and its time."""

    number: int
    played: tuple[str, ...]
    story: tuple[str, ...]
    at: datetime
    deed: str
    """The turn in a short sentence to the viewer: “Ben took a2.”; "" for a spectator."""


@dataclass(frozen=True)
class TurnLineView:
    """A turn or a takeback as a line of the history, without its effects."""

    number: int
    played: tuple[str, ...]
    is_turn: bool
    """False for a takeback, after which the board is as it was before the turns taken back."""


@dataclass(frozen=True)
class MessageView:
    """A message in a game, or a note; only players of the game may see it."""

    speaker: str
    own: bool
    """Whether the reader wrote it."""
    text: str
    turn: int
    at: datetime
    note: bool
    """Whether it is a note of the reader."""
    to: str
    """The receiver of a private message; "" for messages to all, and for notes."""
    new: bool
    """Whether another player wrote it since the reader last looked at the game's page."""


@dataclass(frozen=True)
class ThreadView:
    """A page of the messages in a game, in order. Page 1 has the latest."""

    said: tuple[MessageView, ...]
    before: int
    """The number of earlier messages."""
    page: int


def turn_view(
    session: Session, game: Game, number: int, names: Sequence[str], viewer: int | None
) -> TurnView | None:
    """Return the last valid turn up to `number`, for the player in seat `viewer`; None if there is none."""
    found = log.last_turn(session, game, number)
    return None if found is None else describe_turn(game, *found, names, viewer)


def turns(session: Session, game: Game, names: Sequence[str], viewer: int) -> list[TurnView]:
    """Return all valid turns with their effects, in order, as the player in seat `viewer` sees them."""
    return [describe_turn(game, entry, step, names, viewer) for entry, step in log.steps(session, game, 1)]


def lines(
    session: Session,
    game: Game,
    names: Sequence[str],
    first: int = 1,
    last: int | None = None,
    viewer: int | None = None,
) -> list[TurnLineView]:
    """Return the valid turns and the takebacks with numbers from `first` to `last`, in order, without effects.

    They are as the player in seat `viewer` sees them. This is cheaper than `turns`, which replays the turns.
    """
    rules = log.rules_of(game)
    last = game.turn if last is None else last
    found = []
    for number, body in _LINES(session, game=game.id, first=first, last=last):
        match stored_entries.stored_body(game, number, body):
            case Played() as played:
                turn = seen_by(rules, viewer, played.turn)
                found.append(TurnLineView(played.number, tuple(turn_lines(turn, names)), is_turn=True))
            case TakenBack() as back:
                said = f"{names[back.seat]} took back turn {back.of}."
                found.append(TurnLineView(back.number, (said,), is_turn=False))
    return found


def numbers_around(session: Session, game: Game, number: int, most: int) -> list[int]:
    """Return the numbers of turns near turn `number`, latest first: `most` after it, and `most` up to it.

    There may be fewer. They are those of the lines that `lines` returns.
    """
    found = _AROUND(session, game=game.id, number=number, most=most)
    return sorted([turn for (turn,) in found], reverse=True)


def nearest(session: Session, game: Game, number: int) -> list[int]:
    """Return the numbers of the valid turns next to turn `number`, and of the last turn, latest first."""
    found = _NEAREST(session, game=game.id, number=number, turn=game.turn).only()
    return sorted({turn for turn in found if turn is not None}, reverse=True)


def credits(session: Session, game: Game, names: Sequence[str], zone: ZoneInfo) -> list[str]:
    """Return sentences about time that the server credited for its own failures, for a reader in `zone`."""
    said = [stored_entries.stored_body(game, *entry) for entry in _NO_TURNS(session, game=game.id)]
    return [_credit(each, names, zone) for each in said if isinstance(each, Credit)]


def _credit(credit: Credit, names: Sequence[str], zone: ZoneInfo) -> str:
    start, end = write_moment(credit.start, zone), write_moment(credit.end, zone)
    if credit.seat is None:
        why = "for maintenance" if credit.why == Why.MAINTENANCE else "because the server was down"
        return f"Everyone: from {start} until {end}, {why}."
    return f"{names[credit.seat]}: from {start} until {end}, because email was not delivered."


def board_after(session: Session, game: Game, number: int, seat: int | None) -> Board:
    """Return the board after turn `number` as `seat` sees it, with the turn that led to it; 0 is the start."""
    rules = log.rules_of(game)
    step = log.step(session, game, number)
    position = rules.start(game.options, game.setup) if step is None else step.after
    return Board(rules, position, seat, step=step)


def since_own_move(session: Session, game: Game, seat: int) -> list[str]:
    """Return sentences about the turns after the last move of `seat`.

    With simultaneous orders they are about the last turn.
    """
    seated = log.seats(session, game)
    names = [called(game, *each, seated[seat].player.id) for each in seated]
    last = game.turn - 1
    first = last if log.rules_of(game).simultaneous else _after_own_move(session, game, seat, len(seated))
    found = [describe_turn(game, *turn, names, seat) for turn in _turns_from(session, game, first)]
    return [line for turn in found for line in (*turn.played, *turn.story)]


def steps_since_own_move(session: Session, game: Game, seat: int) -> list[Step[Any, Any]]:
    """Return the turns after the last move of `seat`, if several players have moved since then; else []."""
    rounds = len(log.seats(session, game))
    if rounds < 3 or log.rules_of(game).simultaneous:
        return []
    first = _after_own_move(session, game, seat, rounds)
    return [step for _, step in _turns_from(session, game, first)]


def _after_own_move(session: Session, game: Game, seat: int, rounds: int) -> int:
    """Return the number of the first turn after the last move of `seat`, looking back at most `rounds` turns.

    If no turn has been played since, return the number of the next turn.
    """
    last = log.last_turn(session, game, game.turn - 1)
    if last is None or seat in last[1].moves:
        return game.turn
    since: list[int] = []
    for number, body in _LINES(session, game=game.id, first=game.turn - rounds, last=game.turn):
        match stored_entries.stored_body(game, number, body):
            case Played() as played:
                since = [] if seat in played.turn.texts() else [*since, played.number]
    return since[0] if since else game.turn


def _turns_from(session: Session, game: Game, first: int) -> list[tuple[Entry, Step[Any, Any]]]:
    """Return the turns from `first` on. If there is only one, the session usually has it already."""
    last = log.last_turn(session, game, game.turn - 1)
    if last is None or (last[0].turn or 0) < first:
        return []
    return [last] if last[0].turn == first else list(log.steps(session, game, first))


def messages_of(
    session: Session,
    sealer: Sealer,
    game: Game,
    names: Sequence[str],
    seat: int,
    only: Sequence[int] | None = None,
) -> list[MessageView]:
    """Return the messages of a game and the player's own notes, in order, for the player in `seat`.

    Messages from ignored players are left out. If `only` is given, the result is limited to these numbers.
    """
    if only is None:
        found = words_for(session, game, seat)
    else:
        rows = _THESE_MESSAGES(session, {**_reader(session, game, seat), "only": list(only)})
        found = [message for (message,) in rows]
    return _message_views(session, sealer, game, names, seat, found)


def thread(
    session: Session, sealer: Sealer, game: Game, names: Sequence[str], seat: int, page: int
) -> ThreadView:
    """Return a page of the messages that the player in `seat` can read; page 1 if there is no such page."""
    reader = _reader(session, game, seat)
    (count,) = _MESSAGE_COUNT(session, **reader).only()
    page = page if 0 < page <= ceil(count / SAID_AT_ONCE) else 1
    end = count - SAID_AT_ONCE * (page - 1)
    before = max(end - SAID_AT_ONCE, 0)
    rows = _PAGE_OF_MESSAGES(session, {**reader, "before": before, "most": end - before}) if count else []
    said = _message_views(session, sealer, game, names, seat, [message for (message,) in rows])
    return ThreadView(tuple(said), before, page)


def _message_views(
    session: Session,
    sealer: Sealer,
    game: Game,
    names: Sequence[str],
    seat: int,
    messages: Sequence[GameMessage],
) -> list[MessageView]:
    seen = session.get_one(Seat, (log.id_of(game), seat)).seen_message or 0
    return [
        MessageView(
            speaker=names[message.seat],
            own=message.seat == seat,
            text=sealer.open(message.sealed).decode(),
            turn=message.turn,
            at=message.said_at,
            note=message.private,
            to="" if message.listener is None else names[message.listener],
            new=message.seat != seat and (message.id or 0) > seen,
        )
        for message in messages
    ]


def words_for(session: Session, game: Game, seat: int) -> list[GameMessage]:
    """Return the messages and notes for the player in `seat`, in an anonymous game also of ignored players."""
    return [message for (message,) in _MESSAGES(session, _reader(session, game, seat))]


def _reader(session: Session, game: Game, seat: int) -> dict[str, Any]:
    """Return the parameters of the statements about messages."""
    reader = session.get_one(Seat, (log.id_of(game), seat)).player_id
    return {"game": game.id, "seat": seat, "reader": reader, "nameless": is_nameless(game)}


def describe_turn(
    game: Game, entry: Entry, step: Step[Any, Any], names: Sequence[str], viewer: int | None = None
) -> TurnView:
    """Return the view of a turn for the player in seat `viewer`, or for all; `names` are by seat."""
    rules = log.rules_of(game)
    titles = rules.titles(step.before) or rules.seats(game.options)
    labels = [labelled(name, title) for name, title in zip(names, titles, strict=True)]
    played = stored_entries.turn_of(game, entry)
    lines_of = turn_lines(seen_by(rules, viewer, played.turn), labels)
    story = rules.story(step, SeatNames(names, viewer))
    done = "" if viewer is None else deed(rules, played.turn, names, viewer)
    return TurnView(played.number, tuple(lines_of), tuple(story), entry.at, done)
