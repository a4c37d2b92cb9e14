"""The players of an anonymous game are hidden until it is over, in every place and in every form."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from sqlmodel import select

from rules.records.verification import verify
from server.commands.vocabulary import PLAIN as PLAIN_WORDS
from server.commands.vocabulary import REPLY
from server.game.log import log
from server.jobs.table import WATCHERS
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.tokens import ReplyToken
from tests.support.server.command_examples import ACCOUNT_MAILS, GAME_MAILS
from tests.support.server.emails import PLAY, Written, everything_in, letters, receive, write
from tests.support.server.games import open_game
from tests.support.server.players import add_player, mail_every_turn
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in, readable
from tests.support.web.page_addresses import PAGES, secret_link

NAMES = ("Quincey", "Zebulon", "Ottoline")
RULES: dict[str, dict[str, int]] = {
    "nexus": {"players": 3},
    "nebuchadnezzar": {"size": 5},
    "nelaxtam": {"troops": 2, "sea": 1},
    "nardshir": {},
    "nibble": {},
}
_OWN = ("{secret}", "{change}", "{undo}", "{stop}", "{unwatch}", "{question}", "{invited}", "{opened}")
"""URLs of other things: a player's account, or another game."""
_OF_GAMES = {
    "actions", "analysis", "archive", "exports", "feeds", "game", "games", "live", "lobby", "mailboxes",
    "players", "public", "reporting", "variations", "watching",
}  # fmt: skip
"""The parts of the site with pages that show games, and so may differ for each game type."""
_SHOWING = ("show", "history", "moves", "verify", "say hello")
"""Commands whose answers show the game, and so may differ for each game type."""
_OTHER = (
    *("help", "note mine", "again", "zzz", "claim", "tell Blue, hello", "undo", "give 1d"),
    "report no manners",
)


FORBIDDING = {"mail my turn|every turn|never", "stop", "resign", "register NAME", "name NAME", "delete"}
"""Commands after which later answers contain less; they come last."""


every_game_type = pytest.mark.parametrize("game_type", RULES)


@pytest.fixture
def people(services: Services) -> list[Player]:
    """The players of the game, and Cleo, who does not play."""
    return [add_player(services, f"{name.lower()}@example.org", name) for name in (*NAMES, "Cleo")]


def started(services: Services, people: list[Player], game_type: str) -> int:
    """The number of an anonymous game that has begun."""
    number = open_game(services, people[0], game_type, anonymous="yes", **RULES[game_type])
    for player in people[1 : RULES[game_type].get("players", 2)]:
        write(services, player, f"join {number}")
    with reading(services.engine) as session:
        assert session.get_one(Game, number).state == "running"
    return number


def playing(services: Services, number: int) -> dict[int, Player]:
    """Return the players by seat."""
    with reading(services.engine) as session:
        return {seat.number: player for seat, player in log.seats(session, session.get_one(Game, number))}


def reply(services: Services, number: int, seat: int, text: str) -> list[Written]:
    with reading(services.engine) as session:
        turn = session.get_one(Game, number).turn
    token = services.tokens.write(ReplyToken(number, seat, turn))
    address = PLAY.replace("@", f"+{token}@")
    return receive(services, playing(services, number)[seat].email, address, text)


def move(services: Services, number: int) -> None:
    """Let every player who is to move play a move and send a message with it."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        rules, position = log.rules_of(game), log.position_of(game)
        written = {seat: rules.format(next(rules.moves(position, seat))) for seat in rules.to_move(position)}
    for seat, text in written.items():
        reply(services, number, seat, f"{text}\nsay a cold morning")


def named_in(text: str, own: str = "") -> list[str]:
    """Return the players who are named in a text, without its reader."""
    return [name for name in NAMES if name != own and re.search(name, text, re.IGNORECASE)]


def assert_nobody_is_named(mails: list[Written]) -> None:
    for mail in mails:
        own = mail.to.partition("@")[0].capitalize()
        assert not named_in(everything_in(mail), own), f"{mail.letter} to {mail.to}"


@pytest.mark.sample(1)
@every_game_type
def test_letters_show_no_names_before_the_end(services: Services, people: list[Player], game_type: str) -> None:
    mail_every_turn(services)
    number = started(services, people, game_type)
    seats = playing(services, number)
    write(services, people[-1], f"watch {number}")
    for _ in range(3):
        move(services, number)
        while WATCHERS.run_next(services.engine, services.sealer, services.now()):
            pass
    for seat in seats:
        for text in (*_SHOWING, *(_OTHER if game_type == "nexus" else ())):
            reply(services, number, seat, text)
    reply(services, number, 0, "draw")
    for player in people if game_type == "nexus" else ():
        for text in ("games", "status", "open", f"open {number}", "watch", f"watch {number}", "who Cleo"):
            write(services, player, text)
    found = [mail for mail in letters(services) if "welcome" not in mail.letter]
    assert {"report", "watched", "message", "history", "proof"} <= {mail.letter for mail in found}
    assert_nobody_is_named(found)
    assert all("anonymous" in str(mail.mail["Subject"]) for mail in found if mail.letter == "watched")


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(3))
def test_answers_to_commands_show_no_names(
    services: Services, clock: Clock, people: list[Player], part: int
) -> None:
    number = open_game(services, people[0], "nexus", players=3, anonymous="yes", time="none")
    for player in people[1:3]:
        write(services, player, f"join {number}")
    written = []
    for command in sorted(REPLY.help_by_usage(), key=lambda each: (each in FORBIDDING, each))[part::3]:
        clock.advance(days=1)
        written += reply(services, number, 0, GAME_MAILS[command])
    for command in sorted(PLAIN_WORDS.help_by_usage(), key=lambda each: (each in FORBIDDING, each))[part::3]:
        clock.advance(days=1)
        for player in (people[-1], playing(services, number)[1]):
            written += write(services, player, ACCOUNT_MAILS[command])
    with reading(services.engine) as session:
        assert session.get_one(Game, number).state == "running"
    assert {"refusal", "refusal_account"} <= {mail.letter for mail in written}
    assert 3 * len(written) > len(REPLY.help_by_usage()) + len(PLAIN_WORDS.help_by_usage())
    # Questions sent to people's own addresses are about their accounts; the creator of a tournament is public.
    others = ("change_asked", "tournaments")
    assert_nobody_is_named([mail for mail in written if mail.letter not in others])


def test_letters_show_no_names_before_the_start(services: Services, people: list[Player]) -> None:
    quincey, zebulon, ottoline, cleo = people
    written = [(quincey, "seek nexus players=4 anonymous=yes"), (zebulon, "join 1"), (ottoline, "join 1")]
    written += [(reader, text) for reader in (cleo, ottoline) for text in ("open", "open 1", "games")]
    written += [(ottoline, "start 1"), (zebulon, "leave 1"), (quincey, "leave 1")]
    found = [mail for player, text in written for mail in write(services, player, text)]
    assert {"open_game_changed", "open_game_closed", "start_asked", "open_games", "open_game"} <= {
        mail.letter for mail in found
    }
    assert_nobody_is_named(found)
    assert any(mail.mail["From"].startswith("Player 2 via Nabu") for mail in found)


def test_pages_with_games_are_known() -> None:
    parts = {page: page.split(".")[0] for page in PAGES}
    assert set(parts.values()) >= _OF_GAMES
    assert {parts[page] for page, address in PAGES.items() if "{game}" in address} <= _OF_GAMES


@pytest.mark.sample(1)
@every_game_type
def test_pages_show_no_names_before_the_end(
    app: Flask, services: Services, people: list[Player], game_type: str
) -> None:
    number = started(services, people, game_type)
    move(services, number)
    shared = secret_link(services, number, people[0]) if game_type == "nebuchadnezzar" else "x"
    seated = playing(services, number).values()
    readers = {player.name: logged_in(app, services, player) for player in (*seated, people[-1])}
    readers[""] = Browser(app)
    with writing(services.engine) as session:
        for player in people:
            session.get_one(Player, player.id).feed_key = f"the feed of {player.id}"
    feeds = {player.name: f"the feed of {player.id}" for player in people}
    for name, browser in readers.items():
        for address in _walked(game_type):
            answer = browser.get(address.format(game=number, link=shared, feed=feeds.get(name, "x")))
            seen = f"{answer.headers}{answer.get_data(as_text=False).decode(errors='replace')}"
            assert not named_in(seen, name), f"{address} for {name}"


def _walked(game_type: str) -> list[str]:
    """Return the URLs of all pages, or of those that may differ for each game type."""
    return [
        address
        for page, address in PAGES.items()
        if not any(each in address for each in _OWN)
        and (game_type == "nexus" or page.split(".")[0] in _OF_GAMES)
    ]


def test_pages_of_open_games_show_no_names(app: Flask, services: Services, people: list[Player]) -> None:
    number = open_game(services, people[0], "nexus", players=3, anonymous="yes")
    write(services, people[1], f"join {number}")
    for player in people:
        browser = logged_in(app, services, player)
        for address in ("/lobby", f"/games/{number}", "/games", "/games/1/start/3.svg", "/games/1/now"):
            answer = browser.get(address)
            assert answer.status_code == 200
            assert not named_in(answer.text, player.name), f"{address} for {player.name}"


def test_profiles_do_not_link_to_the_game(app: Flask, services: Services, people: list[Player]) -> None:
    number = started(services, people, "nibble")
    for browser in (logged_in(app, services, people[-1]), Browser(app)):
        for name in NAMES:
            for address in (f"/player/{name}", f"/archive?player={name}"):
                assert f"/games/{number}" not in browser.get(address).text
    assert f"Nibble {number}" not in write(services, people[-1], "who Quincey")[0].text


def test_log_has_no_names_before_the_end(services: Services, people: list[Player]) -> None:
    number = started(services, people, "nexus")
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        record = log.record(session, game)
        assert sorted(record.seats) == ["Player 1", "Player 2", "Player 3"]
        assert not named_in(record.to_json())
    assert verify(record.to_json()).wrong is None


@pytest.mark.sample(2)
@pytest.mark.parametrize("game_type", ["nexus", "nebuchadnezzar", "nardshir"])
def test_all_names_are_shown_at_the_end(
    app: Flask, services: Services, people: list[Player], game_type: str
) -> None:
    number = started(services, people, game_type)
    write(services, people[-1], f"watch {number}")
    for seat in range(1, len(playing(services, number))):
        last = reply(services, number, seat, "resign")
    seats = list(playing(services, number).values())
    names = [player.name for player in seats]
    reports = [mail for mail in last if mail.letter == "report"]
    assert {mail.to for mail in reports} == {player.email for player in seats}
    for mail in reports:
        assert f"The players were {names[0]} (" in mail.words
        assert all(name in mail.words for name in names)
    while WATCHERS.run_next(services.engine, services.sealer, services.now()):
        pass
    (watched,) = [mail for mail in letters(services) if mail.letter == "watched"]
    assert f"{names[0]} (" in watched.words
    with reading(services.engine) as session:
        record = log.record(session, session.get_one(Game, number))
    assert list(record.seats) == names
    assert verify(record.to_json()).wrong is None
    page = Browser(app).text(f"/games/{number}")
    assert all(name in page for name in names)
    assert f"/games/{number}" in Browser(app).get(f"/archive?player={names[0]}").text


def test_ignoring_a_player_reveals_nothing(services: Services, people: list[Player]) -> None:
    """If messages disappeared, a player who ignores others one by one would find out who wrote them."""
    number = started(services, people, "nexus")
    seats = playing(services, number)
    write(services, seats[1], f"ignore {seats[0].name}")
    write(services, seats[2], f"block {seats[0].name}")
    said = reply(services, number, 0, "say a silver spoon")
    assert {mail.to for mail in said if mail.letter == "message"} == {seats[1].email, seats[2].email}


def test_blocked_player_does_not_find_the_game(app: Flask, services: Services, people: list[Player]) -> None:
    """They get no refusal and do not see the game: otherwise they would learn who has blocked them."""
    quincey, zebulon, _, cleo = people
    write(services, quincey, "block Zebulon")
    open_game(services, quincey, "nibble", anonymous="yes")
    for command in ("open #", "join #", "leave #", "start #", "accept #", "decline #", "counter # time=1d"):
        there, missing = (
            write(services, zebulon, command.replace("#", str(number)))[0].words for number in (1, 77)
        )
        assert "no open game 1." in there or "not invited to game 1." in there
        assert re.sub(r"\b(1|77)\b", "", there) == re.sub(r"\b(1|77)\b", "", missing)
    browser = logged_in(app, services, zebulon)
    for address in ("/games/1", "/games/1/now", "/games/1/start/2.svg", "/games/1/moves.txt"):
        assert browser.get(address).status_code == 404
    assert "Nibble 1" not in browser.text("/lobby")
    for address in ("/games/1", "/games/1/now", "/games/1/start/2.svg"):
        assert Browser(app).get(address).status_code == 404
    assert "Nibble 1" not in Browser(app).text("/lobby")
    assert "Nibble 1" in logged_in(app, services, cleo).text("/lobby")
    write(services, cleo, "join 1")
    assert {player.name for player in playing(services, 1).values()} == {"Quincey", "Cleo"}


def test_blocking_one_player_after_the_other_reveals_nothing(
    app: Flask, services: Services, people: list[Player]
) -> None:
    """If the game disappeared for a player who blocks someone, it would reveal that this person plays in it."""
    quincey, zebulon, ottoline, cleo = people
    open_game(services, quincey, "nexus", players=4, anonymous="yes")
    write(services, zebulon, "join 1")
    readers = (quincey, zebulon, cleo)
    browsers = [logged_in(app, services, player) for player in readers]

    def seen() -> list[object]:
        pages = [browser.text(page) for browser in browsers for page in ("/lobby", "/games/1", "/games")]
        marks = [browser.get("/games/1/now").headers.get("ETag") for browser in browsers]
        mails = [write(services, each, text)[0].words for each in readers for text in ("open", "lobby 1")]
        return [pages, marks, mails]

    before = seen()
    blocked = [(cleo, "Quincey"), (cleo, "Zebulon"), (quincey, "Zebulon"), (zebulon, "Quincey")]
    for player, name in blocked:
        write(services, player, f"block {name}")
    assert seen() == before
    write(services, cleo, "join 1")
    write(services, ottoline, "join 1")
    assert {player.name for player in playing(services, 1).values()} == {*NAMES, "Cleo"}


def test_game_starts_with_fewer_even_if_players_block_each_other(
    services: Services, people: list[Player]
) -> None:
    quincey, zebulon, *_ = people
    open_game(services, quincey, "nexus", players=3, anonymous="yes")
    write(services, zebulon, "join 1")
    write(services, quincey, "block Zebulon")
    for player in (quincey, zebulon):
        write(services, player, "start 1")
    assert len(playing(services, 1)) == 2
    with reading(services.engine) as session:
        assert session.get_one(Game, 1).state == "running"


def test_email_of_another_player_does_not_reveal_their_seat(services: Services, people: list[Player]) -> None:
    """A player is asked about emails to their reply address that came from another player."""
    number = started(services, people, "nibble")
    seats = playing(services, number)
    token = services.tokens.write(ReplyToken(number, 0, 1))
    sent = {}
    for sender in (seats[1], people[-1]):
        (asked,) = receive(services, sender.email, PLAY.replace("@", f"+{token}@"), "resign")
        assert asked.letter == "asked"
        sent[sender.id] = asked.words.replace(sender.email, "…")
    one, other = (re.sub(r"[a-z2-7]{36}|\S*/yes/\S*", "", text) for text in sent.values())
    assert one == other


def test_greeting_by_name_reveals_nothing(services: Services, people: list[Player]) -> None:
    number = started(services, people, "nibble")
    words = set()
    for name in ("Quincey", "Zebulon", "Ottoline"):
        (answer,) = reply(services, number, 1, f"show\n{name}, thanks")
        words.add(answer.words.replace(name, "…"))
    assert len(words) == 1


@pytest.mark.parametrize("anonymous", ["yes", "no"])
def test_weekends_do_not_reveal_a_time_zone(services: Services, people: list[Player], anonymous: str) -> None:
    """A deadline that moves because of a weekend would show others the player's time zone."""
    due = set()
    for zone in ("Pacific/Kiritimati", "America/Los_Angeles"):
        for player in people[:2]:
            write(services, player, f"zone {zone}")
        number = open_game(services, people[0], "nibble", anonymous=anonymous, weekends="off", time="5d")
        write(services, people[1], f"join {number}")
        with reading(services.engine) as session:
            due |= {seat.deadline_at for seat, _ in log.seats(session, session.get_one(Game, number))}
    assert len(due - {None}) == (1 if anonymous == "yes" else 2)
    (told,) = write(
        services, people[2], f"open {open_game(services, people[0], anonymous=anonymous, weekends='off')}"
    )
    own = "each player's own time zone"
    assert f"Saturdays and Sundays, in {'UTC' if anonymous == 'yes' else own}." in told.words


def test_challenges_tournaments_and_series_cannot_be_anonymous(
    app: Flask, services: Services, people: list[Player]
) -> None:
    refused = write(services, people[0], "challenge Zebulon nibble anonymous=yes")
    assert [mail.letter for mail in refused] == ["refusal_account"]
    assert "Open the game to all players: seek nibble anonymous=yes" in refused[0].words
    refused = write(services, people[0], "tournament Cup nibble anonymous=yes")
    assert "its games cannot be anonymous" in refused[0].words
    refused = write(services, people[0], "seek nibble anonymous=yes games=3")
    assert "A series cannot be anonymous" in refused[0].words
    page = logged_in(app, services, people[0]).send("/games/new/nibble", opponents="Zebulon", anonymous="on")
    assert "A challenge cannot be anonymous" in readable(page)
    with reading(services.engine) as session:
        assert session.exec(select(Game)).all() == []


def test_form_offers_anonymous_games(app: Flask, services: Services, people: list[Player]) -> None:
    logged_in(app, services, people[0]).send("/games/new/nibble", whom="anyone", anonymous="on")
    with reading(services.engine) as session:
        assert session.exec(select(Game)).one().anonymous


def test_rematch_is_a_challenge_by_name(services: Services, people: list[Player]) -> None:
    number = started(services, people, "nibble")
    reply(services, number, 0, "resign")
    sent = reply(services, number, 1, "rematch")
    assert "invitation" in {mail.letter for mail in sent}
    with reading(services.engine) as session:
        assert not session.get_one(Game, number + 1).anonymous
