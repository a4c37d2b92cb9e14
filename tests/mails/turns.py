"""Real turn mails of ours, one for each kind of game, that the generated answers quote."""

from __future__ import annotations

import email
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from functools import cache
from random import Random
from typing import Any

from sqlmodel import Session, col, select

from rules.game import Rules
from rules.registry import RULES
from server.accounts import players
from server.game.lobby import challenges
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.interpretation.doubts import Doubts
from server.interpretation.reply_checks import courtesy_among, moves_at
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import writing
from server.store.models import Game, Outbox, Player
from server.store.outbox import ActionContext
from tests.support.server.services import settings_for, sqlite_database

_TURNS = 6  # that are played before the mail


@dataclass(frozen=True)
class Turn:
    """A mail that asks for a move, and a move that can be played and that the mail itself does not name."""

    game_type: str
    rules: Rules[Any, Any]
    position: Any
    seat: int
    move: str
    text: str
    html: str
    subject: str
    reply_to: str
    message_id: str

    def is_move(self, lines: str) -> bool:
        """Return whether a text is written like a move of this game."""
        return self.rules.reads(self.position, self.seat, lines)

    @property
    def doubts(self) -> Doubts:
        """Return the rules that decide whether a reply is clear."""
        return Doubts(moves_at(self.rules, self.position, self.seat), courtesy_among([]))

    def canonical(self, move: str) -> str:
        """The move in its own spelling; raises RuleError when it cannot be played."""
        return self.rules.format(self.rules.parse(self.position, self.seat, move))


@cache
def turns() -> tuple[Turn, ...]:
    """A turn of a random game of each kind."""
    with tempfile.TemporaryDirectory(prefix="nabu-turns-") as folder:
        services = open_services(_settings(folder), lambda: datetime(2026, 3, 2, 14, 4, tzinfo=UTC))
        with writing(services.engine) as session:
            found = tuple(_turn(services, session, game_type) for game_type in RULES)
        services.engine.dispose()
    return found


def _settings(folder: str) -> Settings:
    return settings_for(sqlite_database(folder), base_url="https://games.example.org")


def _turn(services: Services, session: Session, game_type: str) -> Turn:
    action = ActionContext(session, services.sealer, services.now())
    ann, ben = (
        players.register(action, f"{name}.{game_type}@example.org", f"{name} {game_type}")
        for name in ("ann", "ben")
    )
    game = challenges.challenge(action, ann, [ben], game_type, {})
    challenges.accept(action, ben, log.id_of(game))
    rules, choose = log.rules_of(game), Random(game_type).randrange
    for _ in range(_TURNS):
        _play_one(action, game, choose)
    return asked(services, session, game, rules.to_move(log.position_of(game))[0], choose)


def asked(services: Services, session: Session, game: Game, seat: int, choose: Callable[[int], int]) -> Turn:
    """The turn that a seat is asked for now, with a random move that the mail does not name if possible."""
    rules, position = log.rules_of(game), log.position_of(game)
    owner = log.seats(session, game)[seat][1]
    mail = email.message_from_bytes(services.writer.write(session, _last_report(session, game, owner)))
    plain, html = (_content(mail, media_type) for media_type in ("text/plain", "text/html"))
    drawn = [rules.format(rules.sample(position, seat, choose)) for _ in range(20)]
    return Turn(
        game_type=game.game_type,
        rules=rules,
        position=position,
        seat=seat,
        move=next((text for text in drawn if text not in plain), drawn[0]),
        text=plain,
        html=html,
        subject=str(mail["Subject"]),
        reply_to=str(mail["Reply-To"]),
        message_id=str(mail["Message-ID"]),
    )


def _play_one(action: ActionContext, game: Game, choose: Callable[[int], int]) -> None:
    """Have a whole turn played, by all who are to move."""
    rules, position = log.rules_of(game), log.position_of(game)
    for seat in rules.to_move(position):
        player = log.seats(action.session, game)[seat][1]
        move = rules.format(rules.sample(position, seat, choose))
        moves.submit(action, player, Target(log.id_of(game), seat, game.turn), move)


def _last_report(session: Session, game: Game, player: Player) -> Outbox:
    session.flush()
    query = select(Outbox).where(Outbox.game_id == game.id, Outbox.recipient == player.email)
    return session.exec(query.where(Outbox.letter == "report").order_by(col(Outbox.id).desc()).limit(1)).one()


def _content(mail: Message, media_type: str) -> str:
    part = next(part for part in mail.walk() if part.get_content_type() == media_type)
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    return data.decode().replace("\r\n", "\n")
