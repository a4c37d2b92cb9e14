"""Changes of addresses: confirmed at the right ones, without revealing whether an address is known."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from flask import Flask
from sqlmodel import col, select

from server.accounts import account_changes, bounces, players
from server.errors import BadRequest
from server.game.leaving import account_deletion
from server.limits import MOST_ADDRESSES, MOST_CHANGES
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Change, Outbox, Player
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, Written, letters, receive
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in, readable

_OLD, _NEW = "ann@example.org", "ann@home.example"


def put(services: Services) -> list[tuple[str, str]]:
    """Return the letters that are queued, with their recipients."""
    with reading(services.engine) as session:
        rows = session.exec(select(Outbox).where(Outbox.state == "queued").order_by(col(Outbox.id)))
        return [(row.letter, row.recipient) for row in rows]


def addresses(services: Services, player: Player) -> Sequence[str]:
    """Return a player's addresses, the main one first."""
    with reading(services.engine) as session:
        return players.addresses_of(session, session.get_one(Player, player.id))


def reply(services: Services, sender: str, question: Written, text: str = "yes") -> list[Written]:
    """Answer a letter that asks for confirmation."""
    fields = f"In-Reply-To: {question.mail['Message-ID']}\r\n"
    return receive(services, sender, str(question.mail["Reply-To"]), text, fields)


def link_in(letter: Written) -> str:
    """Return the URL of the page that confirms the change."""
    found = re.search(r"http://127\.0\.0\.1:8000(/confirm/\S+)", letter.text)
    assert found is not None
    return found[1]


def keep(services: Services) -> None:
    """Run the hourly job."""
    with writing(services.engine) as session:
        account_changes.keep(ActionContext(session, services.sealer, services.now()))


def asked(services: Services, text: str) -> dict[str, Written]:
    """Return the questions that Ann's email causes, by recipient."""
    caused = receive(services, _OLD, PLAY, text)
    return {letter.to: letter for letter in caused if letter.letter == "change_asked"}


def test_address_is_added_when_its_owner_confirms(services: Services, ann: Player) -> None:
    questions = asked(services, f"address add {_NEW}")
    assert list(questions) == [_NEW]
    assert addresses(services, ann) == [_OLD]
    told = reply(services, _NEW, questions[_NEW])
    assert [(each.letter, each.to) for each in told] == [("account_changed", _OLD), ("confirmation", _NEW)]
    assert f"You can now log in and send moves from {_NEW}." in told[1].words
    assert addresses(services, ann) == [_OLD, _NEW]
    (games,) = receive(services, _NEW, PLAY, "address")
    assert f"Your email goes to {_OLD}. You can also log in and send moves from: {_NEW}." in games.words


def test_others_cannot_confirm(services: Services, ann: Player, ben: Player) -> None:
    questions = asked(services, f"address add {_NEW}")
    (waits,) = [change.id for change in _changes(services)]
    for sender in (_OLD, "ben@example.org", "eve@example.com"):
        told = [letter for letter in receive(services, sender, PLAY, f"confirm {waits}") if letter.to == sender]
        allowed = sender == _OLD
        assert ("There is no change" in told[0].words) is not allowed
    assert addresses(services, ann) == [_OLD]
    assert questions


def test_main_address_is_confirmed_at_both_addresses(services: Services, ann: Player) -> None:
    questions = asked(services, f"address main {_NEW}")
    assert set(questions) == {_OLD, _NEW}
    (half,) = reply(services, _NEW, questions[_NEW])
    assert "The change takes effect once it is confirmed at the other address as well." in half.words
    assert addresses(services, ann) == [_OLD]
    reply(services, _OLD, questions[_OLD])
    assert addresses(services, ann) == [_NEW, _OLD]


def test_main_address_is_confirmed_with_two_links(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    browser.send("/settings/addresses", email=_NEW, do="main")
    pages = [link_in(letter) for letter in letters(services) if letter.letter == "change_asked"]
    for page in pages:
        assert Browser(app).get(page).status_code == 200
    assert addresses(services, ann) == [_OLD], "opening the page confirms nothing"
    for page in pages:
        assert Browser(app).send(page, answer="yes").status_code == 200
    assert addresses(services, ann) == [_NEW, _OLD]
    assert Browser(app).send(pages[0], answer="yes").status_code == 410


def test_change_waits_if_the_old_mailbox_is_lost(services: Services, ann: Player, clock: Clock) -> None:
    with writing(services.engine) as session:
        player = session.get_one(Player, ann.id)
        player.suspended_at = player.bounced_at = services.now()
    questions = asked(services, f"address main {_NEW}")
    reply(services, _NEW, questions[_NEW])
    for _ in range(15):
        assert addresses(services, ann) == [_OLD]
        clock.advance(hours=24)
        keep(services)
        if addresses(services, ann) != [_OLD]:
            break
    assert (services.now() - _changes(services)[0].asked_at).days == account_changes.WAITS.days
    assert addresses(services, ann) == [_NEW, _OLD]
    assert [to for letter, to in put(services) if letter == "change_asked"].count(_OLD) == 3
    with reading(services.engine) as session:
        assert session.get_one(Player, ann.id).suspended_at is None


@pytest.mark.parametrize("way", ["link", "mail", "settings"])
def test_reader_of_the_old_mailbox_can_cancel_the_change(
    app: Flask, services: Services, ann: Player, clock: Clock, way: str
) -> None:
    questions = asked(services, f"address main {_NEW}")
    reply(services, _NEW, questions[_NEW])
    number = _changes(services)[0].id
    if way == "link":
        Browser(app).send(link_in(questions[_OLD]), answer="no")
    elif way == "mail":
        receive(services, _OLD, PLAY, f"cancel {number}")
    else:
        logged_in(app, services, ann).send("/settings/addresses/cancel", change=number)
    clock.advance(hours=24 * 20)
    keep(services)
    assert addresses(services, ann) == [_OLD]


def test_nothing_changes_if_the_new_address_does_not_confirm(
    services: Services, ann: Player, clock: Clock
) -> None:
    questions = asked(services, f"address main {_NEW}")
    reply(services, _OLD, questions[_OLD])
    clock.advance(hours=24 * 20)
    keep(services)
    assert addresses(services, ann) == [_OLD]


@pytest.mark.parametrize("command", ["add", "main"])
def test_change_does_not_reveal_if_an_address_belongs_to_a_player(
    app: Flask, services: Services, ann: Player, ben: Player, command: str
) -> None:
    browser, told = logged_in(app, services, ann), []
    for email in ("ben@example.org", "nan@example.org"):
        answer = browser.send("/settings/addresses", email=email, do=command)
        page = browser.text("/settings/addresses").replace(email, "EMAIL")
        told.append((answer.status_code, re.sub(r"\d+", "", page)))
        number = max(change.id or 0 for change in _changes(services))
        browser.send("/settings/addresses/cancel", change=number)
        assert "The change has been cancelled." in browser.text("/settings/addresses")
    assert told[0] == told[1]
    assert [to for letter, to in put(services) if letter == "change_asked" and to != _OLD] == [
        "nan@example.org"
    ]


def test_address_that_another_player_took_meanwhile_stays_theirs(services: Services, ann: Player) -> None:
    questions = asked(services, f"address add {_NEW}")
    with writing(services.engine) as session:
        players.register(ActionContext(session, services.sealer, services.now()), _NEW, "Nan")
    told = reply(services, _NEW, questions[_NEW])
    assert "There is no change" in told[0].words
    assert addresses(services, ann) == [_OLD]


def test_address_is_removed_unless_emails_go_there(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        players.add_address(session, services.now(), session.get_one(Player, ann.id), _NEW)
    (refused,) = receive(services, _OLD, PLAY, f"address remove {_OLD}")
    assert "Choose another main address first." in refused.words
    receive(services, _OLD, PLAY, f"address remove {_NEW}")
    assert addresses(services, ann) == [_OLD]


def test_changes_are_limited(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        action, player = (
            ActionContext(session, services.sealer, services.now()),
            session.get_one(Player, ann.id),
        )
        for number in range(MOST_CHANGES):
            account_changes.add(action, player, f"n{number}@example.org", PLAY)
        with pytest.raises(BadRequest, match="Try again tomorrow"):
            account_changes.add(action, player, "last@example.org", PLAY)
        for number in range(MOST_ADDRESSES):
            players.add_address(session, services.now(), player, f"n{number}@example.org")
        with pytest.raises(BadRequest, match="remove one of them first"):
            account_changes.add(action, player, "last@example.org", PLAY)


def test_questions_to_one_address_are_limited_for_all(services: Services) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        for number in range(5):
            player = players.register(action, f"p{number}@example.org", f"P{number}")
            account_changes.add(action, player, _NEW, PLAY)
    assert put(services).count(("change_asked", _NEW)) == account_changes.MOST_TO_ADDRESS


def test_invalid_changes_are_refused(app: Flask, services: Services, ann: Player) -> None:
    page = logged_in(app, services, ann).send("/settings/addresses", email="ann", do="add")
    assert page.status_code == 422
    assert "ann" in readable(page)
    (told,) = receive(services, _OLD, PLAY, "address book")
    assert "For a list of your addresses, write: address" in told.words


@pytest.mark.both
def test_new_main_address_clears_bounces_and_suspension_of_the_old_one(services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        player = session.get_one(Player, ann.id)
        bounces.bounced(session, services.now(), player, hard=True)
        action = ActionContext(session, services.sealer, services.now())
        account_changes.make_main(action, player, _NEW, PLAY)
        (change,) = account_changes.waiting_changes(session, player, services.now())
        for address in (_NEW, _OLD):
            account_deletion.confirm(action, change.id or 0, address)
        assert (player.email, player.suspended_at, player.bounce_score) == (_NEW, None, 0)


def _changes(services: Services) -> list[Change]:
    with reading(services.engine) as session:
        found = list(session.exec(select(Change).order_by(col(Change.id))))
        session.expunge_all()
        return found
