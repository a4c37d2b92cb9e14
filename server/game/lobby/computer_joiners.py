"""Computer players who take the seats of an open game that are free after a while, unless only people may."""

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
from server.game.ratings import computer_match
from server.game.ratings.ratings import pace_of
from server.store.db import once
from server.store.models import Game, Player

AFTER = HOUR
"""How long an open game in which nobody comes or goes waits for people."""
COMPANY_CHOICE = Choice(
    name=COMPANY,
    label="When nobody joins a game that you open",
    topic="games",
    help="whether a computer player joins a game that you open if nobody has for an hour; for one game: "
    "seek nibble company=people",
    ways=(
        Way(
            ANYBODY,
            "a computer player does after an hour",
            "If nobody has joined a game that you open for an hour, a computer player will, about as strong as "
            "you.",
            also=("on", "anyone", "everybody", "computers"),
        ),
        Way(
            PEOPLE,
            "it waits for people",
            "Only people will join the games that you open.",
            also=("off", "people only", "only people"),
        ),
    ),
)


def begin_to_wait(game: Game, opener: Player, now: datetime) -> None:
    """Note until when an open game waits for people: always, if its players do, or nobody may find it."""
    company = entry_conditions.conditions_of(game).company or COMPANY_CHOICE.chosen_by(opener)
    stays = company == PEOPLE or game.private or game.anonymous
    game.computers_join_at = None if stays else now + AFTER


def wait_anew(game: Game, now: datetime) -> None:
    """Note that somebody came or went: it waits for others as long again."""
    if game.computers_join_at is not None:
        game.computers_join_at = now + AFTER


def choose_joiners(session: Session, game: Game) -> list[Player]:
    """Those who would take all free seats now, whom it wants and who are nearest to its player's rating.

    [] where there are not enough, and for who plays computer players enough.
    """
    opener = game.asked[0]
    if once(session, "enough", opener, lambda: challenge_checks.plays_computers_enough(session, opener)):
        return []
    order = computer_match.nearest(session, opener, game.game_type, pace_of(game.terms))
    free = [player for player in computer_players.members(session) if player.id not in game.asked]
    there = sorted(free, key=lambda player: order.index(player.strength or 0))
    fitting = [player for player in there if not entry_conditions.misfit(session, game, player)]
    missing = log.free_seats(game)
    return fitting[:missing] if len(fitting) >= missing else []


def in_words(session: Session, game: Game, reader: Player | None) -> str:
    """What one of those who sit there is told of it: who joins when; "" where nobody does, and to others."""
    if reader is None or reader.id not in game.asked or game.state != "open" or game.computers_join_at is None:
        return ""
    names = [player.name for player in choose_joiners(session, game)]
    if not names:
        return ""
    until, several = write_moment(game.computers_join_at, players.zone(reader)), len(names) > 1
    sort = "computer players" if several else "a computer player"
    return f"If nobody {'else ' if game.asked[1:] else ''}joins until {until}, {listed(names)} will, {sort}."
