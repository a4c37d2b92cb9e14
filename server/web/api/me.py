"""The player who owns the token."""

from flask import Response
from pydantic import Field

from server.accounts import bans, players
from server.accounts.login import api_tokens
from server.game.views import lists
from server.web.api.auth import caller
from server.web.api.blueprint import pages
from server.web.api.schemas import ResponseBody, answered
from server.web.shared.visits import looking


class Me(ResponseBody):
    """The owner of the token."""

    name: str
    zone: str = Field(description="The player's time zone; all times in this API are in UTC.")
    token: str = Field(description="The name of the token.")
    waiting: int = Field(description="The number of games that wait for the player's move.")
    suspended: str = Field(
        description="If the player is suspended: why they cannot start games or send messages; else empty."
    )


@pages.get("/me", responses={"200": Me})
def me() -> Response:
    """The owner of the token."""
    number, which = caller()
    with looking() as visit:
        player = visit.player
        return answered(
            Me(
                name=player.name,
                zone=players.zone(player).key,
                token=next(
                    each.name for each in api_tokens.list_tokens(visit.session, player) if each.number == which
                ),
                waiting=lists.count_turns(visit.session, number),
                suspended=bans.explained(visit.session, player, visit.action.now),
            )
        )
