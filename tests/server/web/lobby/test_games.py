"""A player's list of games, invitations and challenges."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from sqlmodel import col, select

from rules.registry import RULES
from server.accounts.computer_characters import COMPUTER, COMPUTER_PLAYERS
from server.game.lobby import challenges
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.game.terms.terms import PACES
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Outbox, Player, Seat
from server.store.outbox import ActionContext
from server.web.lobby.games import _PAGE
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in, readable

Fields = dict[str, Any]

_CARD = re.compile(r'class="card" href="/games/(\d+)"')

NAMES = [computer.name for computer in COMPUTER_PLAYERS]


def last_game(services: Services) -> Game:
    with reading(services.engine) as session:
        found = session.exec(select(Game).order_by(col(Game.id).desc())).first()
        assert found is not None
        session.expunge(found)
        return found


def resign(services: Services, number: int, seat: int) -> None:
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        _, player = log.seats(session, game)[seat]
        moves.resign(
            ActionContext(session, services.sealer, services.now()), player, Target(number, seat, game.turn)
        )


def cards(page: str) -> list[int]:
    """Return the numbers of the games on a page, in order."""
    return [int(number) for number in _CARD.findall(page)]


def test_game_without_a_turn_shows_when_it_started(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5, time="none")
    assert "turn 1 started just now" in logged_in(app, services, ann).text("/games")
    submit(services, number, 0, "c3")
    assert "turn 2 last turn just now" in logged_in(app, services, ann).text("/games")


@pytest.mark.both
def test_games_that_wait_for_the_player_come_first(
    services: Services, clock: Clock, browser: Browser, ann: Player, ben: Player
) -> None:
    for _ in range(6):
        clock.advance(hours=1)
        begin(services, "nebuchadnezzar", ann, ben, size=5)
    with reading(services.engine) as session:
        seats = session.exec(select(Seat).where(Seat.player_id == ann.id).order_by(col(Seat.game_id))).all()
        due = [seat.game_id for seat in seats if seat.owes]
        others = [seat.game_id for seat in seats if not seat.owes]
    page = browser.get("/games").text
    assert cards(page.partition('<section id="waiting"')[0]) == due, "the one with the least time first"
    assert cards(page) == due + others[::-1]


def test_card_shows_the_remaining_time_and_the_deadline(
    services: Services, clock: Clock, browser: Browser, ann: Player, ben: Player
) -> None:
    begin(services, "nelaxtam", ann, ben, time="3d")
    clock.advance(hours=20)
    exact = "Wed 4 March 2026, 12:00 UTC"
    page = browser.get("/games").text
    assert f'<time datetime="2026-03-04T12:00Z" title="{exact}">2 d 4 h left</time>' in page
    assert f"Your turn turn 1 2 d 4 h left , due {exact}" in browser.text("/games")
    assert 'class="soon"' not in page
    clock.advance(days=2)
    assert '<span class="soon">4 h left</span>' in browser.get("/games").text
    clock.advance(hours=5)
    assert '<span class="soon">time is up</span>' in browser.get("/games").text


def test_card_without_deadline_shows_the_time_of_the_last_turn(
    services: Services, clock: Clock, browser: Browser, ann: Player, ben: Player
) -> None:
    begin(services, "nebuchadnezzar", ann, ben, time="none")
    assert ">just now</time>" in browser.get("/games").text
    clock.advance(minutes=90)
    page = browser.get("/games").text
    assert (
        '<time datetime="2026-03-01T12:00Z" title="Sun 1 March 2026, 12:00 UTC">1 h 30 min ago</time>' in page
    )


@pytest.mark.both
def test_invitation_is_accepted(app: Flask, services: Services, browser: Browser, ben: Player) -> None:
    sent = browser.send("/games/new/nebuchadnezzar", opponents="Ben")
    number = last_game(services).id
    assert sent.location == f"/games/{number}"
    page = browser.text(f"/games/{number}")
    assert "Your challenge is on its way." in page
    assert page.count("The game starts once everyone has accepted.") == 1
    bens = logged_in(app, services, ben)
    assert "Words for luck" in bens.text(f"/games/{number}")
    assert f"Invitations 1 Nebuchadnezzar {number} with Ann" in bens.text("/games")
    assert bens.send(f"/games/{number}/accept", luck="Ishtar ").location == f"/games/{number}"
    with reading(services.engine) as session:
        words = session.exec(
            select(Seat.client_seed).where(Seat.game_id == number, Seat.player_id == ben.id)
        ).one()
    assert words == "Ishtar"
    assert "The game starts." in bens.text(f"/games/{number}")
    assert last_game(services).state == "running"


def test_invitation_is_declined(app: Flask, services: Services, browser: Browser, ben: Player) -> None:
    browser.send("/games/new/nebuchadnezzar", opponents="ben@example.org")
    number = last_game(services).id
    bens = logged_in(app, services, ben)
    assert "For example: the game starts" in bens.text(f"/games/{number}")
    assert bens.send(f"/games/{number}/decline").location == "/games"
    assert last_game(services).state == "declined"
    assert "For example: the game starts" not in bens.text(f"/games/{number}"), "it never will"
    again = bens.send(f"/games/{number}/accept")
    assert again.status_code == 422
    assert "is no longer valid" in readable(again)


def test_challenge_is_withdrawn(services: Services, browser: Browser, ben: Player) -> None:
    browser.send("/games/new/nebuchadnezzar", opponents="Ben")
    number = last_game(services).id
    assert "Cancel the challenge" in browser.text(f"/games/{number}")
    browser.send(f"/games/{number}/decline")
    assert last_game(services).state == "declined"


def test_invited_player_declines_after_accepting(
    app: Flask, services: Services, browser: Browser, ben: Player
) -> None:
    add_player(services, "cleo@example.org", "Cleo")
    browser.send("/games/new/nexus", **{"opponents": "Ben, Cleo", "option-players": "3"})
    number = last_game(services).id
    bens = logged_in(app, services, ben)
    bens.send(f"/games/{number}/accept")
    page = bens.text(f"/games/{number}")
    assert "Decline The game does not start, and all its players are notified. Decline" in page
    assert "Cancel" not in page, "it is not their challenge"
    bens.send(f"/games/{number}/decline")
    assert last_game(services).state == "declined"


def test_game_before_its_start_is_hidden_from_others(
    app: Flask, services: Services, browser: Browser, ben: Player
) -> None:
    browser.send("/games/new/nebuchadnezzar", opponents="Ben")
    address = f"/games/{last_game(services).id}"
    cleo = logged_in(app, services, add_player(services, "cleo@example.org", "Cleo"))
    for other in (cleo, Browser(app)):
        assert other.get(address).status_code == 404
        assert other.get(f"{address}/record.json").status_code == 404
    assert cleo.send(f"{address}/accept").status_code == 404


@pytest.mark.both
def test_new_person_is_invited_by_address(services: Services, browser: Browser) -> None:
    browser.send("/games/new/nebuchadnezzar", opponents="new@example.org")
    with reading(services.engine) as session:
        letters = session.exec(select(Outbox.letter).where(Outbox.recipient == "new@example.org")).all()
    assert letters == ["invitation"]


@pytest.mark.parametrize("game_type", RULES)
def test_every_game_type_starts_against_the_computer(
    services: Services, browser: Browser, game_type: str
) -> None:
    answer = browser.send(f"/games/new/{game_type}", whom="computer")
    game = last_game(services)
    assert answer.location == f"/games/{game.id}"
    assert (game.game_type, game.state) == (game_type, "running")
    assert COMPUTER in browser.text(f"/games/{game.id}")


@pytest.mark.parametrize(("whom", "state"), [("computer", "running"), ("anyone", "open")])
def test_name_in_a_hidden_field_is_ignored(services: Services, browser: Browser, whom: str, state: str) -> None:
    browser.send("/games/new/nibble", whom=whom, opponents="Ben")
    game = last_game(services)
    assert (game.state, len(game.asked)) == (state, 2 if whom == "computer" else 1)


@pytest.mark.parametrize("game_type", RULES)
def test_form_offers_every_option_with_its_default(browser: Browser, game_type: str) -> None:
    page = browser.get(f"/games/new/{game_type}").text
    for name, value in RULES[game_type].options({}).items():
        choices = page.partition(f'name="option-{name}"')[2].partition("</select>")[0]
        assert f'<option value="{value}" selected>' in choices
        offered = re.findall('<option value="([^"]+)"', choices)
        assert offered == [str(each) for each in RULES[game_type].offered[name].values]


def test_options_are_applied(services: Services, browser: Browser) -> None:
    fields: Fields = {"option-size": "10", "option-troops": "2", "option-sea": "1", "option-mode": "quiet"}
    fields |= {"show-ready": "off", "delay": "20m", "time": "7d+1d", "weekends": "off"}
    browser.send("/games/new/nelaxtam", whom="computer", **fields)
    game = last_game(services)
    assert game.options == {"size": 10, "troops": 2, "sea": 1, "mode": "quiet"}
    assert game.terms == {
        "time": "7d+1d/14d",
        "weekends": "off",
        "grace": "1h",
        "timeout": "lose",
        "delay": "20m",
        "misses": "3",
        "simultaneous": True,
        "show-ready": "off",
        "rated": "on",
    }


def test_time_control_is_explained_before_the_form_is_sent(browser: Browser) -> None:
    assert "Each move may take up to 3 days." in browser.text("/games/new/nibble")
    answer = readable(browser.send("/games/new/nibble/terms", time="7d+1d", weekends="off", opponents="Ben"))
    assert "Each player has a time bank of 7 days" in answer
    assert "Wed 11 March 2026, 00:00 UTC" in answer
    wrong = browser.send("/games/new/nibble/terms", time="soon")
    assert "“soon” is not a time control" in readable(wrong)
    wrong = browser.send("/games/new/nelaxtam/terms", **{"option-troops": "2", "option-sea": "3"})
    assert "With 2 troops per side, “sea” is from 0 to 2, not 3." in readable(wrong)


def test_earlier_opponents_are_suggested_by_name_only(
    services: Services, browser: Browser, ann: Player, ben: Player
) -> None:
    def suggested() -> list[str]:
        page = browser.get("/games/new/nibble").text
        assert "@" not in page
        return re.findall('value="([^"]*)"', page.partition("<datalist")[2].partition("</datalist>")[0])

    dora, eve = (add_player(services, f"{name}@example.org", name) for name in ("Dora", "Eve"))
    add_player(services, "cleo@example.org", "Cleo")
    browser.send("/games/new/nibble", opponents="Cleo")
    begin(services, "nibble", ben, dora)
    assert suggested() == NAMES
    begin(services, "nibble", ann, ben)
    resign(services, begin(services, "nibble", eve, ann), 0)
    begin(services, "nibble", ann, dora)
    begin(services, "nibble", ann, ben)
    browser.send("/games/new/nibble", whom="computer")
    with writing(services.engine) as session:
        session.get_one(Player, dora.id).mail_stopped = True
    assert suggested() == ["Ben", "Eve", *NAMES]


def test_time_control_is_chosen_or_written(services: Services, browser: Browser) -> None:
    page = browser.get("/games/new/nibble").text
    assert re.findall('name="time" value="([^"]*)"', page) == [time for time, _ in PACES]
    assert 'value="3d" checked' in page
    for fields, time in (({"time": "1d"}, "1d"), ({"time": "1d", "other-time": "5d"}, "5d"), ({}, "3d")):
        browser.send("/games/new/nibble", whom="computer", **fields)
        assert last_game(services).terms["time"] == time


def test_section_with_unusual_values_is_open(browser: Browser) -> None:
    rest = re.compile(r'<details class="more" open>\s*<summary>More<')
    usual: list[Fields] = [{}, {"time": "1d"}]
    unusual: list[Fields] = [{"other-time": "5d"}, {"weekends": "off"}, {"luck": "mine"}]
    for fields in (*usual, *unusual):
        page = browser.send("/games/new/nibble/terms", **fields).text
        assert bool(rest.search(page)) is (fields in unusual), fields


def test_invitation_shows_the_terms_with_deadlines(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    address = str(logged_in(app, services, ann).send("/games/new/nibble", opponents="Ben", time="2d").location)
    page = logged_in(app, services, ben).text(address)
    assert "Each move may take up to 2 days." in page
    assert "Tue 3 March 2026, 12:00 UTC" in page


def test_only_games_with_secret_orders_have_their_terms(browser: Browser) -> None:
    assert "Secret orders" in browser.text("/games/new/nelaxtam")
    assert "Secret orders" not in browser.text("/games/new/nibble")


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("game_type", "fields", "sentence"),
    [
        ("nebuchadnezzar", {"opponents": ""}, "Write a name or an email address, or choose “Anyone”."),
        ("nebuchadnezzar", {"opponents": "Ann"}, "not yourself"),
        ("nebuchadnezzar", {"opponents": "Nobody"}, "There is no player called “Nobody”."),
        ("nebuchadnezzar", {"opponents": "Bem"}, "“Bem”. Did you mean Ben?"),
        ("nebuchadnezzar", {"opponents": "a@b@c"}, "is not an email address"),
        (
            "nebuchadnezzar",
            {"opponents": "Ben", "option-size": "99"},
            "The size is a whole number from 4 to 15",
        ),
        ("nelaxtam", {"opponents": "Ben", "option-mode": "<wild>"}, "The mode is wild or quiet"),
        ("nelaxtam", {"opponents": "Ben", "delay": "<99>"}, "is not a length of time"),
        (
            "nexus",
            {"opponents": "Ben", "option-players": "3"},
            "for 3 players: you and 2 more, not 1. You can name 1 more or choose 2 at “Players”.",
        ),
        (
            "nexus",
            {"opponents": "Ben, cleo@example.org", "option-players": "2"},
            "for 2 players: you and 1 more, not 2. You can name only 1 or choose 3 at “Players”.",
        ),
        ("nibble", {"opponents": "Ben, Ann"}, "for 2 players: you and 1 more, not 2. You can name only 1."),
        (
            "nexus",
            {"whom": "computer", "option-players": "3"},
            "not 1. You can name 1 more or choose 2 at “Players”.",
        ),
    ],
)
def test_error_is_shown_at_the_field_and_the_input_kept(
    services: Services, browser: Browser, ben: Player, game_type: str, fields: Fields, sentence: str
) -> None:
    answer = browser.send(f"/games/new/{game_type}", **fields)
    assert answer.status_code == 422
    assert sentence in readable(answer)
    for name, written in fields.items():
        shown = written.replace("<", "&lt;").replace(">", "&gt;")
        if not name.startswith("option-"):
            assert re.search(rf'name="{name}"[^>]* value="{re.escape(shown)}"', answer.text)
    with reading(services.engine) as session:
        assert session.exec(select(Game)).first() is None


def test_choices_are_kept_after_an_error(browser: Browser) -> None:
    fields: Fields = {"option-size": "14", "option-mode": "quiet", "timeout": "claim"}
    answer = browser.send("/games/new/nelaxtam", opponents="", **fields)
    assert answer.status_code == 422
    for chosen in fields.values():
        assert f'<option value="{chosen}" selected>' in answer.text


def test_unknown_game_type_has_no_form(browser: Browser) -> None:
    assert browser.get("/games/new/chess").status_code == 404
    assert browser.send("/games/new/chess", opponents="Ben").status_code == 404


def test_list_is_paged(services: Services, browser: Browser, ann: Player, ben: Player) -> None:
    numbers = [begin(services, "nebuchadnezzar", ann, ben, size=4) for _ in range(_PAGE + 3)]
    for number in numbers:
        resign(services, number, 0)
    overview, first, second = (
        browser.get(f"/games{more}").text for more in ("", "?list=finished", "?list=finished&page=2")
    )
    assert cards(overview) == numbers[:-7:-1]
    assert f'href="/games?list=finished">All {_PAGE + 3}<' in overview
    assert cards(first) == numbers[: -_PAGE - 1 : -1]
    assert cards(second) == numbers[2::-1]
    assert "Page 1 of 2" in first
    assert (">More<" in first, ">More<" in second) == (True, False)
    assert (">Back<" in first, ">Back<" in second) == (False, True)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["0", "-1", "x", "3", "99999999999999999999"])
def test_page_that_cannot_exist_shows_another(
    services: Services, browser: Browser, ann: Player, ben: Player, page: str
) -> None:
    number = begin(services, "nelaxtam", ann, ben)
    assert cards(browser.get(f"/games?list=turns&page={page}").text) == [number]


def test_list_may_be_empty_but_must_exist(browser: Browser) -> None:
    assert "There are no games here" in browser.text("/games?list=turns")
    assert browser.get("/games?list=others").status_code == 404


def test_result_is_shown_from_the_players_point_of_view(
    services: Services, browser: Browser, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=4)
    with reading(services.engine) as session:
        mine = challenges.seat_of(session, session.get_one(Game, number), ann)
    resign(services, number, 0)
    said, winner = ("You lost", "Ben") if mine == 0 else ("You won", "Ann")
    assert f"{said} {winner} wins: the other side resigned." in browser.text("/games")


def test_home_page_redirects_logged_in_players_to_their_games(browser: Browser) -> None:
    assert browser.get("/").location == "/games"


@pytest.mark.parametrize("game_type", RULES)
def test_rules_and_pictures_of_every_game_type_are_public(app: Flask, game_type: str) -> None:
    browser = Browser(app)
    assert RULES[game_type].title in browser.text("/")
    assert f">{RULES[game_type].title}</h1>" in browser.get(f"/rules/{game_type}").text
    picture = browser.get(f"/game-types/{game_type}.svg")
    assert picture.content_type.startswith("image/svg+xml")
    assert picture.text.startswith("<svg ")
