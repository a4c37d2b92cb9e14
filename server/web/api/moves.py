"""Moves and orders: what can be played, and what a move would do."""

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
    """How many moves, and of which sort."""

    limit: int = Field(default=200, ge=1, le=_MOST_LISTED, description="At most so many.")
    only: Text = Field(default="", description="One sort of action, where a game has several.")
    random: int = Field(
        default=0, ge=0, le=_MOST_DRAWN, description="So many drawn at random, in place of a list."
    )


class LegalMoves(ResponseBody):
    """The legal moves of the player."""

    turn: int
    seat: int
    moves: list[str] = Field(description="Each a whole move, in canonical text.")
    more: bool = Field(description="Whether there are more than these.")
    table: Json | None = Field(
        description="With simultaneous moves: what each piece can be ordered, as `nabu moves` lists it."
    )


class ChoicesAsked(RequestBody):
    """The picks so far."""

    turn: Turn
    picks: list[Text] = Field(default=[], max_length=_MOST_PICKS)


class PickAnswer(ResponseBody):
    """One thing that can be picked."""

    pick: str
    place: str = Field(description="The place of the board that it stands for; empty for none.")
    label: str
    group: str


class ChoicesAnswer(ResponseBody):
    """The next choices. Every path of picks that ends is a legal move."""

    picked: list[str]
    choices: list[PickAnswer]
    move: str = Field(description="The move, if what is picked can be played as it is; else empty.")
    marks: list[str]


class MoveToCheck(RequestBody):
    """A move that is only tried."""

    turn: Turn
    move: MoveText
    conditions: ConditionsText = ""


class Checked(ResponseBody):
    """The effect of a legal move."""

    move: str = Field(description="In canonical text.")
    position: Json | None = Field(description="The one after it; null for orders, which wait for the others.")
    story: list[str]


@pages.get("/games/<int:number>/moves", responses={"200": LegalMoves, **document_errors(403, 409)})
def moves(path: GamePath, query: MovesAsked) -> Response:
    """Legal moves.

    Of the player, whose turn it must be: the simplest first, or some drawn at random.
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
    """A move put together.

    What can be picked after these picks. It is sent, and changes nothing: what stands in an address is logged.
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
    """A move tried.

    Whether it is legal, and what it would do; nothing is played.
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
    """The table and the player's seat. Raises Refused unless it is their turn."""
    game, _ = seen(visit, number)
    meant = target(visit, number, game.turn)
    return check_may_act(visit.action, visit.player, meant, game, to_move=True), meant.seat
