"""Words of one player's that another reports to the operator, who otherwise never reads what is said."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from server.accounts import players
from server.clock.spans import DAY
from server.errors import BadRequest
from server.game import history
from server.limits import LONGEST_LINE
from server.store.models import Game, Player, Press, Reported, Seat
from server.store.outbox import Action
from server.store.sealing import Sealer

MOST_REPORTS = 5
"""Things that a player reports in a day."""


@dataclass(frozen=True)
class ReportedWords:
    """What the operator is told of words that were reported."""

    number: int
    game: int
    turn: int
    speaker: str
    by: str
    words: str
    why: str
    """What the player who reported them wrote about it; "" for nothing."""
    at: datetime


def words_at(action: Action, game: Game, seat: int, place: int | None = None) -> Press:
    """What another player said: at this place, from 1, of all that `seat` knows, or the last.

    Raises BadRequest where that is nothing.
    """
    found = list(action.session.exec(history.words_for(action.session, game, seat)))
    if place is not None:
        found = found[place - 1 : place] if place > 0 else []
    heard = [press for press in found if press.seat != seat]
    if not heard:
        raise BadRequest("Nobody else has said anything here that could be reported.")
    return heard[-1]


def report(action: Action, player: Player, press: Press, why: str) -> str:
    """Report words that a player heard, once, and give them back to be shown. Raises BadRequest."""
    session, number = action.session, players.identity(player)
    mine = select(Reported).where(Reported.by_id == number)
    if session.exec(mine.where(Reported.press_id == press.id)).first() is not None:
        raise BadRequest("You have reported this already. The operator has it.")
    today = select(func.count()).where(Reported.by_id == number, col(Reported.reported_at) > action.now - DAY)
    if session.exec(today).one() >= MOST_REPORTS:
        raise BadRequest(f"You have reported {MOST_REPORTS} things within a day. You can go on tomorrow.")
    words = action.sealer.open(press.sealed).decode()
    session.add(
        Reported(
            game_id=press.game_id,
            press_id=press.id or 0,
            speaker_id=session.get_one(Seat, (press.game_id, press.seat)).player_id,
            by_id=number,
            sealed=action.sealer.seal_json({"words": words, "why": why.strip()[:LONGEST_LINE]}),
            reported_at=action.now,
        )
    )
    return words


def unsettled(session: Session, sealer: Sealer, since: datetime | None = None) -> list[ReportedWords]:
    """What was reported, and the operator is not done with, oldest first; only `since` then, when given."""
    query = select(Reported, Press).where(Press.id == Reported.press_id, col(Reported.settled_at).is_(None))
    if since is not None:
        query = query.where(col(Reported.reported_at) > since)
    rows = session.exec(query.order_by(col(Reported.id)).limit(50)).all()
    return [_words(session, sealer, reported, press) for reported, press in rows]


def _words(session: Session, sealer: Sealer, reported: Reported, press: Press) -> ReportedWords:
    speaker, by = (session.get_one(Player, number) for number in (reported.speaker_id, reported.by_id))
    told = sealer.open_json(reported.sealed)
    return ReportedWords(
        number=reported.id or 0,
        game=reported.game_id,
        turn=press.turn,
        speaker=speaker.name,
        by=by.name,
        words=told["words"],
        why=told["why"],
        at=reported.reported_at,
    )
