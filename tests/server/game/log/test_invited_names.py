"""A challenge to an address does not reveal whether it belongs to a player, nor the player's name."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask import Flask
from sqlmodel import select

from server.accounts import players
from server.game.lobby import challenges
from server.game.lobby.challenge_checks import MOST_TO_ADDRESS, MOST_TO_PLAYER
from server.game.log import log
from server.game.log.display_names import SOMEBODY
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, letters, write
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in

ADDRESS = {"known": "walter@world.test", "unknown": "verena@world.test"}
NAME = "Gustav"
TRIPLE = "nexus players=3"
"""A game for Ann, a player invited by name, and one invited by address."""


@pytest.fixture
def gustav(services: Services) -> Player:
    """A player whose address Ann knows, but not the name."""
    return add_player(services, ADDRESS["known"], NAME)


def newest(services: Services) -> int:
    with reading(services.engine) as session:
        return max((game.id or 0 for game in session.exec(select(Game))), default=0)


def masked(text: str, number: int) -> str:
    """Return a text without parts that always differ: address, number of the game, hash and tokens."""
    for address in ADDRESS.values():
        text = re.sub(f"(?i){address.replace('@', '(@|%40)')}", "ADDRESS", text)
    text = re.sub(rf"(?i)(rabauken|nibble|games?|accept|cancel|decline)( |/|%20){number}\b", "NUMBER", text)
    text = re.sub(r"play(\+|%2B)[a-z2-7]+@", "TOKEN", text)
    return re.sub(r"\b([0-9a-f]{8,}\s*)+", "HASH", text)


def seen(services: Services, app: Flask, ann: Player, after: Callable[[str], object]) -> list[list[str]]:
    """Return the texts that Ann, Ben and visitors see of a game for three, for each address."""
    worlds = []
    for address in ADDRESS.values():
        before = len(letters(services))
        write(services, "ann@example.org", f"challenge Ben, {address} {TRIPLE}")
        number = newest(services)
        after(address)
        mails = [mail for mail in letters(services, before) if mail.to != address]
        pages = [browser.text(f"/games/{number}") for browser in (Browser(app), logged_in(app, services, ann))]
        texts = [f"{mail.to} {mail.mail['Subject']} {mail.text} {mail.html}" for mail in mails]
        listed = masked(logged_in(app, services, ann).text("/games"), number)
        row = re.search(r"NUMBER.*?(?=NEXUS|Finished|You have no|Search all)", listed)
        worlds.append([masked(text, number) for text in (*texts, *pages)] + [row[0] if row else ""])
    return worlds


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("done", ["nothing", "ben accepts", "ben declines", "he declines", "ann takes it back"])
def test_challenge_to_an_address_does_not_reveal_its_owner(
    services: Services, app: Flask, ann: Player, ben: Player, gustav: Player, done: str
) -> None:
    def act(address: str) -> None:
        doers = {"ben": "ben@example.org", "he": address, "ann": "ann@example.org"}
        who, _, what = done.partition(" ")
        if who in doers:
            write(services, doers[who], f"{'accept' if what == 'accepts' else 'decline'} {newest(services)}")

    known, unknown = seen(services, app, ann, act)
    assert len(known) >= 5
    assert "ADDRESS" in known[-1]
    assert known == unknown
    assert not [text for text in known if NAME in text or "Guest" in text or "walter" in text.lower()]
    told_ben = [text for text in known if text.startswith("ben@example.org")]
    assert all("ADDRESS" not in text and SOMEBODY in text for text in told_ben if "invites you" in text)


def test_players_who_accept_are_shown_by_name(services: Services, ann: Player, gustav: Player) -> None:
    for address, name in ((ADDRESS["known"], NAME), (ADDRESS["unknown"], "Guest")):
        write(services, "ann@example.org", f"challenge {address} nibble")
        begun = write(services, address, f"accept {newest(services)}")
        assert {mail.letter for mail in begun} == {"report"}
        assert all(f": Ann - {name}" in str(mail.mail["Subject"]) for mail in begun)
        assert not [mail for mail in begun if address in mail.text.replace(f"To: {address}", "")]
        with reading(services.engine) as session:
            assert {seat.invited_as for seat in session.exec(select(Seat))} == {""}


def test_invitation_says_under_which_name_a_stranger_will_play(services: Services, ann: Player) -> None:
    (invitation,) = (
        mail
        for mail in write(services, "ann@example.org", f"challenge {ADDRESS['unknown']} nibble")
        if mail.letter == "invitation"
    )
    assert "the others will see you as Guest; they never see your address" in invitation.words
    write(services, ADDRESS["unknown"], "name Stranger")
    begun = write(services, ADDRESS["unknown"], "accept 1")
    assert "Ann - Stranger" in str(begun[-1].mail["Subject"])


@pytest.mark.parametrize("refusal", ["limit", "stopped", "twice", "himself"])
def test_refusals_do_not_reveal_the_owner_of_an_address(
    services: Services, ann: Player, gustav: Player, refusal: str
) -> None:
    answers = []
    for address in ADDRESS.values():
        lines = {
            "limit": [f"challenge {address} nibble"],
            "stopped": [f"challenge {address} nibble"],
            "twice": [f"challenge {address}, {address.upper()} {TRIPLE}"],
            "himself": [f"challenge {address}, ann@example.org {TRIPLE}"],
        }[refusal]
        if refusal == "stopped":
            write(services, address, "stop")
        if refusal == "limit":
            for _ in range(MOST_TO_ADDRESS):
                write(services, "ann@example.org", *lines)
        answer = write(services, "ann@example.org", *lines)
        assert [mail.letter for mail in answer] == ["refusal_account"]
        answers.append(masked(answer[0].text, newest(services)))
    assert answers[0] == answers[1]
    assert NAME not in answers[0]


def test_limit_of_challenges_to_a_name_does_not_apply_to_the_address(
    services: Services, ann: Player, gustav: Player
) -> None:
    """A player who has reached the limit for a name can still write to the address, as to another's."""
    for _ in range(MOST_TO_PLAYER):
        write(services, "ann@example.org", f"challenge {NAME} nibble")
    assert "already" not in write(services, "ann@example.org", f"challenge {ADDRESS['known']} nibble")[0].text


def test_name_and_address_of_one_player_look_like_two_players(
    services: Services, ann: Player, gustav: Player
) -> None:
    """Otherwise two lines would reveal whose address it is. The game never starts, as without an answer."""
    sent = write(services, "ann@example.org", f"challenge {NAME}, {ADDRESS['known']} {TRIPLE}")
    assert sorted(mail.letter for mail in sent) == ["challenge_sent", "invitation"]
    number = newest(services)
    accepted = write(services, ADDRESS["known"], f"accept {number}")
    assert {mail.letter for mail in accepted} == {"accepted"}
    told = write(services, "ann@example.org", "games")[0]
    assert f"Still to answer: {ADDRESS['known']}." in told.words
    assert f"Ann - {NAME} - {ADDRESS['known']}" in told.words
    taken_back = write(services, "ann@example.org", f"decline {number}")
    assert sorted(mail.letter for mail in taken_back) == ["declined", "declined_by_you"]


def test_invited_stranger_cannot_be_found_by_name(services: Services, ann: Player, ben: Player) -> None:
    write(services, "ann@example.org", f"challenge {ADDRESS['unknown']} nibble")
    (answer,) = write(services, "ben@example.org", "challenge Guest nibble")
    assert "There is no player called “Guest”." in answer.words


def test_record_before_the_start_does_not_name_the_invited_player(
    services: Services, ann: Player, gustav: Player
) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        invited = challenges.opponents(action, ADDRESS["known"], PLAY)
        challenger = players.by_name(session, "Ann")
        assert challenger is not None
        game = challenges.challenge(action, challenger, invited, "nibble", {})
        assert log.record(session, game).seats == ("Ann", SOMEBODY)
