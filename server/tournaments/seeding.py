"""Seeds: by rating, and by a lot that anyone can check."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from sqlmodel import col, func, select

from server.clock.spans import YEAR
from server.game.log import randomness
from server.game.ratings.ratings import UNCERTAIN, pace_of
from server.store.models import Entrant, Rating, RatingChange, Tournament
from server.store.outbox import ActionContext
from server.tournaments.rows import LoadedTournament

_KNOWN_FOR = YEAR
"""The period in which a player's best rating counts, so that losing on purpose does not lower the seed."""


def draw_lot(action: ActionContext, tournament: Tournament) -> None:
    """Store a new secret for the lot of a tournament, encrypted, and publish its hash."""
    drawn = randomness.new_seed()
    tournament.sealed_lot, tournament.lot_hash = action.sealer.seal(drawn.secret), drawn.hash


def seed(loaded: LoadedTournament, entrants: Sequence[Entrant]) -> None:
    """Give these entrants their seeds, and publish the secret of the lot."""
    action, tournament = loaded.action, loaded.tournament
    tournament.lot = action.sealer.open(tournament.sealed_lot or b"").hex()
    by_player = {entrant.player_id: entrant for entrant in entrants}
    names = {player: loaded.player(player).name for player in by_player}
    ranked = order(names, _best_ratings(loaded, list(by_player)), tournament.lot)
    for place, player in enumerate(ranked, 1):
        by_player[player].seed = place


def order(names: Mapping[int, str], ratings: Mapping[int, float], secret: str) -> list[int]:
    """Return players in the order of their seeds.

    Players with a rating come first, the best before all others; equal ratings, and players without one, are in
    the order of their lots. `secret` is in hexadecimal.
    """
    return sorted(names, key=lambda player: (-ratings.get(player, float("-inf")), lot(secret, names[player])))


def lot(secret: str, name: str) -> str:
    """Return the lot of a player: the SHA-256 of the secret and their name, with a line break between them."""
    return sha256(f"{secret}\n{name}".encode()).hexdigest()


def best(now: Mapping[int, float], highest: Mapping[int, float]) -> dict[int, float]:
    """Return the rating by which each player is seeded.

    That is the `highest` of the last year that was not provisional, or the present one if that is better or
    there is no other.
    """
    return {player: max(rating, highest.get(player, rating)) for player, rating in now.items()}


def _best_ratings(loaded: LoadedTournament, players: Sequence[int]) -> dict[int, float]:
    """Return the ratings by which players are seeded, from the database."""
    tournament, session = loaded.tournament, loaded.action.session
    game_type, pace = tournament.game_type, pace_of(tournament.terms)
    now = select(Rating.player_id, Rating.mu).where(
        col(Rating.player_id).in_(players), Rating.game_type == game_type, Rating.pace == pace
    )
    highest = (
        select(RatingChange.player_id, func.max(RatingChange.mu))
        .where(
            col(RatingChange.player_id).in_(players),
            RatingChange.game_type == game_type,
            RatingChange.pace == pace,
        )
        .where(col(RatingChange.at) > loaded.action.now - _KNOWN_FOR, col(RatingChange.sigma) <= UNCERTAIN)
        .group_by(col(RatingChange.player_id))
    )
    return best(dict(session.exec(now).all()), dict(session.exec(highest).all()))
