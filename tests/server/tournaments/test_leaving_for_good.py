"""Players who delete their account, or may not play, leave all tournaments."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlmodel import select

from server.admin import bans
from server.admin.audit import AdminAction
from server.errors import BadRequest
from server.game.leaving.account_deletion import delete_account
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Entrant, Failure, Player
from server.tournaments import signup
from tests.support.server.damage import change_head
from tests.support.server.services import Clock
from tests.support.server.tournaments import NAMES, Field, first_by_name


def delete(field: Field, name: str) -> None:
    with writing(field.services.engine) as session:
        delete_account(field.action(session), session.get_one(Player, field.ids[name]))


def close(field: Field, name: str) -> None:
    with writing(field.services.engine) as session:
        bans.close(
            AdminAction(field.action(session)), session.get_one(Player, field.ids[name]), "They were rude."
        )


@pytest.mark.both
@pytest.mark.sample(2)
@pytest.mark.parametrize("go", [delete, close])
def test_suspended_or_deleted_players_lose_and_are_not_paired(
    field: Field, go: Callable[[Field, str], None]
) -> None:
    field.enter(*NAMES[:4])
    field.tick()
    go(field, "Ben")
    field.tick()
    (own,) = [each for each in field.pairings(1) if "Ben" in field.names(each)]
    assert (own.first_points if own.first_id == field.ids["Ben"] else own.second_points) == 0.0
    field.play_round(first_by_name)
    assert field.now.round == 2
    assert field.going_on() != []
    assert not [each for each in field.pairings(2) if "Ben" in field.names(each)]


@pytest.mark.usefixtures("failures_meant")
@pytest.mark.parametrize("go", [delete, close, Field.leave])
def test_player_with_a_damaged_game_can_leave(field: Field, go: Callable[[Field, str], None]) -> None:
    field.enter(*NAMES[:4])
    field.tick()
    (own,) = [each for each in field.pairings(1) if "Ben" in field.names(each)]
    assert own.game_id is not None
    change_head(field.services, own.game_id)
    go(field, "Ben")
    with reading(field.services.engine) as session:
        entrant = session.get_one(Entrant, (field.number, field.ids["Ben"]))
        failure = session.exec(select(Failure)).one()
        assert (entrant.left, failure.game_id) == (True, own.game_id)


@pytest.mark.sample(2)
@pytest.mark.parametrize("go", [delete, close])
def test_place_of_a_removed_player_is_free_again_before_the_start(
    field: Field, go: Callable[[Field, str], None]
) -> None:
    field.enter("Ann", "Ben", "Cleo")
    go(field, "Ben")
    with reading(field.services.engine) as session:
        assert session.get(Entrant, (field.number, field.ids["Ben"])) is None
    field.enter("Dora")
    field.tick()
    assert field.now.state == "open"
    field.enter("Emil")
    field.tick()
    assert field.now.state == "running"


@pytest.mark.parametrize("go", [delete, close])
def test_player_who_moves_up_is_notified(
    services: Services, clock: Clock, go: Callable[[Field, str], None]
) -> None:
    field = Field(services, clock, form="round-robin", places="3", early="off", signup="2d")
    field.enter(*NAMES[:5])
    go(field, "Emil")
    field.tick()
    assert field.letters("place_free") == []
    go(field, "Ben")
    field.tick()
    assert field.letters("place_free") == ["Dora"]


def test_suspended_player_can_neither_create_nor_enter_a_tournament(field: Field) -> None:
    services = field.services
    with writing(services.engine) as session:
        admin_action = AdminAction(field.action(session))
        until = services.now() + timedelta(days=9)
        bans.suspend(admin_action, session.get_one(Player, field.ids["Ben"]), until, "They were rude.")
    with pytest.raises(BadRequest, match="You are suspended until"):
        field.enter("Ben")
    with writing(services.engine) as session, pytest.raises(BadRequest, match="You are suspended"):
        signup.make(field.action(session), session.get_one(Player, field.ids["Ben"]), "Cup", "nibble", {})
