"""The page of a player, and the links to it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlmodel import select

from server.accounts import computer_players, relations
from server.game.leaving.account_deletion import delete_account
from server.game.lobby import challenges
from server.game.play import endings
from server.game.views.rankings import rankings
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from server.web.lobby.players import plot
from tests.support.query_plans import query_plans
from tests.support.server.games import begin
from tests.support.server.players import add_player
from tests.support.server.ratings import count_all, known_of, play_one, set_rating
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in


def test_profile_is_public(app: Flask, services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    for _ in range(2):
        play_one(services, ann, ben, time="1d")
        clock.advance(days=1)
    count_all(services)
    logged_in(app, services, ann).send("/settings", bio="I <b>like</b> tea.", languages="English")
    page = Browser(app).get("/player/ann")
    assert "I &lt;b&gt;like&lt;/b&gt; tea." in page.text
    assert page.text.count("<polyline") == 1
    words = Browser(app).text("/player/Ann")
    assert "Speaks English." in words
    assert "Nebuchadnezzar 2 won" in words
    assert "Latest finished games" in words
    assert "Challenge" not in words


def test_invited_person_has_no_profile(app: Flask, services: Services, ann: Player) -> None:
    """The page must not reveal whether an address belongs to a player, or their name."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        others = challenges.opponents(action, "dora@example.org", "play@games.example.org")
        challenges.challenge(action, session.get_one(Player, ann.id), others, "nibble", {})
        name = session.exec(select(Player.name).where(Player.email == "dora@example.org")).one()
    assert Browser(app).get(f"/player/{name}").status_code == 404
    assert Browser(app).get("/player/dora@example.org").status_code == 404


def test_seats_link_to_profiles_only_if_the_name_is_known(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        others = challenges.opponents(action, "ben@example.org", "play@games.example.org")
        challenges.challenge(action, session.get_one(Player, ann.id), others, "nibble", {})
    browser = logged_in(app, services, ann)
    invited = browser.get("/games/1").text
    assert 'href="/player/Ann"' in invited
    assert "/player/Ben" not in invited
    with writing(services.engine) as session:
        challenges.accept(
            ActionContext(session, services.sealer, services.now()), session.get_one(Player, ben.id), 1
        )
    assert 'href="/player/Ben"' in browser.get("/games/1").text


def test_deleted_account_has_no_page(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    number = play_one(services, ann, ben)
    count_all(services)
    with writing(services.engine) as session:
        delete_account(ActionContext(session, services.sealer, services.now()), session.get_one(Player, ben.id))
        name = session.get_one(Player, ben.id).name
    page = Browser(app).get(f"/games/{number}").text
    assert name in page
    assert 'href="/player/Ann"' in page
    assert page.count('href="/player/') == 1
    assert Browser(app).get(f"/player/{name}").status_code == 404


def test_profile_does_not_show_running_games(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    before = Browser(app).get("/player/Ann").text
    begin(services, "nelaxtam", ann, ben)
    assert Browser(app).get("/player/Ann").text == before


def test_profile_has_a_challenge_button(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    browser = logged_in(app, services, ann)
    assert 'href="/games/new?against=Ben"' in browser.get("/player/Ben").text
    assert 'href="/games/new/nibble?against=Ben"' in browser.get("/games/new?against=Ben").text
    assert 'value="Ben"' in browser.get("/games/new/nibble?against=Ben").text
    assert "against" not in browser.get("/games/new").text


@pytest.mark.parametrize(
    ("done", "said", "offered"),
    [
        (None, "", ["ignore", "block"]),
        ("ignore", "ignored Ben", ["unignore", "block"]),
        ("block", "blocked Ben", ["unblock"]),
    ],
)
def test_profile_offers_to_ignore_or_block_the_player_or_to_reverse_it(
    app: Flask, services: Services, ann: Player, ben: Player, done: str | None, said: str, offered: list[str]
) -> None:
    browser = logged_in(app, services, ann)
    if done:
        browser.send(f"/settings/{done}", name="Ben")
        assert "To undo it" not in browser.text("/settings"), "there are buttons for that"
    page = browser.get("/player/Ben").text
    assert f"You have {said}." in page or not said
    assert ("<details open>" in page) is bool(done), "how it is can be seen"
    assert (">Challenge<" in page) is (done != "block")
    assert ("Email me when" in page) is (done is None)
    assert [
        each for each in ("unignore", "ignore", "unblock", "block") if f'formaction="/settings/{each}"' in page
    ] == sorted(offered, key=["unignore", "ignore", "unblock", "block"].index)
    with reading(services.engine) as session:
        mine, theirs = session.get_one(Player, ann.id), session.get_one(Player, ben.id)
        assert relations.relation_to(session, theirs, mine) == ""
    assert "Ignore or block" not in browser.get("/player/Ann").text


def test_computer_player_has_a_profile(app: Flask, services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        computer_players.computer(ActionContext(session, services.sealer, services.now()))
    page = logged_in(app, services, ann).text("/player/Enkidu")
    assert "A computer player, level 2 of 5, always ready for a game." in page
    assert "he often misjudges a move" in page
    assert "Ignore or block" not in page


def test_emptied_field_removes_its_text(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    browser.send("/settings", bio="Tea.", languages="English")
    assert "Tea." in browser.text("/player/Ann")
    browser.send("/settings", **{"bio": "", "was-bio": "Tea.", "languages": "", "was-languages": "English"})
    assert "Tea." not in browser.text("/player/Ann")
    assert "Speaks" not in browser.text("/player/Ann")


def test_rating_chart_contains_all_its_points(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    for time in ("1d", "3d", "1d", "3d", "1d"):
        play_one(services, ann, ben, time=time)
        clock.advance(days=2)
    count_all(services)
    (game_type,) = known_of(services, ann).game_types
    drawn = plot(game_type.ratings)
    assert drawn is not None
    assert [line.pace for line in drawn.lines] == ["fast", "slow"]
    for line in drawn.lines:
        across, heights = zip(*(map(int, point.split(",")) for point in line.points.split()), strict=True)
        assert list(across) == sorted(across)
        assert min(across) >= drawn.left
        assert max(across) < drawn.width
        assert min(heights) >= drawn.levels[-1][0]
        assert max(heights) <= drawn.levels[0][0]
    assert [number for _, number in drawn.levels] == sorted(number for _, number in drawn.levels)
    assert plot([]) is None


def test_names_of_all_sorts_have_a_page(app: Flask, services: Services) -> None:
    for name in ("Dr. O'Neil-Smith", "Зоя", "张"):
        add_player(services, f"p{len(name)}@example.org", name)
        assert Browser(app).get(f"/player/{name}").status_code == 200


def test_private_games_are_not_shown(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    play_one(services, ann, ben, private="on")
    play_one(services, ann, ben)
    count_all(services)
    page = Browser(app).get("/player/Ann").text
    assert 'href="/games/1"' not in page
    assert 'href="/games/2"' in page
    assert "Nebuchadnezzar 2 won" in Browser(app).text("/player/Ann")


def test_corrected_result_keeps_its_place(services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    for _ in range(3):
        play_one(services, ann, ben, time="1d")
        clock.advance(days=1)
    count_all(services)
    clock.advance(days=30)
    with writing(services.engine) as session:
        endings.adjudicate_result(
            ActionContext(session, services.sealer, services.now()), session.get_one(Game, 1), [], "a mistake"
        )
    count_all(services)
    (game_type,) = known_of(services, ann).game_types
    assert game_type.ended == "2 won and 1 abandoned"
    (rating,) = game_type.ratings
    assert len(rating.course) == 2
    with writing(services.engine) as session:
        endings.adjudicate_result(
            ActionContext(session, services.sealer, services.now()), session.get_one(Game, 1), [0], "not at all"
        )
    count_all(services)
    ((rating,),) = (game_type.ratings for game_type in known_of(services, ann).game_types)
    moments = [moment.at for moment in rating.course]
    assert moments == sorted(moments)
    assert len(moments) == 3
    assert moments[-1] < services.now() - timedelta(days=29)


def test_ranking_lists_the_best_players_and_the_readers_place(
    app: Flask, services: Services, ann: Player, ben: Player, cleo: Player
) -> None:
    set_rating(services, cleo, 40.0, sigma=8.0)
    set_rating(services, ann, 10.0)
    set_rating(services, ben, 30.0)
    for number in range(50):
        set_rating(services, add_player(services, f"p{number}@example.org", f"P{number}x"), 20.0)
    page = Browser(app).get("/ranking/nibble").text
    assert page.index(">1</td>") < page.index('href="/player/Ben"') < page.index(">2</td>")
    assert "Ann" not in page
    assert "Cleo" not in page, "her rating is provisional"
    assert '<tr class="own"><td>52</td>' in logged_in(app, services, ann).get("/ranking/nibble").text


def test_ranking_of_a_game_without_rated_players_says_so(app: Flask) -> None:
    words = Browser(app).text("/ranking")
    assert "No player has enough rated games of Nardshir yet." in words
    assert Browser(app).get("/ranking/chess").status_code == 404


def test_ranking_reads_no_other_ratings(services: Services, ann: Player) -> None:
    with reading(services.engine) as session:
        plans = query_plans(services.engine, lambda: rankings(session, ann.id, ["nibble"]))
    assert [plan.statement for plan in plans if plan.scans] == []
