"""Spectator chat: hidden from the players until the game is over."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from server.accounts import players
from server.commands.vocabulary import PLAIN as PLAIN_WORDS
from server.commands.vocabulary import REPLY
from server.errors import BadRequest
from server.game.leaving import account_deletion, data_export
from server.game.lobby import challenges
from server.game.log import log
from server.game.spectators import chat
from server.jobs import administrator_report
from server.limits import LONGEST_MESSAGE
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.counting import statements
from tests.support.server.command_examples import ACCOUNT_MAILS, GAME_MAILS
from tests.support.server.emails import PLAY, Written, emails_to_watchers, everything_in, letters, receive
from tests.support.server.games import begin, doing, move, resign
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in, readable
from tests.support.web.page_addresses import ADMIN_PAGES, PAGES

CANARY = "pelican"


@pytest.fixture
def dan(services: Services) -> Player:
    return add_player(services, "dan@example.org", "Dan")


@pytest.fixture
def game(services: Services, ann: Player, ben: Player) -> int:
    """A game between Ann and Ben."""
    return begin(services, "nebuchadnezzar", ann, ben, size=5)


def write(services: Services, player: Player, text: str, answers: Written | None = None) -> str:
    """Send an email as a player, perhaps in reply to one; return the answer."""
    fields = "" if answers is None else f"In-Reply-To: {answers.mail['Message-ID']}\r\n"
    (answer,) = receive(services, player.email, PLAY, text, fields)
    return answer.words


def submit_text(services: Services, number: int, player: Player, text: str) -> list[Written]:
    """Return the letters that a reply of a player of the game causes."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        seat = challenges.seat_of(session, game, player)
        token = services.tokens.write(ReplyToken(number, seat or 0, game.turn))
    return receive(services, player.email, PLAY.replace("@", f"+{token}@"), text)


def say(services: Services, player: Player, number: int, text: str = CANARY) -> None:
    doing(services, lambda action: chat.post(action, action.session.get_one(Player, player.id), number, text))


def test_spectators_get_chat_with_their_next_email(
    services: Services, clock: Clock, game: int, cleo: Player, dan: Player
) -> None:
    for player in (cleo, dan):
        write(services, player, f"watch {game}")
    assert "The players" not in write(services, cleo, f"say {game} A {CANARY}!\nAnd another.")
    assert emails_to_watchers(services) == [], "a chat message does not cause an email"
    move(services, game)
    first, second = sorted(emails_to_watchers(services), key=lambda each: each.to)
    assert "pelican" not in first.words, "they know what they said themselves"
    assert "Cleo says in the spectator chat: | A pelican! | And another." in second.words
    assert "reply “say” and your message" in second.words
    answer = write(services, dan, "say Which one?", answers=second)
    assert f"Spectators of game {game} see your message on its page" in answer
    clock.advance(hours=1)
    move(services, game)
    third, fourth = sorted(emails_to_watchers(services)[2:], key=lambda each: each.to)
    assert "Dan says in the spectator chat: | Which one?" in third.words
    assert "pelican" not in fourth.words, "it is told once"


def test_players_do_not_see_the_chat_before_the_end(
    app: Flask, services: Services, game: int, ann: Player, ben: Player, cleo: Player
) -> None:
    write(services, cleo, f"watch {game}")
    pages = [address for page, address in PAGES.items() if page not in ADMIN_PAGES]
    others = (
        "secret",
        "stop",
        "unwatch",
        "question",
        "feed",
        "quarantined",
        "change",
        "undo",
        "opened",
        "invited",
    )
    elsewhere = {**dict.fromkeys(others, "1"), "game": game, "link": "x"}
    readers = [logged_in(app, services, player) for player in (ann, ben)] + [Browser(app)]

    def seen() -> list[str]:
        return [
            browser.get(address.format(**elsewhere)).get_data().decode(errors="replace")
            for browser in readers
            for address in pages
        ]

    mark = [browser.get(f"/games/{game}/now").headers["ETag"] for browser in readers]
    say(services, cleo, game)
    assert [browser.get(f"/games/{game}/now").headers["ETag"] for browser in readers] == mark
    move(services, game)
    emails_to_watchers(services)
    assert not [page for page in seen() if CANARY in page]
    for player in (ann, ben):
        for text in ("games", f"watch {game}", f"report {game} why", f"say {game} me, too"):
            receive(services, player.email, PLAY, text)
    mailed = [each for each in letters(services) if each.to in (ann.email, ben.email)]
    assert not [each.letter for each in mailed if CANARY in each.text + each.html]
    with reading(services.engine) as session:
        assert CANARY not in log.record(session, session.get_one(Game, game)).to_json()
        assert CANARY not in data_export.own_data(session, services.sealer, session.get_one(Player, ann.id))
    resign(services, game, ann)
    assert CANARY in readers[0].text(f"/games/{game}")
    assert CANARY in readers[1].text(f"/games/{game}")
    assert CANARY not in readers[2].text(f"/games/{game}"), "it is for players of this server"
    assert "is over" in write(services, cleo, f"say {game} well played")


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(3))
def test_no_command_shows_the_chat_to_players(
    services: Services, clock: Clock, ann: Player, ben: Player, cleo: Player, part: int
) -> None:
    """Even from another address of theirs."""
    number = begin(services, "nebuchadnezzar", ann, ben, size=5, time="none")
    with writing(services.engine) as session:
        players.add_address(session, services.now(), session.get_one(Player, ann.id), "second@example.org")
    say(services, cleo, number)
    written = []
    for command in [each for each in REPLY.help_by_usage() if each not in ("resign", "stop")][part::3]:
        clock.advance(days=1)
        written += submit_text(services, number, ann, GAME_MAILS[command])
    for command in [each for each in PLAIN_WORDS.help_by_usage() if each not in ("stop", "register NAME")][
        part::3
    ]:
        clock.advance(days=1)
        text = re.sub(r"\b1\b", str(number), ACCOUNT_MAILS[command])
        written += receive(services, "second@example.org", PLAY, text)
    assert len(written) > 20
    assert not [mail.letter for mail in written if CANARY in everything_in(mail)]


def test_chat_on_the_page(app: Flask, services: Services, game: int, cleo: Player, dan: Player) -> None:
    cleos, dans = (logged_in(app, services, player) for player in (cleo, dan))
    before = dans.get(f"/games/{game}/now").headers["ETag"]
    assert cleos.send(f"/games/{game}/spectator-message", text=f"A {CANARY}!").status_code == 303
    assert "Dan" not in cleos.text(f"/games/{game}")
    assert re.search(rf"Cleo, turn 1, .{{0,60}} A {CANARY}!", dans.text(f"/games/{game}"))
    assert dans.get(f"/games/{game}/now").headers["ETag"] != before
    for wrong, why in (("x" * (LONGEST_MESSAGE + 1), "too long"), (" ", "There is nothing after")):
        refused = cleos.send(f"/games/{game}/spectator-message", text=wrong)
        assert refused.status_code == 422
        assert why in readable(refused)
    assert Browser(app).send(f"/games/{game}/spectator-message", text="hello").location.startswith("/")
    assert "hello" not in dans.text(f"/games/{game}")


@pytest.mark.parametrize("word", ["block", "ignore"])
def test_blocked_and_ignored_people_are_not_heard(
    app: Flask, services: Services, game: int, cleo: Player, dan: Player, word: str
) -> None:
    write(services, dan, f"watch {game}")
    write(services, cleo, f"watch {game}")
    write(services, dan, f"{word} Cleo")
    say(services, cleo, game)
    say(services, dan, game, "a heron")
    move(services, game)
    mails = {each.to: each.words for each in emails_to_watchers(services)}
    assert CANARY not in mails[dan.email]
    assert ("heron" in mails[cleo.email]) == (word == "ignore")
    assert CANARY not in logged_in(app, services, dan).text(f"/games/{game}")
    assert ("heron" in logged_in(app, services, cleo).text(f"/games/{game}")) == (word == "ignore")
    assert "There is no message from a spectator" in write(services, dan, f"report {game} him")


def test_number_of_queries_does_not_depend_on_blocks(
    app: Flask, services: Services, game: int, cleo: Player, dan: Player
) -> None:
    write(services, dan, f"watch {game}")
    browser, found = logged_in(app, services, dan), []
    browser.get("/lobby")  # announcements are cached for a minute
    for word in ("watching", "block Cleo", "block Ann", "ignore Ben"):
        write(services, dan, word)
        with statements(services) as asked:
            browser.get(f"/games/{game}")
        found.append(asked)
    assert found[1:] == found[:-1]


def test_only_visible_games_have_a_chat(services: Services, ann: Player, ben: Player, cleo: Player) -> None:
    private = begin(services, "nibble", ann, ben, private="on")
    one, other = (write(services, cleo, f"say {number} hello") for number in (private, 77))
    assert f"There is no game {private} that you can watch." in one
    assert re.sub(rf"\b{private}\b", "", one) == re.sub(r"\b(77|1)\b", "", other)
    assert "“say” is for a game, and you have none that goes on." in write(services, cleo, "say hello")


def test_number_of_chat_messages_is_limited(services: Services, clock: Clock, game: int, cleo: Player) -> None:
    for _ in range(50):
        say(services, cleo, game)
    with pytest.raises(BadRequest, match="You can post more tomorrow"):
        say(services, cleo, game)
    clock.advance(days=1, seconds=-1)
    with pytest.raises(BadRequest, match="You can post more tomorrow"):
        say(services, cleo, game)
    clock.advance(seconds=1)
    say(services, cleo, game)


def test_number_of_chat_messages_in_an_email_and_on_a_page_is_limited(
    app: Flask, services: Services, game: int, cleo: Player, dan: Player
) -> None:
    write(services, dan, f"watch {game}")
    for number in range(1, 32):
        say(services, cleo, game, f"Message {number}.")
    move(services, game)
    (told,) = emails_to_watchers(services)
    assert re.findall(r"Message (\d+)\.", told.words) == [str(number) for number in range(12, 32)]
    page = logged_in(app, services, dan).text(f"/games/{game}")
    assert re.findall(r"Message (\d+)\.", page) == [str(number) for number in range(31, 1, -1)]


@pytest.mark.both
def test_chat_message_can_be_reported_once(
    app: Flask, services: Services, game: int, cleo: Player, dan: Player
) -> None:
    say(services, cleo, game)
    assert f"“{CANARY}”" in write(services, dan, f"report {game} Not nice.")
    again = logged_in(app, services, dan)
    refused = again.send(f"/games/{game}/report-spectator", message="1", why="Again")
    assert refused.status_code == 422
    assert "You have already reported this" in readable(refused)
    with writing(services.engine) as session:
        administrator_report.notify_administrator(
            ActionContext(session, services.sealer, services.now()), "op@example.org"
        )
    (mail,) = [each for each in letters(services) if each.to == "op@example.org"]
    assert f"Cleo to spectators of game {game}, turn 1; reported by Dan: Not nice. | {CANARY}" in mail.words


def test_chat_stays_under_a_neutral_name_after_deletion(
    app: Flask, services: Services, game: int, cleo: Player, dan: Player
) -> None:
    say(services, cleo, game)
    doing(
        services,
        lambda action: account_deletion.delete_account(action, action.session.get_one(Player, cleo.id)),
    )
    page = logged_in(app, services, dan).text(f"/games/{game}")
    assert CANARY in page
    assert "Cleo" not in page


def test_export_contains_own_chat_messages(services: Services, game: int, cleo: Player) -> None:
    say(services, cleo, game)
    with reading(services.engine) as session:
        assert CANARY in data_export.own_data(session, services.sealer, session.get_one(Player, cleo.id))
