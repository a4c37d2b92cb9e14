"""Lists of tournaments, one page at a time."""

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
"""The states that have a list, with their names for people."""


@dataclass(frozen=True)
class ListedTournament:
    """A tournament in a list; `players` and `room` are the numbers of players and of places.

    `joined` is true if the reader plays in it, or waits for a place.
    """

    number: int
    called: str
    """The name in emails, with the player who created the tournament."""
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
    """True if all rounds start at the same time."""
    over_at: datetime | None
    joined: bool


def list_tournaments(
    session: Session, reader: Player | None, state: str, limit: int, offset: int = 0
) -> list[ListedTournament]:
    """Return some tournaments in a state, the latest first, as `reader` sees them."""
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
    """Return a tournament's name for emails, for example “Ann’s tournament “Spring Cup””.

    It is quoted so that it cannot be mistaken for words of the server.
    """
    tournament = session.get_one(Tournament, number)
    return _called(tournament, session.get_one(Player, tournament.made_by).name)


def line(
    tournament: Tournament, maker: str, plan: TournamentPlan, players: int, joined: bool
) -> ListedTournament:
    """Return the list entry of one tournament with this many players."""
    return ListedTournament(
        number=identity(tournament),
        called=_called(tournament, maker),
        name=tournament.name,
        game_type=tournament.game_type,
        title=rules_named(tournament.game_type).title,
        options=options_text(tournament.game_type, tournament.options),
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
    """Return the names of the creators of these tournaments, by the tournaments' numbers."""
    numbers = {tournament.made_by for tournament in found}
    query = select(Player.id, Player.name).where(col(Player.id).in_(numbers))
    return {number or 0: name for number, name in session.exec(query)}


def _counts(session: Session, numbers: Sequence[int]) -> dict[int, int]:
    """Return how many players have joined and not left, by tournament."""
    query = (
        select(Entrant.tournament_id, func.count())
        .where(col(Entrant.tournament_id).in_(numbers), col(Entrant.left).is_(False))
        .group_by(col(Entrant.tournament_id))
    )
    return dict(session.exec(query).all())
