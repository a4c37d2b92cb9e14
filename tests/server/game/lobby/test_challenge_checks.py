"""Limits on the number of emails that a player can cause, by email and on the web."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from flask import Flask
from sqlmodel import select

from server.accounts import players
from server.accounts.login.links import MOST_LINKS
from server.accounts.newcomers import MOST_NEW, MOST_NEW_BY_DOMAIN, MOST_NEW_BY_NETWORK
from server.commands.account_words import CHALLENGE
from server.commands.vocabulary import PLAIN, REPLY
from server.game.lobby import challenge_checks
from server.game.lobby.challenge_checks import (
    MOST_A_DAY,
    MOST_BY_ADDRESS,
    MOST_BY_ADDRESS_A_DAY,
    MOST_FOR_ADDRESS,
    MOST_JOINS,
    MOST_OPEN,
    MOST_TO_ADDRESS,
    MOST_TO_PLAYER,
    MOST_WITH_COMPUTERS,
)
from server.game.lobby.recurring_games import MOST_ALWAYS
from server.game.lobby.seats import MOST_NEWS
from server.game.play import moves
from server.game.play.target import Target
from server.game.terms.terms import MOST_GAMES
from server.inbound.authorization.quotas import (
    MOST_ANSWERS,
    MOST_BY_DOMAIN,
    MOST_BY_NETWORK,
    MOST_DOUBTFUL,
    MOST_TO_STRANGER,
    MOST_TO_STRANGERS,
)
from server.interpretation.command_checks import MOST_IN_A_MAIL
from server.jobs.table import DEFERRED_REPORTS
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.deferral import MOST_AT_WILL
from server.store.letters.game import Message
from server.store.letters.letter import About
from server.store.models import Game, Outbox, Player, Seat
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.document_tables import cells_about_email
from tests.support.server.emails import PLAY, letters, receive, reply_address
from tests.support.server.games import TwoPlayerGame
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in, readable

VICTIM = "victim@world.test"


Lower = Callable[[str, int], int]


@pytest.fixture
def lower(monkeypatch: pytest.MonkeyPatch) -> Lower:
    """Return a function that lowers a limit: it is reached with fewer emails, which prove the same."""

    def lower(name: str, most: int) -> int:
        limits = {each: value for each, value in vars(challenge_checks).items() if each.startswith("MOST_")}
        assert most < limits[name]
        assert most not in limits.values(), "a test with it would not notice that another limit applies"
        monkeypatch.setattr(challenge_checks, name, most)
        return most

    return lower


def write(services: Services, sender: str, *lines: str) -> str:
    """Send these lines as a player, and return the answer."""
    return " ".join(
        answer.words for answer in receive(services, sender, PLAY, "\n".join(lines)) if answer.to == sender
    )


def mailed(services: Services) -> Counter[str]:
    """Return the number of invitations and links to each address."""
    with reading(services.engine) as session:
        letters = session.exec(select(Outbox.recipient, Outbox.letter).where(Outbox.state == "queued")).all()
    return Counter(to for to, letter in letters if letter in ("invitation", "register_link", "login_link"))


def test_help_page_names_the_limits() -> None:
    limited = {word.word: word.most for word in (*PLAIN, *REPLY) if word.most}
    assert [cells[1] for cells in cells_about_email("Limits")] == [
        *(str(most) for most in (MOST_TO_PLAYER, MOST_TO_ADDRESS, MOST_FOR_ADDRESS, MOST_BY_ADDRESS)),
        *(f"{most} a day" for most in (MOST_A_DAY, MOST_BY_ADDRESS_A_DAY)),
        f"{MOST_AT_WILL} a day",
        *(
            *[f"{MOST_NEWS} a day"] * 2,
            str(MOST_GAMES),
            str(MOST_ALWAYS),
            str(MOST_OPEN),
            str(MOST_WITH_COMPUTERS),
            f"{MOST_JOINS} a day",
        ),
        *(f"{MOST_LINKS} an hour", f"{MOST_LINKS} a day"),
        *(f"{most} an hour" for most in (MOST_NEW_BY_NETWORK, MOST_NEW_BY_DOMAIN, MOST_NEW)),
        *(f"{most} a day" for most in (MOST_ANSWERS, MOST_DOUBTFUL, MOST_TO_STRANGER)),
        *(f"{most} a day" for most in (MOST_BY_NETWORK, MOST_BY_DOMAIN, MOST_TO_STRANGERS)),
        *(str(most) for most in (MOST_IN_A_MAIL, *limited.values())),
    ]


def test_organiser_can_challenge_a_club_with_a_few_emails(services: Services, ann: Player) -> None:
    club = [f"member{number}@club.test" for number in range(20)]
    most = CHALLENGE.most
    for first in range(0, len(club), most):
        some = club[first : first + most]
        answer = write(services, "ann@example.org", *(f"challenge {member} nibble" for member in some))
        assert "could not" not in answer
    assert mailed(services) == Counter(club)


def test_one_email_cannot_invite_two_hundred_times(services: Services, ann: Player) -> None:
    answer = write(services, "ann@example.org", *[f"challenge {VICTIM} nibble"] * 200)
    assert f"Your email has 200 commands, and an email can have at most {MOST_IN_A_MAIL}." in answer
    most = CHALLENGE.most
    answer = write(services, "ann@example.org", *[f"challenge {VICTIM} nibble"] * most)
    assert f"{VICTIM} has not accepted {MOST_TO_ADDRESS} challenges from you." in answer
    assert not mailed(services)
    with reading(services.engine) as session:
        assert players.by_email(session, VICTIM) is None, "the complete email is rolled back"


def test_one_player_can_invite_a_stranger_a_few_times(
    services: Services, app: Flask, clock: Clock, ann: Player
) -> None:
    """Withdrawing a challenge does not allow another one until the month is over."""
    for _ in range(MOST_TO_ADDRESS):
        write(services, "ann@example.org", f"challenge {VICTIM} nibble")
        with reading(services.engine) as session:
            number = len(session.exec(select(Game)).all())
        assert "You have declined." in write(services, "ann@example.org", f"decline {number}")
    refused = f"{VICTIM} has not accepted {MOST_TO_ADDRESS} challenges from you."
    assert refused in write(services, "ann@example.org", f"challenge {VICTIM} nibble")
    answer = logged_in(app, services, ann).send("/games/new/nibble", opponents=VICTIM)
    assert answer.status_code == 422
    assert refused in readable(answer)
    assert mailed(services)[VICTIM] == MOST_TO_ADDRESS
    clock.advance(days=31)
    assert refused not in write(services, "ann@example.org", f"challenge {VICTIM} nibble")
    assert mailed(services)[VICTIM] == MOST_TO_ADDRESS + 1


def test_all_players_together_can_invite_a_stranger_some_times(services: Services, lower: Lower) -> None:
    most = lower("MOST_FOR_ADDRESS", 5)
    asking = [f"asker{number}@example.org" for number in range(most + 1)]
    for number, asker in enumerate(asking):
        add_player(services, asker, f"Asker{number}")
    answers = [write(services, asker, f"challenge {VICTIM} nibble") for asker in asking]
    refused = [f"{VICTIM} already has {most} invitations. You" in each for each in answers]
    assert refused == [False] * most + [True]
    assert mailed(services)[VICTIM] == most
    write(services, VICTIM, "accept 1")
    assert "already" not in write(services, asking[-1], f"challenge {VICTIM} nibble")


def test_player_who_never_accepts_is_not_challenged_further(
    services: Services, ann: Player, ben: Player, lower: Lower
) -> None:
    most = lower("MOST_TO_PLAYER", 6)
    for _ in range(most):
        write(services, "ann@example.org", "challenge Ben nibble")
    refused = f"Ben has not accepted {most} challenges from you."
    assert refused in write(services, "ann@example.org", "challenge Ben nibble")
    add_player(services, "cleo@example.org", "Cleo")
    assert refused not in write(services, "cleo@example.org", "challenge Ben nibble")
    write(services, "ben@example.org", "accept 1")
    assert refused not in write(services, "ann@example.org", "challenge Ben nibble")
    assert mailed(services)["ben@example.org"] == most + 2


def test_player_invites_a_limited_number_of_new_people(
    services: Services, clock: Clock, ann: Player, lower: Lower
) -> None:
    most = lower("MOST_BY_ADDRESS", 12)
    for first in range(0, most, 4):
        clock.advance(hours=7)
        people = [f"new{number}@world.test" for number in range(first, first + 4)]
        write(services, "ann@example.org", *(f"challenge {person} nibble" for person in people))
    assert sum(mailed(services).values()) == most
    clock.advance(days=5)
    refused = f"You have invited {most} people by email address who have not accepted yet."
    assert refused in write(services, "ann@example.org", "challenge one.more@world.test nibble")
    write(services, "new7@world.test", "accept 8")
    assert refused not in write(services, "ann@example.org", "challenge one.more@world.test nibble")


def test_player_challenges_a_limited_number_of_people_a_day(
    services: Services, app: Flask, clock: Clock, ann: Player, lower: Lower
) -> None:
    """By email and on the web."""
    by_address, most = lower("MOST_BY_ADDRESS_A_DAY", 5), lower("MOST_A_DAY", 8)
    people = [f"new{number}@world.test" for number in range(by_address)]
    write(services, "ann@example.org", *(f"challenge {person} nibble" for person in people))
    refused = f"You can challenge at most {by_address} people a day by email address"
    assert refused in write(services, "ann@example.org", "challenge one.more@world.test nibble")
    answer = logged_in(app, services, ann).send("/games/new/nibble", opponents="one.more@world.test")
    assert refused in readable(answer)
    friends = [f"friend{number}@example.org" for number in range(most - by_address + 1)]
    for number, friend in enumerate(friends):
        add_player(services, friend, f"Friend{number}")
    names = [f"Friend{number}" for number in range(len(friends))]
    answers = [write(services, "ann@example.org", f"challenge {name} nibble") for name in names]
    refusals = [f"You can challenge at most {most} people a day" in answer for answer in answers]
    assert refusals == [False] * (len(friends) - 1) + [True]
    assert "Turn 1" in write(services, "ann@example.org", "challenge Enkidu nibble"), (
        "computer players do not count"
    )
    clock.advance(days=1)
    assert "on its way" in write(services, "ann@example.org", "challenge one.more@world.test nibble")


@pytest.mark.both
def test_number_of_games_with_computer_players_is_limited(
    services: Services, app: Flask, ann: Player, ben: Player, lower: Lower
) -> None:
    easy = "challenge Enkidu nebuchadnezzar size=4"
    most = lower("MOST_WITH_COMPUTERS", 4)
    for _ in range(most):
        assert "Turn 1" in write(services, ann.email, easy)
    refused = f"You have {most} running games with computer players."
    assert refused in write(services, ann.email, "challenge Berossus nibble")
    answer = logged_in(app, services, ann).send("/games/new/nibble", opponents="Amytis")
    assert answer.status_code == 422
    assert refused in readable(answer)
    assert "Turn 1" in write(services, ben.email, easy), "other players are not limited"
    with writing(services.engine) as session:
        own = session.exec(select(Seat).where(Seat.player_id == ann.id)).first()
        assert own is not None
        moves.resign(
            ActionContext(session, services.sealer, services.now()), ann, Target(own.game_id, own.number, 1)
        )
    assert "Turn 1" in write(services, ann.email, "challenge Berossus nibble")


def test_unrequested_link_explains_how_to_stop_emails(services: Services, app: Flask, ann: Player) -> None:
    """A single “stop” works for addresses without a player."""
    browser = Browser(app)
    assert browser.send("/register", name="Zoe", email=VICTIM).location == "/sent"
    link = letters(services)[-1]
    assert f"at most {MOST_LINKS} times a day. To get no more of them, reply “stop”." in link.words
    (answer,) = receive(services, VICTIM, str(link.mail["Reply-To"]), "Stop.")
    assert (answer.letter, answer.to) == ("mail_stopped", VICTIM)
    for page in ("/register", "/login"):
        assert browser.send(page, name="Zoe", email=VICTIM).location == "/sent"
    assert "cannot be challenged to this game" in write(services, ann.email, f"challenge {VICTIM} nibble")
    assert mailed(services)[VICTIM] == 1
    assert "Welcome, Zoe." in write(services, VICTIM, "register Zoe"), "signing up allows email again"
    write(services, ann.email, "challenge Zoe nibble")
    assert mailed(services)[VICTIM] == 2


@pytest.mark.parametrize("way", ["reply", "plain"])
def test_invited_person_stops_emails_with_one_word(
    services: Services, app: Flask, ann: Player, way: str
) -> None:
    (invitation, _) = receive(services, ann.email, PLAY, f"challenge {VICTIM} nibble")
    assert "Ann entered your address; Nabu has never had an email from it." in invitation.words
    assert f"invitations (at most {MOST_FOR_ADDRESS} a month)" in invitation.words
    assert "To get no more of these, reply “stop”." in invitation.words
    (answer,) = receive(services, VICTIM, str(invitation.mail["Reply-To"]) if way == "reply" else PLAY, "stop")
    assert (answer.letter, answer.to) == ("mail_stopped", VICTIM)
    for page in ("/register", "/login"):
        assert Browser(app).send(page, name="Zoe", email=VICTIM).location == "/sent"
    assert "cannot be challenged" in write(services, ann.email, f"challenge {VICTIM} nibble")
    assert mailed(services)[VICTIM] == 1
    assert "You will get emails about your games again." in write(services, VICTIM, "resume")


def test_invitation_to_a_player_lacks_the_text_for_strangers(
    services: Services, ann: Player, ben: Player
) -> None:
    (invitation, _) = receive(services, ann.email, PLAY, "challenge Ben nibble")
    assert "entered your address" not in invitation.words


@pytest.mark.both
def test_player_who_wants_no_email_can_log_in(services: Services, app: Flask, ann: Player) -> None:
    write(services, ann.email, "stop")
    Browser(app).send("/login", email=ann.email)
    assert mailed(services)[ann.email] == 1


def opponents(services: Services) -> tuple[TwoPlayerGame, str, str, str]:
    """A game with deadlines, the addresses of the waiting player, and the address of the other."""
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="7d")
    mover, other = (player.email for player in table.players)
    return table, other, reply_address(services, table.number, 1, 1), mover


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plain", "lines"),
    [
        (False, ["say Hello!"]),
        (False, ["draw"]),
        (False, ["give 1h"]),
        (False, ["say Move!", "draw", "give 1h"]),
        (True, ["vacation 9d", "vacation off"]),
    ],
)
def test_emails_caused_by_an_opponent_are_limited(
    services: Services, monkeypatch: pytest.MonkeyPatch, plain: bool, lines: list[str]
) -> None:
    """Many emails with `say` do not cause as many emails to the opponent."""
    most = 5
    monkeypatch.setattr("server.store.outbox.MOST_AT_WILL", most)
    table, writer, address, other = opponents(services)
    if plain:  # a vacation that postpones a deadline is reported
        table.submit(0, "c3")
        writer, other = other, writer
        table.submit(1, "a1")
    before = len([each for each in letters(services) if each.to == other])
    for number in range(most + 4):
        receive(services, writer, PLAY if plain else address, lines[number % len(lines)])
    assert len([each for each in letters(services) if each.to == other]) - before == most


def test_messages_beyond_the_limit_are_reported_with_the_next_turn(services: Services, clock: Clock) -> None:
    table, writer, address, other = opponents(services)
    for number in range(MOST_AT_WILL):
        assert [each.to for each in receive(services, writer, address, f"say word {number}.")] == [other]
    (answer,) = receive(services, writer, address, "say the last word.")
    assert (answer.letter, answer.to) == ("confirmation", writer)
    assert f"You have sent more than {MOST_AT_WILL} messages in this game within a day." in answer.words
    office_letters = len(letters(services))
    table.submit(0, "c3")
    table.submit(1, "a1")
    (answer,) = [each for each in letters(services, office_letters) if each.to == other]
    assert "the last word." in answer.words
    clock.advance(days=1)
    token = services.tokens.write(ReplyToken(table.number, 1, 2))
    (letter,) = receive(services, writer, f"play+{token}@games.example.org", "say Good morning!")
    assert (letter.letter, letter.to) == ("message", other)


@pytest.mark.slow
def test_messages_with_replaced_orders_count(services: Services) -> None:
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0)
    writer, other = (player.email for player in table.players)
    for _ in range(MOST_AT_WILL + 3):
        caused = receive(services, writer, reply_address(services, table.number, 0, 1), "1 d4\nsay Hurry up!")
    assert [each.letter for each in letters(services) if each.to == other].count("message") == MOST_AT_WILL
    assert f"You have sent more than {MOST_AT_WILL} messages" in caused[0].words


def test_limit_of_messages_counts_each_opponent_separately(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        for speaker in [1] * (MOST_AT_WILL + 1) + [2]:
            hearer = session.get_one(Player, table.players[0].id)
            action.put_to_player(hearer, Message(speaker, "Hello!"), About(table.number, 0))
    assert table.letters().count("message") == MOST_AT_WILL + 1


def test_page_warns_of_too_many_messages(services: Services, app: Flask) -> None:
    table, *_ = opponents(services)
    browser = logged_in(app, services, table.players[1])
    for _ in range(MOST_AT_WILL + 1):
        browser.send(f"/games/{table.number}/say", text="Hello!")
    assert f"You have sent more than {MOST_AT_WILL} messages" in browser.text(f"/games/{table.number}")


def test_emails_beyond_the_hourly_limit_of_a_player_wait(
    services: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.store.outbox.MOST_CAUSED", 4)
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0)
    writer, other = (player.email for player in table.players)

    def seal() -> list[tuple[str, str]]:
        caused = receive(services, writer, reply_address(services, table.number, 0, 1), "1 d4\nsay Hurry up!")
        return [(each.letter, each.to) for each in caused]

    assert [seal() for _ in range(3)] == [[("message", other), ("receipt", writer)]] * 2 + [[]]
    assert [each.letter for each in receive(services, writer, PLAY, "login")] == ["login_link"]
    before = len(letters(services))
    clock.advance(minutes=16)
    while DEFERRED_REPORTS.run_next(services.engine, services.sealer, clock()):
        pass
    told = letters(services, before)
    assert [(each.letter, each.to) for each in told] == [("report", writer), ("report", other)], (
        "nothing is lost"
    )
    assert "Hurry up!" in told[1].words
    clock.advance(hours=1)
    assert ("receipt", writer) in seal()


def test_challenge_of_a_player_who_gets_no_email_cannot_be_accepted(
    services: Services, ann: Player, ben: Player
) -> None:
    (invitation, _) = receive(services, ann.email, PLAY, "challenge Ben nibble")
    write(services, ann.email, "stop")
    (answer,) = receive(services, ben.email, str(invitation.mail["Reply-To"]), "accept")
    assert "The invitation to game 1 is no longer valid." in answer.words
    (answer,) = receive(services, ann.email, PLAY, "challenge Ben nexus")
    assert "you cannot challenge a player. If you wrote “stop”, write resume first." in answer.words
    write(services, ann.email, "resume")
    receive(services, ben.email, str(invitation.mail["Reply-To"]), "accept")
    with reading(services.engine) as session:
        assert session.get_one(Game, 1).state == "running"
