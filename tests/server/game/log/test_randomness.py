"""Seats are drawn when all have accepted, from the seed and all players' words, given after its hash."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from sqlmodel import col, select

from rules.records import verification
from rules.records.proof import Seed
from server.accounts import players
from server.errors import BadRequest, NotRunning
from server.game.lobby import challenges
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, Written, letters, receive
from tests.support.web.client import Browser, logged_in

ANN, BEN = "ann@example.org", "ben@example.org"
HASH = re.compile(r"\b[0-9a-f]{64}\b")


@pytest.fixture(autouse=True)
def company(services: Services) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        for address in (ANN, BEN):
            players.register(action, address, address.partition("@")[0].title())


def the_game(services: Services) -> Game:
    with reading(services.engine) as session:
        game = session.exec(select(Game).order_by(col(Game.id).desc())).first()
        assert game is not None
        session.expunge(game)
        return game


def seated(services: Services) -> list[tuple[str, str]]:
    """Return the names and words for luck, by seat."""
    with reading(services.engine) as session:
        return [(player.name, seat.client_seed) for seat, player in log.seats(session, the_game(services))]


def only(sent: list[Written], to: str) -> Written:
    (letter,) = [each for each in sent if each.to == to]
    return letter


def address(letter: Written) -> str:
    return str(letter.mail["Reply-To"])


def test_seats_are_unknown_before_all_have_accepted(services: Services, app: Flask) -> None:
    sent = receive(services, ANN, PLAY, "challenge Ben nebuchadnezzar")
    sent += receive(services, ANN, PLAY, "games")
    sent += receive(services, ANN, address(sent[0]), "show")
    sent += receive(services, BEN, address(only(sent[:2], BEN)), "show")
    pages = []
    for person in (ANN, BEN):
        with reading(services.engine) as session:
            player = players.by_email(session, person)
        assert player is not None
        pages.append(logged_in(app, services, player).get("/games/1").text)
    for told in (*(each.text + each.html for each in sent), *pages):
        assert not re.search(r"\b(First|Second)\b", told)


def test_withdrawn_challenge_reveals_no_seats(
    services: Services,
) -> None:
    """A challenger cannot withdraw and repeat a challenge until they get the first move."""
    for number in range(1, 9):
        receive(services, ANN, PLAY, "challenge Ben nebuchadnezzar")
        assert [name for name, _ in seated(services)] == ["Ann", "Ben"]
        if number % 2:
            receive(services, ANN, PLAY, f"decline {number}")
            continue
        words = f"words of day {number}"
        receive(services, BEN, PLAY, f"accept {number}\nluck {words}")
        seed = Seed(services.sealer.open(the_game(services).sealed_seed))
        drawn = seed.seats(number, ["", words]).shuffle(["Ann", "Ben"])
        assert [name for name, _ in seated(services)] == drawn


def test_lot_depends_on_the_words_of_both(services: Services) -> None:
    seed = Seed(bytes(range(32)))
    lots = {
        tuple(seed.seats(7, [ann, ben]).shuffle(["Ann", "Ben"]))
        for ann, ben in [("", ""), *(("", f"{n}") for n in range(9)), *((f"{n}", "") for n in range(9))]
    }
    assert lots == {("Ann", "Ben"), ("Ben", "Ann")}


def test_challenger_gives_words_after_the_hash_is_known(services: Services) -> None:
    sent = receive(services, ANN, PLAY, "challenge Ben nibble board=square-9\nluck too early")
    asked = only(sent, ANN)
    (told,) = HASH.findall(asked.text)
    assert told == the_game(services).seed_hash
    assert "Your words after “luck” have not been used" in asked.words
    receive(services, BEN, address(only(sent, BEN)), "accept\nluck of Ben")
    assert the_game(services).state == "invited", "the game waits for the challenger's words"
    begun = receive(services, ANN, address(asked), "luck a goat on the roof")
    assert sorted(each.letter for each in begun) == ["report", "report"]
    assert sorted(seated(services)) == [("Ann", "a goat on the roof"), ("Ben", "of Ben")]
    with reading(services.engine) as session:
        body = log.entries(session, the_game(services))[0].body
    assert "too early" not in str(body)


def test_challenger_may_start_without_words(services: Services) -> None:
    sent = receive(services, ANN, PLAY, "challenge Ben nebuchadnezzar\nluck")
    assert "have not been used" not in only(sent, ANN).words
    receive(services, BEN, address(only(sent, BEN)), "accept")
    receive(services, ANN, address(only(sent, ANN)), "accept")
    assert the_game(services).state == "running"


def test_game_with_a_computer_player_waits_for_the_challengers_words(services: Services) -> None:
    sent = receive(services, ANN, PLAY, "challenge Enkidu nardshir\nluck")
    assert the_game(services).state == "invited"
    listed = only(receive(services, ANN, PLAY, "games"), ANN)
    assert "Waiting for your words for luck" in listed.words
    receive(services, ANN, address(only(sent, ANN)), "luck mine")
    assert ("Ann", "mine") in seated(services)
    assert the_game(services).state == "running"


def test_challenger_can_give_words_until_the_start(services: Services) -> None:
    sent = receive(services, ANN, PLAY, "challenge Ben nebuchadnezzar")
    answer = receive(services, ANN, address(only(sent, ANN)), "luck mine")
    assert [each.letter for each in answer] == ["accepted"]
    receive(services, BEN, address(only(sent, BEN)), "accept")
    assert ("Ann", "mine") in seated(services)
    late = receive(services, ANN, address(only(sent, ANN)), "luck others")
    assert [each.letter for each in late] == ["refusal"]
    assert ("Ann", "mine") in seated(services)


def test_only_the_challenger_gives_words_without_accepting(services: Services) -> None:
    sent = receive(services, ANN, PLAY, "challenge Ben nebuchadnezzar")
    answer = receive(services, BEN, address(only(sent, BEN)), "luck mine")
    assert [each.letter for each in answer] == ["refusal"]
    assert "luck TEXT below it" in answer[0].words
    assert the_game(services).state == "invited"


def test_words_for_no_game_are_refused(services: Services) -> None:
    """They are not ignored silently."""
    (answer,) = receive(services, ANN, PLAY, "luck three wishes")
    assert answer.letter == "refusal_account"
    assert "Words for luck go below “accept”" in answer.words


def test_luck_is_no_option(services: Services) -> None:
    (answer,) = receive(services, ANN, PLAY, "challenge Ben nebuchadnezzar luck=mine")
    assert "no option “luck”" in answer.words


def test_seats_are_drawn_from_the_words_of_both_and_verifiable(services: Services) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann, ben = players.by_email(session, ANN), players.by_email(session, BEN)
        assert ann is not None
        assert ben is not None
        game = challenges.challenge(action, ann, [ben], "nebuchadnezzar", {}, own_words=True)
        number = log.id_of(game)
        challenges.give_words(action, ann, number, "mine")
        challenges.accept(action, ben, number, "his")
        with pytest.raises(NotRunning):
            challenges.give_words(action, ann, number, "another")
    receive(services, ANN, PLAY, "games")
    with reading(services.engine) as session:
        record = log.record(session, session.get_one(Game, number))
        assert verification.verify(record.to_json()).wrong is None
        seed = services.sealer.open(session.get_one(Game, number).sealed_seed)
        asked = Seed(seed).seats(number, ["mine", "his"]).shuffle(["Ann", "Ben"])
    assert [name for name, _ in seated(services)] == asked


def test_answer_to_an_invitation_is_for_the_players_drawn_seat(services: Services) -> None:
    """The reply address contains a place, which may be the other player's seat after the lot."""
    for number in range(1, 7):
        sent = receive(services, ANN, PLAY, "challenge Ben nebuchadnezzar")
        invitation, mine = only(sent, BEN), only(sent, ANN)
        shown = only(receive(services, ANN, address(mine), "show"), ANN)
        receive(services, BEN, address(invitation), f"accept\nluck {number}")
        for person, letter, text in ((BEN, invitation, "show"), (ANN, mine, "c3"), (ANN, shown, "show")):
            (answer,) = receive(services, person, address(letter), text)
            assert (answer.to, answer.letter) == (person, "refusal" if text == "c3" else "show")


@pytest.mark.slow
def test_reply_addresses_from_before_the_start_keep_their_place(
    services: Services,
) -> None:
    """They were queued before the lot was drawn, and are written afterwards."""
    for number in range(1, 7):
        first = len(letters(services))
        receive(services, ANN, PLAY, "challenge Ben nelaxtam")
        receive(services, BEN, PLAY, f"accept {number}")
        for letter in letters(services, first):
            if letter.letter in ("invitation", "challenge_sent"):
                token = services.tokens.find(address(letter), ())
                assert token is not None
                assert str(token).endswith(f"seat={int(letter.to == BEN)}, turn=0, mark=0)")


@pytest.mark.both
def test_mute_before_the_start_stays_with_the_player(services: Services) -> None:
    for number in range(1, 7):
        sent = receive(services, ANN, PLAY, "challenge Ben nebuchadnezzar")
        receive(services, ANN, address(only(sent, ANN)), "mute 5d")
        receive(services, BEN, PLAY, f"accept {number}")
        with reading(services.engine) as session:
            muted = select(Player.name).where(
                Seat.game_id == number, Seat.player_id == Player.id, col(Seat.muted_until).is_not(None)
            )
            assert session.exec(muted).all() == ["Ann"]


@pytest.mark.both
def test_challenger_gives_words_on_the_web(services: Services, app: Flask) -> None:
    with reading(services.engine) as session:
        ann = players.by_email(session, ANN)
    assert ann is not None
    browser: Browser = logged_in(app, services, ann)
    browser.send("/games/new/nebuchadnezzar", opponents="Ben", luck="mine")
    page = browser.text("/games/1")
    assert "The game waits for your words for luck" in page
    assert the_game(services).seed_hash in page
    assert "Challenges waiting for your words" in browser.text("/games")
    receive(services, BEN, PLAY, "accept 1")
    assert the_game(services).state == "invited"
    browser.send("/games/1/accept", luck="mine")
    assert ("Ann", "mine") in seated(services)


def test_challenge_with_luck_as_an_option_is_refused(services: Services) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann = players.by_email(session, ANN)
        assert ann is not None
        with pytest.raises(BadRequest):
            challenges.challenge(action, ann, [], "nebuchadnezzar", {"luck": "mine"})
