"""Computer players: which of their turns is next, and their moves, through the same door as everybody else's.

Several processes may look after them, on several machines: a turn is thought about by one of them, which has
claimed it for a while. When that time runs out without a move, another thinks about it.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Engine, func, update
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, or_, select

from rules.analysis.subprocess_worker import Question
from server.accounts.computer_names import USUAL
from server.errors import Refused
from server.game.log import log, randomness
from server.game.play import moves
from server.game.play.target import Target
from server.store import failures
from server.store.db import reading, writing
from server.store.deferral import AT_PAGE
from server.store.keys.sealing import Sealer
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext

Ask = Callable[[Question], str | None]
"""Has somebody think about a question, and gives the move that they answer; None if they have to stop."""

LEASE = timedelta(minutes=3)
"""How long a turn is claimed: more than thinking about it, and asking a second time, can take."""
SOON, LATER = 5.0, 30.0
"""Seconds for a move at most: if somebody is at the game's page, and if not."""
_WAIT_SOON, _WAIT_LATER = 10.0, 120.0
"""Seconds within which all should be answered that wait at the same time, as long as that can be done."""
_LEAST = 0.2
"""Seconds that are always there to think."""
_JOB = "computer"


@dataclass(frozen=True)
class Claim:
    """A seat for whose move nobody else thinks until then."""

    game: int
    seat: int
    until: datetime
    soon: bool
    """Whether somebody waits for it at the game's page."""
    seconds: float
    """How long to think at most."""


def claim(engine: Engine, now: datetime, thinkers: int = 1) -> Claim | None:
    """Claim the turn that waits most: first those of whom somebody at the page waits for, the longest first.

    None if no turn waits. `thinkers` is how many think here at the same time.
    """
    watched = _is_watched(now)
    next_one = select(Seat.game_id, Seat.number, watched, Game.changed_at).where(*_waits(now))
    next_one = next_one.order_by(watched.desc(), col(Game.changed_at), col(Game.id)).limit(1)
    while True:
        with reading(engine) as session:
            found = session.exec(next_one).first()
            if found is None:
                return None
            game, seat, soon, since = found
            taken = Claim(game, seat, now + LEASE, soon, _seconds(session, now, soon, since, thinkers))
        if _take(engine, now, taken):
            return taken


def is_awaited(engine: Engine, now: datetime) -> bool:
    """Whether a turn waits for which somebody waits at its game's page."""
    with reading(engine) as session:
        found = session.exec(select(Seat.game_id).where(*_waits(now), _is_watched(now)).limit(1))
        return found.first() is not None


def move(engine: Engine, sealer: Sealer, clock: Callable[[], datetime], taken: Claim, ask: Ask) -> None:
    """Make the move of a turn that was claimed; when the game has gone on meanwhile, it is dropped."""
    is_made = False
    try:
        with failures.recording_failure(engine, clock(), _JOB, Game, taken.game):
            is_made = _is_made(engine, sealer, clock, taken, ask)
    finally:
        if not is_made:
            with writing(engine) as session:
                _release(session, taken)


def _is_made(engine: Engine, sealer: Sealer, clock: Callable[[], datetime], taken: Claim, ask: Ask) -> bool:
    """Make the move; whether it could be, and then the turn is no longer claimed either."""
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
    # It is thought about without holding anything here.
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
    """What is asked, field by field: what anybody sees of the game, for whom to think, and how well."""
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
    """Claim a turn, unless another has done so meanwhile."""
    with writing(engine) as session:
        ours = update(Seat).where(*_is(taken), col(Seat.owes), _is_free(now)).values(thinking_until=taken.until)
        return bool(session.connection().execute(ours).rowcount)


def _release(session: Session, taken: Claim) -> None:
    """Let others have a turn, if it is still ours."""
    ours = update(Seat).where(*_is(taken), col(Seat.thinking_until) == taken.until)
    session.execute(ours.values(thinking_until=None), execution_options={"synchronize_session": False})


def _is(taken: Claim) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return col(Seat.game_id) == taken.game, col(Seat.number) == taken.seat


def _is_free(now: datetime) -> ColumnElement[bool]:
    return or_(col(Seat.thinking_until).is_(None), col(Seat.thinking_until) <= now)


def _waits(now: datetime) -> tuple[ColumnElement[bool], ...]:
    """Conditions: it is a computer player's turn, nobody thinks about it, and it did not fail just now."""
    return (
        *(col(Seat.game_id) == Game.id, col(Game.state) == "running", col(Seat.owes).is_(True)),
        # Looked up first, as they are few: otherwise all moves that are owed would be gone through.
        col(Seat.player_id).in_(select(Player.id).where(col(Player.computer))),
        _is_free(now),
        ~failures.is_put_off(_JOB, now, col(Game.id)),
    )


def _is_watched(now: datetime) -> ColumnElement[bool]:
    """A condition: one of the players is at the game's page."""
    other = aliased(Seat)
    there = select(other.number).where(other.game_id == Game.id, col(other.page_at) > now - AT_PAGE)
    return there.correlate(Game).exists()


def _seconds(session: Session, now: datetime, soon: bool, since: datetime, thinkers: int) -> float:
    """How long to think about the turn that waits the longest, `since` then.

    If more wait than can be thought about at once, they share what is left of the time within which all should
    be answered; after an outage a tenth of it.
    """
    watched = _is_watched(now)
    counts = select(watched, func.count()).where(*_waits(now)).group_by(watched)
    waiting = dict(session.exec(counts).all())
    most, within = (SOON, _WAIT_SOON) if soon else (LATER, _WAIT_LATER)
    ahead = waiting.get(True, 0) + (0 if soon else waiting.get(False, 0))
    if ahead <= thinkers:
        return most
    left = max(within - (now - since).total_seconds(), within / 10)
    return max(_LEAST, min(most, left * thinkers / ahead))
