"""A game, and who sits there."""

from __future__ import annotations

import time
from collections.abc import Mapping

from sqlalchemy import Engine

from server.store.db import reading
from server.store.models import Game
from tests.soak.people import Person
from tests.support.evening.hands import RESIGN, SILENCE, Hands, Played


class SoakGame:
    """Looked at by one thread at a time."""

    def __init__(self, number: int, seats: Mapping[int, Person], hands: Hands, engine: Engine) -> None:
        self.number = number
        self.seats = seats
        self.is_over = False
        self.began = time.monotonic()
        self.moved = 0.0
        """When a move was last acknowledged here, on the monotonic clock; 0.0 for never."""
        self.perhaps: set[Played] = set()
        """Moves of which nobody knows whether they arrived: no answer came."""
        self.taken: dict[int, float] = {}
        """By turn: when its last move was acknowledged."""
        self._hands, self._engine = hands, engine
        self._open: set[int] = set()
        """Seats whose move of this turn is not acknowledged yet."""
        self._turn = 0

    def look(self) -> bool:
        """Make every move that is due; return whether nothing is left to do for now.

        Raises the errors of an email program or a browser if nothing could be sent.
        """
        with reading(self._engine) as session:
            game = session.get_one(Game, self.number)
        self.is_over = game.state == "over"
        if self._turn != game.turn:
            self._turn, self._open = game.turn, set(self.seats)
        for seat in [] if self.is_over else sorted(self._open):
            text = self._hands.next(self.number, game.turn, seat)
            if text == SILENCE or self._move(seat, text):
                self._open.discard(seat)
        return not self._open

    def finish(self) -> None:
        """Send unanswered emails again, when there is no fault."""
        for person in self.seats.values():
            person.bring_again(self.number)

    def _move(self, seat: int, text: str) -> bool:
        """Send a move; whether it was acknowledged."""
        person = self.seats[seat]
        played = Played(self.number, self._turn, seat, text, "mail" if person.writes else "web")
        try:
            is_taken = person.move(self.number, self._turn, text)
        except Exception:
            self.perhaps.add(played)
            raise
        if is_taken:
            self.perhaps.discard(played)
            self.moved = self.taken[self._turn] = time.monotonic()
            if text != RESIGN:
                self._hands.note(played)
        return is_taken
