"""Deleting an account: the data that is deleted, and the data that stays under a neutral name."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from sqlmodel import col, select

from server.accounts import account_changes, players, relations
from server.admin.roles import Role
from server.game.integrity import log_check
from server.game.leaving.account_deletion import delete_account
from server.game.log import log
from server.game.messages import messages
from server.game.spectators import watching
from server.jobs.table import REOPENING, SERIES
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import (
    Address,
    Change,
    Failure,
    Follow,
    Game,
    GameMessage,
    Outbox,
    Player,
    Relation,
    Seat,
)
from server.store.outbox import ActionContext
from tests.support.database.locks import somebody_waits
from tests.support.machine.waiting import await_that
from tests.support.server.damage import change_hash
from tests.support.server.emails import PLAY, letters, receive
from tests.support.server.games import begin, open_game, submit
from tests.support.server.players import add_player
from tests.support.web.administrators import appoint
from tests.support.web.client import Browser, logged_in


def delete(services: Services, player: Player) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        delete_account(action, session.get_one(Player, player.id))


def note(services: Services, number: int, player: Player) -> None:
    """Write a note and a message as a player, and block another."""
    with writing(services.engine) as session:
        action, game = ActionContext(session, services.sealer, services.now()), session.get_one(Game, number)
        query = select(Seat.number).where(Seat.game_id == number, Seat.player_id == player.id)
        seat = session.exec(query).one()
        messages.keep(action, game, seat, "a plan", private=True)
        messages.keep(action, game, seat, "hello")


@pytest.mark.both
def test_only_games_remain_after_a_deletion(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    browser, running = logged_in(app, services, ben), begin(services, "nebuchadnezzar", ann, ben, size=5)
    note(services, running, ben)
    note(services, running, ann)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        watching.watch(action, session.get_one(Player, ann.id), "Ben")
        watching.watch(action, session.get_one(Player, ben.id), "Ann")
        relations.block(action, session.get_one(Player, ann.id), "Ben")
        link = services.logins.write(session.get_one(Player, ben.id))
    delete(services, ben)
    with reading(services.engine) as session:
        left = session.get_one(Player, ben.id)
        assert (left.name, left.email, left.confirmed_at) == (f"Former player {ben.id}", "", None)
        assert session.get_one(Game, running).state == "over"
        assert session.exec(select(Address).where(Address.player_id == ben.id)).first() is None
        assert session.exec(select(Outbox).where(Outbox.recipient == "ben@example.org")).first() is None
        assert session.exec(select(Relation)).first() is None
        assert session.exec(select(Follow)).first() is None
        kept = session.exec(select(GameMessage).order_by(col(GameMessage.id)))
        assert [services.sealer.open(row.sealed) for row in kept] == [b"hello", b"a plan", b"hello"]
        assert players.by_name(session, "Ben") is None
    assert not log_check.check(services.engine, services.sealer, running)
    assert browser.get("/games").status_code == 303
    assert "Ben" not in Browser(app).text(f"/enter/{link}")
    page = logged_in(app, services, ann).text(f"/games/{running}")
    assert f"Former player {ben.id}" in page
    answer = receive(services, "ben@example.org", PLAY, "games")
    assert "is not the address of a player" in answer[0].words


@pytest.mark.usefixtures("failures_meant")
def test_damaged_game_does_not_prevent_a_deletion(services: Services, ann: Player, ben: Player) -> None:
    damaged, sound = (begin(services, "nebuchadnezzar", ann, ben, size=5) for _ in range(2))
    for turn, move in enumerate(("c3", "d4", "b2")):
        submit(services, damaged, turn % 2, move)
    change_hash(services, damaged)
    delete(services, ben)
    with reading(services.engine) as session:
        assert session.get_one(Player, ben.id).name == f"Former player {ben.id}"
        assert [session.get_one(Game, number).state for number in (damaged, sound)] == ["running", "over"]
        assert [failure.game_id for failure in session.exec(select(Failure))] == [damaged]


def test_only_own_account_changes_lose_their_addresses(services: Services, ann: Player, ben: Player) -> None:
    """Finished changes are kept for a while, because they count for limits."""
    now = services.now()
    with writing(services.engine) as session:
        for player in (ann, ben):
            for ended in (None, now):
                session.add(
                    Change(
                        player_id=player.id or 0,
                        what="add",
                        email=f"other.{player.email}",
                        asked_at=now,
                        told_at=now,
                        due_at=now,
                        ended_at=ended,
                    )
                )
    delete(services, ben)
    with reading(services.engine) as session:
        kept = list(session.exec(select(Change.player_id, Change.email)))
    assert [email for player, email in kept if player == ann.id] == ["other.ann@example.org"] * 2
    assert {email for player, email in kept if player == ben.id} == {""}


def test_deletion_is_requested_and_confirmed_by_email(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    assert browser.send("/settings/delete").status_code == 303
    assert "your account is deleted once you confirm it there" in browser.text("/settings")
    (question,) = (each for each in letters(services) if each.letter == "change_asked")
    assert question.to == "ann@example.org"
    fields = f"In-Reply-To: {question.mail['Message-ID']}\r\n"
    receive(services, "ann@example.org", str(question.mail["Reply-To"]), "yes", fields)
    (told,) = letters(services)
    assert "Your account is deleted." in told.words
    with reading(services.engine) as session:
        assert players.by_email(session, "ann@example.org") is None


def test_deletion_by_email_can_be_cancelled(services: Services, ann: Player) -> None:
    receive(services, "ann@example.org", PLAY, "delete")
    with reading(services.engine) as session:
        (change,) = account_changes.waiting_changes(session, session.get_one(Player, ann.id), services.now())
        number = change.id
    receive(services, "ann@example.org", PLAY, f"cancel {number}")
    receive(services, "ann@example.org", PLAY, f"confirm {number}")
    with reading(services.engine) as session:
        assert players.by_email(session, "ann@example.org") is not None


def test_only_administrator_cannot_be_deleted(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    appoint(services, ann)
    appoint(services, ben, Role.MODERATOR)
    (refusal,) = receive(services, "ann@example.org", PLAY, "delete")
    assert "You are the only administrator here, so your account cannot be deleted." in refusal.words
    browser = logged_in(app, services, ann)
    browser.send("/settings/delete")
    assert "You are the only administrator here" in browser.text("/settings")
    receive(services, "ben@example.org", PLAY, "delete")
    with reading(services.engine) as session:
        assert account_changes.waiting_changes(session, session.get_one(Player, ann.id), services.now()) == []
        assert (
            len(account_changes.waiting_changes(session, session.get_one(Player, ben.id), services.now())) == 1
        )


def test_second_deleted_player_gets_another_neutral_name(services: Services, ann: Player, ben: Player) -> None:
    delete(services, ann)
    delete(services, ben)
    with reading(services.engine) as session:
        names = [session.get_one(Player, each.id).name for each in (ann, ben)]
    assert names == [f"Former player {ann.id}", f"Former player {ben.id}"]
    (welcome,) = receive(services, "ann@example.org", PLAY, "register Ann")
    assert "Welcome, Ann." in welcome.words


# SQLite has no row locks: its writers take turns.
@pytest.mark.parametrize("database", ["postgresql"])
def test_two_players_can_delete_their_accounts_simultaneously(
    services: Services, ann: Player, ben: Player
) -> None:
    with ThreadPoolExecutor(1) as others:
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, services.now())
            delete_account(action, session.get_one(Player, ann.id))
            session.flush()
            other = others.submit(delete, services, ben)
            await_that(lambda: other.done() or somebody_waits(services))
        other.result()
    with reading(services.engine) as session:
        assert all(session.get_one(Player, each.id).email == "" for each in (ann, ben))


@pytest.mark.both
def test_deletion_works_in_every_situation(services: Services, ann: Player, ben: Player) -> None:
    """Nothing waits for the deleted player, no email follows, and an anonymous game goes on without a name."""
    cleo = add_player(services, "cleo@example.org", "Cleo")
    table, offer = open_game(services, ann, "nexus", players=4), open_game(services, ben, "nibble", always=2)
    nameless = open_game(services, ben, "nexus", players=3, anonymous="yes")
    for player, text in (
        *((ben, f"join {table}"), (cleo, f"join {table}"), (ben, f"start {table}")),
        *((ann, f"join {offer}"), (ann, f"join {nameless}"), (cleo, f"join {nameless}")),
        (ann, "challenge Ben nardshir"),
    ):
        receive(services, player.email, PLAY, text)
    countered = nameless + 1
    receive(services, ben.email, PLAY, f"counter {countered} time=1d")
    series = begin(services, "nebuchadnezzar", ann, ben, size=5, games=4)
    watched = begin(services, "nibble", ann, cleo)
    receive(services, ben.email, PLAY, f"say {watched} what a move")
    delete(services, ben)
    while SERIES.run_next(services.engine, services.sealer, services.now()):
        pass
    while REOPENING.run_next(services.engine, services.sealer, services.now()):
        pass
    with reading(services.engine) as session:
        states = {number: session.get_one(Game, number).state for number in (table, offer, nameless, series)}
        assert states == {table: "open", offer: "over", nameless: "running", series: "over"}
        assert session.get_one(Game, table).asked == [ann.id, cleo.id]
        assert [seat.agreed for seat, _ in log.seats(session, session.get_one(Game, table))] == [False, False]
        assert session.get_one(Game, countered + 1).state == "declined"
        assert (
            session.exec(select(Game).where((Game.series_of == series) | (Game.offer_of == offer))).all() == []
        )
    written = letters(services)
    assert {mail.to for mail in written} == {ann.email, cleo.email}
    of_nameless = [mail for mail in written if "anonymous" in str(mail.mail["Subject"])]
    assert of_nameless
    assert not [mail.letter for mail in of_nameless if "Ben" in mail.text + mail.html + str(mail.mail["From"])]
