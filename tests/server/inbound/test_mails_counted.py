"""Complete games by email: each player gets at most one email per turn of the others."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import count

import pytest
from sqlmodel import col, select

from mail.incoming.receiving import Received
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Outbox
from tests.support.server.computer_players import move_next
from tests.support.server.emails import reply_address
from tests.support.server.games import begin
from tests.support.server.players import add_player

GAMES = [
    # About 210 and 130 emails.
    pytest.param("nardshir", {}, 2, marks=pytest.mark.long),
    pytest.param("nelaxtam", {"size": 10, "troops": 2, "sea": 0}, 2, marks=pytest.mark.long),
    ("nebuchadnezzar", {"size": 5}, 2),
    ("nexus", {"players": 3}, 3),
    ("nibble", {}, 2),
]
_number = count(1)


@dataclass
class ByMail:
    """A game by email with random moves; `turns` counts the turns of each seat."""

    services: Services
    number: int
    turns: Counter[int] = field(default_factory=Counter)

    def game(self) -> Game:
        with reading(self.services.engine) as session:
            return session.get_one(Game, self.number)

    def addresses(self) -> list[str]:
        with reading(self.services.engine) as session:
            return [player.email for _, player in log.seats(session, session.get_one(Game, self.number))]

    def answer(self, seat: int, turn: int, text: str) -> None:
        """Reply to the email about a turn with this text."""
        sender = self.addresses()[seat]
        to = reply_address(self.services, self.number, seat, turn)
        head = f"From: {sender}\r\nTo: {to}\r\nSubject: Re\r\nMessage-ID: <{next(_number)}@counted.test>\r\n"
        mail = Received("smtp", "127.0.0.1", sender, (to,), f"{head}\r\n{text}\r\n".encode())
        self.services.reception().store([mail])
        while self.services.pipeline().handle_next(self.services.now()):
            pass

    def play(self) -> None:
        """Play the game to its end."""
        below = random.Random(1).randrange
        while (game := self.game()).state == "running":
            rules, position = log.rules_of(game), log.position_of(game)
            for seat in rules.to_move(position):
                if self.addresses()[seat]:
                    self.answer(seat, game.turn, rules.format(rules.sample(position, seat, below)))
            while move_next(self.services):
                pass
        with reading(self.services.engine) as session:
            for entry in log.turns(session, game):
                line = entry.body["line"]
                orders = line.get("orders", (line.get("seat"),))
                self.turns.update(int(seat) for seat in orders)

    def mailed(self) -> dict[str, Counter[str]]:
        """Return the emails of each player by the name of the letter."""
        with reading(self.services.engine) as session:
            rows = session.exec(select(Outbox).where(Outbox.game_id == self.number).order_by(col(Outbox.id)))
            found: dict[str, Counter[str]] = {address: Counter() for address in self.addresses() if address}
            for row in rows:
                found[row.recipient][row.letter] += 1
            return found


@pytest.mark.slow  # complete games
@pytest.mark.parametrize(("game_type", "options", "seats"), GAMES)
def test_player_gets_at_most_one_email_for_each_turn_of_others(
    services: Services, game_type: str, options: dict[str, object], seats: int
) -> None:
    """Not counting the invitation, the start, the end, and the receipts for orders."""
    people = [add_player(services, f"{name}@example.org", name.title()) for name in ("ann", "ben", "cem")]
    game = ByMail(services, begin(services, game_type, *people[:seats], **options))
    game.play()
    for seat, (address, letters) in enumerate(game.mailed().items()):
        others = max(played for other, played in game.turns.items() if other != seat)
        assert letters.keys() <= {"invitation", "accepted", "report", "receipt"}, address
        assert letters["report"] <= others + 2, address
        assert letters["report"] >= min(5, others), address
        assert letters["receipt"] <= game.turns[seat]
