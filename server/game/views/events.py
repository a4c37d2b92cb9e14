"""What happens in the games of a player, for a program that waits for it: told in order, and once."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, or_, select

from server.accounts import relations
from server.game.log.display_names import NAMELESS
from server.game.views.versions import lists_version
from server.store.models import Game, GameMessage, Seat
from server.store.models.message_audience import heard

KEPT = timedelta(days=1)
"""How far back one who was away is told what has ended, and that something was said."""
_LATE = timedelta(minutes=1)
"""How much later than it says what happened may come to be seen: a transaction takes its time."""
_MOST = 200
_NO_LOGIN = 0


@dataclass(frozen=True)
class Event:
    """Something that happened in a game."""

    sort: Literal["turn", "invited", "over", "said"]
    """What: that a turn begins to wait, for one."""
    game: int
    which: int
    """The turn that waits; of what was said its number; else 0."""
    game_type: str
    due: datetime | None = None
    """When the move is due."""
    outcome: str = ""
    """What the result is for the player."""


class Events:
    """What the player with this number has still to be told, who was told everything up to `since`.

    What waits for them is told in any case, as long as it does: whoever begins to listen need ask for nothing.
    """

    def __init__(self, player: int, since: datetime) -> None:
        self._player = player
        self._since = since - _LATE
        self._version = ""
        self._waiting: set[Event] = set()
        self._told: set[Event] = set()

    def new(self, session: Session) -> list[Event]:
        """What is to be told now."""
        version = lists_version(session, self._player, _NO_LOGIN).text
        if version == self._version:
            return []
        self._version = version
        past = [each for each in (*self._over(session), *self._said(session)) if each not in self._told]
        waiting = {*self._turns(session), *self._invitations(session)}
        begun = waiting - self._waiting
        self._waiting = waiting
        self._told.update(past)
        return [*past, *sorted(begun, key=lambda event: (event.sort, event.game))]

    def _turns(self, session: Session) -> Iterable[Event]:
        query = select(Game.id, Game.turn, Game.game_type, Seat.deadline_at).where(
            Seat.game_id == Game.id, Seat.player_id == self._player, col(Seat.owes)
        )
        for number, turn, game_type, due in session.exec(query):
            yield Event("turn", number or 0, turn, game_type, due)

    def _invitations(self, session: Session) -> Iterable[Event]:
        query = select(Game.id, Game.game_type).where(
            *(Seat.game_id == Game.id, Seat.player_id == self._player, col(Seat.over_at).is_(None)),
            *(Game.state == "invited", ~col(Seat.accepted), Seat.number != 0),
        )
        for number, game_type in session.exec(query):
            yield Event("invited", number or 0, 0, game_type)

    def _over(self, session: Session) -> Iterable[Event]:
        query = (
            select(Game.id, Game.game_type, Seat.outcome)
            .where(Seat.game_id == Game.id, Seat.player_id == self._player)
            .where(col(Seat.over_at) >= self._since)
            .order_by(col(Seat.over_at).desc())
            .limit(_MOST)
        )
        for number, game_type, outcome in reversed(session.exec(query).all()):
            yield Event("over", number or 0, 0, game_type, outcome=outcome)

    def _said(self, session: Session) -> Iterable[Event]:
        """What others said, but for those whom the player ignores, unless nobody may know who that is.

        What is said about a game that ended earlier waits for whoever looks at it.
        """
        speaker = aliased(Seat)
        query = (
            select(GameMessage.id, Game.id, Game.game_type)
            .join(Seat, and_(col(Seat.game_id) == col(GameMessage.game_id), heard(col(Seat.number))))
            .join(speaker, and_(speaker.game_id == GameMessage.game_id, speaker.number == GameMessage.seat))
            .join(Game, col(Game.id) == col(GameMessage.game_id))
            .where(Seat.player_id == self._player, col(GameMessage.said_at) >= self._since)
            .where(or_(col(Seat.over_at).is_(None), col(Seat.over_at) >= self._since))
            .where(or_(NAMELESS, col(speaker.player_id).not_in(relations.unheard_by(self._player))))
            .order_by(col(GameMessage.id).desc())
            .limit(_MOST)
        )
        for message, number, game_type in reversed(session.exec(query).all()):
            yield Event("said", number or 0, message or 0, game_type)
