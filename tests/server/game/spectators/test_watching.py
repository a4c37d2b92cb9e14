"""Watchers of a game or a player get the public turns and results by email, once, until they stop watching."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from sqlmodel import select

from server.accounts import computer_players, players
from server.errors import BadRequest
from server.game.log import log
from server.game.messages import messages
from server.game.play.target import Target
from server.game.spectators import watching
from server.limits import MOST_WATCHED
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Follow, Game, Player, Watch
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, emails_to_watchers, receive
from tests.support.server.games import begin, doing, move, open_game, resign, submit, take_back
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in

CLEO = "cleo@example.org"


@pytest.fixture
def cleo(services: Services) -> Player:
    return add_player(services, CLEO, "Cleo")


@pytest.fixture
def game(services: Services, ann: Player, ben: Player) -> int:
    """A game between Ann and Ben."""
    return begin(services, "nebuchadnezzar", ann, ben, size=5)


def write(services: Services, text: str) -> str:
    """Send an email as Cleo, and return the answer."""
    (answer,) = receive(services, CLEO, PLAY, text)
    return answer.words


@pytest.mark.both
def test_each_turn_of_a_watched_game_is_emailed(
    services: Services, cleo: Player, game: int, clock: Clock
) -> None:
    move(services, game)
    answer = write(services, f"watch #{game}")
    assert f"You watch game {game}: you get an email after each turn" in answer
    assert f"To undo it: unwatch {game}" in answer
    assert emails_to_watchers(services) == [], "earlier turns are on the page"
    played = move(services, game)
    (first,) = emails_to_watchers(services)
    assert (first.to, first.mail["Subject"]) == (CLEO, f"Watched: Nebuchadnezzar {game}: Ann - Ben")
    assert "Turn 3: " in first.words
    assert played in first.words
    clock.advance(minutes=2)
    later = [move(services, game), move(services, game)]
    assert len(emails_to_watchers(services)) == 1, "turns that are played quickly come in one email"
    clock.advance(minutes=14)
    (_, second) = emails_to_watchers(services)
    assert all(each in second.words for each in later)
    assert emails_to_watchers(services)[2:] == []


@pytest.mark.both
def test_finished_game_is_reported_once_however_it_is_watched(
    services: Services, cleo: Player, ann: Player, ben: Player, game: int
) -> None:
    for what in (str(game), "Ann", "Ben"):
        write(services, f"watch {what}")
    resign(services, game, ann)
    (letter,) = emails_to_watchers(services)
    assert "The game is over. " in letter.words
    with reading(services.engine) as session:
        assert session.exec(select(Watch)).all() == []
        assert len(session.exec(select(Follow)).all()) == 2
        assert session.get_one(Game, game).news_at is None
    again = begin(services, "nibble", ann, ben)
    move(services, again)
    assert len(emails_to_watchers(services)) == 1, "for players, only the ends of games are emailed"
    resign(services, again, ben)
    assert "You get this email because you watch " in emails_to_watchers(services)[1].words


@pytest.mark.parametrize("what", ["game", "player"])
def test_link_stops_watching_only_its_game_or_player(
    app: Flask, services: Services, cleo: Player, ann: Player, game: int, what: str, clock: Clock
) -> None:
    write(services, f"watch {game if what == 'game' else 'Ann'}")
    write(services, "watch Ben")
    move(services, game)
    if what == "player":
        resign(services, game, ann)
    letter = emails_to_watchers(services)[0]
    (address,) = re.findall(r"<https?://[^/>]+(/unwatch/[^>]+)>", letter.mail["List-Unsubscribe"])
    assert address in letter.text
    assert letter.mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    browser = Browser(app)
    assert "Stop watching" in browser.text(address)
    assert app.test_client().post(address).status_code == 200
    with reading(services.engine) as session:
        assert session.exec(select(Watch)).all() == []
        names = watching.watched_by(session, session.get_one(Player, cleo.id)).players
        assert not session.get_one(Player, cleo.id).mail_stopped
    assert names == ("Ben",)
    assert browser.get("/unwatch/x").status_code == 404


def test_reply_stops_watching(services: Services, cleo: Player, game: int) -> None:
    write(services, f"watch {game}")
    move(services, game)
    (letter,) = emails_to_watchers(services)
    (answer,) = receive(services, CLEO, letter.mail["Reply-To"], f"unwatch {game}")
    assert f"You no longer watch game {game}." in answer.words


def test_spectator_who_wants_no_email_gets_none(
    services: Services, cleo: Player, ann: Player, game: int
) -> None:
    for what in (str(game), "Ann"):
        write(services, f"watch {what}")
    receive(services, CLEO, PLAY, "stop")
    move(services, game)
    resign(services, game, ann)
    assert emails_to_watchers(services) == []


def test_spectators_get_no_reports_of_players_whom_they_block(
    services: Services, cleo: Player, ann: Player, game: int
) -> None:
    write(services, "watch Ann")
    write(services, "block Ann")
    assert "You have blocked or ignored Ann." in write(services, "watch Ann")
    resign(services, game, ann)
    assert emails_to_watchers(services) == []


def test_private_game_cannot_be_watched(
    app: Flask, services: Services, cleo: Player, ann: Player, ben: Player
) -> None:
    private = begin(services, "nibble", ann, ben, private="on")
    missing = write(services, "watch 99")
    assert "There is no game 99 that you can watch." in missing
    assert (
        write(services, f"watch {private}")
        .replace(f"game {private} ", "game 99 ")
        .replace(f"watch {private} ", "watch 99 ")
        == missing
    )
    write(services, "watch Ann")
    resign(services, private, ann)
    assert emails_to_watchers(services) == []
    with reading(services.engine) as session:
        assert session.get_one(Game, private).news_at is None


def test_spectators_see_nothing_secret(services: Services, cleo: Player, ann: Player, ben: Player) -> None:
    number = begin(services, "nelaxtam", ann, ben)
    write(services, f"watch {number}")
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        rules, position = log.rules_of(game), log.position_of(game)
        orders = [rules.examples(position, seat)[0] for seat in rules.to_move(position)]
    doing(
        services,
        lambda action: messages.say(action, action.session.get_one(Game, number), 0, "I will go north."),
    )
    doing(
        services,
        lambda action: messages.keep(
            action, action.session.get_one(Game, number), 1, "He bluffs.", private=True
        ),
    )
    submit(services, number, 0, orders[0])
    assert emails_to_watchers(services) == [], "sealed orders are not reported"
    submit(services, number, 1, orders[1])
    (letter,) = emails_to_watchers(services)
    for secret in ("north", "bluffs", "example.org to", "Your orders"):
        assert secret not in letter.text + letter.html


def test_takeback_is_reported_to_spectators(
    services: Services, cleo: Player, ann: Player, ben: Player, game: int, clock: Clock
) -> None:
    write(services, f"watch {game}")
    move(services, game)
    emails_to_watchers(services)

    def undo(action: ActionContext) -> None:
        table = action.session.get_one(Game, game)
        for seat, player in sorted(log.seats(action.session, table), key=lambda each: each[0].number):
            take_back(action, player, Target(game, seat.number, table.turn))

    doing(services, undo)
    clock.advance(minutes=20)
    assert "Turn 1 was taken back." in emails_to_watchers(services)[-1].words


@pytest.mark.parametrize(
    ("what", "answer"),
    [
        ("watch Dora", "There is no player called “Dora”. Write: watch NUMBER"),
        ("watch Enkidu", "Enkidu is a computer player: watch single games of it instead."),
        ("watch Cleo", "You cannot watch yourself"),
        ("watch", "You watch nothing at the moment. Write: watch NUMBER"),
        ("unwatch", "Write: unwatch NUMBER, or: unwatch NAME, or: unwatch all."),
        ("unwatch 7", "You do not watch game 7. You watch nothing at the moment."),
        ("unwatch Ann", "You do not watch Ann."),
        ("unwatch all", "You no longer watch anything."),
    ],
)
def test_invalid_watch_commands_are_refused(
    services: Services, cleo: Player, ann: Player, what: str, answer: str
) -> None:
    computer_players.ensure_exist(services.engine, services.now())
    assert answer in write(services, what)


def test_watched_games_and_players_are_listed(services: Services, cleo: Player, game: int) -> None:
    write(services, f"watch {game}")
    write(services, "watch Ben")
    answer = write(services, "watch").replace("Ben - Ann", "Ann - Ben")  # seats are drawn at random
    assert (
        f"You watch game {game} (Nebuchadnezzar: Ann - Ben); Ben (each game that ends). "
        "To stop, write: unwatch NUMBER, unwatch NAME, or unwatch all"
    ) in answer
    write(services, "unwatch all")
    assert "You watch nothing at the moment." in write(services, "watch")


def test_own_and_finished_games_cannot_be_watched(services: Services, ann: Player, game: int) -> None:
    def answer(player: Player) -> str:
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, services.now())
            with pytest.raises(BadRequest) as refused:
                watching.watch(action, session.get_one(Player, player.id), str(game))
            return str(refused.value)

    assert "You play in game 1 yourself" in answer(ann)
    resign(services, game, ann)
    assert "Game 1 is over." in answer(add_player(services, "dan@example.org", "Dan"))


def test_open_game_can_be_watched_after_its_start(services: Services, cleo: Player, ann: Player) -> None:
    """Otherwise games that never start would count for the limit forever."""
    number = open_game(services, ann)
    (answer,) = receive(services, CLEO, PLAY, f"watch {number}")
    assert f"Game {number} waits for players: you can watch it once it has started." in answer.words
    assert f"To join it, write: join {number}" in answer.words
    with reading(services.engine) as session:
        assert session.exec(select(Watch)).all() == []


def test_number_of_watched_games_is_limited(services: Services, cleo: Player) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        for count in range(MOST_WATCHED + 1):
            other = players.register(action, f"p{count}@example.org", f"Player{count}x")
            players.confirm(other, services.now())
            if count < MOST_WATCHED:
                watching.watch(action, cleo, other.name)
        with pytest.raises(BadRequest, match="You already watch 50 games and players"):
            watching.watch(action, cleo, other.name)


def test_watching_works_on_the_web(
    app: Flask, services: Services, cleo: Player, ann: Player, game: int
) -> None:
    browser = logged_in(app, services, cleo)
    assert "Watch this game by email" in browser.text(f"/games/{game}")
    assert "Watch this game" not in logged_in(app, services, ann).text(f"/games/{game}")
    assert "Watch this game" not in Browser(app).text(f"/games/{game}")
    for which in (str(game), "Ann"):
        assert browser.send("/settings/watch", name=which).status_code == 303
    page = browser.text("/watching")
    assert "To undo it" not in page, "there is a button for that"
    assert f"Nebuchadnezzar {game}" in page
    assert "Stop watching Ann" in page
    assert "Stop watching" in browser.text(f"/games/{game}")
    assert "Stop watching Ann" in browser.text("/player/Ann")
    browser.send("/settings/unwatch", name=str(game))
    assert f"Nebuchadnezzar {game}" not in browser.text("/watching")
    browser.send("/settings/watch", name="Dora")
    assert "There is no player called “Dora”." in browser.text("/watching")
    assert browser.send("/settings/x", name="Dora").status_code == 404


def test_unwatched_game_is_not_marked_for_reports_to_spectators(services: Services, game: int) -> None:
    move(services, game)
    assert emails_to_watchers(services) == []
    with reading(services.engine) as session:
        assert session.get_one(Game, game).news_at is None
