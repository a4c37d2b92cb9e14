"""The players with the highest ratings in each game, as everyone may see them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from rules.registry import RULES
from server.game.ratings.ratings import PACES, UNCERTAIN, Shown, Skill, displayed_rating
from server.store.models import Player, Rating


@dataclass(frozen=True)
class RankedPlayer:
    """A player's place in a ranking, their name and rating, and the number of their rated games."""

    rank: int
    name: str
    rating: Shown
    games: int


@dataclass(frozen=True)
class RankingView:
    """The players with the highest ratings in a game at a pace, the highest first."""

    title: str
    pace: str
    rows: Sequence[RankedPlayer]
    """The last row is the reader's if they are not among the first."""


def rankings(
    session: Session, reader: int | None, game_types: Sequence[str], most: int = 10
) -> list[RankingView]:
    """Return the rankings of these game types at each pace, without those with only provisional ratings.

    Each has at most `most` players. `reader` is the number of the player who looks at them, if any.
    """
    found = (_ranking(session, reader, game_type, pace, most) for game_type in game_types for pace in PACES)
    return [ranking for ranking in found if ranking.rows]


def _ranking(session: Session, reader: int | None, game_type: str, pace: str, most: int) -> RankingView:
    ranked = (
        Rating.player_id == Player.id,
        Rating.game_type == game_type,
        Rating.pace == pace,
        col(Rating.sigma) <= UNCERTAIN,
        col(Player.confirmed_at).is_not(None),
    )
    query = select(Rating, Player.name).where(*ranked)
    first = session.exec(query.order_by(col(Rating.mu).desc(), col(Rating.player_id)).limit(most))
    rows = [_ranked(rank, *each) for rank, each in enumerate(first, start=1)]
    own = None if reader is None else session.exec(query.where(Rating.player_id == reader)).first()
    if own is not None and own[1] not in [row.name for row in rows]:
        above = session.exec(select(func.count()).where(*ranked, col(Rating.mu) > own[0].mu)).one()
        rows.append(_ranked(above + 1, *own))
    return RankingView(RULES[game_type].title, pace, rows)


def _ranked(rank: int, rating: Rating, name: str) -> RankedPlayer:
    shown = displayed_rating(Skill(rating.mu, rating.sigma), rating.games)
    return RankedPlayer(rank, name, shown, rating.games)
