"""Lines that players write about themselves, removed by those who have a role."""

from server.accounts import players
from server.errors import BadRequest
from server.operating.deeds import Office
from server.outbound.letters.account import BioRemoved
from server.store.models import Player


def remove(office: Office, player: Player, line: str, why: str) -> None:
    """Take a player's line about themselves from their page, if it is still this one; they are told.

    Raises BadRequest if it is not.
    """
    if not line or player.bio != line:
        raise BadRequest(f"That is not what {player.name} says about themselves any more. Look again.")
    player.bio = ""
    office.action.put_to_player(player, BioRemoved(line, why))
    office.note("removed a player's line about themselves", player=players.identity(player), why=why)
