"""Time that stands still, as rows: vacations, downtime, mail that did not arrive, and what opponents gave."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import update
from sqlmodel import Session, and_, col, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from rules.records.entries import Credit
from server.clock import pauses, vacations
from server.clock.outages import credited, failed_mail
from server.clock.pauses import Why
from server.clock.terms import Terms
from server.game.log import log
from server.store import prepared_statements
from server.store.letters.game import Digest, Report
from server.store.letters.letter import Answers, name_of
from server.store.models import Game, Heartbeat, Outbox, Pause, Player, Seat

PROMPT = timedelta(hours=1)
"""Mail delivered within this span cost nobody any time."""


def pauses_of(
    session: Session, game: Game, seat: Seat | None, player: Player | None, since: datetime
) -> list[pauses.PausedTime]:
    """All pauses that ended after `since` and concern a seat or, without one, all seats of the game."""
    found = prepared_statements.PAUSES(
        session,
        since=since,
        game=game.id,
        seat=seat and seat.number,
        player=player and player.id,
    )
    return [pauses.PausedTime(start, end, said_at, Why(why)) for start, end, said_at, why in found]


def gifts_of(session: Session, game: Game, seat: Seat) -> list[pauses.GivenTime]:
    """What opponents gave a seat for the move that it owes."""
    found = prepared_statements.GIFTS(session, game=game.id, turn=game.turn, seat=seat.number)
    return [pauses.GivenTime(timedelta(seconds=seconds), said_at) for seconds, said_at in found]


def vacations_of(session: Session, player: Player) -> list[pauses.PausedTime]:
    """All vacations of a player that are kept, by themselves."""
    query = select(Pause).where(Pause.player_id == player.id).order_by(col(Pause.start_at))
    return [_fact(pause) for pause in session.exec(query)]


def store(session: Session, pause: pauses.PausedTime, **whose: int | None) -> None:
    """Store a pause; `whose` are the columns that say whose it is, none for everyone's."""
    session.add(Pause(start_at=pause.start, end_at=pause.end, said_at=pause.said_at, why=pause.why, **whose))
    session.flush()


def spend_vacation(session: Session, seat: Seat, player: Player, terms: Terms, now: datetime) -> bool:
    """Spend vacation for a seat whose time is up, if the player chose so; returns whether there was enough."""
    if not player.auto_vacation or seat.deadline_at is None:
        return False
    zone = ZoneInfo(player.zone)
    spent = vacations.automatic(seat.deadline_at, terms.grace, now, vacations_of(session, player), zone)
    if spent is None:
        return False
    store(session, spent, player_id=player.id)
    return True


def credit_all(session: Session) -> None:
    """Have the worker compute all deadlines anew, for a downtime that games do not know yet."""
    session.execute(update(Heartbeat).where(col(Heartbeat.id) == Heartbeat.WORKER).values(crediting=0))


def downtimes_since(session: Session, since: datetime) -> list[pauses.PausedTime]:
    """When everything was down, or is to be, that ended after `since`, in order."""
    query = _of_everybody().where(col(Pause.end_at) > since).order_by(col(Pause.start_at))
    return [_fact(pause) for pause in session.exec(query)]


def last_outage(session: Session) -> pauses.PausedTime | None:
    """The outage of everything that ended last."""
    query = _of_everybody().where(Pause.why == Why.OUTAGE)
    found = session.exec(query.order_by(col(Pause.end_at).desc(), col(Pause.id).desc()).limit(1)).first()
    return None if found is None else _fact(found)


def last_downtime(session: Session) -> pauses.PausedTime | None:
    """The downtime of everything that the server learned of last."""
    found = session.exec(_of_everybody().order_by(col(Pause.id).desc()).limit(1)).first()
    return None if found is None else _fact(found)


def credit_mail(session: Session, game: Game, seat: Seat, player: Player, now: datetime) -> None:
    """Give a seat back the time in which its turn mail was not delivered, unless it has it, or enough.

    Players can make their mail bounce whenever they like, so one suspension is credited once, and little in
    all.
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
    """The time that seats are given back in this turn because mail did not reach them, by seat."""
    query = select(Pause).where(Pause.game_id == game.id).order_by(col(Pause.id))
    began = game.turn_began_at
    return [
        (pause.seat, _fact(pause))
        for pause in session.exec(query)
        if pause.seat is not None and began is not None and pause.end_at > began
    ]


def credit(lost: pauses.PausedTime, seat: int | None = None) -> Credit:
    """How the log says that time was given back: to one seat, or to all."""
    start, end = (moment.replace(microsecond=0) for moment in (lost.start, lost.end))
    return Credit(str(lost.why), start, end, seat)


def _of_everybody() -> SelectOfScalar[Pause]:
    """The pauses that concern everybody, which are all downtime."""
    return select(Pause).where(col(Pause.player_id).is_(None), col(Pause.game_id).is_(None))


def _undelivered(session: Session, game: Game, player: Player, now: datetime) -> pauses.PausedTime | None:
    """The time in which the mail with this turn did not reach the player."""
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
