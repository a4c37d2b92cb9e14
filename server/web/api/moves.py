"""Moves and orders: the legal ones, their parts, and their effects."""

from collections.abc import Mapping
from itertools import islice
from secrets import randbelow
from typing import Any

from flask import Response
from pydantic import Field

from server.actions.play import ConditionsText, MoveText
from server.game.play import moves as game_moves
from server.game.play import picking
from server.game.play.loaded_game import LoadedGame
from server.game.play.target import check_may_act
from server.game.views.game_view import preview_view
from server.web.api.blueprint import pages
from server.web.api.errors import document_errors
from server.web.api.game import seen, target
from server.web.api.schemas import GamePath, Json, Query, RequestBody, ResponseBody, Text, Turn, answered
from server.web.shared.visits import Visit, looking

_MOST_LISTED, _MOST_DRAWN, _MOST_PICKS = 1000, 20, 200


class MovesAsked(Query):
    """The number and kind of moves."""

    limit: int = Field(default=200, ge=1, le=_MOST_LISTED, description="The largest number of moves.")
    only: Text = Field(default="", description="Only moves of this kind, for games with several kinds.")
    random: int = Field(
        default=0, ge=0, le=_MOST_DRAWN, description="Return this many random moves instead of a list."
    )


class LegalMoves(ResponseBody):
    """The legal moves of the player."""

    turn: int
    seat: int
    moves: list[str] = Field(description="Complete moves in canonical text.")
    more: bool = Field(description="Whether there are more legal moves.")
    table: Json | None = Field(
        description="In games with secret orders: the possible orders of each piece, as in `nabu moves`."
    )


class ChoicesAsked(RequestBody):
    """The picks so far."""

    turn: Turn
    picks: list[Text] = Field(default=[], max_length=_MOST_PICKS)


class PickAnswer(ResponseBody):
    """A part of a move that can be picked."""

    pick: str
    place: str = Field(description="Its place on the board; empty without one.")
    label: str
    group: str


class ChoicesAnswer(ResponseBody):
    """The next choices. Every complete sequence of picks is a legal move."""

    picked: list[str]
    choices: list[PickAnswer]
    move: str = Field(description="The move, if the picks are a complete move; else empty.")
    marks: list[str]


class MoveToCheck(RequestBody):
    """A move to try."""

    turn: Turn
    move: MoveText
    conditions: ConditionsText = ""


class Checked(ResponseBody):
    """The effect of a legal move."""

    move: str = Field(description="In canonical text.")
    position: Json | None = Field(
        description="The position after the move; null for orders, as they depend on those of others."
    )
    story: list[str]


@pages.get("/games/<int:number>/moves", responses={"200": LegalMoves, **document_errors(403, 409)})
def moves(path: GamePath, query: MovesAsked) -> Response:
    """The player's legal moves.

    It must be the player's turn. The simplest moves come first, or the moves are drawn at random.
    """
    with looking() as visit:
        table, seat = _to_move(visit, path.number)
        rules, position = table.rules, table.position
        if query.random:
            found = [rules.sample(position, seat, randbelow) for _ in range(query.random)]
        else:
            found = list(islice(rules.moves(position, seat, query.only), query.limit + 1))
        listing = rules.listing(position, query.only, query.limit) if rules.simultaneous else None
    texts = [rules.format(move) for move in found]
    return answered(
        LegalMoves(
            turn=table.game.turn,
            seat=seat,
            moves=texts if query.random else texts[: query.limit],
            more=bool(query.random) or len(texts) > query.limit,
            table=listing.get(str(seat)) if isinstance(listing, Mapping) else None,
        )
    )


@pages.post("/games/<int:number>/choices", responses={"200": ChoicesAnswer, **document_errors(403, 409)})
def choices(path: GamePath, body: ChoicesAsked) -> Response:
    """Build a move step by step.

    Returns the choices after the picks so far. It changes nothing; it is a POST request to keep secret orders
    out of URLs, which are logged.
    """
    with looking() as visit:
        meant = target(visit, path.number, body.turn)
        found = picking.choices(visit.action, visit.player, meant, body.picks)
    return answered(
        ChoicesAnswer(
            picked=[pick.text for pick in found.picked],
            choices=[
                PickAnswer(pick=pick.text, place=pick.place, label=pick.label, group=pick.group)
                for pick in found.picks
            ],
            move=found.move,
            marks=list(found.marks),
        )
    )


@pages.post("/games/<int:number>/check", responses={"200": Checked, **document_errors(403, 409)})
def check(path: GamePath, body: MoveToCheck) -> Response:
    """Try a move.

    Returns the effect of a legal move without playing it.
    """
    with looking() as visit:
        meant = target(visit, path.number, body.turn)
        step = game_moves.preview(visit.action, visit.player, meant, body.move, body.conditions)
        game, _ = seen(visit, path.number)
        view = preview_view(game, meant.seat, step)
        rules: Any = view.board.rules
        after = None if rules.simultaneous else rules.write(step.after)
    return answered(Checked(move=view.move, position=after, story=list(view.story)))


def _to_move(visit: Visit, number: int) -> tuple[LoadedGame, int]:
    """Return the loaded game and the player's seat. Raises Refused unless it is their turn."""
    game, _ = seen(visit, number)
    meant = target(visit, number, game.turn)
    return check_may_act(visit.action, visit.player, meant, game, to_move=True), meant.seat
