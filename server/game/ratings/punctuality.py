"""How people answered in a game: how soon, and whether in time, as its log tells.

Answers are a list, for each turn that somebody owed: the seconds that they took, `IN_TIME` where nobody else
can know how many (orders given in secret), None if they gave no answer in time.
"""

from collections.abc import Sequence
from statistics import median

from sqlmodel import Session

from rules.game import PASS, Step
from rules.reasons import Reason
from server.game.log import log, stored_entries
from server.store.models import Game

Answers = list[int | None]

IN_TIME = -1
MOST = 100
"""The last turns of somebody, which tell how they answer nowadays."""
_ENOUGH = 10
"""Turns without which nothing is said of somebody."""


def answers_in(session: Session, game: Game) -> list[Answers]:
    """The last answers of each seat in a game that is over. Raises Damaged."""
    found: list[Answers] = [[] for _ in game.asked]
    before = None
    for entry, step in log.steps(session, game):
        took = IN_TIME if before is None else int((entry.at - before).total_seconds())
        if stored_entries.turn_of(game, entry).turn.texts() != dict.fromkeys(step.moves, PASS) or step.left:
            _add(found, log.rules_of(game), step, took)
        before = entry.at
    for seat in _silent(game):
        found[seat].append(None)
    return [answers[-MOST:] for answers in found]


def reliability(answers: Sequence[int | None]) -> int | None:
    """The share of turns answered in time, in percent; None while there are too few."""
    if len(answers) < _ENOUGH:
        return None
    return round(100 * sum(answer is not None for answer in answers) / len(answers))


def usual_seconds(answers: Sequence[int | None]) -> int | None:
    """How long an answer takes, as often more as less, at least a second; None while too few are known."""
    known = [answer for answer in answers if answer is not None and answer >= 0]
    return max(1, round(median(known))) if len(known) >= _ENOUGH else None


def _add(found: list[Answers], rules: log.AnyRules, step: Step[object, object], took: int) -> None:
    if step.left is not None:
        seat, reason = step.left
        if reason is Reason.TIMEOUT:
            found[seat].append(None)
    elif rules.simultaneous:
        for seat in rules.to_move(step.before):
            found[seat].append(IN_TIME if seat in step.moves else None)
    else:
        for seat in step.moves:
            found[seat].append(took)


def _silent(game: Game) -> tuple[int, ...]:
    """Whose silence ended a game that was abandoned; of secret orders nobody knows whose were missing."""
    rules = log.rules_of(game)
    if rules.simultaneous or (game.result or {}).get("reason") != Reason.ABORTED:
        return ()
    return rules.to_move(log.position_of(game))
