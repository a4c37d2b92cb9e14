"""The version of an open page changes if and only if something changes that its reader sees."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from server.admin.audit import AdminAction
from server.admin.games import decide
from server.game.views import versions
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player, Seat
from server.store.outbox import ActionContext
from tests.support import query_plans
from tests.support.counting import statements
from tests.support.server.games import begin, say, submit
from tests.support.server.games import open_game as open_game_of
from tests.support.server.players import add_player
from tests.support.server.tournaments import Field
from tests.support.web.client import Browser, logged_in
from tests.support.web.games import Match, match
from tests.support.web.open_pages import Open


def watchers(app: Flask, services: Services, table: Match) -> list[Open]:
    """The game's page, opened by both players, by another player and without a login."""
    cleo = logged_in(app, services, add_player(services, "cleo@example.org", "Cleo"))
    return [Open(browser, table.address) for browser in (*table.browsers, cleo, Browser(app))]


_DONE: dict[str, tuple[Callable[[Match], object], list[bool]]] = {
    "nothing": (lambda table: None, [False, False, False, False]),
    "a move": (lambda table: submit(table.services, table.number, 0, "c3"), [True, True, True, True]),
    "a letter": (lambda table: say(table.services, table.number, 0, "Hello!"), [True, True, False, False]),
    "a note": (
        lambda table: say(table.services, table.number, 0, "Hm.", private=True),
        [True, False, False, False],
    ),
    "an offer": (
        lambda table: table.browsers[0].send(f"{table.address}/draw", turn=1),
        [True, True, False, False],
    ),
    "a day more": (lambda table: table.browsers[1].send(f"{table.address}/give", turn=1), [True] * 4),
    "a line": (
        lambda table: table.browsers[1].send(f"{table.address}/conditions", turn=1, text="if c3 then d4"),
        [False] * 4,
    ),
    "the end": (lambda table: table.browsers[0].send(f"{table.address}/resign", turn=1), [True] * 4),
}
"""Actions in a game, and for whom the page changes: the two players, another player, a visitor."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("done", _DONE)
def test_page_is_notified_of_changes_its_reader_sees(
    app: Flask, services: Services, open_game: Match, done: str
) -> None:
    act, expected = _DONE[done]
    pages = watchers(app, services, open_game)
    act(open_game)
    assert [page.has_news() for page in pages] == expected


def test_a_finished_game_shows_its_players_a_rematch(app: Flask, services: Services, open_game: Match) -> None:
    one, other = open_game.browsers
    one.send(f"{open_game.address}/resign", turn=1)
    pages = watchers(app, services, open_game)
    other.send(f"{open_game.address}/rematch", turn=1)
    assert [page.has_news() for page in pages] == [True, True, False, False]
    assert "Accept the rematch" in one.text(open_game.address)
    assert "Accept the rematch" not in other.text(open_game.address)
    one.send(f"{open_game.address}/rematch", turn=1)
    assert "Accept the rematch" not in one.text(open_game.address)


@pytest.mark.parametrize(("terms", "heard"), [({}, True), ({"show-ready": "off", "delay": "0"}, False)])
def test_sealed_orders_update_pages_only_with_visible_readiness(
    app: Flask, services: Services, ann: Player, ben: Player, terms: dict[str, object], heard: bool
) -> None:
    table = match(app, services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, **terms)
    pages = watchers(app, services, table)
    submit(services, table.number, 0, "1 d4")
    assert [page.has_news() for page in pages] == [True, heard, heard, heard]
    again = watchers_again(pages, table)
    submit(services, table.number, 0, "1 e5")
    assert [page.has_news() for page in again] == [True, False, False, False], "others do not see the change"


def watchers_again(pages: list[Open], table: Match) -> list[Open]:
    """The same visitors after they have reloaded the page."""
    return [Open(page.browser, table.address) for page in pages]


def test_request_for_a_takeback_updates_pages(app: Flask, services: Services, open_game: Match) -> None:
    submit(services, open_game.number, 0, "c3")
    pages = watchers(app, services, open_game)
    open_game.browsers[0].send(f"{open_game.address}/takeback", turn=2)
    assert [page.has_news() for page in pages] == [True, True, False, False]


def test_list_of_games_is_updated_by_turns_messages_and_new_games(
    app: Flask, services: Services, ann: Player, ben: Player, open_game: Match
) -> None:
    for act in (
        lambda: submit(services, open_game.number, 0, "c3"),
        lambda: say(services, open_game.number, 0, "Hello!"),
        lambda: begin(services, "nibble", ann, ben),
    ):
        page = Open(open_game.browsers[1], "/games")
        assert not page.has_news()
        act()
        assert page.has_news()
    page = Open(open_game.browsers[1], "/games")
    say(services, open_game.number, 0, "Hm.", private=True)
    assert not page.has_news(), "a player's note changes no other page"


def test_private_message_updates_only_its_receivers_page(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    people = [ann, ben, add_player(services, "cleo@example.org", "Cleo")]
    number = begin(services, "nexus", *people, players=3)
    with reading(services.engine) as session:
        sitting = [session.get_one(Seat, (number, seat)).player_id for seat in range(3)]
    people.sort(key=lambda player: sitting.index(player.id or 0))
    pages = [Open(logged_in(app, services, player), "/games") for player in people]
    say(services, number, 0, "Hello!", listener=2)
    assert [page.has_news() for page in pages] == [False, False, True]


@pytest.mark.parametrize("database", ["sqlite"])
def test_only_the_latest_finished_games_are_read(services: Services) -> None:
    """With few games, PostgreSQL reads them all."""
    with reading(services.engine) as session:
        [plan] = query_plans.query_plans(services.engine, lambda: versions.lists_version(session, 1, 1))
    steps = [step.text for step in plan.steps]
    assert any("ix_seat_player_id_over_at (player_id=? AND over_at>?)" in step for step in steps)
    assert not [step for step in steps if step.startswith("USE TEMP B-TREE")], "they are found in order"


def test_list_of_games_is_updated_by_finished_games(
    app: Flask, services: Services, ann: Player, ben: Player, open_game: Match
) -> None:
    begin(services, "nibble", ann, ben)

    def correct() -> None:
        with writing(services.engine) as session:
            admin_action = AdminAction(ActionContext(session, services.sealer, services.now()))
            decide(admin_action, open_game.number, [0], "Their emails were lost.")

    for act in (
        lambda: open_game.browsers[0].send(f"{open_game.address}/resign", turn=1),
        correct,
        lambda: say(services, open_game.number, 0, "Well played!"),
    ):
        page = Open(open_game.browsers[1], "/games")
        act()
        assert page.has_news()


def test_lobby_is_updated_by_open_games(app: Flask, services: Services, ann: Player) -> None:
    pages = [Open(Browser(app), "/lobby"), Open(logged_in(app, services, ann), "/lobby")]
    assert [page.has_news() for page in pages] == [False, False]
    open_game_of(services, ann)
    assert [page.has_news() for page in pages] == [True, True]


def test_tournament_page_is_updated_by_its_players(app: Flask, field: Field) -> None:
    pages = [Open(Browser(app), f"/tournaments/{field.number}{more}") for more in ("", "?round=1")]
    assert [page.has_news() for page in pages] == [False, False]
    field.enter("Ann")
    assert [page.has_news() for page in pages] == [True, True]
    assert Browser(app).get("/tournaments/99/now").status_code == 404


def test_number_of_waiting_games_updates_every_page(
    app: Flask, services: Services, ann: Player, ben: Player, open_game: Match
) -> None:
    pages = [Open(browser, open_game.address) for browser in open_game.browsers]
    table = match(app, services, "nebuchadnezzar", ann, ben, size=5)
    news = [page.has_news() for page in pages]
    assert sorted(news) == [False, True], "also of the player to move"
    told = sorted(page.browser.get(page.now).text.split('"')[-2] for page in pages)
    assert told in (["0.0.0", "2.2.0"], ["1.1.0"] * 2)
    assert '"waiting":"0.0.0"' in Browser(app).get(table.address + "/now").text


def test_game_before_its_start_is_only_for_its_players(app: Flask, services: Services, ann: Player) -> None:
    ben = logged_in(app, services, add_player(services, "ben@example.org", "Ben"))
    address = str(logged_in(app, services, ann).send("/games/new/nibble", opponents="Ben").location)
    assert not Open(ben, address).has_news()
    for number in (address, "/games/99"):
        assert Browser(app).get(f"{number}/now").status_code == 404
    assert Browser(app).get("/games/now").status_code == 303


def test_page_polls_more_often_while_the_computer_moves(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    addresses = [str(browser.send("/games/new/nebuchadnezzar", whom="computer").location) for _ in range(12)]
    every = [Open(browser, address).every for address in addresses]
    awaited = ["waiting for Enkidu" in browser.text(address) for address in addresses]
    assert every == [2 if computer else 10 for computer in awaited]
    assert set(every) == {2, 10}


def test_poll_runs_one_query_and_prolongs_no_login(services: Services, open_game: Match) -> None:
    for address in (f"{open_game.address}/now", "/games/now", "/lobby/now"):
        with statements(services) as asked:
            answer = open_game.browsers[0].get(address)
        assert len([each for each in asked if each.startswith("SELECT")]) == 1
        assert "Set-Cookie" not in answer.headers


def test_logged_out_reader_gets_the_public_version(app: Flask, open_game: Match) -> None:
    first, second = open_game.browsers[0], Open(open_game.browsers[0], open_game.address)
    stale = first.client.get_cookie("nabu", domain="localhost")
    assert stale is not None
    first.send("/logout/everywhere")
    first.client.set_cookie("nabu", stale.value)
    assert first.get("/games/now").status_code == 303
    assert second.has_news()
    assert first.get(second.now).headers["ETag"] == Browser(app).get(second.now).headers["ETag"]
