"""Roles: who may give them to whom, and the audit log."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from sqlmodel import select

from server.accounts import computer_players, players
from server.admin import audit, roles
from server.admin.audit import AdminAction
from server.admin.roles import Role
from server.cli import nabu
from server.errors import BadRequest
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import AuditEntry, Player, Staff
from server.store.outbox import ActionContext
from tests.support.web.administrators import appoint


def give(services: Services, player: Player, role: Role | None, by: int | None = None) -> None:
    with writing(services.engine) as session:
        admin_action = AdminAction(ActionContext(session, services.sealer, services.now()), by)
        roles.give(admin_action, session.get_one(Player, player.id), role)


def test_administrator_may_do_everything_a_moderator_may() -> None:
    assert Role.ADMINISTRATOR.covers(Role.MODERATOR)
    assert Role.MODERATOR.covers(Role.MODERATOR)
    assert not Role.MODERATOR.covers(Role.ADMINISTRATOR)


@pytest.mark.both
def test_role_is_given_changed_and_removed(services: Services, ann: Player, ben: Player) -> None:
    give(services, ann, Role.ADMINISTRATOR)
    give(services, ben, Role.MODERATOR, by=ann.id)
    give(services, ben, Role.ADMINISTRATOR, by=ann.id)
    give(services, ben, None, by=ann.id)
    with reading(services.engine) as session:
        assert [(each.name, each.role) for each in roles.everybody(session)] == [("Ann", "administrator")]
        assert [(each.by, each.what, each.player) for each in audit.done(session)] == [
            ("Ann", "removed the role", "Ben"),
            ("Ann", "gave the role of administrator", "Ben"),
            ("Ann", "gave the role of moderator", "Ben"),
            ("the command line", "gave the role of administrator", "Ann"),
        ]
        assert len(audit.done(session, 2, skip=1)) == 2
        assert {each.player for each in audit.done(session, about=players.identity(ben))} == {"Ben"}


def test_removing_a_role_removes_the_second_factor(services: Services, ann: Player) -> None:
    appoint(services, ann)
    give(services, ann, None)
    give(services, ann, Role.ADMINISTRATOR)
    with reading(services.engine) as session:
        staff = session.get_one(Staff, ann.id)
        assert (staff.sealed_factor, staff.confirmed_at) == (None, None)


def test_refused_changes_of_roles_change_nothing(services: Services, ann: Player, ben: Player) -> None:
    give(services, ann, Role.ADMINISTRATOR)
    with pytest.raises(BadRequest, match="cannot change your own role"):
        give(services, ann, None, by=ann.id)
    with pytest.raises(BadRequest, match="Ann is already administrator"):
        give(services, ann, Role.ADMINISTRATOR)
    with pytest.raises(BadRequest, match="Ben has no role"):
        give(services, ben, None)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        for nobody in (
            computer_players.computer(action),
            players.invite(action, "cleo@example.org", "play@games.example.org"),
        ):
            with pytest.raises(BadRequest, match="is not a person who plays here"):
                roles.give(AdminAction(action), nobody, Role.MODERATOR)
        assert len(session.exec(select(AuditEntry)).all()) == 1


def test_roles_are_given_on_the_command_line(services: Services, ann: Player, tmp_path: object) -> None:
    environment = {
        "NABU_SECRET_KEY": "k" * 32,
        "NABU_MAIL_DOMAIN": "games.example.org",
        "NABU_DATABASE_URL": str(services.settings.database_url),
    }

    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(nabu, ["admin", *words], env=environment)
        return done.exit_code, done.output

    assert run("role", "ann", "administrator") == (0, "Ann is administrator.\n")
    assert run("role", "Ann", "administrator")[0] == 1
    assert run("role", "Ann") == (0, "administrator\n")
    assert "Ann  administrator" in run("role")[1]
    assert run("second-factor", "Ann") == (0, "The second factor of Ann was reset.\n")
    assert run("role", "Zoe", "administrator") == (
        1,
        "Error: There is no player called “Zoe”. Names have to be exact.\n",
    )
    assert run("role", "Ann", "none") == (0, "Ann has no role.\n")
    lines = [json.loads(line) for line in run("log")[1].splitlines()]
    assert [line["what"] for line in lines] == [
        "removed the role",
        "reset the second factor",
        "gave the role of administrator",
    ]
    assert {(line["by"], line["player"]) for line in lines} == {("the command line", "Ann")}
