"""Games that an administrator ends or corrects: the log entries, and the emails to the players."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from flask import Flask

from rules.records.verification import verify
from server.admin import games
from server.admin.audit import AdminAction, done
from server.errors import BadRequest
from server.game.integrity import log_check
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.emails import letters
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.web.administrators import entered
from tests.support.web.client import readable

WHY = "Ben's emails were lost for a week."


@pytest.fixture
def city(services: Services, ann: Player, ben: Player) -> int:
    """Return a game between Ann and Ben after one turn."""
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    submit(services, number, 0, "c3")
    return number


def decide(
    services: Services, number: int, winners: Sequence[int], why: str = WHY, by: Player | None = None
) -> None:
    with writing(services.engine) as session:
        admin_action = AdminAction(
            ActionContext(session, services.sealer, services.now()), by.id if by else None
        )
        games.decide(admin_action, number, winners, why)


def last_entry(services: Services, number: int) -> dict[str, object]:
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        assert verify(log.record(session, game).to_json()).wrong is None
        assert not log_check.check(services.engine, services.sealer, number)
        body = log.entries(session, game)[-1].body
        return {name: value for name, value in body.items() if name != "seed"}


def outcomes(services: Services, number: int) -> list[str]:
    with reading(services.engine) as session:
        return [session.get_one(Seat, (number, seat)).outcome for seat in (0, 1)]


def told(services: Services, skip: int) -> dict[str, str]:
    """Return the subjects of the letters since, by recipient; each must contain the reason."""
    written = letters(services, skip)
    assert all(WHY in letter.words for letter in written)
    return {letter.to: str(letter.mail["Subject"]) for letter in written}


@pytest.mark.both
def test_running_game_is_adjudicated(services: Services, city: int) -> None:
    before = len(letters(services))
    decide(services, city, [1])
    result = {"winners": [1], "reason": "ruled", "why": WHY}
    assert last_entry(services, city) == {"type": "end", "result": result}
    assert outcomes(services, city) == ["lost", "won"]
    assert sorted(told(services, before)) == ["ann@example.org", "ben@example.org"]
    with reading(services.engine) as session:
        (deed,) = done(session)
        assert (deed.what, deed.game, deed.why) == ("ended a game", city, WHY)


def test_game_is_cancelled(services: Services, city: int) -> None:
    before = len(letters(services))
    decide(services, city, [])
    assert outcomes(services, city) == ["abandoned", "abandoned"]
    assert all(subject.endswith("was cancelled") for subject in told(services, before).values())


@pytest.mark.both
def test_result_of_a_finished_game_is_corrected(services: Services, city: int) -> None:
    decide(services, city, [1])
    before = len(letters(services))
    decide(services, city, [0, 1])
    result = {"winners": [0, 1], "reason": "ruled", "why": WHY}
    assert last_entry(services, city) == {"type": "ruling", "result": result}
    assert outcomes(services, city) == ["drawn", "drawn"]
    with reading(services.engine) as session:
        assert session.get_one(Game, city).count_due_at == services.now(), "it is counted again"
    assert {subject.partition(" is ")[2] for subject in told(services, before).values()} == {"a draw"}
    with pytest.raises(BadRequest, match="already has this result"):
        decide(services, city, [0, 1])


def test_impossible_rulings_are_refused(services: Services, city: int, ann: Player) -> None:
    for number, why, by, words in (
        (city, " ", None, "Give a reason"),
        (city, "x" * 201, None, "at most 200 characters"),
        (city, WHY, ann, "You play in game 1 yourself"),
        (99, WHY, None, "There is no game 99"),
    ):
        with pytest.raises(BadRequest, match=words):
            decide(services, number, [0], why, by)
    with reading(services.engine) as session:
        assert session.get_one(Game, city).state == "running"


@pytest.mark.both
def test_administrators_find_and_adjudicate_games(app: Flask, services: Services, city: int) -> None:
    olga = add_player(services, "olga@example.org", "Olga")
    other = begin(services, "nibble", olga, add_player(services, "pia@example.org", "Pia"))
    browser = entered(app, services, olga)
    assert f"Nibble {other}" in browser.text("/admin/games")
    theirs = browser.text("/admin/games?player=ann")
    assert f"Nebuchadnezzar {city} Ann, Ben running" in theirs or f"{city} Ben, Ann running" in theirs
    assert f"Nibble {other}" not in theirs
    assert "no player called “Nobody”" in browser.text("/admin/games?player=Nobody")
    assert browser.get(f"/admin/games?number={city}").location == f"/admin/games/{city}"
    assert browser.get("/admin/games/99").status_code == 409
    wrong = browser.send(f"/admin/games/{city}", winner="7", why=WHY)
    assert wrong.status_code == 422
    assert "Choose the winner" in readable(wrong)
    assert browser.send(f"/admin/games/{city}", winner="nobody", why=WHY).status_code == 303
    page = browser.text(f"/admin/games/{city}")
    assert f"No winner: an administrator of the server decided it. Reason: {WHY}" in page
    assert "Correct the result" in page
    assert browser.send(f"/admin/games/{other}", winner="all", why=WHY).status_code == 422
