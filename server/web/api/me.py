"""The player for whom a program acts."""

from flask import Response
from pydantic import Field

from server.accounts import bans
from server.accounts.login import api_tokens
from server.game.views import lists
from server.web.api.auth import caller
from server.web.api.blueprint import pages
from server.web.api.schemas import ResponseBody, answered
from server.web.shared.visits import looking


class Me(ResponseBody):
    """The player whose token it is."""

    name: str
    zone: str = Field(description="Their time zone; all moments in this API are in UTC.")
    token: str = Field(description="What the player calls the token.")
    waiting: int = Field(description="How many games wait for their move.")
    suspended: str = Field(description="Why they may neither begin games nor say anything now; empty for most.")


@pages.get("/me", responses={"200": Me})
def me() -> Response:
    """Who am I?

    The player for whom the token acts.
    """
    number, which = caller()
    with looking() as visit:
        player = visit.player
        return answered(
            Me(
                name=player.name,
                zone=player.zone,
                token=next(
                    each.name for each in api_tokens.list_tokens(visit.session, player) if each.number == which
                ),
                waiting=lists.count_turns(visit.session, number),
                suspended=bans.explained(visit.session, player, visit.action.now),
            )
        )
