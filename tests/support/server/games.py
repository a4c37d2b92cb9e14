"""Games of people, as if they had been arranged and played by email or on the web."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlmodel import col, select

from server.accounts import players
from server.game import lobby, log, play, press, seeking
from server.game.target import Target
from server.jobs import timekeeping
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Entry, Envelope, Game, Heartbeat, Outbox, Player
from server.store.outbox import Action
from server.store.tokens import ReplyToken
from tests.support.server.emails import Written, receive
from tests.support.server.services import Clock


def begin(services: Services, kind: str, *seated: Player, **options: object) -> int:
    """The number of a new game; the first player challenges, the others accept."""
    with writing(services.engine) as session:
        action = Action(session, services.sealer, services.now())
        first, *others = (session.get_one(Player, player.id) for player in seated)
        number = log.identity(lobby.challenge(action, first, others, kind, options))
        for other in others:
            lobby.accept(action, other, number)
        return number


def open_game(services: Services, player: Player, kind: str = "nibble", **options: object) -> int:
    """The number of a game that a player opens to anybody."""
    with writing(services.engine) as session:
        action = Action(session, services.sealer, services.now())
        return log.identity(seeking.seek(action, session.get_one(Player, player.id), kind, options))


def submit(services: Services, number: int, seat: int, text: str) -> None:
    """Have a seat play its move, by mail as it were."""
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        _, player = log.seats(session, game)[seat]
        action = Action(session, services.sealer, services.now())
        play.submit(action, player, Target(number, seat, game.turn), text)


class Table:
    """A game of two people, for tests: `first` and `second` by seat."""

    def __init__(self, services: Services, kind: str, **options: object) -> None:
        self.services = services
        with writing(services.engine) as session:
            action = Action(session, services.sealer, services.now())
            ann = players.register(action, "ann@example.org", "Ann")
            ben = players.register(action, "ben@example.org", "Ben")
            game = lobby.challenge(action, ann, [ben], kind, options)
            lobby.accept(action, ben, log.identity(game))
            self.number = log.identity(game)
            self.players = [player for _, player in log.seats(session, game)]

    def game(self) -> Game:
        with reading(self.services.engine) as session:
            return session.get_one(Game, self.number)

    def submit(self, seat: int, text: str, *, turn: int | None = None, by: int | None = None) -> None:
        target = Target(self.number, seat, self.game().turn if turn is None else turn)
        player = self.players[seat if by is None else by]
        with writing(self.services.engine) as session:
            play.submit(Action(session, self.services.sealer, self.services.now()), player, target, text)

    def deadlines(self) -> list[datetime]:
        """When each seat has to have moved; all of them owe a move that is timed."""
        with reading(self.services.engine) as session:
            seats = [seat for seat, _ in log.seats(session, session.get_one(Game, self.number))]
            return [seat.deadline_at for seat in seats if seat.deadline_at is not None]

    def letters(self) -> list[str]:
        with reading(self.services.engine) as session:
            query = select(Outbox.letter).where(Outbox.game_id == self.number)
            return list(session.exec(query.order_by(col(Outbox.id))))

    def snapshot(self) -> tuple[object, ...]:
        """All that a refused move must leave as it is."""
        with reading(self.services.engine) as session:
            game = session.get_one(Game, self.number)
            counts = [len(list(session.exec(select(table)))) for table in (Entry, Envelope, Outbox)]
            return (game.turn, game.position, game.state, game.result, *counts)


def doing(services: Services, act: Callable[[Action], object]) -> None:
    with writing(services.engine) as session:
        act(Action(session, services.sealer, services.now()))


def move(services: Services, number: int) -> str:
    """Have whoever is to move play something; what it was."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        rules, position = log.rules_of(game), log.position_of(game)
        seat = rules.to_move(position)[0]
        text = rules.format(next(rules.moves(position, seat)))
    submit(services, number, seat, text)
    return text


def resign(services: Services, number: int, player: Player) -> None:
    def act(action: Action) -> None:
        known, game = action.session.get_one(Player, player.id), action.session.get_one(Game, number)
        seat = lobby.seat_of(action.session, game, known)
        assert seat is not None
        play.resign(action, known, Target(number, seat, game.turn))

    doing(services, act)


def act(services: Services, number: int, seat: int, what: Callable[[Action, Player, Target], Game]) -> None:
    """Have a seat do something."""
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        _, player = log.seats(session, game)[seat]
        what(Action(session, services.sealer, services.now()), player, Target(number, seat, game.turn))


def say(
    services: Services, number: int, seat: int, text: str, *, private: bool = False, listener: int | None = None
) -> None:
    """Have a seat say something, to all or to one `listener`, or note it."""
    with writing(services.engine) as session:
        action = Action(session, services.sealer, services.now())
        press.keep(action, session.get_one(Game, number), seat, text, private=private, listener=listener)


def tick(services: Services, clock: Clock, **step: float) -> None:
    """Let time pass with mail delivered and a worker that beats."""
    timekeeping.tick(services.engine, services.sealer, clock)
    clock.advance(**step)
    with writing(services.engine) as session:
        for mail in session.exec(select(Outbox).where(Outbox.state == "queued")):
            mail.state, mail.sent_at = "sent", mail.created_at
        session.get_one(Heartbeat, 1).at = clock()
    timekeeping.tick(services.engine, services.sealer, clock)


def reply(table: Table, seat: int, text: str, turn: int | None = None) -> list[Written]:
    """The letters that a reply causes."""
    token = table.services.tokens.write(
        ReplyToken(table.number, seat, table.game().turn if turn is None else turn)
    )
    return receive(table.services, table.players[seat].email, f"play+{token}@games.example.org", text)


def mover(table: Table) -> tuple[int, str, str]:
    """Who is to move: their seat, their address, and where their reply goes."""
    with reading(table.services.engine) as session:
        game = session.get_one(Game, table.number)
        seat = log.rules_of(game).to_move(log.position_of(game))[0]
        email = log.seats(session, game)[seat][1].email
        token = ReplyToken(table.number, seat, game.turn)
    return seat, email, f"play+{table.services.tokens.write(token)}@games.example.org"
