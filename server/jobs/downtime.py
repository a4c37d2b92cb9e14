"""Heartbeats that show outages, time credited for outages, and games whose deadlines have expired."""

from datetime import datetime

from sqlalchemy import Engine
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from server.clock import pauses
from server.clock.pauses import Why
from server.game.clock import deadlines, stored_pauses
from server.game.log import log
from server.jobs import clock_set_back
from server.jobs.job import Work
from server.monitoring import pulse
from server.store import db, failures, inbox
from server.store.keys.sealing import Sealer
from server.store.models import Failure, Game, Heartbeat, Seat
from server.store.outbox import ActionContext
from server.store.rollback import history

CREDITING = "crediting"
BATCH = 50
"""The number of games to which a downtime is credited in one transaction."""


def beat_and_credit(work: Work) -> None:
    """Write the heartbeat, and give players back the time of an outage that has ended."""
    keep_beating(work)
    while not work.closing() and credit_next(work.engine, work.sealer, work.now()):
        keep_beating(work)


def keep_beating(work: Work) -> None:
    """Write the heartbeat if it is due, also the one with which `nabu serve` notices that a process hangs."""
    pulse.beat("worker")
    beat(work.engine, work.now())


def beat(engine: Engine, now: datetime) -> None:
    """Write the worker's heartbeat once a minute; if the last one is too old, store an outage.

    Outage and heartbeat are stored in one transaction, so that no deadline expires between them.
    """
    with db.reading(engine) as session:
        heartbeat = session.get(Heartbeat, Heartbeat.WORKER)
        if heartbeat is not None and abs(now - heartbeat.at) < pauses.BEAT:
            return
    with db.writing(engine) as session:
        heartbeat = db.locked(session, Heartbeat, Heartbeat.WORKER)
        history.advance(session)
        if heartbeat is None:
            session.add(Heartbeat(id=Heartbeat.WORKER, at=now))
            return
        lost = _lost(session, heartbeat.at, now)
        if lost is not None:
            stored_pauses.store(session, lost)
            heartbeat.crediting = 0
        if heartbeat.at - now > pauses.SILENCE:
            clock_set_back.make_everything_due(session, now)
        if pauses.was_far_ahead(heartbeat.at, now):
            clock_set_back.correct_future_times(session, now)
            heartbeat.crediting = 0
        heartbeat.at = now


def beat_mail(engine: Engine, now: datetime) -> None:
    """Write the heartbeat of the mail process; if the last one is too old, store an outage."""
    with db.writing(engine) as session:
        worker = db.locked(session, Heartbeat, Heartbeat.WORKER)
        mail = db.locked(session, Heartbeat, Heartbeat.INTAKE)
        history.advance(session)
        if mail is None:
            session.add(Heartbeat(id=Heartbeat.INTAKE, at=now))
            return
        lost = _lost(session, mail.at, now)
        if lost is not None and worker is not None:
            stored_pauses.store(session, lost)
            worker.crediting = 0
        mail.at = now


def credit_next(engine: Engine, sealer: Sealer, now: datetime) -> bool:
    """Credit a downtime to the next few games, and add it to their logs; return False when all are done."""
    with db.reading(engine) as session:
        heartbeat = session.get(Heartbeat, Heartbeat.WORKER)
        if heartbeat is None or heartbeat.crediting is None:
            return False
    with db.writing(engine) as session:
        heartbeat = db.locked(session, Heartbeat, Heartbeat.WORKER)
        if heartbeat is None or heartbeat.crediting is None:
            return False
        games = session.exec(
            select(Game.id)
            .where(col(Game.id) > heartbeat.crediting, Game.state == "running")
            .order_by(col(Game.id))
            .limit(BATCH)
            .with_for_update(**db.LOCK)
        ).all()
        for number in games:
            with failures.isolated(session, now, CREDITING, Game, number or 0):
                credit(ActionContext(session, sealer, now), session.get_one(Game, number))
        heartbeat.crediting = games[-1] if games else None
    return bool(games)


def games_not_credited(now: datetime) -> SelectOfScalar[Game]:
    """Return the query for games to which the last downtime could not be credited."""
    return (
        select(Game)
        .where(Failure.game_id == Game.id, Failure.job == CREDITING, col(Failure.due_at) <= now)
        .where(Game.state == "running")
        .order_by(col(Failure.due_at))
    )


def _lost(session: Session, last_beat: datetime, now: datetime) -> pauses.PausedTime | None:
    """Return the outage that ends now, without the parts that are already stored or were planned.

    The worker and the mail process may have failed together.
    """
    known = stored_pauses.last_outage(session)
    since = last_beat if known is None or known.end > now else max(last_beat, known.end)
    for planned in stored_pauses.downtimes_since(session, since):
        # Nabu may stop right at the start of maintenance, some time after the last heartbeat.
        if planned.why is Why.MAINTENANCE and planned.start <= since + pauses.SILENCE:
            since = max(since, planned.end)
    return pauses.outage(since, now)


def mail_is_down(engine: Engine, now: datetime) -> bool:
    """Return whether the server accepted email before, but does not now.

    After a week the answer is False, so that deadlines expire nevertheless.
    """
    with db.reading(engine) as session:
        mail = session.get(Heartbeat, Heartbeat.INTAKE)
    return mail is not None and pauses.SILENCE < now - mail.at <= pauses.MOST_FOR_MAIL


def credit(action: ActionContext, game: Game) -> None:
    """Recompute the deadlines of a game, and add the last downtime to its log if it changed one of them.

    If it is secret who has sent orders, the deadlines of seats that have sent theirs count, too.
    """
    session, lost = action.session, stored_pauses.last_downtime(action.session)
    if game.resolve_at is not None:
        game.resolve_at = min(game.resolve_at, action.now + deadlines.terms_of(game).delay)
    if game.turn_began_at is None or lost is None:
        return
    hidden, moved = not game.shows_ready, False
    for seat, player in log.seats(session, game):
        if seat.owes:
            deadlines.recompute_deadline(session, game, seat, player, action.now)
        if seat.owes or hidden:
            moved = moved or deadlines.is_moved(session, game, seat, player, lost)
    if moved:
        log.append_entry(session, game, stored_pauses.credit(lost), action.now)


def make_up(action: ActionContext, game: Game, since: datetime) -> None:
    """Credit all players of a game the time since `since`, in which a job failed for it, and at least a day.

    The failure is taken to have started when the game was due, or one heartbeat before it was found.
    """
    session = action.session
    seated = log.seats(session, game, fresh=True)
    due = (game.stale_at, *(seat.grace_until for seat, _ in seated))
    began = min(since, *(moment for moment in due if moment is not None)) - pauses.BEAT
    lost = pauses.PausedTime(began, action.now, action.now, Why.OUTAGE)
    stored_pauses.store(session, lost, game_id=game.id)
    for seat, player in seated:
        if seat.owes:
            deadlines.recompute_deadline(session, game, seat, player, action.now)
    game.stale_at = deadlines.alive_until(session, game)
    log.append_entry(session, game, stored_pauses.credit(lost), action.now)


def late_games(now: datetime) -> SelectOfScalar[Game]:
    """Return the query for games with an expired deadline.

    It leaves out games for which an earlier email waits, which may contain a move.
    """
    late = aliased(Seat)
    last = select(func.max(late.grace_until)).where(late.game_id == Game.id, col(late.grace_until) <= now)
    return (
        select(Game)
        .where(Seat.game_id == Game.id, col(Seat.grace_until) <= now)
        .where(~inbox.keeps_waiting(now, last.scalar_subquery()))
        .order_by(col(Seat.grace_until))
    )


def idle_games(now: datetime) -> SelectOfScalar[Game]:
    """Return the query for games in which no one has moved for too long, unless an email for them waits."""
    stale = col(Game.stale_at)
    return select(Game).where(stale <= now, ~inbox.keeps_waiting(now, stale)).order_by(stale)
