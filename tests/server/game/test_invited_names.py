"""Who challenges an address learns nothing about it: neither whether it is a player's, nor his name."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask import Flask
from sqlmodel import select

from server.accounts import players
from server.game import lobby, log
from server.game.invited import SOMEBODY
from server.game.limits import MOST_TO_ADDRESS, MOST_TO_PLAYER
from server.processes.services import Office
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.outbox import Post
from tests.server.browsers import Browser, add_player, logged_in
from tests.server.written import Written, letters, receive

PLAY = "play@games.example.org"
ADDRESS = {"known": "walter@world.test", "unknown": "verena@world.test"}
NAME = "Gustav"
TRIPLE = "nexus players=3"
"""A game for Ann, somebody invited by his name, and somebody invited by his address."""


@pytest.fixture
def gustav(office: Office) -> Player:
    """The player whose address Ann knows, and not his name."""
    return add_player(office, ADDRESS["known"], NAME)


def write(office: Office, sender: str, *lines: str) -> list[Written]:
    return receive(office, sender, PLAY, "\n".join(lines))


def newest(office: Office) -> int:
    with reading(office.engine) as session:
        return max((game.id or 0 for game in session.exec(select(Game))), default=0)


def masked(text: str, number: int) -> str:
    """A text without what is another one each time: address, number of the game, hash and tokens."""
    for address in ADDRESS.values():
        text = re.sub(f"(?i){address.replace('@', '(@|%40)')}", "ADDRESS", text)
    text = re.sub(rf"(?i)(rabauken|nibble|games?|accept|decline)( |/|%20){number}\b", "NUMBER", text)
    text = re.sub(r"play(\+|%2B)[a-z2-7]+@", "TOKEN", text)
    return re.sub(r"\b([0-9a-f]{8,}\s*)+", "HASH", text)


def seen(office: Office, app: Flask, ann: Player, after: Callable[[str], object]) -> list[list[str]]:
    """What Ann, Ben and anybody are shown of a game for three with each address, when something was done."""
    worlds = []
    for address in ADDRESS.values():
        before = len(letters(office))
        write(office, "ann@example.org", f"challenge Ben, {address} {TRIPLE}")
        number = newest(office)
        after(address)
        mails = [mail for mail in letters(office, before) if mail.to != address]
        pages = [browser.text(f"/games/{number}") for browser in (Browser(app), logged_in(app, office, ann))]
        texts = [f"{mail.to} {mail.mail['Subject']} {mail.text} {mail.html}" for mail in mails]
        listed = masked(logged_in(app, office, ann).text("/games"), number)
        row = re.search(r"NUMBER.*?(?=NEXUS|Finished|Nabu,)", listed)
        worlds.append([masked(text, number) for text in (*texts, *pages)] + [row[0] if row else ""])
    return worlds


@pytest.mark.parametrize("done", ["nothing", "ben accepts", "ben declines", "he declines", "ann takes it back"])
def test_a_challenge_tells_the_same_of_both(
    office: Office, app: Flask, ann: Player, ben: Player, gustav: Player, done: str
) -> None:
    def act(address: str) -> None:
        doers = {"ben": "ben@example.org", "he": address, "ann": "ann@example.org"}
        who, _, what = done.partition(" ")
        if who in doers:
            write(office, doers[who], f"{'accept' if what == 'accepts' else 'decline'} {newest(office)}")

    known, unknown = seen(office, app, ann, act)
    assert len(known) >= 5
    assert "ADDRESS" in known[-1]
    assert known == unknown
    assert not [text for text in known if NAME in text or "Guest" in text or "walter" in text.lower()]
    told_ben = [text for text in known if text.startswith("ben@example.org")]
    assert all("ADDRESS" not in text and SOMEBODY in text for text in told_ben if "invites you" in text)


def test_when_he_has_accepted_he_has_a_name(office: Office, ann: Player, gustav: Player) -> None:
    for address, name in ((ADDRESS["known"], NAME), (ADDRESS["unknown"], "Guest")):
        write(office, "ann@example.org", f"challenge {address} nibble")
        begun = write(office, address, f"accept {newest(office)}")
        assert {mail.letter for mail in begun} == {"report"}
        assert all(f": Ann - {name}" in str(mail.mail["Subject"]) for mail in begun)
        assert not [mail for mail in begun if address in mail.text.replace(f"To: {address}", "")]
        with reading(office.engine) as session:
            assert {seat.invited_as for seat in session.exec(select(Seat))} == {""}


def test_an_invited_stranger_is_told_what_he_will_be_called(office: Office, ann: Player) -> None:
    (invitation,) = (
        mail
        for mail in write(office, "ann@example.org", f"challenge {ADDRESS['unknown']} nibble")
        if mail.letter == "invitation"
    )
    assert "the others see you as Guest, and never your address" in invitation.words
    write(office, ADDRESS["unknown"], "name Stranger")
    begun = write(office, ADDRESS["unknown"], "accept 1")
    assert "Ann - Stranger" in str(begun[-1].mail["Subject"])


@pytest.mark.parametrize("refusal", ["limit", "stopped", "twice", "himself"])
def test_refusals_tell_the_same_of_both(office: Office, ann: Player, gustav: Player, refusal: str) -> None:
    answers = []
    for address in ADDRESS.values():
        lines = {
            "limit": [f"challenge {address} nibble"],
            "stopped": [f"challenge {address} nibble"],
            "twice": [f"challenge {address}, {address.upper()} {TRIPLE}"],
            "himself": [f"challenge {address}, ann@example.org {TRIPLE}"],
        }[refusal]
        if refusal == "stopped":
            write(office, address, "stop")
        if refusal == "limit":
            for _ in range(MOST_TO_ADDRESS):
                write(office, "ann@example.org", *lines)
        answer = write(office, "ann@example.org", *lines)
        assert [mail.letter for mail in answer] == ["refusal_account"]
        answers.append(masked(answer[0].text, newest(office)))
    assert answers[0] == answers[1]
    assert NAME not in answers[0]


def test_challenges_by_name_say_nothing_about_an_address(office: Office, ann: Player, gustav: Player) -> None:
    """Whoever has used up what he may send to a name can still write to the address, as to another's."""
    for _ in range(MOST_TO_PLAYER):
        write(office, "ann@example.org", f"challenge {NAME} nibble")
    assert "already" not in write(office, "ann@example.org", f"challenge {ADDRESS['known']} nibble")[0].text


def test_a_name_and_an_address_of_one_player_are_two_to_others(
    office: Office, ann: Player, gustav: Player
) -> None:
    """Else two lines would tell whose address it is. The game never begins, as one without an answer."""
    sent = write(office, "ann@example.org", f"challenge {NAME}, {ADDRESS['known']} {TRIPLE}")
    assert sorted(mail.letter for mail in sent) == ["challenge_sent", "invitation"]
    number = newest(office)
    accepted = write(office, ADDRESS["known"], f"accept {number}")
    assert {mail.letter for mail in accepted} == {"accepted"}
    told = write(office, "ann@example.org", "games")[0]
    assert f"not yet: {ADDRESS['known']}." in told.words
    assert f"Ann - {NAME} - {ADDRESS['known']}" in told.words
    taken_back = write(office, "ann@example.org", f"decline {number}")
    assert sorted(mail.letter for mail in taken_back) == ["declined", "declined_by_you"]


def test_who_was_only_invited_is_nobody_by_name(office: Office, ann: Player, ben: Player) -> None:
    write(office, "ann@example.org", f"challenge {ADDRESS['unknown']} nibble")
    (answer,) = write(office, "ben@example.org", "challenge Guest nibble")
    assert "There is no player called Guest." in answer.words


def test_the_record_of_a_game_that_has_not_begun_names_nobody(
    office: Office, ann: Player, gustav: Player
) -> None:
    with writing(office.engine) as session:
        post = Post(session, office.vault, office.now())
        invited = lobby.opponents(post, ADDRESS["known"], PLAY)
        challenger = players.by_name(session, "Ann")
        assert challenger is not None
        game = lobby.challenge(post, challenger, invited, "nibble", {})
        assert log.record(session, game).seats == ("Ann", SOMEBODY)
