"""Games between players: start one, move, resign, reply, and let time pass."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

import pytest
from sqlmodel import Session, col, select

from server.accounts import players
from server.game.lobby import challenges, joining
from server.game.log import log
from server.game.messages import messages
from server.game.play import moves
from server.game.play.proposals import DRAW, TAKEBACK
from server.game.play.target import Target
from server.jobs.table import CLOCK
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Entry, Envelope, Game, Heartbeat, Outbox, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.emails import Written, receive, reply_address
from tests.support.server.jobs import work_of
from tests.support.server.services import Clock

offer_draw = partial(moves.propose, proposal=DRAW)
take_back = partial(moves.propose, proposal=TAKEBACK)


def begin(services: Services, game_type: str, *seated: Player, **options: object) -> int:
    """Start a game in which the first player challenges the others; return its number."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        first, *others = (session.get_one(Player, player.id) for player in seated)
        number = log.id_of(challenges.challenge(action, first, others, game_type, options))
        for other in others:
            challenges.accept(action, other, number)
        return number


def open_game(services: Services, player: Player, game_type: str = "nibble", **options: object) -> int:
    """Open a game that anyone may join; return its number."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        return log.id_of(joining.seek(action, session.get_one(Player, player.id), game_type, options))


def submit(services: Services, number: int, seat: int, text: str) -> None:
    """Play a move of a seat, as by email."""
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        _, player = log.seats(session, game)[seat]
        action = ActionContext(session, services.sealer, services.now())
        moves.submit(action, player, Target(number, seat, game.turn), text)


class TwoPlayerGame:
    """A game between Ann and Ben, `players` by seat, on services with a clock that the test controls."""

    def __init__(self, services: Services, game_type: str, **options: object) -> None:
        self.services = services
        with writing(services.engine) as session:
            action = self.action(session)
            ann = players.register(action, "ann@example.org", "Ann")
            ben = players.register(action, "ben@example.org", "Ben")
            game = challenges.challenge(action, ann, [ben], game_type, options)
            challenges.accept(action, ben, log.id_of(game))
            self.number = log.id_of(game)
            self.players = [player for _, player in log.seats(session, game)]

    @classmethod
    def of(cls, services: Services, number: int) -> TwoPlayerGame:
        """Return an existing game."""
        table = cls.__new__(cls)
        table.services, table.number = services, number
        with reading(services.engine) as session:
            table.players = [player for _, player in log.seats(session, session.get_one(Game, number))]
        return table

    @property
    def clock(self) -> Clock:
        assert isinstance(self.services.now, Clock)
        return self.services.now

    def action(self, session: Session, received: datetime | None = None) -> ActionContext:
        return ActionContext(session, self.services.sealer, self.services.now(), received=received)

    def game(self) -> Game:
        with reading(self.services.engine) as session:
            return session.get_one(Game, self.number)

    def seat(self, number: int) -> Seat:
        with reading(self.services.engine) as session:
            return session.get_one(Seat, (self.number, number))

    def target(self, seat: int, turn: int | None = None) -> Target:
        """Return the target of a seat's move, in this turn or in another one."""
        return Target(self.number, seat, self.game().turn if turn is None else turn)

    def submit(
        self,
        seat: int,
        text: str,
        received: datetime | None = None,
        *,
        turn: int | None = None,
        by: int | None = None,
    ) -> None:
        """Play a move for a seat, sent by the player of this seat or of seat `by`."""
        player = self.players[seat if by is None else by]
        with writing(self.services.engine) as session:
            action = self.action(session, received)
            moves.submit(action, session.get_one(Player, player.id), self.target(seat, turn), text)

    def tick(self) -> None:
        """Run all due jobs of the worker."""
        CLOCK.run(work_of(self.services))

    def live(self, *, hours: float = 0, **step: float) -> None:
        """Let time pass, with all emails delivered and a running worker, which acts at the end."""
        self.deliver()
        self.clock.advance(hours=hours, **step)
        with writing(self.services.engine) as session:
            heartbeat = session.get(Heartbeat, 1)
            if heartbeat is not None:
                heartbeat.at = self.clock()
        self.tick()

    def deliver(self) -> None:
        """Deliver all emails."""
        deliver(self.services)

    def deadlines(self) -> list[datetime]:
        """Return the deadline of each seat, if all of them have one."""
        with reading(self.services.engine) as session:
            seats = [seat for seat, _ in log.seats(session, session.get_one(Game, self.number))]
            return [seat.deadline_at for seat in seats if seat.deadline_at is not None]

    def letters(self) -> list[str]:
        """Return the names of all emails about this game."""
        with reading(self.services.engine) as session:
            query = select(Outbox.letter).where(Outbox.game_id == self.number)
            return list(session.exec(query.order_by(col(Outbox.id))))

    def recipients(self, letter: str) -> list[str]:
        """Return the addresses of the receivers of emails with this name."""
        with reading(self.services.engine) as session:
            query = select(Outbox.recipient).where(Outbox.letter == letter).order_by(col(Outbox.id))
            return list(session.exec(query))

    def entries(self, sort: str) -> list[Any]:
        """Return the log's entries of one type."""
        with reading(self.services.engine) as session:
            bodies = session.exec(select(Entry.body).where(Entry.game_id == self.number))
            return [body for body in bodies if body["type"] == sort]

    def snapshot(self) -> tuple[object, ...]:
        """Return everything that a refused move must not change."""
        with reading(self.services.engine) as session:
            game = session.get_one(Game, self.number)
            counts = [len(list(session.exec(select(table)))) for table in (Entry, Envelope, Outbox)]
            return (game.turn, game.position, game.state, game.result, *counts)


@pytest.fixture
def table(request: pytest.FixtureRequest, services: Services) -> TwoPlayerGame:
    """A game of Nebuchadnezzar on a small board, or the one in the marker `game`.

    `pytestmark = pytest.mark.game("nelaxtam", size=10)` gives all tests of a module another game.
    """
    marker = request.node.get_closest_marker("game")
    return (
        TwoPlayerGame(services, *marker.args, **marker.kwargs)
        if marker
        else TwoPlayerGame(services, "nebuchadnezzar", size=5)
    )


@pytest.fixture
def island(services: Services) -> TwoPlayerGame:
    """A small game with secret orders."""
    return TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0)


def load_game(services: Services, number: int = 1) -> Game:
    """Return a stored game."""
    with reading(services.engine) as session:
        return session.get_one(Game, number)


def state_of(services: Services, number: int | None = 1) -> str:
    """Return the state of a game: "open", "invited", "on", "over" or another one."""
    with reading(services.engine) as session:
        return session.get_one(Game, number).state


def doing(services: Services, act: Callable[[ActionContext], object]) -> None:
    with writing(services.engine) as session:
        act(ActionContext(session, services.sealer, services.now()))


def move(services: Services, number: int) -> str:
    """Play a move for a seat that has to move, and return it."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        rules, position = log.rules_of(game), log.position_of(game)
        seat = rules.to_move(position)[0]
        text = rules.format(next(rules.moves(position, seat)))
    submit(services, number, seat, text)
    return text


def resign(services: Services, number: int, player: Player) -> None:
    def act(action: ActionContext) -> None:
        known, game = action.session.get_one(Player, player.id), action.session.get_one(Game, number)
        seat = challenges.seat_of(action.session, game, known)
        assert seat is not None
        moves.resign(action, known, Target(number, seat, game.turn))

    doing(services, act)


def act(
    services: Services, number: int, seat: int, what: Callable[[ActionContext, Player, Target], Game]
) -> None:
    """Carry out an action for a seat."""
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        _, player = log.seats(session, game)[seat]
        what(ActionContext(session, services.sealer, services.now()), player, Target(number, seat, game.turn))


def say(
    services: Services, number: int, seat: int, text: str, *, private: bool = False, listener: int | None = None
) -> None:
    """Store a message of a seat to all or to one `listener`, or a private note."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        messages.keep(action, session.get_one(Game, number), seat, text, private=private, listener=listener)


def deliver(services: Services) -> None:
    """Mark all emails as delivered at the moment at which they were written."""
    with writing(services.engine) as session:
        for mail in session.exec(select(Outbox).where(Outbox.state == "queued")):
            mail.state, mail.sent_at = "sent", mail.created_at


def tick(services: Services, clock: Clock, **step: float) -> None:
    """Let time pass, with email delivered and a running worker."""
    CLOCK.run(work_of(services, clock))
    clock.advance(**step)
    deliver(services)
    with writing(services.engine) as session:
        session.get_one(Heartbeat, 1).at = clock()
    CLOCK.run(work_of(services, clock))


def reply(table: TwoPlayerGame, seat: int, text: str, turn: int | None = None) -> list[Written]:
    """Return the letters that a reply causes."""
    to = reply_address(table.services, table.number, seat, turn)
    return receive(table.services, table.players[seat].email, to, text)


def mover(table: TwoPlayerGame) -> tuple[int, str, str]:
    """Return the seat to move, its player's address and the reply address."""
    with reading(table.services.engine) as session:
        game = session.get_one(Game, table.number)
        seat = log.rules_of(game).to_move(log.position_of(game))[0]
        email = log.seats(session, game)[seat][1].email
    return seat, email, reply_address(table.services, table.number, seat)


def owing(services: Services, number: int) -> tuple[Seat, Player]:
    with reading(services.engine) as session:
        return next(pair for pair in log.seats(session, session.get_one(Game, number)) if pair[0].owes)


def to_seat(letters: list[Written], table: TwoPlayerGame, seat: int) -> list[Written]:
    return [letter for letter in letters if letter.to == table.players[seat].email]
