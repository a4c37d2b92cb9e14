"""What players ask the computer is answered, one question after the other; several workers may do so."""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from rules.game import Json
from server.game import log, pondering, randomness
from server.outbound.letters.coaching import Hinted
from server.store import failures
from server.store.db import LOCK, locked, reading, writing
from server.store.letters.letter import About
from server.store.models import Game, Inquiry, Player
from server.store.outbox import Action
from server.store.sealing import Sealer

_JOB = "inquiries"
_LEASE = timedelta(minutes=10)
"""How long whoever takes a question up has it to themselves: longer than any thinking takes."""


def answer_next(
    engine: Engine, sealer: Sealer, now: datetime, think: Callable[[Json], Json] = pondering.answer
) -> bool:
    """Answer the question that waits longest; False when none waits.

    `think` is given a request of `pondering`, and may think where and as long as it likes: nothing is held.
    """
    number = _claimed(engine, now)
    if number is None:
        return False
    with reading(engine) as session:
        game = session.get_one(Inquiry, number).game_id
    with failures.noted(engine, now, _JOB, Game, game):
        with reading(engine) as session:
            request = _request(session, sealer, session.get_one(Inquiry, number))
        answer = None if request is None else think(request)
        with writing(engine) as session:
            _tell(Action(session, sealer, now), number, answer)
            failures.forget(session, _JOB, Game, game)
    return True


def _claimed(engine: Engine, now: datetime) -> int | None:
    """The number of the question that waits longest, which nobody else takes up for a while."""
    query = (
        select(Inquiry.id)
        .where(col(Inquiry.due_at) <= now, ~failures.is_put_off(_JOB, now, col(Inquiry.game_id)))
        .order_by(col(Inquiry.due_at), col(Inquiry.id))
        .limit(1)
    )
    with reading(engine) as session:
        if session.exec(query).first() is None:
            return None
    with writing(engine) as session:
        number = session.exec(query.with_for_update(of=Inquiry, skip_locked=True, **LOCK)).first()
        if number is not None:
            session.get_one(Inquiry, number).due_at = now + _LEASE
        return number


def _request(session: Session, sealer: Sealer, asked: Inquiry) -> Json | None:
    """What is to be thought about; None where that is of no use any more."""
    game = session.get_one(Game, asked.game_id)
    if game.state != "running" or game.turn != asked.turn or asked.seat is None:
        return None
    randomness.mend(sealer, game, log.seats(session, game))
    return pondering.about_move(game, asked.seat)


def _tell(action: Action, number: int, answer: Json | None) -> None:
    """Store an answer, and mail it to whoever asked by mail, if the turn is still to be played."""
    asked = locked(action.session, Inquiry, number)
    if asked is None or asked.due_at is None:
        return  # the account is deleted, or another worker was faster
    asked.due_at, asked.answer = None, answer
    game = action.session.get_one(Game, asked.game_id)
    if answer is None or not asked.by_mail or game.turn != asked.turn:
        return
    player = action.session.get_one(Player, asked.player_id)
    letter = Hinted(answer, log.rules_of(game).write(log.position_of(game)), game.turn)
    action.put(player.email, letter, About(asked.game_id, asked.seat), player_id=player.id)
