"""Who is invited to a game, and what players are called where their names are not known yet.

Who challenges an address learns nothing about it: neither whether it is a player's, nor the player's name. And
in an anonymous game nobody learns who plays until it is over.
"""

from dataclasses import dataclass

from sqlmodel import and_, col

from rules.registry import rules_named
from server.store.models import Game, Player, Seat

SOMEBODY = "an invited player"
NAMELESS = and_(col(Game.anonymous), col(Game.state) != "over")
"""A condition: nobody may know who plays in the game."""


@dataclass(frozen=True)
class Invited:
    """Someone who is challenged, and the address by which they were named; "" if it was by name."""

    player: Player
    address: str = ""

    @property
    def written(self) -> str:
        """How the challenger named them."""
        return self.address or self.player.name


def called(game: Game, seat: Seat, player: Player, viewer: int | None) -> str:
    """What the player in a seat is called, to another (by their number) or to anybody.

    Invited by their address they have no name here before they accept: the challenger sees what they wrote
    themselves. While a game is anonymous, everybody is called by their seat, to themselves as well.
    """
    if is_nameless(game):
        in_seat = game.state == "running"
        return (
            rules_named(game.game_type).seats(game.options)[seat.number]
            if in_seat
            else placeholder(seat.number)
        )
    if seat.accepted or not seat.invited_as or viewer == player.id:
        return player.name
    return seat.invited_as if viewer == game.asked[0] else SOMEBODY


def is_nameless(game: Game) -> bool:
    """Whether nobody may know who plays: the game is anonymous, and not over."""
    return game.anonymous and game.state != "over"


def placeholder(place: int) -> str:
    """What somebody in an anonymous game is called before it begins, and in its log; the first `place` is 0."""
    return f"Player {place + 1}"
