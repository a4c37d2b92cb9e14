"""The public page of a player."""

from flask import Blueprint, abort, render_template

from server.accounts import players, relations
from server.game.ratings.ratings import PACES
from server.game.spectators import watching
from server.game.views import archive
from server.game.views.profile import profile_of
from server.web.lobby.rating_chart import plot
from server.web.shared.visits import looking, visitor

pages = Blueprint("players", __name__)

_FEW = 6


@pages.get("/player/<name>")
def show(name: str) -> str:
    """Show a player's profile, ratings and latest finished games."""
    reader = visitor()
    with looking() as visit:
        player = players.find_known(visit.session, name)
        if player is None:
            abort(404)
        found = profile_of(visit.session, player)
        over = archive.latest(visit.session, player, _FEW + 1)
        own = reader is not None and reader.number == player.id
        watched = reader is not None and watching.follows(visit.session, reader.number, player)
        kept = "" if reader is None or own else relations.relation_to(visit.session, visit.player, player)
    return render_template(
        "player.html",
        player=found,
        plots={game_type.name: plot(game_type.ratings) for game_type in found.game_types},
        paces=PACES,
        rows=over[:_FEW],
        more=len(over) > _FEW,
        own=own,
        kept=kept,
        watched=watched,
    )
