"""Counter-offers to a challenge, by email."""

from __future__ import annotations

import pytest

from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from tests.support.server.emails import Written, receive, reply_address, write
from tests.support.server.players import add_player


def game(services: Services, number: int) -> Game:
    with reading(services.engine) as session:
        found = session.get_one(Game, number)
        session.expunge(found)
        return found


@pytest.fixture
def invitation(services: Services, ann: Player, ben: Player) -> Written:
    """Return Ann's challenge as Ben gets it."""
    sent = write(services, "ann", "challenge Ben nibble time=3d grace=2h rated=off")
    return next(letter for letter in sent if letter.letter == "invitation")


@pytest.mark.both
def test_counter_offer_by_reply_is_accepted(services: Services, invitation: Written) -> None:
    assert "counter time=7d" in invitation.words
    sent = write(services, "ben", "counter time=1d rated=on", to=str(invitation.mail["Reply-To"]))
    proposed, answer = sorted(sent, key=lambda letter: letter.to)
    assert (proposed.letter, proposed.to) == ("invitation", "ann@example.org")
    assert "Ben proposes other terms for your game of Nibble: accept or decline." in proposed.words
    assert "time 1d instead of 3d" in proposed.words
    assert "rated on instead of off" in proposed.words
    assert "grace" not in proposed.words.partition("Terms: ")[0]
    assert answer.letter == "challenge_sent"
    assert "Your proposal is on its way." in answer.words
    assert (game(services, 1).state, game(services, 2).state) == ("declined", "invited")
    assert game(services, 2).terms == {**game(services, 1).terms, "time": "1d", "rated": "on"}
    write(services, "ann", "accept", to=str(proposed.mail["Reply-To"]))
    assert game(services, 2).state == "running"


def test_yes_accepts_a_counter_offer(services: Services, invitation: Written) -> None:
    proposed, _ = sorted(write(services, "ben", "counter 1 time=1d"), key=lambda letter: letter.to)
    fields = f"In-Reply-To: {proposed.mail['Message-ID']}\r\n"
    receive(services, "ann@example.org", str(proposed.mail["Reply-To"]), "yes", fields)
    assert game(services, 2).state == "running"


def test_counter_offers_can_be_exchanged(services: Services, invitation: Written) -> None:
    write(services, "ben", "counter 1", "time=1d", "private=on")
    proposed, _ = sorted(
        write(services, "ann", "counter 2 time=2d"), key=lambda letter: letter.to, reverse=True
    )
    assert "Ann proposes other terms" in proposed.words
    assert "time 2d instead of 1d" in proposed.words
    assert "private" not in proposed.words.partition("Terms: ")[0]
    assert game(services, 3).private
    (answer,) = write(services, "ann", "accept 2")
    assert "The invitation to game 2 is no longer valid: game 3 was proposed instead." in answer.words
    assert [letter.to for letter in write(services, "ben", "decline 3")] == [
        "ann@example.org",
        "ben@example.org",
    ]
    assert game(services, 3).state == "declined"


def test_counter_offer_without_a_number_answers_the_only_invitation(
    services: Services, invitation: Written
) -> None:
    write(services, "ben", "counter board=square-13")
    assert game(services, 2).options == {"board": "square-13"}


def test_counter_offer_by_reply_may_contain_the_number_of_its_game(
    services: Services, invitation: Written
) -> None:
    write(services, "ben", "counter 1 time=1d", to=str(invitation.mail["Reply-To"]))
    assert game(services, 2).terms["time"] == "1d"


def test_counter_offer_may_ask_for_own_words_for_luck(services: Services, invitation: Written) -> None:
    sent = write(services, "ben", "counter time=1d", "luck", to=str(invitation.mail["Reply-To"]))
    assert "Your proposal is waiting for your words for luck." in sent[-1].words + sent[0].words
    write(services, "ann", "accept 2")
    write(services, "ben", "luck 2 goats", to=str(sent[-1].mail["Reply-To"]))
    assert game(services, 2).state == "running"


def test_counter_offer_keeps_the_seats_of_a_rematch(services: Services, invitation: Written) -> None:
    write(services, "ben", "accept 1")
    with reading(services.engine) as session:
        seats = [player.name for _, player in log.seats(session, session.get_one(Game, 1))]
    over = write(services, "ann", "resign", to=token(services, 1, seats.index("Ann")))
    again = next(letter for letter in over if letter.to == "ann@example.org").mail["Reply-To"]
    write(services, "ann", "again", to=str(again))
    write(services, "ben", "counter 2 time=1d")
    write(services, "ann", "accept 3")
    with reading(services.engine) as session:
        after = [player.name for _, player in log.seats(session, session.get_one(Game, 3))]
    assert after == seats[::-1]


def token(services: Services, number: int, seat: int) -> str:
    """Return the reply address of a seat."""
    return reply_address(services, number, seat, game(services, number).turn)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "counter 1",
            "for example: counter 1 time=1d. To accept it as it is, write: accept 1",
        ),
        (
            "counter 1 time=3d rated=no",
            "Game 1 already has these options. To accept it as it is, write: accept 1",
        ),
        ("counter 1 nelaxtam", "“nelaxtam” is not an option"),
        ("counter 1 kind=nelaxtam", "Nibble has no option “kind”"),
        ("counter 1 time=soon", "soon"),
        ("counter 7 time=1d", "You are not invited to game 7."),
    ],
)
def test_invalid_counter_offer_is_refused(
    services: Services, invitation: Written, text: str, sentence: str
) -> None:
    (answer,) = write(services, "ben", text)
    assert sentence in answer.words
    assert game(services, 1).state == "invited"


def test_challenger_must_withdraw_instead(services: Services, invitation: Written) -> None:
    (answer,) = write(services, "ann", "counter 1 time=1d")
    assert (
        "You proposed game 1 yourself. To propose something else, withdraw it first: decline 1" in answer.words
    )


def test_number_of_players_cannot_change(services: Services, ann: Player, ben: Player) -> None:
    add_player(services, "cleo@example.org", "Cleo")
    write(services, "ann", "challenge Ben, Cleo nexus players=3")
    (answer,) = write(services, "ben", "counter 1 players=4")
    assert "A counter-offer keeps the players" in answer.words
    sent = write(services, "ben", "counter 1 time=1d")
    assert sorted(letter.to for letter in sent) == ["ann@example.org", "ben@example.org", "cleo@example.org"]
    assert game(services, 2).asked[0] == ben.id


def test_counter_offer_reveals_no_address(services: Services, ann: Player, ben: Player) -> None:
    write(services, "ann", "challenge Ben, cleo@example.com nexus players=3")
    (answer,) = write(services, "ben", "counter 1 time=1d")
    assert "A player who was invited to game 1 by email address has not accepted yet" in answer.words
    assert "cleo" not in answer.words


def test_counter_offer_after_a_block_is_refused(services: Services, invitation: Written) -> None:
    write(services, "ann", "block Ben")
    (answer,) = write(services, "ben", "counter 1 time=1d")
    assert "The invitation to game 1 is no longer valid." in answer.words


def test_player_who_wants_no_email_gets_no_counter_offer(services: Services, invitation: Written) -> None:
    write(services, "ann", "stop")
    (answer,) = write(services, "ben", "counter 1 time=1d")
    assert (answer.to, "Ann cannot be challenged to this game." in answer.words) == ("ben@example.org", True)


def test_sentence_about_a_counter_is_no_command(services: Services, invitation: Written) -> None:
    (answer,) = write(services, "ben", "counter that with a week?", to=str(invitation.mail["Reply-To"]))
    assert answer.letter == "refusal"
    assert game(services, 1).state == "invited"
