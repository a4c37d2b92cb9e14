"""The sign-up policy, by email and on the web, and its refusals."""

from __future__ import annotations

import pytest
from flask import Flask

from server.accounts import players
from server.accounts.newcomers import SENTENCES, Registration
from server.admin import registration_policy
from server.admin.audit import AdminAction, done
from server.errors import BadRequest
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, letters, receive
from tests.support.web.administrators import entered
from tests.support.web.client import Browser, logged_in, readable


def settle(services: Services, mode: Registration) -> None:
    with writing(services.engine) as session:
        registration_policy.set_mode(AdminAction(ActionContext(session, services.sealer, services.now())), mode)


def known(services: Services, email: str) -> str:
    with reading(services.engine) as session:
        player = players.by_email(session, email)
        return "" if player is None or player.confirmed_at is None else player.name


def challenge(services: Services, who: str = "cleo@example.org") -> str:
    (answer,) = (
        each
        for each in receive(services, "ann@example.org", PLAY, f"challenge {who} nibble")
        if each.to == "ann@example.org"
    )
    return answer.words


def test_sign_up_is_open_by_default(services: Services) -> None:
    receive(services, "cleo@example.org", PLAY, "register Cleo")
    assert known(services, "cleo@example.org") == "Cleo"


@pytest.mark.parametrize("mode", [Registration.INVITED, Registration.CLOSED])
def test_strangers_get_the_reason_why_they_cannot_sign_up(services: Services, mode: Registration) -> None:
    settle(services, mode)
    (answer,) = receive(services, "cleo@example.org", PLAY, "register Cleo")
    assert SENTENCES[mode] in answer.words
    assert known(services, "cleo@example.org") == ""


def test_challenged_people_can_sign_up_if_the_policy_allows_invited_ones(
    services: Services, ann: Player
) -> None:
    settle(services, Registration.INVITED)
    assert "Your challenge is on its way." in challenge(services)
    receive(services, "cleo@example.org", PLAY, "register Cleo")
    assert known(services, "cleo@example.org") == "Cleo"


def test_people_who_stopped_emails_do_not_count_as_invited(services: Services, ann: Player) -> None:
    settle(services, Registration.INVITED)
    receive(services, "cleo@example.org", PLAY, "stop")
    receive(services, "cleo@example.org", PLAY, "register Cleo")
    assert known(services, "cleo@example.org") == ""


def test_addresses_cannot_be_challenged_while_sign_up_is_closed(
    services: Services, ann: Player, ben: Player
) -> None:
    settle(services, Registration.CLOSED)
    stranger, player = challenge(services, "zoe@example.org"), challenge(services, "ben@example.org")
    assert "So challenge players by their names, not addresses." in player
    assert stranger.replace("zoe@", "ben@") == player
    assert known(services, "zoe@example.org") == ""


def test_earlier_invitation_can_be_accepted_after_closing(services: Services, ann: Player) -> None:
    challenge(services)
    settle(services, Registration.CLOSED)
    (invitation,) = (each for each in letters(services) if each.letter == "invitation")
    receive(services, "cleo@example.org", str(invitation.mail["Reply-To"]), "accept")
    assert known(services, "cleo@example.org")


def test_earlier_invitation_can_be_accepted_on_the_web_after_closing(
    app: Flask, services: Services, ann: Player
) -> None:
    challenge(services)
    settle(services, Registration.CLOSED)
    (link,) = receive(services, "cleo@example.org", PLAY, "login")
    browser = Browser(app)
    assert browser.send(f"/enter/{link.text.partition('/enter/')[2].split()[0]}").status_code == 303
    assert "Ann" in browser.text("/games")


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "line",
    [
        "seek nibble",
        "challenge Ann nibble",
        "join 2",
        "tournament Cup nibble",
        "enter 1",
        "login",
    ],
)
def test_declined_invitation_does_not_permit_signing_up_after_closing(
    app: Flask, services: Services, ann: Player, ben: Player, line: str
) -> None:
    challenge(services)
    receive(services, "ann@example.org", PLAY, "seek nibble")
    receive(services, "ann@example.org", PLAY, "tournament Cup nibble")
    settle(services, Registration.CLOSED)
    (invitation,) = (each for each in letters(services) if each.letter == "invitation")
    receive(services, "cleo@example.org", str(invitation.mail["Reply-To"]), "decline")
    assert known(services, "cleo@example.org") == ""
    answers = receive(services, "cleo@example.org", PLAY, line)
    for answer in answers:
        if "/enter/" in answer.text:
            secret = answer.text.partition("/enter/")[2].split()[0]
            assert Browser(app).send(f"/enter/{secret}").status_code == 409
        else:
            assert SENTENCES[Registration.CLOSED] in answer.words
    assert known(services, "cleo@example.org") == ""


def test_page_answers_all_addresses_alike(app: Flask, services: Services, ann: Player) -> None:
    settle(services, Registration.INVITED)
    for email in ("ann@example.org", "zoe@example.org"):
        answer = Browser(app).send("/register", name="Zoe", email=email)
        assert (answer.status_code, answer.location) == (303, "/sent")
    assert "register_link" not in [each.letter for each in letters(services)]
    assert SENTENCES[Registration.INVITED] in Browser(app).text("/")
    settle(services, Registration.CLOSED)
    for email in ("ann@example.org", "zoe@example.org"):
        answer = Browser(app).send("/register", name="Zoe", email=email)
        assert answer.status_code == 422
        assert SENTENCES[Registration.CLOSED] in readable(answer)
    assert 'action="/register"' not in Browser(app).get("/").text


def test_earlier_link_is_invalid_after_closing(app: Flask, services: Services) -> None:
    Browser(app).send("/register", name="Zoe", email="zoe@example.org")
    (mail,) = letters(services)
    secret = mail.text.partition("/enter/")[2].split()[0]
    settle(services, Registration.CLOSED)
    assert Browser(app).send(f"/enter/{secret}", name="Zoe").status_code == 409
    assert known(services, "zoe@example.org") == ""


def test_administrators_can_invite(services: Services, ann: Player) -> None:
    settle(services, Registration.INVITED)
    with writing(services.engine) as session:
        admin_action = AdminAction(ActionContext(session, services.sealer, services.now()), ann.id)
        registration_policy.invite(admin_action, "Cleo@Example.org", PLAY)
        for email, words in (
            ("ann@example.org", "already belongs to the player"),
            (PLAY, "an address of this server"),
        ):
            with pytest.raises(BadRequest, match=words):
                registration_policy.invite(admin_action, email, PLAY)
    assert [(each.letter, each.to) for each in letters(services)][-1] == ("register_link", "cleo@example.org")
    receive(services, "cleo@example.org", PLAY, "register Cleo")
    assert known(services, "cleo@example.org") == "Cleo"
    with reading(services.engine) as session:
        assert [(each.what, each.player) for each in done(session)] == [
            ("invited a player", "Cleo"),
            ("set registration to invited", ""),
        ]


def test_administration_page_changes_the_policy(app: Flask, services: Services, ann: Player) -> None:
    browser = entered(app, services, ann)
    assert browser.send("/admin/registration", mode="sometimes").status_code == 409
    assert browser.send("/admin/registration", mode="invited").status_code == 303
    assert "Registration is now “invited”." in browser.text("/admin/registration")
    wrong = browser.send("/admin/registration/invite", email="nobody")
    assert wrong.status_code == 422
    browser.send("/admin/registration/invite", email="zoe@example.org")
    assert "zoe@example.org has been invited." in browser.text("/admin/registration")
    assert logged_in(app, services, ann).get("/admin/registration").location == "/admin/enter"
