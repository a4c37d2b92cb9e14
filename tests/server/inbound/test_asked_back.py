"""With the default settings no one can act for another: Nabu asks before it acts for an uncertain sender."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import select

from server.accounts import players
from server.commands.vocabulary import PLAIN as PLAIN_COMMANDS
from server.commands.vocabulary import REPLY
from server.commands.word import Effect
from server.game.messages.extra_text import WORDS
from server.inbound.authorization.quotas import MOST_REFUSALS
from server.jobs import retention
from server.limits import KEPT_OF_STRANGERS
from server.outbound.letters.replies import Refusal
from server.processes.services import Services, open_services
from server.processes.worker import Worker
from server.settings import ROOT
from server.settings.loading import load
from server.store import inbox
from server.store.db import reading, writing
from server.store.models import Address, Player
from server.store.outbox import ActionContext
from server.store.tokens import ConfirmationToken, ReplyToken
from server.web import create_app
from tests.support.mail.dns_zone import zone
from tests.support.mail.forger import ForgedEmails, question_of
from tests.support.query_plans import query_plans
from tests.support.server.command_examples import ACCOUNT, GAME
from tests.support.server.emails import PLAY, Written, letters, receive, reply_address
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import Clock
from tests.support.web.client import Browser, readable

READS = {"? MOVE", "show", "history", "moves", "rules", "verify", "yes", "games", "rules GAME", "login"}
READS |= {"help", "help TOPIC", "settings"}
READS |= {"hello", "logins", "who NAME", "lobby GAME", "tournaments", "standings NUMBER|NAME", "ranking GAME"}
READS |= {"hint", "analyse", "analyse NUMBER"}
PLAYS = {"if MOVE then MOVE", "if off", "say TEXT", "tell NAME TEXT", "send", "drop", "note TEXT"}


@pytest.fixture
def shipped(database_url: str, clock: Clock) -> Iterator[Services]:
    """Return services with the default settings on this database."""
    settings = load(ROOT / "deploy" / "nabu.env.example", secret_key="k" * 32, database_url=database_url)
    services = open_services(settings, clock)
    yield services
    services.engine.dispose()


@pytest.fixture
def message_id(town: ForgedEmails) -> str:
    """Return the Message-ID of the last email to a player, which all their forwards contain."""
    mine = [each for each in letters(town.services) if each.to == town.victim and each.letter == "report"]
    return str(mine[-1].mail["Message-ID"]).strip()


@pytest.fixture
def town(shipped: Services, clock: Clock) -> ForgedEmails:
    table = TwoPlayerGame(shipped, "nebuchadnezzar", size=5, time="none")
    with writing(shipped.engine) as session:
        for player in session.exec(select(Player)):
            player.confirmed_at = clock()
    return ForgedEmails(table, clock, zone())


def test_senders_are_checked_by_default(town: ForgedEmails) -> None:
    assert town.services.pipeline().senders.lookup is not None


@pytest.mark.parametrize("choice", ["auto", "false"])
def test_unchecked_senders_are_reported_at_each_start(
    shipped: Services, caplog: pytest.LogCaptureFixture, choice: str
) -> None:
    settings = shipped.settings.model_copy(update={"check_senders": choice})
    worker = Worker(replace(shipped, settings=settings))
    worker.start()
    worker.stop()
    assert ("NABU_CHECK_SENDERS is false" in caplog.text) == (choice == "false")


def test_every_command_declares_the_trust_it_needs() -> None:
    """A new effect of commands must be added above; until then it needs a confirmation."""
    assert set(GAME) == set(REPLY.help_by_usage())
    assert set(ACCOUNT) == set(PLAIN_COMMANDS.help_by_usage())
    usages = [(word.effect, usage) for word in (*REPLY, *PLAIN_COMMANDS) for usage in word.help_by_usage]
    assert {usage for effect, usage in usages if effect is Effect.READS} == READS
    assert {usage for effect, usage in usages if effect is Effect.PLAYS} == PLAYS


@pytest.mark.slow
def test_forged_sender_changes_nothing_of_an_account(town: ForgedEmails) -> None:
    for key, text in ACCOUNT.items():
        if key not in READS:
            assert town.is_asked_back(text), key


@pytest.mark.parametrize("text", ["1 c3", "c3", "resign 1", "resign", "say 1 hello", "1 if c3 then d4"])
def test_forged_sender_does_nothing_in_a_named_game(town: ForgedEmails, text: str) -> None:
    assert town.is_asked_back(text)


@pytest.mark.parametrize("text", ["zone Europe/Berlin", "name Bob", "block Ann", "stop", "data"])
def test_forged_sender_with_the_reply_address_changes_nothing_of_an_account(
    town: ForgedEmails, text: str
) -> None:
    assert town.is_asked_back(text, to=town.reply_address())


def test_forged_sender_with_the_reply_address_ends_nothing(town: ForgedEmails) -> None:
    for key, text in GAME.items():
        if key not in READS | PLAYS:
            assert town.is_asked_back(text, to=town.reply_address()), key
    assert town.is_asked_back("c3\nresign", to=town.reply_address())


def test_message_id_proves_nothing(town: ForgedEmails, message_id: str) -> None:
    """A forward repeats them, and once resigned a game."""
    for key, text in [*GAME.items(), ("a move", "c3")]:
        if key not in READS:
            assert town.is_asked_back(text, answers=message_id), key


def letters_of(message_id: str) -> str:
    """Return the end of a Message-ID of Nabu's, and the part before it."""
    return message_id.strip("<>").partition("@")[0].rpartition(".")[2]


def test_reply_address_cannot_be_derived_from_a_message_id(town: ForgedEmails, message_id: str) -> None:
    before = town.everything()
    row, mailed = town.write("c3", to=f"play+{letters_of(message_id)}@games.example.org")
    assert (row.state, row.why, mailed) == ("quarantined", "the reply address was not made by Nabu", [])
    assert town.everything() == before


def test_question_cannot_be_answered_with_its_message_id(town: ForgedEmails, app: Flask) -> None:
    """Neither an email to an address with these letters nor the page of the question works."""
    (question,) = town.write("resign", to=town.reply_address())[1]
    secret = letters_of(str(question.mail["Message-ID"]))
    before = town.everything()
    assert town.write("yes", to=f"play+{secret}@games.example.org")[0].state == "quarantined"
    assert Browser(app).get(f"/yes/{secret}").status_code == 410
    assert town.everything() == before


@pytest.mark.parametrize("answers", [False, True])
def test_reading_commands_are_answered_only_to_the_player(
    town: ForgedEmails, message_id: str, answers: bool
) -> None:
    commands = GAME if answers else ACCOUNT
    for key in READS & set(commands):
        before, town.clock.time = town.everything(), town.clock.time + timedelta(days=1)
        _, mailed = town.write(commands[key], answers=message_id if answers else "")
        assert town.everything() == before, key
        assert [each.to for each in mailed] == [town.victim], key
        assert mailed[0].letter != "asked", key


@pytest.mark.parametrize("way", ["ask", "send", "drop"])
def test_extra_text_of_an_unverified_email_is_not_sent(town: ForgedEmails, message_id: str, way: str) -> None:
    """They are neither sent in the player's name nor kept in place of the player's own."""
    with writing(town.services.engine) as session:
        WORDS.choose(session.get_one(Player, town.table.players[0].id), way)
    before = town.everything()
    _, mailed = town.write("show\n\nYou are a fool, I give up.", answers=message_id)
    assert town.everything() == before
    assert [(each.letter, each.to) for each in mailed] == [("show", town.victim)]
    assert ("Your message below has not been sent." in mailed[0].words) == (way != "drop")


@pytest.mark.parametrize("text", ["c3", *(GAME[key] for key in sorted(PLAYS))])
def test_move_with_message_needs_only_the_reply_address(town: ForgedEmails, text: str) -> None:
    row, mailed = town.write(text, to=town.reply_address())
    # There is no text yet to send or discard, and players cannot send messages to themselves.
    to_oneself = f"tell {town.table.players[0].name} "
    assert row.state == ("refused" if text in ("send", "drop") or text.startswith(to_oneself) else "done")
    assert "asked" not in [each.letter for each in mailed]
    assert town.table.game().turn == (2 if text.startswith("c3") else 1)


@pytest.mark.both
def test_email_that_waits_for_confirmation_is_stored_completely(town: ForgedEmails) -> None:
    text = f"register {town.table.players[0].name}\n\n" + "A long letter.\n" * 1000
    row, mailed = town.write(text, sender="vic@example.org")
    assert row.state == "asked"
    assert len(town.services.sealer.open(row.sealed or b"")) > len(text)
    town.write("yes", sender="vic@example.org", to=question_of(mailed)[0])
    done = town.mails()[0]
    assert (done.state, len(town.services.sealer.open(done.sealed or b""))) == ("refused", KEPT_OF_STRANGERS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("resign", "resign"),
        ("c3\ndraw", "move, draw"),
        ("mute 5d", "mute"),
        ("claim", "Impossible"),
        ("stop", "stop"),
    ],
)
def test_yes_carries_out_a_reply_once(town: ForgedEmails, text: str, why: str) -> None:
    _, mailed = town.write(text, to=town.reply_address())
    address, _ = question_of(mailed)
    before = town.everything()
    town.write("yes", to=address)
    assert town.mails()[0].why == why
    assert (town.everything() == before) == (why == "Impossible")
    after = town.everything()
    row, mailed = town.write("yes", to=address)
    assert (row.state, [each.letter for each in mailed]) == ("refused", ["refusal_account"])
    assert "No question is waiting for your “yes”" in mailed[0].words
    assert town.everything() == after


CONFIRMED = [
    *("yes", "Yes!", "* yes", "confirm", "yes\n\nThank you", "ja", "Ja", "oui", "sí", "да", "evet", "Agreed"),
    *("Yes, that was me.", "Yes, it was me", "Ja klar, das war ich", "Ja, das bin ich!", "Sure, I wrote it"),
    *("C’était moi", "Sí, fui yo", "Yes, that was me.\n\nBest regards\nVictoria"),
]
DENIED = ["No, that wasn't me", "No!", "Nein, das war ich nicht", "I did not write this", "Ce n'était pas moi"]
UNCLEAR = ["ok", "Who are you?", "Yes, that was not me", "yes, no", "Was it me? Yes?", "I do not know"]


@pytest.mark.parametrize("word", CONFIRMED)
def test_yes_carries_out_an_email_to_the_plain_address(town: ForgedEmails, word: str) -> None:
    address, _ = question_of(town.write("zone Asia/Tokyo\nname Anna")[1])
    town.write(word, to=address)
    assert [row.state for row in town.mails()] == ["done", "done"]
    with reading(town.services.engine) as session:
        player = session.get_one(Player, town.table.players[0].id)
        assert (player.zone, player.name) == ("Asia/Tokyo", "Anna")


@pytest.mark.parametrize("to_game", [True, False], ids=["in a game", "to the plain address"])
def test_answer_looks_only_at_emails_to_the_person_asked(town: ForgedEmails, to_game: bool) -> None:
    """Otherwise each answer would read all emails of the last weeks."""
    [question] = town.write("resign", to=town.reply_address())[1] if to_game else town.write("zone UTC")[1]
    assert question.letter == "asked"
    plans = query_plans(town.services.engine, lambda: town.write("yes", to=str(question.mail["Reply-To"])))
    [plan] = [each for each in plans if "outbox.letter = ? AND outbox.player_id" in each.statement]
    assert not plan.scans


def test_question_can_be_answered_only_by_its_receiver(town: ForgedEmails) -> None:
    _, mailed = town.write("resign", to=town.reply_address())
    address, _ = question_of(mailed)
    before = town.everything()
    forger, other = "eve@example.com", town.table.players[1].email
    assert town.write("yes", to=address, sender=forger)[0].state == "quarantined"
    assert town.write("yes", to=address, sender=other)[0].state == "quarantined"
    assert town.write("yes", answers=str(mailed[0].mail["Message-ID"]))[0].state == "quarantined"
    assert town.everything() == before
    town.domain = zone("_dmarc.example.org TXT v=DMARC1; p=reject")
    assert town.write("yes", to=address)[0].why == "the sender is forged"
    assert town.everything() == before


def test_yes_to_another_email_confirms_nothing(town: ForgedEmails, message_id: str) -> None:
    """The word “yes” below a question in a game, such as a draw offer."""
    town.write("resign", to=town.reply_address())
    town.domain = zone(
        "_dmarc.example.org TXT v=DMARC1; p=reject", "example.org TXT v=spf1 ip4:192.88.99.1 -all"
    )
    for way in ({"to": town.reply_address()}, {"to": PLAY}, {"answers": message_id}):
        row, _ = town.write("yes", peer="192.88.99.1", **way)
        assert row.why in ("BadRequest", "its sender seems to be a machine")
    assert town.table.game().state == "running"


@pytest.mark.parametrize("text", DENIED)
def test_no_closes_the_question(town: ForgedEmails, text: str) -> None:
    address, _ = question_of(town.write("resign", to=town.reply_address())[1])
    before = town.everything()
    row, (answer,) = town.write(text, to=address)
    assert (row.state, answer.to) == ("done", town.victim)
    assert "Nabu will not carry out the email that is not yours." in answer.words
    assert answer.mail["Subject"] == "Not carried out"
    assert town.mails()[0].state == "refused"
    town.write("yes", to=address)
    assert town.everything() == before


@pytest.mark.parametrize("text", UNCLEAR)
def test_unclear_answer_is_asked_again(town: ForgedEmails, text: str) -> None:
    address, _ = question_of(town.write("resign", to=town.reply_address())[1])
    _, mailed = town.write(text, to=address)
    assert "Your answer does not say clearly whether you wrote this email." in mailed[0].words
    assert (town.mails()[0].state, town.table.game().state) == ("asked", "running")
    town.write("ja", to=question_of(mailed)[0])
    assert town.table.game().state == "over"


def test_stranger_with_unclear_answers_keeps_an_open_question(town: ForgedEmails) -> None:
    """Answers to strangers are limited."""
    address, _ = question_of(town.write("register Zoe", sender="zoe@example.net")[1])
    answers = [town.write("hm", to=address, sender="zoe@example.net")[1] for _ in range(4)]
    assert [[each.letter for each in mailed] for mailed in answers] == [["asked"], ["asked"], [], []]
    town.write("Ja, das war ich", to=address, sender="zoe@example.net")
    assert town.mails()[0].state == "done"


def test_receiver_of_a_question_can_say_stop(town: ForgedEmails) -> None:
    """They reply to an address that was sent to them alone, so the reply needs no confirmation."""
    address, _ = question_of(town.write("register Zoe", sender="zoe@example.net")[1])
    _, mailed = town.write("stop", to=address, sender="zoe@example.net")
    assert [each.letter for each in mailed] == ["mail_stopped"]


def test_sender_confirmed_by_the_domain_is_not_asked(town: ForgedEmails, message_id: str) -> None:
    town.domain = zone(
        "_dmarc.example.org TXT v=DMARC1; p=reject", "example.org TXT v=spf1 ip4:192.88.99.1 -all"
    )
    row, _ = town.write("resign", answers=message_id, peer="192.88.99.1")
    assert (row.state, row.why) == ("done", "resign")
    assert town.write("zone Asia/Tokyo", peer="192.88.99.1")[0].state == "done"


def test_forged_email_is_asked_about_in_a_game_and_quarantined_elsewhere(town: ForgedEmails) -> None:
    town.domain = zone("_dmarc.example.org TXT v=DMARC1; p=reject")
    for text in ("c3", "show"):
        assert town.is_asked_back(text, to=town.reply_address())
    before = town.everything()
    row, mailed = town.write("zone Asia/Tokyo")
    assert (row.state, mailed) == ("quarantined", [])
    assert town.everything() == before


def test_stranger_becomes_a_player_after_confirmation(town: ForgedEmails) -> None:
    address, _ = question_of(town.write("register Zoe", sender="zoe@example.net")[1])
    with reading(town.services.engine) as session:
        assert session.get(Address, "zoe@example.net") is None
    _, mailed = town.write("yes", to=address, sender="zoe@example.net")
    assert [(each.letter, each.to) for each in mailed] == [("welcome", "zoe@example.net")]


def test_question_to_a_stranger_can_be_answered_only_by_them(town: ForgedEmails) -> None:
    address, _ = question_of(town.write("register Zoe", sender="zoe@example.net")[1])
    for other in ("eve@example.com", town.table.players[1].email):
        row, mailed = town.write("yes", to=address, sender=other)
        assert (row.state, row.why) == ("quarantined", "the answer may not be from the person asked")
        assert mailed == []


def test_question_to_a_stranger_quotes_no_foreign_text(town: ForgedEmails) -> None:
    (letter,) = town.write("register Buy.Pills\nchallenge buy.pills nibble", sender="zoe@example.net")[1]
    assert letter.to == "zoe@example.net"
    assert "We show only which commands it contains" in letter.words
    assert "| register NAME: become a player | challenge WHO GAME [option=value …]: challenge a" in letter.words
    assert "pills" not in (letter.text + letter.html + str(letter.mail["Subject"])).lower()


@pytest.mark.parametrize(
    "text", ["Buy pills", "Buy pills\n\nregister Zoe", "games\n\nBuy pills", "rules pills.example"]
)
def test_question_to_a_stranger_quotes_only_commands(town: ForgedEmails, text: str) -> None:
    (letter,) = town.write(text, sender="Pills <zoe@example.net>")[1]
    assert (letter.letter, letter.to) == ("hello", "zoe@example.net")
    assert "pills" not in (letter.text + letter.html + str(letter.mail["Subject"])).lower()


@pytest.mark.parametrize(("sender", "most"), [("", 10), ("zoe@example.net", 2)])
def test_number_of_questions_a_day_is_limited(town: ForgedEmails, sender: str, most: int) -> None:
    for number in range(most):
        assert town.write(f"register Z{number}", sender=sender)[0].state == "asked"
    row, mailed = town.write("register Zoe", sender=sender)
    assert (row.state, row.why, mailed) == (
        "quarantined",
        "daily limit of questions whether an email is theirs",
        [],
    )


def test_unanswered_question_expires(town: ForgedEmails, clock: Clock) -> None:
    address, path = question_of(town.write("zone Asia/Tokyo")[1])
    clock.advance(days=inbox.QUESTION_STANDS.days, seconds=1)
    assert town.write("yes", to=address)[1][0].letter == "refusal_account"
    assert Browser(create_app(town.services)).get(path).status_code == 410
    with writing(town.services.engine) as session:
        retention.throw_away(session, clock(), timedelta(days=14))
    row = town.mails()[0]
    assert (row.state, row.why) == ("refused", "the sender has not confirmed it")


@pytest.fixture
def app(shipped: Services) -> Flask:
    return create_app(shipped)


def test_button_confirms_and_opening_the_page_does_not(town: ForgedEmails, app: Flask) -> None:
    _, path = question_of(town.write("resign", to=town.reply_address())[1])
    browser, scanner = Browser(app), app.test_client()
    base = town.services.settings.base_url
    before = [repr(row) for row in town.mails()], town.everything()
    for _ in range(2):
        page = browser.client.get(path, base_url=base)
        assert "resign" in readable(page)
        assert scanner.head(path, base_url=base).status_code == 200
    assert scanner.post(path, base_url=base).status_code == 400, "only the button of the page does it"
    assert ([repr(row) for row in town.mails()], town.everything()) == before
    token = form_token(page.text)
    first, second = (browser.client.post(path, base_url=base, data={"csrf_token": token}) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 410)
    assert "Nabu has carried out your email" in readable(first)
    assert town.table.game().result == {"winners": [1], "reason": "resigned"}


def test_page_shows_refusals_that_no_email_reports(town: ForgedEmails, app: Flask) -> None:
    _, path = question_of(town.write("claim", to=town.reply_address())[1])
    with writing(town.services.engine) as session:
        action = ActionContext(session, town.services.sealer, town.services.now())
        for _ in range(MOST_REFUSALS):
            action.put(town.victim, Refusal("", [], [], stale=False))
    browser, base = Browser(app).client, town.services.settings.base_url
    told = []
    for _ in range(2):
        token = form_token(browser.get(path, base_url=base).text)
        told.append(readable(browser.post(path, base_url=base, data={"csrf_token": token})))
        town.clock.advance(hours=25)
    assert "We cannot email you the reason" in told[0]
    assert "We have sent the reason to your main address" in told[1], (
        "the button is there as long as the question stands"
    )


_OFFICE = "ann@office.example"
_VOUCHING = ("_dmarc.office.example TXT v=DMARC1; p=reject", "office.example TXT v=spf1 ip4:192.88.99.1 -all")


def answered_on_the_page(town: ForgedEmails, app: Flask, mailed: list[Written], *, always: bool) -> str:
    """Press the button on the page of a question; return its text."""
    _, path = question_of(mailed)
    browser, base = Browser(app), town.services.settings.base_url
    fields = {"csrf_token": form_token(browser.client.get(path, base_url=base).text)}
    if always:
        fields["always"] = "1"
    answer = browser.client.post(path, base_url=base, data=fields)
    assert answer.status_code == 200
    return readable(answer)


def rights(town: ForgedEmails) -> bool | None:
    """Return whether Ann can log in from her office; None if it is not her address."""
    with reading(town.services.engine) as session:
        address = session.get(Address, _OFFICE)
        return None if address is None else address.logs_in


@pytest.mark.parametrize("always", [True, False])
def test_yes_always_lets_an_address_send_only_moves(town: ForgedEmails, app: Flask, always: bool) -> None:
    town.domain = zone(*_VOUCHING)
    row, mailed = town.write("c3", to=town.reply_address(), sender=_OFFICE, peer="192.88.99.1")
    assert (row.state, mailed[0].to, "yes always" in mailed[0].words) == ("asked", town.victim, True)
    page = answered_on_the_page(town, app, mailed, always=always)
    assert (f"From now on you can send moves from {_OFFICE}." in page) == always
    assert town.table.game().turn == 2
    assert rights(town) is (False if always else None)
    reports = [letter.to for letter in letters(town.services) if letter.letter == "account_changed"]
    assert reports == [town.victim] * always


def test_address_of_an_unverified_domain_is_not_added(town: ForgedEmails, app: Flask) -> None:
    _, mailed = town.write("c3", to=town.reply_address(), sender=_OFFICE)
    assert "yes always" not in mailed[0].words
    answered_on_the_page(town, app, mailed, always=True)
    assert (town.table.game().turn, rights(town)) == (2, None)


def test_player_is_notified_that_the_address_was_not_added(town: ForgedEmails) -> None:
    _, mailed = town.write("c3", to=town.reply_address(), sender=_OFFICE)
    _, told = town.write("yes always", to=question_of(mailed)[0])
    assert (town.table.game().turn, rights(town)) == (2, None)
    assert any(f"Nabu will ask you about each email from {_OFFICE}" in each.words for each in told)


def test_refusal_goes_to_the_player_even_if_the_address_is_added(town: ForgedEmails, app: Flask) -> None:
    town.domain = zone(*_VOUCHING)
    _, mailed = town.write("z9", to=town.reply_address(), sender=_OFFICE, peer="192.88.99.1")
    before = len(letters(town.services))
    page = answered_on_the_page(town, app, mailed, always=True)
    assert f"Your game has not changed. From now on you can send moves from {_OFFICE}." in page
    assert "Nothing has changed" not in page
    told = letters(town.services)[before:]
    assert {letter.letter for letter in told} == {"account_changed", "refusal"}
    changed = next(letter for letter in told if letter.letter == "account_changed")
    assert "when you answered “yes always”" in changed.words
    assert {letter.to for letter in told} == {town.victim}


def test_address_for_moves_can_add_no_other(town: ForgedEmails) -> None:
    """Such an address can send moves, but cannot answer questions to the player."""
    with writing(town.services.engine) as session:
        players.add_address(session, town.clock(), town.table.players[0], _OFFICE, logs_in=False)
    town.domain = zone(*_VOUCHING, "_dmarc.evil.example TXT v=DMARC1; p=reject", "evil.example TXT v=spf1 +all")
    _, mailed = town.write("c3", to=town.reply_address(), sender="eve@evil.example", peer="192.88.99.1")
    row, _ = town.write("yes always", to=question_of(mailed)[0], sender=_OFFICE, peer="192.88.99.1")
    assert (row.state, town.table.game().turn) == ("quarantined", 1)
    row, _ = town.write("c3", to=town.reply_address(), sender=_OFFICE, peer="192.88.99.1")
    assert (row.state, town.table.game().turn) == ("done", 2)


def test_pages_show_waiting_questions_only_to_the_player(town: ForgedEmails, app: Flask) -> None:
    _, path = question_of(town.write("resign", to=town.reply_address())[1])
    base = town.services.settings.base_url
    mine, other = (logged_in(town, app, player) for player in town.table.players)
    for page in ("/settings", "/games", f"/games/{town.table.number}"):
        assert path in mine.get(page, base_url=base).text
        assert path not in other.get(page, base_url=base).text
    town.clock.advance(days=inbox.QUESTION_STANDS.days, seconds=1)
    assert path not in mine.get("/settings", base_url=base).text


def logged_in(town: ForgedEmails, app: Flask, player: Player) -> FlaskClient:
    """Return a browser in which a player has used their login link."""
    browser, base = app.test_client(), town.services.settings.base_url
    with reading(town.services.engine) as session:
        path = f"/enter/{town.services.logins.write(session.get_one(Player, player.id))}"
    fields = {"csrf_token": form_token(browser.get(path, base_url=base).text)}
    assert browser.post(path, base_url=base, data=fields).status_code == 303
    return browser


def form_token(page: str) -> str:
    """Return the token in a form."""
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert token is not None
    return token[1]


def test_page_of_a_question_that_was_never_asked_is_not_found(town: ForgedEmails, app: Flask) -> None:
    row, _ = town.write("help")
    of_a_mail = town.services.tokens.write(ConfirmationToken(row.id or 0))
    of_a_game = town.services.tokens.write(ReplyToken(town.table.number, 0, 1))
    for secret in (of_a_mail, of_a_game, "a" * 36):
        assert (
            app.test_client().get(f"/yes/{secret}", base_url=town.services.settings.base_url).status_code == 410
        )


def test_opponents_address_is_not_offered_for_adding(services: Services, app: Flask) -> None:
    """Ben replies to an email to Ann that was forwarded to him, and his domain confirms the sender."""
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    ann, ben = table.players
    address = reply_address(services, table.number, 0, 1)
    (question,) = receive(services, ben.email, address, "c3")
    assert (question.letter, question.to) == ("asked", ann.email)
    assert f"it came from the address of {ben.name}, who also plays in this game" in question.words
    assert ben.email not in question.words
    assert "yes always" not in question.words
    _, path = question_of([question])
    page = readable(app.test_client().get(path))
    assert f"it came from the address of {ben.name}, who also plays in this game" in page
    assert ben.email not in page
    assert "accept my moves from" not in page


@pytest.mark.parametrize("text", ["note to myself", "c3\n\nDon't tell him.", "? c3", "show", "nonsense"])
def test_confirmed_email_is_answered_only_at_the_players_address(services: Services, text: str) -> None:
    """From any address: Ben must not see notes, conditional moves and unsent messages."""
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    ann, ben = table.players
    address = reply_address(services, table.number, 0, 1)
    (question,) = receive(services, ben.email, address, text)
    written = receive(services, ann.email, question.mail["Reply-To"], "yes")
    assert ann.email in {each.to for each in written}
    told = [each.words for each in written if each.to == ben.email]
    assert all(f"Your move. {ann.name} played c3." in words for words in told)
    assert not any("Your message below" in words for words in told)


def test_questions_do_not_reveal_the_owners_of_addresses(town: ForgedEmails) -> None:
    """A player can pretend to write from any address, and would learn its owner from the question."""
    asked = []
    for sender in (town.table.players[1].email, "nobody@office.example"):
        _, (question,) = town.write("c3", to=town.reply_address(), sender=sender)
        asked.append(re.sub(r"\S*/yes/\S*", "", question.words.replace(sender, "…")))
    assert asked[0] == asked[1]
