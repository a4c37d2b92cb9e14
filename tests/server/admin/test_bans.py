"""Suspended players, closed accounts, and blocked addresses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from server.accounts import bans as bars
from server.accounts import players
from server.admin import bans as barring
from server.admin.audit import AdminAction, done
from server.admin.roles import Role
from server.errors import BadRequest
from server.game.lobby import challenges, joining
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, letters, receive
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.administrators import appoint, entered
from tests.support.web.client import Browser, logged_in, readable

WHY = "They were rude."


def act(services: Services, what: Callable[[AdminAction, Player], object], player: Player) -> None:
    with writing(services.engine) as session:
        admin_action = AdminAction(ActionContext(session, services.sealer, services.now()))
        what(admin_action, session.get_one(Player, player.id))


def suspend(services: Services, player: Player, days: int | None = None) -> None:
    until = None if days is None else services.now() + timedelta(days=days)
    act(services, lambda admin_action, row: barring.suspend(admin_action, row, until, WHY), player)


def close(services: Services, player: Player) -> None:
    act(services, lambda admin_action, row: barring.close(admin_action, row, WHY), player)


def block(services: Services, pattern: str) -> None:
    with writing(services.engine) as session:
        barring.block(AdminAction(ActionContext(session, services.sealer, services.now())), pattern, WHY)


def answer(services: Services, sender: str, text: str, to: str = PLAY) -> str:
    """Return the answer to an email; "" for none."""
    return " ".join(each.words for each in receive(services, sender, to, text) if each.to == sender)


def known(services: Services, email: str) -> bool:
    with reading(services.engine) as session:
        player = players.by_email(session, email)
        return player is not None and player.confirmed_at is not None


def states(services: Services, *numbers: int) -> list[str]:
    with reading(services.engine) as session:
        return [session.get_one(Game, number).state for number in numbers]


def test_suspended_player_can_only_finish_games(
    services: Services, ann: Player, ben: Player, clock: Clock
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    suspend(services, ann, days=2)
    (told,) = (each for each in letters(services) if each.letter == "suspended")
    assert told.to == "ann@example.org"
    assert f"Reason: {WHY}" in told.words
    assert "are suspended until" in answer(services, "ann@example.org", "challenge Ben nibble")
    reply = next(each for each in letters(services) if each.letter == "report" and each.to == "ann@example.org")
    said = answer(services, "ann@example.org", "say hello", str(reply.mail["Reply-To"]))
    assert WHY in said
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ben_row, ann_row = session.get_one(Player, ben.id), session.get_one(Player, ann.id)
        offered = challenges.challenge(action, ben_row, [ann_row], "nibble", {})
        with pytest.raises(BadRequest, match="You are suspended"):
            challenges.accept(action, ann_row, offered.id or 0)
    submit(services, number, 0, "c3")
    submit(services, number, 1, "a1")
    clock.advance(days=3)
    assert "Your challenge is on its way." in answer(services, "ann@example.org", "challenge Ben nibble")


@pytest.mark.both
def test_closed_account_is_closed_everywhere(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    browser = logged_in(app, services, ben)
    running = begin(services, "nebuchadnezzar", ann, ben, size=5)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann_row, ben_row = session.get_one(Player, ann.id), session.get_one(Player, ben.id)
        invited = challenges.challenge(action, ann_row, [ben_row], "nibble", {}).id or 0
        own = challenges.challenge(action, ben_row, [ann_row], "nibble", {}).id or 0
        opened = joining.seek(action, ben_row, "nibble", {}).id or 0
        link = services.logins.write(ben_row)
    before = len(letters(services))
    close(services, ben)
    assert states(services, running, invited, own, opened) == ["over", "declined", "declined", "closed"]
    told = [each.letter for each in letters(services, before) if each.to == "ben@example.org"]
    assert told == ["account_closed"]
    (last,) = (each for each in letters(services, before) if each.letter == "account_closed")
    assert not [word for word in ("help", "stop") if word in last.text.lower() + last.html.lower()]
    assert browser.get("/games").status_code == 303
    assert "logs you in" not in Browser(app).text(f"/enter/{link}")
    assert answer(services, "ben@example.org", "games") == ""
    count = len(letters(services))
    assert Browser(app).send("/login", email="ben@example.org").status_code == 303
    assert len(letters(services)) == count
    with reading(services.engine) as session:
        (deed,) = done(session)
        assert (deed.what, deed.player, deed.why) == ("closed an account", "Ben", WHY)


def test_account_is_opened_again(services: Services, ben: Player) -> None:
    close(services, ben)
    act(services, barring.lift, ben)
    assert answer(services, "ben@example.org", "resume") != ""
    assert answer(services, "ben@example.org", "games") != ""
    with pytest.raises(BadRequest, match="is not suspended"):
        act(services, barring.lift, ben)


def test_staff_and_unknown_players_cannot_be_suspended(services: Services, ann: Player) -> None:
    appoint(services, ann, Role.MODERATOR)
    with pytest.raises(BadRequest, match="has a role"):
        suspend(services, ann)
    with writing(services.engine) as session:
        guest = players.invite(ActionContext(session, services.sealer, services.now()), "zoe@example.org", PLAY)
        session.expunge(guest)
    with pytest.raises(BadRequest, match="not a person who plays here"):
        close(services, guest)


@pytest.mark.parametrize("pattern", ["Eve@Example.com", "@example.com"])
def test_blocked_address_cannot_sign_up(app: Flask, services: Services, pattern: str) -> None:
    block(services, pattern)
    assert answer(services, "eve@example.com", "register Eve") == ""
    assert Browser(app).send("/register", name="Eve", email="eve@example.com").status_code == 303
    assert letters(services) == []
    assert not known(services, "eve@example.com")
    assert answer(services, "eve@example.net", "register Eve") != ""
    with pytest.raises(BadRequest, match="is already blocked"):
        block(services, pattern.lower())
    with writing(services.engine) as session:
        barring.unblock(AdminAction(ActionContext(session, services.sealer, services.now())), pattern.lower())
    answer(services, "eve@example.com", "register Eva")
    assert known(services, "eve@example.com")


@pytest.mark.both
def test_blocked_address_gets_no_challenge(services: Services, ann: Player) -> None:
    """A challenge to such an address gets the same answer as one to any other address."""
    block(services, "@trash.example.com")
    before = len(letters(services))
    assert "Your challenge is on its way." in answer(
        services, ann.email, "challenge eve@trash.example.com nibble"
    )
    assert {each.to for each in letters(services, before)} == {ann.email}


def test_players_with_a_blocked_address_play_on(services: Services, ann: Player) -> None:
    block(services, "@example.org")
    assert answer(services, "ann@example.org", "games") != ""
    with reading(services.engine) as session:
        assert bars.is_unheard(session, "zoe@example.org")


@pytest.mark.parametrize("pattern", ["", "example.com", "@", "eve@", "a b@c.org"])
def test_text_that_is_no_address_is_not_blocked(services: Services, pattern: str) -> None:
    with pytest.raises(BadRequest):
        block(services, pattern)


@pytest.mark.both
def test_moderators_find_and_suspend_players(app: Flask, services: Services, ann: Player) -> None:
    ben = add_player(services, "ben@example.org", "Ben")
    browser = entered(app, services, ann, Role.MODERATOR)
    assert "Ben" in browser.text("/admin/players?wanted=be").partition("Since")[2]
    assert "Only administrators can search" in browser.text("/admin/players?wanted=ben@example.org")
    page = f"/admin/players/{ben.id}"
    assert "ben@example.org" not in browser.text(page)
    assert "Close the account" not in browser.text(page)
    assert browser.send(f"{page}/close", why=WHY).status_code == 404
    for fields, words in (
        ({"why": ""}, "Give a reason"),
        ({"why": WHY, "until": "2026-02-01"}, "Choose today or a later day"),
        ({"why": WHY, "until": "soon"}, "soon"),
    ):
        refused = browser.send(f"{page}/suspend", **fields)
        assert refused.status_code == 422
        assert words in readable(refused)
    assert browser.send(f"{page}/suspend", why=WHY, until="2026-03-20").status_code == 303
    assert "Suspended since" in browser.text(page)
    assert WHY in browser.text("/admin/blocks")
    assert browser.send(f"{page}/lift").status_code == 303
    assert browser.send(f"{page}/lift").status_code == 409
    assert "ended a suspension" in browser.text(page)


def test_moderators_remove_profile_texts(app: Flask, services: Services, ann: Player) -> None:
    ben = add_player(services, "ben@example.org", "Ben")
    browser, page = entered(app, services, ann, Role.MODERATOR), f"/admin/players/{ben.id}"
    assert "About this player" not in browser.text(page)
    answer(services, "ben@example.org", "bio Beating fools.")
    assert "About this player Beating fools." in browser.text(page)
    for fields, words in (
        ({"line": "Beating fools.", "why": " "}, "Give a reason"),
        (
            {"line": "Beating all.", "why": WHY},
            "Ben has changed this line. Reload the page.",
        ),
        ({"why": WHY}, "Reload the page."),
    ):
        refused = browser.send(f"{page}/line", **fields)
        assert refused.status_code == 422
        assert words in readable(refused)
    assert "Beating fools." in browser.text("/player/Ben")
    before = len(letters(services))
    assert browser.send(f"{page}/line", line="Beating fools.", why=WHY).status_code == 303
    (told,) = letters(services, before)
    assert (told.letter, told.to) == ("bio_removed", "ben@example.org")
    assert "The line was: “Beating fools.”" in told.words
    assert f"Reason: {WHY}" in told.words
    assert "Beating fools." not in browser.text("/player/Ben")
    assert f"Ann: removed a player's line about themselves ({WHY})" in browser.text(page)
    assert "Beating fools." not in browser.text(page)


def test_administrators_close_accounts_and_block_addresses(app: Flask, services: Services, ann: Player) -> None:
    ben = add_player(services, "ben@example.org", "Ben")
    browser, page = entered(app, services, ann), f"/admin/players/{ben.id}"
    assert browser.get("/admin/players?wanted=Ben@example.org").location == page
    assert "ben@example.org" in browser.text(page)
    assert browser.send(f"{page}/close", why=WHY).status_code == 303
    assert "The account is closed" in browser.text(page)
    assert browser.send(f"{page}/close", why=WHY).status_code == 422
    assert browser.get("/admin/players/99").status_code == 404
    assert browser.send("/admin/blocks", pattern="eve", why=WHY).status_code == 422
    assert browser.send("/admin/blocks", pattern="eve@example.com", why=WHY).status_code == 303
    assert "eve@example.com" in browser.text("/admin/blocks").partition("Blocked addresses")[2]
    assert browser.send("/admin/blocks/end", pattern="eve@example.com").status_code == 303
    assert browser.send("/admin/blocks/end", pattern="eve@example.com").status_code == 409
