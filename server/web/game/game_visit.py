"""A visit to a game: its game and seat, and the actions of the visitor."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import abort

from server.actions.action import Action, GameActor, Outcome
from server.errors import NotYours
from server.game.log import log, visibility
from server.game.log.display_names import called
from server.game.play.target import Target
from server.game.views.read_markers import Sight
from server.store.db import locked
from server.store.models import Game, Seat
from server.web.shared.visits import Visit, about_actor, require_login, visitor


@dataclass(frozen=True)
class GameVisit:
    """A visit to a game; `seat` is that of the visitor, None for a spectator."""

    visit: Visit
    game: Game
    seat: int | None

    @property
    def number(self) -> int:
        """The number of the game."""
        return log.id_of(self.game)

    @property
    def own_seat(self) -> Seat | None:
        """The visitor's row in the seats; None for a spectator."""
        return None if self.seat is None else self.visit.session.get_one(Seat, (self.number, self.seat))

    @property
    def unseen(self) -> Sight | None:
        """The content of the page, if some of it is new to the visitor; else None."""
        seat = self.own_seat
        if seat is None or not self.has_begun:
            return None
        sight = Sight.of_game(self.visit.session, self.game)
        return sight if sight.is_new_to(seat) else None

    def names(self) -> list[str]:
        """Return the names of the players by seat."""
        seated = log.seats(self.visit.session, self.game)
        own = None if self.seat is None else seated[self.seat].player.id
        return [called(self.game, *each, own) for each in seated]

    @property
    def has_begun(self) -> bool:
        """True if the game has started."""
        return log.has_begun(self.game)

    def carry_out(self, action: Action[GameActor, Any], values: Mapping[str, object], turn: int) -> Outcome:
        """Carry out an action for the visitor. Raises LoginNeeded, Refused or WrongMove."""
        about = about_actor(self.visit)
        visitor = GameActor(**about, game=self.game, seat=self.seat, turn=turn)
        return action.carry_out(visitor, values)

    def target(self, turn: int) -> Target:
        """Return the target of the visitor's action in a turn.

        Raises LoginNeeded, or NotYours for a spectator.
        """
        require_login()
        if self.seat is None:
            raise NotYours(f"You have no seat in game {self.number}.")
        return Target(self.number, self.seat, turn)


def at_game(visit: Visit, number: int) -> GameVisit:
    """Return the visit to a game; 404 if it does not exist or the visitor may not see it."""
    who = visitor()
    found = visibility.visible_game(visit.session, number, None if who is None else who.number)
    if found is None:
        abort(404)
    return GameVisit(visit, *found)


def at_locked_game(visit: Visit, number: int) -> GameVisit:
    """Return the visit to a game that is locked until the transaction ends, to change something.

    Notes that the player is on the page, so that for a while they get no emails about it.
    """
    locked(visit.session, Game, number)
    here = at_game(visit, number)
    if here.seat is not None:
        visit.session.get_one(Seat, (number, here.seat)).page_at = visit.action.now
    return here
