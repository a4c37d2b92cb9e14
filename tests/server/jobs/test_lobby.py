"""A job keeps the lobby current: it frees seats and removes expired games."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import select

from rules.registry import RULES
from server.game.lobby import joining, upkeep
from server.game.log import log
from server.game.terms.terms import STALE
from server.interpretation.options import read_seek
from server.jobs.table import LOBBY
from server.processes.services import Services
from server.processes.worker import Worker
from server.store.db import reading, writing
from server.store.models import Ban, Failure, Game, Player
from server.store.outbox import ActionContext
from tests.support.server.emails import letters
from tests.support.server.games import open_game, state_of
from tests.support.server.jobs import look_after_lobby
from tests.support.server.players import add_player
from tests.support.server.services import Clock


@pytest.fixture
def people(services: Services) -> list[Player]:
    """Create Ann, Ben, Cleo and Dan."""
    return [add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben", "Cleo", "Dan")]


def table(services: Services, *company: Player, **options: object) -> int:
    """Open a game of Nexus for four, and let these people join; return its number."""
    number = open_game(services, company[0], "nexus", players=4, **options)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        for player in company[1:]:
            joining.join(action, session.get_one(Player, player.id), number)
    return number


def there(services: Services, number: int) -> tuple[str, list[str]]:
    """Return the state and the players of a game."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        return game.state, [player.name for _, player in log.seats(session, game)]


def change(services: Services, player: Player, what: str) -> None:
    """Make a player unable to play, in one of the possible ways."""
    with writing(services.engine) as session:
        row, now = session.get_one(Player, player.id), services.now()
        row.mail_stopped, row.suspended_at = what == "stopped", now if what == "bounced" else None
        until = {"suspended for a day": now + timedelta(days=1), "suspended until now": now}.get(what)
        if what.startswith("suspended"):
            session.add(Ban(player_id=row.id or 0, since=now, until=until, why="spam"))


def told(services: Services, number: int) -> list[tuple[str, str]]:
    """Return the letters about open games and their recipients, without the first `number`."""
    found = [(each.letter, each.to.partition("@")[0]) for each in letters(services)]
    return [each for each in found if each[0].startswith(("open_game_changed", "open_game_expired"))][number:]


@pytest.mark.sample(2)
@pytest.mark.both
@pytest.mark.parametrize("what", ["stopped", "bounced", "suspended", "suspended for a day"])
def test_player_who_cannot_play_loses_the_seat(services: Services, people: list[Player], what: str) -> None:
    ann, ben, cleo, _ = people
    number, news = table(services, ann, ben, cleo), 3
    assert look_after_lobby(services) == 0
    change(services, ben, what)
    assert look_after_lobby(services) == 1
    assert there(services, number) == ("open", ["Ann", "Cleo"])
    assert told(services, news) == [("open_game_changed", "ann"), ("open_game_changed", "cleo")]
    assert "Ben has left game 1" in letters(services)[-1].words


@pytest.mark.both
def test_open_game_without_its_opener_is_closed(services: Services, people: list[Player]) -> None:
    ann, ben, *_ = people
    number = table(services, ann, ben)
    for player in (ann, ben):
        change(services, player, "bounced" if player is ann else "suspended")
    assert look_after_lobby(services) == 1
    assert there(services, number) == ("closed", ["Ann", "Ben"])


def test_ended_suspension_removes_no_player(services: Services, people: list[Player]) -> None:
    number = table(services, *people[:2])
    change(services, people[1], "suspended until now")
    assert look_after_lobby(services) == 0
    assert there(services, number) == ("open", ["Ann", "Ben"])


@pytest.mark.both
def test_open_game_that_no_one_joins_expires(services: Services, people: list[Player], clock: Clock) -> None:
    ann, ben, *_ = people
    number, news = table(services, ann, ben, time="2d", company="people", **{"in-time": "90"}), 1
    clock.advance(days=20)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        joining.leave(action, session.get_one(Player, ben.id), number)
        joining.join(action, session.get_one(Player, ben.id), number)
    clock.advance(seconds=STALE.total_seconds() - 1)
    assert look_after_lobby(services) == 0
    clock.advance(seconds=1)
    assert look_after_lobby(services) == 1
    assert there(services, number)[0] == "closed"
    assert told(services, news + 2) == [("open_game_expired", "ann"), ("open_game_expired", "ben")]
    words = letters(services)[-1].words
    assert (
        "Your open game 1, NEXUS und Rabauken, has been closed: nobody joined or left it for 30 days." in words
    )
    assert "seek nexus players=4 in-time=90 company=people time=2d" in words


def test_started_game_does_not_expire(services: Services, people: list[Player], clock: Clock) -> None:
    number = open_game(services, people[0])
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        joining.join(action, session.get_one(Player, people[1].id), number)
    change(services, people[1], "stopped")
    clock.advance(days=40)
    assert look_after_lobby(services) == 0


@pytest.mark.parametrize(
    ("game_type", "options", "time"),
    [
        (game_type, options, time)
        for game_type, rules in RULES.items()
        for options in rules.variants
        for time in ("3d", "tue,fri 18:00 Europe/Berlin" if rules.simultaneous else "7d+1d/14d")
    ],
)
def test_command_opens_a_similar_game(
    services: Services, people: list[Player], game_type: str, options: dict[str, object], time: str
) -> None:
    terms = {"time": time, "grace": "2h", "rated": "off", "private": "on", "rating": "1-2", "in-time": "90"}
    with writing(services.engine) as session:
        action, player = (
            ActionContext(session, services.sealer, services.now()),
            session.get_one(Player, people[0].id),
        )
        game = joining.seek(action, player, game_type, {**options, **terms})
        word, _, argument = upkeep.command_for(game).partition(" ")
        assert word == "seek"
        again = joining.seek(action, player, *read_seek(argument))
        for column in ("game_type", "options", "terms", "private", "wanted"):
            assert getattr(again, column) == getattr(game, column)
        session.rollback()


@pytest.mark.usefixtures("failures_meant")
def test_failure_to_close_one_game_blocks_no_other(
    services: Services, people: list[Player], clock: Clock
) -> None:
    broken, number = table(services, *people[:2]), table(services, *people[2:])
    with writing(services.engine) as session:
        session.get_one(Game, broken).game_type = "chess"
    clock.advance(days=31)
    assert look_after_lobby(services) == 2
    assert (state_of(services, number), state_of(services, broken)) == ("closed", "open")
    with reading(services.engine) as session:
        assert session.exec(select(Failure.game_id, Failure.job)).all() == [(broken, "lobby")]


def test_worker_does_a_limited_amount_at_once(
    services: Services, people: list[Player], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(vars(LOBBY), "most", 2)
    numbers = [table(services, people[0], people[1]) for _ in range(3)]
    clock.advance(days=31)
    worker, states = Worker(services), []
    for _ in range(2):
        LOBBY.run(worker.work)
        states.append([state_of(services, number) for number in numbers])
    assert states == [["closed", "closed", "open"], ["closed"] * 3]
