"""Recurring open games: they open again while fewer than a certain number are running."""

from __future__ import annotations

import pytest
from sqlmodel import col, select

from server.accounts import players
from server.game.leaving.account_deletion import delete_account
from server.game.lobby.upkeep import command_for
from server.game.log import log
from server.jobs.table import REOPENING
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.server.emails import PLAY, Written, receive
from tests.support.server.players import add_player


class Offer:
    """Ann's recurring open game."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def write(self, name: str, text: str) -> list[Written]:
        """Send an email to the plain address."""
        return receive(self.services, f"{name}@example.org", PLAY, text)

    def resign(self, number: int) -> None:
        """Resign as Ann's opponent."""
        with reading(self.services.engine) as session:
            seated = log.seats(session, session.get_one(Game, number))
            seat, email = next((seat.number, other.email) for seat, other in seated if other.name != "Ann")
        token = self.services.tokens.write(ReplyToken(number, seat, 1))
        receive(self.services, email, f"play+{token}@games.example.org", "resign")

    def reopen(self) -> None:
        """Run the job of the worker."""
        while REOPENING.run_next(self.services.engine, self.services.sealer, self.services.now()):
            pass

    def states(self) -> list[str]:
        """Return the states of all games, oldest first."""
        with reading(self.services.engine) as session:
            return list(session.exec(select(Game.state).order_by(col(Game.id))))


@pytest.fixture
def offer(services: Services, ann: Player, ben: Player) -> Offer:
    """A recurring open game of Ann for two running games."""
    add_player(services, "cleo@example.org", "Cleo")
    offer = Offer(services)
    offer.write("ann", "seek nibble time=1d rated=off always=2")
    return offer


def test_recurring_open_game_is_announced(offer: Offer) -> None:
    assert "at most two of these running at a time" in offer.write("ben", "lobby 1")[0].words
    assert "Recurring: at most two running at a time." in offer.write("ben", "lobby")[0].words


@pytest.mark.both
def test_game_opens_again_until_enough_are_running(offer: Offer) -> None:
    begun = offer.write("ben", "join 1")
    mine = next(letter for letter in begun if letter.to == "ann@example.org")
    assert "This game is recurring: Nabu keeps one open for you, with at most two of these" in mine.words
    assert "leave 1" in mine.words
    assert all("always up" not in letter.words for letter in begun if letter is not mine)
    offer.reopen()
    assert offer.states() == ["running", "open"]
    with reading(offer.services.engine) as session:
        first, second = (session.get_one(Game, number) for number in (1, 2))
        assert (second.game_type, second.options, second.terms) == (first.game_type, first.options, first.terms)
        assert (second.asked, second.seed_hash != first.seed_hash) == ([first.asked[0]], True)
    offer.write("cleo", "join 2")
    offer.reopen()
    assert offer.states() == ["running", "running"]
    offer.resign(1)
    offer.reopen()
    assert offer.states() == ["over", "running", "open"]
    offer.reopen()
    assert offer.states() == ["over", "running", "open"]


def test_game_that_started_with_fewer_opens_with_all_seats_again(offer: Offer) -> None:
    offer.write("ben", "seek nexus players=3 always=1")
    offer.write("cleo", "join 2")
    offer.write("cleo", "start 2")
    offer.write("ben", "start 2")
    with reading(offer.services.engine) as session:
        seated = log.seats(session, session.get_one(Game, 2))
        seat = next(seat.number for seat, other in seated if other.name == "Cleo")
    token = offer.services.tokens.write(ReplyToken(2, seat, 1))
    receive(offer.services, "cleo@example.org", f"play+{token}@games.example.org", "resign")
    offer.reopen()
    with reading(offer.services.engine) as session:
        assert (session.get_one(Game, 3).state, session.get_one(Game, 3).options["players"]) == ("open", 3)


def test_entry_conditions_are_kept(offer: Offer) -> None:
    offer.write("ann", "seek nibble always=2 in-time=50")
    offer.write("cleo", "join 2")
    offer.reopen()
    with reading(offer.services.engine) as session:
        assert session.get_one(Game, 3).wanted == {"in-time": "50"}


def test_closing_the_open_game_ends_the_recurring_game(offer: Offer) -> None:
    offer.write("ben", "join 1")
    offer.reopen()
    (answer,) = offer.write("ann", "leave 2")
    assert "You have left game 2; it is no longer open." in answer.words
    offer.resign(1)
    offer.reopen()
    assert offer.states() == ["over", "closed"]


def test_leave_with_the_number_of_a_running_game_ends_the_recurring_game(offer: Offer) -> None:
    for number, name in ((1, "ben"), (2, "cleo")):
        offer.write(name, f"join {number}")
        offer.reopen()
    (refused,) = offer.write("ben", "leave 1")
    assert "Game 1 has already started." in refused.words
    (answer,) = offer.write("ann", "leave 1")
    assert "Games like game 1 are no longer offered. Games that have started continue." in answer.words
    offer.resign(1)
    offer.reopen()
    assert offer.states() == ["over", "running"]
    (refused,) = offer.write("ann", "leave 2")
    assert "Game 2 has already started." in refused.words


def test_leave_with_the_number_of_an_earlier_game_closes_the_open_one(offer: Offer) -> None:
    offer.write("ben", "join 1")
    offer.reopen()
    offer.write("ann", "leave 1")
    assert offer.states() == ["running", "closed"]


@pytest.mark.sample(2)
@pytest.mark.parametrize("way", ["stop", "suspension", "deletion"])
def test_stop_suspension_or_deletion_ends_the_recurring_game(offer: Offer, way: str, ann: Player) -> None:
    offer.write("ben", "join 1")
    with writing(offer.services.engine) as session:
        action, player = (
            ActionContext(session, offer.services.sealer, offer.services.now()),
            session.get_one(Player, ann.id),
        )
        if way == "stop":
            players.want_nothing(action, player)
        elif way == "suspension":
            player.suspended_at = action.now
        else:
            delete_account(action, player)
    offer.reopen()
    assert offer.states() == ["over" if way == "deletion" else "running"]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("seek nibble always=11", "“always” must be a number from 1 to 10, not 11."),
        (
            "seek nibble always=2 anonymous=on",
            "A recurring game cannot be anonymous, because its first game reveals who opened it.",
        ),
        ("seek nibble always=on", "“always” must be a number from 1 to 10, not on."),
        (
            "challenge Ben nibble always=2",
            "“always” makes an open game recurring, and only works with seek.",
        ),
    ],
)
def test_invalid_uses_of_always_are_refused(offer: Offer, text: str, sentence: str) -> None:
    (answer,) = offer.write("ann", text)
    assert sentence in answer.words


def test_number_of_open_games_is_limited(offer: Offer) -> None:
    offer.write("ben", "join 1")
    for _ in range(2):
        offer.write("ann", "\n".join(["seek nibble"] * 5))
    offer.reopen()
    assert offer.states().count("open") == 10
    offer.write("ann", "leave 2")
    offer.services.now.advance(hours=2)  # type: ignore[attr-defined]
    offer.reopen()
    assert offer.states()[-1] == "open"


def test_command_to_open_the_game_again_contains_its_options(offer: Offer) -> None:
    with reading(offer.services.engine) as session:
        assert command_for(session.get_one(Game, 1)) == "seek nibble time=1d rated=off always=2"
