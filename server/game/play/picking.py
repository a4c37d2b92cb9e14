"""Moves built from picks on the board, such as a piece and then its target; and what a player can pick next."""

from collections.abc import Sequence
from dataclasses import replace

from rules.move_builder import Choices
from rules.pressing import pressed
from server.game.play.loaded_game import LoadedGame
from server.game.play.target import Target, check_may_act
from server.store.models import Game, Player
from server.store.outbox import ActionContext


def choices(action: ActionContext, player: Player, target: Target, picks: Sequence[str]) -> Choices:
    """Return what a player can pick next after these picks, such as the squares that a piece can reach.

    A first pick without an alternative is made automatically. Raises Refused, and WrongMove for picks that do
    not fit.
    """
    return _choices(_table(action, player, target), target.seat, picks)


def press(
    action: ActionContext, player: Player, target: Target, picks: Sequence[str], place: str
) -> tuple[str, ...]:
    """Return the picks after a press on the board's place `place`, such as "c4".

    Raises Refused, or WrongMove with the reason why the place cannot be picked.
    """
    table = _table(action, player, target)
    return pressed(table.rules, table.position, target.seat, picks, place)


def choices_of(action: ActionContext, player: Player, target: Target, text: str) -> Choices:
    """Return the choices after the picks that make up the move in `text`. Raises Refused or WrongMove."""
    table = _table(action, player, target)
    move = table.rules.parse(table.position, target.seat, text)
    return _choices(table, target.seat, table.rules.picks_of(table.position, target.seat, move))


def _table(action: ActionContext, player: Player, target: Target) -> LoadedGame:
    return check_may_act(action, player, target, action.session.get(Game, target.game), to_move=True)


def _choices(table: LoadedGame, seat: int, picks: Sequence[str]) -> Choices:
    found = table.rules.choices(table.position, seat, picks)
    if picks and found.picked[0].place:
        return found
    first = table.rules.choices(table.position, seat).picks if picks else found.picks
    if len(first) != 1 or first[0].place:
        return found
    made = found if picks else table.rules.choices(table.position, seat, [first[0].text])
    return replace(made, automatic=1)
