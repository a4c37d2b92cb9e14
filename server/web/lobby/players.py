"""The public page of a player, with charts of their ratings over time, and the ranking of all players."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from flask import Blueprint, abort, render_template

from rules.registry import RULES
from server.accounts import players, relations
from server.game.ratings.ratings import PACES, PACES_IN_WORDS
from server.game.spectators import watching
from server.game.terms.game_types import every_game_type
from server.game.views import archive
from server.game.views.profile import Moment, RatingView, profile_of
from server.game.views.rankings import rankings
from server.web.shared.visits import looking, visitor

pages = Blueprint("players", __name__)

_FEW, _RANKED = 6, 50
WIDTH, HEIGHT = 480, 200
_LEFT, _EDGE = 46, 10
_STEPS = (20, 50, 100, 200, 500, 1000)
_MOST_LEVELS = 5


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


@pages.get("/ranking", defaults={"game_type": min(RULES)})
@pages.get("/ranking/<game_type>")
def ranking(game_type: str) -> str:
    """Show the players with the highest ratings in a game, and the visitor's own place."""
    if game_type not in RULES:
        abort(404)
    reader = visitor()
    with looking() as visit:
        tables = rankings(visit.session, reader.number if reader else None, [game_type], _RANKED)
    return render_template(
        "ranking.html",
        game_type=game_type,
        game_types=every_game_type(),
        tables=tables,
        paces=PACES_IN_WORDS,
        own=None if reader is None else reader.name,
    )


@dataclass(frozen=True)
class RatingLine:
    """One rating: its pace, and the points of its line in SVG notation."""

    pace: str
    points: str


@dataclass(frozen=True)
class Plot:
    """A chart; the levels are pairs of a height in it and the rating there."""

    lines: tuple[RatingLine, ...]
    levels: tuple[tuple[float, int], ...]
    first: datetime
    last: datetime
    left: int = _LEFT
    width: int = WIDTH
    height: int = HEIGHT


def plot(ratings: Sequence[RatingView]) -> Plot | None:
    """Return the chart of ratings in one game; None while no rating has two points."""
    drawn = [rating for rating in ratings if len(rating.course) > 1]
    if not drawn:
        return None
    moments = [moment for rating in drawn for moment in rating.course]
    first, last = min(each.at for each in moments), max(each.at for each in moments)
    levels = _levels([each.number for each in moments])
    low, high = levels[0], levels[-1]
    span = max(last - first, timedelta(seconds=1))

    def place(moment: Moment) -> str:
        across = _LEFT + (WIDTH - _LEFT - _EDGE) * ((moment.at - first) / span)
        return f"{across:.0f},{_height(moment.number, low, high):.0f}"

    return Plot(
        lines=tuple(RatingLine(each.pace, " ".join(map(place, each.course))) for each in drawn),
        levels=tuple((round(_height(level, low, high)), level) for level in levels),
        first=first,
        last=last,
    )


def _levels(numbers: Sequence[int]) -> list[int]:
    """Return a few round ratings that enclose all numbers."""
    low, high = min(numbers), max(numbers)
    for step in _STEPS:
        bottom = low // step
        top = max(-(-high // step), bottom + 1)
        if top - bottom < _MOST_LEVELS or step == _STEPS[-1]:
            break
    return [each * step for each in range(bottom, top + 1)]


def _height(number: int, low: int, high: int) -> float:
    return _EDGE + (HEIGHT - 2 * _EDGE) * (high - number) / (high - low)
