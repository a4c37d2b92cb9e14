"""Tournaments in the administration: lists, and ending one."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from server.admin.audit import AdminAction, reason
from server.errors import BadRequest
from server.store.letters.tournaments import TournamentCancelled
from server.store.models import Player, Tournament
from server.tournaments.rows import existing, identity, lock_tournament

_GOING_ON = ("open", "running")


@dataclass(frozen=True)
class TournamentRow:
    """A tournament in a list; `state` as in `models.Tournament`."""

    number: int
    name: str
    made_by: str
    state: str

    @property
    def may_be_ended(self) -> bool:
        """True if the tournament is open or running."""
        return self.state in _GOING_ON


def list_tournaments(session: Session, limit: int, skip: int = 0) -> Sequence[TournamentRow]:
    """Return all tournaments, the latest first."""
    query = select(Tournament, Player.name).where(Tournament.made_by == Player.id)
    rows = session.exec(query.order_by(col(Tournament.id).desc()).offset(skip).limit(limit))
    return [_row(tournament, maker) for tournament, maker in rows]


def get_tournament(session: Session, number: int) -> TournamentRow:
    """Return a tournament. Raises BadRequest if it does not exist."""
    tournament = existing(session, number)
    return _row(tournament, session.get_one(Player, tournament.made_by).name)


def end(admin_action: AdminAction, number: int, why: str) -> None:
    """Cancel a tournament or end it early; its games continue. Raises BadRequest if it is over."""
    why = reason(why)
    loaded = lock_tournament(admin_action.action, number)
    tournament = loaded.tournament
    if tournament.state not in _GOING_ON:
        raise BadRequest(f"Tournament {number} is already over.")
    begun = tournament.state == "running"
    loaded.cancel(TournamentCancelled(number, why=why, begun=begun))
    admin_action.note(
        f"{'ended' if begun else 'cancelled'} tournament {number}", player=tournament.made_by, why=why
    )


def _row(tournament: Tournament, maker: str) -> TournamentRow:
    return TournamentRow(identity(tournament), tournament.name, maker, tournament.state)
