"""Rematches: the same players, options and terms; two players swap seats."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlmodel import select

from rules.records.verification import verify
from server.game.integrity import log_check
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from tests.support.server.emails import letters, receive
from tests.support.server.games import TwoPlayerGame, begin, reply, to_seat
from tests.support.server.players import add_player
from tests.support.web.client import logged_in


@pytest.fixture
def over(services: Services) -> TwoPlayerGame:
    """A game of two that the second seat has lost."""
    table = TwoPlayerGame(services, "nardshir", time="2d")
    reply(table, 1, "resign")
    return table


def names(table: TwoPlayerGame) -> list[str]:
    return [player.name for player in table.players]


def test_last_letter_offers_a_rematch(over: TwoPlayerGame) -> None:
    assert "For a rematch with sides swapped, write: rematch" in letters(over.services)[-1].words


def test_rematch_swaps_seats_when_both_request_it(over: TwoPlayerGame) -> None:
    sent = reply(over, 0, "rematch")
    (invitation,) = to_seat(sent, over, 1)
    assert "It is a rematch of game 1: the players change seats." in invitation.words
    assert [each.letter for each in to_seat(sent, over, 0)] == ["challenge_sent"]
    reply(over, 1, "rematch")
    second = TwoPlayerGame.of(over.services, 2)
    assert second.game().state == "running"
    assert second.game().terms == over.game().terms
    assert names(second) == names(over)[::-1]
    (answer,) = reply(over, 0, "rematch")
    assert "There already is a rematch: game 2." in answer.words


def test_log_names_the_previous_game_and_is_proved(over: TwoPlayerGame) -> None:
    services = over.services
    reply(over, 0, "rematch")
    reply(over, 1, "rematch")
    assert not log_check.check(services.engine, services.sealer, 2)
    reply(TwoPlayerGame.of(services, 2), 0, "resign")
    with reading(services.engine) as session:
        second = session.get_one(Game, 2)
        assert log.entries(session, second)[0].body["turned"] == 1
        verified = verify(log.record(session, second).to_json())
    assert verified.wrong is None
    assert any("the other way round than in game 1" in line for line in verified.checked)


def test_declined_rematch_can_be_requested_again(over: TwoPlayerGame) -> None:
    sent = reply(over, 0, "rematch")
    receive(over.services, over.players[1].email, str(to_seat(sent, over, 1)[0].mail["Reply-To"]), "decline")
    reply(over, 1, "rematch")
    with reading(over.services.engine) as session:
        assert session.get_one(Game, 3).asked == [over.players[1].id, over.players[0].id]


def test_running_game_has_no_rematch(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    (answer,) = reply(table, 0, "rematch")
    assert "Game 1 is not over yet" in answer.words


@pytest.mark.both
def test_seats_of_three_players_are_drawn(services: Services, ann: Player, ben: Player) -> None:
    cleo = add_player(services, "cleo@example.org", "Cleo")
    table = TwoPlayerGame.of(services, begin(services, "nexus", ann, ben, cleo, players=3))
    for seat, text in ((0, "resign"), (1, "resign"), (2, "again"), (0, "again"), (1, "again")):
        reply(table, seat, text)
    with reading(services.engine) as session:
        second = session.exec(select(Game).where(Game.again_of == table.number)).one()
        assert second.state == "running"
        assert "turned" not in log.entries(session, second)[0].body


def test_page_has_a_rematch_button(over: TwoPlayerGame, app: Flask) -> None:
    browsers = [logged_in(app, over.services, player) for player in over.players]
    assert "Rematch" in browsers[0].text("/games/1")
    assert browsers[0].send("/games/1/rematch").headers["Location"].endswith("/games/2")
    assert "It is a rematch of game 1" in browsers[1].text("/games/2")
    browsers[1].send("/games/1/rematch")
    assert TwoPlayerGame.of(over.services, 2).game().state == "running"
