"""Preferences about time, by email and on the web."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from flask import Flask

from server.accounts import players
from server.errors import BadRequest
from server.game.clock import stored_pauses
from server.game.log import log
from server.game.play.loaded_game import report_to
from server.game.preferences import preferences
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.deferral import is_deferred
from server.store.letters.game import Aside, Withdrawn
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.emails import receive
from tests.support.server.games import begin
from tests.support.server.services import Clock
from tests.support.web.client import Browser, readable
from tests.support.web.games import Match


def stored(services: Services, player: Player) -> Player:
    with reading(services.engine) as session:
        return session.get_one(Player, player.id)


def seat_of(services: Services, number: int, player: Player) -> Seat:
    with reading(services.engine) as session:
        seated = log.seats(session, session.get_one(Game, number))
        return next(seat for seat, other in seated if other.id == player.id)


def test_moments_are_in_the_readers_zone(
    services: Services, app: Flask, browser: Browser, ann: Player, ben: Player
) -> None:
    answer = browser.send("/settings", zone="berln")
    assert "Did you mean Europe/Berlin or" in readable(answer)
    browser.send("/settings", zone="berlin")
    assert stored(services, ann).zone == "Europe/Berlin"
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    assert "due Wed 4 March 2026, 13:00 Europe/Berlin (UTC+1)" in browser.text(f"/games/{number}")
    assert "due Wed 4 March 2026, 12:00 UTC" in Browser(app).text(f"/games/{number}")


@pytest.mark.parametrize(
    ("text", "zone", "sentence"),
    [
        (
            "zone New York",
            "America/New_York",
            "Your time zone is America/New_York (UTC-5); it is now Sun 1 March 2026, 07:00.",
        ),
        (
            "zone Germany",
            "Europe/Berlin",
            "Your time zone is Europe/Berlin (UTC+1); it is now Sun 1 March 2026, 13:00.",
        ),
        (
            "zone UTC+2",
            "Etc/GMT-2",
            "Your time zone is UTC+2; it is now Sun 1 March 2026, 14:00. It ignores daylight saving: if "
            "your clocks change, write a city.",
        ),
        ("zone Spain", "", "Write a city, such as Europe/Madrid or Atlantic/Canary."),
    ],
)
def test_zone_is_chosen_by_city_country_or_hours(
    services: Services, browser: Browser, ann: Player, text: str, zone: str, sentence: str
) -> None:
    (answer,) = receive(services, ann.email, "play@games.example.org", text)
    assert sentence in answer.words
    assert stored(services, ann).zone == zone
    shown = "UTC+2" if zone == "Etc/GMT-2" else zone
    assert f'value="{shown}"' in browser.get("/settings").text


def test_vacation_pauses_the_clock_and_can_be_ended(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = first_of(services, ann, ben)
    before = seat_of(services, number, ann).deadline_at
    assert before is not None
    with writing(services.engine) as session:
        action, player = ActionContext(session, services.sealer, clock()), session.get_one(Player, ann.id)
        with pytest.raises(BadRequest, match="no vacation to end"):
            preferences.take_vacation(action, player, "off")
        assert "You are on vacation from Sun 1 March" in preferences.take_vacation(action, player, "5d")
    assert seat_of(services, number, ann).deadline_at == before + timedelta(days=5)
    clock.advance(days=2)
    with writing(services.engine) as session:
        action, player = ActionContext(session, services.sealer, clock()), session.get_one(Player, ann.id)
        preferences.take_vacation(action, player, "off")
    assert seat_of(services, number, ann).deadline_at == before + timedelta(days=2)


def test_vacation_that_ends_immediately_is_not_stored(services: Services, clock: Clock, ann: Player) -> None:
    with writing(services.engine) as session:
        action, player = ActionContext(session, services.sealer, clock()), session.get_one(Player, ann.id)
        preferences.take_vacation(action, player, "5d")
        assert len(stored_pauses.vacations_of(session, player)) == 1
        preferences.take_vacation(action, player, "off")
        assert list(stored_pauses.vacations_of(session, player)) == []


def test_vacation_names_deadlines_that_it_does_not_postpone(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = first_of(services, ann, ben)
    clock.advance(days=2, hours=23, minutes=30)
    with writing(services.engine) as session:
        action, player = ActionContext(session, services.sealer, clock()), session.get_one(Player, ann.id)
        said = preferences.take_vacation(action, player, "5d")
    assert f"Your deadline in game {number} is too soon to be postponed: Wed 4 March 2026, 12:00 UTC." in said
    assert said.endswith("You have 25 days of vacation left for 2026.")


def test_vacation_without_dates_shows_the_state(
    services: Services, app: Flask, browser: Browser, ann: Player
) -> None:
    (answer,) = receive(services, ann.email, "play@games.example.org", "vacation")
    assert "You have 30 days of vacation left for 2026. To take or end a vacation, write " in answer.words
    browser.send("/settings", vacation="2026-03-10 to 2026-03-12")
    announced = "You are on vacation from Tue 10 March 2026, 00:00 UTC until Fri 13 March 2026, 00:00 UTC. "
    assert f"{announced}You have 27 days of vacation left for 2026." in browser.text("/settings")
    (answer,) = receive(services, ann.email, "play@games.example.org", "vacation off")
    assert (
        "You no longer have any vacation planned, and your clock is running. You have 30 days" in answer.words
    )


def test_vacation_off_ends_current_and_planned_vacations(services: Services, clock: Clock, ann: Player) -> None:
    begin_at = clock()
    for text in ("vacation 5d", "vacation 2026-12-20 to 2026-12-23"):
        receive(services, ann.email, "play@games.example.org", text)
    clock.advance(days=2)
    receive(services, ann.email, "play@games.example.org", "vacation off")
    with reading(services.engine) as session:
        left = stored_pauses.vacations_of(session, ann)
    assert [(vacation.start, vacation.end) for vacation in left] == [(begin_at, clock())]


@pytest.mark.parametrize("command", ["vacation auto on", "auto vacation on", "auto on"])
def test_automatic_vacation_is_chosen_in_any_word_order(services: Services, ann: Player, command: str) -> None:
    receive(services, ann.email, "play@games.example.org", command)
    assert stored(services, ann).auto_vacation


def first_of(services: Services, ann: Player, ben: Player) -> int:
    """Start a game in which Ann moves first; return its number."""
    while True:
        number = begin(services, "nebuchadnezzar", ann, ben, size=5)
        if seat_of(services, number, ann).owes:
            return number


def test_vacation_stays_within_the_budget(services: Services, clock: Clock, ann: Player) -> None:
    with writing(services.engine) as session:
        action, player = ActionContext(session, services.sealer, clock()), session.get_one(Player, ann.id)
        with pytest.raises(BadRequest, match="of vacation left"):
            preferences.take_vacation(action, player, "31d")
        assert stored_pauses.vacations_of(session, player) == []


def test_reminders_are_chosen(services: Services, browser: Browser, ann: Player, ben: Player) -> None:
    number = first_of(services, ann, ben)
    assert seat_of(services, number, ann).remind_at is not None
    browser.send("/settings", reminders="none")
    assert seat_of(services, number, ann).remind_at is None
    assert browser.send("/settings", reminders="often").status_code == 422
    assert stored(services, ann).reminders == "none"


def test_automatic_vacation_is_switched_on_and_off_on_the_web(
    services: Services, browser: Browser, ann: Player
) -> None:
    browser.send("/settings", auto="on")
    assert stored(services, ann).auto_vacation
    browser.send("/settings", auto="off")
    assert not stored(services, ann).auto_vacation


def test_muted_game_is_silent_until_its_end(services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    number = first_of(services, ann, ben)
    with writing(services.engine) as session:
        action, player = ActionContext(session, services.sealer, clock()), session.get_one(Player, ann.id)
        seat = session.get_one(Seat, (number, seat_of(services, number, ann).number))
        game = session.get_one(Game, number)
        preferences.mute(action, game, seat, player, "5d")
        report = report_to(0, game, log.seats(session, game), first=1, aside=Aside())
        assert is_deferred(player, seat, report, action.now)
        assert not is_deferred(player, seat, replace(report, result={"winners": []}), action.now)
        assert not is_deferred(player, seat, Withdrawn(1), action.now)
        preferences.mute(action, game, seat, player, "off")
        assert not is_deferred(player, seat, report, action.now)


def test_time_is_given_on_the_web_and_an_early_claim_is_refused(open_game: Match, clock: Clock) -> None:
    giver = open_game.browsers[1]
    assert "Give one more day" in giver.text(open_game.address)
    giver.send(f"{open_game.address}/give", turn=1)
    assert "due Thu 5 March 2026, 12:00 UTC" in giver.text(open_game.address)
    assert giver.send(f"{open_game.address}/claim", turn=1).status_code == 422


def test_challenge_uses_the_challengers_time_zone(
    services: Services, browser: Browser, ann: Player, ben: Player
) -> None:
    browser.send("/settings", zone="Asia/Tokyo")
    number = begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, time="daily 20:00")
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        assert game.terms["time"] == "daily 20:00 Asia/Tokyo"
        assert players.zone(session.get_one(Player, ann.id)).key == "Asia/Tokyo"
        assert seat_of(services, number, ann).deadline_at == datetime.fromisoformat("2026-03-02T11:00+00:00")


def test_digest_is_chosen_on_the_web(services: Services, browser: Browser, ann: Player) -> None:
    browser.send("/settings", digest="weekly fri 7:30")
    assert stored(services, ann).digest == "fri 07:30"
    assert "one email every Friday at 07:30" in browser.text("/settings")
    answer = browser.send("/settings", digest="often")
    assert answer.status_code == 422
    assert "is not a time for a digest" in readable(answer)
    browser.send("/settings", digest="off")
    assert stored(services, ann).digest_at is None


def test_game_is_muted_on_the_web(open_game: Match, clock: Clock) -> None:
    player = open_game.browsers[0]
    assert "Time without email about this game" in player.text(open_game.address)
    player.send(f"{open_game.address}/mute", time="5d")
    assert f"no email about game {open_game.number} until Fri 6 March 2026, 12:00 UTC" in player.text(
        open_game.address
    )
    assert "no emails about this game" not in open_game.browsers[1].text(open_game.address).replace("Time", "")
    player.send(f"{open_game.address}/mute", time="off")
    assert "Time without email" in player.text(open_game.address)
    for wrong in ("31d", "many", ""):
        answer = player.send(f"{open_game.address}/mute", time=wrong)
        assert answer.status_code == 422, wrong
        assert 'class="problem"' in answer.text


def test_pages_show_moments_in_the_readers_zone(open_game: Match, app: Flask) -> None:
    player = open_game.browsers[0]
    player.send("/settings", zone="Asia/Kathmandu")
    waits = "Sun 1 March 2026, 17:45 Asia/Kathmandu (UTC+5:45)"
    player.send(f"{open_game.address}/move", turn=1, text="c3")
    assert f"Turn 1, {waits}" in player.text(open_game.address)
    assert waits in player.text("/games")
    assert "Turn 1, Sun 1 March 2026, 12:00 UTC" in Browser(app).text(open_game.address)


def test_every_value_of_a_choice_has_a_label_and_a_sentence() -> None:
    ways = [(choice.name, way) for choice in preferences.CHOICES for way in choice.ways]
    assert [(name, way.word) for name, way in ways if not (way.word and way.label and way.sentence)] == []
