"""What players do in a game besides moving."""

from datetime import datetime

from flask import Response
from pydantic import Field

from server.errors import NotYours
from server.game.lobby import challenges, rematch
from server.game.log import log
from server.game.messages import messages
from server.game.play import moves
from server.game.play.target import Target
from server.game.views import game_view, history
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from server.web.api.blueprint import pages
from server.web.api.errors import document_errors
from server.web.api.game import GameAnswer, changed, game_state, in_turn, seen, target
from server.web.api.idempotency import Named, done
from server.web.api.moves import Said, TurnMeant
from server.web.api.schemas import GamePath, Page, Query, RequestBody, ResponseBody, Text, answered
from server.web.shared.visits import Visit, looking


class Words(RequestBody):
    """Words for luck, mixed into everything that is drawn."""

    words: Text = ""


class Nothing(RequestBody):
    """Nothing more is to be said."""


class More(RequestBody):
    """Time for those who owe a move."""

    turn: int = Field(ge=0, le=10**9)
    time: Text = Field(default="1d", description="As in `1d`.")


class Saying(RequestBody):
    """Something that the player says, or notes for themselves."""

    text: Said = Field(min_length=1)
    to: int | None = Field(default=None, ge=0, le=99, description="One seat alone; null for all.")
    note: bool = Field(default=False, description="Whether it is a note that nobody else sees.")


class SaidAnswer(ResponseBody):
    """What was said."""

    speaker: str
    own: bool
    text: str
    turn: int
    at: datetime
    note: bool
    to: str = Field(description="To whom alone it was said; empty for all, and for notes.")


class Thread(ResponseBody):
    """A page of what was said, in order; page 1 is that of the latest."""

    said: list[SaidAnswer]
    before: int = Field(description="How many things were said before these.")
    page: int


class PageQuery(Query):
    """Which page."""

    page: Page = 1


class Told(ResponseBody):
    """What was done, in a sentence."""

    detail: str


_GAME = {"200": GameAnswer, **document_errors(403, 409)}


@pages.post("/games/<int:number>/resign", responses=_GAME)
def resign(path: GamePath, header: Named, body: TurnMeant) -> Response:
    """Give the game up."""
    return in_turn(header, path.number, body.turn, moves.resign)


@pages.post("/games/<int:number>/draw", responses=_GAME)
def draw(path: GamePath, header: Named, body: TurnMeant) -> Response:
    """Offer a draw, or accept one."""
    return in_turn(header, path.number, body.turn, moves.offer_draw)


@pages.post("/games/<int:number>/undo", responses=_GAME)
def undo(path: GamePath, header: Named, body: TurnMeant) -> Response:
    """Ask to take the last move back, or agree."""
    return in_turn(header, path.number, body.turn, moves.undo)


@pages.post("/games/<int:number>/claim", responses=_GAME)
def claim(path: GamePath, header: Named, body: TurnMeant) -> Response:
    """Claim the game from whose time is up."""
    return in_turn(header, path.number, body.turn, moves.claim)


@pages.post("/games/<int:number>/give", responses=_GAME)
def give(path: GamePath, header: Named, body: More) -> Response:
    """Give the others more time."""

    def more(action: ActionContext, player: Player, meant: Target) -> None:
        moves.give_time(action, player, meant, body.time)

    return in_turn(header, path.number, body.turn, more)


@pages.post("/games/<int:number>/accept", responses=_GAME)
def accept(path: GamePath, header: Named, body: Words) -> Response:
    """Accept an invitation."""
    number = path.number
    return changed(
        header, number, lambda visit: challenges.accept(visit.action, visit.player, number, body.words)
    )


@pages.post("/games/<int:number>/decline", responses=_GAME)
def decline(path: GamePath, header: Named, body: Nothing) -> Response:
    """Decline an invitation, or take a challenge back."""
    number = path.number
    return changed(header, number, lambda visit: challenges.decline(visit.action, visit.player, number))


@pages.post("/games/<int:number>/again", responses=_GAME)
def again(path: GamePath, header: Named, body: Nothing) -> Response:
    """Another game like this one, which is over."""

    def do(visit: Visit) -> GameAnswer:
        target(visit, path.number, 0)
        return game_state(visit, log.id_of(rematch.again(visit.action, visit.player, path.number)))

    return done(header, do)


@pages.get("/games/<int:number>/said", responses={"200": Thread, **document_errors(403)})
def said(path: GamePath, query: PageQuery) -> Response:
    """What the players say to one another, and the player's own notes."""
    with looking() as visit:
        game, _ = seen(visit, path.number)
        seat = target(visit, path.number, game.turn).seat
        view = game_view.game_view(visit.session, visit.action.sealer, game, seat)
        labels = [each.label for each in view.seats]
        found = history.thread(visit.session, visit.action.sealer, game, labels, seat, query.page)
    rows = [
        SaidAnswer(
            speaker=each.speaker,
            own=each.own,
            text=each.text,
            turn=each.turn,
            at=each.at,
            note=each.private,
            to=each.listener,
        )
        for each in found.said
    ]
    return answered(Thread(said=rows, before=found.before, page=found.page))


@pages.post("/games/<int:number>/say", responses={"200": Told, **document_errors(403, 409)})
def say(path: GamePath, header: Named, body: Saying) -> Response:
    """Say something to the others, or note it."""

    def do(visit: Visit) -> Told:
        game, _ = seen(visit, path.number, lock=True)
        seat = target(visit, path.number, game.turn).seat
        messages.check_amount(visit.action, game, seat)
        _say(visit, game, seat, body)
        much = not body.note and messages.has_said_much(visit.action, game, seat)
        return Told(detail=messages.SAID_MUCH if much else "It is noted." if body.note else "It is said.")

    return done(header, do)


def _say(visit: Visit, game: Game, seat: int, body: Saying) -> None:
    if body.note:
        messages.keep(visit.action, game, seat, body.text, private=True)
    elif body.to is None:
        messages.say(visit.action, game, seat, body.text)
    elif body.to not in messages.listeners(game, log.seats(visit.session, game), seat):
        raise NotYours(f"Nobody listens at seat {body.to}; leave “to” out to say it to all.")
    else:
        messages.tell(visit.action, game, seat, body.to, body.text)
