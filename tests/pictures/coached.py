"""Letters with hints and analyses of the computer."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rules.analysis.answering import answer
from server.accounts import players
from server.game.log import log
from server.jobs.inquiries import answer_next
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game
from tests.pictures.company import write
from tests.support.server.computer_players import begin_solo
from tests.support.server.emails import Written, letters, reply_address
from tests.support.server.games import submit

_OPENING = ("d4", "e5", "c5", "d6", "f4", "e3", "c3", "f6")


def of_the_computer(services: Services) -> Iterator[Written]:
    """Yield a hint in the middle of a game against a computer player, and the analysis after the game."""
    write(services, "Ann", "register Ann")
    with reading(services.engine) as session:
        ann = players.by_email(session, "ann@example.org")
    assert ann is not None
    number = begin_solo(services, ann, "nebuchadnezzar")
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        seat = next(seat.number for seat, player in log.seats(session, game) if player.id == ann.id)
    for turn, move in enumerate(_OPENING[: 6 + seat]):
        submit(services, number, turn % 2, move)
    write(services, "Ann", "hint", reply_address(services, number, seat))
    while answer_next(services.engine, services.sealer, services.now(), answer):
        pass
    over = begin_solo(services, ann, "nebuchadnezzar", size=5)
    while (to_move := _seat(services, over)) is not None:
        submit(services, over, to_move, _any_move(services, over))
    write(services, "Ann", f"analyse {over}")
    while answer_next(services.engine, services.sealer, services.now(), answer):
        pass
    yield from letters(services)


def _seat(services: Services, number: int) -> int | None:
    """Return the seat that is to move; None once the game is over."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        return None if game.state == "over" else log.rules_of(game).to_move(log.position_of(game))[0]


def _any_move(services: Services, number: int) -> str:
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        rules, position = log.rules_of(game), log.position_of(game)
    seat = rules.to_move(position)[0]
    return rules.format(rules.sample(position, seat, Random(game.turn).randrange))
