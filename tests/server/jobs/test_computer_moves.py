"""The turns of computer players: their order, their claims, and the time to think."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import select

from rules.analysis.subprocess_worker import Question
from server.game.lobby import challenge_checks, challenges
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.jobs import computer_moves
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import reading, writing
from server.store.failures import is_noted
from server.store.models import Failure, Game, Player
from server.store.outbox import ActionContext
from tests.support.database.connections import lost_at
from tests.support.server.computer_players import arrive, challenge, move_next, owing, think
from tests.support.server.services import Clock


@pytest.mark.both
def test_one_process_at_a_time_computes_a_move(services: Services, settings: Settings, ann: Player) -> None:
    numbers = [challenge(services, ann, 1) for _ in range(3)]
    elsewhere = open_services(settings, services.now)

    def claims(here: Services) -> list[computer_moves.Claim]:
        found = []
        while (taken := computer_moves.claim(here.engine, here.now())) is not None:
            found.append(taken)
        return found

    with ThreadPoolExecutor() as threads:
        both = [claim for here in threads.map(claims, [services, elsewhere]) for claim in here]
    elsewhere.close()
    assert sorted(claim.game for claim in both) == numbers


@pytest.mark.both
def test_move_is_computed_again_after_a_crash(services: Services, clock: Clock, ann: Player) -> None:
    number = challenge(services, ann, 1)
    lost = computer_moves.claim(services.engine, clock())
    assert lost is not None
    assert computer_moves.claim(services.engine, clock()) is None
    clock.advance(seconds=computer_moves.LEASE.total_seconds() - 1)
    assert computer_moves.claim(services.engine, clock()) is None
    clock.advance(seconds=1)
    again = computer_moves.claim(services.engine, clock())
    assert again is not None
    computer_moves.move(services.engine, services.sealer, clock, again, think)
    assert owing(services) == []
    # If the first process still runs, its answer comes too late and changes nothing.
    computer_moves.move(services.engine, services.sealer, clock, lost, think)
    with reading(services.engine) as session:
        assert session.get_one(Game, number).turn == 1


def test_move_computed_too_late_is_discarded(services: Services, clock: Clock, ann: Player) -> None:
    number = challenge(services, ann, 1)

    def resign_meanwhile(question: Question) -> str:
        with writing(services.engine) as session:
            me = session.get_one(Player, ann.id)
            seat = challenges.seat_of(session, session.get_one(Game, number), me) or 0
            moves.resign(ActionContext(session, services.sealer, clock()), me, Target(number, seat, 1))
        return think(question)

    taken = computer_moves.claim(services.engine, clock())
    assert taken is not None
    computer_moves.move(services.engine, services.sealer, clock, taken, resign_meanwhile)
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        assert game.state == "over"
        assert [seat.thinking_until for seat, _ in log.seats(session, game)] == [None, None]


def test_turn_of_a_stopping_process_is_released_immediately(
    services: Services, clock: Clock, ann: Player
) -> None:
    challenge(services, ann, 1)
    taken = computer_moves.claim(services.engine, clock())
    assert taken is not None
    computer_moves.move(services.engine, services.sealer, clock, taken, lambda question: None)
    assert computer_moves.claim(services.engine, clock()) is not None


@pytest.mark.both
def test_database_outage_is_no_failure_of_the_game(services: Services, clock: Clock, ann: Player) -> None:
    challenge(services, ann, 1)
    taken = computer_moves.claim(services.engine, clock())
    assert taken is not None
    with lost_at(services.engine, "INSERT INTO envelope"), pytest.raises(OperationalError):
        computer_moves.move(services.engine, services.sealer, clock, taken, think)
    with reading(services.engine) as session:
        assert session.exec(select(Failure)).all() == []
    assert move_next(services), "it is thought about at once"
    assert owing(services) == []


@pytest.mark.usefixtures("failures_meant")
def test_impossible_move_is_recorded_and_blocks_nothing(services: Services, clock: Clock, ann: Player) -> None:
    bad, good = (
        challenge(services, ann, 1),
        challenge(services, ann, 1, game_type="nelaxtam", size=10, troops=2),
    )

    def ask(question: Question) -> str:
        if question.options["troops"] != 2:
            raise RuntimeError("the child is dead")
        return think(question)

    while move_next(services, ask):
        pass
    assert owing(services) == [bad]
    with reading(services.engine) as session:
        assert is_noted(session, "computer", Game, bad)
        assert not is_noted(session, "computer", Game, good)
        assert len(session.exec(select(Failure)).all()) == 1
    clock.advance(minutes=1)
    assert move_next(services)
    with reading(services.engine) as session:
        assert session.exec(select(Failure)).all() == []


@pytest.mark.both
def test_player_at_the_page_comes_first_and_then_the_longest_wait(
    services: Services, clock: Clock, ann: Player
) -> None:
    numbers = []
    for _ in range(4):
        numbers.append(challenge(services, ann, 1))
        clock.advance(minutes=5)
    arrive(services, numbers[3], ann)
    arrive(services, numbers[2], ann)
    found = []
    while (taken := computer_moves.claim(services.engine, clock())) is not None:
        found.append(taken.game)
    assert found == [numbers[2], numbers[3], numbers[0], numbers[1]]


@pytest.mark.both
def test_turn_with_a_near_deadline_comes_before_longer_waits(
    services: Services, clock: Clock, ann: Player
) -> None:
    first = challenge(services, ann, 1)
    clock.advance(minutes=1)
    urgent = challenge(services, ann, 1, time="2h")
    clock.advance(minutes=30)
    most_urgent = challenge(services, ann, 1, time="1h")
    clock.advance(minutes=35)
    watched = challenge(services, ann, 1)
    arrive(services, watched, ann)
    found = []
    while (taken := computer_moves.claim(services.engine, clock())) is not None:
        found.append(taken.game)
    assert found == [watched, most_urgent, urgent, first]


def test_player_who_left_the_page_waits_like_the_others(services: Services, clock: Clock, ann: Player) -> None:
    first, second = challenge(services, ann, 1), challenge(services, ann, 1)
    arrive(services, second, ann)
    clock.advance(minutes=16)
    taken = computer_moves.claim(services.engine, clock())
    assert taken is not None
    assert (taken.game, taken.soon) == (first, False)


Waiting = tuple[int, int, int]
"""The numbers of games with a player at the page, of games without, and of thinkers."""


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("waiting", "seconds"),
    [
        ((1, 0, 1), 5.0),
        ((0, 1, 1), 30.0),
        ((1, 40, 1), 5.0),
        ((4, 0, 1), 2.5),
        ((4, 0, 2), 5.0),
        ((0, 12, 1), 10.0),
        ((0, 12, 3), 30.0),
        ((60, 0, 1), 0.2),
    ],
)
def test_more_waiting_turns_get_less_time_each(
    services: Services,
    clock: Clock,
    ann: Player,
    monkeypatch: pytest.MonkeyPatch,
    waiting: Waiting,
    seconds: float,
) -> None:
    monkeypatch.setattr(challenge_checks, "MOST_WITH_COMPUTERS", 100)
    here, away, thinkers = waiting
    for number in range(here + away):
        game = challenge(services, ann, 1)
        if number < here:
            arrive(services, game, ann)
    taken = computer_moves.claim(services.engine, clock(), thinkers)
    assert taken is not None
    assert taken.seconds == pytest.approx(seconds)


def test_all_waiting_turns_share_the_remaining_time(services: Services, clock: Clock, ann: Player) -> None:
    for _ in range(10):
        arrive(services, challenge(services, ann, 1), ann)
    seconds = []
    while (taken := computer_moves.claim(services.engine, clock())) is not None:
        seconds.append(taken.seconds)
        clock.advance(seconds=taken.seconds)
    assert seconds[:9] == pytest.approx([1.0] * 9)
    assert sum(seconds[:9]) + computer_moves.SOON <= 15


def test_single_turn_that_waited_long_gets_much_time(services: Services, clock: Clock, ann: Player) -> None:
    challenge(services, ann, 1)
    clock.advance(hours=3)
    taken = computer_moves.claim(services.engine, clock())
    assert taken is not None
    assert taken.seconds == computer_moves.LATER


def test_several_computer_players_of_one_game_each_move(services: Services, clock: Clock, ann: Player) -> None:
    number = challenge(services, ann, 1, 2, 3, game_type="nexus", players=4)
    levels = []

    def ask(question: Question) -> str:
        levels.append((question.seat, question.level))
        return think(question)

    for _ in range(2):
        while move_next(services, ask):
            pass
        with writing(services.engine) as session:
            game = session.get_one(Game, number)
            rules, position = log.rules_of(game), log.position_of(game)
            (seat,) = rules.to_move(position)
            move = rules.format(next(iter(rules.moves(position, seat))))
            action = ActionContext(session, services.sealer, clock())
            moves.submit(action, session.get_one(Player, ann.id), Target(number, seat, game.turn), move)
    with reading(services.engine) as session:
        strengths = {seat.number: player.strength for seat, player in log.seats(session, game)}
    assert {strengths[seat] for seat, _ in levels} == {1, 2, 3}
    assert all(strengths[seat] == level for seat, level in levels)
