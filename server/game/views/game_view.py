"""What somebody may see of a game, built field by field: only views are drawn, shown or mailed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session, select

from rules.errors import BadData
from rules.game import Step
from rules.registry import rules_named
from server.accounts import players
from server.game.clock import deadlines
from server.game.lobby import computer_joiners, entry_conditions, recurring_games, term_changes
from server.game.log import log, randomness
from server.game.log.display_names import is_nameless
from server.game.log.log import Seated
from server.game.messages import extra_text
from server.game.play import conditional_moves
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


@dataclass(frozen=True)
class PreviewView:
    """What a move that is not played would give; only for the seat that tries it."""

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
    """Their names, the challenger first: unlike the seats, this order is known from the first mail on. Before
    the game begins, someone may have no name yet for the viewer, as `invited.called` says.
    """
    seats: tuple[SeatView, ...]
    me: SeatView | None
    missing: int
    """How many more may join an open game; 0 for any other."""
    whom: str
    """Who may join an open game: "anybody", or some."""
    own_challenge: bool
    """Whether the viewer challenged the others."""
    result: str
    my_outcome: str
    """What the result is for the viewer, as in `Result.outcome`; "" while there is none, and for others."""
    since: datetime
    """When the last turn was played, or the game was last answered."""
    dice: tuple[int, ...]
    my_orders: str
    """The sealed orders of the viewer's own seat for this turn; "" for none."""
    my_conditions: tuple[str, ...]
    """The conditional moves of the viewer's own seat, as lines; () for none."""
    my_words: str
    """What they wrote beside their commands by mail and nobody else has seen; "" for nothing."""
    may_prepare: bool
    """Whether the viewer can write conditional moves in this game, as long as it is another player's turn."""
    may_undo: bool
    """Whether the viewer can ask for their last move to be taken back, or agree to that of another player."""
    terms: GameTerms
    """What was agreed besides the options."""
    zone: ZoneInfo
    """The zone in which the viewer reads moments."""
    seed_hash: str
    turned: bool
    """Whether the players sit, or will sit, one seat on from where they sat in the game before."""
    series: SeriesView | None
    """Its place in a series; None for a game by itself."""
    again_of: int | None
    """The game of which this is the rematch."""
    always: str
    """How many of these the player who opened it is always up for: "two"; "" for a game by itself.

    Once it has begun, they alone see it, as long as the offer stands.
    """
    joiners: str
    """Which computer players take its free seats, and when, a sentence for those who sit there; "" for none."""
    changes: tuple[str, ...]
    """What it is proposed with in place of what, as options are written; () unless it is a counter-offer."""
    counter_of: int | None
    """The game in place of which it was proposed."""
    counter: int | None
    """The game that was proposed in place of this one."""
    tournament: int | None
    """The tournament that it belongs to."""
    entries: int
    head: str
    """The hash of the last of `entries` entries of the log; "" before the game begins."""
    muted_until: str
    """Until when the viewer is mailed nothing about the game, in their zone; "" when it is not muted."""
    resolve_at: datetime | None
    """When orders that are all in will be opened, if there is time to change them; None if that is secret."""
    board_in_words: bool
    """Whether the viewer wants boards in sentences."""
    make_board: Callable[[], Board] = field(repr=False, compare=False)

    @cached_property
    def board(self) -> Board:
        """The board, looked up when it is first asked for; without anything before a random layout is drawn."""
        return self.make_board()

    @cached_property
    def terms_in_words(self) -> tuple[str, ...]:
        """What was agreed besides the options, in sentences."""
        return tuple(self.terms.in_words(self.since, rules_named(self.game_type).obliged))

    @cached_property
    def example(self) -> tuple[str, ...]:
        """Deadlines as they would be if the game began when something last happened; () without deadlines."""
        return tuple(self.terms.example(self.since, self.zone))

    @property
    def subject(self) -> str:
        """The subject of every mail about the game, the same from its beginning: mail programs thread by it."""
        names = ("anonymous",) if self.terms.anonymous else self.players
        return f"{self.title} {self.number}: " + " - ".join(names)

    @property
    def my_turn(self) -> bool:
        """Whether the game waits for the viewer."""
        return self.me is not None and self.me.owes

    @property
    def invites_me(self) -> bool:
        """Whether the viewer has still to accept or decline, or to give words for luck of their own."""
        return self.state == "invited" and self.me is not None and not self.me.accepted

    @property
    def commitments(self) -> tuple[tuple[str, str], ...]:
        """The commitment for each set of orders that is sealed, behind the words that say whose they are."""
        return tuple((f"orders of {seat.label}", seat.commitment) for seat in self.seats if seat.commitment)

    @property
    def waiting_for(self) -> tuple[SeatView, ...]:
        """The seats that the game waits for."""
        return tuple(seat for seat in self.seats if seat.owes)


def game_view(
    session: Session, sealer: Sealer, game: Game, seat: int | None, step: Step[Any, Any] | None = None
) -> GameView:
    """The game as it is now, for `seat` or for anybody.

    `step`, when given, is marked in the picture, unless the sealed orders of `seat` are drawn there.
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
        whom=entry_conditions.conditions_of(game).whom,
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


def standing_still(session: Session, game: Game, view: GameView, now: datetime) -> tuple[SeatView, ...]:
    """The seats that the game waits for whose time stands still, as far as the viewer may know."""
    seated = log.seats(session, game)
    shown = [seat for seat in view.waiting_for if seat.due]
    return tuple(seat for seat in shown if deadlines.stands(session, game, *seated[seat.number], now))


def first_board(game: Game) -> Board:
    """The board as it is known before the game begins: nothing, if a layout has still to be drawn then."""
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
    """What `play.preview` found for a move of `seat`: orders as a plan, a move with the board after it."""
    rules = log.rules_of(game)
    move = step.moves[seat]
    if rules.simultaneous:
        return PreviewView(rules.format(move), Board(rules, step.before, seat, plan=move), ())
    return PreviewView(rules.format(move), Board(rules, step.after, seat, step=step), tuple(rules.story(step)))


def _envelopes(session: Session, game: Game, viewer: int | None, terms: GameTerms) -> dict[int, Envelope]:
    """The envelopes of the turn that the viewer may know of; others are not even read, as that takes time."""
    query = select(Envelope).where(Envelope.game_id == game.id, Envelope.turn == game.turn)
    if not terms.show_ready:
        query = query.where(Envelope.seat == viewer)
    return {envelope.seat: envelope for envelope in session.exec(query)}


def _in_order_asked(game: Game, seated: Sequence[Seated], views: Sequence[SeatView]) -> tuple[str, ...]:
    """The names in the order in which the players were named; that is how seats are ordered before the draw."""
    if not log.has_begun(game):
        return tuple(view.name for view in views)
    if is_nameless(game):  # who sits where says who opened it
        return tuple(view.name for view in views)
    names = {player.id: view.name for (_, player), view in zip(seated, views, strict=True)}
    return tuple(names[number] for number in game.asked)


def _in_turn(game: Game, seat: SeatView) -> bool:
    """Whether a seat still plays, in a game where only moves, one after the other, decide what follows."""
    alone = not log.rules_of(game).simultaneous and game.rolled is None
    return game.state == "running" and alone and not seat.left


def _may_undo(game: Game, seat: SeatView, seats: Sequence[SeatView]) -> bool:
    """Whether a seat can ask for a takeback, or agree to one: it has moved, as far as the turns show.

    In a rated game computer players agree to none.
    """
    has_moved = game.turn > 2 or (game.turn == 2 and not seat.owes)
    asked = any(each.asks_undo for each in seats)
    refused = game.terms.get(RATED) == "on" and any(each.computer and not each.left for each in seats)
    return _in_turn(game, seat) and not seat.asks_undo and (asked or has_moved) and not refused
