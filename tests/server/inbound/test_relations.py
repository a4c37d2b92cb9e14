"""Blocked and ignored players: no challenges from and to blocked ones, no messages from ignored ones."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlmodel import select

from server.accounts import computer_players, relations
from server.errors import BadRequest
from server.game.lobby.challenge_checks import MOST_TO_ADDRESS
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Relation, Seat
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.server.emails import Written, receive, write
from tests.support.server.games import begin, submit
from tests.support.web.client import logged_in

BENS_OTHER = "walter@world.test"


def told(services: Services, sender: str, *lines: str) -> str:
    (answer,) = write(services, sender, *lines)
    return answer.words


def reply(services: Services, number: int, player: Player, text: str) -> list[Written]:
    """Return the emails that a player's reply about a game causes."""
    with reading(services.engine) as session:
        seats = session.exec(select(Seat).where(Seat.game_id == number, Seat.player_id == player.id)).one()
        turn = session.get_one(Game, number).turn
    token = services.tokens.write(ReplyToken(number, seats.number, turn))
    return receive(services, player.email, f"play+{token}@games.example.org", text)


@pytest.mark.both
def test_neither_can_challenge_the_other(services: Services, ann: Player, ben: Player, cleo: Player) -> None:
    blocked = told(services, "Ann", "block ben")
    assert "You have blocked Ben" in blocked
    assert "To undo it: unblock ben" in blocked
    for challenger, other in (("Ann", "Ben"), ("Ben", "Ann")):
        assert f"{other} cannot be challenged" in told(services, challenger, f"challenge {other} nibble")
    assert "cannot be challenged" in told(services, "Cleo", "challenge Ann, Ben nexus players=3")
    with reading(services.engine) as session:
        assert relations.blocked_pairs(session, [ann, ben])
        assert relations.blocked_pairs(session, [ben, ann])
        assert not relations.blocked_pairs(session, [ann, cleo])
        assert (
            relations.kept_apart_from(session, ann.id or 0),
            relations.kept_apart_from(session, ben.id or 0),
        ) == ({ben.id}, {ann.id})
        assert relations.kept_apart_from(session, cleo.id or 0) == set()
    assert "no longer blocked" in told(services, "Ann", "unblock Ben")
    assert {mail.letter for mail in write(services, "Ben", "challenge Ann nibble")} == {
        "challenge_sent",
        "invitation",
    }


def test_refusal_does_not_mention_the_block(services: Services, ann: Player, ben: Player) -> None:
    write(services, "Ann", "block Ben")
    blocked = told(services, "Ben", "challenge Ann nibble")
    write(services, "Ann", "unblock Ben")
    write(services, "Ann", "stop")
    assert told(services, "Ben", "challenge Ann nibble") == blocked


@pytest.mark.parametrize("blocker", ["Ann", "Ben"])
def test_challenge_by_address_seems_to_be_sent(
    services: Services, ann: Player, ben: Player, blocker: str
) -> None:
    """A refusal would reveal the owner of the address, and so would a separate limit."""
    blocked = {"Ann": "Ben", "Ben": "Ann"}[blocker]
    write(services, blocker, f"block {blocked}")
    for _ in range(MOST_TO_ADDRESS):
        sent = write(services, "Ann", "challenge ben@example.org nibble")
        assert [(mail.letter, mail.to) for mail in sent] == [("challenge_sent", ann.email)]
    assert "0 waiting" in told(services, "Ben", "games") or "no games" in told(services, "Ben", "games")
    assert "not invited to game 1" in told(services, "Ben", "accept 1")
    write(services, blocker, f"unblock {blocked}")
    assert f"{MOST_TO_ADDRESS} challenges" in told(services, "Ann", "challenge ben@example.org nibble")


def test_earlier_invitation_by_address_cannot_be_accepted(services: Services, ann: Player, ben: Player) -> None:
    write(services, "Ann", "challenge ben@example.org nibble")
    write(services, "Ann", "block Ben")
    assert "The invitation to game 1 is no longer valid." in told(services, "Ben", "accept 1")
    write(services, "Ann", "unblock Ben")
    assert {mail.letter for mail in write(services, "Ben", "accept 1")} == {"report"}


@pytest.mark.parametrize("word", ["ignore", "block"])
def test_messages_of_ignored_players_are_neither_emailed_nor_shown(
    services: Services, app: Flask, ann: Player, ben: Player, cleo: Player, word: str
) -> None:
    number = begin(services, "nexus", ann, ben, cleo, players=3)
    write(services, "Ann", f"{word} Ben")
    said = reply(services, number, ben, "say You all play like fish.")
    assert {mail.to for mail in said if mail.letter == "message"} == {cleo.email}
    page = f"/games/{number}"
    assert "like fish" not in logged_in(app, services, ann).text(page)
    assert "like fish" in logged_in(app, services, cleo).text(page)
    assert "unread" not in logged_in(app, services, ann).get("/games").text
    write(services, "Ann", f"un{word} Ben")
    assert "like fish" in logged_in(app, services, ann).text(page)


def test_message_of_an_ignored_player_with_a_turn_is_left_out(
    services: Services, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    write(services, "Ann", "ignore Ben")
    with reading(services.engine) as session:
        first = session.get_one(Seat, (number, 0)).player_id
    if first == ann.id:
        submit(services, number, 0, "e5")
    told_ann = [
        mail for mail in reply(services, number, ben, "a1\n\nsay Take that, fish!") if mail.to == ann.email
    ]
    assert [mail.letter for mail in told_ann] == ["report"]
    assert "fish" not in told_ann[0].words


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("block", "Write: block NAME"),
        ("block Nobody", "There is no player called “Nobody”"),
        ("ignore Ann", "you cannot ignore yourself"),
        ("block Enkidu", "Enkidu is a computer player, who sends no challenges and no messages."),
        ("unblock Ben", "You have not blocked Ben"),
        ("unignore Ben", "You do not ignore Ben"),
    ],
)
def test_invalid_block_is_refused(
    services: Services, ann: Player, ben: Player, line: str, sentence: str
) -> None:
    computer_players.ensure_exist(services.engine, services.now())
    assert sentence in told(services, "Ann", line)


def test_number_of_blocked_players_is_limited(
    services: Services, ann: Player, ben: Player, cleo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relations, "MOST_RELATIONS", 1)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        relations.ignore(action, ann, "Ben")
        relations.block(action, ann, "Ben")
        with pytest.raises(BadRequest, match="already block or ignore 1 player"):
            relations.ignore(action, ann, "Cleo")


def test_settings_list_blocked_and_ignored_players(
    services: Services, app: Flask, ann: Player, ben: Player
) -> None:
    browser = logged_in(app, services, ann)
    browser.send("/settings/ignore", name="Ben")
    assert "Ben ignored" in browser.text("/settings")
    browser.send("/settings/block", name="Ben")
    assert "Ben blocked" in browser.text("/settings")
    browser.send("/settings/unblock", name="Ben")
    browser.send("/settings/block", name="Nobody")
    assert "There is no player called “Nobody”. Give the exact name." in browser.text("/settings")
    browser.send("/settings/block", name="Bem")
    assert "There is no player called “Bem”. Did you mean Ben?" in browser.text("/settings")
    with reading(services.engine) as session:
        assert session.exec(select(Relation)).all() == []
