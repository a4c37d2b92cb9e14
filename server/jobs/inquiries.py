"""Answers to players' requests for hints and analyses, one after the other; several processes may do this."""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Engine, bindparam, update
from sqlmodel import Session, col, select

from rules.analysis import answering
from rules.game import Json
from server.game.computer import inquiries
from server.game.log import log, randomness
from server.outbound.letters.hints_and_analysis import GameAssessed, Hinted
from server.store import failures
from server.store.db import LOCK, locked, reading, writing
from server.store.keys.sealing import Sealer
from server.store.letters.letter import About, Letter
from server.store.models import AssessedGame, Game, Inquiry, Player, UtcDateTime
from server.store.outbox import ActionContext

_JOB = "inquiries"
LEASE = timedelta(minutes=15)
"""How long a process has a request to itself: longer than any analysis takes."""


Think = Callable[[Json], Json | None]
"""Answers a request for `rules.analysis.answering`; returns None if it was stopped."""


_NOW = bindparam("now", type_=UtcDateTime)
# Built once, as the process runs it every second.
_NEXT = (
    select(Inquiry)
    .where(col(Inquiry.due_at) <= _NOW, ~failures.is_put_off(_JOB, _NOW, col(Inquiry.game_id)))
    .order_by(col(Inquiry.what) != answering.HINT, col(Inquiry.due_at), col(Inquiry.id))
    .limit(1)
)
_NEXT_LOCKED = _NEXT.with_for_update(of=Inquiry, skip_locked=True, **LOCK)


def answer_next(engine: Engine, sealer: Sealer, now: datetime, think: Think) -> bool:
    """Answer the oldest request with `think`, hints first; return False if none can be answered now.

    No transaction or lock is held while `think` runs.
    """
    asked = _claimed(engine, now)
    if asked is None:
        return False
    is_done = True
    try:
        with failures.recording_failure(engine, now, _JOB, Game, asked.game_id):
            is_done = _is_answered(engine, sealer, now, asked, think)
    except Exception:  # the database failed, not the request
        _leave(engine, now, asked)
        raise
    if not is_done:
        _leave(engine, now, asked)
    return is_done


def _is_answered(engine: Engine, sealer: Sealer, now: datetime, asked: Inquiry, think: Think) -> bool:
    with reading(engine) as session:
        request = _request(session, sealer, asked)
    answer = None if request is None else think(request)
    if request is not None and answer is None:
        return False
    with writing(engine) as session:
        _take(ActionContext(session, sealer, now), asked, answer)
        failures.forget(session, _JOB, Game, asked.game_id)
    return True


def _claimed(engine: Engine, now: datetime) -> Inquiry | None:
    """Claim and return the next request, together with others that have the same answer."""
    with reading(engine) as session:
        if session.connection().execute(_NEXT, {"now": now}).first() is None:
            return None
    with writing(engine) as session:
        asked = session.exec(_NEXT_LOCKED, params={"now": now}).first()
        if asked is None:
            return None
        _wait_until(session, asked, now + LEASE)
        session.refresh(asked)
        session.expunge(asked)
        return asked


def _leave(engine: Engine, now: datetime, asked: Inquiry) -> None:
    """Release the claim on a request."""
    with writing(engine) as session:
        _wait_until(session, asked, now)


def _wait_until(session: Session, asked: Inquiry, then: datetime) -> None:
    """Set the due time of a request, and of others with the same answer."""
    waiting = update(Inquiry).where(*_about_the_same(asked)).values(due_at=then)
    session.execute(waiting.execution_options(synchronize_session="fetch"))


def _about_the_same(asked: Inquiry) -> tuple[ColumnElement[bool], ...]:
    """Return conditions: waiting requests with the same answer; for a hint, only the request itself."""
    of_game = col(Inquiry.game_id) == asked.game_id, col(Inquiry.what) == asked.what
    alike = of_game if asked.what == answering.ASSESSMENT else (col(Inquiry.id) == asked.id,)
    return *alike, col(Inquiry.due_at).is_not(None)


def _request(session: Session, sealer: Sealer, asked: Inquiry) -> Json | None:
    """Return the request for the thinker; None if its answer is known or no longer needed."""
    game = session.get_one(Game, asked.game_id)
    if asked.what == answering.ASSESSMENT:
        is_known = session.get(AssessedGame, asked.game_id) is not None
        return None if is_known or game.state != "over" else inquiries.about_course(session, game)
    if game.state != "running" or game.turn != asked.turn or asked.seat is None:
        return None
    randomness.rebuild_if_damaged(sealer, game, log.seats(session, game))
    return inquiries.about_move(game, asked.seat)


def _take(action: ActionContext, asked: Inquiry, answer: Json | None) -> None:
    """Store an answer, and email it to all who asked by email."""
    session = action.session
    game = locked(session, Game, asked.game_id)
    if game is None:
        return
    if asked.what == answering.ASSESSMENT and answer is not None and session.get(AssessedGame, game.id) is None:
        session.add(AssessedGame(game_id=asked.game_id, answer=answer, made_at=action.now))
        session.flush()
    for row in session.exec(select(Inquiry).where(*_about_the_same(asked))):
        row.due_at = None
        letter = _answered(row, game, answer)
        if letter is not None and row.by_mail:
            player = session.get_one(Player, row.player_id)
            action.put(player.email, letter, About(row.game_id, row.seat), player_id=player.id)


def _answered(row: Inquiry, game: Game, answer: Json | None) -> Letter | None:
    """Return the letter with the answer; None if there is no answer, or the turn was played meanwhile."""
    if row.what == answering.ASSESSMENT:
        return GameAssessed() if game.state == "over" else None
    row.answer = answer
    if answer is None or game.turn != row.turn or game.state != "running":
        return None
    return Hinted(answer, log.rules_of(game).write(log.position_of(game)), game.turn)
