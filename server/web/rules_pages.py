"""The rules of the games with pictures of boards, and an example game of each to click through."""

from collections.abc import Callable

from flask import Blueprint, abort, get_template_attribute, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response

from rules.drawing import Shapes
from rules.registry import RULES
from server.game.terms.game_types import rules_page
from server.game.views.example_games import EXAMPLE, TURN, WorkedGame, example, worked_game
from server.markdown import Fences

pages = Blueprint("rulebook", __name__, url_prefix="/rules/<game_type>")


@pages.get("")
def rules(game_type: str) -> str:
    """Show the rules of a game."""
    page = rules_page(game_type)
    if not page:
        abort(404)
    page = TURN.sub(r"```turn \1\n\2\n```", page)
    page = EXAMPLE.sub(lambda found: f"```example {' '.join(found[1].split())}\n{found[2]}\n```", page)
    return render_template("rules.html", game_type=RULES[game_type], page=page, fences=_fences(game_type))


@pages.get("/game")
def game(game_type: str) -> str:
    """Show the example game of the rules after a turn (`?turn=3`), by default after the last."""
    found = _worked(game_type)
    number = request.args.get("turn", found.last, type=int)
    if not 0 <= number <= found.last:
        abort(404)
    return render_template("worked.html", game_type=RULES[game_type], last=found.last, shown=found.turn(number))


@pages.get("/record.json")
def record(game_type: str) -> Response:
    """Return the example game as a record."""
    response = Response(_worked(game_type).record.to_json(), content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="nabu-{game_type}.json"'
    return response


def _worked(game_type: str) -> WorkedGame:
    found = worked_game(game_type) if game_type in RULES else None
    if found is None:
        abort(404)
    return found


def _fences(game_type: str) -> Fences:
    """Return renderers that replace the plain-text boards and the record with pictures and links."""
    found = worked_game(game_type)
    if found is None:
        return {}
    shapes = Shapes(titles=False)
    draw: Callable[..., Markup] = get_template_attribute("_worked.html", "figure")
    tell: Callable[..., Markup] = get_template_attribute("_worked.html", "example")
    ways: Callable[[str], Markup] = get_template_attribute("_worked.html", "ways")
    return {
        "diagram": lambda turn, _: draw(game_type, found.turn(int(turn)), shapes),
        "turn": lambda turn, told: draw(game_type, found.turn(int(turn)), shapes, told),
        "example": lambda title, told: tell(title, example(game_type, title), shapes, told),
        "record": lambda *_: ways(game_type),
    }
