"""Events in the games of a player, for bots that wait for them. Each event is returned once, in order."""

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
"""How long finished games and messages are still reported to a bot that was away."""
_LATE = timedelta(minutes=1)
"""The longest time from an event's moment until its transaction is committed."""
_MOST = 200
_NO_LOGIN = 0


@dataclass(frozen=True)
class Event:
    """An event in a game of a player: it is their turn, they are invited, it is over, or there is a message."""

    sort: Literal["turn", "invited", "over", "said"]
    """"turn" (the player has to move), "invited", "over" or "said" (there is a message)."""
    game: int
    which: int
    """The turn to be played, or the number of the message; otherwise 0."""
    game_type: str
    due: datetime | None = None
    """The deadline of the move."""
    outcome: str = ""
    """The result for the player."""


class Events:
    """The events of the player with this number, who has already received those up to `since`.

    Turns and invitations that wait for the player are always included at first, so a bot needs no other request
    to begin.
    """

    def __init__(self, player: int, since: datetime) -> None:
        self._player = player
        self._since = since - _LATE
        self._version = ""
        self._waiting: set[Event] = set()
        self._told: set[Event] = set()

    def new(self, session: Session) -> list[Event]:
        """Return the events since the last call; [] if there are none."""
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
        """Yield messages from others, except from ignored players, unless the game is anonymous.

        Messages in a game that ended earlier are left out.
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
