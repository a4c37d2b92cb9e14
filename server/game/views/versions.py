"""The versions of pages, made from version counters of their data: a page is current while its version stays.

Open pages ask for them frequently, so each version is one statement, built once, and rarely needs the rules.
`server/store/version_counters.py` increases the counters.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from sqlalchemy import Integer, case, cast, exists, func, literal, select, true, union_all
from sqlalchemy import bindparam as given
from sqlmodel import Session, col

from server.game.log import visibility
from server.game.views.open_games import latest_open_games
from server.game.views.waiting import COUNTS, MOST_OVER, READER, Waiting
from server.store.models import Game, Login, Seat, Tournament
from server.store.statements.prepared_statements import Prepared

Subject = tuple[Literal["game", "player", "tournament", "lobby"], int]
"""The subject of a page: a game, a player's lists of games, a tournament, or ("lobby", 0)."""

OPEN_GAMES = 12
"""The number of open games on a page of the lobby."""

_GAME: Any = Game.__table__  # type: ignore[attr-defined]
_SEAT: Any = Seat.__table__  # type: ignore[attr-defined]
_READER, _LOGIN, _NUMBER = READER, given("login", type_=Integer), given("number", type_=Integer)
_THEIRS = _SEAT.alias()
_READER_FACTS = (
    select(exists().where(col(Login.player_id) == _READER, col(Login.number) == _LOGIN)).scalar_subquery(),
    *COUNTS.c,
)
_FACTS = len(_READER_FACTS)
_REMATCHES = select(  # by the index of `again_of`: a condition on the state would read all games in it
    func.sum(case((col(Game.state) == "invited", 1), else_=0))
).where(col(Game.again_of) == _NUMBER)
_OF_GAME: Prepared[*tuple[Any, ...]] = Prepared(
    select(
        *_READER_FACTS,
        *(_GAME.c.state, _GAME.c.private, _GAME.c.anonymous, _GAME.c.asked),
        *(_GAME.c.version, _GAME.c.chat_version, _SEAT.c.version.label("own_version")),
        _REMATCHES.correlate(None).scalar_subquery().label("rematches"),
    )
    .join_from(_GAME, _SEAT, (_SEAT.c.game_id == _GAME.c.id) & (_SEAT.c.player_id == _READER), isouter=True)
    .join(COUNTS, true())
    .where(_GAME.c.id == _NUMBER)
)


class _GameRow(NamedTuple):
    """The columns of `_OF_GAME` after the facts about the reader."""

    state: str
    private: bool
    anonymous: bool
    asked: list[int]
    version: int
    chat_version: int
    own_version: int | None
    """None for a reader who does not play in the game."""
    rematches: int | None


_THEIR_GAMES = (
    select(_GAME.c.id, (_GAME.c.version + _SEAT.c.lists_version).label("version"))
    .select_from(_SEAT.join(_GAME, _SEAT.c.game_id == _GAME.c.id))
    .where(_SEAT.c.player_id == _READER)
)
_OVER = _THEIR_GAMES.where(_SEAT.c.over_at.is_not(None)).order_by(_SEAT.c.over_at.desc()).limit(MOST_OVER)
_LISTED = union_all(_THEIR_GAMES.where(_SEAT.c.over_at.is_(None)), select(_OVER.subquery())).subquery()
_OVER_COUNT = select(func.count()).where(_THEIRS.c.player_id == _READER, _THEIRS.c.over_at.is_not(None))


def _with_sum(games: Any, *more: Any) -> Prepared[*tuple[Any, ...]]:
    """Return the statement for the sum of the versions of some games, and of their numbers to detect others."""
    sums = select(func.count(), func.sum(games.c.id), func.sum(games.c.version)).subquery()
    return Prepared(select(*_READER_FACTS, *more, *sums.c).join_from(COUNTS, sums, true()))


_OF_LISTS = _with_sum(_LISTED, _OVER_COUNT.scalar_subquery())
_OF_LOBBY, _OF_THEIR_LOBBY = (
    _with_sum(games.with_only_columns(_GAME.c.id, _GAME.c.version).subquery())
    # One more than is shown, to detect a following page.
    for games in (latest_open_games(reader, OPEN_GAMES + 1) for reader in (None, _READER))
)
_OF_TOURNAMENT: Prepared[*tuple[Any, ...]] = Prepared(
    select(*_READER_FACTS, col(Tournament.version))
    .join_from(COUNTS, Tournament, true())
    .where(col(Tournament.id) == _NUMBER)
)


_EACH = 500
"""Subjects in a statement for sums."""
_NUMBERS: Any = given("numbers", expanding=True)
_SUMS: dict[Literal["game", "player", "tournament", "lobby"], Any] = {
    "game": select(col(Game.id), col(Game.version), col(Game.chat_version), func.sum(Seat.version))
    .join(Seat, col(Seat.game_id) == col(Game.id))
    .where(col(Game.id).in_(_NUMBERS))
    .group_by(col(Game.id)),
    "player": select(
        col(Seat.player_id),
        *(func.count(), func.sum(Seat.game_id), func.sum(Game.version)),
        *(func.sum(Seat.lists_version), func.sum(cast(Seat.owes, Integer))),
    )
    .join(Game, col(Seat.game_id) == col(Game.id))
    .where(col(Seat.player_id).in_(_NUMBERS), col(Seat.over_at).is_(None))
    .group_by(col(Seat.player_id)),
    "tournament": select(col(Tournament.id), col(Tournament.version)).where(col(Tournament.id).in_(_NUMBERS)),
    "lobby": select(literal(0), func.count(), func.sum(Game.id), func.sum(Game.version))
    .where(col(Game.state) == "open")
    .where(literal(0).in_(_NUMBERS)),
}


@dataclass(frozen=True)
class PageVersion:
    """The version of a page, for one reader."""

    text: str
    """A text that differs after every change; its content has no meaning for readers."""
    waiting: Waiting
    """The number of games that wait for the reader, on this page or elsewhere."""
    is_reader: bool
    """True if the reader is logged in with the given login."""

    @property
    def tag(self) -> str:
        """Return a text that also differs when other numbers wait for the reader."""
        return f"{self.text}.{self.waiting}"


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


def game_version(
    session: Session, number: int, reader: int | None, login: int | None, *, is_shown: bool = False
) -> PageVersion | None:
    """Return the version of a game's page for a player, or with None for visitors.

    None if there is no such game, or it is hidden from them. `login` is the number of the reader's login. If
    `is_shown`, they are reading the messages of the game, so these do not count.
    """
    shown = number if is_shown else 0
    found = _OF_GAME(session, reader=reader, login=login, number=number, shown=shown).first()
    if found is None:
        return None
    row = _GameRow(*found[_FACTS:])
    if row.own_version is None and not visibility.is_visible(session, row, reader):
        return None
    reads_chat = reader is not None and (row.own_version is None or row.state == "over")
    rematches = None if row.own_version is None else row.rematches
    chat_version = row.chat_version if reads_chat else None
    return _version(found, row.version, row.own_version, chat_version, rematches)


def lists_version(session: Session, reader: int, login: int) -> PageVersion:
    """Return the version of the lists of all games of a player."""
    found = _OF_LISTS(session, reader=reader, login=login, shown=0).only()
    return _version(found, *found[_FACTS:])


def lobby_version(session: Session, reader: int | None, login: int | None) -> PageVersion:
    """Return the version of the first page of open games that a player, or with None a visitor, may see."""
    statement = _OF_LOBBY if reader is None else _OF_THEIR_LOBBY
    found = statement(session, reader=reader, login=login, shown=0).only()
    return _version(found, *found[_FACTS:])


def tournament_version(
    session: Session, number: int, reader: int | None, login: int | None
) -> PageVersion | None:
    """Return the version of a tournament; None if there is none with this number."""
    found = _OF_TOURNAMENT(session, reader=reader, login=login, number=number, shown=0).first()
    return None if found is None else _version(found, *found[_FACTS:])


def _version(row: Sequence[Any], *counters: int | None) -> PageVersion:
    """Return the version of a page from a row that begins with `_READER_FACTS`."""
    is_reader, *counts = row[:_FACTS]
    waiting = Waiting(*counts)
    return PageVersion("-".join(str(each or 0) for each in (waiting.turns, *counters)), waiting, is_reader)


def counter_sums(session: Session, subjects: Collection[Subject]) -> dict[Subject, tuple[Any, ...]]:
    """Return sums of the version counters of each subject; a subject without data is left out.

    A page stays the same while its sums do. They contain counters that not all readers may see, so after a
    change `page_version` decides for each reader.
    """
    connection, found = session.connection(), dict[Subject, tuple[Any, ...]]()
    for kind, statement in _SUMS.items():
        numbers = sorted(number for other, number in subjects if other == kind)
        for start in range(0, len(numbers), _EACH):
            part = {"numbers": numbers[start : start + _EACH]}
            for number, *sums in connection.execute(statement, part):
                found[kind, number] = tuple(sums)
    return found
