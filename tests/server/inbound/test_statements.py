"""What a move by mail asks the database: each thing once."""

from __future__ import annotations

import re

import pytest
from sqlmodel import select

from mail.incoming.receiving import Received
from rules.registry import kind
from server.game import log
from server.inbound.pipeline import Ahead
from server.processes.services import Services
from server.store import inbox
from server.store.db import reading, writing
from server.store.deferral import EVERY_TURN, MAIL
from server.store.models import Game, Outbox, Player
from server.store.tokens import ReplyToken
from tests.counting import statements
from tests.server.browsers import add_player, begin

pytestmark = pytest.mark.both

_TABLE = re.compile(r"(?:(SELECT) .*?\bFROM|(INSERT) INTO|(UPDATE)) (\w+)", re.DOTALL)
_A_MOVE = [
    # From whom it is, and about which game.
    *("update inbox", "select address", "select game", "select seat", "select inbox"),
    # The move, and the letter for the other player.
    *("select entry", "insert entry", "select pause", "select browser", "insert outbox"),
    # How the game stands then, and the letter for whoever moved.
    *("update game", "update seat", "update seat", "insert outbox"),
    # The end of this mail, and whether there is another.
    *("update inbox", "select inbox"),
]
_TWO_REPORTS = ["select game", "select seat", "select entry"]


def _move(services: Services, number: int, turn: int) -> None:
    """Store a reply with a legal move."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        position, people = log.position_of(game), [player.email for _, player in log.seats(session, game)]
    rules = kind("nebuchadnezzar")
    (seat,) = rules.to_move(position)
    to = f"play+{services.tokens.write(ReplyToken(number, seat, turn))}@games.example.org"
    head = f"From: {people[seat]}\nTo: {to}\nMessage-ID: <{number}.{turn}@sender.test>\n\n"
    move = rules.format(rules.sample(position, seat, lambda below: 0))
    mail = Received("smtp", "127.0.0.1", people[seat], (to,), f"{head}{move}\n".encode())
    with writing(services.engine) as session:
        inbox.store(session, services.sealer, services.tokens, services.now(), [mail])


def _asked(found: list[str]) -> list[str]:
    """The statements as verb and table, without what begins and ends their transactions."""
    matches = (_TABLE.match(statement) for statement in found)
    return [f"{(each[1] or each[2] or each[3]).lower()} {each[4]}" for each in matches if each]


@pytest.fixture
def games(services: Services) -> list[int]:
    """Two games in which a move has been made, and its mails are sent."""
    pair = [add_player(services, f"{name}@example.org", name.title()) for name in ("ann", "ben")]
    numbers = [begin(services, "nebuchadnezzar", *pair, size=5) for _ in range(2)]
    for number in numbers:
        _move(services, number, 1)
        services.pipeline().handle_next(services.now())
    with writing(services.engine) as session:
        session.connection().exec_driver_sql("UPDATE outbox SET state = 'sent'")
        for player in session.exec(select(Player)):
            player.choices = {MAIL: EVERY_TURN}
    return numbers


def test_a_move_asks_for_each_thing_once(services: Services, games: list[int]) -> None:
    pipeline, ahead = services.pipeline(), Ahead()
    for number in games:
        _move(services, number, 2)
    assert pipeline.handle_next(services.now(), ahead=ahead)
    with statements(services) as found:
        assert pipeline.handle_next(services.now(), ahead=ahead)
    assert _asked(found) == _A_MOVE


def test_both_reports_of_a_turn_look_it_up_once(services: Services, games: list[int]) -> None:
    _move(services, games[0], 2)
    assert services.pipeline().handle_next(services.now())
    writer = services.delivery().writer
    with reading(services.engine) as session:
        mails = session.exec(select(Outbox).where(Outbox.state == "queued")).all()
        assert [mail.letter for mail in mails] == ["report", "report"]
        with statements(services) as found:
            assert all(writer.write_what_is_true(session, mail) for mail in mails)
    assert _asked(found) == _TWO_REPORTS
