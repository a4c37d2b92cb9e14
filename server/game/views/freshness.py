"""Marks: short texts that change whenever something happens in the games of a page, for its reader.

That is turns, orders, offers, letters and deadlines; not what readers do for themselves alone, such as muting
a game or writing conditional moves. An open page asks again and again whether its mark still holds, so a mark
costs one statement and no rules. It is made of what the reader sees on that page, and must tell them nothing
else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Integer, Row, case, exists, func, select, union_all
from sqlalchemy import bindparam as given
from sqlmodel import and_, col, or_

from server.game.log.visibility import is_public
from server.game.terms.terms import SHOW_READY
from server.store.message_audience import heard, is_audible_to
from server.store.models import (
    AssessedGame,
    Envelope,
    Game,
    GameMessage,
    Inquiry,
    Login,
    Relation,
    Seat,
    SpectatorMessage,
)

MOST_OVER = 6
"""How many games that are over, those that ended last, count in the mark of a player's lists."""

_GAME: Any = Game.__table__  # type: ignore[attr-defined]
_SEAT: Any = Seat.__table__  # type: ignore[attr-defined]
_OTHER_SEAT = _SEAT.alias("other_seat")
_READER = given("player", type_=Integer)

# Built once, as every open page asks for them, and without sessions, which would take most of the time.
_KNOWN = select(
    exists().where(col(Login.player_id) == _READER, col(Login.number) == given("login", type_=Integer))
).scalar_subquery()
_WAITING = select(func.count()).where(_OTHER_SEAT.c.player_id == _READER, _OTHER_SEAT.c.owes).scalar_subquery()
_IS_OWN = _SEAT.c.player_id == _READER
_IS_KNOWN = func.coalesce(_GAME.c.terms[SHOW_READY].as_string(), "on") != "off"
_SEALED = (
    select(col(Envelope.commitment))
    .where(col(Envelope.game_id) == _GAME.c.id, col(Envelope.turn) == _GAME.c.turn)
    .where(col(Envelope.seat) == _SEAT.c.number)
    .scalar_subquery()
)
_IS_APART = exists().where(
    col(Relation.blocked),
    or_(
        and_(
            ~_GAME.c.anonymous,
            *(col(Relation.player_id) == _READER, col(Relation.other_id) == _SEAT.c.player_id),
        ),
        and_(col(Relation.player_id) == _SEAT.c.player_id, col(Relation.other_id) == _READER),
    ),
)
_SAID = (
    select(func.count())
    .where(col(GameMessage.game_id) == _GAME.c.id, is_audible_to(_SEAT.c.number))
    .scalar_subquery()
)
_ANSWERED = (
    select(func.count())
    .where(col(Inquiry.game_id) == _GAME.c.id, col(Inquiry.seat) == _SEAT.c.number)
    .where(col(Inquiry.turn) == _GAME.c.turn, col(Inquiry.answer).is_not(None))
    .scalar_subquery()
)
_ASSESSED = case(
    (_GAME.c.state == "over", exists().where(col(AssessedGame.game_id) == _GAME.c.id)), else_=False
)
_REMARKS = (
    select(func.count())
    .where(_READER.is_not(None), col(SpectatorMessage.game_id) == _GAME.c.id)
    .scalar_subquery()
)
_SEATS = (
    select(
        *(_KNOWN.label("logged_in"), _WAITING.label("waiting")),
        *(_GAME.c.state, _GAME.c.private, _GAME.c.anonymous, _GAME.c.turn, _GAME.c.head),
        case((_GAME.c.state == "open", _IS_APART), else_=False).label("apart"),
        *(_IS_KNOWN.label("known"), _GAME.c.resolve_at, _REMARKS.label("remarks")),
        *(_SEAT.c.accepted, _SEAT.c.overdue, _SEAT.c.owes, _SEAT.c.deadline_at),
        *(_SEAT.c.draw_turn, _SEAT.c.undo_of, func.coalesce(_IS_OWN, False).label("own")),
        # What is not known is not even looked up, as that takes time.
        case((_IS_OWN, _SEALED), (_IS_KNOWN, case((_SEALED.is_(None), None), else_="sealed"))).label("sealed"),
        case((_IS_OWN, _SAID)).label("said"),
        *(case((_IS_OWN, _ANSWERED)).label("answered"), _ASSESSED.label("assessed")),
    )
    .select_from(_GAME.join(_SEAT, _SEAT.c.game_id == _GAME.c.id))
    .where(_GAME.c.id == given("game"))
    .order_by(_SEAT.c.number)
)
_OVER = select(func.count()).where(_OTHER_SEAT.c.player_id == _READER, _OTHER_SEAT.c.over_at.is_not(None))
_NEWS = (
    select(_SEAT.c.game_id, _GAME.c.changed_at, _GAME.c.entries)
    .select_from(_SEAT.join(_GAME, _SEAT.c.game_id == _GAME.c.id))
    .where(_SEAT.c.player_id == _READER)
)
_GOING_ON = _NEWS.where(_SEAT.c.over_at.is_(None))
_OVER_LAST = _NEWS.where(_SEAT.c.over_at.is_not(None)).order_by(_SEAT.c.over_at.desc()).limit(MOST_OVER)
_LISTED = union_all(_GOING_ON, select(_OVER_LAST.subquery())).subquery()
# The seats themselves are only looked up where something was said: an index has the rest.
_HEARS = exists().where(
    _OTHER_SEAT.c.game_id == col(GameMessage.game_id),
    _OTHER_SEAT.c.player_id == _READER,
    heard(_OTHER_SEAT.c.number),
)
_HEARD = and_(col(GameMessage.game_id) == _LISTED.c.game_id, _HEARS)
_LISTS = select(
    *(_KNOWN.label("logged_in"), _WAITING.label("waiting"), _OVER.scalar_subquery()),
    *(func.count(), func.max(_LISTED.c.changed_at), func.sum(_LISTED.c.entries)),
    func.sum(select(func.count()).where(_HEARD).correlate(_LISTED).scalar_subquery()),
).select_from(_LISTED)


@dataclass(frozen=True)
class Mark:
    """What an open page is told."""

    text: str
    """The mark itself."""
    waiting: int = 0
    """How many games wait for the reader."""
    is_reader: bool = False
    """Whether the reader is logged in with the login that was named."""


def of_lists(connection: Connection, player: int, login: int) -> Mark:
    """The mark of the lists of games of the player with this number, who uses this login."""
    is_reader, waiting, *facts = connection.execute(_LISTS, {"player": player, "login": login}).one()
    return Mark(_text(waiting, *facts), waiting, is_reader)


def of_game(connection: Connection, number: int, player: int | None, login: int | None) -> Mark | None:
    """The same of a game; with None, for anybody. None if the game is not for them to see."""
    rows = connection.execute(_SEATS, {"game": number, "player": player, "login": login}).all()
    own = any(row.own for row in rows)
    if not rows or not (own or _is_shown(rows, player)):
        return None
    game = rows[0]
    seats = [_seat(row, own=own) for row in rows]
    remarks = None if own and game.state != "over" else game.remarks
    resolve_at = game.resolve_at if game.known else None
    facts = (game.state, game.turn, game.head, resolve_at, game.assessed, remarks, *seats)
    return Mark(_text(game.waiting, *facts), game.waiting, game.logged_in)


def _is_shown(rows: Sequence[Row[Any]], player: int | None) -> bool:
    """As `audience.shown` says, for who has no seat in the game."""
    game = rows[0]
    if game.state == "open" and (any(row.apart for row in rows) or (game.anonymous and player is None)):
        return False
    return is_public(game.state, private=game.private)


def _seat(row: Row[Any], *, own: bool) -> Sequence[object]:
    """What the reader sees of a seat; with `own` they have one in the game."""
    found: list[object] = [row.accepted, row.overdue, row.sealed, row.said, row.answered]
    if row.known or row.own:
        found += [row.owes, row.deadline_at]
    if own and row.state == "running":
        found += [row.draw_turn is not None and row.draw_turn >= row.turn - 1, row.undo_of is not None]
    return found


def _text(*facts: object) -> str:
    return sha256(repr(facts).encode()).hexdigest()[:16]
