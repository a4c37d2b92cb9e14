"""The guided game for new players: before each of their turns it explains one rule on the board."""

from dataclasses import dataclass
from itertools import chain
from typing import Any

from sqlmodel import Session, col, select

from server.accounts import computer_players, players
from server.game.lobby import challenges
from server.game.log import log
from server.game.terms.terms import is_guided
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext

_GAME_TYPE = "nibble"
"""The game of the lessons: its moves are the easiest to write, and it has no hidden information."""
_FIRST = 3
"""How many of a player's first games are searched, because invitations may be older than the guided game."""


@dataclass(frozen=True)
class LessonView:
    """A lesson about one rule, numbered from 1 in the order of the explanations."""

    number: int
    of: int
    text: str


def register(action: ActionContext, email: str, name: str) -> Player:
    """Register a player, and start a guided game for them if this server offers it."""
    player = players.register(action, email, name)
    if action.teaches:
        challenges.challenge(
            action, player, [computer_players.computer(action)], _GAME_TYPE, {"time": "none"}, guided=True
        )
    return player


def guided_game(session: Session, player: int) -> tuple[Game, Seat] | None:
    """Return the running guided game of this player; None if there is none."""
    own = select(Game, Seat).where(Seat.game_id == Game.id, Seat.player_id == player, Game.state == "running")
    found = session.exec(own.order_by(col(Game.id)).limit(_FIRST)).all()
    return next(((game, seat) for game, seat in found if is_guided(game.terms)), None)


def lesson_of(session: Session, game: Game, seat: int, turn: int) -> LessonView | None:
    """Return the lesson that a guided game shows before `turn`: the first rule that is new in this position.

    None in other games, if another seat has to move, and if the position shows no new rule.
    """
    if not is_guided(game.terms):
        return None
    rules, told, new = log.rules_of(game), set[str](), None
    played = log.steps(session, game, 1, turn - 1) if turn > 1 else ()
    for position in chain([rules.start(game.options, game.setup)], (step.after for _, step in played)):
        new = _first(rules, position, seat, told)
        told.update([new[0]] if new else [])
    return LessonView(len(told), len(rules.taught), new[1]) if new else None


def _first(rules: log.AnyRules, position: Any, seat: int, told: set[str]) -> tuple[str, str] | None:
    """Return the name and the text of the first rule that is not explained yet and that the position shows."""
    if seat not in rules.to_move(position):
        return None
    found = ((name, rules.lesson(position, seat, name)) for name in rules.taught if name not in told)
    return next(((name, lesson.text) for name, lesson in found if lesson), None)
