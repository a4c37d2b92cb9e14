"""Help for players: an index, and the documents that explain how to play here."""

from flask import Blueprint, abort, render_template

from server.game.terms.game_types import every_game_type
from server.markdown import contents, titled
from server.web.shared.documents import HELP, help_document
from server.web.shared.visits import services

pages = Blueprint("help", __name__, url_prefix="/help")


@pages.get("")
def index() -> str:
    """Show the index of the help."""
    settings = services().settings
    return render_template(
        "help.html",
        titles={name: titled(help_document(name, settings))[0] for name in HELP},
        game_types=every_game_type(),
        plain_address=settings.plain_address,
    )


@pages.get("/<name>")
def show(name: str) -> str:
    """Show a document for players."""
    if name not in HELP:
        abort(404)
    title, text = titled(help_document(name, services().settings))
    return render_template("document.html", title=title, text=text, contents=contents(text), up=True)
