"""Decides when a player gets the report of a game: now, at their next turn, in a digest, or after muting.

Only the first unreported turn and time are stored. Everything since then is in the log and the messages of the
game, and the rest of a report is the state of the game at the time of sending.
"""

from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from enum import Enum, auto

from sqlalchemy import case, func, update
from sqlmodel import Session, col, select

from server.clock.spans import DAY
from server.store.keys.sealing import Sealer
from server.store.letters.game import Aside, Report
from server.store.letters.game import Message as Said
from server.store.letters.letter import Letter
from server.store.models import GameMessage, Player, Seat
from server.store.models.message_audience import heard

MAIL = "mail"
"""The name of the preference for emails about turns, and its values."""
EVERY_TURN, MY_TURN, NEVER = "every turn", "my turn", "never"

MESSAGES = "messages"
"""The name of the preference for emails about messages, and its values."""
AT_ONCE, NEXT_TURN = "at once", "next turn"

MOST_AT_WILL = 20
"""Maximum number of letters `at_will_of` one other seat to a player per day; further ones are deferred."""
MOST_CAUSED = 120
"""Maximum number of emails that one player can cause in an hour; further ones are deferred."""
LONGEST_MUTE = 30 * DAY
"""Maximum time for which a player can mute a game."""
AT_PAGE = timedelta(minutes=15)
"""The time after an action on a game's page in which the player counts as being there and gets no email."""

_HERE = ("unreported_turn", "deferred_since", "sealed_aside", "deferred_until")
"""The columns that only this module writes; others may have unsaved changes, so they are not reloaded."""


class SendTime(Enum):
    """The time at which a player gets a letter about a game."""

    NOW = auto()
    LATER = auto()
    """With a digest, or when the game is no longer muted."""
    SOON = auto()
    """After a while, unless they answer it on the page."""
    WITH_NEXT = auto()
    """As a part of the next report."""
    SEEN = auto()
    """Never, and also nothing of the deferred: they see all of it on the page."""
    NEVER = auto()


@dataclass(frozen=True)
class Acting:
    """The receiver's own part in the action that a letter reports."""

    writes: bool = False
    """Whether the letter answers their email; answers are never deferred."""
    visits: bool = False
    """Whether they acted on a page."""
    confirm: bool = False
    """Whether to confirm their own action although they know about it."""


def send_time(player: Player, seat: Seat, letter: Letter, now: datetime, acting: Acting) -> SendTime:
    """Return when to send a letter about the game of `seat` to its player."""
    wish, report = wish_of(player), letter if isinstance(letter, Report) else None
    if wish == NEVER and not acting.writes:
        return SendTime.NEVER
    asked = wish == EVERY_TURN or acting.confirm
    if report is not None and not asked and _is_known(seat, report):
        return SendTime.NEVER
    if report is not None and report.undone and acting.visits and wish != EVERY_TURN:
        return SendTime.SOON if seat.owes else SendTime.WITH_NEXT  # they have just agreed to the takeback
    if not acting.writes and is_deferred(player, seat, letter, now):
        return SendTime.LATER
    if asked:
        return SendTime.NOW
    if report is not None and not (_is_news(seat, report) or seat.deferred_since):
        return SendTime.WITH_NEXT
    if not acting.writes and letter.may_wait and _is_at_page(seat, report, now, acting):
        return SendTime.SEEN if report is not None and report.result else SendTime.SOON
    return SendTime.NOW


def wish_of(player: Player) -> str:
    """Return a player's preference for emails about turns as the word that they chose, such as "my turn"."""
    return player.choices.get(MAIL, MY_TURN)


def _is_known(seat: Seat, report: Report) -> bool:
    """Return whether a report contains only the player's own move."""
    own = report.speaker == seat.number and report.first == report.last
    return own and not _is_news(seat, report) and not report.aside.is_reported_once()


def _is_news(seat: Seat, report: Report) -> bool:
    """Return whether a report is urgent: it is the player's turn, or there is more than turns of others."""
    said = bool(report.said) and report.speaker != seat.number
    of_turns = 0 < report.first <= report.last and report.result is None
    return seat.owes or said or not of_turns


def _is_at_page(seat: Seat, report: Report | None, now: datetime, acting: Acting) -> bool:
    """Return whether the player is at the game's page and sees there what a letter reports.

    Return False for the start and end of a game between people, because these emails are proofs, and if a
    deferred email would leave hardly any time for the move.
    """
    was_here = seat.page_at is not None and now - seat.page_at < AT_PAGE
    if not was_here and not acting.visits:
        return False
    if seat.owes and seat.deadline_at is not None and seat.deadline_at < now + 2 * AT_PAGE:
        return False
    return report is None or report.solo or (report.first > 0 and report.result is None)


def is_deferred(player: Player, seat: Seat, letter: Letter, now: datetime) -> bool:
    """Return whether a letter about the game of `seat` waits for a digest or for the end of muting.

    Not deferred are a takeback, the end of a muted game, and a move that is due before the next digest or
    within a day after it. Messages wait for the next report if the player prefers that and the game is running.
    """
    if not letter.may_wait:
        return False
    report = letter if isinstance(letter, Report) else None
    if is_muted(seat, now) and not (report and report.result):
        return True
    if isinstance(letter, Said) and player.choices.get(MESSAGES) == NEXT_TURN and not seat.outcome:
        return True
    if player.digest_at is None:
        return False
    return report is None or not is_urgent(player, seat)


def is_muted(seat: Seat, now: datetime) -> bool:
    """Return whether the player has muted the game."""
    return seat.muted_until is not None and seat.muted_until > now


def is_urgent(player: Player, seat: Seat) -> bool:
    """Return whether the player has to move less than a day after their next digest, or before it."""
    if not seat.owes or seat.deadline_at is None or player.digest_at is None:
        return False
    return seat.deadline_at < player.digest_at + DAY


def defer(
    session: Session, sealer: Sealer, seat: Seat, aside: Aside, turn: int, now: datetime, when: SendTime
) -> None:
    """Record that the player of a seat must get a report from `turn` on, later.

    With WITH_NEXT only turns are deferred, otherwise messages from now on as well. The row is written even if
    nothing changes, so that a report sent at the same moment comes before or after this.
    """
    known: dict[str, object] = {
        "unreported_turn": case((col(Seat.unreported_turn) < turn, col(Seat.unreported_turn)), else_=turn)
    }
    if when is not SendTime.WITH_NEXT:
        known["deferred_since"] = case((col(Seat.deferred_since) < now, col(Seat.deferred_since)), else_=now)
    if when is SendTime.SOON:
        known["deferred_until"] = func.coalesce(col(Seat.deferred_until), now + AT_PAGE)
    session.execute(
        update(Seat).where(col(Seat.game_id) == seat.game_id, col(Seat.number) == seat.number).values(**known),
        execution_options={"synchronize_session": False},
    )
    session.expire(seat, list(known))
    if aside.is_reported_once():
        seat.sealed_aside = sealer.seal_json(asdict(_with_deferred(sealer, seat, aside)))


def release(session: Session, sealer: Sealer, seat: Seat, report: Report) -> Report:
    """Return a report with everything added that was deferred for the seat. Nothing is deferred any more."""
    if seat.unreported_turn is None and seat.deferred_since is None and seat.sealed_aside is None:
        return report
    session.flush()
    session.refresh(seat, _HERE, with_for_update=True)
    told = replace(
        report,
        first=report.first if seat.unreported_turn is None else min(report.first, seat.unreported_turn),
        aside=_with_deferred(sealer, seat, report.aside),
    )
    if seat.deferred_since is not None:
        told = replace(told, said="", speaker=None, messages=_said_since(session, seat, seat.deferred_since))
    seat.unreported_turn = seat.deferred_since = seat.sealed_aside = seat.deferred_until = None
    return told


def forget(session: Session, sealer: Sealer, seat: Seat) -> None:
    """Clear the deferred reports of a seat, because its player has seen the game's page.

    Deleted conditional moves stay deferred, because the page does not show them.
    """
    if seat.unreported_turn is None and seat.deferred_since is None:
        return
    session.flush()
    session.refresh(seat, _HERE, with_for_update=True)
    dropped = _with_deferred(sealer, seat, Aside()).dropped
    seat.unreported_turn = seat.deferred_since = seat.deferred_until = None
    seat.sealed_aside = sealer.seal_json(asdict(Aside(dropped=dropped))) if dropped else None


def _said_since(session: Session, seat: Seat, moment: datetime) -> list[int]:
    """Return the numbers of the messages from others since a moment."""
    said = select(GameMessage.id).where(
        GameMessage.game_id == seat.game_id,
        heard(seat.number),
        col(GameMessage.said_at) >= moment,
    )
    return [number for number in session.exec(said.order_by(col(GameMessage.id))) if number is not None]


def _with_deferred(sealer: Sealer, seat: Seat, aside: Aside) -> Aside:
    """Return the player's own part of a report, merged with the deferred one."""
    if seat.sealed_aside is None:
        return aside
    return aside.behind(Aside(**sealer.open_json(seat.sealed_aside)))
