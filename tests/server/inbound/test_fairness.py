"""A sender of very many emails delays only their own, not those of others."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlmodel import col, select

from mail.incoming.receiving import Received
from server.game.log import log
from server.processes.services import Services
from server.store import inbox
from server.store.db import reading
from server.store.models import Game, Inbox
from tests.support.server.emails import PLAY, reply_address
from tests.support.server.games import begin
from tests.support.server.players import add_player
from tests.support.server.services import Clock

FLOOD = 30


class Queue:
    """Incoming emails, handled one by one."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.number = 0
        self.done: list[int] = []

    def come(self, sender: str, words: str, to: str = PLAY, peer: str = "10.0.0.1", mail_from: str = "") -> int:
        """Store an email; return its number."""
        self.number += 1
        head = f"From: {sender}\r\nTo: {to}\r\nSubject: Re\r\nMessage-ID: <{self.number}@queue.test>\r\n\r\n"
        mail = Received("smtp", peer, mail_from or sender, (to,), f"{head}{words}\r\n".encode())
        self.services.reception().store([mail])
        with reading(self.services.engine) as session:
            return session.exec(select(Inbox.id).order_by(col(Inbox.id).desc()).limit(1)).one() or 0

    def handled(self, most: int) -> list[int]:
        """Handle some emails; return their numbers in order."""
        before = len(self.done)
        for _ in range(most):
            assert self.services.pipeline().handle_next(self.services.now())
            with reading(self.services.engine) as session:
                ended = session.exec(select(Inbox.id).where(Inbox.state != "new")).all()
            self.done += [number for number in ended if number is not None and number not in self.done]
        return self.done[before:]


@pytest.fixture
def queue(services: Services) -> Queue:
    return Queue(services)


def game_of(services: Services, *names: str) -> tuple[str, str]:
    """Start a game; return the address of the player who has to move, and the reply address."""
    people = [add_player(services, f"{name.lower()}@example.org", name) for name in names]
    number = begin(services, "nebuchadnezzar", *people, size=5)
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        seat = log.rules_of(game).to_move(log.position_of(game))[0]
        email = log.seats(session, game)[seat][1].email
    return email, reply_address(services, number, seat, 1)


def test_move_does_not_wait_for_a_flood_of_other_emails(services: Services, clock: Clock, queue: Queue) -> None:
    """3,000 emails of one sender delayed all moves by 40 seconds."""
    mover, address = game_of(services, "Ann", "Ben")
    flood = [queue.come("mallory@evil.test", f"help {number}") for number in range(FLOOD)]
    clock.advance(seconds=1)
    move = queue.come(mover, "a1", address)
    assert queue.handled(2) == [move, flood[0]]


@pytest.mark.parametrize("peer", ["10.0.0.1", "9.9.9.9"])
def test_senders_take_turns(clock: Clock, queue: Queue, peer: str) -> None:
    flood = [queue.come("mallory@evil.test", f"help {number}", peer=peer) for number in range(FLOOD)]
    clock.advance(seconds=1)
    other = [queue.come("zoe@world.test", f"help {number}", peer="8.8.8.8") for number in range(2)]
    assert queue.handled(4) == [flood[0], other[0], flood[1], other[1]]


@pytest.mark.both
def test_external_computer_is_one_sender_under_any_name(clock: Clock, queue: Queue) -> None:
    flood = [queue.come(f"m{number}@evil.test", "help", peer="9.9.9.9") for number in range(FLOOD)]
    clock.advance(seconds=1)
    other = queue.come("zoe@world.test", "help", peer="8.8.8.8")
    assert queue.handled(2) == [flood[0], other]


def test_flood_for_one_game_delays_no_other(services: Services, clock: Clock, queue: Queue) -> None:
    mine, my_address = game_of(services, "Ann", "Ben")
    flood = [queue.come(mine, f"nonsense {number}", my_address) for number in range(FLOOD)]
    clock.advance(seconds=1)
    other, address = game_of(services, "Cleo", "Dan")
    move = queue.come(other, "a1", address)
    stranger = queue.come("zoe@world.test", "help")
    assert queue.handled(2) == [flood[0], move]
    assert stranger in queue.handled(12), "nor do other senders wait until it is over"


def test_emails_about_one_game_stay_in_order(services: Services, clock: Clock, queue: Queue) -> None:
    mover, address = game_of(services, "Ann", "Ben")
    first = [queue.come(mover, f"nonsense {number}", address) for number in range(15)]
    assert queue.handled(5) == first[:5]
    clock.advance(seconds=1)
    last = queue.come(mover, "a1", address)
    assert queue.handled(11) == [*first[5:], last]


@pytest.mark.parametrize("database", ["sqlite"])
def test_next_email_is_found_without_sorting(services: Services) -> None:
    """With 3,000 waiting emails, looking at each one 3,000 times would take minutes.

    PostgreSQL plans by what the tables contain, so only SQLite is tested.
    """
    statement = str(inbox._NEXT.statement.compile(services.engine, compile_kwargs={"literal_binds": False}))
    with services.engine.connect() as connection:
        plan = connection.execute(
            text(f"EXPLAIN QUERY PLAN {statement.replace('?', ':x')}"), {"x": "new"}
        ).all()
    told = " ".join(str(step[-1]) for step in plan)
    assert "ix_inbox_turn" in told
    assert "TEMP B-TREE" not in told
