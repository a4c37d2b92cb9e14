"""The choice of a computer player of suitable strength for a player."""

from sqlmodel import Session, col, select

from server.accounts import computer_players
from server.accounts.computer_names import COMPUTER_PLAYERS
from server.game.ratings.ratings import points, skill_of_level, standings
from server.store.models import Rating


def nearest(session: Session, player: int, game_type: str, pace: str) -> list[int]:
    """Return the numbers of all computer players, those with ratings nearest to the player's first.

    For a player without a rating the weakest level comes first.
    """
    own = standings(session, player)(game_type, pace).rating
    ratings = ratings_by_strength(session, game_type, pace)
    return sorted(ratings, key=lambda level: (0 if own is None else abs(ratings[level] - own.number), level))


def ratings_by_strength(session: Session, game_type: str, pace: str) -> dict[int, int]:
    """Return the rating of each level in a game type at a pace, or an estimate until it has one."""
    found = {each.level: points(skill_of_level(each.level).mu) for each in COMPUTER_PLAYERS}
    levels = {player.id: player.strength or 0 for player in computer_players.members(session)}
    theirs = col(Rating.player_id).in_(levels), Rating.game_type == game_type, Rating.pace == pace
    rated = [
        (levels[number], mu) for number, mu in session.exec(select(Rating.player_id, Rating.mu).where(*theirs))
    ]
    return found | {level: points(mu) for level, mu in rated if level in found}
