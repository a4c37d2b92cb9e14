"""A game, and who sits there."""

from __future__ import annotations

import time
from collections.abc import Mapping

from sqlalchemy import Engine

from server.store.db import reading
from server.store.models import Game
from tests.e2e.evening.hands import RESIGN, SILENCE, Hands, Played
from tests.soak.people import Person, Told

_PATIENCE = 60.0


class Table:
    """Looked at by one thread at a time."""

    def __init__(self, number: int, seats: Mapping[int, Person], hands: Hands, engine: Engine) -> None:
        self.number = number
        self.seats = seats
        self.is_over = False
        self.began = time.monotonic()
        self.moved = 0.0
        """When a move was last acknowledged here, on the monotonic clock; 0.0 for never."""
        self.perhaps: list[Played] = []
        """Moves of which nobody knows whether they arrived: no answer came."""
        self.taken: dict[int, float] = {}
        """By turn: when its last move was acknowledged."""
        self._hands, self._engine = hands, engine
        self._open: set[int] = set()
        """Seats whose move of this turn is not acknowledged yet."""
        self._turn = 0

    def look(self) -> bool:
        """Have everybody move who has to; whether nothing is left to do for now.

        Raises what a mail program or a browser does when nothing could be sent.
        """
        with reading(self._engine) as session:
            game = session.get_one(Game, self.number)
        self.is_over = game.state == "over"
        if self._turn != game.turn:
            self._turn, self._open = game.turn, set(self.seats)
        for seat in [] if self.is_over else sorted(self._open):
            text = self._hands.next(self.number, game.turn, seat)
            if text == SILENCE or self._move(seat, text) is Told.TAKEN:
                self._open.discard(seat)
        return not self._open

    def finish(self) -> None:
        """Bring what nobody has answered yet until somebody does. Raises AssertionError if nobody ever does."""
        end = time.monotonic() + _PATIENCE
        while any(person.waits(self.number) for person in self.seats.values()):
            self.look()
            assert time.monotonic() < end, f"game {self.number} takes no move of turn {self._turn}"
            time.sleep(1)

    def _move(self, seat: int, text: str) -> Told:
        person = self.seats[seat]
        way = "mail" if person.writes else "web"
        told = person.move(self.number, self._turn, text)
        played = Played(self.number, self._turn, seat, text, way)
        if told is Told.PERHAPS:
            self.perhaps += [] if text == RESIGN else [played]
        elif told is Told.TAKEN:
            self.moved = self.taken[self._turn] = time.monotonic()
            if text != RESIGN:
                self._hands.note(played)
        return told
