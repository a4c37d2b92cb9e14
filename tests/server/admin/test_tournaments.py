"""Tournaments that an administrator ends: the emails to the players, and the running games."""

from __future__ import annotations

import pytest
from flask import Flask

from server.admin import tournaments
from server.admin.audit import AdminAction, done
from server.errors import BadRequest
from server.store.db import reading, writing
from server.store.models import Game
from tests.support.server.emails import letters
from tests.support.server.players import add_player
from tests.support.server.tournaments import NAMES, Field, first_by_name
from tests.support.web.administrators import entered
from tests.support.web.client import Browser, readable

WHY = "Its name insults people."


def end(field: Field, why: str = WHY) -> None:
    with writing(field.services.engine) as session:
        tournaments.end(AdminAction(field.action(session)), field.number, why)


@pytest.mark.both
def test_open_tournament_is_cancelled(field: Field) -> None:
    field.enter("Ann", "Ben")
    end(field)
    assert field.now.state == "cancelled"
    assert sorted(field.letters("tournament_cancelled")) == ["Ann", "Ben"]
    last = letters(field.services)[-1]
    assert last.mail["Subject"] == "Ann’s tournament “Spring Cup” was cancelled"
    assert f"An administrator cancelled it. Reason: {WHY}" in last.words
    with reading(field.services.engine) as session:
        (deed,) = done(session)
        assert (deed.what, deed.player, deed.why) == ("cancelled tournament 1", "Ann", WHY)
    with pytest.raises(BadRequest, match="Tournament 1 is already over"):
        end(field)


@pytest.mark.both
def test_games_of_a_cancelled_tournament_continue_without_counting(field: Field) -> None:
    field.enter(*NAMES[:4])
    field.tick()
    field.leave("Dora")
    field.tick()
    end(field)
    assert sorted(field.letters("tournament_cancelled")) == ["Ann", "Ben", "Cleo"]
    last = letters(field.services)[-1]
    assert last.mail["Subject"] == "Ann’s tournament “Spring Cup” was ended early"
    assert f"An administrator ended it. Reason: {WHY}" in last.words
    assert "Running games continue." in last.words
    (pairing,) = field.going_on()
    with reading(field.services.engine) as session:
        assert session.get_one(Game, pairing.game_id).state == "running"
    field.play_round(first_by_name)
    field.live(days=40)
    assert field.now.round == 1
    assert [each.first_points for each in field.pairings() if each.game_id == pairing.game_id] == [None]


def test_administrators_cancel_tournaments_on_a_page(app: Flask, field: Field) -> None:
    field.enter(*NAMES[:4])
    field.tick()
    browser = entered(app, field.services, add_player(field.services, "olga@example.org", "Olga"))
    assert "Spring Cup, 1 Ann running" in browser.text("/admin/tournaments")
    assert "Tournament 1, created by Ann. Running." in browser.text("/admin/tournaments/1")
    wrong = browser.send("/admin/tournaments/1")
    assert wrong.status_code == 422
    assert "reason" in readable(wrong)
    assert field.now.state == "running"
    assert browser.send("/admin/tournaments/1", why=WHY).status_code == 303
    page = browser.text("/admin/tournaments/1")
    assert "Cancelled, or ended before all games were played." in page
    shown = Browser(app).text("/tournaments/1")
    assert "This tournament was ended before all games were played." in shown
    assert "Standings" in shown
    assert browser.get("/admin/tournaments/9").status_code == 409


def test_others_cannot_see_this_page(app: Flask, field: Field) -> None:
    assert Browser(app).get("/admin/tournaments/1").status_code == 404
