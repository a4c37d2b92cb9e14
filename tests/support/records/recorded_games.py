"""Whole games, stored without email: the same moves for the same number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from rules.chance import Chance
from rules.game import Json
from rules.records.entries import Credit
from rules.records.proof import Seed
from rules.records.record import Record
from rules.registry import RULES
from server.accounts import players
from server.game.lobby import challenges
from server.game.log import log
from server.game.play import moves
from server.game.play.loaded_game import load_game, open_all
from server.game.play.target import Target
from server.processes.services import Services, open_services
from server.store.db import writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from tests.support.server.games import offer_draw
from tests.support.server.services import settings_for, sqlite_database

NAMES = ("Ann", "Ben", "Çiğdem", "Дора")
LUCK = ("", "three wishes", "„ßø“ 🎲", "")


@contextmanager
def open_games(folder: Path) -> Iterator[Services]:
    """Services for games alone, on a database of their own."""
    settings = settings_for(sqlite_database(folder))
    services = open_services(settings, lambda: datetime(2026, 3, 1, tzinfo=UTC))
    yield services
    services.engine.dispose()


def finished(services: Services, game_type: str, options: Json, number: int, most: int = 1000) -> Record:
    """Return the record of random game `number`; after `most` turns a seat resigns, or all agree on a draw."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        game = begun(action, game_type, options, number)
        below = Chance(number.to_bytes(32, "big"), "choices").below
        while game.state == "running":
            if game.turn > most:
                _break_off(action, game, below(2) == 0)
            else:
                _play_turn(action, game, below)
        return log.record(session, game)


def begun(action: ActionContext, game_type: str, options: Json, number: int) -> Game:
    """Game `number`, just begun, with the seed of that number."""
    rules = RULES[game_type]
    company = [_player(action, name) for name in NAMES[: len(rules.seats(rules.options(options)))]]
    first, *others = company
    seed = Seed((number + 1).to_bytes(32, "big"))
    game = challenges.challenge(action, first, others, game_type, options, own_words=True, seed=seed)
    challenges.give_words(action, first, log.id_of(game), LUCK[number % 4])
    for at, other in enumerate(others):
        challenges.accept(action, other, log.id_of(game), LUCK[(number + at) % 4])
    return game


def _play_turn(action: ActionContext, game: Game, below: Callable[[int], int]) -> None:
    """One turn of random moves, of one seat or of all; now and then one gives no orders, and gets time back."""
    rules, position, turn = log.rules_of(game), log.position_of(game), game.turn
    seats = rules.to_move(position)
    misses = len(seats) > 1 and turn > 2 and rules.may_abstain(position) and below(5) == 0
    for seat in seats[:-1] if misses else seats:
        text = rules.format(rules.sample(position, seat, below))
        moves.submit(action, _at(action, game, seat), Target(log.id_of(game), seat, turn), text)
    if misses:
        log.append_entry(action.session, game, Credit("mail", action.now, action.now, seats[-1]), action.now)
        open_all(load_game(action, game), None, "")


def _break_off(action: ActionContext, game: Game, draw: bool) -> None:
    seats = sorted({seat.number for seat, _ in log.seats(action.session, game)} - log.seats_out(game))
    if not draw:
        return _act(moves.resign, action, game, seats[0])
    for seat in seats:
        _act(offer_draw, action, game, seat)


def _act(
    deed: Callable[[ActionContext, Player, Target], Game], action: ActionContext, game: Game, seat: int
) -> None:
    deed(action, _at(action, game, seat), Target(log.id_of(game), seat, game.turn))


def _at(action: ActionContext, game: Game, seat: int) -> Player:
    return log.seats(action.session, game)[seat][1]


def _player(action: ActionContext, name: str) -> Player:
    """The player of this name; without an address they get no mail."""
    player = players.by_name(action.session, name)
    if player is None:
        player = players.new_player(name, action.now)
        action.session.add(player)
        action.session.flush()
    return player
