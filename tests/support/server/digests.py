"""Two players: Ann gets a digest, Ben does not."""

from __future__ import annotations

from sqlmodel import select

from server.accounts import players
from server.game.log import log
from server.game.messages import messages
from server.game.preferences import preferences
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.emails import Written, letters
from tests.support.server.games import begin, submit
from tests.support.server.services import Clock


class DigestReaders:
    """Ann, who gets a digest, and Ben, who does not. It is Sunday noon."""

    def __init__(self, services: Services, clock: Clock, digest: str) -> None:
        self.services, self.clock = services, clock
        with writing(services.engine) as session:
            action = self.action(session)
            self.ann = players.register(action, "ann@example.org", "Ann")
            self.ben = players.register(action, "ben@example.org", "Ben")
            preferences.set_digest(action, self.ann, digest)
        self.seen = 0
        self.new()

    def action(self, session: object) -> ActionContext:
        return ActionContext(session, self.services.sealer, self.clock())  # type: ignore[arg-type]

    def begin(self, to_move: str, game_type: str = "nebuchadnezzar", **options: object) -> int:
        """Start a game in which this player moves first; return its number."""
        while True:
            number = begin(self.services, game_type, self.ann, self.ben, **{"size": 5, "time": "7d", **options})
            if to_move == ("Ann" if self.seat(number, self.ann) == 0 else "Ben"):
                return number
            with writing(self.services.engine) as session:
                game = session.get_one(Game, number)
                game.state, game.stale_at = "over", None
                for seat, _ in log.seats(session, game):
                    seat.owes, seat.deferred_since, seat.unreported_turn = False, None, None
                    seat.deadline_at = seat.grace_until = seat.remind_at = None
            self.new()

    def seat(self, number: int, player: Player) -> int:
        with reading(self.services.engine) as session:
            query = select(Seat.number).where(Seat.game_id == number, Seat.player_id == player.id)
            return session.exec(query).one()

    def stored(self) -> Player:
        with reading(self.services.engine) as session:
            return session.get_one(Player, self.ann.id)

    def move(self, number: int, text: str) -> None:
        with reading(self.services.engine) as session:
            seat = next(s.number for s, _ in log.seats(session, session.get_one(Game, number)) if s.owes)
        submit(self.services, number, seat, text)

    def say(self, number: int, text: str) -> None:
        with writing(self.services.engine) as session:
            game = session.get_one(Game, number)
            messages.say(self.action(session), game, self.seat(number, self.ben), text)

    def new(self, to: str = "ann@example.org") -> list[Written]:
        """Return the emails to a player since the last call."""
        found = letters(self.services, self.seen)
        self.seen += len(found)
        return [each for each in found if each.to == to]

    def sorts(self) -> list[str]:
        return [each.letter for each in self.new()]
