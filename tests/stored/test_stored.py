"""Data that version 0.1.0 stored in November 2026 works in this version, on both databases.

`2026-11.db.gz` was filled by that version. From the first release on it must not be written again: players then
have its emails in their mailboxes. `2026-11.json` has the time of the last change, and some of its games and
addresses. It contains:

- running games of every type, with every size, board, mode, number of players and time control; some with the
  players' words for luck, one that a player has left, one against a computer player, one imported;
- Nelaxtam with sealed orders of one seat, with orders of both and a delay, with hidden readiness, and with
  missed turns; rolled dice; conditional moves; takebacks, and a request for one; an offer of a draw; extra
  time; a game that can be claimed on time; a muted game;
- games that ended by moves, resignation, timeout, claim or agreement, or were abandoned; one imported;
- invitations by name, by address, partly accepted, waiting for words for luck, declined;
- players with several addresses, time zones, digests, reminders, vacations (also automatic ones) and forced
  moves; one who gets no email, one with bounces, one who complained, some who were only invited;
- outages of the server and of one game, late email, messages, notes, deferred reports with parts for one
  player, failures, a ticket and a known key;
- queued letters of every kind, and incoming emails: new, done, refused, quarantined, and some that a player has
  to confirm.
"""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from sqlmodel import Session, col, select

from mail.incoming.receiving import Received
from rules.records.verification import verify
from rules.registry import RULES
from server.accounts import players
from server.game.integrity.log_check import check, numbers_of_games
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.jobs.table import CLOCK, RESOLVING
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.letters.letter import LETTERS
from server.store.models import Failure, Game, Heartbeat, Inbox, Outbox, Player, Seat
from server.store.outbox import ActionContext
from server.web import create_app
from tests.stored import golden
from tests.stored.copies import FACTS
from tests.support.e2e.mailboxes import World
from tests.support.mail.bounces import bounce
from tests.support.server.emails import PLAY
from tests.support.server.games import load_game, offer_draw, take_back
from tests.support.server.jobs import work_of
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in

pytestmark = pytest.mark.slow

GAMES: dict[str, int] = FACTS["games"]
WAITING: dict[str, dict[str, Any]] = FACTS["waiting"]
MOST_TURNS = 10
STEPS = 10 * [12] + 15 * [48]
"""Hours between two checks of the mailboxes."""
FEW_TURNS = 2
"""Maximum number of turns in games like one that was already continued."""
_number = count(1)

on_both = pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)
"""For tests that read every game. `test_data_moved_between_databases_is_equal` says that the rows are equal."""


def lines(services: Services, number: int) -> list[dict[str, Any]]:
    """Return the turns of a game that were not taken back."""
    with reading(services.engine) as session:
        return [turn.body["line"] for turn in log.turns(session, session.get_one(Game, number))]


def player(services: Services, email: str) -> Player:
    """Return the player with this address."""
    with reading(services.engine) as session:
        found = players.by_email(session, email)
        assert found is not None
        return found


def handle_mail(services: Services) -> None:
    """Handle all waiting emails."""
    pipeline = services.pipeline()
    while pipeline.handle_next(services.now()):
        pass


def receive(services: Services, sender: str, to: str, content: bytes) -> Inbox:
    """Receive and handle an email after the waiting ones, and return its state."""
    services.reception().store([Received("smtp", "127.0.0.1", sender, (to,), content)])
    handle_mail(services)
    with reading(services.engine) as session:
        return session.exec(select(Inbox).order_by(col(Inbox.id).desc())).first() or pytest.fail("nothing came")


def reply(services: Services, sender: str, to: str, text: str, answers: str = "") -> Inbox:
    """Receive and handle a written email, and return its state."""
    head = f"From: {sender}\r\nTo: {to}\r\nSubject: Re\r\nMessage-ID: <{next(_number)}@home.test>\r\n"
    head += f"In-Reply-To: {answers}\r\n" if answers else ""
    return receive(services, sender, to, f"{head}\r\n{text}\r\n".encode())


# In its stored state


@pytest.mark.long
def test_data_moved_between_databases_is_equal(sqlite_stored: Path, moved_back: Path) -> None:
    """Copied from SQLite to PostgreSQL and back, so the checks on SQLite cover PostgreSQL too."""
    found = rows_of(moved_back)
    assert found == rows_of(sqlite_stored)
    assert found["game"]


def rows_of(file: Path) -> dict[str, list[list[Any]]]:
    """Return all rows of all tables as stored, with their columns sorted by name."""
    with closing(sqlite3.connect(file)) as connection:
        named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        tables = connection.execute(named).fetchall()
        found = {}
        for (table,) in tables:
            cursor = connection.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - our own table
            names = [column[0] for column in cursor.description]
            found[table] = sorted(sorted(zip(names, map(repr, row), strict=True)) for row in cursor)
        return found


@on_both
def test_stored_games_have_no_fault(services: Services) -> None:
    numbers = numbers_of_games(services.engine)
    found = {number: check(services.engine, services.sealer, number) for number in numbers}
    assert {number: str(finding) for number, finding in found.items() if finding} == {}
    assert set(GAMES.values()) <= set(found)


@on_both
def test_stored_records_are_unchanged(services: Services) -> None:
    wanted, found = golden.read(golden.RECORDS), golden.records(services)
    assert list(found) == list(wanted)
    for title, text in wanted.items():
        assert found[title] == text, title
        assert verify(text).wrong is None


@pytest.mark.long
def test_stored_letters_are_rendered_as_intended(services: Services, world: World) -> None:
    """After a deliberate change of letters, run `python -m tests.stored.golden`."""
    wanted, found = golden.read(golden.LETTERS), golden.letters(services, world)
    assert {title.split()[0] for title in wanted} <= set(LETTERS)
    assert list(found) == list(wanted)
    for title, text in wanted.items():
        assert found[title] == text, title
    with reading(services.engine) as session:
        assert session.exec(select(Outbox.error).where(Outbox.state == "queued")).all() == []


@pytest.mark.long
def test_page_of_every_stored_game_can_be_shown(services: Services) -> None:
    app = create_app(services)
    browser, stranger = logged_in(app, services, player(services, "ann@example.org")), Browser(app)
    for address in ("/games", "/settings"):
        assert browser.get(address).status_code == 200
    for number in numbers_of_games(services.engine):
        begun = load_game(services, number).entries > 0
        assert not begun or stranger.get(f"/games/{number}").status_code == 200
        assert browser.get(f"/games/{number}").status_code in ((200,) if begun else (200, 404))


# Continuing games


@pytest.mark.parametrize("database_url", ["sqlite", "postgresql", "moved"], indirect=True)
def test_stored_waiting_emails_take_effect(services: Services) -> None:
    handle_mail(services)
    with reading(services.engine) as session:
        assert session.exec(select(Inbox.why).where(col(Inbox.state).in_(("new", "asked")))).all() == []
        assert session.exec(select(Player.name).where(Player.email == "fresh@example.org")).one() == "Fresh"
        last = session.exec(select(Game).order_by(col(Game.id).desc())).first()
        assert last is not None
        assert (last.game_type, last.state, last.terms["time"]) == ("nibble", "invited", "2d")
    for what in ("move", "nexus", "dice", "yes"):
        line = lines(services, WAITING[what]["game"])[-1]
        assert (line["seat"], line["move"]) == (WAITING[what]["seat"], WAITING[what]["move"])
    assert load_game(services, WAITING["orders"]["game"]).turn == WAITING["orders"]["turn"] + 1
    answered = WAITING["conditional"]
    assert load_game(services, answered["game"]).turn == answered["turns"]
    assert lines(services, answered["game"])[-1]["move"] == answered["answer"]
    assert (load_game(services, WAITING["draw"]["game"]).result or {})["reason"] == "agreed-draw"
    assert load_game(services, WAITING["accept"]["game"]).state == "running"
    assert load_game(services, WAITING["refusal"]["game"]).turn == WAITING["refusal"]["turn"]
    assert [player(services, f"{name}@example.org").zone for name in ("pia", "dan")] == 2 * ["Asia/Tokyo"]


@pytest.mark.parametrize("way", ["address", "id"])
def test_stored_emails_can_be_answered(services: Services, way: str) -> None:
    for sent in FACTS["addresses"]:
        before = load_game(services, sent["game"])
        rules, position = log.rules_of(before), log.position_of(before)
        move = rules.format(rules.sample(position, sent["seat"], random.Random(1).randrange))
        to, answers = (sent["to"], "") if way == "address" else (PLAY, sent["id"])
        assert reply(services, sent["sender"], to, move, answers).state == "done"
        if not rules.simultaneous:
            line = lines(services, sent["game"])[before.turn - 1]
            assert (line["seat"], line["move"]) == (sent["seat"], move)
    assert {load_game(services, sent["game"]).game_type for sent in FACTS["addresses"]} == set(RULES)


def test_stored_addresses_and_stop_links_still_work(services: Services) -> None:
    known = FACTS["several addresses"]
    assert player(services, known["address"]).name == known["name"]
    browser = Browser(create_app(services))
    assert browser.send(FACTS["stop"]["link"]).status_code == 200
    assert player(services, f"{FACTS['stop']['name'].lower()}@example.org").mail_stopped


def test_bounce_of_a_stored_email_is_recognized(services: Services) -> None:
    sent = FACTS["returned"]
    row = receive(services, "", sent["to"], bounce(sent["sender"]))
    assert row.why == "bounce: noted"
    with reading(services.engine) as session:
        assert session.exec(select(Outbox.state).where(Outbox.key == sent["key"])).one() == "returned"


def test_stored_conditional_moves_are_played(services: Services) -> None:
    kept, number = FACTS["conditions"], GAMES["conditions"]
    turn = load_game(services, number).turn
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        _, mover = log.seats(session, session.get_one(Game, number))[1 - kept["seat"]]
        moves.submit(action, mover, Target(number, 1 - kept["seat"], turn), kept["move"])
    played = [line["move"] for line in lines(services, number)[turn - 1 :]]
    assert played == [kept["move"], kept["answer"]]


@pytest.mark.parametrize(
    ("what", "act", "last"),
    [
        ("undo asked", take_back, "undo"),
        ("claimable", moves.claim, "end"),
        ("draw offered", offer_draw, "end"),
    ],
)
def test_stored_requests_in_a_game_can_be_answered(
    services: Services, what: str, act: Callable[[ActionContext, Player, Target], Game], last: str
) -> None:
    """Players to move accept requests and offers; opponents of players out of time claim the game."""
    with writing(services.engine) as session:
        game, action = (
            session.get_one(Game, GAMES[what]),
            ActionContext(session, services.sealer, services.now()),
        )
        (owing,) = (seat.number for seat, _ in log.seats(session, game) if seat.owes)
        act(action, *_place(action, game, 1 - owing if what == "claimable" else owing))
        assert log.entries(session, game)[-1].body["type"] == last
        assert verify(log.record(session, game).to_json()).wrong is None


@pytest.mark.long
@pytest.mark.first
def test_every_stored_game_can_be_continued(services: Services) -> None:
    """Play some turns or to the end; then the remaining player resigns, and the record is verified."""
    seen: set[str] = set()
    with reading(services.engine) as session:
        running = list(session.exec(select(Game.id).where(Game.state == "running").order_by(col(Game.id))))
    assert set(RULES) == {load_game(services, number or 0).game_type for number in running}
    for number in filter(None, running):
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, services.now())
            stored = session.get_one(Game, number)
            sort = f"{stored.game_type} {stored.options}"
            most = FEW_TURNS if sort in seen else MOST_TURNS
            seen.add(sort)
            text = played_on(action, stored, most)
        assert verify(text).wrong is None, number


def played_on(action: ActionContext, game: Game, most: int) -> str:
    """Play up to so many turns, each as soon as its delay is over, and return the record."""
    below = random.Random(game.id).randrange
    last = game.turn + most
    while game.state == "running":
        seats = [seat.number for seat, _ in log.seats(action.session, game)]
        if game.turn >= last:
            staying = next(seat for seat in seats if seat not in log.seats_out(game))
            moves.resign(action, *_place(action, game, staying))
            continue
        for seat, text in _owed(action.session, game, below):
            moves.submit(action, *_place(action, game, seat), text)
        if game.resolve_at is not None:
            moves.resolve_due(ActionContext(action.session, action.sealer, game.resolve_at), game)
    return log.record(action.session, game).to_json()


def _owed(session: Session, game: Game, below: Callable[[int], int]) -> list[tuple[int, str]]:
    """Return a random move of each seat that owes one."""
    rules, position = log.rules_of(game), log.position_of(game)
    owing = [seat.number for seat, _ in log.seats(session, game) if seat.owes]
    return [(seat, rules.format(rules.sample(position, seat, below))) for seat in owing]


def _place(action: ActionContext, game: Game, seat: int) -> tuple[Player, Target]:
    """Return the player of a seat and the target of their actions."""
    return log.seats(action.session, game)[seat][1], Target(log.id_of(game), seat, game.turn)


# As time passes


@pytest.mark.long
@pytest.mark.first
def test_stored_due_work_is_done(services: Services, clock: Clock) -> None:
    """Run five weeks with deadlines, delays, digests, reminders and vacations, without a failure."""
    handle_mail(services)
    moment = clock()
    told: Counter[str] = Counter()
    for hours in STEPS:
        clock.advance(hours=hours)
        told.update(pass_to(services, clock))
    with reading(services.engine) as session:
        assert session.exec(select(Failure.what).where(Failure.since > moment)).all() == []
        assert set(session.exec(select(Seat.sealed_aside))) == {None}
    assert set(lines(services, GAMES["delayed"])[0]["orders"]) == {"0", "1"}
    for what in ("daily", "mail late", "auto vacation", "stands"):
        assert load_game(services, GAMES[what]).state == "over", what
    assert told["digest"]
    assert told["reminder"]
    assert told["overdue"]


def test_stored_digest_and_muted_game_report_deferred_turns(services: Services, clock: Clock) -> None:
    for what, email, days in (
        ("held for a digest", "fay@example.org", 1),
        ("held while muted", "gus@example.org", 28),
    ):
        clock.advance(days=days)
        pass_to(services, clock)
        with reading(services.engine) as session:
            query = select(Outbox).where(Outbox.recipient == email, Outbox.letter == "digest")
            last = session.exec(query.order_by(col(Outbox.id).desc())).first()
            assert last is not None
            text = services.writer.text(session, last)
        assert f"/games/{GAMES[what]}" in text
        assert "Played for you from your conditional moves" in text
        assert "that was quick" in text


def pass_to(services: Services, clock: Clock) -> list[str]:
    """Run the worker at this moment, as if it had been running until then; return the emails it sent."""
    with writing(services.engine) as session:
        session.execute(update(Heartbeat).values(at=clock()))
        queued = update(Outbox).where(col(Outbox.state) == "queued")
        session.execute(queued.values(state="sent", sent_at=Outbox.created_at))
    CLOCK.run(work_of(services, clock))
    while RESOLVING.run_next(services.engine, services.sealer, clock()):
        pass
    with reading(services.engine) as session:
        return list(session.exec(select(Outbox.letter).where(Outbox.state == "queued")))
