"""Computer players that take the free seats of an open game after a while, unless only people may join."""

from datetime import datetime

from sqlmodel import Session

from rules.sentences import listed
from server.accounts import computer_players, players
from server.accounts.choices import Choice, Way
from server.clock.moments import write_moment
from server.clock.spans import HOUR
from server.game.lobby import challenge_checks, entry_conditions
from server.game.lobby.entry_conditions import ANYBODY, COMPANY, PEOPLE
from server.game.log import log
from server.game.ratings import ratings
from server.game.ratings.ratings import pace_of
from server.store.db import once
from server.store.models import Game, Player

AFTER = HOUR
"""How long an open game waits for people after the last player has joined or left."""
COMPANY_CHOICE = Choice(
    name=COMPANY,
    label="When no one joins your open game",
    topic="games",
    help="a computer player joins your open game if no one else has joined for an hour, or never; to open one "
    "game for people only, send the email: seek nibble company=people",
    hint="If no one else has joined for an hour. You can choose this for each game, too, in its form under "
    "“More about the open game”.",
    ways=(
        Way(
            ANYBODY,
            "a computer player joins it",
            "If no one has joined your open game for an hour, a computer player about as strong as you "
            "will join.",
            also=("on", "anyone", "everybody", "computers"),
        ),
        Way(
            PEOPLE,
            "it waits for people",
            "Only people will join your open games.",
            also=("off", "people only", "only people"),
        ),
    ),
)


def begin_to_wait(game: Game, opener: Player, now: datetime) -> None:
    """Set the time at which computer players may join a new open game.

    They never join if its players want only people, and if the game is private or anonymous.
    """
    company = entry_conditions.conditions_of(game).company or COMPANY_CHOICE.chosen_by(opener)
    stays = company == PEOPLE or game.private or game.anonymous
    game.computers_join_at = None if stays else now + AFTER


def restart_wait(game: Game, now: datetime) -> None:
    """Restart the time until computer players join, because a person has joined or left."""
    if game.computers_join_at is not None:
        game.computers_join_at = now + AFTER


def choose_joiners(session: Session, game: Game) -> list[Player]:
    """Return computer players for all free seats of an open game, nearest to the opener's rating first.

    Returns [] if too few meet the conditions, or if the opener already plays enough games with computer
    players.
    """
    opener = game.asked[0]
    if once(session, "enough", opener, lambda: challenge_checks.plays_computers_enough(session, opener)):
        return []
    order = ratings.levels_by_distance(session, opener, game.game_type, pace_of(game.terms))
    free = [player for player in computer_players.members(session) if player.id not in game.asked]
    there = sorted(free, key=lambda player: order.index(player.strength or 0))
    fitting = [player for player in there if not entry_conditions.misfit(session, game, player)]
    missing = log.free_seats(game)
    return fitting[:missing] if len(fitting) >= missing else []


def in_words(session: Session, game: Game, reader: Player | None) -> str:
    """Return a sentence about the computer players that will join, and when, for a player of the game.

    Returns "" if none will join, and for readers who have not joined.
    """
    if reader is None or reader.id not in game.asked or game.state != "open" or game.computers_join_at is None:
        return ""
    names = [player.name for player in choose_joiners(session, game)]
    if not names:
        return ""
    until, several = write_moment(game.computers_join_at, players.zone(reader)), len(names) > 1
    sort = "computer players" if several else "computer player"
    other = "other player" if game.asked[1:] else "one"
    return f"If no {other} joins by {until}, {listed(names)} ({sort}) will."
