"""Views of a game for one viewer, built field by field: pages and emails only get views."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Boolean, bindparam
from sqlmodel import Session, or_, select

from rules.errors import BadData
from rules.game import Step
from rules.registry import rules_named
from rules.sentences import SeatNames
from server.accounts import players
from server.clock.terms_in_words import explain_lateness
from server.game.clock import deadlines
from server.game.lobby import computer_joiners, entry_conditions, recurring_games, term_changes
from server.game.log import log, randomness
from server.game.log.display_names import is_nameless
from server.game.log.log import Seated
from server.game.messages import extra_text
from server.game.play import conditional_moves
from server.game.play.proposals import TAKEBACK
from server.game.play.start import turned_seats
from server.game.terms import series
from server.game.terms.series import SeriesView
from server.game.terms.terms import RATED, GameTerms
from server.game.terms.wording import result_text
from server.game.views import history
from server.game.views.boards import Board, wants_words
from server.game.views.lists import GameHeading, heading
from server.game.views.seats import SeatView, moment_text, seat_views
from server.store.keys.sealing import Sealer
from server.store.models import Envelope, Game
from server.store.statements.planned_session import RowStatement

_ENVELOPES: RowStatement[Envelope] = RowStatement(
    select(Envelope).where(
        Envelope.game_id == bindparam("game"),
        Envelope.turn == bindparam("turn"),
        or_(bindparam("of_all", type_=Boolean), Envelope.seat == bindparam("viewer")),
    )
)
"""Built once, because every page of a game with simultaneous orders uses it."""


@dataclass(frozen=True)
class PreviewView:
    """A move that is tried but not played: its text, the board after it, and sentences about its effects."""

    move: str
    board: Board
    story: tuple[str, ...]


@dataclass(frozen=True)
class GameView(GameHeading):
    """A game as one viewer may see it: a player in their seat, or anyone else (`me` is None)."""

    state: str
    turn: int
    simultaneous: bool
    players: tuple[str, ...]
    """The names of the players, the challenger first.

    Unlike the seats, this order is known from the first email on. Before the game starts, some names may be
    hidden from the viewer, see `display_names.called`.
    """
    seats: tuple[SeatView, ...]
    me: SeatView | None
    missing: int
    """The number of free seats of an open game; 0 for any other."""
    open_to: str
    """The players who may join an open game, as in "anyone"."""
    own_challenge: bool
    """Whether the viewer proposed the game."""
    result: str
    my_outcome: str
    """The result for the viewer, as in `Result.outcome`; "" while there is none, and for others."""
    since: datetime
    """The time of the last turn, or of the last answer to the invitation."""
    dice: tuple[int, ...]
    my_orders: str
    """The sealed orders of the viewer's own seat for this turn; "" for none."""
    my_conditions: tuple[str, ...]
    """The conditional moves of the viewer's own seat, as lines; () for none."""
    my_words: str
    """Extra text from an email of the viewer that waits for their decision; "" for none."""
    may_prepare: bool
    """Whether the viewer can give conditional moves in this game while another player has to move."""
    may_undo: bool
    """Whether the viewer can ask for a takeback, or agree to one."""
    terms: GameTerms
    """The terms besides the options of the rules."""
    zone: ZoneInfo
    """The time zone of the viewer."""
    seed_hash: str
    turned: bool
    """Whether the players sit one seat on from their seats in the previous game."""
    series: SeriesView | None
    """The place in a series; None for a single game."""
    again_of: int | None
    """The game of which this is the rematch."""
    always: str
    """The number of running games that a recurring open game allows, as in "two"; "" for a single game.

    Once the game has started, only its opener sees it, while the offer is active.
    """
    joiners: str
    """A sentence about computer players that will join, and when, for players of the game; "" for none."""
    changes: tuple[str, ...]
    """The changes of a counter-offer, as options are written; () for other games."""
    counter_of: int | None
    """The game to which this is a counter-offer."""
    counter: int | None
    """The counter-offer to this game."""
    tournament: int | None
    """The tournament of the game."""
    entries: int
    head: str
    """The hash of the last of `entries` entries of the log; "" before the game starts."""
    muted_until: str
    """The end of the time without email about the game, in the viewer's zone; "" if it is not muted."""
    resolve_at: datetime | None
    """When complete orders will be opened, if they can still be changed; None if that is secret."""
    board_in_words: bool
    """Whether the viewer has chosen boards in sentences."""
    make_board: Callable[[], Board] = field(repr=False, compare=False)

    @cached_property
    def board(self) -> Board:
        """Return the board, loaded on first use; empty before a random layout is drawn."""
        return self.make_board()

    @property
    def seat_count(self) -> int:
        """Return the number of seats, taken and free."""
        return len(self.seats) + self.missing

    @cached_property
    def terms_in_words(self) -> tuple[str, ...]:
        """Return the terms besides the options, in sentences."""
        return tuple(self.terms.in_words(self.since, self.seat_count, rules_named(self.game_type).obliged))

    @cached_property
    def terms_in_brief(self) -> tuple[str, ...]:
        """Return the time for moves, whether the game is rated, and unusual terms, in sentences."""
        rated = ("The game is rated: its result changes the players' ratings.",) if self.terms.rated else ()
        return (*self.terms.in_brief(self.since, self.seat_count, rules_named(self.game_type).obliged), *rated)

    @cached_property
    def lateness(self) -> tuple[str, ...]:
        """Return sentences about moves after the deadline."""
        return tuple(explain_lateness(self.terms.time, self.seat_count))

    @cached_property
    def example(self) -> tuple[str, ...]:
        """Return example deadlines for a game that starts at `since`; () without deadlines."""
        return tuple(self.terms.example(self.since, self.zone))

    @property
    def subject(self) -> str:
        """Return the subject of all emails about the game: the same, so that email programs group them."""
        names = ("anonymous",) if self.terms.anonymous else self.players
        return f"{self.title} {self.number}: " + " - ".join(names)

    @property
    def my_turn(self) -> bool:
        """Return whether the viewer has to move."""
        return self.me is not None and self.me.owes

    @property
    def invites_me(self) -> bool:
        """Return whether the viewer still has to accept or decline, or to give words for luck."""
        return self.state == "invited" and self.me is not None and not self.me.accepted

    @property
    def commitments(self) -> tuple[tuple[str, str], ...]:
        """Return the commitments to sealed orders, each with the label of its seat."""
        return tuple((f"orders of {seat.label}", seat.commitment) for seat in self.seats if seat.commitment)

    @property
    def waiting_for(self) -> tuple[SeatView, ...]:
        """Return the seats that have to move."""
        return tuple(seat for seat in self.seats if seat.owes)


def game_view(
    session: Session, sealer: Sealer, game: Game, seat: int | None, step: Step[Any, Any] | None = None
) -> GameView:
    """Return the current view of a game for the player in `seat`, or with None for anyone else.

    `step` is the turn to mark in the picture, unless the sealed orders of `seat` are drawn there.
    """
    rules = log.rules_of(game)
    terms = GameTerms.from_json(game.terms)
    sealed = _envelopes(session, game, seat, terms) if rules.simultaneous else {}
    mine = sealed.get(seat) if seat is not None else None
    orders = sealer.open_json(mine.sealed)[0] if mine is not None else ""
    seated = log.seats(session, game)
    randomness.rebuild_if_damaged(sealer, game, seated)
    zone = ZoneInfo("UTC") if seat is None else players.zone(seated[seat].player)
    seats = seat_views(game, seated, seat, sealed, terms, zone)
    in_words = seat is not None and wants_words(seated[seat].player)
    names = _in_order_asked(game, seated, seats)
    own, me = (None, None) if seat is None else (seated[seat].seat, seats[seat])
    own_challenge = own is not None and own.player_id == game.asked[0]
    return GameView(
        **heading(game),
        state=game.state,
        turn=game.turn,
        simultaneous=rules.simultaneous,
        players=names,
        seats=seats,
        me=me,
        missing=log.free_seats(game),
        open_to=entry_conditions.conditions_of(game).open_to,
        own_challenge=own_challenge,
        result=result_text(rules, game.result, [each.label for each in seats]),
        my_outcome="" if own is None else own.outcome,
        since=game.changed_at,
        dice=tuple(game.rolled or ()),
        my_orders=orders,
        my_conditions=()
        if own is None
        else tuple(conditional_moves.write(conditional_moves.load_moves(sealer, own))),
        my_words="" if own is None else extra_text.pending_text(sealer, own),
        may_prepare=me is not None and _in_turn(game, me) and sum(not each.left for each in seats) == 2,
        may_undo=me is not None and _may_undo(game, me, seats),
        terms=terms,
        zone=zone,
        seed_hash=game.seed_hash,
        turned=bool(turned_seats(session, game)),
        again_of=game.again_of,
        series=series.view(session, game, names, over=game.state == "over"),
        always=recurring_games.words_now(session, game) if game.state == "open" or own_challenge else "",
        joiners=computer_joiners.in_words(session, game, None if seat is None else seated[seat].player),
        changes=term_changes.changes(session, game),
        counter_of=game.counter_of,
        counter=term_changes.counter_to(session, game),
        tournament=game.tournament_id,
        entries=game.entries,
        head=game.head,
        muted_until="" if seat is None else moment_text(seated[seat].seat.muted_until, zone),
        resolve_at=game.resolve_at if terms.show_ready else None,
        board_in_words=in_words,
        make_board=lambda: replace(_board(session, game, seat, orders, step), in_words=in_words),
    )


def paused_seats(session: Session, game: Game, view: GameView, now: datetime) -> tuple[SeatView, ...]:
    """Return the seats that have to move but whose clock is paused; hidden seats are left out."""
    seated = log.seats(session, game)
    shown = [seat for seat in view.waiting_for if seat.due]
    return tuple(seat for seat in shown if deadlines.is_paused(session, game, *seated[seat.number], now))


def first_board(game: Game) -> Board:
    """Return the board before the game starts, empty if a random layout will be drawn."""
    rules = log.rules_of(game)
    try:
        return Board(rules, rules.start(game.options, {}))
    except BadData:  # the layout is drawn when all have accepted
        return Board()


def _board(session: Session, game: Game, seat: int | None, orders: str, step: Step[Any, Any] | None) -> Board:
    rules = log.rules_of(game)
    if not log.has_begun(game):
        return first_board(game)
    board = Board(rules, log.position_of(game), seat, is_now=game.state == "running")
    if seat is None:
        return replace(board, step=step)
    board = replace(board, news=lambda: history.since_own_move(session, game, seat))
    return (
        replace(board, plan=rules.parse(board.position, seat, orders)) if orders else replace(board, step=step)
    )


def preview_view(game: Game, seat: int, step: Step[Any, Any]) -> PreviewView:
    """Return the view of a preview for `seat`: sealed orders as a plan, a move with the board after it."""
    rules = log.rules_of(game)
    move = step.moves[seat]
    if rules.simultaneous:
        return PreviewView(rules.format(move), Board(rules, step.before, seat, plan=move), ())
    story = rules.story(step, SeatNames(rules.seats(game.options), seat))
    return PreviewView(rules.format(move), Board(rules, step.after, seat, step=step), tuple(story))


def _envelopes(session: Session, game: Game, viewer: int | None, terms: GameTerms) -> dict[int, Envelope]:
    """Return the envelopes of the current turn that the viewer may know of, without reading others."""
    given = {"game": game.id, "turn": game.turn, "of_all": terms.show_ready, "viewer": viewer}
    return {envelope.seat: envelope for (envelope,) in _ENVELOPES(session, given)}


def _in_order_asked(game: Game, seated: Sequence[Seated], views: Sequence[SeatView]) -> tuple[str, ...]:
    """Return the names in the order of invitation, which is also the order of seats before the draw."""
    if not log.has_begun(game):
        return tuple(view.name for view in views)
    if is_nameless(game):  # the order would reveal who opened the game
        return tuple(view.name for view in views)
    names = {player.id: view.name for (_, player), view in zip(seated, views, strict=True)}
    return tuple(names[number] for number in game.asked)


def _in_turn(game: Game, seat: SeatView) -> bool:
    """Return whether a seat still plays, in a game in which moves alternate and no dice are known."""
    alone = not log.rules_of(game).simultaneous and game.rolled is None
    return game.state == "running" and alone and not seat.left


def _may_undo(game: Game, seat: SeatView, seats: Sequence[SeatView]) -> bool:
    """Return whether a seat can ask for a takeback, or agree to one: as far as the turns show, it has moved.

    In rated games computer players do not accept takebacks.
    """
    has_moved = game.turn > 2 or (game.turn == 2 and not seat.owes)
    asked = any(TAKEBACK.name in each.proposals for each in seats)
    has_asked = TAKEBACK.name in seat.proposals
    refused = game.terms.get(RATED) == "on" and any(each.computer and not each.left for each in seats)
    return _in_turn(game, seat) and not has_asked and (asked or has_moved) and not refused
