"""Conditions for joining open games."""

from __future__ import annotations

import re

import pytest

from server.accounts import players
from server.errors import BadRequest
from server.game.lobby import challenges, entry_conditions, joining
from server.game.log import log
from server.game.ratings.punctuality import Answers
from server.game.ratings.ratings import NEW
from server.game.views import open_games
from server.processes.services import Services
from server.store.models import Game, Habit, Player, Rating
from server.store.outbox import ActionContext
from tests.support.counting import statements


@pytest.fixture
def ann(action: ActionContext) -> Player:
    return players.register(action, "ann@example.org", "Ann")


@pytest.fixture
def ben(action: ActionContext) -> Player:
    return players.register(action, "ben@example.org", "Ben")


def rated(
    action: ActionContext, player: Player, number: int, *, sigma: float = 1.0, pace: str = "slow"
) -> None:
    """Give a player a rating in Nibble."""
    mu = NEW.mu + (number - 1500) / 48
    action.session.merge(
        Rating(player_id=player.id or 0, game_type="nibble", pace=pace, mu=mu, sigma=sigma, games=9)
    )
    action.session.flush()


def answered(action: ActionContext, player: Player, *answers: int | None) -> None:
    """Give a player these answers."""
    found: Answers = list(answers)
    action.session.merge(Habit(player_id=player.id or 0, answers=found))
    action.session.flush()


def opened(action: ActionContext, player: Player, **options: str) -> Game:
    """Open a game of Nibble with conditions."""
    return joining.seek(action, player, "nibble", {name.replace("_", "-"): of for name, of in options.items()})


@pytest.mark.parametrize(
    ("options", "whom", "kept"),
    [
        ({}, "anyone", {}),
        ({"rating": "1400-1700"}, "anyone rated 1400 to 1700", {"rating": "1400-1700"}),
        ({"rating": " 1400 – 1700 "}, "anyone rated 1400 to 1700", {"rating": "1400-1700"}),
        ({"rating": "1400-"}, "anyone rated at least 1400", {"rating": "1400-"}),
        ({"rating": "-1700"}, "anyone rated at most 1700", {"rating": "-1700"}),
        (
            {"in-time": "90%"},
            "anyone who answers at least 90% of their turns in time",
            {"in-time": "90"},
        ),
        ({"in-time": "1"}, "anyone who answers at least 1% of their turns in time", {"in-time": "1"}),
        ({"in-time": "100%"}, "anyone who answers at least 100% of their turns in time", {"in-time": "100"}),
        (
            {"rating": "1400-", "in-time": "90"},
            "anyone rated at least 1400 who answers at least 90% of their turns in time",
            {"rating": "1400-", "in-time": "90"},
        ),
    ],
)
def test_conditions_are_read_stored_and_described(
    options: dict[str, object], whom: str, kept: dict[str, str]
) -> None:
    found, left = entry_conditions.read({**options, "time": "1d"})
    assert (found.open_to, found.to_json(), left) == (whom, kept, {"time": "1d"})
    assert entry_conditions.read(kept)[0] == found


@pytest.mark.parametrize("written", ["1400", "-", "strong", "1700-1400", "14000-", "1e3-", "", "1400-1700-"])
def test_invalid_range_of_ratings_is_refused(action: ActionContext, ann: Player, written: str) -> None:
    with pytest.raises(BadRequest, match=re.escape(f"“{written}”")) as refused:
        opened(action, ann, rating=written)
    assert "rating=1400-1700" in str(refused.value)


@pytest.mark.parametrize("written", ["0", "101", "most", "9.5", "-90"])
def test_invalid_share_of_turns_is_refused(action: ActionContext, ann: Player, written: str) -> None:
    with pytest.raises(
        BadRequest, match=r"“in-time” must be a percentage of turns from 1 to 100, for example in-time=90"
    ):
        opened(action, ann, in_time=written)


def test_only_open_games_have_conditions(action: ActionContext, ann: Player, ben: Player) -> None:
    for name, value in (("rating", "1400-"), ("in-time", "90")):
        with pytest.raises(BadRequest, match=f"“{name}” sets who may join an open game"):
            challenges.challenge(action, ann, [ben], "nibble", {name: value})


@pytest.mark.both
def test_only_players_within_the_range_of_ratings_can_join(
    action: ActionContext, ann: Player, ben: Player
) -> None:
    number = log.id_of(opened(action, ann, rating="1400-1700"))
    with pytest.raises(BadRequest) as refused:
        joining.join(action, ben, number)
    assert str(refused.value) == (
        "Game 1 is for anyone rated 1400 to 1700. You have no rating in slow games of Nibble yet. You get one "
        "when your first rated game ends."
    )
    rated(action, ben, 1500, pace="fast")
    for rating, sigma, told in ((1399, 1.0, "1399."), (1701, 8.0, "1701, still provisional.")):
        rated(action, ben, rating, sigma=sigma)
        with pytest.raises(BadRequest, match=f"Your rating in slow games of Nibble is {told}"):
            joining.join(action, ben, number)
    rated(action, ben, 1400, sigma=8.0)
    assert joining.join(action, ben, number).state == "running", "a provisional rating counts"


@pytest.mark.both
def test_only_punctual_or_new_players_can_join(action: ActionContext, ann: Player, ben: Player) -> None:
    number = log.id_of(opened(action, ann, in_time="90"))
    answered(action, ben, *[60] * 8, None, None)
    with pytest.raises(BadRequest, match="You answered 80% of your latest turns in time"):
        joining.join(action, ben, number)
    answered(action, ben, *[60] * 7, None, None)
    assert joining.join(action, ben, number).state == "running", "nine turns are too few"


def test_opener_need_not_meet_the_conditions(action: ActionContext, ann: Player, ben: Player) -> None:
    """The opener does not have to meet the conditions, and players who have joined stay."""
    game = joining.seek(action, ann, "nexus", {"players": 3, "rating": "-1700"})
    assert open_games.open_games(action.session, ann, 1)[0].misfit == ""
    action.session.merge(
        Rating(player_id=ben.id or 0, game_type="nexus", pace="slow", mu=NEW.mu, sigma=1.0, games=9)
    )
    action.session.flush()
    joining.join(action, ben, log.id_of(game))
    action.session.get_one(Rating, (ben.id, "nexus", "slow")).mu = 40.0
    joining.join(action, ben, log.id_of(game), "a goat")
    assert open_games.open_games(action.session, ben, 1)[0].misfit == ""


def test_list_shows_conditions_and_who_does_not_meet_them(
    services: Services, action: ActionContext, ann: Player, ben: Player
) -> None:
    opened(action, ann)
    opened(action, ann, rating="1400-")
    rated(action, ben, 1300)
    found = open_games.open_games(action.session, ben, 9)
    assert [(view.open_to, view.misfit) for view in found] == [
        ("anyone rated at least 1400", "Your rating in slow games of Nibble is 1300."),
        ("anyone", ""),
    ]
    assert [view.misfit for view in open_games.open_games(action.session, None, 9)] == ["", ""]

    def asked() -> int:
        action.session.expire_all()
        with statements(services) as seen:
            open_games.open_games(action.session, ben, 9)
        return len(seen)

    few = asked()
    for _ in range(4):
        opened(action, ann, rating="1400-", in_time="90")
    assert asked() <= few + 1, "how the reader answers is looked up once"
