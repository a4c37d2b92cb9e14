"""A player's games in lists, and the next game in which the player has to move."""

from __future__ import annotations

import pytest
from sqlmodel import col, select

from server.game.lobby import challenges
from server.game.views import lists
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.server.services import Clock

ALL = dict.fromkeys(lists.LISTS, 10)


def lists_of(services: Services, player: Player) -> dict[str, list[int]]:
    """Return the numbers of the games in each list."""
    with reading(services.engine) as session:
        found = lists.lists_of(session, player, ALL)
    assert all(page.count == len(page.rows) for page in found.values())
    return {name: [row.number for row in page.rows] for name, page in found.items()}


def after(services: Services, player: Player, number: int) -> int | None:
    """Return the next game in which the player has to move."""
    with reading(services.engine) as session:
        return lists.next_turn(session, player, number)


@pytest.fixture
def three(services: Services, ann: Player, ben: Player) -> list[int]:
    """Start games in which both have to move, in the order of their deadlines; return their numbers."""
    times = {time: begin(services, "nelaxtam", ann, ben, time=time, troops=1) for time in ("9d", "none", "2d")}
    return [times[time] for time in ("2d", "9d", "none")]


def test_each_game_is_in_one_list(services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    clock.advance(days=1)
    over = begin(services, "nelaxtam", ann, ben)
    with writing(services.engine) as session:
        session.get_one(Game, over).state = "over"
        for seat in session.exec(select(Seat)):
            seat.owes, seat.over_at = False, clock()
    turn = begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0)
    sealed = begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0)
    with reading(services.engine) as session:
        mine = challenges.seat_of(session, session.get_one(Game, sealed), ann)
    submit(services, sealed, mine or 0, "A c4" if mine else "1 d4")
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        us = [session.get_one(Player, player.id) for player in (ann, ben)]
        declined, asked, asking, wordless = (
            challenges.challenge(action, us[who], [us[1 - who]], "nibble", {}, own_words=own_words).id or 0
            for who, own_words in ((0, False), (1, False), (0, False), (0, True))
        )
        challenges.decline(action, us[1], declined)
    assert lists_of(services, ann) == {
        "turns": [turn],
        "waiting": [sealed],
        "invitations": [asked],
        "wordless": [wordless],
        "challenges": [asking],
        "finished": [declined, over],
    }
    assert {name: sorted(found) for name, found in lists_of(services, ben).items()} == {
        "turns": [turn, sealed],
        "invitations": [asking, wordless],
        "challenges": [asked],
        "finished": [over, declined],
    }
    assert lists_of(services, add_player(services, "cleo@example.org", "Cleo")) == {}


def test_most_urgent_game_comes_first(services: Services, ann: Player, three: list[int]) -> None:
    assert lists_of(services, ann) == {"turns": three}


def test_next_turn_visits_all_games_that_wait(services: Services, ann: Player, three: list[int]) -> None:
    first, second, third = three
    assert [after(services, ann, number) for number in three] == [second, third, first]


@pytest.mark.both
def test_most_urgent_game_follows_one_that_no_longer_waits(
    services: Services, ann: Player, ben: Player, three: list[int]
) -> None:
    with writing(services.engine) as session:
        seat = session.exec(select(Seat).where(Seat.player_id == ann.id, col(Seat.game_id) == three[1])).one()
        seat.owes = False
    assert after(services, ann, three[1]) == three[0]
    assert after(services, ann, three[0]) == three[2]
    assert after(services, ben, three[0]) == three[1], "Ben still has to move in it"


def test_next_turn_is_none_without_another_game(services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nelaxtam", ann, ben)
    assert after(services, ann, number) is None
    assert after(services, add_player(services, "cleo@example.org", "Cleo"), number) is None
