"""Blocking a player while both wait in an open game does not reveal the block."""

from __future__ import annotations

import pytest
from flask import Flask

from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from tests.support.server.emails import write
from tests.support.server.games import open_game
from tests.support.web.client import logged_in


def waiting(services: Services, *people: Player, **options: object) -> int:
    """Open a game for four with these players, and return its number."""
    number = open_game(services, people[0], "nexus", players=4, **options)
    for player in people[1:]:
        write(services, player, f"join {number}")
    return number


def seated(services: Services, number: int) -> list[str]:
    """Return the names of the players in an open game; [] once it is closed."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        return [player.name for _, player in log.seats(session, game)] if game.state == "open" else []


@pytest.mark.both
def test_blocking_player_leaves_shared_open_games(
    services: Services, ann: Player, ben: Player, cleo: Player
) -> None:
    number = waiting(services, ann, ben, cleo)
    mails = {mail.to: mail for mail in write(services, ben, "block Cleo")}
    assert "You have left game 1, which Cleo has joined too. You have blocked Cleo:" in mails[ben.email].words
    assert seated(services, number) == ["Ann", "Cleo"]
    (left,) = (mail for mail in write(services, ann, "leave 1") if mail.to == cleo.email)
    assert (mails[cleo.email].letter, left.letter) == ("open_game_changed", "open_game_closed")
    assert "block" not in mails[cleo.email].words


def test_other_players_continue(services: Services, ann: Player, ben: Player, cleo: Player) -> None:
    number = waiting(services, ann, ben, cleo)
    write(services, cleo, "block Ben")
    for player in (ann, ben):
        write(services, player, f"start {number}")
    with reading(services.engine) as session:
        assert session.get_one(Game, number).state == "running"


def test_open_game_of_the_blocking_player_is_closed_if_the_blocked_one_has_joined(
    app: Flask, services: Services, ann: Player, ben: Player, cleo: Player
) -> None:
    first, other = waiting(services, ann, ben, cleo), waiting(services, ann, cleo)
    browser = logged_in(app, services, ann)
    browser.send("/settings/block", name="Ben")
    assert f"You have closed game {first}, which Ben has joined too." in browser.text("/settings")
    assert (seated(services, first), seated(services, other)) == ([], ["Ann", "Cleo"])


def test_anonymous_open_games_are_not_left(services: Services, ann: Player, ben: Player) -> None:
    number = waiting(services, ann, ben, anonymous="yes")
    (answer,) = write(services, ben, "block Ann")
    assert f"game {number}" not in answer.words
    assert len(seated(services, number)) == 2


@pytest.mark.both
def test_challenges_between_them_are_declined_or_withdrawn(
    services: Services, ann: Player, ben: Player
) -> None:
    write(services, ann, "challenge Ben nibble")
    write(services, ben, "challenge Ann nardshir")
    mails = {mail.to: mail for mail in write(services, ann, "block Ben")}
    assert "You have withdrawn your challenge to game 1 with Ben." in mails[ann.email].words
    assert "You have declined the invitation to game 2 with Ben." in mails[ann.email].words
    assert "block" not in mails[ben.email].words
    with reading(services.engine) as session:
        assert [session.get_one(Game, number).state for number in (1, 2)] == ["declined", "declined"]


def test_blocking_does_not_reveal_the_owner_of_an_address(services: Services, ann: Player, ben: Player) -> None:
    write(services, ann, f"challenge {ben.email} nibble")
    (answer,) = write(services, ann, "block Ben")
    assert "game 1" not in answer.words
