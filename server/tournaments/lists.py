"""Tournaments in lists, a page of them at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from rules.registry import kind
from server.game.wording import options_text
from server.store.models import Entrant, Player, Tournament
from server.tournaments.hall import identity
from server.tournaments.plan import Plan
from server.tournaments.signup import entered

STATES = {"open": "Open for sign-up", "running": "Running", "over": "Finished"}
"""The states whose tournaments are listed, as people read them."""


@dataclass(frozen=True)
class LineView:
    """A tournament in a list; `players` and `room` are how many there are and may be.

    `joined` says whether the reader takes part in it, or waits for a place.
    """

    number: int
    name: str
    kind: str
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


def listed(session: Session, reader: Player | None, state: str, limit: int, offset: int = 0) -> list[LineView]:
    """Some tournaments in a state, the latest first, as `reader` sees them."""
    query = select(Tournament).where(Tournament.state == state).order_by(col(Tournament.id).desc())
    found = list(session.exec(query.offset(offset).limit(limit)))
    counts = _counts(session, [identity(tournament) for tournament in found])
    own = set() if reader is None else set(entered(session, reader))
    return [
        line(tournament, plan, min(counts.get(identity(tournament), 0), plan.most), identity(tournament) in own)
        for tournament, plan in ((each, Plan.from_json(each.plan)) for each in found)
    ]


def line(tournament: Tournament, plan: Plan, players: int, joined: bool) -> LineView:
    """One of them, in which so many take part."""
    return LineView(
        number=identity(tournament),
        name=tournament.name,
        kind=tournament.kind,
        title=kind(tournament.kind).title,
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


def _counts(session: Session, numbers: Sequence[int]) -> dict[int, int]:
    """How many have entered, and not left, by tournament."""
    query = (
        select(Entrant.tournament_id, func.count())
        .where(col(Entrant.tournament_id).in_(numbers), col(Entrant.left).is_(False))
        .group_by(col(Entrant.tournament_id))
    )
    return dict(session.exec(query).all())
