"""Deadlines of moves: passes facts from the database to the clock, and stores the results with the seats."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, func, select

from server.accounts import players
from server.clock import pauses
from server.clock.controls import PerMove
from server.clock.deadline_arithmetic import (
    AFTER_OUTAGE,
    Event,
    Owed,
    after_halt,
    bank_after,
    deadline,
    gift,
    grace_until,
    used,
)
from server.clock.errors import BadTime
from server.clock.pauses import Why
from server.clock.reminders import ReminderChoice, next_reminder, read_reminders
from server.clock.spans import ZERO
from server.clock.terms import Terms
from server.errors import refusing
from server.game.log import log
from server.game.log.log import Seated
from server.game.terms.terms import STALE, GameTerms, is_guided
from server.store import db, failures
from server.store.deferral import NEVER, wish_of
from server.store.models import Envelope, Game, GameMessage, Gift, Player, Seat
from server.store.statements import prepared_statements

RECOMPUTING = "recomputing deadlines"
"""The name under which a failure to recompute the deadlines of a game is stored."""
WARNING = timedelta(days=7)
"""How long before a game is abandoned the players with a move due are reminded."""

_STALE = Terms(PerMove(STALE), simultaneous=False, grace=ZERO)
"""The time control for inactivity of all players together."""


def terms_of(game: Game) -> Terms:
    """Return the time control of a game with its related terms, such as the grace period."""
    return GameTerms.from_json(game.terms).time


def fill_banks(game: Game, seated: list[Seated]) -> None:
    """Fill the time banks at the start of the game; in a tournament, also start measuring thinking time."""
    for seat, _ in seated:
        seat.bank = _seconds(terms_of(game).control.first_bank)
        seat.thought = None if game.tournament_id is None else 0


def begin_turn(session: Session, game: Game, seated: list[Seated], now: datetime) -> None:
    """Start the clocks of all seats with a move due."""
    game.turn_began_at, game.stale_at = now, now + STALE
    for seat, player in seated:
        stop(seat)
        # Others can see when weekends end for a player; in UTC this does not reveal who it is.
        seat.zone, seat.reminded_at = "UTC" if game.anonymous else players.zone(player).key, None
        if seat.owes:
            _set(game, seat, player, _owed(game, seat, _pauses(session, game, seat, player)), now)


def recompute_deadline(session: Session, game: Game, seat: Seat, player: Player, now: datetime) -> None:
    """Recompute the deadline of a seat from all facts."""
    _set(game, seat, player, owed_by(session, game, seat, player), now)


def _set(game: Game, seat: Seat, player: Player, owed: Owed, now: datetime) -> None:
    """Store when a move is due."""
    seat.deadline_at, until = deadline(owed), grace_until(owed)
    seat.overdue = seat.overdue and until is not None and until <= now
    seat.grace_until = None if seat.overdue else until
    seat.remind_at = None
    if not player.computer and not seat.overdue and not is_guided(game.terms):
        choice = _reminders(player)
        timed = next_reminder(owed, choice, seat.reminded_at, now)
        seat.remind_at = _warning(game, seat, choice) if until is None else timed


def is_paused(session: Session, game: Game, seat: Seat, player: Player, now: datetime) -> bool:
    """Return whether the clock of a seat with a move due is paused at this moment."""
    # Gifts move the deadline, which decides only if pauses count.
    paused = _pauses(session, game, seat, player)
    owed = _owed(game, seat, [*paused, *_gifts(session, game, seat)] if paused else [])
    return after_halt(owed, now) > now


def is_late(seat: Seat, moment: datetime) -> bool:
    """Return whether the deadline of a seat was before this moment."""
    return seat.overdue or (seat.deadline_at is not None and seat.deadline_at < moment)


def stop(seat: Seat) -> None:
    """Clear the deadline of a seat that has moved, or whose game is over."""
    seat.deadline_at = seat.grace_until = seat.remind_at = None
    seat.overdue = False


def moved(session: Session, game: Game, seat: Seat, player: Player, moment: datetime) -> None:
    """Charge a seat for the thinking time of a move made at `moment`. Call it before the next turn begins."""
    seat.misses = 0
    if terms_of(game).control.first_bank or seat.thought is not None:
        _charge(seat, owed_by(session, game, seat, player), moment)


def _charge(seat: Seat, owed: Owed, moment: datetime) -> None:
    """Subtract the time until this moment from the seat's bank, and add it to its thinking time."""
    seat.bank = _seconds(bank_after(owed, moment))
    if seat.thought is not None:
        seat.thought += _seconds(used(owed, moment))


def unmoved(game: Game, seat: Seat) -> None:
    """Subtract the bonus that a withdrawn move added to a seat's bank; the time used stays spent."""
    seat.bank = _seconds(terms_of(game).control.bank_before(timedelta(seconds=seat.bank)))


def missed(session: Session, game: Game, seat: Seat, player: Player, now: datetime) -> None:
    """Charge a seat whose orders were missing when the turn was played, and count it as a missed turn.

    It is not counted if the player was active in the game during the turn.
    """
    owed = owed_by(session, game, seat, player)
    _charge(seat, owed, deadline(owed) or now)
    if seat.heard_turn != game.turn:
        seat.misses += 1


def thinking_times(session: Session, game: Game, seated: list[Seated], now: datetime) -> list[int | None]:
    """Return the thinking time of each seat until now, the current turn included, in seconds.

    Only time during which the seat's clock ran counts, so pauses do not. With simultaneous orders a seat thinks
    until its last orders are in. None if it was not measured from the start of the game.
    """
    return [
        None if seat.thought is None else seat.thought + _seconds(_thinking(session, game, seat, player, now))
        for seat, player in seated
    ]


def _thinking(session: Session, game: Game, seat: Seat, player: Player, now: datetime) -> timedelta:
    """Return the thinking time of a seat in the current turn."""
    sealed = session.get(Envelope, (game.id, game.turn, seat.number))
    if sealed is None and not seat.owes and seat.absent_turn != game.turn:
        return ZERO
    return used(owed_by(session, game, seat, player), now if sealed is None else sealed.written_at)


def give(session: Session, game: Game, seat: Seat, player: Player, text: str, now: datetime) -> None:
    """Add the time in `text`, such as "2d", to the deadline of a seat, as a gift of its opponents.

    Raises BadRequest if the text is no time, or the game cannot get it.
    """
    with refusing(BadTime):
        given = gift(owed_by(session, game, seat, player), text, now)
    row = Gift(
        game_id=log.id_of(game),
        turn=game.turn,
        seat=seat.number,
        seconds=_seconds(given.amount),
        said_at=given.said_at,
    )
    session.add(row)
    session.flush()
    recompute_deadline(session, game, seat, player, now)
    told = player.digest_at is None and seat.muted_until is None and wish_of(player) != NEVER
    if told and seat.remind_at is not None and seat.remind_at <= now:
        # The email about the gift contains the deadline, so a reminder at the same moment would only repeat it.
        seat.reminded_at = now
        recompute_deadline(session, game, seat, player, now)


def latest_deadline(session: Session, game: Game, seated: list[Seated]) -> datetime | None:
    """Return the latest deadline of all seats of a game with simultaneous orders; None without deadlines."""
    moments = (deadline(owed_by(session, game, seat, player)) for seat, player in seated)
    return max((moment for moment in moments if moment is not None), default=None)


def alive_until(session: Session, game: Game) -> datetime:
    """Return until when a game counts as active: `STALE` after the last action or deadline of any player.

    Notes and private messages do not count, because the time at which the game ends would reveal them. As with
    deadlines, outages of the server are credited.
    """
    public = (
        GameMessage.game_id == game.id,
        col(GameMessage.private).is_(False),
        col(GameMessage.listener).is_(None),
    )
    said = session.exec(select(func.max(GameMessage.said_at)).where(*public)).one()
    due = session.exec(select(func.max(Seat.grace_until)).where(Seat.game_id == game.id)).one()
    last = max(moment for moment in (game.turn_began_at, said, due) if moment is not None)
    outages = _pauses(session, game, None, None, since=last)
    return deadline(Owed(_STALE, last, ZoneInfo("UTC"), events=tuple(outages))) or last + STALE


def owed_by(session: Session, game: Game, seat: Seat, player: Player) -> Owed:
    """Return the facts from which the clock computes a seat's deadline: terms, time bank, pauses and gifts."""
    return _owed(game, seat, [*_pauses(session, game, seat, player), *_gifts(session, game, seat)])


def _pauses(
    session: Session, game: Game, seat: Seat | None, player: Player | None, since: datetime | None = None
) -> list[pauses.PausedTime]:
    """Return the pauses of a seat, or with None only those that apply to every seat, since a moment.

    The default is the start of the turn. Pauses that are not flushed are missing.
    """
    found = prepared_statements.PAUSES(
        session,
        since=(since or _began(game)) - AFTER_OUTAGE,
        game=game.id,
        seat=seat and seat.number,
        player=player and player.id,
    )
    return [pauses.PausedTime(start, end, said_at, Why(why)) for start, end, said_at, why in found]


def _gifts(session: Session, game: Game, seat: Seat) -> list[pauses.GivenTime]:
    """Return the time that opponents gave a seat for its current move."""
    found = prepared_statements.GIFTS(session, game=game.id, turn=game.turn, seat=seat.number)
    return [
        pauses.GivenTime(timedelta(seconds=seconds), said_at, number or 0) for seconds, said_at, number in found
    ]


def _owed(game: Game, seat: Seat, events: Sequence[Event]) -> Owed:
    return Owed(terms_of(game), _began(game), ZoneInfo(seat.zone), timedelta(seconds=seat.bank), tuple(events))


def _began(game: Game) -> datetime:
    if game.turn_began_at is None:
        raise ValueError("the game has not begun")
    return game.turn_began_at


def due_as_of(session: Session, game: Game, seat: Seat, player: Player, moment: datetime) -> datetime | None:
    """Return the deadline of a seat, or None, ignoring time that the server has credited after `moment`."""
    owed = owed_by(session, game, seat, player)
    events = tuple(event for event in owed.events if event.said_at <= moment or not _is_given_back(event))
    return deadline(replace(owed, events=events))


def is_moved(session: Session, game: Game, seat: Seat, player: Player, lost: pauses.PausedTime) -> bool:
    """Return whether the pause `lost` changes the deadline of a seat, even if the seat has already moved."""
    owed = owed_by(session, game, seat, player)
    without = replace(owed, events=tuple(event for event in owed.events if event != lost))
    return deadline(owed) != deadline(without)


@dataclass(frozen=True)
class RecomputedDeadline:
    """A seat whose deadline was computed again, with its game; `is_moved` if the deadline has changed."""

    game: Game
    seat: Seat
    is_moved: bool


def recompute_deadlines(session: Session, player: Player, now: datetime) -> list[RecomputedDeadline]:
    """Lock all running games in which a player has to move, and compute their deadlines again.

    Games that cannot be read, or in which this fails, are left out.
    """
    query = (
        select(Game, Seat)
        .where(Seat.game_id == Game.id, Seat.player_id == player.id, col(Seat.owes).is_(True))
        .where(Game.state == "running")
        .order_by(col(Game.id))
        .with_for_update(**db.LOCK)
        .execution_options(populate_existing=True)
    )
    recomputed = []
    for game, seat in session.exec(query).all():
        with failures.isolated(session, now, RECOMPUTING, Game, log.id_of(game)):
            log.position_of(game)
            before = seat.deadline_at
            recompute_deadline(session, game, seat, player, now)
            recomputed.append(RecomputedDeadline(game, seat, seat.deadline_at != before))
    return recomputed


def _is_given_back(event: Event) -> bool:
    return isinstance(event, pauses.PausedTime) and (event.why.is_downtime or event.why is Why.MAIL)


def _reminders(player: Player) -> frozenset[ReminderChoice]:
    """Return the reminders that the player has chosen and does not get in a digest."""
    choice = read_reminders(player.reminders)
    return choice if player.digest_at is None else choice - {ReminderChoice.HALF}


def _warning(game: Game, seat: Seat, choice: Set[ReminderChoice]) -> datetime | None:
    """Return when to remind a player of a game without deadlines: once, before it is abandoned."""
    if game.stale_at is None or not choice:
        return None
    moment = game.stale_at - WARNING
    return moment if seat.reminded_at is None or seat.reminded_at < moment else None


def _seconds(span: timedelta) -> int:
    return span // timedelta(seconds=1)
