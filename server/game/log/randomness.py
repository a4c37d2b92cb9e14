"""Random draws in a game, from its secret seed, whose hash is published, and the players' words for luck."""

import secrets
from collections.abc import Sequence

from sqlmodel import Session

from rules.chance import Chance
from rules.records.proof import Seed
from server.game.log import log
from server.game.log.log import Seated
from server.limits import LONGEST_CLIENT_SEED, LONGEST_LINE
from server.store.keys.sealing import Sealer
from server.store.models import Game, Seat

THEIRS = (
    *("player_id", "client_seed", "joined_at", "muted_until", "heard_turn", "page_at"),
    *("version", "lists_version"),
)
"""The columns of a seat that move with its player before the game starts."""


def new_seed() -> Seed:
    """Return a seed for a new game, from the operating system's random source."""
    return Seed(secrets.token_bytes(32))


def seed_of(sealer: Sealer, game: Game) -> Seed:
    """Return the seed of a game."""
    return Seed(sealer.open(game.sealed_seed))


def seat_by_lot(sealer: Sealer, session: Session, game: Game) -> None:
    """Assign the seats by lot to the players of a game that all have accepted.

    Until then the players are in the order of the invitations: if the lot were visible, a player could withdraw
    and repeat a challenge until they like it.
    """
    named = _as_named(session, game)
    lot = seed_of(sealer, game).seats(log.id_of(game), [seat.client_seed for seat in named])
    _sit(session, game, lot.shuffle(named))


def seat_as(session: Session, game: Game, order: Sequence[int]) -> None:
    """Assign the seats in the given order of players' numbers, in a game that all have accepted."""
    taken = {seat.player_id: seat for seat in _as_named(session, game)}
    _sit(session, game, [taken[number] for number in order])


def seat_challenger_first(sealer: Sealer, game: Game) -> None:
    """Replace the seed of a game without words for luck until the challenger gets the first move."""
    places = range(len(game.asked))
    while seed_of(sealer, game).seats(log.id_of(game), [""] * len(places)).shuffle(list(places))[0]:
        seed = new_seed()
        game.sealed_seed, game.seed_hash = sealer.seal(seed.secret), seed.hash


def _as_named(session: Session, game: Game) -> list[Seat]:
    taken = {seat.player_id: seat for seat, _ in log.seats(session, game)}
    return [taken[number] for number in game.asked]


def _sit(session: Session, game: Game, order: Sequence[Seat]) -> None:
    """Move each of these seats' players to the position in this list."""
    lots = [{column: getattr(seat, column) for column in THEIRS} for seat in order]
    for number, theirs in enumerate(lots):
        seat = session.get_one(Seat, (log.id_of(game), number))
        for column, value in theirs.items():
            setattr(seat, column, value)
        seat.invited_as = ""


def for_layout(sealer: Sealer, game: Game, seats: list[Seated]) -> Chance:
    """Return the random source that draws the starting position of a game."""
    return seed_of(sealer, game).layout(log.id_of(game), [seat.client_seed for seat, _ in seats])


def for_dice(sealer: Sealer, game: Game, seats: list[Seated], turn: int) -> Chance:
    """Return the random source that rolls the dice of a turn."""
    return seed_of(sealer, game).dice(log.id_of(game), turn, [seat.client_seed for seat, _ in seats])


def rebuild_if_damaged(sealer: Sealer, game: Game, seats: list[Seated]) -> None:
    """Rebuild the position of a game, including dice, if it does not match its checksum."""
    log.rebuild_if_damaged(game, lambda turn, count: for_dice(sealer, game, seats, turn).dice(count))


def given(sealer: Sealer, words: str) -> str:
    """Return a player's words for luck as they are stored: tidied, and without secret addresses of Nabu.

    The log shows them to everyone.
    """
    return tidy(sealer.without_secrets(words, LONGEST_LINE))


def tidy(words: str) -> str:
    """Return a player's words for luck as one line of limited length, without unprintable characters.

    For example, “ seven   black cats” becomes “seven black cats”.
    """
    return " ".join("".join(c if c.isprintable() else " " for c in words).split())[:LONGEST_CLIENT_SEED]
