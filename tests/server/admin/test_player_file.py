"""The file of a player: on their page under /admin, and printed by `nabu admin player`."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from flask import Flask
from sqlmodel import col, select

from server.accounts import bounces, players
from server.admin.audit import done
from server.admin.player_file import player_file
from server.admin.roles import Role
from server.cli import nabu
from server.outbound import paused_domains
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Outbox, PausedDomain, Player
from tests.support.query_plans import query_plans
from tests.support.server.emails import receive, reply_address, write
from tests.support.server.games import TwoPlayerGame, begin, say, submit
from tests.support.server.services import environment_of
from tests.support.web.administrators import entered

SAID = "the canary sings at noon"


@pytest.fixture
def environment(services: Services) -> dict[str, str]:
    return environment_of(services.settings)


def run(environment: dict[str, str], *arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(nabu, ["admin", "player", *arguments], env=environment)
    return result.exit_code, " ".join(result.output.split())


def bounced(services: Services, player: Player) -> None:
    """Let the emails to a player return until Nabu stops them."""
    with writing(services.engine) as session:
        for mail in session.exec(select(Outbox).where(Outbox.recipient == player.email)):
            mail.state, mail.error = "returned", "550 5.1.1 no such user"
        bounces.bounced(session, services.now(), session.get_one(Player, player.id), hard=True)


def test_file_explains_why_no_email_came(
    app: Flask, services: Services, environment: dict[str, str], ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben)
    receive(services, ben.email, services.settings.plain_address, "mail never")
    bounced(services, ben)
    with writing(services.engine) as session:
        session.add(PausedDomain(domain="example.org", since=services.now(), why="they refuse us"))
        paused_domains.pause_all(session, "example.org")
    page = entered(app, services, ann).text(f"/admin/players/{ben.id}")
    code, printed = run(environment, "Ben")
    assert code == 0
    for told in (page, printed):
        for sentence in (
            "No new emails have been queued since 2026-03-01 because of bounces. "
            "The last error: 550 5.1.1 no such user",
            "Emails to example.org have been paused since 2026-03-01: they refuse us",
            "The player wants no emails about games (mail never).",
            services.sealer.pseudonym(ben.email),
            "returned",
            "Nebuchadnezzar",
        ):
            assert sentence in told
    assert f"{number} Nebuchadnezzar running" in printed
    assert printed.endswith("done ben@example.org mail")
    assert run(environment, "BEN@example.org") == (0, printed)


def test_emails_of_an_address_without_a_player_are_listed(
    services: Services, environment: dict[str, str]
) -> None:
    assert run(environment, "zoe@example.org")[0] == 1, "nothing is known of the address"
    receive(services, "zoe@example.org", services.settings.plain_address, "help")
    code, printed = run(environment, "Zoe@Example.org")
    assert code == 0, printed
    assert "No player has the address Zoe@Example.org." in printed
    to, by = printed.split("Emails to the address:")[1].split("Emails from the address:")
    assert "zoe@example.org" in to
    assert "done zoe@example.org" in by
    assert run(environment, "zoe@example.org", "--resend")[0] == 1


def test_a_file_contains_no_secrets(
    app: Flask, services: Services, environment: dict[str, str], island: TwoPlayerGame
) -> None:
    services = island.services
    first, second = island.players
    own = reply_address(services, island.number, 0)
    receive(services, first.email, own, f"1 a1\nsay {SAID}")
    say(services, island.number, 0, SAID, private=True)
    write(services, first, "login")
    code, printed = run(environment, first.name)
    page = entered(app, services, second).get(f"/admin/players/{first.id}").text
    assert code == 0
    token = own.partition("+")[2].partition("@")[0]
    for told in (page, printed):
        assert f"game {island.number}" in told
        for secret in (SAID, "1 a1", token, "/login/"):
            assert secret not in told


def test_secret_readiness_stays_secret(services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, **{"show-ready": "off"})
    for orders in ("", "1 a1"):
        if orders:
            submit(services, number, 0, orders)
        with reading(services.engine) as session:
            for player in (ann, ben):
                [game] = player_file(session, services.sealer, session.get_one(Player, player.id)).games
                assert (game.waits, game.due) == (None, None)


def test_emails_are_resent_and_resumed(
    app: Flask, services: Services, environment: dict[str, str], ann: Player, ben: Player
) -> None:
    begin(services, "nebuchadnezzar", ann, ben)
    browser = entered(app, services, ann)
    page = f"/admin/players/{ben.id}"
    assert browser.send(f"{page}/resend").status_code == 409
    for way in ("page", "command"):
        bounced(services, ben)
        assert "Resend failed emails" in browser.text(page)
        if way == "page":
            assert browser.send(f"{page}/resend").status_code == 303
        else:
            assert run(environment, "Ben", "--resend")[0] == 0
        with reading(services.engine) as session:
            mails = session.exec(select(Outbox).where(Outbox.recipient == ben.email)).all()
        assert {mail.state for mail in mails} == {"queued"}
    none = "Error: No email to a current address of Ben was given up or returned."
    assert run(environment, "Ben", "--resend") == (1, none)
    assert browser.send(f"{page}/resume").status_code == 303
    assert run(environment, "Ben", "--resume")[0] == 1
    with reading(services.engine) as session:
        assert session.get_one(Player, ben.id).suspended_at is None
        deeds = [deed.what for deed in done(session)]
        about_ben = [deed.what for deed in done(session, about=ben.id)]
    assert deeds[0] == "resumed emails"
    assert sum("resent" in deed for deed in about_ben) == 2
    assert sum("resent" in deed for deed in deeds) == 2


def test_emails_to_a_former_address_are_not_resent(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    begin(services, "nebuchadnezzar", ann, ben)
    bounced(services, ben)
    with writing(services.engine) as session:
        for mail in session.exec(select(Outbox).where(Outbox.recipient == ben.email)):
            mail.recipient, mail.player_id = "former@example.org", ben.id
    page = entered(app, services, ann).text(f"/admin/players/{ben.id}")
    assert "former@example.org" in page
    assert "Resend failed emails" not in page


@pytest.mark.parametrize("option", ["--close", "--delete"])
def test_an_empty_reason_is_refused(environment: dict[str, str], ben: Player, option: str) -> None:
    assert ben.id
    code, printed = run(environment, "Ben", option, "", "--yes")
    assert (code, "reason" in printed) == (1, True)


@pytest.mark.parametrize("way", ["page", "command"])
def test_an_account_is_deleted_after_confirmation(
    app: Flask, services: Services, environment: dict[str, str], ann: Player, ben: Player, way: str
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben)
    assert number
    if way == "page":
        browser = entered(app, services, ann)
        page = f"/admin/players/{ben.id}"
        refused = browser.send(f"{page}/delete", name="Bem", why="they asked")
        assert (refused.status_code, "type the name “Ben”" in refused.text) == (
            422,
            True,
        )
        assert browser.send(f"{page}/delete", name="Ben", why="they asked").status_code == 303
        assert "ben@example.org" not in browser.text(page)
    else:
        assert run(environment, "Ben", "--delete", "they asked")[0] == 1
        with reading(services.engine) as session:
            assert players.by_email(session, ben.email) is not None
        assert run(environment, "Ben", "--delete", "they asked", "--yes")[0] == 0
    with reading(services.engine) as session:
        assert players.by_email(session, ben.email) is None
        deed = done(session)[0]
        assert (deed.what, deed.number, deed.why) == ("deleted an account", ben.id, "they asked")
        waiting = select(Outbox).where(Outbox.recipient == ben.email, col(Outbox.state) == "queued")
        assert session.exec(waiting).first() is None


def test_moderators_see_no_addresses_and_cannot_act(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    begin(services, "nebuchadnezzar", ann, ben)
    browser = entered(app, services, ann, Role.MODERATOR)
    page = browser.text(f"/admin/players/{ben.id}")
    for hidden in ("ben@example.org", services.sealer.pseudonym(ben.email), "Current games", "Delete"):
        assert hidden not in page
    for action in ("resend", "resume", "delete"):
        assert browser.send(f"/admin/players/{ben.id}/{action}").status_code == 404


def test_emails_of_a_player_are_found_by_indexes(services: Services, ben: Player) -> None:
    """The emails of all players are too many to look at each one."""
    with reading(services.engine) as session:
        plans = query_plans(services.engine, lambda: player_file(session, services.sealer, ben))
    steps = [step.text for plan in plans for step in plan.steps if "box" in step.text]
    for condition in ("player_id=?", "recipient=?", "asked_id=?", "mail_from=?"):
        assert any(condition in step for step in steps), condition
    assert [plan for plan in plans if plan.scans] == []
