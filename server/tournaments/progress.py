"""What happens in a tournament by itself: it begins, goes from round to round, and ends."""

from datetime import datetime

from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from server.clock.spans import DAY
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
from server.store.models import Game, Pairing, Tournament
from server.store.outbox import ActionContext
from server.tournaments import adjudication, games, knock_out_rounds, seeding
from server.tournaments.rows import Hall, enter_hall, is_enterable, seeded

_OFTEN = DAY
"""A look at a tournament for which nothing else is due."""


def go_on(action: ActionContext, tournament: Tournament) -> None:
    """Do what is due in a tournament, which must be locked, and note when there is something to do next.

    Everything is derived from its rows: it may be called at any time and any number of times.
    """
    hall = enter_hall(action, tournament)
    if games.count(hall) and tournament.state == "over":
        hall.tell(hall.playing, TournamentOver(hall.number, corrected=True))
    if tournament.state == "open":
        _open(hall)
    if tournament.state == "running":
        could_enter = is_enterable(tournament, hall.plan)
        _run(hall)
        if could_enter and not is_enterable(tournament, hall.plan):
            waited = [entrant.player_id for entrant in hall.waiting]
            hall.tell(waited, WaitedInVain(hall.number, tournament.state == "over"))
    tournament.due_at = _next_due(hall)


def with_ended_games(now: datetime) -> SelectOfScalar[Tournament]:
    """Tournaments with games that are over and not yet counted."""
    ended = select(Game.tournament_id).where(col(Game.tournament_due_at) <= now)
    return select(Tournament).where(col(Tournament.id).in_(ended)).order_by(col(Tournament.id))


def _open(hall: Hall) -> None:
    """Begin once all places are taken or sign-up is over, if enough have entered."""
    tournament, plan, now = hall.tournament, hall.plan, hall.action.now
    tournament.closes_at = hall.after(tournament.created_at, plan.signup)
    is_over, entered = tournament.closes_at <= now, len(hall.entrants)
    if is_over and entered < plan.least:
        hall.call_off(TournamentCancelled(hall.number))
    elif is_over or (plan.early and entered >= plan.most):
        seeding.seed(hall, hall.entrants[: plan.most])
        tournament.state, tournament.closes_at = "running", now
        tournament.rounds = _rounds(hall)
        if plan.form.name == "ladder":
            tournament.round, tournament.ends_at = 1, now + plan.lasts
        form = plan.form.name if is_enterable(tournament, plan) else ""
        for place, entrant in enumerate(hall.waiting, 1):
            hall.tell([entrant.player_id], NoPlace(hall.number, form, place))


def _rounds(hall: Hall) -> int:
    """How many rounds there will be."""
    players = len(hall.playing)
    match hall.plan.form.name:
        case "ladder":
            return 1
        case "knock-out":
            return knock_out.rounds(players)
        case "swiss":
            return min(hall.plan.rounds or swiss.usual_rounds(players), swiss.most_rounds(players))
    return len(_tables(hall))


def _tables(hall: Hall) -> list[list[Meeting]]:
    """The rounds of a round robin."""
    players = [entrant.player_id for entrant in seeded(hall.entrants)]
    return round_robin.rounds(players, double=hall.plan.form.name == "double")


def _run(hall: Hall) -> None:
    adjudication.adjudicate_due(hall)
    _replace(hall)
    tournament = hall.tournament
    if hall.plan.form.name == "ladder":
        if _is_up(hall):
            _end(hall)
            return
        _pair_free(hall)
    elif not hall.undecided and not _replay(hall) and not _next_round(hall):
        _end(hall)
        return
    games.begin(hall)
    if not hall.unbegun and tournament.told_round < tournament.round and _is_played(hall):
        _tell_round(hall)


def _is_up(hall: Hall) -> bool:
    """Whether the time of a ladder is up; notes when that is, leaving out when the server was down."""
    tournament, lasts = hall.tournament, hall.plan.lasts
    ends = tournament.ends_at or hall.action.now
    # Earlier versions left `closes_at` as it was if all places were taken before.
    tournament.closes_at = min(tournament.closes_at, ends - lasts)
    tournament.ends_at = hall.after(tournament.closes_at, lasts)
    return tournament.ends_at <= hall.action.now


def _replace(hall: Hall) -> None:
    """Let those who wait play in the places of those who have left, where the form still allows it."""
    tournament = hall.tournament
    if not is_enterable(tournament, hall.plan):
        return
    free = hall.plan.most - len(hall.playing)
    for entrant in hall.waiting[: max(free, 0)]:
        entrant.seed = 1 + max((each.seed or 0 for each in hall.entrants), default=0)
        hall.tell([entrant.player_id], PlaceFree(hall.number))


def _pair_free(hall: Hall) -> None:
    """Pair those on a ladder who have no game."""
    at_play, ready = {number for each in hall.undecided for number in _both(each)}, hall.ready
    free = [number for number in ready if number not in at_play]
    meetings = ladder.next_meetings(free, ready, hall.played, hall.apart())
    _add(hall, 1, meetings)


def _is_played(hall: Hall) -> bool:
    """Whether the round takes time: one in which nobody is left to play against is told with what follows."""
    return hall.plan.form.name == "ladder" or bool(hall.undecided)


def _replay(hall: Hall) -> bool:
    """Have drawn games of a knock-out played once more with seats turned; whether there are any."""
    if hall.plan.form.name != "knock-out":
        return False
    last = [each for each in hall.pairings if each.round == hall.tournament.round]
    twice = {each.board for each in last if each.leg > 1}
    drawn = [
        each for each in last if each.board not in twice and each.first_points == DRAW and not each.adjudicated
    ]
    for each in drawn:
        turned = Pairing(
            tournament_id=hall.number,
            round=each.round,
            board=each.board,
            leg=2,
            first_id=each.second_id or 0,
            second_id=each.first_id,
        )
        _keep(hall, turned)
    return bool(drawn)


def _next_round(hall: Hall) -> bool:
    """Make the pairings of the next round, or of all rounds that begin at once; False if there is none."""
    tournament, form = hall.tournament, hall.plan.form.name
    if tournament.round >= tournament.rounds or (form == "swiss" and len(hall.playing) < 2):
        return False
    if form in ("round-robin", "double"):
        tables = _tables(hall)
        last = tournament.rounds if hall.plan.together else tournament.round + 1
        for number in range(tournament.round + 1, last + 1):
            _add(hall, number, tables[number - 1])
        tournament.round = last
        return True
    tournament.round += 1
    if form == "swiss":
        _add(hall, tournament.round, swiss.next_round(_paired(hall), hall.played, hall.apart()))
    elif tournament.round == 1:
        _add(hall, 1, knock_out.first_round(hall.playing))
    else:
        _add(hall, tournament.round, knock_out.next_round(_through(hall), hall.played))
    return True


def _paired(hall: Hall) -> list[int]:
    """Who plays in the next round of a Swiss: those who can, or, where these are too few, all."""
    ready = hall.ready
    return ready if len(ready) > 1 else hall.playing


def _through(hall: Hall) -> list[int | None]:
    """Who got through the round of a knock-out before this one, by board."""
    tournament = hall.tournament
    return knock_out_rounds.through(hall.entrants, hall.pairings, tournament.round - 1, tournament.rounds)


def _add(hall: Hall, round_number: int, meetings: list[Meeting] | list[Meeting | None]) -> None:
    """Add pairings to a round, at the boards that come next; a bye is decided at once."""
    taken = max((each.board for each in hall.pairings if each.round == round_number), default=0)
    for board, meeting in enumerate(meetings, taken + 1):
        if meeting is None:
            continue
        pairing = Pairing(
            tournament_id=hall.number,
            round=round_number,
            board=board,
            first_id=meeting.first,
            second_id=meeting.second,
        )
        if meeting.second is None:
            _, _, pairing.first_points, pairing.second_points = bye(meeting.first)
        _keep(hall, pairing)


def _keep(hall: Hall, pairing: Pairing) -> None:
    hall.action.session.add(pairing)
    hall.pairings.append(pairing)


def _end(hall: Hall) -> None:
    hall.tournament.state, hall.tournament.over_at = "over", hall.action.now
    hall.tell(hall.playing, TournamentOver(hall.number))


def _tell_round(hall: Hall) -> None:
    """Tell the round to all who play in it or played in the one before."""
    first, last = hall.tournament.told_round + 1, hall.tournament.round
    rounds = [each for each in hall.pairings if first - 1 <= each.round <= last]
    told = {number for each in rounds for number in _both(each)} if first > 1 else set(hall.playing)
    for number in hall.playing:
        if number in told:
            hall.tell([number], RoundBegins(hall.number, number, first, last))
    hall.tournament.told_round = last


def _both(pairing: Pairing) -> list[int]:
    return [number for number in (pairing.first_id, pairing.second_id) if number is not None]


def _next_due(hall: Hall) -> datetime | None:
    """When there is something to do next, besides counting games that end."""
    tournament, now = hall.tournament, hall.action.now
    if tournament.state == "open":
        return tournament.closes_at
    if tournament.state != "running":
        return None
    is_ladder = hall.plan.form.name == "ladder"
    if hall.unbegun or (not is_ladder and not hall.undecided):
        return now
    return min([*adjudication.next_due(hall), tournament.ends_at or now + _OFTEN])
