"""Playing slowly, joining early, or losing on purpose before gives no advantage."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

import pytest
from sqlmodel import col, delete, select

from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.game.preferences import vacations
from server.jobs.table import COUNTING
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Pairing, Player, Rating, RatingChange, Seat
from server.tournaments.rows import entrants_of, seeded
from tests.support.server.games import begin
from tests.support.server.services import Clock
from tests.support.server.tournaments import NAMES, Field, view_of

LATE, SOON = timedelta(days=2, hours=22), timedelta(hours=10)
"""The time per move of a player who stalls, and of one who does not, with three days for a move."""


def play_out(field: Field, staller: str) -> None:
    """Play the only running game until the tournament is over; the staller, who plays badly, stalls."""
    field.tick()
    while going_on := field.going_on():
        (pairing,) = going_on
        seat, name = owing(field, pairing)
        field.clock.time += LATE if name == staller else SOON
        field.tick()
        if field.going_on() == [pairing]:
            play_move(field, pairing, seat, name, well=name != staller)
        field.tick()
    assert field.now.state == "over"


def owing(field: Field, pairing: Pairing) -> tuple[int, str]:
    """Return the seat to move in a game, and the name of its player."""
    with reading(field.services.engine) as session:
        seats = log.seats(session, session.get_one(Game, pairing.game_id))
        return next((seat.number, player.name) for seat, player in seats if seat.owes)


def play_move(field: Field, pairing: Pairing, seat: int, name: str, *, well: bool) -> None:
    """Play the best move for a seat, or the worst one."""
    with writing(field.services.engine) as session:
        game = session.get_one(Game, pairing.game_id)
        rules, position = log.rules_of(game), log.position_of(game)

        def worth(move: object) -> float:
            after = rules.play(position, {seat: move})
            return (rules.evaluate(after) or (0.5, 0.5))[seat] * (1 if well else -1)

        text = rules.format(max(rules.moves(position, seat), key=worth))
        target = Target(log.id_of(game), seat, game.turn)
        moves.submit(field.action(session), session.get_one(Player, field.ids[name]), target, text)


def test_first_seed_of_a_knock_out_does_not_win_by_stalling(services: Services, clock: Clock) -> None:
    field = Field(services, clock, size=5, form="knock-out", places="2")
    field.enter("Ann", "Ben")
    play_out(field, "Ann")
    assert field.pairings()[-1].adjudicated is False, "there is time to finish an ordinary game"
    assert winner(field) == "Ben"


@pytest.mark.parametrize("staller", ["Ann", "Ben"])
def test_stalling_does_not_prevent_a_loss_in_a_swiss(services: Services, clock: Clock, staller: str) -> None:
    field = Field(services, clock, form="swiss", places="2", after="20d")
    field.enter("Ann", "Ben")
    play_out(field, staller)
    assert field.pairings()[-1].adjudicated
    assert winner(field) == {"Ann": "Ben", "Ben": "Ann"}[staller]
    while COUNTING.run_next(services.engine, services.sealer, clock()):
        pass
    with reading(services.engine) as session:
        assert session.exec(select(RatingChange)).all() == [], "what was not finished is not rated"


def winner(field: Field) -> str:
    """Return the winner of the last game of a tournament; "" if it was drawn."""
    last = field.pairings()[-1]
    if last.first_points == last.second_points:
        return ""
    return field.names(last)[0 if last.first_points else 1]


def test_vacation_does_not_help_in_an_adjudication(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="swiss", places="2", after="10d", time="none")
    field.enter("Ann", "Ben")
    field.tick()
    (slow,) = field.going_on()
    field.live(days=3)
    field.move(slow)
    on_vacation(field, "Ben", "9d")  # Ben has used less time, and loses on the board
    field.live(days=9)
    assert field.letters("adjudicated_soon") == []
    field.live(days=4)
    assert len(field.letters("adjudicated_soon")) == 2
    field.live(days=2, hours=23)
    assert field.going_on()
    field.live(hours=2)
    assert winner(field) == "Ann"


def on_vacation(field: Field, name: str, text: str) -> None:
    with writing(field.services.engine) as session:
        vacations.announce(field.action(session), session.get_one(Player, field.ids[name]), text)


def test_less_thinking_time_decides_after_two_draws(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="knock-out", places="2")
    field.enter("Ann", "Ben")
    field.tick()
    for first in ("Ann", "Ben"):
        (game,) = field.going_on()
        assert field.names(game)[0] == first
        clock.advance(hours=9 if first == "Ann" else 8)
        field.draw(game)
        field.tick()
    assert field.now.state == "over"
    assert view_of(field).winners == ["Ben"]
    with writing(services.engine) as session:  # as in a tournament of an earlier version
        for pairing in session.exec(select(Pairing)):
            pairing.first_thought = pairing.second_thought = None
    assert view_of(field).winners == ["Ann"]


def test_thinking_time_of_orders_ends_when_they_are_in(services: Services, clock: Clock) -> None:
    field = Field(services, clock, "nelaxtam", form="swiss", places="2", after="14d", time="1d")
    field.enter("Ann", "Ben")
    field.tick()
    (only,) = field.going_on()
    for _ in range(25):
        for hours, number in ((4, 0), (16, 1)):
            field.live(hours=hours)
            if field.going_on():
                give_orders(field, only, number)
    (decided,) = field.pairings()
    assert decided.adjudicated
    assert (decided.first_points, decided.second_points) == (1.0, 0.0)
    assert (decided.first_thought or 0) < (decided.second_thought or 0)


def give_orders(field: Field, pairing: Pairing, number: int) -> None:
    with writing(field.services.engine) as session:
        game = session.get_one(Game, pairing.game_id)
        player = log.seats(session, game)[number].player
        text = log.rules_of(game).examples(log.position_of(game), number)[0]
        moves.submit(field.action(session), player, Target(log.id_of(game), number, game.turn), text)


def test_game_of_an_earlier_version_is_adjudicated_as_a_draw(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="swiss", places="2", after="10d", time="none")
    field.enter("Ann", "Ben")
    field.tick()
    with writing(services.engine) as session:
        for seat in session.exec(select(Seat)):
            seat.thought = None
    field.live(days=7)
    field.live(days=3)
    (settled,) = field.pairings()
    assert (settled.first_points, settled.second_points) == (0.5, 0.5)


def test_seeds_are_ordered_by_the_best_rating_of_the_last_year(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="knock-out", places="5")
    rate(field, {"Ann": 20.0, "Ben": 22.0, "Cleo": 24.0, "Dora": 21.0, "Emil": 19.0})
    reached(field, "Ann", 26.0, days_ago=300)
    reached(field, "Ben", 40.0, days_ago=400)
    reached(field, "Emil", 40.0, days_ago=10, sigma=6.0)
    field.enter(*NAMES[:5])
    field.tick()
    assert seeds(field) == ["Ann", "Cleo", "Ben", "Dora", "Emil"]


def test_players_without_a_rating_are_seeded_last_by_a_verifiable_lot(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="knock-out", places="6")
    with writing(services.engine) as session:
        session.execute(
            delete(Rating).where(col(Rating.player_id).not_in([field.ids["Emil"], field.ids["Fay"]]))
        )
    hash_before = field.now.lot_hash
    assert field.now.lot == ""
    assert hash_before in view_of(field).lot
    field.enter(*NAMES[:6])
    field.tick()
    secret = field.now.lot
    assert sha256(bytes.fromhex(secret)).hexdigest() == hash_before
    assert secret in view_of(field).lot
    drawn = sorted(NAMES[:4], key=lambda name: sha256(f"{secret}\n{name}".encode()).hexdigest())
    assert seeds(field) == ["Emil", "Fay", *drawn]


def rate(field: Field, numbers: dict[str, float]) -> None:
    with writing(field.services.engine) as session:
        for rating in session.exec(select(Rating)):
            rating.mu = numbers.get(field.name(rating.player_id), rating.mu)


def reached(field: Field, name: str, mu: float, days_ago: int, sigma: float = 2.0) -> None:
    """Give a player a rating in the past."""
    with reading(field.services.engine) as session:
        two = [session.get_one(Player, field.ids[each]) for each in (name, "Jon")]
    number = begin(field.services, "nebuchadnezzar", *two, size=4)
    with writing(field.services.engine) as session:
        rating = session.exec(select(Rating).where(Rating.player_id == field.ids[name])).one()
        change = RatingChange(
            **rating.model_dump(include={"player_id", "game_type", "pace"}),
            game_id=number,
            serial=number,
            mu=mu,
            sigma=sigma,
            at=field.clock() - timedelta(days=days_ago),
        )
        session.add(change)


def seeds(field: Field) -> list[str]:
    """Return the players by seed."""
    with reading(field.services.engine) as session:
        return [field.name(each.player_id) for each in seeded(list(session.exec(entrants_of(field.number))))]
