"""Help for players: an index of all pages that explain how to play here."""

from flask import Blueprint, render_template

from server.game.terms.game_types import every_game_type
from server.web.shared.visits import services

pages = Blueprint("help", __name__, url_prefix="/help")


@pages.get("")
def index() -> str:
    """Show the index of the help."""
    return render_template(
        "help.html", game_types=every_game_type(), plain_address=services().settings.plain_address
    )
