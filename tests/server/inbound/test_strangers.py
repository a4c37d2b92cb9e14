"""Strangers, who know only the content of Nabu's emails: each plays within three emails."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import parseaddr

import pytest
from sqlmodel import select

from server.game.terms.terms import is_guided
from server.processes.services import Services
from server.settings import Settings
from server.store.db import reading
from server.store.models import Game, Player, Seat
from tests.support.server.emails import PLAY, Written, receive, write
from tests.support.server.services import settings_for
from tests.support.server.tournaments import run_due_jobs

MOST = 3


@dataclass(frozen=True)
class Stranger:
    """A stranger: the sender of their emails, and the texts, each of which answers the last email from Nabu."""

    sender: str
    texts: tuple[str, ...]
    opponent: str = ""
    """The address of the person who gets an invitation and accepts it; "" for a game against the computer."""

    @property
    def email(self) -> str:
        return parseaddr(self.sender)[1]


ROB = "rob@world.example"
BEN = "ben@example.org"
STRANGERS = {
    "a chess player": Stranger(
        "Viktor Lang <viktor@world.example>",
        (
            "Hello,\n\nI have played correspondence chess for thirty years and a colleague told me about your "
            "server. I would like to try one of your games. How do I start?\n\nKind regards\nViktor Lang",
            "yes",
            "I'd like to play Nexus against a computer of medium strength first.",
        ),
    ),
    "a friend of Ben's": Stranger(
        "Mia <mia@world.example>",
        (
            "Hi! Ben told me you can play Nibble here with him. How do I join? Thanks, Mia",
            "Yes!",
            "Nibble with Ben please",
        ),
        BEN,
    ),
    "a German": Stranger(
        "Jörg Weiß <joerg@world.example>",
        (
            "Hallo,\n\nich würde gerne mitspielen. Was muss ich tun?\n\nViele Grüße\nJörg",
            "Ja, gerne",
            "Ich möchte Nibble gegen den Computer spielen.",
        ),
    ),
    "a person with a phone": Stranger(
        "dani@world.example",
        (
            "wanna play nibble\n\nSent from my iPhone",
            "Register Dani\n\nSent from my iPhone",
            "Nibble vs computer\n\nSent from my iPhone",
        ),
    ),
    "a careful reader": Stranger(
        "Otto <otto@world.example>",
        (
            "register Otto",
            "Dear Nabu,\n\nthank you. How long may a move take if I challenge somebody? I would like a week "
            "per move.\n\nOtto",
            "challenge Ben to nibble, a week per move",
        ),
        BEN,
    ),
    "a person with a question": Stranger(
        "Nora <nora@world.example>",
        (
            "register Nora",
            "Thanks! Can I play against real people, not just the computer?",
            "challenge Ben nibble",
        ),
        BEN,
    ),
    "a wife": Stranger(
        "Sue Hill <sue@world.example>",
        (
            "Hello, I'd like to play a game against my husband, his address is rob@world.example. Can you set "
            "that up please?\n\nSue",
            "Yes please.",
            "I'd like to play nibble against my husband, rob@world.example",
        ),
        ROB,
    ),
}
ENTRANT = Stranger(
    "Karl <karl@world.example>",
    (
        "Good evening,\nI would like to enter a tournament. Which ones are open?\nKarl",
        "yes",
        "I'd like to join tournament 1",
    ),
)


@pytest.fixture(params=["false", "true"], ids=["no first game", "a first game"])
def settings(database_url: str, request: pytest.FixtureRequest) -> Settings:
    """Settings with and without a guided game for each new player."""
    return settings_for(database_url, first_game=request.param)


@pytest.mark.parametrize("stranger", STRANGERS.values(), ids=STRANGERS)
def test_stranger_plays_within_three_emails(services: Services, ben: Player, stranger: Stranger) -> None:
    assert len(stranger.texts) <= MOST
    caused = converse(services, stranger)
    if stranger.opponent:
        (invitation,) = (each for each in caused if each.letter == "invitation")
        assert invitation.to == stranger.opponent
        receive(services, stranger.opponent, str(invitation.mail["Reply-To"]), "accept")
    assert plays(services, stranger)


def test_stranger_enters_a_tournament_within_three_emails(services: Services, ben: Player) -> None:
    write(services, ben, "tournament Spring Cup nibble format=swiss")
    write(services, ben, "join tournament 1")
    for name in ("Ann", "Cleo"):
        write(services, name, f"register {name}", "join tournament 1")
    converse(services, ENTRANT)
    write(services, ben, "start tournament 1")
    run_due_jobs(services)
    assert plays(services, ENTRANT)


def converse(services: Services, stranger: Stranger) -> list[Written]:
    """Send the emails of a stranger; return the letters that the last one causes."""
    to, fields, caused = PLAY, "", list[Written]()
    for text in stranger.texts:
        caused = receive(services, stranger.sender, to, text.replace("\n", "\r\n"), fields)
        answers = [each for each in caused if each.to == stranger.email]
        assert answers, f"no answer: {text}"
        to, fields = str(answers[-1].mail["Reply-To"]), f"In-Reply-To: {answers[-1].mail['Message-ID']}\r\n"
    return caused


def plays(services: Services, stranger: Stranger) -> bool:
    """Return whether a stranger plays a running game, besides the guided one."""
    with reading(services.engine) as session:
        own = (
            select(Game).join(Seat).join(Player).where(Player.email == stranger.email, Game.state == "running")
        )
        return not all(is_guided(game.terms) for game in session.exec(own))
