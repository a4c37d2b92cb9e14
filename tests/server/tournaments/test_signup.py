"""Create, join and leave a tournament, and the limits on them."""

from __future__ import annotations

import pytest

from server.errors import BadRequest
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.tournaments import signup
from tests.support.server.emails import letters
from tests.support.server.services import Clock
from tests.support.server.tournaments import NAMES, Field, view_of


def test_player_enters_once(field: Field) -> None:
    field.enter("Ben")
    with pytest.raises(BadRequest, match="already joined tournament 1, Spring Cup"):
        field.enter("Ben")


@pytest.mark.parametrize("why", ["mail_stopped", "suspended_at"])
def test_player_without_email_cannot_enter(field: Field, why: str) -> None:
    with writing(field.services.engine) as session:
        value = True if why == "mail_stopped" else field.clock()
        setattr(session.get_one(Player, field.ids["Ben"]), why, value)
    with pytest.raises(BadRequest, match="Nabu cannot send you email, so you cannot join a tournament"):
        field.enter("Ben")


def test_player_who_left_before_the_start_can_enter_again(field: Field) -> None:
    field.enter("Ben", "Cleo")
    field.leave("Ben")
    field.enter("Ben")
    field.leave("Cleo")
    with pytest.raises(BadRequest, match="You do not take part in tournament 1"):
        field.leave("Cleo")


@pytest.mark.both
def test_creator_starts_the_tournament_early(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="swiss", places="3-8", early="off", signup="2d")
    field.enter("Ann", "Ben")
    with pytest.raises(BadRequest, match=r"needs at least 3 players\. So far, 2 have joined"):
        field.start("Ann")
    field.enter("Cleo", "Dora")
    with pytest.raises(BadRequest, match="Only the creator of tournament 1"):
        field.start("Ben")
    assert view_of(field, "Ann").may_start
    assert not view_of(field, "Ben").may_start
    field.start("Ann")
    field.tick()
    assert len(field.going_on()) == 2
    assert not view_of(field, "Ann").may_start
    with pytest.raises(BadRequest, match="has already started"):
        field.start("Ann")


def test_player_who_left_later_cannot_return_and_loses_running_games(field: Field) -> None:
    field.enter("Ann", "Ben", "Cleo", "Dora")
    field.tick()
    field.leave("Ann")
    with pytest.raises(BadRequest, match="You have left tournament 1"):
        field.enter("Ann")
    field.tick()
    (own,) = [each for each in field.pairings() if "Ann" in field.names(each)]
    with reading(field.services.engine) as session:
        game = session.get_one(Game, own.game_id)
        assert game.result is not None
        assert game.result["reason"] == "resigned"
    assert (own.first_points, own.second_points) == (0.0, 1.0)


def test_waiting_player_plays_from_the_second_round_on(field: Field) -> None:
    field.enter(*NAMES[:5])
    field.tick()
    assert len(field.going_on()) == 2
    field.leave("Dora")
    field.tick()
    assert field.letters("place_free") == ["Emil"]
    field.play_round(min)
    assert "Emil" in {name for each in field.going_on() for name in field.names(each)}
    with pytest.raises(BadRequest, match="has started: it is too late to join"):
        field.enter("Fay")


def test_no_waiting_player_is_called_without_a_further_round(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="swiss", places="4", rounds=1, early="off", signup="2d")
    field.enter(*NAMES[:5])
    field.live(days=2)
    assert field.letters("no_place") == ["Emil"]
    (told,) = [each for each in letters(services) if each.letter == "no_place"]
    assert "It accepts no more players." in told.words
    field.leave("Ann")
    field.tick()
    assert field.letters("place_free") == []


def test_numbers_of_created_and_entered_tournaments_are_limited(field: Field) -> None:
    services = field.services
    for game_type in ("nibble", "nardshir"):
        with writing(services.engine) as session:
            signup.make(field.action(session), session.get_one(Player, field.ids["Ann"]), "Cup", game_type, {})
    with writing(services.engine) as session, pytest.raises(BadRequest, match="You have created 3 tournaments"):
        signup.make(field.action(session), session.get_one(Player, field.ids["Ann"]), "Cup", "nibble", {})
    for name in NAMES[1:5]:
        for _ in range(3):
            with writing(services.engine) as session:
                action, player = field.action(session), session.get_one(Player, field.ids[name])
                made = signup.make(action, player, "Cup", "nibble", {})
                number = made.id or 0
            if number <= 13:
                field.number = number
                field.enter("Jon")
    with reading(services.engine) as session:
        assert len(signup.entered(session, session.get_one(Player, field.ids["Jon"]))) == 10
    field.number = 14
    with pytest.raises(BadRequest, match="You take part in 10 tournaments"):
        field.enter("Jon")


def test_creator_cancels_before_the_start_and_can_create_another(field: Field) -> None:
    field.enter("Ben", "Cleo")
    with pytest.raises(BadRequest, match="Only the creator of tournament 1"):
        field.cancel("Ben")
    field.cancel("Ann")
    assert field.now.state == "cancelled"
    assert field.letters("tournament_cancelled") == ["Ben", "Cleo"]
    assert field.tick() == 0
    with pytest.raises(BadRequest, match="is already cancelled"):
        field.cancel("Ann")


def test_started_tournament_cannot_be_cancelled(field: Field) -> None:
    field.enter(*NAMES[:4])
    field.tick()
    with pytest.raises(BadRequest, match="has already started"):
        field.cancel("Ann")


def test_tournaments_need_games_of_two(services: Services, clock: Clock) -> None:
    with pytest.raises(BadRequest, match="for two players each"):
        Field(services, clock, "nexus", players=3)


def test_invalid_options_are_refused(services: Services, clock: Clock) -> None:
    with pytest.raises(BadRequest, match="has no option “colour”"):
        Field(services, clock, colour="red")


def test_unknown_tournament_is_refused(field: Field) -> None:
    field.number = 99
    with pytest.raises(BadRequest, match="There is no tournament 99"):
        field.enter("Ann")


def test_all_games_have_the_tournaments_type_and_terms(services: Services, clock: Clock) -> None:
    field = Field(services, clock, places="2", time="2d", grace="2h")
    field.enter("Ann", "Ben")
    field.tick()
    with reading(services.engine) as session:
        game = session.get_one(Game, field.going_on()[0].game_id)
        assert game.options["size"] == 4
        assert (game.terms["time"], game.terms["grace"]) == ("2d", "2h")
        assert [player.name for _, player in log.seats(session, game)] == ["Ann", "Ben"]
