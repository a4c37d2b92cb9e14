"""The versions of pages, made from version counters of their data: a page is current while its version stays.

Open pages ask for them frequently, so each version is one statement, built once, and rarely needs the rules.
`server/store/version_counters.py` increases the counters.
"""

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Integer, Select, case, exists, func, select, union_all
from sqlalchemy import bindparam as given
from sqlmodel import Session, col

from server.game.log import visibility
from server.game.views.open_games import latest_open_games
from server.store.models import Game, Login, Seat, Tournament

Subject = tuple[Literal["game", "player", "tournament", "lobby"], int]
"""The subject of a page: a game, a player's lists of games, a tournament, or ("lobby", 0)."""

MOST_OVER = 6
"""The number of latest finished games that count for the version of a player's lists."""

OPEN_GAMES = 12
"""The number of open games on a page of the lobby."""

_GAME: Any = Game.__table__  # type: ignore[attr-defined]
_SEAT: Any = Seat.__table__  # type: ignore[attr-defined]
_READER, _LOGIN, _NUMBER = (given(name, type_=Integer) for name in ("reader", "login", "number"))
_THEIRS = _SEAT.alias()
_READER_FACTS = (
    select(exists().where(col(Login.player_id) == _READER, col(Login.number) == _LOGIN)).scalar_subquery(),
    select(func.count()).where(_THEIRS.c.player_id == _READER, _THEIRS.c.owes).scalar_subquery(),
)
_REMATCHES = select(  # by the index of `again_of`: a condition on the state would read all games in it
    func.sum(case((col(Game.state) == "invited", 1), else_=0))
).where(col(Game.again_of) == _NUMBER)
_OF_GAME = (
    select(
        *_READER_FACTS,
        *(_GAME.c.state, _GAME.c.private, _GAME.c.anonymous, _GAME.c.asked),
        *(_GAME.c.version, _GAME.c.chat_version, _SEAT.c.version.label("own_version")),
        _REMATCHES.correlate(None).scalar_subquery().label("rematches"),
    )
    .select_from(_GAME.outerjoin(_SEAT, (_SEAT.c.game_id == _GAME.c.id) & (_SEAT.c.player_id == _READER)))
    .where(_GAME.c.id == _NUMBER)
)
_THEIR_GAMES = (
    select(_GAME.c.id, (_GAME.c.version + _SEAT.c.lists_version).label("version"))
    .select_from(_SEAT.join(_GAME, _SEAT.c.game_id == _GAME.c.id))
    .where(_SEAT.c.player_id == _READER)
)
_OVER = _THEIR_GAMES.where(_SEAT.c.over_at.is_not(None)).order_by(_SEAT.c.over_at.desc()).limit(MOST_OVER)
_LISTED = union_all(_THEIR_GAMES.where(_SEAT.c.over_at.is_(None)), select(_OVER.subquery())).subquery()
_OVER_COUNT = select(func.count()).where(_THEIRS.c.player_id == _READER, _THEIRS.c.over_at.is_not(None))


def _in_sum(games: Any) -> tuple[Any, ...]:
    """Return columns with the sum of the versions of some games, and of their numbers to detect other games."""
    return func.count(), func.sum(games.c.id), func.sum(games.c.version)


_OF_LISTS = select(*_READER_FACTS, _OVER_COUNT.scalar_subquery(), *_in_sum(_LISTED))
_OF_LOBBY, _OF_THEIR_LOBBY = (
    select(*_READER_FACTS, *_in_sum(games.with_only_columns(_GAME.c.id, _GAME.c.version).subquery()))
    # One more than is shown, to detect a following page.
    for games in (latest_open_games(reader, OPEN_GAMES + 1) for reader in (None, _READER))
)
_OF_TOURNAMENT = select(*_READER_FACTS, col(Tournament.version)).where(col(Tournament.id) == _NUMBER)


@dataclass(frozen=True)
class PageVersion:
    """The version of a page, for one reader."""

    text: str
    """A text that differs after every change; its content has no meaning for readers."""
    waiting: int
    """The number of games in which the reader has to move."""
    is_reader: bool
    """True if the reader is logged in with the given login."""


def page_version(
    session: Session, subject: Subject, reader: int | None, login: int | None
) -> PageVersion | None:
    """Return the version of a page for a player, or with None for visitors; None if it is hidden from them."""
    match subject:
        case "game", number:
            return game_version(session, number, reader, login)
        case "tournament", number:
            return tournament_version(session, number, reader, login)
        case "player", number:
            return lists_version(session, number, login) if login is not None and number == reader else None
        case _:
            return lobby_version(session, reader, login)


def game_version(session: Session, number: int, reader: int | None, login: int | None) -> PageVersion | None:
    """Return the version of a game's page for a player, or with None for visitors.

    None if there is no such game, or it is hidden from them. `login` is the number of the reader's login.
    """
    row = _row(session, _OF_GAME, reader, login, number)
    if row is None or (row.own_version is None and not visibility.is_visible(session, row, reader)):
        return None
    reads_chat = reader is not None and (row.own_version is None or row.state == "over")
    rematches = None if row.own_version is None else row.rematches
    return _version(row, row.version, row.own_version, row.chat_version if reads_chat else None, rematches)


def lists_version(session: Session, reader: int, login: int) -> PageVersion:
    """Return the version of the lists of all games of a player."""
    row = _row(session, _OF_LISTS, reader, login)
    return _version(row, *row[2:])


def lobby_version(session: Session, reader: int | None, login: int | None) -> PageVersion:
    """Return the version of the first page of open games that a player, or with None a visitor, may see."""
    row = _row(session, _OF_LOBBY if reader is None else _OF_THEIR_LOBBY, reader, login)
    return _version(row, *row[2:])


def tournament_version(
    session: Session, number: int, reader: int | None, login: int | None
) -> PageVersion | None:
    """Return the version of a tournament; None if there is none with this number."""
    row = _row(session, _OF_TOURNAMENT, reader, login, number)
    return None if row is None else _version(row, row.version)


def _row(session: Session, query: Select[Any], reader: int | None, login: int | None, number: int = 0) -> Any:
    return session.connection().execute(query, {"reader": reader, "login": login, "number": number}).first()


def _version(row: Any, *counters: int | None) -> PageVersion:
    is_reader, waiting = row[:2]
    return PageVersion("-".join(str(each or 0) for each in (waiting, *counters)), waiting, is_reader)
