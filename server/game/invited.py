"""Who is invited to a game, and what they are called until they have accepted.

Who challenges an address learns nothing about it: neither whether it is a player's, nor the player's name.
"""

from dataclasses import dataclass

from server.store.models import Game, Player, Seat

SOMEBODY = "an invited player"


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
    themselves.
    """
    if seat.accepted or not seat.invited_as or viewer == player.id:
        return player.name
    return seat.invited_as if viewer == game.asked[0] else SOMEBODY
