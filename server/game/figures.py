"""The figures of players, worked out from what is stored of each game; nothing is stored here."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from server.game import conduct
from server.store.models import Conduct, Game, Habit, Player, Rating, RatingChange, Seat, Tally


def ratings(session: Session, *which: ColumnElement[bool]) -> list[Rating]:
    """The ratings that players had after the last of these changes, of each kind at each pace."""
    last, games = func.max(RatingChange.serial).label("serial"), func.count().label("games")
    whose = (col(RatingChange.player_id), col(RatingChange.kind), col(RatingChange.pace))
    latest = select(RatingChange.player_id, last, games).where(*which).group_by(*whose).subquery()
    mine = col(RatingChange.player_id) == latest.c.player_id
    same = and_(mine, col(RatingChange.serial) == latest.c.serial)
    return [
        Rating(**change.model_dump(include={"player_id", "kind", "pace", "mu", "sigma"}), games=count)
        for change, count in session.execute(select(RatingChange, latest.c.games).join(latest, same))
    ]


def computers(session: Session) -> set[int]:
    """The numbers of all computer players."""
    return {number for number in session.exec(select(Player.id).where(col(Player.computer))) if number}


def tallies(session: Session, players: Collection[int]) -> list[Tally]:
    """How the games of these players with other people ended, of each kind."""
    query = (
        select(Conduct.player_id, Game.kind, Seat.outcome, func.count())
        .join(Seat, and_(col(Seat.game_id) == Conduct.game_id, col(Seat.number) == Conduct.seat))
        .join(Game, col(Game.id) == Conduct.game_id)
        .where(col(Conduct.player_id).in_(players), ~_with_computer(col(Conduct.player_id)))
        .group_by(col(Conduct.player_id), Game.kind, Seat.outcome)
    )
    found: dict[tuple[int, str], Tally] = {}
    for player, kind, outcome, count in session.execute(query):
        new = Tally(player_id=player, kind=kind, won=0, drawn=0, lost=0, abandoned=0)
        setattr(found.setdefault((player, kind), new), outcome, count)
    return list(found.values())


def habits(session: Session, players: Collection[int]) -> list[Habit]:
    """How these players answered their last turns in games between people."""
    query = (
        select(Conduct.player_id, Conduct.answers)
        .where(col(Conduct.player_id).in_(players), ~_with_computer())
        .order_by(col(Conduct.player_id), col(Conduct.serial), col(Conduct.seat))
    )
    found: dict[int, conduct.Answers] = {}
    for player, answers in session.execute(query):
        found[player] = [*found.get(player, ()), *answers][-conduct.MOST :]
    return [Habit(player_id=player, answers=answers) for player, answers in found.items()]


def _with_computer(other_than: SQLColumnExpression[int] | None = None) -> ColumnElement[bool]:
    """A condition: a computer player, not the one of this number, played in the game of a `Conduct`."""
    row = aliased(Conduct)
    found = select(row.seat).where(
        row.game_id == Conduct.game_id, row.player_id == Player.id, col(Player.computer)
    )
    if other_than is not None:
        found = found.where(col(Player.id) != other_than)
    return found.correlate(Conduct).exists()
