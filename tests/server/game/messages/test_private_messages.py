"""A message to one of several players is hidden from the others."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from flask import Flask

from server.errors import BadRequest
from server.game.log import log
from server.game.messages import messages
from server.game.views import history, read_markers, versions
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.emails import letters, receive
from tests.support.server.games import begin
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in, readable

PEOPLE = ("ben@example.org", "cleo@example.org")
SECRET = "Shall we both go north?"


class Trio:
    """Ann, Ben and Cleo in a game of NEXUS, each with a browser."""

    def __init__(self, app: Flask, services: Services, *people: Player) -> None:
        self.services = services
        self.number = begin(services, "nexus", *people, players=3)
        self.address = f"/games/{self.number}"
        self.browsers = {player.name: logged_in(app, services, player) for player in people}
        with reading(services.engine) as session:
            seated = log.seats(session, session.get_one(Game, self.number))
            self.seats = {player.name: seat.number for seat, player in seated}

    def reply_address(self, name: str) -> str:
        """Return the reply address of a player's last email about the game."""
        of_game = [each for each in letters(self.services) if each.letter in ("report", "message")]
        mine = [each for each in of_game if each.to == f"{name.lower()}@example.org"]
        return str(mine[-1].mail["Reply-To"])

    def write(self, name: str, text: str) -> list[str]:
        """Reply to a player's last email; return the letters that this causes, and their receivers."""
        caused = receive(self.services, f"{name.lower()}@example.org", self.reply_address(name), text)
        return [f"{each.letter} {each.to.partition('@')[0]}" for each in caused]

    def heard(self, name: str) -> list[str]:
        """Return all messages that a player can read."""
        with reading(self.services.engine) as session:
            game = session.get_one(Game, self.number)
            views = history.messages_of(session, self.services.sealer, game, ["?"] * 3, self.seats[name])
            return [view.text for view in views]


@pytest.fixture
def trio(app: Flask, services: Services, ann: Player, ben: Player) -> Trio:
    return Trio(app, services, ann, ben, add_player(services, "cleo@example.org", "Cleo"))


def test_private_message_by_email_goes_to_the_named_player(trio: Trio) -> None:
    assert trio.write("Ann", f"tell Ben: {SECRET}\nIt would be wise.") == ["message ben"]
    mail = letters(trio.services)[-1]
    assert "says only to you:" in mail.words
    assert f"{SECRET} | It would be wise." in mail.words
    assert "begins with “tell Ann”" in mail.words
    assert trio.write("Ben", "tell ann, agreed") == ["message ann"]
    assert trio.heard("Ann") == trio.heard("Ben") == [f"{SECRET}\nIt would be wise.", "agreed"]


def test_colour_names_a_player(trio: Trio) -> None:
    with reading(trio.services.engine) as session:
        game = session.get_one(Game, trio.number)
        colour = log.rules_of(game).seats(game.options)[trio.seats["Cleo"]]
    assert trio.write("Ann", f"tell {colour.lower()} {SECRET}") == ["message cleo"]


def test_page_offers_a_choice_of_receivers(trio: Trio) -> None:
    ann = trio.browsers["Ann"]
    assert ">only " in ann.get(trio.address).text
    ann.send(f"{trio.address}/say", text=SECRET, to=str(trio.seats["Ben"]))
    assert "You to Ben" in ann.text(trio.address)
    assert "to you alone, turn 1" in trio.browsers["Ben"].text(trio.address)
    assert ann.send(f"{trio.address}/say", text=SECRET, to=str(trio.seats["Ann"])).status_code == 403
    assert trio.heard("Ann") == [SECRET]


def test_others_do_not_see_a_private_message(app: Flask, trio: Trio) -> None:
    looks = [
        (trio.browsers["Cleo"], trio.address),
        (trio.browsers["Cleo"], "/games"),
        (Browser(app), trio.address),
    ]

    def seen_by_others() -> list[object]:
        with reading(trio.services.engine) as session:
            cleo = session.get_one(Seat, (trio.number, trio.seats["Cleo"])).player_id
            shown: list[object] = [read_markers.unread(session, cleo, [trio.number])]
            shown += [
                versions.game_version(session, trio.number, cleo, 1),
                versions.lists_version(session, cleo, 1),
            ]
        texts = [browser.text(address) for browser, address in looks]
        return [*shown, *texts, trio.heard("Cleo")]

    before = seen_by_others()
    trio.write("Ann", f"tell Ben {SECRET}")
    assert seen_by_others() == before
    assert not [
        each for each in letters(trio.services) if each.to == "cleo@example.org" and SECRET in each.words
    ]


def test_deferred_private_message_is_reported_to_its_receiver(trio: Trio) -> None:
    for name in ("Ben", "Cleo"):
        trio.write(name, "mute 2d")
    trio.write("Ann", f"tell Ben {SECRET}")
    for name in ("Ben", "Cleo"):
        trio.write(name, "mute off")
    told = {who: " ".join(each.words for each in letters(trio.services) if each.to == who) for who in PEOPLE}
    assert f"(only to you) says: | {SECRET}" in told["ben@example.org"]
    assert SECRET not in told["cleo@example.org"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("tell Dora hello", "“Dora hello” does not begin with the name of another player in this game."),
        ("tell Ann hello", "does not begin with the name of another player in this game."),
        ("tell Ben", "The message after “Ben” is missing. Write: tell Ben TEXT"),
        ("tell", "does not begin with the name of another player in this game."),
    ],
)
def test_invalid_private_message_is_refused(trio: Trio, text: str, answer: str) -> None:
    assert trio.write("Ann", text) == ["refusal ann"]
    assert answer in letters(trio.services)[-1].words
    assert trio.heard("Ann") == []


def addressed(services: Services, writer: Player, others: Sequence[Player], text: str) -> tuple[str, str]:
    """Return the name of the player to whom `writer` says a text in a new game, and the message."""
    number = begin(services, "nexus", writer, *others, players=3)
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        seated = log.seats(session, game)
        own = next(seat.number for seat, player in seated if player.name == writer.name)
        to, said = messages.addressed(game, seated, own, text)
        return next(player.name for seat, player in seated if seat.number == to), said


@pytest.mark.parametrize("name", ["karl", "Karl Huber"])
def test_first_name_of_only_one_player_is_enough(
    services: Services, ann: Player, ben: Player, name: str
) -> None:
    karl = add_player(services, "karl@example.org", "Karl Huber")
    told = addressed(services, ann, [ben, karl], f"{name} that I am late")
    assert told == ("Karl Huber", "that I am late")


@pytest.mark.parametrize(("text", "told"), [("ben lee: hi", ("Ben Lee", "hi")), ("Ben: Lee?", ("Ben", "Lee?"))])
def test_longest_name_that_fits_is_meant(
    services: Services, ann: Player, ben: Player, text: str, told: tuple[str, str]
) -> None:
    lee = add_player(services, "lee@example.org", "Ben Lee")
    assert addressed(services, ann, [ben, lee], text) == told


def test_name_that_two_players_begin_with_is_refused_with_whole_words(services: Services, ann: Player) -> None:
    others = [
        add_player(services, f"karl{n}@example.org", f"Karl {name}")
        for n, name in enumerate(("Huber", "Maier"))
    ]
    with pytest.raises(BadRequest) as problem:
        addressed(services, ann, others, "Karl that I will be late because of my grandmother's birthday")
    sentence, _, ways = str(problem.value).partition(" Write: ")
    assert sentence == (
        "“Karl that I will be late because of my grandmother's…” does not begin with the name of another "
        "player in this game."
    )
    assert set(ways.split(", ")) == {"tell Karl Huber TEXT", "tell Karl Maier TEXT"}, "in the order of seats"


def test_private_message_between_two_players_is_an_ordinary_one(
    services: Services, ann: Player, ben: Player
) -> None:
    number = begin(services, "nibble", ann, ben)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        messages.tell(action, session.get_one(Game, number), 0, 1, "Good luck!")
    assert " says: " in letters(services)[-1].words


def test_number_of_messages_and_notes_in_a_game_is_limited(trio: Trio) -> None:
    with writing(trio.services.engine) as session:
        action = ActionContext(session, trio.services.sealer, trio.services.now())
        for _ in range(messages.MOST_SAID):
            messages.keep(action, session.get_one(Game, trio.number), trio.seats["Ann"], "Again!", private=True)
    assert trio.write("Ann", "say Hello!") == ["refusal ann"]
    answer = trio.browsers["Ann"].send(f"{trio.address}/say", text="All of this is lost?")
    assert answer.status_code == 422
    assert "You have written 100 messages and notes in this game within a day." in readable(answer)
    assert "All of this is lost?" in answer.text
    assert sorted(trio.write("Ben", "say Hello!")) == ["message ann", "message cleo"]


@pytest.mark.parametrize(("seconds", "told"), [(-1, ["refusal ann"]), (0, ["message ben", "message cleo"])])
def test_limit_of_messages_ends_after_a_day(trio: Trio, clock: Clock, seconds: int, told: list[str]) -> None:
    with writing(trio.services.engine) as session:
        action = ActionContext(session, trio.services.sealer, trio.services.now())
        for _ in range(messages.MOST_SAID):
            messages.keep(action, session.get_one(Game, trio.number), trio.seats["Ann"], "Again!", private=True)
    clock.advance(days=1, seconds=seconds)
    assert sorted(trio.write("Ann", "say Hello!")) == told
