"""Names that no player can have, because readers would confuse them with the server or something else."""

from __future__ import annotations

import pytest
from flask import Flask

from server.accounts import names, players
from server.accounts.names import shape
from server.commands import player_names
from server.commands.vocabulary import PLAIN, REPLY
from server.errors import BadRequest
from server.game.computer import lessons
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Player
from server.store.outbox import ActionContext
from server.tournaments import signup
from tests.support.server.emails import PLAY, receive, sender
from tests.support.server.games import TwoPlayerGame, reply
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in, readable

OFFICIAL = (
    *("Nabu", "NABU", "Admin", "Administrator", "Operator", "Moderator", "Support", "System", "Server"),
    *("Postmaster", "Abuse", "Security", "Nabu Support", "Nabu-Admin", "Support Team", "The Moderators"),
    *("Adm1n", "ADM1NISTRATOR", "Adrnin", "Adm1nistrator", "Nаbu", "Nábu", "Supp0rt1", "0perator", "N4bu"),
    *("5upport", "Admin2", "2Admin", "Nabu2Support", "NabuTeam", "Nabusupport", "nabuteam", "N.a.b.u", "Na-bu"),
    *("NabuHelp", "Tech Support 24", "Mailer-Daemon", "No-Reply", "Nabu_Admin", "Jack of Support"),
)
ALONE = (
    *("White", "Black", "BLACK", "B1ack", "First", "Second", "Red", "Blue", "Green", "Yellow", "X", "O"),
    *("Nibble", "NEXUS", "Nardshir", "Nebuchadnezzar", "Nelaxtam", "NEXUS und Rabauken"),
    *("You", "Me", "Nobody", "Everyone", "Root", "Y0u"),
    *("register", "Resign", "DRAW", "Stop", "help", "yes", "Take Back", "Hint.", "takeback"),
)
FREE = (
    *("Jack Black", "Walter White", "Abu Nabulsi", "Nabil", "Nabuco", "Will", "Mark", "Grant", "Art", "Adam"),
    *("Joe Root", "Drew", "Ann", "Draw L.", "Black 2", "Hope", "Supporo", "Ian Adminson"),
    *("You Li", "Nibble Fan", "Guest", "Player", "P1", "李", "Иван", "Redd", "O'Hara", "Malcolm X", "Yesim"),
)


def test_command_by_itself_cannot_be_a_name() -> None:
    for word in [*PLAIN.spelled, *REPLY.spelled]:
        if word.isascii() and word.replace(" ", "").isalpha():
            with pytest.raises(BadRequest, match="by itself"):
                player_names.check(word.title())


def test_common_names_of_people_are_allowed() -> None:
    for name in FREE:
        assert player_names.check(name) == name


def test_names_of_the_server_and_its_staff_are_reserved(action: ActionContext) -> None:
    for name in OFFICIAL:
        with pytest.raises(BadRequest, match=r"reserved for this server|from several scripts"):
            player_names.check(name)
        assert names.is_reserved(players.free_name(action.session, name)) is False
    with pytest.raises(BadRequest, match="reserved for this server"):
        players.register(action, "eve@world.test", "Nabu Support")


def test_words_of_the_games_are_no_names() -> None:
    for name in ALONE:
        with pytest.raises(BadRequest, match="cannot be a name by itself") as refused:
            player_names.check(name)
        proposed = str(refused.value).rpartition("for example “")[2].partition("”")[0]
        assert player_names.check(proposed) == proposed


def test_refusal_of_a_name_explains_the_reason() -> None:
    with pytest.raises(BadRequest) as refused:
        player_names.check("Nabu Supp0rt")
    assert str(refused.value) == (
        "“Nabu Supp0rt” cannot be a name: “Nabu” is reserved for this server and the people who run it. "
        "Choose a name without it."
    )
    with pytest.raises(BadRequest) as refused:
        player_names.check("Draw")
    assert str(refused.value) == (
        "“Draw” cannot be a name by itself, because it is a command. Add another name or an initial, for "
        "example “Draw B.”"
    )
    with pytest.raises(BadRequest) as refused:
        player_names.check("White")
    assert "because the games and emails use the word" in str(refused.value)


def test_every_way_to_choose_a_name_refuses_reserved_ones(app: Flask, services: Services) -> None:
    ann = add_player(services, "ann@example.org", "Ann")
    browser = logged_in(app, services, ann)
    for name, reason in (("Nabu", "reserved for this server"), ("Draw", "it is a command")):
        stranger = f"{name.lower()}@world.test"
        for writer, line in ((stranger, f"register {name}"), ("ann@example.org", f"name {name}")):
            answer = receive(services, writer, PLAY, line)[-1]
            assert reason in answer.words, line
        assert reason in readable(browser.send("/settings", name=name))
        assert reason in readable(Browser(app).send("/register", name=name, email="eve@example.org"))
    with writing(services.engine) as session:
        assert session.get_one(Player, ann.id).name == "Ann"


def test_tournament_name_must_not_look_official(action: ActionContext) -> None:
    ann = lessons.register(action, "ann@example.org", "Ann")
    with pytest.raises(BadRequest, match="reserved for this server"):
        signup.make(action, ann, "Official Nabu Cup", "nibble", {})
    assert signup.make(action, ann, "Black Cup", "nibble", {}).name == "Black Cup"
    assert signup.make(action, ann, "Draw", "nibble", {}).name == "Draw", "no message comes from a tournament"


@pytest.mark.parametrize("name", ["Nabu Support", "White", "Draw"])
def test_existing_reserved_name_is_kept_but_not_shown_as_sender(services: Services, name: str) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    with writing(services.engine) as session:
        first, second = (session.get_one(Player, player.id) for player in table.players)
        first.name, first.name_key, first.name_shape = name, name.casefold(), shape(name)
        player_names.rename(session, first, name.upper())
        with pytest.raises(BadRequest):
            player_names.rename(session, second, name)
    for_second = reply(table, 0, "say Hello there!")[-1]
    assert (for_second.to, sender(for_second)) == (second.email, "Nabu")
    for_first = reply(table, 1, "say Hello there!")[-1]
    assert sender(for_first) == f"{second.name} via Nabu"
