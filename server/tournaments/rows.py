"""A locked tournament with all its rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from server.accounts import players, relations
from server.clock.pauses import Halt, halts, walk
from server.errors import BadRequest
from server.game.clock import stored_pauses
from server.game.lobby import seats
from server.pairing.meeting import DRAW, Played
from server.store.db import locked
from server.store.letters.letter import Letter
from server.store.models import Entrant, Pairing, Player, Tournament
from server.store.outbox import ActionContext
from server.tournaments.plan import TournamentPlan


@dataclass
class LoadedTournament:
    """A tournament with its rows: entrants in the order of joining, pairings in the order of pairing."""

    action: ActionContext
    tournament: Tournament
    plan: TournamentPlan
    entrants: list[Entrant]
    pairings: list[Pairing]

    @property
    def number(self) -> int:
        """The number of the tournament."""
        return identity(self.tournament)

    @property
    def playing(self) -> list[int]:
        """The numbers of the players who play and have not left, by seed."""
        return [entrant.player_id for entrant in seeded(self.entrants) if not entrant.left]

    @property
    def ready(self) -> list[int]:
        """Those of the playing players who can start a game now; others would keep their opponents waiting."""
        playing = self.playing
        query = select(Player.id).where(col(Player.id).in_(playing), ~seats.cannot_play(self.action.now))
        found = set(self.action.session.exec(query))
        return [number for number in playing if number in found]

    @property
    def waiting(self) -> list[Entrant]:
        """The players who wait for a place, the longest waiting first."""
        unplaced = [entrant for entrant in self.entrants if entrant.seed is None]
        return unplaced[self.plan.most :] if self.tournament.state == "open" else unplaced

    @property
    def undecided(self) -> list[Pairing]:
        """The pairings that count and have no result yet."""
        return [each for each in counting(self.pairings) if each.first_points is None]

    @property
    def played(self) -> list[Played]:
        """All results."""
        return decided(self.pairings)

    @property
    def unbegun(self) -> list[Pairing]:
        """The pairings whose games have not started."""
        return [each for each in self.undecided if each.game_id is None]

    @cached_property
    def _downtimes(self) -> list[Halt]:
        return halts(stored_pauses.downtimes_since(self.action.session, self.tournament.created_at))

    def after(self, moment: datetime, span: timedelta) -> datetime:
        """Return the moment `span` after another, leaving out known and planned downtime of the server."""
        return walk(moment, span, self._downtimes)

    def player(self, number: int) -> Player:
        """Return a player of the tournament."""
        return self.action.session.get_one(Player, number)

    def blocked_pairs(self) -> list[frozenset[int]]:
        """Return each two players of whom one has blocked the other."""
        pairs = relations.blocked_pairs(self.action.session, [self.player(number) for number in self.playing])
        return [frozenset(players.identity(player) for player in pair) for pair in pairs]

    def notify(self, people: Iterable[int], letter: Letter) -> None:
        """Email a letter to these players."""
        for number in people:
            self.action.put_to_player(self.player(number), letter)

    def cancel(self, letter: Letter) -> None:
        """Cancel or end the tournament, and notify everyone who entered and has not left."""
        self.tournament.state, self.tournament.over_at = "cancelled", self.action.now
        self.tournament.due_at = None
        self.notify([entrant.player_id for entrant in self.entrants if not entrant.left], letter)


def load_tournament(action: ActionContext, tournament: Tournament) -> LoadedTournament:
    """Read the rows of a tournament that is locked."""
    number, session = identity(tournament), action.session
    session.flush()
    fresh = {"populate_existing": True}
    return LoadedTournament(
        action,
        tournament,
        TournamentPlan.from_json(tournament.plan),
        list(session.exec(entrants_of(number), execution_options=fresh)),
        list(session.exec(pairings_of(number), execution_options=fresh)),
    )


def lock_tournament(action: ActionContext, number: int) -> LoadedTournament:
    """Lock a tournament and read its rows. Raises BadRequest if there is no such tournament."""
    tournament = locked(action.session, Tournament, number)
    if tournament is None:
        raise _missing(number)
    return load_tournament(action, tournament)


def lock_own(action: ActionContext, player: Player, number: int, verb: str) -> LoadedTournament:
    """Lock a tournament for its creator. Raises BadRequest for others, and if it is no longer open."""
    loaded = lock_tournament(action, number)
    tournament = loaded.tournament
    if tournament.made_by != player.id:
        raise BadRequest(f"Only the creator of tournament {number}, {tournament.name}, can {verb} it.")
    if tournament.state != "open":
        has = {"running": "has already started", "over": "is over"}.get(
            tournament.state, "is already cancelled"
        )
        raise BadRequest(f"Tournament {number}, {tournament.name}, {has}.")
    return loaded


def existing(session: Session, number: int) -> Tournament:
    """Return the tournament with this number. Raises BadRequest if there is none."""
    tournament = session.get(Tournament, number)
    if tournament is None:
        raise _missing(number)
    return tournament


def is_enterable(tournament: Tournament, plan: TournamentPlan) -> bool:
    """Return whether players can join now: any tournament that has not started.

    They can also join a ladder while it runs, and a Swiss tournament in its first round if more rounds follow.
    """
    if tournament.state == "running":
        in_first = tournament.round <= 1 < tournament.rounds
        return plan.form.name == "ladder" or (plan.form.name == "swiss" and in_first)
    return tournament.state == "open"


def identity(tournament: Tournament) -> int:
    """Return the number of a stored tournament."""
    if tournament.id is None:
        raise ValueError("the tournament is not stored yet")
    return tournament.id


def _missing(number: int) -> BadRequest:
    return BadRequest(f"There is no tournament {number}. Write “tournaments” for a list.")


def entrants_of(number: int) -> SelectOfScalar[Entrant]:
    """Return a statement for the players who joined a tournament."""
    return select(Entrant).where(Entrant.tournament_id == number).order_by(col(Entrant.number))


def pairings_of(number: int) -> SelectOfScalar[Pairing]:
    """Return a statement for the pairings of a tournament."""
    return select(Pairing).where(Pairing.tournament_id == number).order_by(col(Pairing.id))


def results_of(session: Session, number: int) -> list[Played]:
    """Return all results of a tournament, including those that views leave out."""
    query = (
        select(Pairing.first_id, Pairing.second_id, Pairing.first_points, Pairing.second_points)
        .where(Pairing.tournament_id == number, col(Pairing.first_points).is_not(None))
        .order_by(col(Pairing.id))
    )
    return [
        Played(first, second, one or 0.0, other or 0.0) for first, second, one, other in session.exec(query)
    ]


def seeded(entrants: list[Entrant]) -> list[Entrant]:
    """Return the players who play or have played, by seed."""
    return sorted((each for each in entrants if each.seed is not None), key=lambda each: each.seed or 0)


def counting(pairings: Sequence[Pairing]) -> list[Pairing]:
    """Return the pairings that count: the first games, and the second games after a draw.

    An administrator may have corrected a draw after the second game had started; then only the first counts.
    """
    firsts = {(each.round, each.board): each.first_points for each in pairings if each.leg == 1}
    return [each for each in pairings if each.leg == 1 or firsts.get((each.round, each.board)) == DRAW]


def decided(pairings: list[Pairing]) -> list[Played]:
    """Return the pairings that have a result."""
    return [
        Played(each.first_id, each.second_id, each.first_points, each.second_points)
        for each in pairings
        if each.first_points is not None and each.second_points is not None
    ]
