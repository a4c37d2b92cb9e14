"""A tournament with players, a clock and results that a test controls."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlmodel import Session, col, select

from server.accounts import players
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.game.ratings import ratings, results
from server.jobs.table import TOURNAMENT_GAMES, TOURNAMENTS
from server.pairing.standings import TIE_BREAKS, TournamentStanding, standings
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Outbox, Pairing, Player, Tournament
from server.store.outbox import ActionContext
from server.tournaments import progress, signup
from server.tournaments.rows import decided, entrants_of, pairings_of, seeded
from server.tournaments.views import TournamentView, tournament_view
from tests.support.server.emails import Written, letters
from tests.support.server.games import offer_draw
from tests.support.server.services import Clock

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida", "Jon")


def run_due_jobs(services: Services) -> None:
    """Run all due jobs of the worker."""
    while TOURNAMENT_GAMES.run_next(services.engine, services.sealer, services.now()) or TOURNAMENTS.run_next(
        services.engine, services.sealer, services.now()
    ):
        pass


class Field:
    """A tournament and people with known names who have not entered it yet.

    They have ratings, so that their seeds are in the order of `NAMES`.
    """

    def __init__(
        self,
        services: Services,
        clock: Clock,
        game_type: str = "nebuchadnezzar",
        maker: str = "Ann",
        **options: object,
    ) -> None:
        self.services, self.clock = services, clock
        self.ids: dict[str, int] = {}
        with writing(services.engine) as session:
            action = self.action(session)
            for name in NAMES:
                email = f"{name.lower()}@example.org"
                player = players.by_email(session, email) or players.register(action, email, name)
                self.ids[name] = players.identity(player)
        with writing(services.engine) as session:
            player = session.get_one(Player, self.ids[maker])
            options = {"size": 4, **options} if game_type == "nebuchadnezzar" else options
            made = signup.make(self.action(session), player, "Spring Cup", game_type, options)
            self.number = made.id or 0
            for place, number in enumerate(self.ids.values()):
                new = results.new_rating(number, game_type, ratings.pace_of(made.terms))
                session.merge(new.sqlmodel_update({"mu": 30.0 - place, "sigma": 1.0, "games": 50}))

    def action(self, session: Session) -> ActionContext:
        return ActionContext(session, self.services.sealer, self.clock())

    def enter(self, *names: str) -> None:
        for name in names:
            with writing(self.services.engine) as session:
                signup.enter(self.action(session), session.get_one(Player, self.ids[name]), self.number)

    def leave(self, name: str) -> None:
        with writing(self.services.engine) as session:
            signup.leave(self.action(session), session.get_one(Player, self.ids[name]), self.number)

    def cancel(self, name: str) -> None:
        with writing(self.services.engine) as session:
            signup.cancel(self.action(session), session.get_one(Player, self.ids[name]), self.number)

    def start(self, name: str) -> None:
        with writing(self.services.engine) as session:
            progress.start(self.action(session), session.get_one(Player, self.ids[name]), self.number)

    def tick(self) -> int:
        """Run all due jobs of the worker; return the number of runs that found work."""
        done = 0
        engine, sealer = self.services.engine, self.services.sealer
        while TOURNAMENT_GAMES.run_next(engine, sealer, self.clock()) or TOURNAMENTS.run_next(
            engine, sealer, self.clock()
        ):
            done += 1
            assert done < 500, "the tournament does not settle"
        return done

    def live(self, **step: float) -> None:
        """Let time pass, then run the worker."""
        self.clock.advance(**step)
        self.tick()

    @property
    def now(self) -> Tournament:
        with reading(self.services.engine) as session:
            return session.get_one(Tournament, self.number)

    def pairings(self, round_number: int | None = None) -> list[Pairing]:
        with reading(self.services.engine) as session:
            found = session.exec(pairings_of(self.number)).all()
        return [each for each in found if round_number in (None, each.round)]

    def going_on(self) -> list[Pairing]:
        """Return the pairings with running games."""
        return [each for each in self.pairings() if each.game_id and each.first_points is None]

    def name(self, number: int | None) -> str:
        return next((name for name, own in self.ids.items() if own == number), "")

    def names(self, pairing: Pairing) -> tuple[str, str]:
        return self.name(pairing.first_id), self.name(pairing.second_id)

    def win(self, pairing: Pairing, winner: str) -> None:
        """End a game by the resignation of the other player."""
        loser = next(number for number in (pairing.first_id, pairing.second_id) if self.name(number) != winner)
        self._act(pairing, loser or 0, moves.resign)

    def draw(self, pairing: Pairing) -> None:
        for number in (pairing.first_id, pairing.second_id):
            self._act(pairing, number or 0, offer_draw)

    def _act(self, pairing: Pairing, number: int, act: Callable[[ActionContext, Player, Target], Game]) -> None:
        with writing(self.services.engine) as session:
            game = session.get_one(Game, pairing.game_id)
            seat = next(seat.number for seat, player in log.seats(session, game) if player.id == number)
            target = Target(pairing.game_id or 0, seat, game.turn)
            act(self.action(session), session.get_one(Player, number), target)

    def move(self, pairing: Pairing) -> None:
        """Play the first legal move in a game."""
        with writing(self.services.engine) as session:
            game = session.get_one(Game, pairing.game_id)
            rules, position = log.rules_of(game), log.position_of(game)
            (seat,) = rules.to_move(position)
            player = log.seats(session, game)[seat].player
            target = Target(pairing.game_id or 0, seat, game.turn)
            moves.submit(self.action(session), player, target, rules.examples(position, seat)[0])

    def play_round(self, choose: Callable[[tuple[str, str]], str]) -> None:
        """End all running games: `choose` returns the winner of two, "" for a draw, "?" for not yet."""
        self.tick()
        for pairing in self.going_on():
            winner = choose(self.names(pairing))
            if winner == "":
                self.draw(pairing)
            elif winner != "?":
                self.win(pairing, winner)
        self.tick()

    def standings(self) -> list[TournamentStanding]:
        with reading(self.services.engine) as session:
            people = [each.player_id for each in seeded(list(session.exec(entrants_of(self.number))))]
        return standings(people, decided(self.pairings()), [TIE_BREAKS["wins"]])

    def letters(self, letter: str) -> list[str]:
        """Return the names of the players who got these letters."""
        with reading(self.services.engine) as session:
            query = select(Outbox.recipient).where(Outbox.letter == letter).order_by(col(Outbox.id))
            return [recipient.partition("@")[0].title() for recipient in session.exec(query)]


def first_by_name(two: tuple[str, str]) -> str:
    """Return the first of two names in alphabetical order, as the winner."""
    return min(two)


def view_of(field: Field, reader: str = "") -> TournamentView:
    """Return the tournament as a player sees it, or as the public does."""
    with reading(field.services.engine) as session:
        return tournament_view(session, field.number, field.ids.get(reader), field.clock())


def last_email(field: Field, letter: str, name: str) -> Written:
    """Return the last of these letters to a player."""
    to = f"{name.lower()}@example.org"
    return [each for each in letters(field.services) if each.letter == letter and each.to == to][-1]


@pytest.fixture
def field(services: Services, clock: Clock) -> Field:
    """A Swiss tournament of two rounds for at least four players."""
    return Field(services, clock, form="swiss", places="4", rounds=2)
