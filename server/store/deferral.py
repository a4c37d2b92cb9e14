"""What is deferred until a player is told: what happened in turns that are not theirs, for a digest, because
they muted a game, or because they are playing on its page.

Nothing is set aside except from where on they have to be told: what has happened since is in the game's log,
what was said in its messages, and the rest is how the game stands when they are told.
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
"""The name of the choice which turns a player is mailed, and the words of its ways."""
EVERY_TURN, MY_TURN, NEVER = "every turn", "my turn", "never"

MESSAGES = "messages"
"""The name of the choice when a player is mailed what others say, and the words of its ways."""
AT_ONCE, NEXT_TURN = "at once", "next turn"

MOST_AT_WILL = 20
"""Letters `at_will_of` one other seat of a game, mailed to a player in a day; any beyond that wait, too."""
MOST_CAUSED = 120
"""Mails that one player can cause in an hour, to themselves and others; what is told beyond that waits."""
LONGEST_MUTE = 30 * DAY
"""The longest that a player can have no mail about a game."""
AT_PAGE = timedelta(minutes=15)
"""For how long a player who did something on a game's page counts as being there, and how long mail waits."""

_HERE = ("untold_turn", "untold_at", "sealed_aside", "deferred_until")
"""The columns that nothing else writes; all others may hold changes not stored yet."""


class Telling(Enum):
    """When a player is told something about a game."""

    NOW = auto()
    LATER = auto()
    """For a digest, or when the game is no longer muted."""
    SOON = auto()
    """When they have not answered it on the page after a while."""
    WITH_NEXT = auto()
    """In the next report, if there is anything in it that they do not know."""
    SEEN = auto()
    """Never, nor what was deferred: they see all of it on the page."""
    NEVER = auto()


@dataclass(frozen=True)
class Acting:
    """What the player who is told something has to do with it."""

    writes: bool = False
    """Whether it answers a mail of theirs: that does not wait, whatever they chose."""
    visits: bool = False
    """Whether they caused it on a page."""
    confirm: bool = False
    """Whether they are told even of what they know."""


def telling(player: Player, seat: Seat, letter: Letter, now: datetime, acting: Acting) -> Telling:
    """When a letter about the game of `seat` is told."""
    wish, report = wish_of(player), letter if isinstance(letter, Report) else None
    if wish == NEVER and not acting.writes:
        return Telling.NEVER
    asked = wish == EVERY_TURN or acting.confirm
    if report is not None and not asked and _is_known(seat, report):
        return Telling.NEVER
    if report is not None and report.undone and acting.visits and wish != EVERY_TURN:
        return Telling.SOON if seat.owes else Telling.WITH_NEXT  # they have just agreed to it
    if not acting.writes and is_deferred(player, seat, letter, now):
        return Telling.LATER
    if asked:
        return Telling.NOW
    if report is not None and not (_is_news(seat, report) or seat.untold_at):
        return Telling.WITH_NEXT
    if not acting.writes and letter.may_wait and _is_at_page(seat, report, now, acting):
        return Telling.SEEN if report is not None and report.result else Telling.SOON
    return Telling.NOW


def wish_of(player: Player) -> str:
    """Which turns a player wants to be mailed."""
    return player.choices.get(MAIL, MY_TURN)


def _is_known(seat: Seat, report: Report) -> bool:
    """Whether a report tells nothing but the player's own move."""
    own = report.speaker == seat.number and report.first == report.last
    return own and not _is_news(seat, report) and not report.aside.is_told_once()


def _is_news(seat: Seat, report: Report) -> bool:
    """Whether a player wants to know at once what a report tells: it is their turn, or more than turns."""
    said = bool(report.said) and report.speaker != seat.number
    of_turns = 0 < report.first <= report.last and report.result is None
    return seat.owes or said or not of_turns


def _is_at_page(seat: Seat, report: Report | None, now: datetime, acting: Acting) -> bool:
    """Whether the player is at the game's page and sees there what a letter tells.

    How a game between people begins and ends is mailed all the same, as a proof; and what is about a move for
    which hardly any time would be left if the mail waited.
    """
    was_here = seat.page_at is not None and now - seat.page_at < AT_PAGE
    if not was_here and not acting.visits:
        return False
    if seat.owes and seat.deadline_at is not None and seat.deadline_at < now + 2 * AT_PAGE:
        return False
    return report is None or report.solo or (report.first > 0 and report.result is None)


def is_deferred(player: Player, seat: Seat, letter: Letter, now: datetime) -> bool:
    """Whether a letter about the game of `seat` has to wait.

    A takeback is told at once, since all have agreed to it, and the end of a game in spite of `mute`. What is
    said comes with the next report for whoever wants it so, as long as the game will have one. A move
    that is due before the next digest, or within a day after it, is asked for at once.
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
    """Whether the player wants no mail about the game at present."""
    return seat.muted_until is not None and seat.muted_until > now


def is_urgent(player: Player, seat: Seat) -> bool:
    """Whether the player owes a move for which they would have less than a day after their next digest."""
    if not seat.owes or seat.deadline_at is None or player.digest_at is None:
        return False
    return seat.deadline_at < player.digest_at + DAY


def defer(
    session: Session, sealer: Sealer, seat: Seat, aside: Aside, turn: int, now: datetime, when: Telling
) -> None:
    """Note that the player has to be told what happened from `turn` on, unless that is noted already.

    With the next report they are told turns; later, or soon, what was said from now on, too. It is written even
    if it changes nothing, so that whoever tells them at the same moment does so before or after it.
    """
    known: dict[str, object] = {
        "untold_turn": case((col(Seat.untold_turn) < turn, col(Seat.untold_turn)), else_=turn)
    }
    if when is not Telling.WITH_NEXT:
        known["untold_at"] = func.coalesce(col(Seat.untold_at), now)
    if when is Telling.SOON:
        known["deferred_until"] = func.coalesce(col(Seat.deferred_until), now + AT_PAGE)
    session.execute(
        update(Seat).where(col(Seat.game_id) == seat.game_id, col(Seat.number) == seat.number).values(**known),
        execution_options={"synchronize_session": False},
    )
    session.expire(seat, list(known))
    if aside.is_told_once():
        seat.sealed_aside = sealer.seal_json(asdict(_with_deferred(sealer, seat, aside)))


def release(session: Session, sealer: Sealer, seat: Seat, report: Report) -> Report:
    """What a report says together with all that was deferred, which is then no longer deferred."""
    if seat.untold_turn is None and seat.untold_at is None and seat.sealed_aside is None:
        return report
    session.flush()
    session.refresh(seat, _HERE, with_for_update=True)
    told = replace(
        report,
        first=report.first if seat.untold_turn is None else min(report.first, seat.untold_turn),
        aside=_with_deferred(sealer, seat, report.aside),
    )
    if seat.untold_at is not None:
        told = replace(told, said="", speaker=None, messages=_said_since(session, seat, seat.untold_at))
    seat.untold_turn = seat.untold_at = seat.sealed_aside = seat.deferred_until = None
    return told


def forget(session: Session, sealer: Sealer, seat: Seat) -> None:
    """Defer nothing any more: the player has seen it on the game's page, and answers it there.

    Only the conditional moves of theirs that were dropped are not to be seen there.
    """
    if seat.untold_turn is None and seat.untold_at is None:
        return
    session.flush()
    session.refresh(seat, _HERE, with_for_update=True)
    dropped = _with_deferred(sealer, seat, Aside()).dropped
    seat.untold_turn = seat.untold_at = seat.deferred_until = None
    seat.sealed_aside = sealer.seal_json(asdict(Aside(dropped=dropped))) if dropped else None


def _said_since(session: Session, seat: Seat, moment: datetime) -> list[int]:
    """The numbers of everything that others have said since."""
    said = select(GameMessage.id).where(
        GameMessage.game_id == seat.game_id,
        heard(seat.number),
        col(GameMessage.said_at) >= moment,
    )
    return [number for number in session.exec(said.order_by(col(GameMessage.id))) if number is not None]


def _with_deferred(sealer: Sealer, seat: Seat, aside: Aside) -> Aside:
    """What is for the player alone, after what was deferred of it."""
    if seat.sealed_aside is None:
        return aside
    return aside.behind(Aside(**sealer.open_json(seat.sealed_aside)))
