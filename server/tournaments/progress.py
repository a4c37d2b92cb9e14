"""Automatic steps of a tournament: its start, its rounds and its end."""

from datetime import datetime

from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from server.clock.spans import DAY
from server.errors import BadRequest
from server.pairing import knock_out, ladder, round_robin, swiss
from server.pairing.meeting import DRAW, Meeting, bye
from server.store.letters.tournaments import (
    NoPlace,
    PlaceFree,
    RoundBegins,
    TournamentCancelled,
    TournamentOver,
    WaitedInVain,
)
from server.store.models import Game, Pairing, Player, Tournament
from server.store.outbox import ActionContext
from server.tournaments import adjudication, games, knock_out_winners, seeding
from server.tournaments.rows import (
    LoadedTournament,
    is_enterable,
    load_tournament,
    lock_own,
    seeded,
)

_OFTEN = DAY
"""The interval between looks at a tournament that has nothing else due."""


def go_on(action: ActionContext, tournament: Tournament) -> None:
    """Take all due steps in a tournament, which must be locked, and store when the next one is due.

    Everything is derived from its rows, so it may be called at any time and any number of times.
    """
    loaded = load_tournament(action, tournament)
    if games.count(loaded) and tournament.state == "over":
        loaded.notify(loaded.playing, TournamentOver(loaded.number, corrected=True))
    if tournament.state == "open":
        _open(loaded)
    if tournament.state == "running":
        could_enter = is_enterable(tournament, loaded.plan)
        _run(loaded)
        if could_enter and not is_enterable(tournament, loaded.plan):
            waited = [entrant.player_id for entrant in loaded.waiting]
            loaded.notify(waited, WaitedInVain(loaded.number, tournament.state == "over"))
    tournament.due_at = _next_due(loaded)


def start(action: ActionContext, player: Player, number: int) -> Tournament:
    """Start the player's own tournament early; its games follow within seconds. Raises BadRequest."""
    loaded = lock_own(action, player, number, "start")
    tournament = loaded.tournament
    least, entered = loaded.plan.least, len(loaded.entrants)
    if entered < least:
        raise BadRequest(
            f"Tournament {number}, {tournament.name}, needs at least {least} players. So far, {entered} "
            f"{'has' if entered == 1 else 'have'} joined."
        )
    _start(loaded)
    tournament.due_at = action.now
    return tournament


def with_ended_games(now: datetime) -> SelectOfScalar[Tournament]:
    """Return a statement for tournaments with games that are over and not yet counted."""
    ended = select(Game.tournament_id).where(col(Game.tournament_due_at) <= now)
    return select(Tournament).where(col(Tournament.id).in_(ended)).order_by(col(Tournament.id))


def _open(loaded: LoadedTournament) -> None:
    """Start once all places are taken or sign-up is over, if enough players have joined."""
    tournament, plan, now = loaded.tournament, loaded.plan, loaded.action.now
    tournament.closes_at = loaded.after(tournament.created_at, plan.signup)
    is_over, entered = tournament.closes_at <= now, len(loaded.entrants)
    if is_over and entered < plan.least:
        loaded.cancel(TournamentCancelled(loaded.number))
    elif is_over or (plan.early and entered >= plan.most):
        _start(loaded)


def _start(loaded: LoadedTournament) -> None:
    tournament, plan, now = loaded.tournament, loaded.plan, loaded.action.now
    seeding.seed(loaded, loaded.entrants[: plan.most])
    tournament.state, tournament.closes_at = "running", now
    tournament.rounds = _rounds(loaded)
    if plan.form.name == "ladder":
        tournament.round, tournament.ends_at = 1, now + plan.lasts
    form = plan.form.name if is_enterable(tournament, plan) else ""
    for place, entrant in enumerate(loaded.waiting, 1):
        loaded.notify([entrant.player_id], NoPlace(loaded.number, form, place))


def _rounds(loaded: LoadedTournament) -> int:
    players = len(loaded.playing)
    match loaded.plan.form.name:
        case "ladder":
            return 1
        case "knock-out":
            return knock_out.rounds(players)
        case "swiss":
            return min(loaded.plan.rounds or swiss.usual_rounds(players), swiss.most_rounds(players))
    return len(_tables(loaded))


def _tables(loaded: LoadedTournament) -> list[list[Meeting]]:
    players = [entrant.player_id for entrant in seeded(loaded.entrants)]
    return round_robin.rounds(players, double=loaded.plan.form.name == "double")


def _run(loaded: LoadedTournament) -> None:
    adjudication.adjudicate_due(loaded)
    _replace(loaded)
    tournament = loaded.tournament
    if loaded.plan.form.name == "ladder":
        if _is_up(loaded):
            _end(loaded)
            return
        _pair_free(loaded)
    elif not loaded.undecided and not _replay(loaded) and not _next_round(loaded):
        _end(loaded)
        return
    games.begin(loaded)
    if not loaded.unbegun and tournament.told_round < tournament.round and _is_played(loaded):
        _tell_round(loaded)


def _is_up(loaded: LoadedTournament) -> bool:
    """Return whether the time of a ladder is up; also store when it will be, leaving out downtime."""
    tournament = loaded.tournament
    tournament.ends_at = loaded.after(tournament.closes_at, loaded.plan.lasts)
    return tournament.ends_at <= loaded.action.now


def _replace(loaded: LoadedTournament) -> None:
    """Give the places of players who left to waiting players, if the format still allows it."""
    tournament = loaded.tournament
    if not is_enterable(tournament, loaded.plan):
        return
    free = loaded.plan.most - len(loaded.playing)
    for entrant in loaded.waiting[: max(free, 0)]:
        entrant.seed = 1 + max((each.seed or 0 for each in loaded.entrants), default=0)
        loaded.notify([entrant.player_id], PlaceFree(loaded.number))


def _pair_free(loaded: LoadedTournament) -> None:
    """Pair those on a ladder who have no game."""
    at_play, ready = {number for each in loaded.undecided for number in _both(each)}, loaded.ready
    free = [number for number in ready if number not in at_play]
    meetings = ladder.next_meetings(free, ready, loaded.played, loaded.blocked_pairs())
    _add(loaded, 1, meetings)


def _is_played(loaded: LoadedTournament) -> bool:
    """Return whether the round takes time; a round of byes only is reported together with the next."""
    return loaded.plan.form.name == "ladder" or bool(loaded.undecided)


def _replay(loaded: LoadedTournament) -> bool:
    """Repeat drawn games of a knock-out with swapped seats; return whether there are any."""
    if loaded.plan.form.name != "knock-out":
        return False
    last = [each for each in loaded.pairings if each.round == loaded.tournament.round]
    twice = {each.board for each in last if each.leg > 1}
    drawn = [
        each for each in last if each.board not in twice and each.first_points == DRAW and not each.adjudicated
    ]
    for each in drawn:
        turned = Pairing(
            tournament_id=loaded.number,
            round=each.round,
            board=each.board,
            leg=2,
            first_id=each.second_id or 0,
            second_id=each.first_id,
        )
        _keep(loaded, turned)
    return bool(drawn)


def _next_round(loaded: LoadedTournament) -> bool:
    """Create the pairings of the next round, or of all that start together; return False if there is none."""
    tournament, form = loaded.tournament, loaded.plan.form.name
    if tournament.round >= tournament.rounds or (form == "swiss" and len(loaded.playing) < 2):
        return False
    if form in ("round-robin", "double"):
        tables = _tables(loaded)
        last = tournament.rounds if loaded.plan.together else tournament.round + 1
        for number in range(tournament.round + 1, last + 1):
            _add(loaded, number, tables[number - 1])
        tournament.round = last
        return True
    tournament.round += 1
    if form == "swiss":
        _add(loaded, tournament.round, swiss.next_round(_paired(loaded), loaded.played, loaded.blocked_pairs()))
    elif tournament.round == 1:
        _add(loaded, 1, knock_out.first_round(loaded.playing))
    else:
        _add(loaded, tournament.round, knock_out.next_round(_through(loaded), loaded.played))
    return True


def _paired(loaded: LoadedTournament) -> list[int]:
    """Return the players of the next round of a Swiss: those who are ready or, if these are too few, all."""
    ready = loaded.ready
    return ready if len(ready) > 1 else loaded.playing


def _through(loaded: LoadedTournament) -> list[int | None]:
    """Return the winners of the previous round of a knock-out, by board."""
    tournament = loaded.tournament
    return knock_out_winners.through(loaded.entrants, loaded.pairings, tournament.round - 1, tournament.rounds)


def _add(loaded: LoadedTournament, round_number: int, meetings: list[Meeting] | list[Meeting | None]) -> None:
    """Add pairings to a round, at the next free boards; a bye is decided immediately."""
    taken = max((each.board for each in loaded.pairings if each.round == round_number), default=0)
    for board, meeting in enumerate(meetings, taken + 1):
        if meeting is None:
            continue
        pairing = Pairing(
            tournament_id=loaded.number,
            round=round_number,
            board=board,
            first_id=meeting.first,
            second_id=meeting.second,
        )
        if meeting.second is None:
            _, _, pairing.first_points, pairing.second_points = bye(meeting.first)
        _keep(loaded, pairing)


def _keep(loaded: LoadedTournament, pairing: Pairing) -> None:
    loaded.action.session.add(pairing)
    loaded.pairings.append(pairing)


def _end(loaded: LoadedTournament) -> None:
    loaded.tournament.state, loaded.tournament.over_at = "over", loaded.action.now
    loaded.notify(loaded.playing, TournamentOver(loaded.number))


def _tell_round(loaded: LoadedTournament) -> None:
    """Notify all players who play in the round or played in the one before."""
    first, last = loaded.tournament.told_round + 1, loaded.tournament.round
    rounds = [each for each in loaded.pairings if first - 1 <= each.round <= last]
    told = {number for each in rounds for number in _both(each)} if first > 1 else set(loaded.playing)
    for number in loaded.playing:
        if number in told:
            loaded.notify([number], RoundBegins(loaded.number, number, first, last))
    loaded.tournament.told_round = last


def _both(pairing: Pairing) -> list[int]:
    return [number for number in (pairing.first_id, pairing.second_id) if number is not None]


def _next_due(loaded: LoadedTournament) -> datetime | None:
    """Return when the next step is due, besides counting games that end."""
    tournament, now = loaded.tournament, loaded.action.now
    if tournament.state == "open":
        return tournament.closes_at
    if tournament.state != "running":
        return None
    is_ladder = loaded.plan.form.name == "ladder"
    if loaded.unbegun or (not is_ladder and not loaded.undecided):
        return now
    return min([*adjudication.next_due(loaded), tournament.ends_at or now + _OFTEN])
