"""The number of games that wait for a player."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from server.accounts import players, relations
from server.game.lobby import challenges, rematch
from server.game.play import moves
from server.game.views import lists, read_markers, waiting
from server.game.views.read_markers import Sight
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.emails import letters
from tests.support.server.games import TwoPlayerGame, act, begin, doing, offer_draw, say, take_back

pytestmark = [pytest.mark.both, pytest.mark.game("nebuchadnezzar", size=5)]

_NOTHING = (0, 0, 0)


def counted(services: Services, player: Player) -> tuple[int, int, int]:
    """Return what waits for a player: games, turns and messages."""
    with reading(services.engine) as session:
        found = waiting.count(session, players.identity(player))
    return found.games, found.turns, found.messages


def all_of(table: TwoPlayerGame) -> list[tuple[int, int, int]]:
    """Return what waits for the players by seat."""
    return [counted(table.services, player) for player in table.players]


def say_something_twice(table: TwoPlayerGame) -> None:
    for text in ("Hello!", "Well?"):
        say(table.services, table.number, 0, text)


def ask_for_takeback(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    act(table.services, table.number, 0, take_back)


def offer_each_other_something(table: TwoPlayerGame) -> None:
    ask_for_takeback(table)
    act(table.services, table.number, 1, offer_draw)


def offer_rematch(table: TwoPlayerGame) -> None:
    act(table.services, table.number, 1, moves.resign)
    number = players.identity(table.players[0])
    doing(
        table.services,
        lambda action: rematch.again(action, action.session.get_one(Player, number), table.number),
    )


_DONE: dict[str, tuple[Callable[[TwoPlayerGame], object], list[tuple[int, int, int]]]] = {
    "nothing": (lambda _: None, [(1, 1, 0), _NOTHING]),
    "a move": (lambda t: t.submit(0, "c3"), [_NOTHING, (1, 1, 0)]),
    "two messages": (
        say_something_twice,
        [(1, 1, 0), (1, 0, 2)],
    ),
    "a message to the player to move": (
        lambda t: say(t.services, t.number, 1, "Hello!"),
        [(1, 1, 1), _NOTHING],
    ),
    "a note": (lambda t: say(t.services, t.number, 0, "Hm.", private=True), [(1, 1, 0), _NOTHING]),
    "a draw offer": (lambda t: act(t.services, t.number, 0, offer_draw), [(1, 1, 0), (1, 0, 0)]),
    "a request for a takeback": (ask_for_takeback, [_NOTHING, (1, 1, 0)]),
    "both": (offer_each_other_something, [(1, 0, 0), (1, 1, 0)]),
    "the end": (lambda t: act(t.services, t.number, 1, moves.resign), [_NOTHING, _NOTHING]),
    "a rematch": (offer_rematch, [_NOTHING, (1, 0, 0)]),
}


@pytest.mark.parametrize("done", _DONE)
def test_everything_that_needs_the_player_is_counted(table: TwoPlayerGame, done: str) -> None:
    happens, expected = _DONE[done]
    happens(table)
    assert all_of(table) == expected


def test_invitation_waits_until_it_is_answered(services: Services, ann: Player, ben: Player) -> None:
    def challenge(action: ActionContext) -> None:
        first, other = (action.session.get_one(Player, each.id) for each in (ann, ben))
        challenges.challenge(action, first, [other], "nibble", {})

    doing(services, challenge)
    assert [counted(services, each) for each in (ann, ben)] == [_NOTHING, (1, 0, 0)]
    doing(services, lambda action: challenges.decline(action, action.session.get_one(Player, ben.id), 1))
    assert counted(services, ben) == _NOTHING


def test_messages_wait_until_they_are_seen_also_after_the_end(table: TwoPlayerGame) -> None:
    act(table.services, table.number, 1, moves.resign)
    say(table.services, table.number, 1, "Well played!")
    assert all_of(table) == [(1, 0, 1), _NOTHING]
    with writing(table.services.engine) as session:
        game = session.get_one(Game, table.number)
        read_markers.see(session.get_one(Seat, (table.number, 0)), Sight.of_game(session, game))
    assert all_of(table) == [_NOTHING, _NOTHING]


def test_messages_of_ignored_players_do_not_wait(table: TwoPlayerGame) -> None:
    reader, other = table.players
    doing(
        table.services,
        lambda action: relations.ignore(action, action.session.get_one(Player, reader.id), other.name),
    )
    say(table.services, table.number, 1, "Hello!")
    assert all_of(table)[0] == (1, 1, 0)


def test_proposals_of_and_to_players_who_have_left_do_not_wait(
    services: Services, ann: Player, ben: Player, cleo: Player
) -> None:
    table = TwoPlayerGame.of(services, begin(services, "nexus", ann, ben, cleo, players=3))
    act(services, table.number, 2, offer_draw)
    assert all_of(table) == [(1, 1, 0), (1, 0, 0), _NOTHING]
    act(services, table.number, 2, moves.resign)
    assert all_of(table) == [(1, 1, 0), _NOTHING, _NOTHING]
    sent = len(letters(services))
    act(services, table.number, 1, offer_draw)
    assert all_of(table) == [(1, 1, 0), _NOTHING, _NOTHING]
    with reading(services.engine) as session:
        listed = [
            lists.lists_of(session, player, {name: 1})[name].rows
            for player, name in zip(table.players, ("turns", "waiting", "waiting"), strict=True)
        ]
    assert [row.proposed for (row,) in listed] == [("offers a draw",), (), ()]
    assert [each.to for each in letters(services, sent)] == [table.players[0].email]


def test_lists_of_games_mark_everything_that_is_counted(table: TwoPlayerGame) -> None:
    offer_each_other_something(table)
    say(table.services, table.number, 0, "Hello!")
    begin(table.services, "nibble", *table.players)
    with reading(table.services.engine) as session:
        for player in table.players:
            found = lists.lists_of(session, player, dict.fromkeys(lists.LISTS, 9)).values()
            rows = [row for each in found for row in each.rows]
            marked = [row for row in rows if row.my_turn or row.unread or row.proposed]
            assert len(marked) == counted(table.services, player)[0]
            if player.id == table.players[1].id:
                (row,) = [row for row in rows if row.number == table.number]
                assert (row.proposed, row.unread) == (("asks for a takeback",), True)
