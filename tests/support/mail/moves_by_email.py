"""Moves by email without a mail server: stored as if they had arrived, and handled."""

from __future__ import annotations

from sqlmodel import select

from mail.incoming.receiving import Received
from rules.registry import rules_named
from server.game.log import log
from server.inbound.pipeline import Ahead
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.deferral import EVERY_TURN, MAIL
from server.store.models import Game, Outbox, Player
from tests.support.counting import statements
from tests.support.server.emails import reply_address
from tests.support.server.games import begin
from tests.support.server.players import add_player


def games_under_way(services: Services) -> list[int]:
    """Start two games with one move each, whose emails are sent."""
    pair = [add_player(services, f"{name}@example.org", name.title()) for name in ("ann", "ben")]
    numbers = [begin(services, "nebuchadnezzar", *pair, size=5) for _ in range(2)]
    for number in numbers:
        store_move(services, number, 1)
        services.pipeline().handle_next(services.now())
    _deliver(services)
    with writing(services.engine) as session:
        for player in session.exec(select(Player)):
            player.choices = {MAIL: EVERY_TURN}
    return numbers


def store_move(services: Services, number: int, turn: int) -> None:
    """Store a reply with a legal move."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        position, people = log.position_of(game), [player.email for _, player in log.seats(session, game)]
    rules = rules_named("nebuchadnezzar")
    (seat,) = rules.to_move(position)
    to = reply_address(services, number, seat, turn)
    head = f"From: {people[seat]}\nTo: {to}\nMessage-ID: <{number}.{turn}@sender.test>\n\n"
    move = rules.format(rules.sample(position, seat, lambda below: 0))
    mail = Received("smtp", "127.0.0.1", people[seat], (to,), f"{head}{move}\n".encode())
    services.reception().store([mail])


def asked_by_a_move(services: Services, games: list[int]) -> list[str]:
    """Return the database queries for the second of two successive moves."""
    pipeline, ahead = services.pipeline(), Ahead()
    for number in games:
        store_move(services, number, 2)
    assert pipeline.handle_next(services.now(), ahead=ahead)
    with statements(services) as found:
        assert pipeline.handle_next(services.now(), ahead=ahead)
    return found


def asked_by_reports(services: Services, game: int, turn: int) -> list[str]:
    """Return the database queries for writing both reports of a move."""
    _deliver(services)
    store_move(services, game, turn)
    assert services.pipeline().handle_next(services.now())
    writer = services.delivery().writer
    with reading(services.engine) as session:
        mails = session.exec(select(Outbox).where(Outbox.state == "queued")).all()
        assert [mail.letter for mail in mails] == ["report", "report"]
        with statements(services) as found:
            assert all(writer.write_what_is_true(session, mail) for mail in mails)
    return found


def _deliver(services: Services) -> None:
    """Mark all emails as sent."""
    with writing(services.engine) as session:
        session.connection().exec_driver_sql("UPDATE outbox SET state = 'sent'")
