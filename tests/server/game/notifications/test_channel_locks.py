"""Channels and browsers used by several transactions together do not block games."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlmodel import select

from server.accounts import push_subscriptions
from server.game.notifications import channels
from server.game.play import moves
from server.game.play.target import Target
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Browser, Channel, Notice, Player
from server.store.outbox import ActionContext
from tests.support.database.locks import while_it_waits
from tests.support.server.games import TwoPlayerGame
from tests.support.server.notifications import ROOM, channel_count, choose
from tests.support.web.push_service import Device

Change = Callable[[ActionContext], object]

# SQLite has no row locks: its writers take turns.
on_postgresql = pytest.mark.parametrize("database", ["postgresql"])


@pytest.fixture
def table(services: Services) -> TwoPlayerGame:
    """A game in which the second player has a channel and a browser."""
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    choose(services, table.players[1], ROOM)
    act(services, allowing(services, table.players[1]))()
    return table


def act(services: Services, change: Change) -> Callable[[], object]:
    """Return a function that makes this change in a transaction."""

    def do() -> object:
        with writing(services.engine) as session:
            return change(ActionContext(session, services.sealer, services.now()))

    return do


def naming(player: Player, text: str) -> Change:
    return lambda action: channels.choose(action, action.session.get_one(Player, player.id), text)


def allowing(services: Services, player: Player) -> Change:
    given = Device("https://push.example.com/send/abc").subscription(services.push_keys.public)
    return lambda action: push_subscriptions.remember(
        action, action.session.get_one(Player, player.id), 1, "Firefox", given
    )


def leaving(player: Player) -> Change:
    assert player.id is not None
    number = player.id
    return lambda action: push_subscriptions.end(action.session, number)


def moving(table: TwoPlayerGame) -> Change:
    """Return a change in which the first player moves, so that it is the second player's turn."""
    ann = table.players[0]
    return lambda action: moves.submit(action, ann, Target(table.number, 0, 1), "c3")


def assert_all_exist(services: Services) -> None:
    """Check that exactly the channels in use are stored."""
    with reading(services.engine) as session:
        named = {player.channel_id for player in session.exec(select(Player))} - {None}
        allowed = {browser.channel_id for browser in session.exec(select(Browser))}
        assert {channel.id for channel in session.exec(select(Channel))} == named | allowed
        assert {notice.channel_id for notice in session.exec(select(Notice))} <= named | allowed


@pytest.mark.both
def test_deleted_channel_stops_no_move(services: Services, table: TwoPlayerGame) -> None:
    with writing(services.engine) as session:
        session.get_one(Player, table.players[1].id).channel_id = 4711
    table.submit(0, "c3")
    assert table.game().turn == 2


@on_postgresql
@pytest.mark.parametrize("first_leaves", [True, False])
def test_channel_that_another_leaves_can_be_chosen(
    services: Services, table: TwoPlayerGame, first_leaves: bool
) -> None:
    ann, ben = table.players
    changes = [naming(ben, "off"), naming(ann, ROOM)]
    first, then = changes if first_leaves else reversed(changes)
    while_it_waits(services, act(services, then), first)
    assert_all_exist(services)
    with reading(services.engine) as session:
        assert session.get_one(Player, ann.id).channel_id is not None


@on_postgresql
def test_two_players_can_choose_the_same_channel_simultaneously(
    services: Services, table: TwoPlayerGame
) -> None:
    ann, ben = table.players
    other = "ntfys://ntfy.example.org/hall"
    while_it_waits(services, act(services, naming(ben, other)), naming(ann, other))
    assert_all_exist(services)
    assert channel_count(services) == 2, "one of them is a browser"


@on_postgresql
@pytest.mark.parametrize("first_called", [True, False])
@pytest.mark.parametrize("game_type", ["channel", "browser"])
def test_move_is_played_while_a_player_leaves_a_channel(
    services: Services, table: TwoPlayerGame, game_type: str, first_called: bool
) -> None:
    ben = table.players[1]
    changes = [moving(table), naming(ben, "off") if game_type == "channel" else leaving(ben)]
    first, then = changes if first_called else reversed(changes)
    while_it_waits(services, act(services, then), first)
    assert_all_exist(services)


@on_postgresql
@pytest.mark.parametrize("first", [leaving, None])
def test_browser_can_be_allowed_while_it_is_removed_or_allowed(
    services: Services, table: TwoPlayerGame, first: Callable[[Player], Change] | None
) -> None:
    ben = table.players[1]
    allow = allowing(services, ben)
    if first is None:
        act(services, leaving(ben))()
    while_it_waits(services, act(services, allow), allow if first is None else first(ben))
    assert_all_exist(services)
    with reading(services.engine) as session:
        assert len(session.exec(select(Browser)).all()) == 1
