"""What programs ask for, each with a token of its player's."""

from datetime import UTC, datetime

from flask import Flask

from mail.incoming.rates import RateLimit
from server.accounts.login import api_tokens
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Player
from server.store.outbox import ActionContext
from server.web.api import auth

PAGES = {
    f"api: {name}": f"/api/v1{address}"
    for name, address in {
        "who am I": "/me",
        "games that wait": "/games",
        "games that are over": "/games?list=finished&page=2",
        "a game that runs": "/games/{running}",
        "a game that is over": "/games/{over}",
        "its turns": "/games/{over}/turns",
        "its record": "/games/{over}/record",
        "what was said": "/games/{running}/said",
        "open games": "/open-games",
    }.items()
}
"""Addresses, for a program."""


def let_in(app: Flask) -> None:
    """Let programs ask as fast as they can be answered."""
    app.extensions[auth.EXTENSION] = RateLimit(1_000_000, 1_000_000)


def token_of(services: Services, player: Player) -> str:
    """A new token of a player's."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, datetime.now(UTC))
        return api_tokens.add(action, session.get_one(Player, player.id), "A robot", "by a benchmark")[1]
