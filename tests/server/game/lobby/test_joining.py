"""Open games, and joining them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import count

import pytest
from sqlmodel import select

from server.accounts import players, relations
from server.errors import BadRequest, GameOver, NotRunning, NotYours
from server.game.integrity import log_check
from server.game.lobby import challenge_checks, challenges, joining, seats
from server.game.log import log, randomness
from server.game.views import open_games
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Ban, Game, Outbox, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.services import Clock

THREE = {"players": 3}


@pytest.fixture
def people(action: ActionContext) -> list[Player]:
    """Ann, Ben, Cleo and Dan."""
    names = ("Ann", "Ben", "Cleo", "Dan")
    return [players.register(action, f"{name.lower()}@example.org", name) for name in names]


def letters(action: ActionContext) -> list[tuple[str, str]]:
    """Return the letters to be sent, with their receivers, except welcomes."""
    rows = action.session.exec(select(Outbox.letter, Outbox.recipient).order_by(Outbox.id))  # type: ignore[arg-type]
    return [(letter, to.partition("@")[0]) for letter, to in rows if letter != "welcome"]


def seated(action: ActionContext, game: Game) -> list[str]:
    """Return the names of the players, by seat."""
    return [player.name for _, player in log.seats(action.session, game)]


def words_of(action: ActionContext, game: Game) -> list[str]:
    """Return the words for luck, by seat."""
    return [seat.client_seed for seat, _ in log.seats(action.session, game)]


@pytest.mark.both
def test_open_game_starts_when_its_last_seat_is_taken(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, _ = people
    game = joining.seek(action, ann, "nibble", {"time": "1d"})
    number = log.id_of(game)
    assert (game.state, seated(action, game), log.free_seats(game)) == ("open", ["Ann"], 1)
    assert letters(action) == []
    joining.join(action, ben, number, "a goat on the roof")
    assert (game.state, set(seated(action, game))) == ("running", {"Ann", "Ben"})
    assert sorted(words_of(action, game)) == ["", "a goat on the roof"]
    assert {to for letter, to in letters(action) if letter == "report"} == {"ann", "ben"}
    for late in (ben, cleo):
        with pytest.raises(NotRunning, match="already started"):
            joining.join(action, late, number)


@pytest.mark.both
def test_players_join_and_leave_an_open_game_for_three(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, dan = people
    game = joining.seek(action, ann, "nexus", THREE)
    number = log.id_of(game)
    joining.join(action, ben, number, "bricks")
    assert letters(action) == [("open_game_changed", "ann")]
    joining.leave(action, ben, number)
    assert (game.asked, seated(action, game)) == ([ann.id], ["Ann"])
    joining.join(action, cleo, number, "clay")
    joining.join(action, dan, number)
    assert game.state == "running"
    seeds = {player.name: seat.client_seed for seat, player in log.seats(action.session, game)}
    assert seeds == {"Ann": "", "Cleo": "clay", "Dan": ""}


def test_player_who_moves_up_keeps_their_words_for_luck(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, _ = people
    game = joining.seek(action, ann, "nexus", {"players": 4})
    number = log.id_of(game)
    joining.join(action, ben, number, "bricks")
    joining.join(action, cleo, number, "clay")
    joining.leave(action, ben, number)
    assert (game.asked, seated(action, game)) == ([ann.id, cleo.id], ["Ann", "Cleo"])
    assert words_of(action, game) == ["", "clay"]


def test_words_for_luck_are_given_after_the_hash_is_known(action: ActionContext, people: list[Player]) -> None:
    ann, ben, *_ = people
    game = joining.seek(action, ann, "nibble", {})
    number = log.id_of(game)
    joining.join(action, ann, number, "reed")
    with pytest.raises(BadRequest, match="already joined game 1"):
        joining.join(action, ann, number)
    joining.join(action, ben, number)
    assert sorted(words_of(action, game)) == ["", "reed"]


def test_seats_are_drawn_when_the_last_player_joins(action: ActionContext, people: list[Player]) -> None:
    """Not before, and from all players' words: both orders occur for some words."""
    ann, ben, *_ = people
    secret = action.sealer.seal(bytes(32))
    orders = set()
    for number in map(str, range(8)):
        game = joining.seek(action, ann, "nibble", {})
        game.sealed_seed = secret
        joining.join(action, ben, log.id_of(game), number)
        orders.add(tuple(seated(action, game)))
    assert len(orders) == 2


def test_opener_closes_the_game_by_leaving(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, _ = people
    game = joining.seek(action, ann, "nexus", THREE)
    number = log.id_of(game)
    with pytest.raises(NotYours, match="not joined"):
        joining.leave(action, cleo, number)
    joining.join(action, ben, number)
    joining.leave(action, ann, number)
    assert (game.state, letters(action)[-1]) == ("closed", ("open_game_closed", "ben"))
    with pytest.raises(GameOver, match="no longer open"):
        joining.join(action, cleo, number)


def test_only_open_games_can_be_joined(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, _ = people
    number = log.id_of(challenges.challenge(action, ann, [ben], "nibble", {}))
    for act in (joining.join, joining.leave):
        for there in (number, 99):
            with pytest.raises(NotYours, match="no open game"):
                act(action, cleo, there)
    opened = log.id_of(joining.seek(action, ann, "nibble", {}))
    for answer in (challenges.accept, challenges.decline):
        with pytest.raises(BadRequest, match=f"join {opened}"):
            answer(action, ben, opened)


@pytest.mark.both
def test_open_games_are_listed_with_their_players_and_terms(
    action: ActionContext, people: list[Player]
) -> None:
    ann, ben, cleo, dan = people
    games = [
        joining.seek(action, ann, "nexus", {**THREE, "time": "1d"}),
        joining.seek(action, ben, "nibble", {"weekends": "off"}),
        joining.seek(action, dan, "nibble", {}),
    ]
    joining.join(action, cleo, log.id_of(games[0]))
    dan.mail_stopped = True
    action.session.flush()
    found = open_games.open_games(action.session, cleo, 10)
    assert [(view.number, view.players, view.missing) for view in found] == [
        (2, ("Ben",), 1),
        (1, ("Ann", "Cleo"), 1),
    ], "a player without email is removed"
    assert [(view.joined, view.own) for view in found] == [(False, False), (True, False)]
    assert "Saturdays" in " ".join(found[0].terms)
    assert len(found[1].terms) == 1
    assert "day" in found[1].terms[0]
    assert [view.number for view in open_games.open_games(action.session, None, 1, 1)] == [1]
    assert [view.number for view in open_games.open_games(action.session, None, 9, game_type="nexus")] == [1]


def test_player_without_email_cannot_open_join_or_stay(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, dan = people
    game = joining.seek(action, ann, "nexus", THREE)
    number = log.id_of(game)
    joining.join(action, ben, number)
    ben.mail_stopped, dan.suspended_at = True, action.now
    for who in (ben, dan):
        with pytest.raises(BadRequest, match="Nabu cannot send you email"):
            joining.seek(action, who, "nibble", {})
    with pytest.raises(BadRequest, match="so you cannot join a game"):
        joining.join(action, dan, number)
    joining.join(action, cleo, number)
    assert (game.state, seated(action, game)) == ("open", ["Ann", "Cleo"]), "the game does not wait for Ben"
    ann.mail_stopped = True
    ben.mail_stopped = False
    with pytest.raises(GameOver, match="no longer open"):
        joining.join(action, ben, number)


def test_suspended_player_cannot_open_join_or_stay(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, _ = people
    game = joining.seek(action, ann, "nexus", THREE)
    number = log.id_of(game)
    joining.join(action, ben, number)
    action.session.add(Ban(player_id=players.identity(ben), since=action.now, why="spam"))
    action.session.flush()
    with pytest.raises(BadRequest, match="suspended"):
        joining.seek(action, ben, "nibble", {})
    joining.join(action, cleo, number)
    assert (game.state, seated(action, game)) == ("open", ["Ann", "Cleo"])
    with pytest.raises(BadRequest, match="suspended"):
        joining.join(action, ben, number)


@pytest.mark.both
def test_blocked_players_never_share_a_game(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, dan = people
    game = joining.seek(action, ann, "nexus", {"players": 4})
    number = log.id_of(game)
    joining.join(action, ben, number)
    relations.block(action, cleo, "Ben")
    relations.block(action, ann, "Dan")
    for apart in (cleo, dan):
        with pytest.raises(NotYours, match="no open game 1"):
            joining.join(action, apart, number)
        with pytest.raises(NotYours, match="no open game 1"):
            joining.opened(action.session, 1, apart)
        assert open_games.open_games(action.session, apart, 9) == []
    assert len(open_games.open_games(action.session, ben, 9)) == 1
    assert seated(action, game) == ["Ann", "Ben"]


def test_number_of_open_and_joined_games_is_limited(
    action: ActionContext, people: list[Player], clock: Clock
) -> None:
    ann, ben, cleo, _ = people
    numbers = [log.id_of(joining.seek(action, ann, "nibble", {})) for _ in range(challenge_checks.MOST_OPEN)]
    with pytest.raises(BadRequest, match=f"You have {challenge_checks.MOST_OPEN} open games"):
        joining.seek(action, ann, "nibble", {})
    for _ in range(challenge_checks.MOST_JOINS // challenge_checks.MOST_OPEN):
        for number in numbers:
            joining.join(action, ben, number)
        numbers = [log.id_of(joining.seek(action, ann, "nibble", {})) for _ in numbers]
    for within in (action, replace(action, now=action.now + timedelta(days=1, seconds=-1))):
        with pytest.raises(BadRequest, match=f"{challenge_checks.MOST_JOINS} open games a day"):
            joining.join(within, ben, numbers[0])
    joining.join(replace(action, now=action.now + timedelta(days=1)), ben, numbers[1])
    joining.join(action, cleo, numbers[0])


def test_letters_about_joining_and_leaving_are_limited(action: ActionContext, people: list[Player]) -> None:
    ann, ben, *_ = people
    number = log.id_of(joining.seek(action, ann, "nexus", THREE))
    for _ in range(seats.MOST_NEWS):
        joining.join(action, ben, number)
        joining.leave(action, ben, number)
    assert letters(action) == [("open_game_changed", "ann")] * seats.MOST_NEWS


def test_log_check_accepts_open_games(services: Services) -> None:
    numbers = count(1)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann, ben = (players.register(action, f"{name}@example.org", name) for name in ("Ann", "Ben"))
        game = joining.seek(action, ann, "nexus", THREE)
        joining.join(action, ben, next(numbers))
        joining.leave(action, ann, log.id_of(joining.seek(action, ann, "nibble", {})))
    assert not any(log_check.check(services.engine, services.sealer, number) for number in (1, 2))
    with writing(services.engine) as session:
        game = session.get_one(Game, 1)
        game.options = {"players": 2}
    assert "open" in str(log_check.check(services.engine, services.sealer, 1))
    with reading(services.engine) as session:
        assert session.get_one(Seat, (1, 1)).joined_at is not None
    assert "joined_at" in randomness.THEIRS
