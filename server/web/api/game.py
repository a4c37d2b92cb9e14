"""A game as the player may see it: its position, seats and turns."""

from datetime import datetime
from typing import Any

from flask import Response, abort
from pydantic import Field

from server.errors import NotYours
from server.game.log import log, stored_entries, visibility
from server.game.play.proposals import PROPOSALS
from server.game.play.target import Target
from server.game.views import game_view
from server.game.views.game_view import GameView
from server.game.views.seats import SeatView
from server.store.db import locked
from server.store.models import Game
from server.web.api.auth import caller
from server.web.api.blueprint import pages
from server.web.api.errors import document_errors
from server.web.api.schemas import GamePath, Json, Query, ResponseBody, answered
from server.web.shared.visits import Visit, looking

_MOST_TURNS = 200


class SeatAnswer(ResponseBody):
    """A seat and its player."""

    number: int
    title: str = Field(description="The name of the seat in the rules; empty before seats are drawn.")
    name: str
    computer: bool
    accepted: bool
    owes: bool = Field(description="Whether the game waits for this seat.")
    due: datetime | None
    overdue: bool = Field(description="Whether its time is up, so that the other players can claim the game.")
    left: bool
    commitment: str = Field(
        description="The commitment of its sealed orders; empty without orders, or if it is hidden."
    )
    proposals: list[str] = Field(
        description=f"Its proposals to the other players, and agreements: {', '.join(map(repr, PROPOSALS))}."
    )


class GameAnswer(ResponseBody):
    """A game as the player may see it."""

    detail: str = Field(description="The result of the request in a sentence; empty if it only reads.")
    number: int
    game_type: str
    options: Json
    terms: list[str] = Field(description="The terms of the game without its options, in sentences.")
    rated: bool
    state: str = Field(description="`open`, `invited`, `running`, `over`, `declined` or `closed`.")
    turn: int = Field(description="The current turn; requests with moves and orders name it.")
    simultaneous: bool = Field(description="Whether all players give secret orders for each turn.")
    position: Json | None = Field(
        description="In the format on the rules page of the game; null before the game starts."
    )
    dice: list[int]
    to_move: list[int] = Field(description="The seats that move in this turn.")
    seats: list[SeatAnswer]
    seat: int | None = Field(description="The player's own seat; null for a spectator.")
    my_turn: bool
    deadline: datetime | None = Field(description="The deadline of the player's own move.")
    orders: str = Field(description="The player's own sealed orders for this turn; empty without orders.")
    conditions: list[str] = Field(description="The player's own conditional moves.")
    extra_text: str = Field(
        description="Text beside a move in the player's email that has not been sent to others; empty if none."
    )
    may_undo: bool
    opens_at: datetime | None = Field(description="The time at which orders are opened, if all are in.")
    result: Json | None = Field(description="In the format of records; null while there is none.")
    result_in_words: str
    outcome: str = Field(description="For the player: `won`, `lost`, `drawn` or `abandoned`; else empty.")
    since: datetime = Field(description="The time of the last turn, or of the last answer to the invitation.")
    head: str = Field(description="The hash of the last entry of the log.")


class TurnsAsked(Query):
    """The range of turns."""

    first: int = Field(default=1, ge=1, le=10**9, description="The first turn to return.")
    limit: int = Field(default=_MOST_TURNS, ge=1, le=_MOST_TURNS)


class TurnAnswer(ResponseBody):
    """A turn that is over."""

    number: int
    at: datetime
    turn: Json = Field(description="In the format of records: `seat`, `move` and `dice`, or `orders` by seat.")


class Turns(ResponseBody):
    """Turns in order."""

    turns: list[TurnAnswer]
    next: int | None = Field(description="The turn to continue from; null if these were the last.")


@pages.get("/games/<int:number>", responses={"200": GameAnswer})
def game(path: GamePath) -> Response:
    """The current state of a game."""
    with looking() as visit:
        return answered(game_state(visit, path.number))


@pages.get("/games/<int:number>/turns", responses={"200": Turns})
def turns(path: GamePath, query: TurnsAsked) -> Response:
    """The turns of a game that are over.

    Turns that were taken back are left out.
    """
    with looking() as visit:
        found, _ = seen(visit, path.number)
        entries = []
        if log.has_begun(found):
            entries = log.turns(visit.session, found, query.first)[: query.limit + 1]
        rows = [
            TurnAnswer(number=played.number, at=entry.at, turn=played.turn.to_json())
            for entry in entries
            for played in [stored_entries.turn_of(found, entry)]
        ]
    more = rows[query.limit].number if len(rows) > query.limit else None
    return answered(Turns(turns=rows[: query.limit], next=more))


@pages.get(
    "/games/<int:number>/record",
    responses={"200": {"content": {"application/json": {}}}, **document_errors(409)},
)
def record(path: GamePath) -> Response:
    """The game as a record with its proof.

    A file in the format `nabu-record/1` for `nabu verify`.
    """
    with looking() as visit:
        found, _ = seen(visit, path.number)
        if not log.has_begun(found):
            abort(404)
        written = log.record(visit.session, found).to_json()
    return Response(written, content_type="application/json")


def seen(visit: Visit, number: int, *, lock: bool = False) -> tuple[Game, int | None]:
    """Return a game and the player's seat; 404 if it does not exist or they may not see it."""
    if lock:
        locked(visit.session, Game, number)
    return visibility.visible_game(visit.session, number, caller()[0]) or abort(404)


def target(visit: Visit, number: int, turn: int, *, lock: bool = False) -> Target:
    """Return the target of an action of the player in a turn. Raises NotYours for a spectator."""
    _, seat = seen(visit, number, lock=lock)
    if seat is None:
        raise NotYours(f"You have no seat in game {number}.")
    return Target(number, seat, turn)


def game_state(visit: Visit, number: int, detail: str = "") -> GameAnswer:
    """Return a game as the player may see it; `detail` is the result of the request in a sentence."""
    found, seat = seen(visit, number)
    view = game_view.game_view(visit.session, visit.action.sealer, found, seat)
    return _answer(view, found, detail)


def _answer(view: GameView, found: Game, detail: str) -> GameAnswer:
    position: Any = log.position_of(found) if log.has_begun(found) else None
    rules, runs = log.rules_of(found), found.state == "running"
    return GameAnswer(
        detail=detail,
        number=view.number,
        game_type=view.game_type,
        options=found.options,
        terms=list(view.terms_in_words),
        rated=bool(view.terms.rated),
        state=view.state,
        turn=view.turn,
        simultaneous=view.simultaneous,
        position=None if position is None else rules.write(position),
        dice=list(view.dice),
        to_move=list(rules.to_move(position)) if runs else [],
        seats=[_seat(each, mine=view.me is not None) for each in view.seats],
        seat=None if view.me is None else view.me.number,
        my_turn=view.my_turn,
        deadline=None if view.me is None else view.me.due_at,
        orders=view.my_orders,
        conditions=list(view.my_conditions),
        extra_text=view.my_words,
        may_undo=view.may_undo,
        opens_at=view.resolve_at,
        result=found.result,
        result_in_words=view.result,
        outcome=view.my_outcome,
        since=view.since,
        head=view.head,
    )


def _seat(seat: SeatView, *, mine: bool) -> SeatAnswer:
    """Return a seat. Its offers to the other players are only shown if the reader is one of them (`mine`)."""
    return SeatAnswer(
        number=seat.number,
        title=seat.title,
        name=seat.name,
        computer=seat.computer,
        accepted=seat.accepted,
        owes=seat.owes,
        due=seat.due_at,
        overdue=seat.overdue,
        left=seat.left,
        commitment=seat.commitment,
        proposals=list(seat.proposals) if mine else [],
    )
