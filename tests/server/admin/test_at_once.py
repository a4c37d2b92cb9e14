"""Two administrators act at the same moment: the action happens once, and the second one is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from server.accounts import account_changes
from server.admin import incoming_mail, outgoing_mail, roles
from server.admin.audit import AdminAction
from server.admin.roles import Role
from server.errors import BadRequest
from server.game.leaving import account_deletion
from server.outbound import paused_domains
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Outbox, PausedDomain, Player
from server.store.outbox import ActionContext
from tests.support.database.locks import while_it_waits
from tests.support.mail.queues import hold, outgoing, put, state
from tests.support.web.administrators import appoint

# SQLite locks no rows: its writers take turns.
pytestmark = pytest.mark.parametrize("database", ["postgresql"])

AuditEntry = Callable[[AdminAction], object]


def twice(
    services: Services, deed: AuditEntry, other: AuditEntry, by: int | None = None, other_by: int | None = None
) -> None:
    """Do one action and, before it is committed, start another one, which is refused."""

    def do_other() -> None:
        with writing(services.engine) as session:
            other(AdminAction(ActionContext(session, services.sealer, services.now()), other_by))

    with pytest.raises(BadRequest):
        while_it_waits(services, do_other, lambda action: deed(AdminAction(action, by)))


def test_dropped_quarantined_email_is_not_delivered_again(services: Services) -> None:
    number = hold(services)
    twice(
        services,
        lambda admin_action: incoming_mail.drop(admin_action, number, "spam"),
        lambda admin_action: incoming_mail.deliver_again(admin_action, number),
    )
    assert state(services, number)[0] == "refused"


@pytest.mark.parametrize("deed", [outgoing_mail.try_now, outgoing_mail.give_up])
def test_abandoned_email_is_not_retried(services: Services, deed: Callable[[AdminAction, int], None]) -> None:
    number = put(services)
    twice(
        services,
        lambda admin_action: outgoing_mail.give_up(admin_action, number),
        lambda admin_action: deed(admin_action, number),
    )
    assert outgoing(services, number) == "failed"


def test_email_is_sent_again_once(services: Services) -> None:
    number = put(services, state="failed")

    def send(admin_action: AdminAction) -> None:
        if not outgoing_mail.send_again(admin_action, number=number):
            raise BadRequest("This email has already been sent again.")

    twice(services, send, send)


def test_two_administrators_cannot_remove_each_others_role(
    services: Services, ann: Player, ben: Player
) -> None:
    for player in (ann, ben):
        appoint(services, player)
    twice(
        services,
        lambda admin_action: roles.give(admin_action, admin_action.session.get_one(Player, ben.id), None),
        lambda admin_action: roles.give(
            admin_action, admin_action.session.get_one(Player, ann.id), Role.MODERATOR
        ),
        by=ann.id,
        other_by=ben.id,
    )


def test_last_of_two_administrators_cannot_leave(services: Services, ann: Player, ben: Player) -> None:
    for player in (ann, ben):
        appoint(services, player)

    def go(player: Player) -> AuditEntry:
        def confirm(admin_action: AdminAction) -> None:
            person = admin_action.session.get_one(Player, player.id)
            account_deletion.confirm(admin_action.action, number[person.email], person.email)

        return confirm

    number: dict[str, int] = {}
    for player in (ann, ben):
        with writing(services.engine) as session:
            person = session.get_one(Player, player.id)
            action = ActionContext(session, services.sealer, services.now())
            account_changes.ask_to_delete(action, person)
            (change,) = account_changes.waiting_changes(session, person, services.now())
            number[player.email] = change.id or 0
    twice(services, go(ann), go(ben))


def test_email_paused_during_a_release_is_released_too(services: Services) -> None:
    number = put(services)
    with writing(services.engine) as session:
        session.add(PausedDomain(domain="example.org", since=services.now(), why=""))

    def release() -> int:
        with writing(services.engine) as session:
            return outgoing_mail.release(
                AdminAction(ActionContext(session, services.sealer, services.now())), "example.org"
            )

    def keep_back(action: ActionContext) -> None:
        assert paused_domains.keep_back(action.session, [action.session.get_one(Outbox, number)]) == []

    assert while_it_waits(services, release, keep_back) == 1
    assert outgoing(services, number) == "queued"
