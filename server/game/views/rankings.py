"""The players with the highest ratings in each game, as everyone may see them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from rules.registry import RULES
from server.game.ratings.ratings import PACES, UNCERTAIN, Shown, Skill, displayed_rating
from server.store.models import Player, Rating

_MOST = 10


@dataclass(frozen=True)
class RankingView:
    """The players with the highest ratings in a game at a pace, the highest first."""

    title: str
    pace: str
    rows: tuple[tuple[int, str, Shown], ...]
    """The ranks, names and ratings; the last row is the reader's if they are not among the first."""


def rankings(session: Session, reader: int, game_types: Sequence[str]) -> list[RankingView]:
    """Return the rankings of these game types at each pace, without those with only provisional ratings.

    `reader` is the number of the player who looks at them.
    """
    found = (_ranking(session, reader, game_type, pace) for game_type in game_types for pace in PACES)
    return [ranking for ranking in found if ranking.rows]


def _ranking(session: Session, reader: int, game_type: str, pace: str) -> RankingView:
    ranked = (
        Rating.player_id == Player.id,
        Rating.game_type == game_type,
        Rating.pace == pace,
        col(Rating.sigma) <= UNCERTAIN,
        col(Player.confirmed_at).is_not(None),
    )
    query = select(Rating, Player.name).where(*ranked)
    first = query.order_by(col(Rating.mu).desc(), col(Rating.player_id)).limit(_MOST)
    rows = [(rank, name, _shown(rating)) for rank, (rating, name) in enumerate(session.exec(first), start=1)]
    own = session.exec(query.where(Rating.player_id == reader)).first()
    if own is not None and own[1] not in [name for _, name, _ in rows]:
        above = session.exec(select(func.count()).where(*ranked, col(Rating.mu) > own[0].mu)).one()
        rows.append((above + 1, own[1], _shown(own[0])))
    return RankingView(RULES[game_type].title, pace, tuple(rows))


def _shown(rating: Rating) -> Shown:
    return displayed_rating(Skill(rating.mu, rating.sigma), rating.games)
