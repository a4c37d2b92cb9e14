"""Tournaments in lists, a page of them at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from rules.registry import rules_named
from server.game.terms.wording import options_text
from server.store.models import Entrant, Player, Tournament
from server.tournaments.plan import TournamentPlan
from server.tournaments.rows import identity
from server.tournaments.signup import entered

STATES = {"open": "Open for sign-up", "running": "Running", "over": "Finished"}
"""The states whose tournaments are listed, as people read them."""


@dataclass(frozen=True)
class ListedTournament:
    """A tournament in a list; `players` and `room` are how many there are and may be.

    `joined` says whether the reader takes part in it, or waits for a place.
    """

    number: int
    called: str
    """The name for emails, with the player who made the tournament."""
    name: str
    game_type: str
    title: str
    options: str
    form: str
    state: str
    players: int
    room: int
    closes_at: datetime
    ends_at: datetime | None
    round: int
    rounds: int
    at_once: bool
    """Whether all rounds begin together."""
    over_at: datetime | None
    joined: bool


def list_tournaments(
    session: Session, reader: Player | None, state: str, limit: int, offset: int = 0
) -> list[ListedTournament]:
    """Some tournaments in a state, the latest first, as `reader` sees them."""
    query = select(Tournament).where(Tournament.state == state).order_by(col(Tournament.id).desc())
    found = list(session.exec(query.offset(offset).limit(limit)))
    counts = _counts(session, [identity(tournament) for tournament in found])
    makers = _makers(session, found)
    own = set() if reader is None else set(entered(session, reader))
    lines = []
    for tournament in found:
        number, plan = identity(tournament), TournamentPlan.from_json(tournament.plan)
        entrants = min(counts.get(number, 0), plan.most)
        lines.append(line(tournament, makers[tournament.made_by], plan, entrants, number in own))
    return lines


def called(session: Session, number: int) -> str:
    """Return what emails call a tournament, so that nobody takes its name for words of the server."""
    tournament = session.get_one(Tournament, number)
    return _called(tournament, session.get_one(Player, tournament.made_by).name)


def line(
    tournament: Tournament, maker: str, plan: TournamentPlan, players: int, joined: bool
) -> ListedTournament:
    """One of them, in which so many take part."""
    return ListedTournament(
        number=identity(tournament),
        called=_called(tournament, maker),
        name=tournament.name,
        game_type=tournament.game_type,
        title=rules_named(tournament.game_type).title,
        options=options_text(tournament.options),
        form=plan.form.title,
        state=tournament.state,
        players=players,
        room=plan.most,
        closes_at=tournament.closes_at,
        ends_at=tournament.ends_at,
        round=tournament.round,
        rounds=tournament.rounds,
        at_once=plan.together and "together" in plan.form.options,
        over_at=tournament.over_at,
        joined=joined,
    )


def _called(tournament: Tournament, maker: str) -> str:
    return f"{maker}’s tournament “{tournament.name}”"


def _makers(session: Session, found: Sequence[Tournament]) -> dict[int, str]:
    """The names of those who made these tournaments, by their numbers."""
    numbers = {tournament.made_by for tournament in found}
    query = select(Player.id, Player.name).where(col(Player.id).in_(numbers))
    return {number or 0: name for number, name in session.exec(query)}


def _counts(session: Session, numbers: Sequence[int]) -> dict[int, int]:
    """How many have entered, and not left, by tournament."""
    query = (
        select(Entrant.tournament_id, func.count())
        .where(col(Entrant.tournament_id).in_(numbers), col(Entrant.left).is_(False))
        .group_by(col(Entrant.tournament_id))
    )
    return dict(session.exec(query).all())
