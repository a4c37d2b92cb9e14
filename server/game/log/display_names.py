"""The names under which players see one another while some names must stay hidden.

A challenge to an email address reveals nothing about it: neither whether it belongs to a player, nor the
player's name. In an anonymous game the players' names are hidden until it is over.
"""

from dataclasses import dataclass

from sqlmodel import and_, col

from rules.registry import rules_named
from server.store.models import Game, Player, Seat

SOMEBODY = "an invited player"
NAMELESS = and_(col(Game.anonymous), col(Game.state) != "over")
"""The condition that a game hides its players' names."""


@dataclass(frozen=True)
class Invited:
    """A challenged player; `address` is the email address that the challenger wrote, or "" for a name."""

    player: Player
    address: str = ""

    @property
    def written(self) -> str:
        """Return the name or address as the challenger wrote it."""
        return self.address or self.player.name


def called(game: Game, seat: Seat, player: Player, viewer: int | None) -> str:
    """Return the name of the player in a seat, as `viewer` may see it: a player's number, None for a visitor.

    Before they accept, players who were invited by address have no name: the challenger sees the address, and
    others a placeholder. In an anonymous game all players are called by their seats, even to themselves.
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
    """Return whether a game hides its players' names: it is anonymous, and not over."""
    return game.anonymous and game.state != "over"


def placeholder(place: int) -> str:
    """Return the name that an anonymous game shows for the player at `place`, counted from 0, before it starts.

    Its log contains these names too.
    """
    return f"Player {place + 1}"
