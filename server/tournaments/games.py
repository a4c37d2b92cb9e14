"""The games of a tournament: started without an invitation, counted when they are over."""

from sqlmodel import col, select

from rules.reasons import Reason
from rules.registry import rules_named
from server.game.lobby import proposed_game
from server.game.lobby.proposed_game import ProposedGame
from server.game.log import log
from server.game.play import moves
from server.game.play.start import start_game
from server.game.play.target import Target
from server.game.terms.terms import GameTerms
from server.pairing.meeting import DRAW, LOSS, WIN
from server.store.db import locked
from server.store.failures import PLAYING, isolated
from server.store.models import Game, Pairing
from server.tournaments.rows import LoadedTournament

MOST_AT_ONCE = 8
"""Games that start in one transaction, so that other writers need not wait for long."""


def begin(loaded: LoadedTournament) -> None:
    """Start the next few games of a tournament; if a player has left, the opponent wins without a game."""
    playing = set(loaded.playing)
    for pairing in loaded.unbegun[:MOST_AT_ONCE]:
        present = [player in playing for player in (pairing.first_id, pairing.second_id)]
        if pairing.second_id is None or not all(present):
            pairing.first_points, pairing.second_points = (WIN if here else LOSS for here in present)
        else:
            _begin(loaded, pairing, (pairing.first_id, pairing.second_id))


def _begin(loaded: LoadedTournament, pairing: Pairing, seats: tuple[int, int]) -> None:
    action, tournament = loaded.action, loaded.tournament
    proposed = ProposedGame(
        rules_named(tournament.game_type), tournament.options, GameTerms.from_json(tournament.terms)
    )
    people = [loaded.player(number) for number in seats]
    game = proposed_game.store(action, proposed, people)
    game.tournament_id = loaded.number
    start_game(action, game)
    pairing.game_id = game.id
    if loaded.plan.adjudicates:
        pairing.adjudicate_at = action.now + loaded.plan.after


def count(loaded: LoadedTournament) -> bool:
    """Record the results of games that have ended, and corrections of results; return whether there were any.

    A game that ends when the tournament is over no longer counts.
    """
    session, noted = loaded.action.session, False
    ended = select(Game.id).where(Game.tournament_id == loaded.number, col(Game.tournament_due_at).is_not(None))
    for number in session.exec(ended.order_by(col(Game.id))).all():
        game = locked(session, Game, number)
        if game is None or game.result is None:
            continue
        game.tournament_due_at = None
        pairing = next((each for each in loaded.pairings if each.game_id == number), None)
        if pairing is not None and (loaded.tournament.state == "running" or pairing.first_points is not None):
            pairing.adjudicated = game.result["reason"] == Reason.ADJUDICATED
            pairing.first_points, pairing.second_points = _points(game.result["winners"])
            pairing.first_thought, pairing.second_thought = (
                seat.thought for seat, _ in log.seats(session, game)
            )
            noted = True
    return noted


def resign_all(loaded: LoadedTournament, number: int) -> None:
    """Resign all games of a player who leaves the tournament."""
    player, session = loaded.player(number), loaded.action.session
    own = [each.game_id for each in loaded.undecided if number in (each.first_id, each.second_id)]
    for game_id in sorted(game_id for game_id in own if game_id is not None):
        game = locked(session, Game, game_id)
        if game is not None and game.state == "running":
            seat = next(seat.number for seat, other in log.seats(session, game) if other.id == number)
            with isolated(session, loaded.action.now, PLAYING, Game, game_id):
                moves.resign(loaded.action, player, Target(game_id, seat, game.turn))


def _points(winners: list[int]) -> tuple[float, float]:
    """Return the points of both players; both have lost if a game was abandoned."""
    if len(winners) > 1:
        return DRAW, DRAW
    return WIN if 0 in winners else LOSS, WIN if 1 in winners else LOSS
