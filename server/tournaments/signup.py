"""Create, join, leave and cancel a tournament."""

from collections.abc import Mapping

from sqlmodel import Session, col, select

from server.accounts import bans, names, players, relations
from server.errors import BadRequest
from server.game.leaving.leave_everything import give_up_place
from server.game.lobby import proposed_game, seats
from server.store.db import count_rows
from server.store.letters.tournaments import TournamentCancelled
from server.store.models import Entrant, Player, Tournament
from server.store.outbox import ActionContext
from server.tournaments import games, seeding
from server.tournaments.length import length_of
from server.tournaments.plan import SYNONYMS, USUAL, TournamentPlan
from server.tournaments.rows import (
    LoadedTournament,
    existing,
    identity,
    is_enterable,
    lock_own,
    lock_tournament,
)

MOST_MADE = 3
"""Unfinished tournaments that one player may have created."""
MOST_ENTERED = 10
"""Unfinished tournaments in which one player may take part."""
MOST_WAITING = 20
"""Players who may wait for a place in one tournament."""
_NOT_OVER = ("open", "running")


def make(
    action: ActionContext, player: Player, name: str, game_type: str, options: Mapping[str, object]
) -> Tournament:
    """Open a tournament for sign-up; its creator does not join automatically.

    `options` are those of the plan, of the rules and of the terms. Raises BadRequest.
    """
    bans.check(action.session, player, action.now)
    options = {SYNONYMS.get(option, option): value for option, value in options.items()}
    planned = {option: value for option, value in options.items() if option in USUAL}
    others = {option: value for option, value in options.items() if option not in USUAL}
    proposed = proposed_game.read(game_type, others, players.zone(player))
    if proposed.terms.games > 1:
        raise BadRequest("The games of a tournament cannot be series: leave out games.")
    plan = TournamentPlan.from_options(
        planned, length_of(proposed.rules, proposed.options, proposed.terms.time)
    )
    if proposed.terms.anonymous:
        raise BadRequest("The players of a tournament are public, so its games cannot be anonymous.")
    if proposed.seats != 2:
        raise BadRequest("The games of a tournament are for two players each.")
    name = players.check_name(name)
    names.check_official(name)
    not_over = col(Tournament.state).in_(_NOT_OVER)
    if count_rows(action.session, Tournament.made_by == player.id, not_over) >= MOST_MADE:
        raise BadRequest(
            f"You have created {MOST_MADE} tournaments that are not over. You can create another when one ends."
        )
    tournament = Tournament(
        name=name,
        game_type=proposed.rules.name,
        options=proposed.options,
        terms=proposed.terms.to_json(),
        plan=plan.to_json(),
        made_by=players.identity(player),
        created_at=action.now,
        closes_at=action.now + plan.signup,
        due_at=action.now + plan.signup,
    )
    seeding.draw_lot(action, tournament)
    action.session.add(tournament)
    action.session.flush()
    return tournament


def enter(action: ActionContext, player: Player, number: int) -> Tournament:
    """Add a player to a tournament, or to its waiting list. Raises BadRequest."""
    seats.check_can_play(action, player, "join a tournament")
    loaded = lock_tournament(action, number)
    tournament = loaded.tournament
    _check_open(loaded)
    own = _own(loaded, player)
    if own is not None:
        raise BadRequest(
            f"You have left tournament {number}, and cannot join it again."
            if own.left
            else f"You have already joined tournament {number}, {tournament.name}."
        )
    if len(entered(action.session, player)) >= MOST_ENTERED:
        raise BadRequest(
            f"You take part in {MOST_ENTERED} tournaments that are not over. You can join another when one of "
            "them ends."
        )
    if len(loaded.waiting) >= MOST_WAITING:
        raise BadRequest(f"Tournament {number} is full, and {MOST_WAITING} players already wait for a place.")
    last = max((entrant.number for entrant in loaded.entrants), default=0)
    action.session.add(Entrant(tournament_id=number, player_id=players.identity(player), number=last + 1))
    if tournament.state == "running" or (loaded.plan.early and len(loaded.entrants) + 1 >= loaded.plan.most):
        tournament.due_at = action.now
    return tournament


def is_open(session: Session, number: int) -> bool:
    """Return whether there is a tournament of this number that can be entered."""
    tournament = session.get(Tournament, number)
    return tournament is not None and is_enterable(tournament, TournamentPlan.from_json(tournament.plan))


def made(session: Session, player: Player) -> list[int]:
    """Return the numbers of the tournaments that a player has created and that have not started yet."""
    query = select(Tournament.id).where(Tournament.made_by == player.id, Tournament.state == "open")
    return [number for number in session.exec(query.order_by(col(Tournament.id))) if number is not None]


def entry_in_words(action: ActionContext, player: Player, number: int) -> str:
    """Return a sentence for a player who has just joined: they have a place, or they wait for one."""
    loaded = lock_tournament(action, number)
    soon_placed = loaded.plan.most - len(loaded.playing) if loaded.tournament.state == "running" else 0
    if any(entrant.player_id == player.id for entrant in loaded.waiting[max(soon_placed, 0) :]):
        return f"All places in {loaded.tournament.name} are taken: you wait for one."
    return f"You have joined {loaded.tournament.name}."


def leave(action: ActionContext, player: Player, number: int) -> Tournament:
    """Remove a player: before the start without a trace, later with the loss of all unfinished games.

    Raises BadRequest.
    """
    loaded = lock_tournament(action, number)
    tournament, own = loaded.tournament, _own(loaded, player)
    if own is None or own.left:
        raise BadRequest(f"You do not take part in tournament {number}, {tournament.name}.")
    if tournament.state not in _NOT_OVER:
        raise BadRequest(f"Tournament {number}, {tournament.name}, is over.")
    if own.seed is not None:
        own.left = True
        tournament.due_at = action.now
        games.resign_all(loaded, own.player_id)
        return tournament
    give_up_place(action, tournament, own)
    return tournament


def cancel(action: ActionContext, player: Player, number: int) -> Tournament:
    """Cancel the player's own tournament before it starts, and notify all entrants. Raises BadRequest."""
    loaded = lock_own(action, player, number, "cancel")
    tournament = loaded.tournament
    loaded.cancel(TournamentCancelled(number, by_maker=True))
    return tournament


def avoided(session: Session, player: Player, number: int) -> list[str]:
    """Return the names of blocked players whom a player may meet in a tournament."""
    tournament = existing(session, number)
    if TournamentPlan.from_json(tournament.plan).form.keeps_apart:
        return []
    names = [each.name for each in relations.kept_away(session, player) if each.blocked]
    query = (
        select(Player.name)
        .join(Entrant, col(Entrant.player_id) == col(Player.id))
        .where(Entrant.tournament_id == number, col(Entrant.left).is_(False), col(Player.name).in_(names))
        .order_by(col(Player.name))
    )
    return list(session.exec(query))


def entered(session: Session, player: Player) -> list[int]:
    """Return the numbers of the unfinished tournaments in which a player takes part, or waits."""
    query = (
        select(Entrant.tournament_id)
        .join(Tournament, col(Tournament.id) == col(Entrant.tournament_id))
        .where(Entrant.player_id == player.id, col(Entrant.left).is_(False))
        .where(col(Tournament.state).in_(_NOT_OVER))
        .order_by(col(Entrant.tournament_id))
    )
    return list(session.exec(query))


def _own(loaded: LoadedTournament, player: Player) -> Entrant | None:
    return next((entrant for entrant in loaded.entrants if entrant.player_id == player.id), None)


def _check_open(loaded: LoadedTournament) -> None:
    """Raise BadRequest if it is too late to join."""
    tournament = loaded.tournament
    if not is_enterable(tournament, loaded.plan):
        has = {"running": "has started", "over": "is over"}.get(tournament.state, "is cancelled")
        raise BadRequest(
            f"Tournament {identity(tournament)}, {tournament.name}, {has}: it is too late to join. "
            "Write “tournaments” for those that are open."
        )
