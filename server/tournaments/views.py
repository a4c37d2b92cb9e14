"""The public view of a tournament: everything except the secrets of its games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from rules.registry import rules_named
from server.game.terms.terms import GameTerms
from server.game.terms.wording import points
from server.pairing.meeting import LOSS, WIN, Played
from server.pairing.standings import TIE_BREAKS, standings
from server.store.models import Entrant, Pairing, Player, Tournament
from server.tournaments import description, knock_out_winners, lists
from server.tournaments.lists import ListedTournament
from server.tournaments.plan import TournamentPlan
from server.tournaments.rows import (
    counting,
    decided,
    entrants_of,
    existing,
    is_enterable,
    pairings_of,
    results_of,
    seeded,
)

_MOST_LATEST = 50
"""The number of latest games of a ladder that are shown; there may be thousands."""


@dataclass(frozen=True)
class StandingView:
    """One player's line in the standings; `ties` are in the order of the tie-breaks."""

    place: int
    player: int
    name: str
    points: str
    games: int
    ties: tuple[str, ...]
    left: bool


@dataclass(frozen=True)
class MeetingView:
    """Two players who meet; `second` is "" for a bye, `result` is "" while there is none."""

    round: int
    first: str
    second: str
    game: int | None
    result: str
    note: str
    players: tuple[int, ...]


@dataclass(frozen=True)
class CellView:
    """A player's points in one game: "1", "½", "0", or "…" while it goes on; no `game` if it was not played."""

    result: str
    game: int | None


@dataclass(frozen=True)
class TournamentView:
    """The view of one tournament. `mine` is "in", "waiting" or "left" for a reader with that status, otherwise
    "".

    `how` and `terms` are sentences. `entered` and `waiting` are names in the order of joining. `rounds` are the
    meetings by number of their round; of a ladder, the latest.
    """

    line: ListedTournament
    made_by: str
    own: bool
    """True if the reader created it."""
    may_start: bool
    """True if the reader may start it now, before its sign-up ends."""
    how: tuple[str, ...]
    lot: str
    """The secret of the lot and its hash, in a sentence; "" if there was no lot."""
    terms: tuple[str, ...]
    entered: tuple[str, ...]
    waiting: tuple[str, ...]
    mine: str
    can_enter: bool
    points_title: str
    ties: tuple[str, ...]
    standings: tuple[StandingView, ...]
    rounds: Mapping[int, tuple[MeetingView, ...]]
    known: frozenset[str]
    """The names that have a player page: not those of former players."""
    crosstable: tuple[tuple[tuple[CellView, ...], ...], ...]
    """By row of the standings, a cell for each of its players; () unless everyone plays everyone."""

    @property
    def winners(self) -> list[str]:
        """The players in first place; [] before it is over."""
        return [row.name for row in self.standings if row.place == 1] if self.line.state == "over" else []


def tournament_view(
    session: Session, number: int, reader: int | None, now: datetime, *, before: int | None = None
) -> TournamentView:
    """Return a tournament as the player `reader` sees it; with `before`, without results of that round and
    later ones.

    Raises BadRequest if there is no such tournament.
    """
    tournament = existing(session, number)
    plan, rules = TournamentPlan.from_json(tournament.plan), rules_named(tournament.game_type)
    entrants, pairings = list(session.exec(entrants_of(number))), _pairings(session, number, plan)
    names, known_as = _names(session, number, tournament.made_by)
    known = pairings if before is None else [each for each in pairings if each.round < before]
    rows = _rows(tournament, plan, entrants, names, known, _played(session, number, plan, known))
    placed, unplaced = _placed(tournament, plan, entrants)
    own = next((entrant for entrant in entrants if entrant.player_id == reader), None)
    is_own = tournament.made_by == reader
    seats = len(rules.seats(tournament.options))
    maker, is_in = names[tournament.made_by], own is not None and not own.left
    return TournamentView(
        line=lists.line(tournament, maker, plan, len(placed), is_in),
        made_by=maker,
        own=is_own,
        may_start=is_own and tournament.state == "open" and len(entrants) >= plan.least,
        how=tuple(description.describe(plan)),
        lot=description.lot_in_words(tournament.lot_hash, tournament.lot),
        terms=tuple(GameTerms.from_json(tournament.terms).in_words(now, seats, rules.obliged)),
        entered=tuple(names[entrant.player_id] for entrant in placed),
        waiting=tuple(names[entrant.player_id] for entrant in unplaced),
        mine=_place_of(own, placed, unplaced),
        can_enter=own is None and is_enterable(tournament, plan),
        points_title="Points" if plan.form.ties else "Rounds won",
        ties=tuple(TIE_BREAKS[name].title for name in plan.ties),
        standings=rows,
        rounds=_by_round(pairings, names),
        known=known_as,
        crosstable=_crosstable(rows, known) if "together" in plan.form.options else (),
    )


def _pairings(session: Session, number: int, plan: TournamentPlan) -> list[Pairing]:
    """Return the pairings to show, round by round; of a ladder the latest, the last first."""
    if plan.form.name != "ladder":
        return sorted(session.exec(pairings_of(number)), key=lambda each: (each.round, each.board, each.leg))
    latest = pairings_of(number).order_by(None).order_by(col(Pairing.id).desc()).limit(_MOST_LATEST)
    return list(session.exec(latest))


def _played(session: Session, number: int, plan: TournamentPlan, known: list[Pairing]) -> list[Played]:
    """Return all results, of a ladder also those that are no longer shown."""
    return results_of(session, number) if plan.form.name == "ladder" else decided(known)


def _placed(
    tournament: Tournament, plan: TournamentPlan, entrants: list[Entrant]
) -> tuple[list[Entrant], list[Entrant]]:
    """Return the players who have or had a place, and those who wait for a place that may become free."""
    if not tournament.rounds:
        return entrants[: plan.most], entrants[plan.most :]
    unplaced = [entrant for entrant in entrants if entrant.seed is None]
    return seeded(entrants), unplaced if is_enterable(tournament, plan) else []


def _place_of(own: Entrant | None, placed: list[Entrant], unplaced: list[Entrant]) -> str:
    """Return the reader's status, as in `mine`."""
    if own is None or own not in (*placed, *unplaced):
        return ""
    return "left" if own.left else "waiting" if own in unplaced else "in"


def _names(session: Session, number: int, maker: int) -> tuple[dict[int, str], frozenset[str]]:
    """Return the names of all entrants and of the creator, and those among them of players who still exist."""
    inside = select(Entrant.player_id).where(Entrant.tournament_id == number)
    found = session.exec(
        select(Player.id, Player.name, Player.confirmed_at).where(
            (col(Player.id).in_(inside)) | (col(Player.id) == maker)
        )
    ).all()
    names = {player: name for player, name, _ in found if player is not None}
    return names, frozenset(name for _, name, since in found if since is not None)


def _rows(
    tournament: Tournament,
    plan: TournamentPlan,
    entrants: list[Entrant],
    names: Mapping[int, str],
    pairings: Sequence[Pairing],
    played: list[Played],
) -> tuple[StandingView, ...]:
    """Return the standings: in a knock-out by rounds won."""
    players = [entrant.player_id for entrant in seeded(entrants)]
    ranked = standings(players, played, [TIE_BREAKS[name] for name in plan.ties])
    if plan.form.name == "knock-out":
        ranked = knock_out_winners.by_rounds_won(ranked, entrants, pairings, tournament.rounds)
    gone = {entrant.player_id for entrant in entrants if entrant.left}
    return tuple(
        StandingView(
            place=each.place,
            player=each.player,
            name=names[each.player],
            points=points(each.points),
            games=each.games,
            ties=tuple(map(description.count, each.ties)),
            left=each.player in gone,
        )
        for each in ranked
    )


def _by_round(pairings: Sequence[Pairing], names: Mapping[int, str]) -> dict[int, tuple[MeetingView, ...]]:
    by_round: dict[int, list[MeetingView]] = {}
    those = {each.id for each in counting(pairings)}
    for each in pairings:
        by_round.setdefault(each.round, []).append(_meeting(each, names, each.id in those))
    return {number: tuple(meetings) for number, meetings in by_round.items()}


def _meeting(pairing: Pairing, names: Mapping[int, str], counts: bool) -> MeetingView:
    second = pairing.second_id
    return MeetingView(
        round=pairing.round,
        first=names[pairing.first_id],
        second="" if second is None else names[second],
        game=pairing.game_id,
        result=_result(pairing),
        note=_note(pairing, counts),
        players=(pairing.first_id,) if second is None else (pairing.first_id, second),
    )


def _result(pairing: Pairing) -> str:
    """Return the result as in "1–0"; a bye has none."""
    if pairing.first_points is None or pairing.second_points is None or pairing.second_id is None:
        return ""
    return f"{points(pairing.first_points)}–{points(pairing.second_points)}"


def _note(pairing: Pairing, counts: bool) -> str:
    """Return a note on an unusual result; "" for most."""
    if pairing.second_id is None:
        return "no opponent"
    if pairing.game_id is None and pairing.first_points is not None:
        both = pairing.first_points == pairing.second_points == LOSS
        return "not played: both have left" if both else "not played: one has left"
    if not counts:
        return "second game, does not count"
    if pairing.adjudicated:
        return "unfinished: decided by thinking time"
    return "second game" if pairing.leg > 1 else ""


def _crosstable(
    rows: Sequence[StandingView], pairings: Sequence[Pairing]
) -> tuple[tuple[tuple[CellView, ...], ...], ...]:
    """Return the points of the player of each row against the player of each column, game by game."""
    got: dict[tuple[int, int], list[CellView]] = {}
    for each in pairings:
        if each.second_id is not None:
            first, second = _sign(each.first_points), _sign(each.second_points)
            got.setdefault((each.first_id, each.second_id), []).append(CellView(first, each.game_id))
            got.setdefault((each.second_id, each.first_id), []).append(CellView(second, each.game_id))
    return tuple(tuple(tuple(got.get((row.player, other.player), ())) for other in rows) for row in rows)


def _sign(points: float | None) -> str:
    return "…" if points is None else {WIN: "1", LOSS: "0"}.get(points, "½")
