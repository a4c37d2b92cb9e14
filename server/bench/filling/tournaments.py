"""Tournaments on a server with years of games: one of each form is played."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from sqlalchemy import insert
from sqlmodel import col, select

from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.store.models import Entrant, Game, Player, Tournament
from server.store.outbox import ActionContext
from server.tournaments import progress, signup
from server.tournaments.plan import FORMS

_GAME_TYPE, _SMALL = "nebuchadnezzar", {"size": 4}
_SIZE = 8
"""The number of players of each tournament that is only in lists."""


def hold(action: ActionContext, people: Sequence[int], games: int, below: Callable[[int], int]) -> None:
    """Hold a tournament of each form, numbered from 1, as large as possible, with at most a quarter of the
    people.

    Each ends, or goes on after this many `games`. The same number of others is added, with random players and
    without games.
    """
    for number, (name, form) in enumerate(FORMS.items(), 1):
        _play(action, number, name, people[: min(len(people) // 4, form.most)], games)
    _add_others(action, games, people, below)


def _play(action: ActionContext, number: int, form: str, entrants: Sequence[int], games: int) -> None:
    """Sign up these players; the player at the second seat resigns each game."""
    options = {**_SMALL, "format": form, "places": f"{len(entrants)}"}
    players = [action.session.get_one(Player, entrant) for entrant in entrants]
    maker = players[number % len(players)]
    tournament = signup.make(action, maker, f"The {form} of the year", _GAME_TYPE, options)
    for player in players:
        signup.enter(action, player, number)
    ended = 0
    while tournament.state in ("open", "running") and ended < games:
        progress.go_on(action, tournament)
        ended += _end_games(action, number)


def _end_games(action: ActionContext, tournament: int) -> int:
    """End all running games of a tournament; return their number."""
    query = select(Game).where(Game.tournament_id == tournament, Game.state == "running")
    games = action.session.exec(query.order_by(col(Game.id))).all()
    for game in games:
        seat, loser = log.seats(action.session, game)[1]
        moves.resign(action, loser, Target(log.id_of(game), seat.number, game.turn))
    return len(games)


def _add_others(action: ActionContext, count: int, people: Sequence[int], below: Callable[[int], int]) -> None:
    """Add finished tournaments like the first one that is over, spread over the years."""
    session = action.session
    session.flush()
    row = session.get_one(Tournament, 1).model_dump(exclude={"id"})
    numbers = range(len(FORMS) + 1, len(FORMS) + 1 + count)
    session.execute(
        insert(Tournament),
        [{**row, "id": number, "over_at": action.now - timedelta(days=below(1000))} for number in numbers],
    )
    entrants = [
        {"tournament_id": number, "player_id": player, "number": place, "seed": place, "left": False}
        for number in numbers
        for place, player in enumerate(sorted({people[below(len(people))] for _ in range(_SIZE)}), 1)
    ]
    session.execute(insert(Entrant), entrants)
