"""What is deferred until a player is told: for a digest, or because they muted a game.

Nothing is set aside except from where on they have to be told: what has happened since is in the game's log,
what was said in its press, and the rest is how the game stands when they are told.
"""

from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy import case, func, update
from sqlmodel import Session, col, select

from server.clock.spans import DAY
from server.store.letters.game import Aside, Report
from server.store.letters.letter import Letter
from server.store.models import Player, Press, Seat
from server.store.sealing import Sealer

MOST_AT_WILL = 20
"""Letters `at_will_of` one other seat of a game, mailed to a player in a day; any beyond that wait, too."""
LONGEST_MUTE = 30 * DAY
"""The longest that a player can have no mail about a game."""

_HERE = ("untold_turn", "untold_at", "sealed_aside")
"""The columns that nothing else writes; all others may hold changes not stored yet."""


def is_deferred(player: Player, seat: Seat, letter: Letter, now: datetime) -> bool:
    """Whether a letter about the game of `seat` has to wait.

    A takeback is told at once, since all have agreed to it, and the end of a game in spite of `mute`. A move
    that is due before the next digest, or within a day after it, is asked for at once.
    """
    if not letter.may_wait:
        return False
    report = letter if isinstance(letter, Report) else None
    if is_muted(seat, now) and not (report and report.result):
        return True
    if player.digest_at is None:
        return False
    return report is None or not is_urgent(player, seat)


def is_muted(seat: Seat, now: datetime) -> bool:
    """Whether the player wants no mail about the game at present."""
    return seat.muted_until is not None and seat.muted_until > now


def is_urgent(player: Player, seat: Seat) -> bool:
    """Whether the player owes a move for which they would have less than a day after their next digest."""
    if not seat.owes or seat.deadline_at is None or player.digest_at is None:
        return False
    return seat.deadline_at < player.digest_at + DAY


def defer(session: Session, sealer: Sealer, seat: Seat, aside: Aside, turn: int, now: datetime) -> None:
    """Note that the player has to be told what happened from `turn` and now on, unless that is noted already.

    It is written even if it changes nothing, so that whoever tells them at the same moment does so before or
    after it.
    """
    session.execute(
        update(Seat)
        .where(col(Seat.game_id) == seat.game_id, col(Seat.number) == seat.number)
        .values(
            untold_turn=case((col(Seat.untold_turn) < turn, col(Seat.untold_turn)), else_=turn),
            untold_at=func.coalesce(col(Seat.untold_at), now),
        ),
        execution_options={"synchronize_session": False},
    )
    session.expire(seat, _HERE[:2])
    if aside.is_told_once():
        seat.sealed_aside = sealer.seal_json(asdict(_with_deferred(sealer, seat, aside)))


def release(session: Session, sealer: Sealer, seat: Seat, report: Report) -> Report:
    """What a report says together with all that was deferred, which is then no longer deferred."""
    if seat.untold_at is None:
        return report
    session.flush()
    session.refresh(seat, _HERE, with_for_update=True)
    said = select(Press.id).where(
        Press.game_id == seat.game_id,
        Press.seat != seat.number,
        col(Press.private).is_(False),
        col(Press.said_at) >= seat.untold_at,
    )
    told = replace(
        report,
        first=report.first if seat.untold_turn is None else min(report.first, seat.untold_turn),
        said="",
        speaker=None,
        press=[number for number in session.exec(said.order_by(col(Press.id))) if number is not None],
        aside=_with_deferred(sealer, seat, report.aside),
    )
    seat.untold_turn = seat.untold_at = seat.sealed_aside = None
    return told


def _with_deferred(sealer: Sealer, seat: Seat, aside: Aside) -> Aside:
    """What is for the player alone, after what was deferred of it."""
    if seat.sealed_aside is None:
        return aside
    return aside.behind(Aside(**sealer.open_json(seat.sealed_aside)))
