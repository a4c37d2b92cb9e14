"""Counting all games again during normal operation gives the right numbers, whatever happens meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from threading import Thread

import pytest
from click.testing import CliRunner
from sqlalchemy import delete
from sqlmodel import col, select

from server.cli import nabu
from server.game.integrity import recount
from server.game.play import endings
from server.game.ratings import results
from server.processes.services import Services
from server.store.db import writing
from server.store.engines import connect
from server.store.models import Conduct, Game, Habit, Ledger, Player, Rating, RatingChange, Tally
from server.store.outbox import ActionContext
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.server.ratings import BOARD, OPENING, count_all, counted, play_one
from tests.support.server.services import Clock, environment_of

DERIVED = (RatingChange, Rating, Tally, Habit, Conduct)


@pytest.fixture
def people(services: Services) -> list[Player]:
    return [add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben", "Cleo")]


def play_some(services: Services, clock: Clock, people: list[Player], choose: Random, games: int) -> None:
    for _ in range(games):
        winner, loser = choose.sample(people, 2)
        play_one(services, winner, loser, time=choose.choice(["1d", "3d"]))
        clock.advance(hours=choose.randrange(50))
        count_all(services)


def garble(services: Services) -> None:
    """Change, delete and invent rows of all counted data."""
    with writing(services.engine) as session:
        for table, column in ((RatingChange, "mu"), (Rating, "mu"), (Tally, "won"), (Habit, "answers")):
            first, *others = session.exec(select(table)).all()
            session.delete(first)
            for row in others:
                setattr(row, column, [3] if column == "answers" else 3)
        for answered in session.exec(select(Conduct)):
            answered.answers = [3]
        session.add(Tally(player_id=1, game_type="nibble", won=7, drawn=0, lost=0, abandoned=0))


def from_nothing(services: Services) -> list[list[dict[str, object]]]:
    """Return the counted data when all games are counted for the first time, in order."""
    with writing(services.engine) as session:
        for table in (*DERIVED, Ledger):
            session.execute(delete(table))
        due = services.now() - timedelta(days=1)
        games = session.exec(select(Game).where(col(Game.serial).is_not(None)).order_by(col(Game.serial))).all()
        for place, game in enumerate(games):
            game.serial, game.count_due_at = None, due + timedelta(seconds=place)
    count_all(services)
    return counted(services)


def correct(services: Services, number: int, winner: int) -> None:
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        why = f"It was agreed at {services.now():%d %H:%M}."
        endings.adjudicate_result(ActionContext(session, services.sealer, services.now()), game, [winner], why)
    count_all(services)


def restless(services: Services, clock: Clock, people: list[Player], choose: Random) -> Iterator[None]:
    """Sometimes finish a game or correct a result, and count it, between two batches."""
    while True:
        clock.advance(minutes=1)
        match choose.randrange(4):
            case 0:
                play_some(services, clock, people, choose, 1)
            case 1:
                correct(services, 1 + choose.randrange(8), choose.randrange(2))
        yield


def test_recount_writes_nothing_if_nothing_differs(
    services: Services, clock: Clock, people: list[Player]
) -> None:
    play_some(services, clock, people, Random(1), 3)
    before = counted(services)
    beside = connect(services.settings.database_url, patience=0)
    with writing(services.engine) as session:
        results.locked_ledger(session)
        recount.reread(beside)
        assert sum(recount.recount(beside)) == 3
    beside.dispose()
    assert counted(services) == before


@pytest.mark.long
def test_recount_is_right_whatever_happens_between_batches(
    services: Services, clock: Clock, people: list[Player]
) -> None:
    choose = Random(0)
    play_some(services, clock, people, choose, 10)
    garble(services)
    recount.reread(services.engine)
    meanwhile = restless(services, clock, people, choose)
    found = [games for games, _ in zip(recount.recount(services.engine, many=2), meanwhile, strict=False)]
    assert max(found) == 2
    after = counted(services)
    assert from_nothing(services) == after
    assert sum(found) == len(after[-1]) // 2


@pytest.mark.slow
def test_interrupted_recount_can_be_started_again(
    services: Services, clock: Clock, people: list[Player]
) -> None:
    choose = Random(6)
    play_some(services, clock, people, choose, 8)
    garble(services)
    recount.reread(services.engine)
    for _, _ in zip(range(6), recount.recount(services.engine, many=2), strict=False):
        pass
    play_some(services, clock, people, choose, 2)
    correct(services, 2, 0)
    done = CliRunner().invoke(nabu, ["admin", "recount"], env=environment_of(services.settings))
    assert done.stdout == "Games counted: 10.\n"
    after = counted(services)
    assert from_nothing(services) == after


def test_players_keep_their_figures_until_all_changes_are_corrected(
    services: Services, clock: Clock, people: list[Player]
) -> None:
    play_some(services, clock, people, Random(2), 6)
    garble(services)
    before = counted(services, Rating, Tally, Habit)
    portions = recount.recount(services.engine, many=2)
    assert [next(portions) for _ in range(3)] == [2, 2, 2]
    assert counted(services, Rating, Tally, Habit) == before
    assert sum(portions) == 0
    assert counted(services, Rating, Tally, Habit) != before


@pytest.mark.slow
@pytest.mark.both
def test_games_are_counted_during_a_recount(services: Services, clock: Clock, people: list[Player]) -> None:
    choose = Random(5)
    play_some(services, clock, people, choose, 8)
    garble(services)
    recount.reread(services.engine)
    beside = connect(services.settings.database_url)
    found: list[int] = []
    running = Thread(target=lambda: found.extend(recount.recount(beside, many=1)))
    running.start()
    play_some(services, clock, people, choose, 5)
    running.join()
    beside.dispose()
    assert 8 <= sum(found) <= 13
    after = counted(services)
    assert from_nothing(services) == after


def test_rating_changes_of_uncounted_games_are_removed(
    services: Services, clock: Clock, people: list[Player]
) -> None:
    play_some(services, clock, people, Random(3), 2)
    before = counted(services)
    number = begin(services, "nebuchadnezzar", *people[:2], **BOARD)
    with writing(services.engine) as session:
        change = session.exec(select(RatingChange)).first()
        assert change is not None
        session.add(RatingChange(**change.model_dump() | {"game_id": number, "serial": 99}))
    assert sum(recount.recount(services.engine)) == 2
    assert counted(services) == before


def test_recount_keeps_missed_answers_of_a_game_with_a_corrected_result(
    services: Services, clock: Clock, people: list[Player]
) -> None:
    number = begin(services, "nebuchadnezzar", *people[:2], time="none", **BOARD)
    for seat, move in enumerate(OPENING):
        submit(services, number, seat, move)
    clock.advance(days=40)
    with writing(services.engine) as session:
        endings.abort_idle(
            ActionContext(session, services.sealer, services.now()), session.get_one(Game, number)
        )
    count_all(services)
    correct(services, number, 1)
    before = counted(services)
    recount.reread(services.engine)
    assert sum(recount.recount(services.engine)) == 1
    assert counted(services) == before
