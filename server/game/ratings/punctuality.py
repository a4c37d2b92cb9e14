"""Punctuality: when players answer, and whether in time, read from the log of a game.

Answers are a list with one element for each turn in which a player had to move: the seconds until the answer,
`IN_TIME` if the exact time is secret (sealed orders), None if there was no answer in time.
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
"""The number of a player's latest turns that count."""
_ENOUGH = 10
"""The smallest number of turns for a figure about a player."""


def answers_in(session: Session, game: Game) -> list[Answers]:
    """Return the answers of each seat in a finished game, at most the latest ones. Raises Damaged."""
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
    """Return the share of turns answered in time, in percent; None for too few turns."""
    if len(answers) < _ENOUGH:
        return None
    return round(100 * sum(answer is not None for answer in answers) / len(answers))


def usual_seconds(answers: Sequence[int | None]) -> int | None:
    """Return the median time of an answer in seconds, at least 1; None for too few known answers."""
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
    """Return the seats whose inactivity ended an abandoned game; () with sealed orders, where it is unknown."""
    rules = log.rules_of(game)
    if rules.simultaneous or (game.result or {}).get("reason") != Reason.ABORTED:
        return ()
    return rules.to_move(log.position_of(game))
