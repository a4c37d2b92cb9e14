"""The buttons of a game's actions."""

from __future__ import annotations

from dataclasses import replace

from server.actions.play import DRAW
from server.game.views.game_view import game_view
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from tests.support.server.computer_players import begin_solo, seat_of


def test_draw_is_offered_once_all_computer_players_have_left(services: Services, ann: Player) -> None:
    number = begin_solo(services, ann, "nexus", computers=2, players=3)
    own = seat_of(services, number, ann)
    with reading(services.engine) as session:
        view = game_view(session, services.sealer, session.get_one(Game, number), own)
    assert DRAW.button is not None
    one, other = (seat.number for seat in view.seats if seat.computer)
    for gone, button in (((), ""), ((one,), ""), ((one, other), "Offer a draw")):
        seats = tuple(replace(seat, left=seat.number in gone) for seat in view.seats)
        assert DRAW.button(replace(view, seats=seats)) == button
