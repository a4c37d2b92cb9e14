"""Stored pauses of clocks: vacations, downtime and undelivered email."""

from datetime import datetime, timedelta

from sqlalchemy import update
from sqlmodel import Session, and_, col, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from rules.records.entries import Credit
from server.accounts import players
from server.clock import pauses, vacations
from server.clock.pauses import Why, credited, failed_mail
from server.clock.terms import Terms
from server.game.log import log
from server.store.letters.game import Digest, Report
from server.store.letters.letter import Answers, name_of
from server.store.models import Game, Heartbeat, Outbox, Pause, Player, Seat

PROMPT = timedelta(hours=1)
"""Email delivered within this time is not credited."""


def vacations_of(session: Session, player: Player) -> list[pauses.PausedTime]:
    """Return all stored vacations of a player."""
    query = select(Pause).where(Pause.player_id == player.id).order_by(col(Pause.start_at))
    return [_fact(pause) for pause in session.exec(query)]


def store(session: Session, pause: pauses.PausedTime, **whose: int | None) -> None:
    """Store a pause for the columns in `whose`, such as `player_id=7`; without any, it applies to everyone."""
    session.add(Pause(start_at=pause.start, end_at=pause.end, said_at=pause.said_at, why=pause.why, **whose))
    session.flush()


def spend_vacation(session: Session, seat: Seat, player: Player, terms: Terms, now: datetime) -> bool:
    """Spend vacation on a seat whose time is up, if its player wants that; return whether enough was left."""
    if not player.auto_vacation or seat.deadline_at is None:
        return False
    zone, taken = players.zone(player), vacations_of(session, player)
    spent = vacations.automatic(seat.deadline_at, terms.grace, now, taken, zone)
    if spent is None:
        return False
    store(session, spent, player_id=player.id)
    return True


def credit_all(session: Session) -> None:
    """Request that the worker computes all deadlines again, because a downtime has not been credited yet."""
    session.execute(update(Heartbeat).where(col(Heartbeat.id) == Heartbeat.WORKER).values(crediting=0))


def downtimes_since(session: Session, since: datetime) -> list[pauses.PausedTime]:
    """Return past and planned downtimes of the server that end after `since`, in order."""
    query = _of_all_players().where(col(Pause.end_at) > since).order_by(col(Pause.start_at))
    return [_fact(pause) for pause in session.exec(query)]


def last_outage(session: Session) -> pauses.PausedTime | None:
    """Return the outage that ended last; None if there was none."""
    query = _of_all_players().where(Pause.why == Why.OUTAGE)
    found = session.exec(query.order_by(col(Pause.end_at).desc(), col(Pause.id).desc()).limit(1)).first()
    return None if found is None else _fact(found)


def last_downtime(session: Session) -> pauses.PausedTime | None:
    """Return the downtime that was stored last; None if there is none."""
    found = session.exec(_of_all_players().order_by(col(Pause.id).desc()).limit(1)).first()
    return None if found is None else _fact(found)


def credit_mail(session: Session, game: Game, seat: Seat, player: Player, now: datetime) -> None:
    """Credit a seat the time during which its email about the turn was not delivered, within limits.

    Players can make their email bounce whenever they like, so each suspension is credited once, and the total
    is small.
    """
    lost = _undelivered(session, game, player, now)
    if lost is None:
        return
    mine = Pause.game_id == game.id, Pause.seat == seat.number, Pause.why == Why.MAIL
    earlier = [_fact(pause) for pause in session.exec(select(Pause).where(*mine))]
    if any(pause.start == lost.start for pause in earlier):
        return
    given = credited(lost, earlier)
    if given is not None:
        store(session, given, game_id=game.id, seat=seat.number)


def mail_credits(session: Session, game: Game) -> list[tuple[int, pauses.PausedTime]]:
    """Return the credits of the current turn for undelivered email: pairs of a seat and its paused time."""
    query = select(Pause).where(Pause.game_id == game.id).order_by(col(Pause.id))
    began = game.turn_began_at
    return [
        (pause.seat, _fact(pause))
        for pause in session.exec(query)
        if pause.seat is not None and began is not None and pause.end_at > began
    ]


def credit(lost: pauses.PausedTime, seat: int | None = None) -> Credit:
    """Return the log entry for the credited time `lost`; `seat` is None if all seats get it."""
    start, end = (moment.replace(microsecond=0) for moment in (lost.start, lost.end))
    return Credit(str(lost.why), start, end, seat)


def _of_all_players() -> SelectOfScalar[Pause]:
    """Return the query for pauses of all players, which are all downtime."""
    return select(Pause).where(col(Pause.player_id).is_(None), col(Pause.game_id).is_(None))


def _undelivered(session: Session, game: Game, player: Player, now: datetime) -> pauses.PausedTime | None:
    """Return the time during which the email about this turn did not reach the player."""
    began = game.turn_began_at
    if began is None or player.computer or player.mail_stopped:
        return None
    if player.suspended_at is not None:
        return failed_mail(player.suspended_at, None)
    answers = name_of(Answers)
    query = select(Outbox).where(
        Outbox.recipient == player.email,
        Outbox.state != "dropped",
        or_(
            and_(Outbox.game_id == log.id_of(game), col(Outbox.letter).in_((name_of(Report), answers))),
            and_(col(Outbox.game_id).is_(None), col(Outbox.letter).in_((name_of(Digest), answers))),
        ),
        col(Outbox.created_at) >= began,
    )
    mail = session.exec(query.order_by(col(Outbox.id)).limit(1)).first()
    if mail is None or (mail.sent_at or now) - mail.created_at <= PROMPT:
        return None
    return failed_mail(mail.created_at, mail.sent_at)


def _fact(pause: Pause) -> pauses.PausedTime:
    return pauses.PausedTime(pause.start_at, pause.end_at, pause.said_at, Why(pause.why))
