"""Moves of computer players: claim a game in which one has to move, and make the move as any player would.

Several processes, on several machines, may do this: each claims a turn for a while before it computes the move.
If the claim expires without a move, another process takes the turn.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import BindParameter, ColumnElement, Engine, bindparam, case, func, update
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, or_, select

from rules.analysis.subprocess_worker import Question
from server.accounts.computer_characters import USUAL
from server.errors import Refused
from server.game.log import log, randomness
from server.game.play import moves
from server.game.play.target import Target
from server.store import failures
from server.store.db import reading, writing
from server.store.deferral import AT_PAGE
from server.store.keys.sealing import Sealer
from server.store.models import Game, Player, Seat, UtcDateTime
from server.store.outbox import ActionContext

Ask = Callable[[Question], str | None]
"""Asks a thinker a question and returns its move; None if it was stopped."""

LEASE = timedelta(minutes=3)
"""How long a claim lasts: longer than two attempts to think about the turn."""
SOON, LATER = 5.0, 30.0
"""The most seconds for a move if a player is at the game's page, and if not."""
_WAIT_SOON, _WAIT_LATER = 10.0, 120.0
"""Seconds within which all waiting turns should be answered, if possible, in these two cases."""
_URGENT = timedelta(hours=1)
"""A turn with a deadline within this time is answered before those of players who are not at the page."""
_LEAST = 0.2
"""The least seconds to think."""
_JOB = "computer"

_Moment = datetime | BindParameter[datetime]


@dataclass(frozen=True)
class Claim:
    """A computer player's turn that one process has claimed for a while; no other computes its move."""

    game: int
    seat: int
    until: datetime
    soon: bool
    """Whether a player waits for it at the game's page."""
    seconds: float
    """The most seconds to think."""


def claim(engine: Engine, now: datetime, thinkers: int = 1) -> Claim | None:
    """Claim the computer player's turn that is most urgent; return None if no turn waits.

    First come turns for which a player waits at the page, then those with a deadline soon, the next deadline
    first, and then the oldest. `thinkers` is the number of computing processes here.
    """
    while True:
        with reading(engine) as session:
            found = session.connection().execute(_MOST_URGENT, _moments(now)).first()
            if found is None:
                return None
            game, seat, soon, since = found
            taken = Claim(game, seat, now + LEASE, soon, _seconds(session, now, soon, since, thinkers))
        if _take(engine, now, taken):
            return taken


def is_awaited(engine: Engine, now: datetime) -> bool:
    """Return whether a player at a game's page waits for a computer player whose turn is unclaimed."""
    with reading(engine) as session:
        return session.connection().execute(_AWAITED, _moments(now)).first() is not None


def move(engine: Engine, sealer: Sealer, clock: Callable[[], datetime], taken: Claim, ask: Ask) -> None:
    """Compute the move of a claimed turn with `ask`, and play it, unless the game has changed meanwhile."""
    is_made = False
    try:
        with failures.recording_failure(engine, clock(), _JOB, Game, taken.game):
            is_made = _is_made(engine, sealer, clock, taken, ask)
    finally:
        if not is_made:
            with writing(engine) as session:
                _release(session, taken)


def _is_made(engine: Engine, sealer: Sealer, clock: Callable[[], datetime], taken: Claim, ask: Ask) -> bool:
    """Make the move and release the claim; return whether that was possible."""
    with reading(engine) as session:
        game = session.get_one(Game, taken.game)
        seated = log.seats(session, game)
        randomness.rebuild_if_damaged(sealer, game, seated)
        seat, player = seated[taken.seat]
        if not seat.owes:
            return False
        question = _question(game, seat, player, taken.seconds)
        target = Target(taken.game, taken.seat, game.turn)
        session.expunge(player)
    # Thinking holds no transaction and no lock.
    text = ask(question)
    if text is None:
        return False
    with contextlib.suppress(Refused), writing(engine) as session:
        moves.submit(ActionContext(session, sealer, clock()), player, target, text)
        failures.forget(session, _JOB, Game, taken.game)
        _release(session, taken)
        return True
    return False


def _question(game: Game, seat: Seat, player: Player, seconds: float) -> Question:
    """Return the question: the public position, the seat, and the computer player's level."""
    rules, position = log.rules_of(game), log.position_of(game)
    return Question(
        game_type=rules.name,
        options=dict(game.options),
        position=rules.write(position),
        memory=tuple(rules.memory(position)),
        seat=seat.number,
        seats=len(game.asked),
        level=player.strength or USUAL,
        seconds=seconds,
    )


def _take(engine: Engine, now: datetime, taken: Claim) -> bool:
    """Claim a turn; return False if another process was faster."""
    with writing(engine) as session:
        ours = update(Seat).where(*_is(taken), col(Seat.owes), _is_free(now)).values(thinking_until=taken.until)
        return bool(session.connection().execute(ours).rowcount)


def _release(session: Session, taken: Claim) -> None:
    """Release a claim, unless it has expired and another process has the turn."""
    ours = update(Seat).where(*_is(taken), col(Seat.thinking_until) == taken.until)
    session.execute(ours.values(thinking_until=None), execution_options={"synchronize_session": False})


def _is(taken: Claim) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return col(Seat.game_id) == taken.game, col(Seat.number) == taken.seat


def _is_free(now: _Moment) -> ColumnElement[bool]:
    return or_(col(Seat.thinking_until).is_(None), col(Seat.thinking_until) <= now)


def _waits(now: _Moment) -> tuple[ColumnElement[bool], ...]:
    """Return conditions: a computer player has to move, the turn is unclaimed, and has not just failed."""
    return (
        *(col(Seat.game_id) == Game.id, col(Game.state) == "running", col(Seat.owes).is_(True)),
        # Looked up first, as computer players are few: otherwise the query reads all seats that have to move.
        col(Seat.player_id).in_(select(Player.id).where(col(Player.computer))),
        _is_free(now),
        ~failures.is_put_off(_JOB, now, col(Game.id)),
    )


def _is_watched(since: _Moment) -> ColumnElement[bool]:
    """Return a condition: a player was at the game's page after `since`."""
    other = aliased(Seat)
    there = select(other.number).where(other.game_id == Game.id, col(other.page_at) > since)
    return there.correlate(Game).exists()


_NOW, _AT_PAGE_SINCE, _URGENT_UNTIL = (
    bindparam(name, type_=UtcDateTime) for name in ("now", "at_page_since", "urgent_until")
)
_WATCHED = _is_watched(_AT_PAGE_SINCE)
_SOON = case((col(Seat.deadline_at) <= _URGENT_UNTIL, col(Seat.deadline_at)))
"""The deadline, if it is soon."""
# Built once, as several processes run them every second.
_MOST_URGENT = (
    select(Seat.game_id, Seat.number, _WATCHED, Game.changed_at)
    .where(*_waits(_NOW))
    .order_by(_WATCHED.desc(), _SOON.is_(None), _SOON, col(Game.changed_at), col(Game.id))
    .limit(1)
)
_AWAITED = select(Seat.game_id).where(*_waits(_NOW), _WATCHED).limit(1)


def _moments(now: datetime) -> dict[str, datetime]:
    """Return the parameters of these statements."""
    return {"now": now, "at_page_since": now - AT_PAGE, "urgent_until": now + _URGENT}


def _seconds(session: Session, now: datetime, soon: bool, since: datetime, thinkers: int) -> float:
    """Return the seconds to think about the most urgent turn, which has waited since `since`.

    They are `SOON` if a player is at its game's page (`soon`), and `LATER` if not. If more turns wait than
    there are thinkers, they share the rest of the time within which all should be answered, or a tenth of that
    time if the rest is less, for example after an outage; if `soon`, turns of players who are not at the page
    do not count. Each turn gets at least `_LEAST`.
    """
    watched = _is_watched(now - AT_PAGE)
    counts = select(watched, func.count()).where(*_waits(now)).group_by(watched)
    waiting = dict(session.exec(counts).all())
    most, within = (SOON, _WAIT_SOON) if soon else (LATER, _WAIT_LATER)
    ahead = waiting.get(True, 0) + (0 if soon else waiting.get(False, 0))
    if ahead <= thinkers:
        return most
    left = max(within - (now - since).total_seconds(), within / 10)
    return max(_LEAST, min(most, left * thinkers / ahead))
