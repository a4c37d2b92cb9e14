"""SIGKILL at any point between receiving an email and sending the report: nothing is lost or done twice."""

from __future__ import annotations

import random
import secrets

import pytest

from server.game.log import log
from server.settings import Settings
from tests.support.e2e.games_of_two import begin_by_email, stored_game
from tests.support.e2e.mailboxes import Person, World
from tests.support.e2e.mortal_process import Mortal
from tests.support.e2e.nabu_process import Running, start

pytestmark = [pytest.mark.long, pytest.mark.first]

MOST_POINTS = 80
AT_LEAST = 20


@pytest.mark.parametrize("game_type", ["nebuchadnezzar", "nelaxtam"])
def test_server_recovers_when_killed_at_many_points(settings: Settings, world: World, game_type: str) -> None:
    """One turn of a game for each point, until a turn has no further point.

    Every other point of a turn with a move; every sixth of one with orders, where two emails take the same
    path. The first point is drawn at random.
    """
    people = opened(settings, world, game_type)
    stride = 2 if game_type == "nebuchadnezzar" else 6
    first = 1 + secrets.token_bytes(1)[0] % stride
    deaths = 0
    for point in range(first, MOST_POINTS, stride):
        if not turn_with_a_death_at(settings, people, point):
            break
        deaths += 1
    else:
        pytest.fail(f"a turn has more than {MOST_POINTS} points; the last ones were not tried")
    assert deaths * stride >= AT_LEAST, f"from point {first} on"
    game, turns = stored_game(settings)
    assert [entry.turn for entry in turns] == list(range(1, deaths + 2))
    assert game.turn == deaths + 2


def opened(settings: Settings, world: World, game_type: str) -> list[Person]:
    """A game that has begun; the people by seat, after they have read all their email."""
    options = {"nebuchadnezzar": "size=15", "nelaxtam": "size=14"}[game_type]
    nabu: Running = start(settings)
    make = lambda address: Person(world, address, nabu.listener, settings.mail_domain)  # noqa: E731 - as in the fixture
    people = [who for who, _ in begin_by_email(make, game_type, options)]
    nabu.stop()
    return people


def turn_with_a_death_at(settings: Settings, people: list[Person], point: int) -> bool:
    """Play one turn; return whether it has such a point. Check that each person gets each email once."""
    nabu = Mortal(settings, people, point)
    game, _ = stored_game(settings)
    rules, position = log.rules_of(game), log.position_of(game)
    choose = random.Random(point).randrange
    last = {person: person.world.mails_to(person.address)[-1] for person in people}
    expected = {person: len(person.world.mails_to(person.address)) + 1 for person in people}
    seats = rules.to_move(position)
    for seat in seats:
        move = rules.format(rules.sample(position, seat, choose))
        nabu.deliver(people[seat], people[seat].answer_to(last[people[seat]], move))
        if seat != seats[-1]:
            nabu.wait(people[seat], expected[people[seat]])
            expected[people[seat]] += 1
    for person in people:
        nabu.wait(person, expected[person])
    nabu.settle()
    nabu.running.stop()
    for person in people:
        assert len(person.world.mails_to(person.address)) == expected[person]
    return nabu.died
