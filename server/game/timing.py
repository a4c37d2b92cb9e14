"""When moves are due: facts from the database handed to the clock, and its answers stored with the seats."""

from collections.abc import Set
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam
from sqlmodel import Session, and_, col, func, or_, select

from rules.game import Json
from server import troubles
from server.clock import pauses, vacations
from server.clock.controls import Bank, PerMove
from server.clock.deadlines import (
    AFTER_OUTAGE,
    Event,
    Owed,
    after_halt,
    bank_after,
    deadline,
    gift,
    grace_until,
)
from server.clock.errors import BadTime
from server.clock.outages import failed_mail
from server.clock.pauses import Why
from server.clock.reminders import Reminder, next_reminder, read_reminders
from server.clock.spans import ZERO
from server.clock.terms import Terms
from server.errors import BadRequest
from server.game import log
from server.house import STALE, House
from server.models import Game, Gift, Outbox, Pause, Player, Press, Seat

SETTLING = "settling"
"""What it is called when the deadlines of a game cannot be computed anew."""
WARNING = timedelta(days=7)
"""How long before a game is broken off who owes a move in it is reminded."""
PROMPT = timedelta(hours=1)
"""Mail that is delivered within this took nobody's time."""

_STALE = Terms(PerMove(STALE), simultaneous=False, grace=ZERO)
"""Everybody together has so much time for any sign of life."""

# Built once, as every turn asks for them.
_PAUSES = select(Pause).where(
    col(Pause.end_at) > bindparam("since"),
    or_(
        Pause.player_id == bindparam("player"),
        and_(
            Pause.game_id == bindparam("game"),
            or_(Pause.seat == bindparam("seat"), col(Pause.seat).is_(None)),
        ),
        and_(col(Pause.player_id).is_(None), col(Pause.game_id).is_(None)),
    ),
)
_GIFTS = select(Gift).where(
    Gift.game_id == bindparam("game"), Gift.turn == bindparam("turn"), Gift.seat == bindparam("seat")
)


def terms_of(game: Game) -> Terms:
    """What was settled about time."""
    return House.from_json(game.house).time


def begin_turn(session: Session, game: Game, seated: list[tuple[Seat, Player]], now: datetime) -> None:
    """Let the time of all seats that owe something begin to run."""
    game.turn_began_at, game.stale_at = now, now + STALE
    for seat, player in seated:
        stop(seat)
        seat.zone, seat.reminded_at = player.zone, None
        if seat.owes:
            settle(session, game, seat, player, now)


def settle(session: Session, game: Game, seat: Seat, player: Player, now: datetime) -> None:
    """Compute anew, from all facts, when the move that a seat owes is due."""
    owed = owed_by(session, game, seat, player)
    seat.deadline_at, until = deadline(owed), grace_until(owed)
    seat.overdue = seat.overdue and until is not None and until <= now
    seat.grace_until = None if seat.overdue else until
    seat.remind_at = None
    if not player.computer and not seat.overdue:
        choice = _reminders(player)
        timed = next_reminder(owed, choice, seat.reminded_at, now)
        seat.remind_at = _warning(game, seat, choice) if until is None else timed


def stands(session: Session, game: Game, seat: Seat, player: Player, now: datetime) -> bool:
    """Whether the time of a seat that owes something stands still at this moment."""
    return after_halt(owed_by(session, game, seat, player), now) > now


def stop(seat: Seat) -> None:
    """Nothing is due from a seat: it has moved, or the game is over."""
    seat.deadline_at = seat.grace_until = seat.remind_at = None
    seat.overdue = False


def moved(session: Session, game: Game, seat: Seat, player: Player, moment: datetime) -> None:
    """Charge the bank of a seat that moved at this moment; before the next turn begins."""
    seat.misses = 0
    if isinstance(terms_of(game).control, Bank):
        seat.bank = _seconds(bank_after(owed_by(session, game, seat, player), moment))


def unmoved(game: Game, seat: Seat) -> None:
    """Take from the bank of a seat what a move added that was taken back; the time it took stays spent."""
    control = terms_of(game).control
    if isinstance(control, Bank):
        seat.bank = max(seat.bank - _seconds(control.increment), 0)


def missed(session: Session, game: Game, seat: Seat, player: Player, now: datetime) -> None:
    """Count a turn that was played without the orders of a seat, unless it was heard of meanwhile."""
    owed = owed_by(session, game, seat, player)
    seat.bank = _seconds(bank_after(owed, deadline(owed) or now))
    if seat.heard_turn != game.turn:
        seat.misses += 1


def give(session: Session, game: Game, seat: Seat, player: Player, text: str, now: datetime) -> None:
    """Give a seat the time that `text` says for the move that it owes. Raises BadRequest."""
    try:
        given = gift(owed_by(session, game, seat, player), text, now)
    except BadTime as error:
        raise BadRequest(str(error)) from None
    row = Gift(
        game_id=log.identity(game),
        turn=game.turn,
        seat=seat.number,
        seconds=_seconds(given.amount),
        said_at=given.said_at,
    )
    session.add(row)
    session.flush()
    settle(session, game, seat, player, now)
    told = player.digest_at is None and seat.muted_until is None
    if told and seat.remind_at is not None and seat.remind_at <= now:
        # The mail about the gift says when the move is due: another one at the same moment would say it twice.
        seat.reminded_at = now
        settle(session, game, seat, player, now)


def latest_deadline(session: Session, game: Game, seated: list[tuple[Seat, Player]]) -> datetime | None:
    """When the last of all seats would have had to give its orders; None without deadlines."""
    moments = (deadline(owed_by(session, game, seat, player)) for seat, player in seated)
    return max((moment for moment in moments if moment is not None), default=None)


def alive_until(session: Session, game: Game) -> datetime:
    """Until when a game counts as being played: `STALE` after the last thing that anybody did or has to do.

    Private notes do not count, as the end of the game would tell of them. As with a deadline, the server's own
    failures cost nobody anything.
    """
    public = Press.game_id == game.id, col(Press.private).is_(False)
    said = session.exec(select(func.max(Press.said_at)).where(*public)).one()
    due = session.exec(select(func.max(Seat.grace_until)).where(Seat.game_id == game.id)).one()
    last = max(moment for moment in (game.turn_began_at, said, due) if moment is not None)
    outages = _pauses(session, game, None, None, last - AFTER_OUTAGE)
    return deadline(Owed(_STALE, last, ZoneInfo("UTC"), events=tuple(outages))) or last + STALE


def owed_by(session: Session, game: Game, seat: Seat, player: Player) -> Owed:
    """What the clock has to know of the move that a seat owes."""
    if game.turn_began_at is None:
        raise ValueError("the game has not begun")
    began, terms = game.turn_began_at, terms_of(game)
    with session.no_autoflush:  # pauses and gifts are stored when they are made
        events: tuple[Event, ...] = (
            *_pauses(session, game, seat, player, began - AFTER_OUTAGE),
            *_gifts(session, game, seat),
        )
    return Owed(terms, began, ZoneInfo(seat.zone), timedelta(seconds=seat.bank), events)


def credit_mail(session: Session, game: Game, seat: Seat, player: Player, now: datetime) -> None:
    """Give a seat back the time in which its turn mail was not delivered, unless it has it already."""
    lost = _undelivered(session, game, player, now)
    if lost is None:
        return
    query = select(Pause).where(Pause.game_id == game.id, Pause.seat == seat.number)
    known = session.exec(query.where(Pause.start_at == lost.start).limit(1)).first()
    if known is not None:
        return
    session.add(
        Pause(
            game_id=game.id,
            seat=seat.number,
            start_at=lost.start,
            end_at=lost.end,
            said_at=lost.said_at,
            why=lost.why,
        )
    )
    session.flush()


def is_moved(session: Session, game: Game, seat: Seat, player: Player, lost: pauses.Pause) -> bool:
    """Whether this pause makes the deadline of a seat later, whether it still owes something or not."""
    owed = owed_by(session, game, seat, player)
    without = replace(owed, events=tuple(event for event in owed.events if event != lost))
    return deadline(owed) != deadline(without)


def mail_credits(session: Session, game: Game) -> list[tuple[int, pauses.Pause]]:
    """The time that seats were given back in this turn because mail did not reach them, by seat."""
    query = select(Pause).where(Pause.game_id == game.id).order_by(col(Pause.id))
    began = game.turn_began_at
    return [
        (pause.seat, _fact(pause))
        for pause in session.exec(query)
        if pause.seat is not None and began is not None and pause.start_at >= began
    ]


def credit_entry(lost: pauses.Pause, seat: int | None = None) -> Json:
    """How the log tells that time was given back: to one seat, or to all."""
    return {
        "type": "credit",
        "why": str(lost.why),
        "from": f"{lost.start:%Y-%m-%dT%H:%M:%SZ}",
        "to": f"{lost.end:%Y-%m-%dT%H:%M:%SZ}",
        "seat": seat,
    }


def spend_vacation(session: Session, seat: Seat, player: Player, terms: Terms, now: datetime) -> bool:
    """Spend vacation for a seat whose time is up, if the player chose so; whether there was enough."""
    if not player.auto_vacation or seat.deadline_at is None:
        return False
    zone = ZoneInfo(player.zone)
    spent = vacations.automatic(seat.deadline_at, terms.grace, now, vacations_of(session, player), zone)
    if spent is None:
        return False
    add_vacation(session, player, spent)
    return True


def vacations_of(session: Session, player: Player) -> list[pauses.Pause]:
    """All vacations of a player that are kept, by themselves."""
    query = select(Pause).where(Pause.player_id == player.id).order_by(col(Pause.start_at))
    return [_fact(pause) for pause in session.exec(query)]


def add_vacation(session: Session, player: Player, vacation: pauses.Pause) -> None:
    """Store a vacation."""
    session.add(
        Pause(
            player_id=player.id,
            start_at=vacation.start,
            end_at=vacation.end,
            said_at=vacation.said_at,
            why=vacation.why,
        )
    )
    session.flush()


def add_outage(session: Session, lost: pauses.Pause, game: Game | None = None) -> None:
    """Store time that stood still for everybody, or for everybody in one game."""
    row = Pause(start_at=lost.start, end_at=lost.end, said_at=lost.said_at, why=lost.why)
    row.game_id = None if game is None else log.identity(game)
    session.add(row)
    session.flush()


def last_outage(session: Session) -> pauses.Pause | None:
    """The outage of everything that the server learned of last."""
    query = select(Pause).where(Pause.why == Why.OUTAGE, col(Pause.game_id).is_(None))
    found = session.exec(query.order_by(col(Pause.end_at).desc(), col(Pause.id).desc()).limit(1)).first()
    return None if found is None else _fact(found)


def deadlines_of(session: Session, player: Player) -> dict[int, datetime | None]:
    """When the moves are due that a player owes, by game."""
    query = select(Seat).where(Seat.player_id == player.id, col(Seat.owes).is_(True))
    return {seat.game_id: seat.deadline_at for seat in session.exec(query)}


def settle_all(session: Session, player: Player, now: datetime) -> list[tuple[Game, Seat]]:
    """Lock all running games in which a player owes something, and compute anew when it is due.

    Games with which that fails, or that cannot be read, are left out.
    """
    query = (
        select(Game, Seat)
        .where(Seat.game_id == Game.id, Seat.player_id == player.id, col(Seat.owes).is_(True))
        .where(Game.state == "running")
        .order_by(col(Game.id))
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    settled = []
    for game, seat in session.exec(query).all():
        with troubles.apart(session, now, SETTLING, Game, log.identity(game)):
            log.position_of(game)
            settle(session, game, seat, player, now)
            settled.append((game, seat))
    return settled


def _pauses(
    session: Session, game: Game, seat: Seat | None, player: Player | None, since: datetime
) -> list[pauses.Pause]:
    """All pauses that ended after `since` and concern a seat, or without one, all seats of the game."""
    concerned = {
        "since": since,
        "game": game.id,
        "seat": seat and seat.number,
        "player": player and player.id,
    }
    return [_fact(pause) for pause in session.exec(_PAUSES, params=concerned)]


def _gifts(session: Session, game: Game, seat: Seat) -> list[pauses.Gift]:
    found = session.exec(_GIFTS, params={"game": game.id, "turn": game.turn, "seat": seat.number})
    return [pauses.Gift(timedelta(seconds=gift.seconds), gift.said_at) for gift in found]


def _reminders(player: Player) -> frozenset[Reminder]:
    """What the player is reminded of, beside his digest."""
    choice = read_reminders(player.reminders)
    return choice if player.digest_at is None else choice - {Reminder.HALF}


def _warning(game: Game, seat: Seat, choice: Set[Reminder]) -> datetime | None:
    """When to remind a player of a game without deadlines: once, before it is broken off."""
    if game.stale_at is None or not choice:
        return None
    moment = game.stale_at - WARNING
    return moment if seat.reminded_at is None or seat.reminded_at < moment else None


def _undelivered(session: Session, game: Game, player: Player, now: datetime) -> pauses.Pause | None:
    """The time in which the mail with this turn did not reach the player."""
    began = game.turn_began_at
    if began is None or player.computer or player.mail_stopped:
        return None
    if player.suspended_at is not None:
        return failed_mail(max(began, player.suspended_at), None)
    query = select(Outbox).where(
        Outbox.recipient == player.email,
        or_(and_(Outbox.game_id == log.identity(game), Outbox.letter == "report"), Outbox.letter == "digest"),
        col(Outbox.created_at) >= began,
    )
    mail = session.exec(query.order_by(col(Outbox.id)).limit(1)).first()
    if mail is None or (mail.sent_at or now) - mail.created_at <= PROMPT:
        return None
    return failed_mail(mail.created_at, mail.sent_at)


def _fact(pause: Pause) -> pauses.Pause:
    return pauses.Pause(pause.start_at, pause.end_at, pause.said_at, Why(pause.why))


def _seconds(span: timedelta) -> int:
    return span // timedelta(seconds=1)
