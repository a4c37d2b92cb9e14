"""A mail to the plain address that is being carried out."""

from dataclasses import dataclass

from server.accounts import players
from server.errors import BadRequest
from server.game.vocabulary import LUCK_WITH_A_CHALLENGE
from server.inbound.requests import Request
from server.store.models import Outbox, Player


@dataclass
class AccountMail(Request):
    """A mail to the plain address, `own`, that is being carried out; `text` is what was written in it.

    `asked` is the letter of ours that asked for it, None for none.
    """

    own: str
    text: str
    asked: Outbox | None = None

    @property
    def player(self) -> Player:
        """Whoever wrote it; raises BadRequest for a stranger."""
        player = players.by_email(self.action.session, self.reading.sender)
        if player is None:
            raise BadRequest(
                f"{self.reading.sender} is not the address of a player. To become one, write: register NAME"
            )
        return player

    @property
    def client_seed(self) -> str | None:
        """The player's own words; None if there are none, "" if there is only the word `luck`."""
        words = self.arguments(LUCK_WITH_A_CHALLENGE)
        return " ".join(words) if words else None
